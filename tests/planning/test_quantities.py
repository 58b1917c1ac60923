"""What people type and paste as numbers and sizes, and what they read."""

from collections.abc import Callable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from zerogui.accounting.errors import InputError
from zerogui.planning.quantities import (
    bytes_text,
    count_text,
    exact_bytes,
    format_bytes,
    format_count,
    group_digits,
    parse_bytes,
    parse_count,
)

UP_TO_10_18 = st.integers(0, 10**18)
UNIT = st.sampled_from(["GB", "GiB"])


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("0", 0),
        ("950", 950),
        ("7000000000", 7_000_000_000),
        ("7e9", 7_000_000_000),
        ("7E+9", 7_000_000_000),
        ("7.5e9", 7_500_000_000),
        ("7000e-3", 7),
        ("7.24B", 7_240_000_000),
        ("7.5G", 7_500_000_000),
        ("7b", 7_000_000_000),
        ("7B", 7_000_000_000),
        (" 7 B\n", 7_000_000_000),
        ("7\u00a0B", 7_000_000_000),
        (".5B", 500_000_000),
        ("124.44M", 124_440_000),
        ("1.5m", 1_500_000),
        ("32k", 32_000),
        ("1T", 1_000_000_000_000),
        ("7,000,000,000", 7_000_000_000),
        ("7 000 000 000", 7_000_000_000),
        ("7\u2009000\u2009000\u2009000", 7_000_000_000),
        ("7\u00a0000\u00a0000\u00a0000", 7_000_000_000),
        ("7\u202f000\u202f000\u202f000", 7_000_000_000),
        ("7_000", 7_000),
        ("7'000'000", 7_000_000),
        ("7\u2019000\u2019000", 7_000_000),
        ("7,500", 7_500),
        ("1,234.5K", 1_234_500),
        ("7.0", 7),
        ("7.000B", 7_000_000_000),
        ("\ufeff8030261248\u200b", 8_030_261_248),
        ("007", 7),
        ("1e18", 10**18),
        ("1000000T", 10**18),
    ],
)
def test_a_typed_or_pasted_count_means_what_it_says(typed: str, meant: int) -> None:
    assert parse_count(typed) == meant


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("7,5", '"7,5" is not a whole number; write 7500000000, 7.5e9 or 7.5B.'),
        ("²", '"²" is not a whole number; write 7500000000, 7.5e9 or 7.5B.'),
        ("x", '"x" is not a whole number; write 7500000000, 7.5e9 or 7.5B.'),
        ("٣", '"٣" is not a whole number; write 7500000000, 7.5e9 or 7.5B.'),
        ("７", '"７" is not a whole number; write 7500000000, 7.5e9 or 7.5B.'),
        ("", "The field is empty; write 7500000000, 7.5e9 or 7.5B."),
        (" \t", "The field is empty; write 7500000000, 7.5e9 or 7.5B."),
        ("7,5B", '"7,5B" is not a whole number; write 7.5B (the decimal mark is a dot).'),
        ("7,5e9", '"7,5e9" is not a whole number; write 7.5e9 (the decimal mark is a dot).'),
        (
            "7.0000000001B",
            '"7.0000000001B" is not a whole number; write 7500000000, 7.5e9 or 7.5B.',
        ),
        ("7.5", '"7.5" is not a whole number; write 7500000000, 7.5e9 or 7.5B.'),
        ("1e-3", '"1e-3" is not a whole number; write 7500000000, 7.5e9 or 7.5B.'),
        ("7.000", '"7.000" could be 7 or 7000; write 7 or 7000.'),
        ("-5", '"-5" is negative; write 7500000000, 7.5e9 or 7.5B.'),
        ("\u22127B", '"\u22127B" is negative; write 7500000000, 7.5e9 or 7.5B.'),
        ("2e18", '"2e18" is too large; write at most 1e18.'),
        ("1e999", '"1e999" is too large; write at most 1e18.'),
        (
            "9" * 5000,
            f'"{"9" * 59}…" is too long for a number; write 7500000000, 7.5e9 or 7.5B.',
        ),
        (
            "a\tb\u202ec",
            '"a\\tb\\u202ec" is not a whole number; write 7500000000, 7.5e9 or 7.5B.',
        ),
    ],
)
def test_what_is_no_count_is_quoted_with_what_to_write_instead(typed: str, sentence: str) -> None:
    with pytest.raises(InputError) as refusal:
        parse_count(typed)
    assert str(refusal.value) == sentence


@pytest.mark.parametrize(
    "typed",
    [
        *("7,00", "7,0000", "1,00,000", "7 5", "7  000", "7\t000", "1 000,000", "7.5.1", "7."),
        *(
            "7Q",
            "7BB",
            "7e",
            "7e3B",
            "7e3M",
            "7.000.000",
            "1e1000",
            "0x10",
            "1/2",
            "inf",
            "nan",
            "+-7",
        ),
        *(".", "B", "7-", "7 B 8"),
    ],
)
def test_an_almost_right_count_is_never_guessed_at(typed: str) -> None:
    with pytest.raises(InputError):
        parse_count(typed)


@given(st.text())
@example("9" * 101)
@example("\ud800")
@example("1e999999999")
def test_any_text_is_a_count_or_refused_with_a_sentence_on_one_line(text: str) -> None:
    _parse_or_refuse(parse_count, text)


@given(st.text(alphabet="0123456789.,_ '+-eEkKmMgGtTbBiI\u2009\u00a0\u2212"), UNIT)
def test_any_text_of_digits_and_units_is_a_size_or_refused(text: str, unit: str) -> None:
    _parse_or_refuse(parse_count, text)
    _parse_or_refuse(lambda typed: parse_bytes(typed, unit), text)


def _parse_or_refuse(parse: Callable[[str], int], text: str) -> None:
    value, sentence = 0, ""
    try:
        value = parse(text)
    except InputError as refusal:
        sentence = str(refusal)
    assert 0 <= value <= 10**18
    assert sentence.isprintable()


@given(UP_TO_10_18)
def test_the_text_of_a_count_field_reads_back_as_the_same_count(n: int) -> None:
    assert parse_count(count_text(n)) == n


@given(UP_TO_10_18 | st.integers(0, 2**20).map(lambda mebibytes: mebibytes * 2**20), UNIT)
def test_the_text_of_a_size_field_reads_back_as_the_same_bytes(n: int, unit: str) -> None:
    assert parse_bytes(bytes_text(n, unit), unit) == n


@given(st.integers(0, 9999), st.sampled_from(["K", "M", "B", "T"]))
def test_a_count_of_four_digits_survives_being_shown_and_pasted(n: int, suffix: str) -> None:
    exact = parse_count(f"{n}{suffix}")
    assert parse_count(format_count(exact)) == exact


@pytest.mark.parametrize(
    ("typed", "unit", "meant"),
    [
        ("80", "GB", 80_000_000_000),
        ("80", "GiB", 85_899_345_920),
        ("80 GB", "GiB", 80_000_000_000),
        ("80gb", "GiB", 80_000_000_000),
        ("80 GiB", "GB", 85_899_345_920),
        ("81559 MiB", "GB", 85_520_809_984),
        ("81\u2009559\u00a0MiB", "GB", 85_520_809_984),
        ("85 520 809 984 B", "GiB", 85_520_809_984),
        ("85,520,809,984 b", "GB", 85_520_809_984),
        ("1.5 kB", "GB", 1_500),
        ("1.5 KB", "GB", 1_500),
        ("1.5 KiB", "GB", 1_536),
        ("0.5 TB", "GB", 500_000_000_000),
        ("0.5 TiB", "GB", 549_755_813_888),
        ("1 MB", "GiB", 1_000_000),
        ("8e10 B", "GB", 80_000_000_000),
        # 79.6475 · 2^30 = 85,520,851,927.04: finer than a byte, so to the nearest one.
        ("79.6475 GiB", "GB", 85_520_851_927),
        # Halves to even: 0.5, 1.5 and 2.5 bytes.
        ("0.0000000005", "GB", 0),
        ("0.0000000015", "GB", 2),
        ("0.0000000025", "GB", 2),
        ("0", "GB", 0),
    ],
)
def test_a_size_takes_a_unit_or_the_one_that_is_shown(typed: str, unit: str, meant: int) -> None:
    assert parse_bytes(typed, unit) == meant


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("7,5 GB", '"7,5 GB" is not a size; write 7.5 GB (the decimal mark is a dot).'),
        ("80G", '"80G" leaves GB or GiB open; write 80 GB or 80 GiB.'),
        ("64 k", '"64 k" leaves kB or KiB open; write 64 kB or 64 KiB.'),
        (
            "x",
            '"x" is not a size; write a number with or without a unit, such as 80, 80 GB'
            " or 81559 MiB.",
        ),
        (
            "80 Gbit",
            '"80 Gbit" is not a size; write a number with or without a unit, such as 80, 80 GB'
            " or 81559 MiB.",
        ),
        (
            "0.5 B",
            '"0.5 B" is not a whole number of bytes; write a number with or without a unit,'
            " such as 80, 80 GB or 81559 MiB.",
        ),
        ("1e10", '"1e10" is too large; write at most 1e18 B.'),
        (
            "-1 GB",
            '"-1 GB" is negative; write a number with or without a unit, such as 80, 80 GB'
            " or 81559 MiB.",
        ),
        (
            "",
            "The field is empty; write a number with or without a unit, such as 80, 80 GB"
            " or 81559 MiB.",
        ),
    ],
)
def test_what_is_no_size_is_quoted_with_what_to_write_instead(typed: str, sentence: str) -> None:
    with pytest.raises(InputError) as refusal:
        parse_bytes(typed, "GB")
    assert str(refusal.value) == sentence


@pytest.mark.parametrize(
    ("n", "shown"),
    [
        (0, "0"),
        (950, "950"),
        (1024, "1\u2009024"),
        (9999, "9\u2009999"),
        (10_000, "10\u00a0K"),
        (12_345, "12.34\u00a0K"),
        (12_355, "12.36\u00a0K"),
        (999_949, "999.9\u00a0K"),
        (999_950, "1\u00a0M"),
        (1_000_003, "1\u00a0M"),
        (124_439_808, "124.4\u00a0M"),
        (1_000_000_000, "1\u00a0B"),
        (7_500_000_000, "7.5\u00a0B"),
        (8_030_261_248, "8.03\u00a0B"),
        (405_853_388_800, "405.9\u00a0B"),
        (1_000_000_000_000, "1\u00a0T"),
        (10**18, "1\u2009000\u2009000\u00a0T"),
        (-7_500_000_000, "\u22127.5\u00a0B"),
    ],
)
def test_a_count_is_shown_in_at_most_four_digits(n: int, shown: str) -> None:
    assert format_count(n) == shown


@pytest.mark.parametrize(
    ("n", "unit", "digits", "shown"),
    [
        # ZeRO paper, Figure 1: 7.5 B parameters on 64 workers.
        (120_000_000_000, "GB", 4, "120.0"),
        (31_406_250_000, "GB", 4, "31.41"),
        (31_406_250_000, "GB", 3, "31.4"),
        (16_640_625_000, "GB", 3, "16.6"),
        (1_875_000_000, "GB", 4, "1.875"),
        (1_875_000_000, "GB", 2, "1.9"),
        (120_000_000_000, "GB", 3, "120"),
        (16_000_000_000, "GB", 4, "16.0"),
        (4_000_000_000, "GB", 4, "4.0"),
        (16_000_000_000_000, "GB", 4, "16\u2009000"),
        (122_880_000_000_000, "GB", 4, "122\u2009880"),
        (999_949_999_999, "GB", 4, "999.9"),
        (999_950_000_000, "GB", 4, "1\u2009000"),
        (9_999_600_000, "GB", 4, "10.0"),
        (31_405_000_000, "GB", 4, "31.4"),
        (31_415_000_000, "GB", 4, "31.42"),
        (4_003, "GB", 4, "0.000004003"),
        (1, "GB", 4, "0.000000001"),
        (0, "GB", 4, "0.0"),
        (85_520_809_984, "GiB", 4, "79.65"),
        (2**30, "GiB", 4, "1.0"),
        (-5_000_000_000, "GB", 4, "\u22125.0"),
    ],
)
def test_bytes_are_shown_as_a_paper_prints_them(n: int, unit: str, digits: int, shown: str) -> None:
    assert format_bytes(n, unit, digits) == shown


@given(st.integers(1, 10**15), UNIT, st.integers(2, 9))
def test_shown_bytes_are_within_half_of_their_last_digit(n: int, unit: str, digits: int) -> None:
    size = {"GB": 10**9, "GiB": 2**30}[unit]
    text = format_bytes(n, unit, digits).replace("\u2009", "")
    decimals = len(text.partition(".")[2])
    shown = int(text.replace(".", ""))
    # |shown / 10^decimals - n / size| ≤ half of 10^-decimals, unless zeros were dropped.
    kept = max(decimals, digits - len(str(n // size)), 0)
    assert abs(shown * size - n * 10**decimals) * 2 * 10 ** (kept - decimals) <= size


@pytest.mark.parametrize(
    ("n", "unit", "text", "is_exact"),
    [
        (16_640_625_000, "GB", "16.640625", True),
        (120_000_000_000, "GB", "120", True),
        (16_000_000_000_000, "GB", "16\u2009000", True),
        (1, "GB", "0.000000001", True),
        (0, "GiB", "0", True),
        (2**29, "GiB", "0.5", True),
        (2**21, "GiB", "0.001953125", True),
        # 85,520,809,984 / 2^30 = 79.6474609375
        (85_520_809_984, "GiB", "79.647461", False),
        (2**20, "GiB", "0.000976562", False),
        (1, "GiB", "0.000000001", False),
        (-1_500_000_000, "GB", "\u22121.5", True),
    ],
)
def test_bytes_are_spelled_out_and_said_to_be_exact_or_not(
    n: int, unit: str, text: str, is_exact: bool
) -> None:
    assert exact_bytes(n, unit) == (text, is_exact)


@pytest.mark.parametrize(
    ("n", "unit", "text"),
    [
        (80_000_000_000, "GB", "80"),
        (85_520_809_984, "GB", "85.520809984"),
        # What the driver of an H100 80GB reports.
        (85_520_809_984, "GiB", "81\u2009559 MiB"),
        (42_949_672_960, "GiB", "40"),
        (85_520_809_985, "GiB", "85\u2009520\u2009809\u2009985 B"),
    ],
)
def test_a_size_field_shows_the_shortest_exact_text(n: int, unit: str, text: str) -> None:
    assert bytes_text(n, unit) == text


def test_digits_are_grouped_in_threes() -> None:
    assert group_digits(7_500_000_000) == "7\u2009500\u2009000\u2009000"
    assert group_digits(-1234, ",") == "\u22121,234"
    assert group_digits(12) == "12"
