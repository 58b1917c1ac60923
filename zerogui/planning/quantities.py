"""Numbers and sizes as people type and read them, exact on integers in both directions.

The dot is the only decimal mark, whatever the locale. Digits may be grouped in threes by one kind
of separator: comma, space (thin and no-break ones too), underscore or apostrophe.
"""

import re
from typing import NamedTuple

from zerogui.accounting.errors import InputError, shown

UNITS = {"GB": 10**9, "GiB": 2**30}
LARGEST = 10**18

THIN_SPACE = "\u2009"
NO_BREAK_SPACE = "\u00a0"
MINUS = "\u2212"

_COUNT_SUFFIXES = {"": 0, "k": 3, "m": 6, "b": 9, "g": 9, "t": 12}
_SIZE_SUFFIXES = {
    "b": 1,
    "kb": 10**3,
    "mb": 10**6,
    "gb": 10**9,
    "tb": 10**12,
    "kib": 2**10,
    "mib": 2**20,
    "gib": 2**30,
    "tib": 2**40,
}
_LONGEST = 100

# Every blank that a number may be grouped by, and invisible marks that come along when pasting.
_SPACES = dict.fromkeys([0x00A0, 0x202F, 0x205F, *range(0x2002, 0x200B)], " ")
_INVISIBLE = "\ufeff\u200b\u200e\u200f\u2060"

_NUMBER = re.compile(
    r"""(?P<whole> \d{1,3} (?P<mark>[,_ '’]) \d{3} (?: (?P=mark)\d{3} )* | \d+ )?
        (?: \. (?P<fraction>\d+) )?
        (?: [eE] (?P<exponent>[+-]?\d{1,3}) )?
        [ ]? (?P<suffix>[A-Za-z]*)""",
    re.ASCII | re.VERBOSE,
)


class _Number(NamedTuple):
    """digits · 10^power, followed by a suffix in lower case."""

    digits: int
    power: int
    suffix: str
    has_exponent: bool
    reads_as_grouped: bool


def _read(text: str) -> _Number | None:
    """The number that ``text`` spells, None where it spells none."""
    match = _NUMBER.fullmatch(_trimmed(text))
    if match is None or not (match["whole"] or match["fraction"]):
        return None
    whole = re.sub(r"\D", "", match["whole"] or "")
    fraction = match["fraction"] or ""
    exponent = match["exponent"]
    return _Number(
        digits=int(whole + fraction),
        power=int(exponent or 0) - len(fraction),
        suffix=match["suffix"].lower(),
        has_exponent=exponent is not None,
        # "7.000" is seven here and seven thousand in half of Europe.
        reads_as_grouped=fraction == "000" and 0 < int(whole or 0) < 1000,
    )


def _trimmed(text: str) -> str:
    return text.translate(_SPACES).strip().strip(_INVISIBLE).strip()


def parse_count(text: str) -> int:
    """The whole number (0 to 10^18) that ``text`` means: ``7e9``, ``7.24B``, ``7,000,000,000``.

    Suffixes K, M, B or G, and T, in either case. Raises InputError (with an empty field) quoting
    the text where it is anything but exactly a whole number.
    """
    _check_text(text, "write 7500000000, 7.5e9 or 7.5B")
    number = _read(text)
    if number is None or not _is_count(number):
        raise InputError("", f"{shown(text)} is not a whole number", _count_remedy(text))
    bare = not number.suffix and not number.has_exponent
    if bare and number.reads_as_grouped:
        small = number.digits // 1000
        raise InputError(
            "", f"{shown(text)} could be {small} or {small}000", f"write {small} or {small}000"
        )
    value, rest = _scaled(number.digits, number.power + _COUNT_SUFFIXES[number.suffix])
    if rest:
        raise InputError("", f"{shown(text)} is not a whole number", _count_remedy(text))
    return _in_range(text, value, "1e18")


def _is_count(number: _Number) -> bool:
    known = number.suffix in _COUNT_SUFFIXES
    return known and not (number.suffix and number.has_exponent)


def _count_remedy(text: str) -> str:
    """What to write instead; where the dot was meant, the same number with a dot."""
    dotted = _trimmed(text).replace(",", ".")
    number = _read(dotted) if text.count(",") == 1 else None
    if number is not None and _is_count(number):
        _, rest = _scaled(number.digits, number.power + _COUNT_SUFFIXES[number.suffix])
        if not rest and (number.suffix or number.has_exponent):
            return f"write {dotted} (the decimal mark is a dot)"
    return "write 7500000000, 7.5e9 or 7.5B"


def parse_bytes(text: str, unit: str) -> int:
    """The bytes (0 to 10^18) that ``text`` means; a bare number is in ``unit``, "GB" or "GiB".

    Suffixes B, kB, MB, GB, TB and KiB, MiB, GiB, TiB, in either case. Digits finer than a byte are
    rounded to the nearest one, halves to even. Raises InputError (with an empty field).
    """
    remedy = f"write a number with or without a unit, such as 80, 80 {unit} or 81559 MiB"
    _check_text(text, remedy)
    number = _read(text)
    if number is None or number.suffix not in {"", "k", "m", "g", "t", *_SIZE_SUFFIXES}:
        comma = _trimmed(text).replace(",", ".")
        if text.count(",") == 1 and _read(comma) is not None:
            remedy = f"write {comma} (the decimal mark is a dot)"
        raise InputError("", f"{shown(text)} is not a size", remedy)
    if number.suffix and number.suffix not in _SIZE_SUFFIXES:
        letter = "k" if number.suffix == "k" else number.suffix.upper()
        units = (f"{letter}B", f"{letter.upper()}iB")
        written = _trimmed(text)[:-1].rstrip()
        raise InputError(
            "",
            f"{shown(text)} leaves {' or '.join(units)} open",
            "write " + " or ".join(f"{written} {each}" for each in units),
        )
    size = _SIZE_SUFFIXES[number.suffix] if number.suffix else UNITS[unit]
    value, rest = _scaled(number.digits * size, number.power)
    if rest and size == 1:
        raise InputError("", f"{shown(text)} is not a whole number of bytes", remedy)
    return _in_range(text, value, "1e18 B")


def _check_text(text: str, remedy: str) -> None:
    """InputError for texts whose fault has a better name than "not a number"."""
    bare = text if len(text) > _LONGEST else _trimmed(text)
    if not bare:
        raise InputError("", "The field is empty", remedy)
    if len(text) > _LONGEST:
        raise InputError("", f"{shown(text)} is too long for a number", remedy)
    if bare[0] in f"-{MINUS}" and _read(bare[1:]) is not None:
        raise InputError("", f"{shown(text)} is negative", remedy)


def _in_range(text: str, value: int, largest: str) -> int:
    if value > LARGEST:
        raise InputError("", f"{shown(text)} is too large", f"write at most {largest}")
    return value


def _scaled(digits: int, power: int) -> tuple[int, bool]:
    """digits · 10^power to the nearest integer, halves to even, and whether that lost anything."""
    if power >= 0:
        return digits * 10**power, False
    divisor = 10**-power
    return rounded(digits, divisor), digits % divisor != 0


def rounded(numerator: int, denominator: int) -> int:
    """numerator / denominator (both non-negative) to the nearest integer, halves to even."""
    whole, rest = divmod(numerator, denominator)
    twice = 2 * rest
    return whole + (twice > denominator or (twice == denominator and whole % 2 == 1))


def group_digits(n: int, sep: str = THIN_SPACE) -> str:
    """``n`` with its digits in threes: "7 500 000 000"; a negative one starts with U+2212."""
    sign = MINUS if n < 0 else ""
    return sign + f"{abs(n):,}".replace(",", sep)


def format_count(n: int) -> str:
    """``n`` in at most four significant digits: "7.5 B", "405.9 B", "1 T"; whole below 10,000."""
    if n < 0:
        return MINUS + format_count(-n)
    if n < 10_000:
        return group_digits(n)
    for power, suffix in ((3, "K"), (6, "M"), (9, "B"), (12, "T")):
        number = _significant(n, 10**power, 4)
        # 999,960 would read 1000 K and so reads 1 M.
        if suffix == "T" or rounded(n * 10, 10**power) < 10_000:
            break
    return f"{number}{NO_BREAK_SPACE}{suffix}"


def format_bytes(n: int, unit: str, digits: int = 4) -> str:
    """``n`` bytes in ``unit`` as a number alone, in at most ``digits`` significant digits.

    Below 1000 one decimal stays where ``digits`` has room for it ("16.0", as the ZeRO paper
    prints); the whole part is never rounded ("16 000", "122 880").
    """
    if n < 0:
        return MINUS + format_bytes(-n, unit, digits)
    text = _significant(n, UNITS[unit], digits)
    if "." not in text and len(text) <= min(3, digits - 1):
        text += ".0"
    return text


def _significant(n: int, unit: int, digits: int) -> str:
    """n / unit in at most ``digits`` significant digits without trailing zeros."""
    decimals = max(0, digits - len(str(n // unit)))
    if 0 < n < unit:
        # Leading zeros of the fraction are no significant digits.
        decimals = digits - 1
        while n * 10 ** (decimals - digits + 1) < unit:
            decimals += 1
    return _decimal(rounded(n * 10**decimals, unit), decimals)


def _decimal(scaled: int, decimals: int) -> str:
    """scaled / 10^decimals, whole part grouped, without trailing zeros."""
    whole, rest = divmod(scaled, 10**decimals)
    fraction = f"{rest:0{decimals}d}".rstrip("0") if rest else ""
    return f"{group_digits(whole)}.{fraction}" if fraction else group_digits(whole)


def exact_bytes(n: int, unit: str) -> tuple[str, bool]:
    """``n`` bytes in ``unit`` without trailing zeros, and whether that is exact.

    Exact with up to nine decimals (always in GB), else rounded to six, or to nine where six leave
    fewer than four significant digits.
    """
    if n < 0:
        text, exact = exact_bytes(-n, unit)
        return MINUS + text, exact
    size = UNITS[unit]
    exact = n * 10**9 % size == 0
    decimals = 9 if exact or n * 1000 < size else 6
    return _decimal(rounded(n * 10**decimals, size), decimals), exact


def count_text(n: int) -> str:
    """``n`` as an edit field shows it; ``parse_count`` reads it back."""
    return group_digits(n)


def bytes_text(n: int, unit: str) -> str:
    """``n`` bytes as an edit field in ``unit`` shows them; ``parse_bytes`` reads them back exactly.

    A bare number where nine decimals are exact, else whole MiB (as drivers report them) or bytes.
    """
    text, exact = exact_bytes(n, unit)
    if exact:
        return text
    mebibytes, rest = divmod(n, 2**20)
    return f"{group_digits(n)} B" if rest else f"{group_digits(mebibytes)} MiB"
