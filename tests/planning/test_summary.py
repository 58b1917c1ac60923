"""The summary table: a row a stage, in GB, GiB and bytes, as text and as integers."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.accounting.scenes import plan
from tests.planning.plans import CARDS, FIGURE_1, H100, SEED, on, plain, planned
from zerogui.accounting.scenario import Scenario
from zerogui.files.tables import Table
from zerogui.planning.resolve import resolve
from zerogui.planning.summary import (
    cell_text,
    headings,
    integer_table,
    size_text,
    summary_rows,
    text_table,
)

NAMES = ("Parameters", "Gradients", "Optimizer", "Total per rank", "Free on device")
SHOWN = on(FIGURE_1, H100)
GB = 10**9


def rows(table: Table) -> list[list[str]]:
    return [[plain(str(cell)) for cell in row] for row in table.rows]


# --- Text ----------------------------------------------------------------------------------------
GROUPED = "15 000 000 000"


def test_figure_1_in_gb() -> None:
    assert rows(text_table(resolve(SHOWN), "GB")) == [
        ["DDP", "15.000", "15.000", "90.000", "120.000", "−34.479", "7 680.000", GROUPED],
        ["ZeRO-1", "15.000", "15.000", "1.406", "31.406", "54.115", "2 010.000", GROUPED],
        ["ZeRO-2", "15.000", "0.234", "1.406", "16.641", "68.880", "1 065.000", GROUPED],
        ["ZeRO-3", "0.234", "0.234", "1.406", "1.875", "83.646", "120.000", "22 500 000 000"],
    ]


def test_figure_1_in_gib() -> None:
    # 15e9 / 2^30 = 13.9698, 1.40625e9 / 2^30 = 1.3097, 0.234375e9 / 2^30 = 0.2183, ...
    assert rows(text_table(resolve(SHOWN), "GiB")) == [
        ["DDP", "13.970", "13.970", "83.819", "111.759", "−32.111", "7 152.557", GROUPED],
        ["ZeRO-1", "13.970", "13.970", "1.310", "29.249", "50.398", "1 871.958", GROUPED],
        ["ZeRO-2", "13.970", "0.218", "1.310", "15.498", "64.150", "991.859", GROUPED],
        ["ZeRO-3", "0.218", "0.218", "1.310", "1.746", "77.901", "111.759", "22 500 000 000"],
    ]


def test_figure_1_in_bytes() -> None:
    assert rows(text_table(resolve(SHOWN), None))[2] == [
        "ZeRO-2",
        "15 000 000 000",
        "234 375 000",
        "1 406 250 000",
        "16 640 625 000",
        "68 880 184 984",
        "1 065 000 000 000",
        "15 000 000 000",
    ]


def test_digits_are_grouped_by_thin_spaces_and_the_minus_is_a_real_one() -> None:
    first = text_table(resolve(SHOWN), "GB").rows[0]
    assert first[5:] == ("\u221234.479", "7\u2009680.000", "15\u2009000\u2009000\u2009000")


@pytest.mark.parametrize(("unit", "written"), [("GB", "GB"), ("GiB", "GiB"), (None, "bytes")])
def test_the_unit_stands_in_the_heading_and_in_no_cell(unit: str | None, written: str) -> None:
    table = text_table(resolve(SHOWN), unit)
    assert table.columns == headings(unit)
    assert table.columns == (
        "Stage",
        *(f"{name} ({written})" for name in NAMES),
        f"Whole cluster ({written})",
        "Communication (elements/step)",
    )
    for row in table.rows:
        assert not any(character.isalpha() for cell in row[1:] for character in str(cell))


def test_a_tiny_model_gets_the_decimals_that_it_needs() -> None:
    # 1,000 parameters on 4 workers: 500 bytes of weights at ZeRO-3.
    table = rows(text_table(resolve(plan(1_000)), "GB"))
    assert table[0][1:5] == ["0.000002000", "0.000002000", "0.000012000", "0.000016000"]
    assert table[3][1:5] == ["0.000000500", "0.000000500", "0.000003000", "0.000004000"]
    # 10^7 parameters: 0.005 GB of weights at ZeRO-3 ask for five decimals.
    table = rows(text_table(resolve(plan(10_000_000)), "GB"))
    assert table[3][1:5] == ["0.00500", "0.00500", "0.03000", "0.04000"]


def test_without_a_device_nothing_is_free() -> None:
    assert [row[5] for row in rows(text_table(resolve(SEED), "GB"))] == ["–"] * 4
    assert [row[5] for row in integer_table(resolve(SEED)).rows] == [""] * 4


def test_a_stage_that_the_rule_lacks_reads_not_offered_and_has_no_numbers() -> None:
    report = resolve(on(plan(8, "fsdp2"), H100))
    shown = rows(text_table(report, "GB"))
    assert shown[1] == ["ZeRO-1", "not offered", *["–"] * 6]
    assert shown[2] == ["ZeRO-2", "not offered", *["–"] * 6]
    assert shown[3][0] == "ZeRO-3 (FSDP2) ≈"
    assert integer_table(report).rows[1] == ("ZeRO-1", "not offered", *[""] * 6)
    row = summary_rows(report)[1]
    assert set(row.values.values()) == {None}
    assert row.fits is None
    assert row.reason is not None
    assert "FSDP2" in row.reason


# --- Integers ------------------------------------------------------------------------------------
def test_spreadsheets_get_plain_integers_in_bytes() -> None:
    table = integer_table(resolve(SHOWN))
    assert table.columns == headings(None)
    billions = 15 * GB
    assert [row[0] for row in table.rows] == ["DDP", "ZeRO-1", "ZeRO-2", "ZeRO-3"]
    assert [row[1:5] for row in table.rows] == [
        (billions, billions, 90 * GB, 120 * GB),
        (billions, billions, 1_406_250_000, 31_406_250_000),
        (billions, 234_375_000, 1_406_250_000, 16_640_625_000),
        (234_375_000, 234_375_000, 1_406_250_000, 1_875_000_000),
    ]
    assert [row[5:] for row in table.rows] == [
        (-34_479_190_016, 7_680 * GB, billions),
        (54_114_559_984, 2_010 * GB, billions),
        (68_880_184_984, 1_065 * GB, billions),
        (83_645_809_984, 120 * GB, 22_500_000_000),
    ]


def test_rows_know_whether_they_fit_and_whether_they_are_exact() -> None:
    assert [row.fits for row in summary_rows(resolve(SHOWN))] == [False, True, True, True]
    assert [row.fits for row in summary_rows(resolve(SEED))] == [None] * 4
    counted = summary_rows(resolve(plan(1_000, "deepspeed")))
    assert [row.exact for row in counted] == [True, True, True, False]
    assert [row.stage for row in counted] == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("value", "unit", "decimals", "text"),
    [
        (16_640_625_000, "GB", 3, "16.641"),
        (1_406_250_000, "GB", 3, "1.406"),
        # Exactly between two: to even.
        (500_000, "GB", 3, "0.000"),
        (1_500_000, "GB", 3, "0.002"),
        (-34_479_190_016, "GB", 3, "−34.479"),
        (1_234_567_000_000, "GB", 3, "1 234.567"),
        (999_999_999, "GB", 3, "1.000"),
        (2**30, "GiB", 3, "1.000"),
        (1, "GB", 9, "0.000000001"),
        (0, "GB", 3, "0.000"),
    ],
)
def test_a_size_is_rounded_to_the_decimals_of_its_table(
    value: int, unit: str, decimals: int, text: str
) -> None:
    assert plain(size_text(value, unit, decimals)) == text


@given(planned(CARDS), st.sampled_from(["GB", "GiB"]))
def test_nothing_that_takes_memory_reads_as_nothing(scenario: Scenario, unit: str) -> None:
    report = resolve(scenario, unit)
    table = text_table(report, unit)
    decimals = set()
    for row, cells in zip(summary_rows(report), table.rows, strict=True):
        assert cells[0] == (row.label if row.exact else f"{row.label} ≈")
        shown: dict[str, Any] = dict(zip(row.values, cells[1:], strict=True))
        for key, value in row.values.items():
            if value is None or key == "communication":
                continue
            text = plain(shown[key])
            assert any(c in "123456789" for c in text) == (value != 0)
            assert text.startswith("−") == (value < 0)
            decimals.add(len(text.partition(".")[2]))
    assert len(decimals) <= 1


@given(planned(CARDS))
def test_bytes_on_demand_are_exact_in_every_cell(scenario: Scenario) -> None:
    report = resolve(scenario)
    for row in summary_rows(report):
        for key, value in row.values.items():
            if value is not None:
                text = plain(cell_text(row, key, None, 0)).replace(" ", "")
                assert int(text.replace("−", "-")) == value
