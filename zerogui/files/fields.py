"""Typed access to the sections of an engine's config, with a record of what becomes of each key."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from zerogui.accounting.errors import shown
from zerogui.files.errors import FileError
from zerogui.files.reading import Written, child

if TYPE_CHECKING:
    from fractions import Fraction

AUTO = "auto"
_MOST_NAMES = 40
_LARGEST = 10**18


@dataclass
class Fate:
    """What became of the keys of a file: paths by kind, in the order in which they were met."""

    auto: list[str] = field(default_factory=list)
    dropped: list[str] = field(default_factory=list)
    unused: list[str] = field(default_factory=list)

    def sentences(self) -> tuple[str, ...]:
        """One sentence for each kind that occurred."""
        kinds = (
            (self.auto, 'Kept as they were, because the file says "auto": {}.'),
            (self.dropped, "Not honoured, although model states may depend on it: {}."),
            (self.unused, "Read past, because model states do not depend on it: {}."),
        )
        return tuple(sentence.format(listed(paths)) for paths, sentence in kinds if paths)


def listed(names: Iterable[str]) -> str:
    """``names`` separated by commas; a count stands for those beyond the first forty."""
    every = list(names)
    more = len(every) - _MOST_NAMES
    return ", ".join(every[:_MOST_NAMES]) + (f" and {more:,} more" if more > 0 else "")


def described(value: object) -> str:
    """``value`` as a sentence quotes it: short, on one line."""
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case Written():
            return value.text if len(value.text) <= 40 else "a very long number"
        case int():
            return f"{value:,}" if abs(value) < 10**40 else "a very long number"
        case float():
            return repr(value)
        case str():
            return shown(value)
        case dict():
            return "an object"
        case list():
            return "a list"
        case _:
            return f"a {type(value).__name__}"


def number(value: object) -> "Fraction | None":
    """The exact value of a number, written in any way that JSON or YAML has; else None."""
    from fractions import Fraction

    if isinstance(value, bool):
        return None
    try:
        if isinstance(value, int | float):
            return Fraction(value)
        # The exponent is bounded before it is raised: 1e999999999 must not set the work.
        if isinstance(value, Written) and len(value.text) <= 40:
            _, _, exponent = value.text.lower().partition("e")
            return Fraction(value.text) if abs(int(exponent or 0)) <= 40 else None
    except (ValueError, OverflowError):
        pass
    return None


class Section:
    """One object of a config at ``path``; every key is taken once, and the rest is accounted for.

    Takers return the ``default`` for a missing key and None for "auto", which keeps what the
    scenario has; a value of another type or out of range raises FileError.
    """

    def __init__(self, value: object, path: str, source: str, fate: Fate) -> None:
        self._path, self._source, self._fate = path, source, fate
        if not isinstance(value, dict):
            raise self.wrong(None, value, "use an object {...}")
        self._left: dict[str, object] = dict(value)

    def wrong(self, key: str | None, value: object, remedy: str) -> FileError:
        """The error for ``value`` at ``key`` (None: the section itself)."""
        path = (self._path if key is None else self.path(key)) or "the file"
        return FileError(self._source, f"{path} is {described(value)}; {remedy}.")

    def path(self, key: str) -> str:
        """Where ``key`` stands in the file."""
        return child(self._path, key)

    def __contains__(self, key: str) -> bool:
        return key in self._left

    def peek(self, key: str) -> object:
        """The value at ``key`` as it is, left in place; None where there is none."""
        return self._left.get(key)

    def skip(self, key: str) -> None:
        """Take ``key``, which says what the scenario has anyway."""
        self._left.pop(key, None)

    def drop(self, key: str) -> None:
        """Take ``key`` and record that it is not honoured."""
        if key in self._left:
            del self._left[key]
            self._fate.dropped.append(self.path(key))

    def section(self, key: str, *, nullable: bool = False) -> "Section":
        """The object at ``key``; an empty one where there is none (or null, if ``nullable``)."""
        value = self._left.pop(key, {})
        if value is None and nullable:
            value = {}
        return Section(value, self.path(key), self._source, self._fate)

    def remade(self, key: str, make: Callable[[object, str], object]) -> "Section":
        """As ``section``, of what ``make`` (value, source) makes of the object at ``key``."""
        value = make(self._left.pop(key, {}), self._source)
        return Section(value, self.path(key), self._source, self._fate)

    def boolean(self, key: str, default: bool) -> bool | None:
        """True or false. FileError for anything else."""
        value = self._take(key, default)
        if value is None or isinstance(value, bool):
            return value
        raise self.wrong(key, value, "use true or false")

    def integer(self, key: str, default: int, low: int, high: int = _LARGEST) -> int | None:
        """A whole number from ``low`` to ``high``, also written as 1e5 or 4.0. FileError."""
        value = self._take(key, default)
        if value is None:
            return None
        exact = number(value)
        if exact is None or exact.denominator != 1 or not low <= exact <= high:
            raise self.wrong(key, value, f"use a whole number from {low:,} to {high:,}")
        return int(exact)

    def choice(
        self, key: str, default: str, names: Mapping[str, str], remedy: str = ""
    ) -> str | None:
        """What ``names`` makes of the text at ``key``, whose case does not count. FileError."""
        value = self._take(key, default)
        if value is None:
            return None
        found = names.get(value.lower()) if isinstance(value, str) else None
        if found is None:
            raise self.wrong(key, value, remedy or f"use one of {', '.join(names)}")
        return found

    def word(self, key: str, default: str, names: Mapping[str, str], remedy: str) -> str | None:
        """As ``choice``; numbers and switches count as their text (YAML reads ``no`` as false)."""
        value = self._left.get(key)
        if isinstance(value, bool | int):
            self._left[key] = str(value).lower()
        return self.choice(key, default, names, remedy)

    def text(self, key: str, default: str) -> str | None:
        """Any text. FileError for anything else."""
        value = self._take(key, default)
        if value is None or isinstance(value, str):
            return value
        raise self.wrong(key, value, "use text")

    def finish(self, unused: frozenset[str], harmless: Mapping[str, tuple[object, ...]]) -> None:
        """Account for every key not taken: ``unused`` ones, ``harmless`` values, and the rest."""
        for key, value in self._left.items():
            plain = key in unused or any(_same(value, item) for item in harmless.get(key, ()))
            (self._fate.unused if plain else self._fate.dropped).append(self.path(key))
        self._left = {}

    def _take(self, key: str, default: object) -> object:
        """The value at ``key``; None for "auto", which is recorded."""
        value = self._left.pop(key, default)
        if isinstance(value, str) and value.lower() == AUTO:
            self._fate.auto.append(self.path(key))
            return None
        if value is None:
            raise self.wrong(key, value, "give it a value or leave it out")
        return value


OFF = {"enabled": False}


def _same(value: object, item: object) -> bool:
    """Whether ``value`` is ``item``; OFF stands for every object that is not enabled."""
    if item is OFF:
        return isinstance(value, dict) and value.get("enabled", False) is False
    exact = number(value)
    if exact is not None:
        return exact == number(item)
    return type(value) is type(item) and value == item
