"""What a config may have in a field of each kind, and what it then means."""

import re
from collections.abc import Callable

from zerogui.files.fields import described, number
from zerogui.files.models.families.description import Field, Kind
from zerogui.files.reading import Written

LARGEST_NUMBER = 10**18

Value = int | None | tuple[int, int] | frozenset[int]

_FEED_FORWARD = re.compile(r"(gated-)?[^-]+")


class UnfitError(ValueError):
    """``str()`` goes on from the field's name: ``is "many"; use a whole number from 1.``"""


def fitting(found: object, field: Field) -> Value:
    """What ``found`` means in ``field``. Raises UnfitError."""
    return _READ[field.kind](found, field)


def _number_or_null(found: object, field: Field) -> int | None:
    if found is None and field.nullable:
        return None
    return _number(found, field.least, " or null" if field.nullable else "")


def _number(found: object, least: int, other: str = "", where: str = "") -> int:
    if type(found) is int and least <= found <= LARGEST_NUMBER:
        return found
    exact = number(found)
    long = isinstance(found, Written) and len(found.text) > 40
    size = "up to 10^18" if long or (exact and exact > LARGEST_NUMBER) else f"from {least}"
    raise UnfitError(f"{where} is {described(found)}; use a whole number {size}{other}.".lstrip())


def _flag(found: object, field: Field) -> int:
    if found is None or isinstance(found, bool):
        return int(bool(found))
    raise UnfitError(f"is {described(found)}; use true or false.")


def _gated(found: object, field: Field) -> int:
    """1 for "gated-gelu", 0 for "relu"."""
    if isinstance(found, str) and _FEED_FORWARD.fullmatch(found):
        return int(found.startswith("gated-"))
    raise UnfitError(f'is {described(found)}; use an activation such as "relu" or "gated-gelu".')


def _pair(found: object, field: Field) -> tuple[int, int]:
    if not isinstance(found, list):
        both = _number(found, field.least, " or a list of two")
        return both, both
    if len(found) != 2:
        raise UnfitError(f"has {len(found):,} items; use one whole number or a list of two.")
    first, second = found
    return _number(first, field.least, where="[0]"), _number(second, field.least, where="[1]")


def _indices(found: object, field: Field) -> frozenset[int]:
    if found is None:
        return frozenset()
    if not isinstance(found, list):
        raise UnfitError(f"is {described(found)}; use a list of layer numbers.")
    for index, each in enumerate(found):
        if type(each) is not int or each < 0:
            raise UnfitError(f"[{index}] is {described(each)}; use a whole number from 0.")
    return frozenset(found)


_READ: dict[Kind, Callable[[object, Field], Value]] = {
    "number": _number_or_null,
    "labels": _number_or_null,
    "flag": _flag,
    "gated": _gated,
    "pair": _pair,
    "indices": _indices,
}
