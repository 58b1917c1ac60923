"""The system libraries that Qt loads on Linux, and the command that installs missing ones."""

import shlex
from collections.abc import Iterable, Mapping
from typing import NamedTuple


class Packages(NamedTuple):
    """What a library is part of, on each family of distributions."""

    debian: str
    fedora: str
    arch: str


# Those that QtGui needs come first, then those of the platform plugins "xcb" and
# "wayland" (Qt 6.10).
DRAWING: dict[str, Packages] = {
    "libEGL.so.1": Packages("libegl1", "libglvnd-egl", "libglvnd"),
    "libGL.so.1": Packages("libgl1", "libglvnd-glx", "libglvnd"),
    "libxkbcommon.so.0": Packages("libxkbcommon0", "libxkbcommon", "libxkbcommon"),
    "libdbus-1.so.3": Packages("libdbus-1-3", "dbus-libs", "dbus"),
    "libfontconfig.so.1": Packages("libfontconfig1", "fontconfig", "fontconfig"),
    "libglib-2.0.so.0": Packages("libglib2.0-0", "glib2", "glib2"),
    "libgthread-2.0.so.0": Packages("libglib2.0-0", "glib2", "glib2"),
}
X11: dict[str, Packages] = {
    "libX11.so.6": Packages("libx11-6", "libX11", "libx11"),
    "libX11-xcb.so.1": Packages("libx11-xcb1", "libX11-xcb", "libx11"),
    "libxcb.so.1": Packages("libxcb1", "libxcb", "libxcb"),
    "libxcb-cursor.so.0": Packages("libxcb-cursor0", "xcb-util-cursor", "xcb-util-cursor"),
    "libxcb-icccm.so.4": Packages("libxcb-icccm4", "xcb-util-wm", "xcb-util-wm"),
    "libxcb-image.so.0": Packages("libxcb-image0", "xcb-util-image", "xcb-util-image"),
    "libxcb-keysyms.so.1": Packages("libxcb-keysyms1", "xcb-util-keysyms", "xcb-util-keysyms"),
    "libxcb-randr.so.0": Packages("libxcb-randr0", "libxcb", "libxcb"),
    "libxcb-render.so.0": Packages("libxcb-render0", "libxcb", "libxcb"),
    "libxcb-render-util.so.0": Packages(
        "libxcb-render-util0", "xcb-util-renderutil", "xcb-util-renderutil"
    ),
    "libxcb-shape.so.0": Packages("libxcb-shape0", "libxcb", "libxcb"),
    "libxcb-shm.so.0": Packages("libxcb-shm0", "libxcb", "libxcb"),
    "libxcb-sync.so.1": Packages("libxcb-sync1", "libxcb", "libxcb"),
    "libxcb-util.so.1": Packages("libxcb-util1", "xcb-util", "xcb-util"),
    "libxcb-xfixes.so.0": Packages("libxcb-xfixes0", "libxcb", "libxcb"),
    "libxcb-xkb.so.1": Packages("libxcb-xkb1", "libxcb", "libxcb"),
    "libxkbcommon-x11.so.0": Packages("libxkbcommon-x11-0", "libxkbcommon-x11", "libxkbcommon-x11"),
}
WAYLAND: dict[str, Packages] = {
    "libwayland-client.so.0": Packages("libwayland-client0", "libwayland-client", "wayland"),
    "libwayland-cursor.so.0": Packages("libwayland-cursor0", "libwayland-cursor", "wayland"),
}
_INSTALL = {
    "debian": ("apt-get install", "apt-get install --reinstall"),
    "fedora": ("dnf install", "dnf reinstall"),
    "arch": ("pacman -S", "pacman -S"),
}
_KNOWN = {
    "debian": "debian",
    "ubuntu": "debian",
    "fedora": "fedora",
    "rhel": "fedora",
    "centos": "fedora",
    "arch": "arch",
}


def family(os_release: Mapping[str, str]) -> str | None:
    """ "debian", "fedora" or "arch", from ID and ID_LIKE of os-release; None for others."""
    names = [os_release.get("ID", ""), *os_release.get("ID_LIKE", "").split()]
    return next((_KNOWN[name] for name in names if name in _KNOWN), None)


def install_command(
    libraries: Iterable[str], of: str | None, *, as_root: bool, damaged: bool = False
) -> str | None:
    """The command that brings ``libraries`` (sonames) to a system of family ``of``.

    With ``damaged`` the files are there, but broken. None where no command is known.
    """
    known = {**DRAWING, **X11, **WAYLAND}
    libraries = list(libraries)
    if of is None or not libraries or not all(name in known for name in libraries):
        return None
    packages = dict.fromkeys(getattr(known[name], of) for name in libraries)
    verb = _INSTALL[of][damaged]
    sudo = "" if as_root else "sudo "
    return f"{sudo}{verb} {shlex.join(packages)}"
