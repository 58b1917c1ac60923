"""The present plan beside pinned ones, as numbers and as texts, worked out by hand."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.accounting.scenes import plan
from tests.accounting.strategies import scenarios
from tests.planning.plans import FIGURE_1, H100, SEED, on, plain
from zerogui.accounting.cluster import Cluster, Device
from zerogui.accounting.model import Model, Tensor
from zerogui.accounting.recipe import OptimizerTensor
from zerogui.accounting.scenario import Scenario
from zerogui.planning.comparison import (
    Comparer,
    Comparison,
    Group,
    Stages,
    comparison_table,
    difference_text,
    factor_text,
)
from zerogui.planning.inputs import differences, inputs_of
from zerogui.planning.pins import Pins
from zerogui.planning.resolve import resolve

GB = 10**9


def compared(
    present: Scenario, *pinned: Scenario, stages: Stages = Stages.OWN, unit: str = "GB"
) -> Comparison:
    pins = Pins()
    for number, scenario in enumerate(pinned):
        pins = pins.add(scenario, chr(ord("A") + number))
    return Comparer().compare(resolve(present, unit), pins, stages)


def shown(found: Comparison, label: str) -> list[tuple[str, str]]:
    """The row called ``label``: (text, second line) of every plan."""
    row = next(row for row in found.rows if row.label == label)
    cells = [found.cell(row, column) for column in range(len(found.columns))]
    return [(plain(cell.text), plain(cell.second)) for cell in cells]


def changed(before: Scenario, now: Scenario) -> list[tuple[str, str, str]]:
    rows = differences(inputs_of(before, "GB"), inputs_of(now, "GB"))
    return [(row.label, plain(row.baseline), plain(row.text)) for row in rows]


def test_each_plan_stands_at_its_own_stage() -> None:
    found = compared(on(FIGURE_1, None, 3), FIGURE_1, SEED)
    assert [[bar.label for bar in column.bars] for column in found.columns] == [
        ["ZeRO-3"],
        ["ZeRO-2"],
        ["DDP"],
    ]
    # ZeRO paper Figure 1, and 16 bytes for a billion parameters.
    totals = [column.bars[0].total for column in found.columns]
    assert totals == [1_875_000_000, 16_640_625_000, 16 * GB]
    assert [column.name for column in found.columns] == ["Present plan", "A", "B"]


def test_the_chosen_stage_is_that_of_the_present_plan() -> None:
    found = compared(on(FIGURE_1, None, 3), FIGURE_1, SEED, stages=Stages.CHOSEN)
    totals = [column.bars[0].total for column in found.columns]
    assert totals == [1_875_000_000, 1_875_000_000, 4 * GB]


def test_all_stages_are_four_bars_and_four_rows() -> None:
    found = compared(FIGURE_1, SEED, stages=Stages.ALL)
    assert [bar.total for bar in found.columns[1].bars] == [
        16 * GB,
        7 * GB,
        5_500_000_000,
        4 * GB,
    ]
    assert shown(found, "ZeRO-3 (GB)") == [("1.875", "−2.125 · ×0.469"), ("4.000", "baseline")]


def test_a_difference_has_its_sign_and_its_factor() -> None:
    # 16.640625 - 120 = -103.359375; 16.640625 / 120 = 0.1386...
    found = compared(FIGURE_1, on(FIGURE_1, None, 0))
    assert shown(found, "Total per rank (GB)") == [
        ("16.641", "−103.4 · ×0.139"),
        ("120.000", "baseline"),
    ]
    assert difference_text(120 * GB, 15 * GB, "GB") == "+105.0 · ×8"
    assert difference_text(7, 7, "GB") == "same"
    assert difference_text(5, 0, None) == "+5"
    assert plain(difference_text(1_000_000, 4_000_000, None)) == "−3 000 000 · ×0.25"


@pytest.mark.parametrize(
    ("value", "before", "text"),
    [
        (0, 7, "0"),
        (7, 7, "1"),
        (2, 3, "0.667"),
        (1, 64, "0.0156"),
        (1, 16384, "0.000061"),
        (16, 1, "16"),
        (5, 2, "2.5"),
        (123_456, 1000, "123"),
        (1_234_500, 1, "1\u2009234\u2009500"),
        (10**12 + 1, 10**12, "1.00"),
        (10**12 - 1, 10**12, "1.00"),
    ],
)
def test_a_factor_reads_in_three_digits(value: int, before: int, text: str) -> None:
    assert factor_text(value, before) == text


@given(st.integers(1, 10**18), st.integers(1, 10**18))
def test_a_factor_is_right_to_its_last_digit(value: int, before: int) -> None:
    read = Fraction(factor_text(value, before).replace("\u2009", ""))
    assert abs(read / Fraction(value, before) - 1) <= Fraction(1, 200)


def test_what_is_free_differs_without_a_factor_and_says_when_it_is_less_than_nothing() -> None:
    found = compared(on(FIGURE_1, H100, 0), on(FIGURE_1, H100))
    # 85,520,809,984 - 120e9 and - 16,640,625,000.
    assert shown(found, "Free on device (GB)") == [("−34.479", "−103.4"), ("68.880", "baseline")]
    row = found.rows[1]
    assert [found.cell(row, column).over for column in (0, 1)] == [True, False]
    assert found.cell(row, 0).value == 85_520_809_984 - 120 * GB


def test_exact_bytes_are_shown_whole() -> None:
    pins = Pins().add(SEED)
    found = Comparer().compare(resolve(FIGURE_1), pins, exact_bytes=True)
    assert shown(found, "Total per rank (bytes)")[0] == (
        "16 640 625 000",
        "+640 625 000 · ×1.04",
    )


def test_a_stage_that_is_not_offered_has_no_number() -> None:
    found = compared(SEED, plan(GB, "fsdp2", stage=2))
    assert shown(found, "Total per rank (GB)") == [("16.000", ""), ("not offered", "")]


def test_without_shapes_a_total_is_marked_as_approximate() -> None:
    found = compared(SEED, plan(GB, "fsdp2", stage=3))
    assert shown(found, "Total per rank (GB)")[1] == ("≈ 4.000", "baseline")


def test_the_inputs_that_differ_are_listed_and_no_others() -> None:
    found = compared(on(FIGURE_1, H100, 3), FIGURE_1, replace(FIGURE_1, cluster=Cluster(8)))
    rows = [row.label for row in found.rows if row.group is Group.INPUTS]
    assert rows == ["Workers N", "ZeRO stage", "Device", "Memory", "Reserve"]
    assert [text for text, _ in shown(found, "Workers N")] == ["64", "64", "8"]
    assert [text for text, _ in shown(found, "ZeRO stage")] == ["ZeRO-3", "ZeRO-2", "ZeRO-2"]
    row = next(row for row in found.rows if row.label == "Workers N")
    assert [found.cell(row, column).marked for column in range(3)] == [False, False, True]


def test_equal_plans_differ_in_nothing() -> None:
    found = compared(FIGURE_1, FIGURE_1)
    assert [row.label for row in found.rows if row.group is Group.HEADING] == ["No input differs"]
    assert shown(found, "Total per rank (GB)")[0] == ("16.641", "same")


def test_every_input_is_named_as_people_read_it() -> None:
    recipe = SEED.recipe
    moment = OptimizerTensor("second moment", "int8-block256", "factors")
    other = replace(
        SEED,
        title="Spring",
        model=Model("", 10**9 + 1, 8),
        recipe=replace(recipe, name="Custom", optimizer=(*recipe.optimizer[:2], moment)),
        sharding=replace(SEED.sharding, rule="deepspeed", group=2, offload_optimizer="host"),
        device=Device("Card", 80 * GB, 2 * GB),
    )
    assert changed(SEED, other) == [
        ("Title", "–", "Spring"),
        ("Parameters Ψ", "1 000 000 000", "1 000 000 001"),
        ("Frozen", "0", "8"),
        ("Recipe", "Mixed-precision Adam", "Custom"),
        ("Second moment", "fp32", "int8-block256, factors"),
        ("Partition rule", "Even split (ZeRO paper)", "DeepSpeed"),
        ("Shard group", "all workers", "2"),
        ("Optimizer on", "device", "host"),
        ("Device", "none", "Card"),
        ("Memory", "–", "80 GB"),
        ("Reserve", "–", "2 GB"),
    ]


def test_other_tensors_of_the_same_number_differ_visibly() -> None:
    one = replace(SEED, model=Model.of("", (Tensor("a", (6, 2)),)))
    two = replace(SEED, model=Model.of("", (Tensor("a", (3, 4)),)))
    assert changed(one, two) == [("Tensors", "1 tensor", "1 tensor (another)")]


def test_another_order_of_optimizer_tensors_is_a_difference() -> None:
    recipe = SEED.recipe
    turned = replace(SEED, recipe=replace(recipe, optimizer=recipe.optimizer[::-1]))
    assert [label for label, _, _ in changed(SEED, turned)] == ["Optimizer tensors"]


@given(scenarios(), scenarios())
def test_two_plans_differ_in_some_input_exactly_when_they_are_not_equal(
    one: Scenario, two: Scenario
) -> None:
    rows = changed(one, two)
    assert bool(rows) == (one != two)
    assert all(before != now for _, before, now in rows)


def test_the_present_plan_can_be_the_baseline() -> None:
    pins = Pins().add(SEED, "A").compare_with(None)
    found = Comparer().compare(resolve(on(SEED, None, 3)), pins)
    assert shown(found, "Total per rank (GB)") == [("4.000", "baseline"), ("16.000", "+12.0 · ×4")]


def test_each_plan_has_its_own_device_and_all_share_one_axis() -> None:
    found = compared(on(FIGURE_1, H100, 0), on(FIGURE_1, 10 * GB), on(SEED, 10**15))
    usable = [column.device and column.device.usable for column in found.columns]
    assert usable == [85_520_809_984, 10 * GB, 10**15]
    # The tallest bar; a device that is far above all bars does not flatten them.
    assert found.top == 120 * GB
    assert found.columns[1].bars[0].over is not None


def test_it_is_read_aloud_as_a_sentence() -> None:
    found = compared(on(FIGURE_1, None, 3), FIGURE_1)
    assert plain(found.description) == (
        "The present plan beside 1 pinned. ZeRO-3: 1.875 GB (−14.77 · ×0.113) against “A”."
        " ZeRO stage ZeRO-2 → ZeRO-3."
    )


def test_the_copied_table_has_plain_integers_and_the_shown_one_texts() -> None:
    found = compared(on(FIGURE_1, None, 3), FIGURE_1)
    exact = comparison_table(found, True)
    assert exact.columns == ("", "Present plan", "A")
    assert exact.rows[:2] == (
        ("Total per rank (bytes)", 1_875_000_000, 16_640_625_000),
        ("Total per rank (bytes): difference", -14_765_625_000, 0),
    )
    assert ("ZeRO stage", "ZeRO-3", "ZeRO-2") in exact.rows
    assert comparison_table(found, False).rows[1] == (
        "Total per rank (GB): difference",
        "−14.77 · ×0.113",
        "baseline",
    )


def test_an_edit_of_the_present_plan_works_out_no_pin_again() -> None:
    pins = Pins()
    for workers in range(1, 101):
        pins = pins.add(replace(FIGURE_1, cluster=Cluster(workers)))
    comparer = Comparer()
    before = comparer.compare(resolve(FIGURE_1), pins)
    after = comparer.compare(resolve(replace(FIGURE_1, cluster=Cluster(65))), pins)
    pairs = list(zip(before.columns, after.columns, strict=True))
    kept = [old.bars[0] is new.bars[0] and old.inputs is new.inputs for old, new in pairs]
    assert kept == [False, *[True] * 100]


def test_what_is_pinned_just_now_is_known_already() -> None:
    present = resolve(FIGURE_1)
    found = Comparer().compare(present, Pins().add(present.scenario))
    assert found.columns[0].bars[0] is found.columns[1].bars[0]


def test_another_unit_is_the_same_as_resolving_in_it() -> None:
    pins, comparer = Pins().add(SEED, "A"), Comparer()
    comparer.compare(resolve(FIGURE_1), pins)
    again = comparer.compare(resolve(FIGURE_1, "GiB"), pins)
    assert again == Comparer().compare(resolve(FIGURE_1, "GiB"), pins)
