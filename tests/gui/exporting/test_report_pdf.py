"""The PDF report: one page, whatever the plan, with everything that the minutes need."""

import datetime

import pytest
from PySide6.QtCore import QRectF

from tests.gui.printed import (
    chart_inks,
    ink_of,
    outside,
    overlapping,
    pages_of,
    pixels_of_pdf,
    share_of,
    text_of,
)
from tests.gui.printed_plans import PLANS, TITLED
from zerogui import __version__
from zerogui.gui.exporting.report_pdf import MARGIN, PAGE, lay_out_page, report_pdf
from zerogui.planning.resolve import resolve

pytestmark = pytest.mark.usefixtures("qapp")

DATE = datetime.date(2026, 3, 4)
SPARE = 8.0  # px to the left of the margin, where the selected row's mark stands


@pytest.fixture(scope="module")
def text(qapp: object) -> str:
    """The report of figure 1 as text."""
    return text_of(report_pdf(resolve(TITLED), DATE))


@pytest.mark.parametrize(
    "part",
    [
        "7.5B on 64 GPUs",
        "7.5 B parameters on 64 workers, 16 bytes each in mixed-precision Adam",
        "ZeRO-2 leaves 68.9 GB for activations",
        "7 500 000 000 parameters, none frozen, given as a count",
        "Mixed-precision Adam: weights bf16, gradients bf16, master weights fp32",
        "64 workers, 8 to a node",
        "Even split (ZeRO paper), ZeRO-2 selected, one shard group, no offload",
        "H100 80GB · 85.5 GB",
        "ZeRO-3",
        "over by 34.5 GB",
        "16.641",
        "2·7.5e9 + (2 + 12)·7.5e9/64 = 16 640 625 000 B = 16.640625 GB",
        "first moment: 4 B × 117 187 500 elements (7 500 000 000 ÷ 64) = 468 750 000 B",
        "Fewest workers: DDP none, ZeRO-1 2",
        "2026-03-04",
        f"zerogui {__version__}",
    ],
)
def test_the_page_says_in_text_what_the_minutes_need(part: str, text: str) -> None:
    assert part in text


def test_the_page_shows_the_bars() -> None:
    image = pixels_of_pdf(report_pdf(resolve(TITLED), DATE))
    for colour in ("#0072B2", "#C47A00", "#5E1F4E", "#97417F"):
        assert share_of(image, colour) > 0.002


@pytest.mark.parametrize("name", PLANS)
@pytest.mark.parametrize("unit", ["GB", "GiB"])
def test_every_plan_is_one_page_with_nothing_cut_or_overlapping(name: str, unit: str) -> None:
    report = resolve(PLANS[name], unit)
    assert pages_of(report_pdf(report, DATE)) == 1
    page = lay_out_page(report, DATE)
    inks = chart_inks(page.chart)
    inks |= {f"text {n} {text.text}": ink_of(text) for n, text in enumerate(page.texts)}
    assert overlapping(inks) == []
    inside = PAGE.adjusted(MARGIN - SPARE, MARGIN - SPARE, -MARGIN, -MARGIN + SPARE)
    assert outside(inks, QRectF(inside)) == []


@pytest.mark.parametrize("name", ["no device", "nothing"])
def test_without_a_device_no_answers_are_given(name: str) -> None:
    text = text_of(report_pdf(resolve(PLANS[name]), DATE))
    assert "none chosen" in text
    assert "Fewest workers" not in text


def test_tensors_that_find_no_room_are_added_up() -> None:
    report = resolve(PLANS["extreme"])
    text = text_of(report_pdf(report, DATE))
    lines = [line for line in text.splitlines() if "more optimizer tensors together" in line]
    assert len(lines) == 1
    count = int(lines[0].split()[0])
    # 64 tensors and DeepSpeed's own master copy, which has a formula like the first tensors.
    formulas = [line for line in text.splitlines() if "for each buffer of n" in line]
    assert count + len(formulas) == 64


def test_a_stage_that_is_not_offered_says_why() -> None:
    text = text_of(report_pdf(resolve(PLANS["not offered"]), DATE))
    assert "ZeRO-1 is not offered: FSDP2 shards weights too" in text


def test_an_approximate_stage_says_why() -> None:
    text = text_of(report_pdf(resolve(PLANS["FSDP2"]), DATE))
    assert "ZeRO-3 (FSDP2) (approximate): PyTorch FSDP2 cuts every tensor by itself" in text
