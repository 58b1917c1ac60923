"""What a bug report needs to know of this machine, as lines of text; works without Qt, too."""

import os
import platform
import sys
from collections.abc import Callable, Iterable, Iterator
from importlib.metadata import PackageNotFoundError, version

from zerogui import __version__
from zerogui.gui.startup.display import no_display
from zerogui.gui.startup.first_run import lacking_libraries, mending, missing_library
from zerogui.gui.startup.packages import DRAWING, WAYLAND, X11
from zerogui.gui.startup.places import crash_log, settings_file, state_folder

DISTRIBUTIONS = (
    "PySide6-Essentials",
    "shiboken6",
    "pyqtgraph",
    "numpy",
    "msgspec",
    "platformdirs",
    "PyYAML",
    "XlsxWriter",
)
# Names and numbers that decide how a window opens; nothing that tells of the user's work.
VARIABLES = (
    "XDG_SESSION_TYPE",
    "XDG_CURRENT_DESKTOP",
    "DISPLAY",
    "WAYLAND_DISPLAY",
    "QT_QPA_PLATFORM",
    "QT_PLUGIN_PATH",
    "QT_SCALE_FACTOR",
    "QT_FONT_DPI",
    "LANG",
    "LC_ALL",
)


def diagnose(write: Callable[[str], object]) -> int:
    """Write everything, screens and fonts last since Qt may refuse to start; exit status 0."""
    write(_joined(_without_qt()))
    problem = no_display(os.environ)
    if problem is None:
        try:
            from zerogui.gui.startup.plain_start import plain_start

            app = plain_start(sys.argv[:1], lambda reason: write(_refusal(reason)))
        except ImportError as error:
            problem = missing_library(error, os.environ)
        else:
            write(_joined(_with_qt()))
            del app  # it had to live until everything was asked
    if problem is not None:
        write(_refusal(problem))
    return 0


def diagnosis() -> str:
    """The same text while the program runs."""
    return _joined((*_without_qt(), *_with_qt()))


def _joined(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def _refusal(reason: str) -> str:
    return _joined([_row("window", f"none: {reason}")])


def _row(name: str, value: object) -> str:
    return f"{name + ':':<20} {value}"


def _without_qt() -> Iterator[str]:
    yield _row("zerogui", __version__)
    yield _row("Python", f"{platform.python_version()} ({platform.python_implementation()})")
    for name in DISTRIBUTIONS:
        yield _row(name, _version(name))
    yield _row("frozen", "yes" if getattr(sys, "frozen", False) else "no")
    yield _row("system", platform.platform())
    if sys.platform.startswith("linux"):
        yield _row("distribution", _distribution())
        yield from _libraries()
    for name in VARIABLES:
        if name in os.environ:
            yield _row(name, os.environ[name].encode("unicode_escape").decode())
    for name, place in (
        ("settings", settings_file),
        ("state folder", state_folder),
        ("crash log", crash_log),
    ):
        yield _row(name, _place(place))


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        # A packaged program may carry a library without its metadata.
        found = getattr(sys.modules.get(name.lower()), "__version__", None)
        return str(found) if found else "not installed"


def _distribution() -> str:
    try:
        return platform.freedesktop_os_release().get("PRETTY_NAME", "unnamed")
    except OSError:
        return "unknown (no os-release)"


def _libraries() -> Iterator[str]:
    for title, wanted in (("drawing", DRAWING), ("X11", X11), ("Wayland", WAYLAND)):
        lacking = lacking_libraries(wanted)
        if not lacking:
            yield _row(f"libraries, {title}", f"all {len(wanted)} found")
            continue
        command = mending(lacking)
        mended = f"; run: {command}" if command else ""
        yield _row(f"libraries, {title}", f"missing: {', '.join(lacking)}{mended}")


def _place(place: Callable[[], str]) -> str:
    path = place()
    return f"{path} ({'exists' if os.path.exists(path) else 'not there yet'})"


def _with_qt() -> Iterator[str]:
    from PySide6.QtCore import QLocale, qVersion
    from PySide6.QtGui import QFontDatabase, QFontInfo, QGuiApplication

    yield _row("Qt", qVersion())
    yield _row("platform plugin", QGuiApplication.platformName())
    yield _row("platforms available", ", ".join(_platforms()))
    yield _row("colour scheme", QGuiApplication.styleHints().colorScheme().name)
    yield _row("locale", QLocale.system().name())
    for screen in QGuiApplication.screens():
        size = screen.geometry()
        yield _row(
            "screen",
            f"{screen.name()}, {size.width()} × {size.height()} px at {size.x()}, {size.y()},"
            f" scale {screen.devicePixelRatio():g}, {screen.logicalDotsPerInch():g} dpi",
        )
    font = QFontInfo(QGuiApplication.font())
    yield _row("font", f"{font.family()}, {font.pointSizeF():g} pt")
    yield _row("figures", "of equal width" if _has_tabular_figures() else "of different widths")
    yield _row("font families", len(QFontDatabase.families()))


def _platforms() -> list[str]:
    from PySide6.QtCore import QLibraryInfo

    folder = os.path.join(QLibraryInfo.path(QLibraryInfo.LibraryPath.PluginsPath), "platforms")
    try:
        files = os.listdir(folder)
    except OSError:
        return ["none found"]
    # libqxcb.so, qwindows.dll, libqcocoa.dylib
    return sorted(name.partition(".")[0].removeprefix("lib").removeprefix("q") for name in files)


def _has_tabular_figures() -> bool:
    from PySide6.QtGui import QFontMetricsF, QGuiApplication

    from zerogui.gui.theme import tabular

    metrics = QFontMetricsF(tabular(QGuiApplication.font()))
    return len({metrics.horizontalAdvance(figure) for figure in "0123456789"}) == 1
