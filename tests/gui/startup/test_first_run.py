"""A start that cannot open a window says why in one line, and how to mend it."""

import sys
from pathlib import Path

import pytest

from tests.commands import printed, refusal
from zerogui.gui.startup.display import NO_DISPLAY, no_display
from zerogui.gui.startup.first_run import no_window

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="Linux alone lacks displays")

NOWHERE = ":4077"  # a display that no server has
PLATFORMS = ("offscreen", "wayland", "xcb")


def environment(**variables: str) -> dict[str, str | None]:
    names = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM", "LD_LIBRARY_PATH")
    return {**dict.fromkeys(names), **variables}


def broken(folder: Path, *names: str) -> str:
    """A folder that the linker looks into first, where the libraries ``names`` are no libraries."""
    for name in names:
        (folder / name).write_bytes(b"")
    return str(folder)


@pytest.mark.parametrize(
    ("variables", "words"),
    [
        ({"DISPLAY": NOWHERE}, ("no display answers", NOWHERE, "zerogui report FILE")),
        ({"DISPLAY": "nonsense"}, ("no display answers", "nonsense")),
        ({"WAYLAND_DISPLAY": "nowhere"}, ("no display answers", "nowhere")),
        ({"DISPLAY": NOWHERE, "WAYLAND_DISPLAY": "nowhere"}, (NOWHERE, "nowhere")),
        ({"QT_QPA_PLATFORM": "bogus"}, ("bogus", "offscreen", "run: unset QT_QPA_PLATFORM")),
        ({"QT_QPA_PLATFORM": "xcb"}, ("there is no display", "ssh -X")),
        ({"QT_QPA_PLATFORM": "xcb", "DISPLAY": NOWHERE}, ("no display answers", NOWHERE)),
    ],
    ids=lambda value: " ".join(f"{k}={v}" for k, v in value.items()) if type(value) is dict else "",
)
def test_a_display_that_is_not_there_is_said_in_one_line(
    variables: dict[str, str], words: tuple[str, ...]
) -> None:
    said = refusal(env=environment(**variables))
    assert said.startswith("zerogui: ")
    for word in words:
        assert word in said
    assert "plugin" not in said


@pytest.mark.parametrize(
    "library", ["libEGL.so.1", "libxkbcommon.so.0", "libxcb-cursor.so.0", "libxcb-icccm.so.4"]
)
def test_a_library_that_does_not_load_is_named_in_one_line(tmp_path: Path, library: str) -> None:
    path = broken(tmp_path, library)
    said = refusal(env=environment(DISPLAY=NOWHERE, LD_LIBRARY_PATH=path))
    assert said.startswith("zerogui: the window needs a system library, damaged here: " + library)
    assert "; " in said.partition(library)[2]


def test_all_libraries_that_do_not_load_are_named_at_once(tmp_path: Path) -> None:
    path = broken(tmp_path, "libEGL.so.1", "libxcb-cursor.so.0")
    said = refusal(env=environment(DISPLAY=NOWHERE, LD_LIBRARY_PATH=path))
    assert "libEGL.so.1, libxcb-cursor.so.0" in said


def test_a_picture_needs_no_library_of_a_window(tmp_path: Path) -> None:
    plan = Path(__file__).parents[3] / "resources" / "examples" / "seed.zerogui.json"
    path = broken(tmp_path, "libxcb-cursor.so.0")
    picture = tmp_path / "chart.svg"
    printed("render", plan, "-o", picture, env=environment(LD_LIBRARY_PATH=path))
    assert picture.exists()


def test_a_display_is_looked_for_only_where_one_is_needed() -> None:
    assert no_display({}) == NO_DISPLAY
    assert no_display({"DISPLAY": ":0"}) is None
    assert no_display({"WAYLAND_DISPLAY": "wayland-0"}) is None
    assert no_display({"QT_QPA_PLATFORM": "offscreen"}) is None


def test_of_several_platforms_one_that_is_known_is_enough() -> None:
    said = no_window({"QT_QPA_PLATFORM": "bogus;xcb", "DISPLAY": NOWHERE}, "no", PLATFORMS)
    assert "no display answers" in said
    assert "which is no platform" in no_window({"QT_QPA_PLATFORM": "bogus"}, "no", PLATFORMS)


def test_what_nobody_foresaw_is_told_in_the_words_of_qt() -> None:
    said = no_window({"QT_QPA_PLATFORM": "vnc"}, "the port is taken", (*PLATFORMS, "vnc"))
    assert "the port is taken" in said
    assert "\n" not in said
