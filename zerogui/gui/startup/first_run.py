"""Why no window can open here, in one sentence with the command that mends it; needs no Qt."""

import os
import re
import shlex
import sys
from collections.abc import Iterable, Mapping

from zerogui.accounting.errors import shown
from zerogui.gui.startup.display import NO_DISPLAY, NUMBERS
from zerogui.gui.startup.packages import DRAWING, WAYLAND, X11, family, install_command

_SONAME = re.compile(r"\blib[\w.+-]+?\.so(?:\.\d+)*")


def missing_library(error: ImportError, environ: Mapping[str, str]) -> str:
    """What ``error``, from importing Qt and what draws with it, asks for."""
    found = _SONAME.search(str(error))
    if found is not None and sys.platform.startswith("linux"):
        # One command for all, if a window was to be opened.
        lacking = lacking_libraries({**DRAWING, **X11} if environ.get("DISPLAY") else DRAWING)
        return _lacking(lacking or {found.group(): "No such file" not in str(error)})
    why = shown(str(error), 200)
    return f"drawing needs a library that is missing ({why}); run: {_reinstall(error.name)}"


def _reinstall(module: str | None) -> str:
    """The command that brings a Python library: what zerogui asks for in its metadata."""
    from importlib.metadata import PackageNotFoundError, requires

    root = (module or "").partition(".")[0].lower()
    try:
        wanted = requires("zerogui") or []
    except PackageNotFoundError:
        wanted = []
    names = [text.partition(";")[0].strip() for text in wanted]
    asked = [name for name in names if root and name.lower().startswith(root)]
    return f"{shlex.quote(sys.executable)} -m pip install '{asked[0] if asked else 'zerogui'}'"


def lacking_libraries(wanted: Iterable[str]) -> dict[str, bool]:
    """Those of ``wanted`` (sonames) that do not load, and whether a damaged file is the reason."""
    import ctypes

    lacking = {}
    for name in wanted:
        try:
            ctypes.CDLL(name)
        except OSError as error:
            # A frozen program says it in words of its own, from what the system said.
            said = str(error.__cause__ or error)
            # It may be there itself, and lack another.
            found = _SONAME.search(said)
            lacking[found.group() if found else name] = "No such file" not in said
    return lacking


def _lacking(lacking: Mapping[str, bool]) -> str:
    names = ", ".join(lacking)
    damaged = all(lacking.values())
    state = "damaged" if damaged else "missing"
    command = mending(lacking)
    what = "a system library" if len(lacking) == 1 else "system libraries"
    if command is None:
        return f"the window needs {what}, {state} here: {names}; install the packages of them"
    return f"the window needs {what}, {state} here: {names}; run: {command}"


def mending(lacking: Mapping[str, bool]) -> str | None:
    """The command for this system that brings ``lacking``; None where none is known."""
    import platform

    try:
        told = platform.freedesktop_os_release()
    except OSError:
        return None
    damaged = bool(lacking) and all(lacking.values())
    return install_command(lacking, family(told), as_root=os.geteuid() == 0, damaged=damaged)


def no_window(environ: Mapping[str, str], said: str, available: Iterable[str]) -> str:
    """Why Qt could not open a window: ``said`` are its own words, ``available`` its platforms."""
    if not sys.platform.startswith("linux"):
        return f"Qt cannot open a window ({shown(said, 200)}); {NUMBERS}"
    chosen = environ.get("QT_QPA_PLATFORM", "")
    names = [part.partition(":")[0].lower() for part in chosen.split(";") if part]
    known = list(available)
    if names and known and not any(name in known for name in names):
        return (
            f"QT_QPA_PLATFORM is {shown(chosen)}, which is no platform of Qt here; use one of"
            f" {', '.join(sorted(known))}, or run: unset QT_QPA_PLATFORM"
        )
    tried = {"DISPLAY": ("xcb", X11), "WAYLAND_DISPLAY": ("wayland", WAYLAND)}
    used = [k for k, (name, _) in tried.items() if not names or any(n[:7] == name for n in names)]
    named = [variable for variable in used if environ.get(variable)]
    for variable in named:
        lacking = lacking_libraries(tried[variable][1])
        if lacking and (variable == "DISPLAY" or _has_wayland(environ)):
            return _lacking(lacking)
    if named:
        which = " and ".join(f"{variable}={shown(environ[variable])}" for variable in named)
        return (
            f"no display answers, or lets this user in, at {which};"
            f" start it from a desktop session, or {NUMBERS}"
        )
    return NO_DISPLAY if used else _other(chosen, said)


def _has_wayland(environ: Mapping[str, str]) -> bool:
    """Whether the Wayland display that is named has a socket."""
    folder = environ.get("XDG_RUNTIME_DIR", "")
    return os.path.exists(os.path.join(folder, environ.get("WAYLAND_DISPLAY", "")))


def _other(chosen: str, said: str) -> str:
    where = f" with QT_QPA_PLATFORM={shown(chosen)}" if chosen else ""
    return f"Qt cannot open a window{where} ({shown(said, 200)}); {NUMBERS}"
