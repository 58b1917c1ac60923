"""What the program remembers of a user between starts: recent files, and how the window looks."""

import json
import os
from dataclasses import asdict, dataclass, replace

from zerogui.files.atomic import write_atomically
from zerogui.files.errors import FileError
from zerogui.files.reading import parse_json, read_bytes

MOST_RECENT = 8
_FORMAT = "zerogui/settings"
_THEMES = ("system", "light", "dark")
_UNITS = ("GB", "GiB")


@dataclass(frozen=True)
class Settings:
    """``recent`` paths, the newest first; ``text_percent`` of the system's text size."""

    recent: tuple[str, ...] = ()
    theme: str = "system"
    text_percent: int = 100
    unit: str = "GB"
    hatching: bool = False

    def with_recent(self, path: str) -> "Settings":
        """``path`` as the newest, once."""
        whole = os.path.abspath(path)
        others = [known for known in self.recent if known != whole]
        return replace(self, recent=(whole, *others)[:MOST_RECENT])


def load_settings(path: str) -> Settings:
    """The settings at ``path``; a default for whatever cannot be read."""
    try:
        value = parse_json(read_bytes(path), path)
    except FileError:
        return Settings()
    if not isinstance(value, dict):
        return Settings()
    found: dict[str, object] = {}
    recent = value.get("recent")
    if isinstance(recent, list):
        found["recent"] = tuple(known for known in recent if isinstance(known, str))[:MOST_RECENT]
    for name, allowed in (("theme", _THEMES), ("unit", _UNITS)):
        if value.get(name) in allowed:
            found[name] = value[name]
    percent = value.get("text_percent")
    if type(percent) is int and 75 <= percent <= 250:
        found["text_percent"] = percent
    if value.get("hatching") is True:
        found["hatching"] = True
    return Settings(**found)  # type: ignore[arg-type]


def save_settings(settings: Settings, path: str) -> None:
    """Write ``settings`` to ``path``, whole or not at all; FileError where that is not possible."""
    value = {"format": _FORMAT, "version": 1, **asdict(settings)}
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
    except OSError as error:
        why = error.strerror or "unknown error"
        raise FileError(path, f"its folder cannot be made ({why}); check it.") from None
    write_atomically(path, json.dumps(value, indent=2).encode() + b"\n")
