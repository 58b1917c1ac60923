"""The printed cells of papers and documentation (tests/data/published.json), and their rounding."""

import json
from decimal import Decimal
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

DATA = Path(__file__).parents[1] / "data" / "published.json"
UNITS = {
    "GB": 10**9,
    "TB": 10**12,
    "MiB": 2**20,
    "GiB": 2**30,
    "Bparams": 10**9,
    "B/param": 1,
}

Cell = dict[str, Any]


@cache
def cells() -> tuple[Cell, ...]:
    """All cells; numbers with a point stay decimal, never float."""
    return tuple(json.loads(DATA.read_text(), parse_float=Decimal))


def of(group: str) -> list[Cell]:
    return [cell for cell in cells() if cell["group"] == group]


def name(cell: Cell) -> str:
    return str(cell["id"])


def rounded(amount: Fraction | int, digits: int, mode: str) -> Fraction:
    """``amount`` (not negative) to ``digits`` decimals; below zero to tens, hundreds, ..."""
    scaled = Fraction(amount) * Fraction(10) ** digits
    whole, rest = scaled.numerator // scaled.denominator, scaled % 1
    half = Fraction(1, 2)
    up = {
        "truncate": False,
        "ceil": rest > 0,
        "half_up": rest >= half,
        "half_even": rest > half or (rest == half and whole % 2 == 1),
    }[mode]
    return (whole + up) / Fraction(10) ** digits


def modes_that_print(cell: Cell, amount: Fraction | int) -> list[str]:
    """The roundings under which ``amount`` (bytes, elements) is what the source printed."""
    value = Fraction(amount) / UNITS[cell["unit"]]
    printed = Fraction(cell["published"])
    return [
        mode
        for mode in ("half_up", "half_even", "truncate", "ceil")
        if rounded(value, cell["rounding_digits"], mode) == printed
    ]
