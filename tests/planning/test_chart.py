"""The stage chart as a value: bars, segments, ticks, the device line and what is read aloud."""

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.accounting.scenes import keeps, plan
from tests.planning.plans import CARDS, FIGURE_1, H100, SEED, on, plain, planned
from zerogui.accounting.cluster import Device
from zerogui.accounting.recipe import OptimizerTensor, Recipe
from zerogui.accounting.scenario import Scenario
from zerogui.planning.chart import Bar, ChartModel, chart_model, ticks
from zerogui.planning.resolve import resolve

GB = 10**9
SIZES = {"GB": 10**9, "GiB": 2**30}


def chart(scenario: Scenario, unit: str = "GB") -> ChartModel:
    return chart_model(resolve(scenario, unit))


def bars(scenario: Scenario) -> tuple[Bar, ...]:
    return chart(scenario).bars


# --- Bars ----------------------------------------------------------------------------------------
def test_the_seed_is_four_bars_of_16_7_5_and_a_half_and_4() -> None:
    assert [(bar.label, bar.total, bar.figure) for bar in bars(SEED)] == [
        ("DDP", 16 * GB, "16.0"),
        ("ZeRO-1", 7 * GB, "7.0"),
        ("ZeRO-2", 5_500_000_000, "5.5"),
        ("ZeRO-3", 4 * GB, "4.0"),
    ]
    assert [bar.caption for bar in bars(SEED)][0::3] == [
        "nothing partitioned",
        "+ parameters partitioned",
    ]


def test_a_total_has_at_most_four_significant_digits() -> None:
    assert [bar.figure for bar in bars(FIGURE_1)] == ["120.0", "31.41", "16.64", "1.875"]
    # 120e9 / 2^30 = 111.7587, 29.24935, 15.49779, 1.74623
    in_gib = [bar.figure for bar in chart(FIGURE_1, "GiB").bars]
    assert in_gib == ["111.8", "29.25", "15.5", "1.746"]


def test_the_optimizer_is_drawn_as_its_tensors_above_gradients_and_parameters() -> None:
    segments = bars(FIGURE_1)[2].segments
    assert [(part.role, part.state, part.name, part.bytes, part.figure) for part in segments] == [
        ("parameters", "parameters", "weights", 15 * GB, "15.0"),
        ("gradients", "gradients", "gradients", 234_375_000, "0.2344"),
        ("master", "optimizer", "master weights", 468_750_000, "0.4688"),
        ("first", "optimizer", "first moment", 468_750_000, "0.4688"),
        ("second", "optimizer", "second moment", 468_750_000, "0.4688"),
    ]
    assert plain(segments[1].formula) == (
        "gradients: 2 B × 117 187 500 elements (7 500 000 000 ÷ 64) = 234 375 000 B"
    )


def test_the_stage_under_discussion_is_the_selected_bar() -> None:
    assert [bar.selected for bar in bars(FIGURE_1)] == [False, False, True, False]


def test_a_bar_that_does_not_fit_says_by_how_much() -> None:
    over = [bar.over and plain(bar.over) for bar in bars(on(FIGURE_1, H100))]
    assert over == ["over by 34.5 GB", None, None, None]
    in_gib = chart(on(FIGURE_1, H100), "GiB").bars[0].over
    assert in_gib is not None
    assert plain(in_gib) == "over by 32.1 GiB"


def test_the_last_byte_of_the_device_still_fits() -> None:
    assert [bar.over is None for bar in bars(on(SEED, 7 * GB))] == [False, True, True, True]
    assert [bar.over is None for bar in bars(on(SEED, 7 * GB - 1))] == [False, False, True, True]


def test_without_a_device_no_bar_is_over() -> None:
    assert [bar.over for bar in bars(SEED)] == [None] * 4
    assert chart(SEED).device is None


def test_an_approximate_total_is_marked() -> None:
    figures = [plain(bar.figure) for bar in bars(plan(GB, "deepspeed"))]
    assert figures == ["16.0", "7.0", "5.5", "≈ 4.0"]


def test_a_stage_that_is_not_offered_has_a_reason_and_no_bar() -> None:
    shown = bars(plan(GB, "fsdp2", stage=1))
    assert [bar.label for bar in shown] == ["DDP", "ZeRO-1", "ZeRO-2", "ZeRO-3 (FSDP2)"]
    for bar in shown[1:3]:
        assert (bar.segments, bar.total, bar.figure, bar.over) == ((), 0, "", None)
        assert bar.reason is not None
        assert "FSDP2" in bar.reason
    assert shown[0].reason is None
    assert shown[1].selected


@given(planned(st.none()))
def test_the_segments_of_a_bar_make_up_its_total(scenario: Scenario) -> None:
    report = resolve(scenario)
    shown = chart_model(report)
    assert [bar.stage for bar in shown.bars] == [0, 1, 2, 3]
    for bar in shown.bars:
        assert sum(part.bytes for part in bar.segments) == bar.total
        # What lies off the device stands on top.
        order = ("parameters", "gradients", "optimizer")
        keys = [(not part.on_device, order.index(part.state)) for part in bar.segments]
        assert keys == sorted(keys)
        assert bar.total <= shown.top
    assert sum(bar.selected for bar in shown.bars) == 1
    legend = [role for role, _ in shown.legend]
    assert set(legend) == {part.role for bar in shown.bars for part in bar.segments}
    assert len(set(legend)) == len(legend)


# --- The device line -----------------------------------------------------------------------------
def test_the_device_line_has_name_size_and_reserve() -> None:
    line: Any = chart(on(FIGURE_1, H100)).device
    assert (line.usable, line.name, plain(line.size)) == (85_520_809_984, "H100 80GB", "85.5 GB")
    line = chart(on(FIGURE_1, Device("H100 80GB", 85_520_809_984, 8 * GB))).device
    assert (line.usable, plain(line.size)) == (77_520_809_984, "85.5 − 8.0 GB")
    line = chart(on(FIGURE_1, H100), "GiB").device
    assert plain(line.size) == "79.6 GiB"
    line = chart(on(SEED, Device("", 16 * GB))).device
    assert line.name == "Device"


@pytest.mark.parametrize(
    ("usable", "in_range", "top"),
    [
        (10 * GB, True, 16 * GB),
        (40 * GB, True, 40 * GB),
        # Three times the tallest bar, and one byte more.
        (48 * GB, True, 48 * GB),
        (48 * GB + 1, False, 16 * GB),
        (10**18, False, 16 * GB),
    ],
)
def test_the_line_is_in_range_up_to_three_times_the_tallest_bar(
    usable: int, in_range: bool, top: int
) -> None:
    shown = chart(on(SEED, usable))
    assert shown.device is not None
    assert (shown.device.in_range, shown.top) == (in_range, top)


def test_the_line_lies_where_the_reserve_begins() -> None:
    shown = chart(on(SEED, Device("", 50 * GB, 2 * GB)))
    assert shown.device is not None
    assert (shown.device.usable, shown.device.in_range, shown.top) == (48 * GB, True, 48 * GB)


def test_a_model_without_parameters_still_has_an_axis() -> None:
    shown = chart(on(plan(0), H100))
    assert [bar.total for bar in shown.bars] == [0, 0, 0, 0]
    assert shown.top >= 1
    assert shown.ticks[0] == (0.0, "0")


@given(planned(CARDS), st.sampled_from(["GB", "GiB"]))
def test_the_axis_reaches_the_tallest_bar_and_a_line_in_range(
    scenario: Scenario, unit: str
) -> None:
    shown = chart(scenario, unit)
    tallest = max(bar.total for bar in shown.bars)
    assert shown.device is not None
    within = 0 <= shown.device.usable <= 3 * tallest
    assert shown.device.in_range == within or tallest == 0
    assert shown.top == max(tallest, shown.device.usable if within else 0, 1) or tallest == 0
    assert shown.ticks == ticks(shown.top, unit)


# --- Legend and description ----------------------------------------------------------------------
def test_the_legend_is_in_stacking_order() -> None:
    assert chart(SEED).legend == (
        ("parameters", "parameters"),
        ("gradients", "gradients"),
        ("master", "master weights"),
        ("first", "first moment"),
        ("second", "second moment"),
    )


def test_the_legend_names_what_some_stage_has_and_groups_further_tensors() -> None:
    # DeepSpeed adds the master weights from ZeRO-1 on.
    names = ("momentum", "b", "c", "d")
    recipe = Recipe(weights="fp32", optimizer=tuple(OptimizerTensor(n, "fp32") for n in names))
    assert chart(plan(8, "deepspeed", recipe=recipe)).legend[2:] == (
        ("master", "master weights"),
        ("first", "momentum"),
        ("second", "b"),
        ("further", "c, d"),
    )
    assert len(chart(plan(8, recipe=keeps())).legend) == 2


def test_the_chart_reads_itself_aloud() -> None:
    assert plain(chart(on(FIGURE_1, H100)).description) == (
        "7.5 B parameters on 64 workers, 16 bytes each in mixed-precision Adam."
        " Fits an H100 80GB from ZeRO-1 on; ZeRO-2 leaves 68.9 GB for activations."
    )


@pytest.mark.parametrize("unit", ["GB", "GiB"])
def test_the_unit_stands_once_in_the_axis_title(unit: str) -> None:
    shown = chart(SEED, unit)
    assert (shown.unit, shown.axis_title) == (unit, f"{unit} per rank")
    texts = [text for _, text in shown.ticks] + [bar.figure for bar in shown.bars]
    assert not any(character.isalpha() for text in texts for character in text)


# --- Ticks ---------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("top", "unit", "texts"),
    [
        (16 * GB, "GB", ["0", "5", "10", "15"]),
        (120 * GB, "GB", ["0", "20", "40", "60", "80", "100", "120"]),
        (1_875_000_000, "GB", ["0", "0.5", "1", "1.5"]),
        (16_000 * GB, "GB", ["0", "5\u2009000", "10\u2009000", "15\u2009000"]),
        (16_000, "GB", ["0", "0.000005", "0.00001", "0.000015"]),
        (2**30, "GiB", ["0", "0.2", "0.4", "0.6", "0.8", "1"]),
        (120 * GB, "GiB", ["0", "20", "40", "60", "80", "100"]),
    ],
)
def test_ticks_are_round_numbers(top: int, unit: str, texts: list[str]) -> None:
    assert [text for _, text in ticks(top, unit)] == texts


@given(st.integers(0, 18).flatmap(lambda e: st.integers(1, 10**e)), st.sampled_from(["GB", "GiB"]))
@example(10**18, "GB")
@example(10**18, "GiB")
@example(1, "GiB")
def test_ticks_rise_evenly_in_round_steps_and_cover_the_range(top: int, unit: str) -> None:
    found = ticks(top, unit)
    written = [Decimal(text.replace("\u2009", "")) for _, text in found]
    assert 3 <= len(found) <= 7
    # A text means the place where it stands.
    assert [float(number) for number in written] == [position for position, _ in found]
    step = written[1]
    assert step.normalize().as_tuple().digits in {(1,), (2,), (5,)}
    assert written == [k * step for k in range(len(written))]
    # No tick lies beyond the range, and one more would.
    assert written[-1] * SIZES[unit] <= top < (written[-1] + step) * SIZES[unit]
    for text in (text for _, text in found):
        assert not (text.endswith((".", "0")) and "." in text)
