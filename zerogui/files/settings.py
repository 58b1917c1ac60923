"""What the program remembers of a user between starts: recent files, looks, layout."""

import json
import os
import re
from collections.abc import Callable
from contextlib import nullcontext, suppress
from typing import Any, NamedTuple

from zerogui.files.aside import check_header, moved_aside
from zerogui.files.atomic import write_atomically
from zerogui.files.errors import FileError
from zerogui.files.locks import wait_for_lock
from zerogui.files.reading import parse_json, read_bytes

MOST_RECENT = 8
LARGEST_SETTINGS = 10**6  # bytes
LOCK_PATIENCE = 1.0  # seconds that another instance may take to write
_FORMAT = "zerogui/settings"
_VERSION = 1
_SCRAP = re.compile(r"\.settings\.json\.[0-9a-f]{12}")
_LONGEST_PATH = 4096
_LARGEST_LENGTH = 10_000  # px


class Settings(NamedTuple):
    """``recent`` paths, the newest first; ``text_percent`` of the system's text size.

    Layout: ``geometry`` of the window as Qt's own blob in base64 ("" for the first size),
    ``panel_width``, ``table_height`` and ``compare_height`` (the table of Compare) in px (0: as
    wide or high as they come), the ``view`` in front ("" for the first).
    """

    recent: tuple[str, ...] = ()
    theme: str = "system"
    text_percent: int = 100
    unit: str = "GB"
    exact_bytes: bool = False
    view: str = ""
    geometry: str = ""
    maximised: bool = False
    panel_width: int = 0
    table_height: int = 0
    compare_height: int = 0
    hatching: bool = False

    def with_recent(self, path: str) -> "Settings":
        """``path`` as the newest, once."""
        whole = os.path.abspath(path)
        if whole != whole.encode("utf-8", "replace").decode("utf-8"):
            return self  # a name that is no text has no place in a JSON file
        others = [known for known in self.recent if known != whole]
        return self._replace(recent=(whole, *others)[:MOST_RECENT])


def _is_length(value: Any) -> bool:
    return 0 <= int(value) <= _LARGEST_LENGTH


# What a field may be, besides being of its default's type.
_ALLOWED: dict[str, Callable[[Any], bool]] = {
    "theme": ("system", "light", "dark").__contains__,
    "unit": ("GB", "GiB").__contains__,
    "text_percent": range(75, 251).__contains__,
    "view": lambda text: len(text) <= 100,
    "geometry": lambda text: len(text) <= 10_000,
    "panel_width": _is_length,
    "table_height": _is_length,
    "compare_height": _is_length,
}


def read_settings(path: str) -> tuple[Settings, str]:
    """The settings at ``path``, and a sentence for the user ("" where there is nothing to say).

    A file that cannot be used is moved aside, and the settings are the defaults.
    """
    try:
        if not os.path.lexists(path):
            return Settings(), ""
        return _settings(_read(path), path), ""
    except FileError as error:
        stem = os.path.basename(path).removesuffix(".json")
        return Settings(), moved_aside(error, os.path.dirname(path), stem)


def _read(path: str) -> dict[str, object]:
    value = parse_json(read_bytes(path, LARGEST_SETTINGS), path)
    return check_header(value, path, _FORMAT, _VERSION)


def _settings(value: dict[str, object], source: str) -> Settings:
    """Fields that a later version has added are read past, and kept by ``save_settings``."""
    found: dict[str, Any] = {}
    for name, default in Settings()._asdict().items():
        if name not in value:
            continue
        given = value[name]
        if name == "recent":
            given = _paths(given)
        allowed = _ALLOWED.get(name, lambda _: True)
        if type(given) is not type(default) or not allowed(given):
            raise FileError(source, f"{name} is not what it can be.")
        found[name] = given
    return Settings(**found)


def _paths(value: object) -> tuple[str, ...] | None:
    """The paths of a list; None where it is none."""
    if not isinstance(value, list):
        return None
    paths = tuple(path for path in value if isinstance(path, str) and 0 < len(path) < _LONGEST_PATH)
    return paths[:MOST_RECENT] if len(paths) == len(value) else None


def save_settings(settings: Settings, path: str, before: Settings | None = None) -> None:
    """Write what differs from ``before`` into the settings at ``path``, whole or not at all.

    What another running instance has written since stays: the last writer wins field by field, and
    recent files are merged. FileError where that is not possible.
    """
    folder = os.path.dirname(path)
    try:
        os.makedirs(folder, exist_ok=True)
        lock = wait_for_lock(os.path.join(folder, ".settings.lock"), LOCK_PATIENCE)
    except OSError as error:
        why = error.strerror or "unknown error"
        raise FileError(path, f"its folder cannot be used ({why}); check it.") from None
    with lock or nullcontext():
        if lock is not None:
            _remove_scraps(folder)
        stored = _stored(path)
        write_atomically(path, json.dumps(_merged(settings, stored, before), indent=2).encode())


def _remove_scraps(folder: str) -> None:
    """What a writer that was killed has left half written."""
    with suppress(OSError):
        for name in os.listdir(folder):
            if _SCRAP.fullmatch(name):
                os.unlink(os.path.join(folder, name))


def _stored(path: str) -> dict[str, object]:
    """What is at ``path`` now; {} where there is nothing, or nothing of use."""
    if not os.path.lexists(path):
        return {}
    _, trouble = read_settings(path)
    if not trouble:
        return _read(path)
    if os.path.lexists(path):
        raise FileError(path, "cannot be used nor moved aside; remove it.")
    return {}


def _merged(
    settings: Settings, stored: dict[str, object], before: Settings | None
) -> dict[str, object]:
    now = settings._asdict()
    known = before._asdict() if before is not None and stored else {}
    changed = {name: now[name] for name in now if name not in known or now[name] != known[name]}
    if "recent" in changed:
        others = _paths(stored.get("recent", [])) or ()
        own = settings.recent
        changed["recent"] = [*own, *(path for path in others if path not in own)][:MOST_RECENT]
    return {**now, **stored, **changed, "format": _FORMAT, "version": _VERSION}
