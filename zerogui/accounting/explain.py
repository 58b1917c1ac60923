"""One line of arithmetic for each line of a budget, with the numbers put in."""

import re

from zerogui.accounting.errors import printable
from zerogui.accounting.holdings import Holding


def grouped(number: int, separator: str) -> str:
    """``number`` with its digits in threes."""
    return f"{number:,}".replace(",", separator)


def elements_text(line: Holding, separator: str = ",") -> str:
    """How a rank's element count comes about: "7,500,000,000 ÷ 64"."""
    n = grouped(line.layout.real, separator)
    text = line.layout.why.format(n=n, g=grouped(line.layout.ranks, separator))
    return re.sub(r"(?<=\d),(?=\d{3})", separator, text)


def formula(line: Holding, rank: int, separator: str = ",") -> str:
    """What ``rank`` (within its shard group) stores of ``line``, as one equation in bytes.

    "master weights: 4 B × 117,187,500 elements (7,500,000,000 ÷ 64) = 468,750,000 B".
    """
    elements = grouped(line.layout.elements.at(rank), separator)
    stored = grouped(line.stored.at(rank), separator)
    origin = elements_text(line, separator)
    why = "" if origin.startswith(f"{elements}, whole") else f" ({origin})"
    width, name = line.dtype.width, printable(line.name)
    if width is not None:
        return f"{name}: {width} B × {elements} elements{why} = {stored} B"
    price = f"{line.dtype.name}: {line.dtype.arithmetic} for each buffer of n"
    return f"{name}: {elements} elements{why} in {price} = {stored} B"
