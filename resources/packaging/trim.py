"""What the bundle leaves out: modules, files and libraries that nothing in the program uses."""

import fnmatch
import sys
from collections.abc import Iterable
from pathlib import PurePath

from PyInstaller.depend import bindepend

Entry = tuple[str, str, str]  # name in the bundle, where it comes from, what it is

# Modules that something names and nothing here runs.
EXCLUDED = [
    "_hashlib",
    "_ssl",
    "curses",
    "distutils",
    "numpy.distutils",
    "numpy.f2py",
    "numpy.testing",
    "OpenGL",
    "PIL",
    "pip",
    "pyqtgraph.canvas",
    "pyqtgraph.console",
    "pyqtgraph.dockarea",
    "pyqtgraph.examples",
    "pyqtgraph.flowchart",
    "pyqtgraph.jupyter",
    "pyqtgraph.opengl",
    "PySide6.QtDBus",
    "PySide6.QtNetwork",
    "PySide6.QtQml",
    "PySide6.QtQuick",
    "PySide6.QtTest",
    "readline",
    "scipy",
    "setuptools",
    "ssl",
    "tkinter",
]

# Files that come with the rest and are never opened, as patterns over their names in the bundle.
_FILES = [
    "*/Qt/qml/*",
    "*/Qt/translations/*",
    "*/plugins/egldeviceintegrations/*",
    "*/plugins/generic/*",
    "*/plugins/imageformats/*",
    "*/plugins/networkinformation/*",
    "*/plugins/platforminputcontexts/*virtualkeyboard*",
    "*/plugins/platforms/*eglfs*",
    "*/plugins/platforms/*linuxfb*",
    "*/plugins/platforms/*minimal*",
    "*/plugins/platforms/*vkkhrdisplay*",
    "*/plugins/platforms/*vnc*",
    # The program has its own look; with GTK would come fifty libraries of the desktop.
    "*/plugins/platformthemes/*gtk*",
    "*/plugins/tls/*",
    "*opengl32sw.dll",
    "pyqtgraph/colors/*",
    "pyqtgraph/icons/peegee/*",
    "zerogui/resources/install.sh",
    "zerogui/resources/packaging/*.py",
    "zerogui/resources/packaging/*.spec",
    "zerogui/resources/packaging/bundle.sh",
    "zerogui/resources/packaging/wheelhouse.sh",
]
_KEPT = ["*/plugins/imageformats/*svg*"]


def trimmed(entries: Iterable[Entry]) -> list[Entry]:
    """The entries that are opened, and on Linux only the libraries that those link to."""
    opened = [entry for entry in entries if _opened(entry[0].replace("\\", "/"))]
    if not sys.platform.startswith("linux"):
        return opened
    linked = set()
    for name, source, kind in opened:
        if kind in ("BINARY", "EXTENSION") and not _is_library(name):
            # All that it links to, directly or not.
            linked |= {needed for needed, _ in bindepend.get_imports(source)}
    return [entry for entry in opened if not _is_library(entry[0]) or _file(entry[0]) in linked]


def _opened(name: str) -> bool:
    if any(fnmatch.fnmatch(name, pattern) for pattern in _KEPT):
        return True
    return not any(fnmatch.fnmatch(name, pattern) for pattern in _FILES)


def _is_library(name: str) -> bool:
    """Whether it is there for others to link to; libpython is what the program itself loads."""
    file = _file(name)
    return (
        file.startswith("lib")
        and ".so" in file
        and "plugins" not in PurePath(name).parts
        and not file.startswith("libpython")
    )


def _file(name: str) -> str:
    return PurePath(name).name
