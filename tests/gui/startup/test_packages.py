"""Which command mends a missing library, on the distributions that people use."""

import pytest

from zerogui.gui.startup.packages import DRAWING, WAYLAND, X11, family, install_command

EGL, XKB, CURSOR = "libEGL.so.1", "libxkbcommon.so.0", "libxcb-cursor.so.0"


@pytest.mark.parametrize(
    ("identity", "like", "expected"),
    [
        ("debian", "", "debian"),
        ("ubuntu", "debian", "debian"),
        ("linuxmint", "ubuntu debian", "debian"),
        ("fedora", "", "fedora"),
        ("rocky", "rhel centos fedora", "fedora"),
        ("arch", "", "arch"),
        ("manjaro", "arch", "arch"),
        ("opensuse-tumbleweed", "opensuse suse", None),
        ("", "", None),
    ],
)
def test_a_distribution_is_known_by_itself_or_by_what_it_is_like(
    identity: str, like: str, expected: str | None
) -> None:
    assert family({"ID": identity, "ID_LIKE": like}) == expected


def test_a_system_that_names_nothing_is_of_no_family() -> None:
    assert family({}) is None


@pytest.mark.parametrize(
    ("of", "library", "expected"),
    [
        ("debian", EGL, "sudo apt-get install libegl1"),
        ("debian", XKB, "sudo apt-get install libxkbcommon0"),
        ("debian", CURSOR, "sudo apt-get install libxcb-cursor0"),
        ("fedora", EGL, "sudo dnf install libglvnd-egl"),
        ("fedora", XKB, "sudo dnf install libxkbcommon"),
        ("fedora", CURSOR, "sudo dnf install xcb-util-cursor"),
        ("arch", EGL, "sudo pacman -S libglvnd"),
        ("arch", XKB, "sudo pacman -S libxkbcommon"),
        ("arch", CURSOR, "sudo pacman -S xcb-util-cursor"),
    ],
)
def test_the_command_names_the_distributions_own_package(
    of: str, library: str, expected: str
) -> None:
    assert install_command([library], of, as_root=False) == expected
    assert install_command([library], of, as_root=True) == expected.removeprefix("sudo ")


def test_one_command_mends_several_libraries_and_names_each_package_once() -> None:
    missing = ["libglib-2.0.so.0", "libgthread-2.0.so.0", CURSOR]
    wanted = "apt-get install libglib2.0-0 libxcb-cursor0"
    assert install_command(missing, "debian", as_root=True) == wanted


@pytest.mark.parametrize(
    ("of", "expected"),
    [
        ("debian", "apt-get install --reinstall libegl1"),
        ("fedora", "dnf reinstall libglvnd-egl"),
        ("arch", "pacman -S libglvnd"),
    ],
)
def test_a_damaged_library_is_installed_again(of: str, expected: str) -> None:
    assert install_command([EGL], of, as_root=True, damaged=True) == expected


def test_no_command_is_made_up_for_what_is_not_known() -> None:
    assert install_command([EGL], None, as_root=True) is None
    assert install_command(["libz.so.1"], "debian", as_root=True) is None
    assert install_command([], "debian", as_root=True) is None


def test_every_library_has_a_package_everywhere() -> None:
    for packages in (*DRAWING.values(), *X11.values(), *WAYLAND.values()):
        assert all(packages)
