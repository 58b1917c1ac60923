"""What the program remembers of a user between starts: recently opened files."""

import json
import os
from dataclasses import dataclass, replace

from zerogui.files.atomic import write_atomically
from zerogui.files.errors import FileError
from zerogui.files.reading import parse_json, read_bytes

MOST_RECENT = 8
_FORMAT = "zerogui/settings"


@dataclass(frozen=True)
class Settings:
    """``recent`` paths, the newest first."""

    recent: tuple[str, ...] = ()

    def with_recent(self, path: str) -> "Settings":
        """``path`` as the newest, once."""
        whole = os.path.abspath(path)
        others = [known for known in self.recent if known != whole]
        return replace(self, recent=(whole, *others)[:MOST_RECENT])


def load_settings(path: str) -> Settings:
    """The settings at ``path``; defaults where there are none that can be read."""
    try:
        value = parse_json(read_bytes(path), path)
    except FileError:
        return Settings()
    recent = value.get("recent") if isinstance(value, dict) else None
    if not isinstance(recent, list):
        return Settings()
    return Settings(tuple(known for known in recent if isinstance(known, str))[:MOST_RECENT])


def save_settings(settings: Settings, path: str) -> None:
    """Write ``settings`` to ``path``, whole or not at all; FileError where that is not possible."""
    value = {"format": _FORMAT, "version": 1, "recent": list(settings.recent)}
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
    except OSError as error:
        why = error.strerror or "unknown error"
        raise FileError(path, f"its folder cannot be made ({why}); check it.") from None
    write_atomically(path, json.dumps(value, indent=2).encode() + b"\n")
