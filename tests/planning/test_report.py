"""A scenario resolved: the numbers, labels and lines of arithmetic that every view shows."""

import re
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.accounting.scenes import keeps, plan
from tests.planning.plans import FIGURE_1, H100, SEED, on, planned
from zerogui.accounting.cluster import Device
from zerogui.accounting.recipe import OptimizerTensor, Recipe
from zerogui.accounting.scenario import Scenario
from zerogui.planning.report import Component, NotOffered, Report, StageReport
from zerogui.planning.resolve import resolve

GB = 10**9


def offered(report: Report, stage: int) -> StageReport:
    found = report.stages[stage]
    assert isinstance(found, StageReport)
    return found


def named(stage: StageReport, name: str) -> Component:
    (match,) = [line for line in stage.components if line.name == name]
    return match


# --- Numbers -------------------------------------------------------------------------------------
def test_the_seed_takes_16_7_5_and_a_half_and_4_gigabytes() -> None:
    report = resolve(SEED)
    assert [stage.rank.total for stage in report.offered] == [
        16 * GB,
        7 * GB,
        5_500_000_000,
        4 * GB,
    ]
    assert 4 * offered(report, 3).rank.total == offered(report, 0).rank.total


def test_figure_1_of_the_paper_comes_out_to_the_byte() -> None:
    stages = resolve(on(FIGURE_1, H100)).offered
    assert [stage.rank.total for stage in stages] == [
        120_000_000_000,
        31_406_250_000,
        16_640_625_000,
        1_875_000_000,
    ]
    assert [stage.free for stage in stages] == [
        -34_479_190_016,
        54_114_559_984,
        68_880_184_984,
        83_645_809_984,
    ]
    assert [stage.fits for stage in stages] == [False, True, True, True]
    assert [stage.cluster_total for stage in stages] == [
        7_680_000_000_000,
        2_010_000_000_000,
        1_065_000_000_000,
        120_000_000_000,
    ]
    # 2 T elements a step, 3 T at ZeRO-3.
    assert [stage.communication for stage in stages] == [15 * GB, 15 * GB, 15 * GB, 22_500_000_000]


def test_figure_1_on_an_h100_needs_two_workers_from_stage_1_on() -> None:
    answers = resolve(on(FIGURE_1, H100)).answers
    # 30 + 90/N, 15 + 105/N and 120/N GB against 85.5 GB.
    assert answers.fewest_workers == {0: None, 1: 2, 2: 2, 3: 2}
    assert set(answers.fewest_reasons) == {0}
    # 85,520,809,984 / 16, and 64 times as much.
    assert answers.largest_model[0] == 5_345_050_624
    assert answers.largest_model[3] == 342_083_239_936
    assert answers.largest_reasons == {}


def test_without_a_device_nothing_fits_or_is_free_and_the_answers_say_why() -> None:
    report = resolve(SEED)
    assert report.device_label is None
    assert [(stage.fits, stage.free) for stage in report.offered] == [(None, None)] * 4
    answers = report.answers
    empty = dict.fromkeys(range(4))
    assert (answers.fewest_workers, answers.largest_model) == (empty, empty)
    for reasons in (answers.fewest_reasons, answers.largest_reasons):
        assert list(reasons) == [0, 1, 2, 3]
        assert all("device" in reason for reason in reasons.values())


def test_a_reserve_is_no_longer_free_and_the_last_byte_decides() -> None:
    for reserve, free in ((0, 0), (1, -1)):
        stage = offered(resolve(on(SEED, Device("", 7 * GB, reserve))), 1)
        assert (stage.free, stage.fits) == (free, free >= 0)


def test_the_most_and_the_least_loaded_rank_stand_side_by_side() -> None:
    # 1,000,003 = 7 × 142,857 + 4: four ranks hold one element more.
    stage = offered(resolve(plan(1_000_003, workers=7, stage=3)), 3)
    assert (stage.rank_number, stage.rank.total) == (0, 16 * 142_858)
    assert stage.least.total == 16 * 142_857
    assert [(run.first, run.count, run.held.total) for run in stage.runs()] == [
        (0, 4, 2_285_728),
        (4, 3, 2_285_712),
    ]
    assert stage.cluster_total == 16 * 1_000_003


def test_what_is_offloaded_leaves_the_device_and_adds_up_on_the_node() -> None:
    moved = plan(
        1_000_000_000, workers=4, per_node=2, offload_optimizer="host", offload_weights="nvme"
    )
    report = resolve(on(moved, 4 * GB))
    assert offered(report, 0).tiers == {"device": 16 * GB, "host": 0, "nvme": 0}
    assert offered(report, 1).tiers == {"device": 4 * GB, "host": 3 * GB, "nvme": 0}
    assert offered(report, 1).node == {"host": 6 * GB, "nvme": 0}
    assert offered(report, 1).free == 0
    assert offered(report, 3).tiers == {"device": GB // 2, "host": 3 * GB, "nvme": GB // 2}
    assert offered(report, 3).node == {"host": 6 * GB, "nvme": GB}


# --- Labels --------------------------------------------------------------------------------------
@pytest.mark.parametrize("rule", ["even", "deepspeed", "torch-zero1"])
def test_stages_are_called_ddp_and_zero_1_to_3(rule: str) -> None:
    labels = [stage.label for stage in resolve(plan(8, rule)).stages]
    assert labels == ["DDP", "ZeRO-1", "ZeRO-2", "ZeRO-3"]


def test_stage_3_of_fsdp2_says_so_and_stages_1_and_2_are_not_offered() -> None:
    report = resolve(plan(8, "fsdp2", stage=1))
    assert [stage.label for stage in report.stages] == [
        "DDP",
        "ZeRO-1",
        "ZeRO-2",
        "ZeRO-3 (FSDP2)",
    ]
    assert [stage.stage for stage in report.offered] == [0, 3]
    refused = report.selected
    assert isinstance(refused, NotOffered)
    assert refused.stage == 1
    assert "reshard_after_forward=False" in refused.reason
    assert not refused.reason.endswith(".")


def test_torch_zero1_asks_for_a_tensor_list() -> None:
    refused = resolve(plan(8, "torch-zero1")).stages[1]
    assert isinstance(refused, NotOffered)
    assert "needs a tensor list" in refused.reason
    assert [stage.stage for stage in resolve(plan([(8,)], "torch-zero1")).offered] == [0, 1]


def test_every_stage_says_what_is_partitioned() -> None:
    captions = [stage.caption for stage in resolve(SEED).stages]
    assert captions == [
        "nothing partitioned",
        "optimizer states partitioned",
        "+ gradients partitioned",
        "+ parameters partitioned",
    ]


@pytest.mark.parametrize(
    ("device", "unit", "label"),
    [
        (H100, "GB", "H100 80GB · 85.5\u00a0GB"),
        (H100, "GiB", "H100 80GB · 79.6\u00a0GiB"),
        (
            Device("H100 80GB", 85_520_809_984, 8 * GB),
            "GB",
            "H100 80GB · 85.5\u00a0GB − 8.0\u00a0GB reserve",
        ),
        (Device("", 16_106_127_360), "GB", "Device · 16.1\u00a0GB"),
    ],
)
def test_the_device_is_labelled_with_its_size_less_the_reserve(
    device: Device, unit: str, label: str
) -> None:
    assert resolve(on(SEED, device), unit).device_label == label


# --- Components ----------------------------------------------------------------------------------
def test_the_breakdown_of_figure_1_is_one_equation_a_line() -> None:
    stage = offered(resolve(FIGURE_1), 2)
    assert [line.formula for line in stage.components] == [
        "weights: 2 B × 7,500,000,000 elements = 15,000,000,000 B",
        "gradients: 2 B × 117,187,500 elements (7,500,000,000 ÷ 64) = 234,375,000 B",
        "master weights: 4 B × 117,187,500 elements (7,500,000,000 ÷ 64) = 468,750,000 B",
        "first moment: 4 B × 117,187,500 elements (7,500,000,000 ÷ 64) = 468,750,000 B",
        "second moment: 4 B × 117,187,500 elements (7,500,000,000 ÷ 64) = 468,750,000 B",
    ]
    shown = stage.components[2].shown_formula
    assert shown == (
        "master weights: 4 B × 117\u2009187\u2009500 elements (7\u2009500\u2009000\u2009000 ÷ 64)"
        " = 468\u2009750\u2009000 B"
    )


def test_a_blocked_format_shows_its_own_arithmetic() -> None:
    stage = offered(resolve(plan(1_000, recipe=keeps("int8-block256"))), 0)
    line = named(stage, "o0")
    assert (line.elements, line.bytes) == (1_000, 1_000 + 4 * 4)
    assert line.formula == (
        "o0: 1,000 elements in int8-block256: n + 4·⌈n / 256⌉ B for each buffer of n = 1,016 B"
    )


def test_on_screen_all_digits_are_grouped_by_thin_spaces() -> None:
    wide = plan(
        [(4096,), (4096, 4096)],
        "deepspeed",
        2048,
        persistence_threshold=100_000,
        secondary_group=1024,
    )
    shown = [line.shown_formula for line in offered(resolve(wide), 3).components]
    assert len(shown) >= 7
    assert not [text for text in shown if re.search(r"\d,\d", text)]


def test_the_optimizers_tensors_keep_their_colours_whatever_their_dtype() -> None:
    names = ("first moment", "master weights", "second moment", "third", "fourth")
    recipe = Recipe(optimizer=tuple(OptimizerTensor(name, "bf16") for name in names))
    stage = offered(resolve(plan(8, recipe=recipe)), 0)
    roles = [line.role for line in stage.components]
    assert roles == ["parameters", "gradients", "first", "master", "second", "further", "further"]


def test_frozen_and_accumulated_parts_are_lines_of_their_state() -> None:
    recipe = keeps("fp32", accumulation="fp32", frozen_weights="nf4-block64")
    stage = offered(resolve(plan(100, recipe=recipe, frozen=64)), 0)
    assert [(line.state, line.name, line.bytes) for line in stage.components] == [
        ("parameters", "weights", 200),
        ("parameters", "frozen weights", 32 + 4),
        ("gradients", "gradients", 200),
        ("gradients", "accumulation buffer", 400),
        ("optimizer", "o0", 400),
    ]


def test_a_model_without_frozen_parameters_has_no_frozen_lines() -> None:
    whole = resolve(plan([(64, 64)], "deepspeed", 4, secondary_group=2, persistence_threshold=9999))
    assert [line.name for line in offered(whole, 3).components] == [
        "weights",
        "gathered weights",
        "secondary weights (hpZ)",
        "gradients",
        "master weights",
        "first moment",
        "second moment",
    ]


def _quantity(text: str) -> int:
    return int(text.replace(",", ""))


# How an element count comes about, and which counts that allows.
N = r"([\d,]+)"
ORIGINS = {
    f"{N} ÷ {N}": lambda n, g: [n // g] if n % g == 0 else [],
    f"{N} ÷ {N}, rounded up or down": lambda n, g: [n // g, n // g + 1],
    f"⌈{N} ÷ {N}⌉": lambda n, g: [-(-n // g)],
    f"{N} rounded up to a multiple of 2·{N}": lambda n, g: [-(-n // (2 * g)) * 2 * g],
    f"{N} rounded up to a multiple of 2·{N}, ÷ {N}": lambda n, g, _: [-(-n // (2 * g)) * 2],
}


@given(planned(st.none()))
def test_where_a_breakdown_shows_a_quotient_it_is_the_elements(scenario: Scenario) -> None:
    for stage in resolve(scenario).offered:
        for line in stage.components:
            for pattern, counts in ORIGINS.items():
                match = re.search(rf" elements \({pattern}\) ", line.formula)
                if match is not None:
                    assert line.elements in counts(*map(_quantity, match.groups())), line.formula


@given(planned(st.none()))
def test_the_lines_of_a_breakdown_add_up_to_the_rank(scenario: Scenario) -> None:
    for stage in resolve(scenario).offered:
        assert sum(line.bytes for line in stage.components) == stage.rank.total
        for state in ("parameters", "gradients", "optimizer"):
            lines = [line.bytes for line in stage.components if line.state == state]
            assert sum(lines) == getattr(stage.rank, state)
        for tier, held in stage.tiers.items():
            assert sum(line.bytes for line in stage.components if line.tier == tier) == held
        for line in stage.components:
            elements = re.search(r"([\d,]+) elements", line.formula)
            stored = re.search(r" = ([\d,]+) B$", line.formula)
            assert elements is not None
            assert _quantity(elements[1]) == line.elements
            assert stored is not None
            assert _quantity(stored[1]) == line.bytes
            width = re.search(r": (\d) B × ", line.formula)
            if width is not None:
                assert int(width[1]) * line.elements == line.bytes
            assert line.formula.startswith(f"{line.name}: ")
            assert line.shown_formula == re.sub(r"(?<=\d),(?=\d)", "\u2009", line.formula)


# --- Exactness and immutability ------------------------------------------------------------------
def test_a_result_without_shapes_says_that_it_is_approximate() -> None:
    counted = resolve(plan(1_000, "deepspeed"))
    assert [stage.exact for stage in counted.offered] == [True, True, True, False]
    assert "shapes" in offered(counted, 3).notes[0]
    listed = resolve(plan([(10, 100)], "deepspeed"))
    assert all(stage.exact for stage in listed.offered)
    assert not any(stage.exact for stage in resolve(plan(1_000, m=2)).offered)


def test_the_unit_changes_sentences_only() -> None:
    gb, gib = (resolve(on(FIGURE_1, H100), unit) for unit in ("GB", "GiB"))
    assert (gb.unit, gib.unit) == ("GB", "GiB")
    assert [s.rank for s in gb.offered] == [s.rank for s in gib.offered]
    assert [s.components for s in gb.offered] == [s.components for s in gib.offered]
    assert gb.answers == gib.answers
    assert gb.title == gib.title
    assert gb.verdict != gib.verdict


def test_choosing_a_stage_or_a_device_cuts_no_shard_anew() -> None:
    plain = resolve(plan(8, "deepspeed"))
    chosen = resolve(on(plan(8, "deepspeed"), H100))
    staged = replace(chosen.scenario, sharding=replace(chosen.scenario.sharding, stage=3))
    # plan() makes the model anew: the same model is what a window edits.
    same = replace(staged, model=chosen.scenario.model, device=None)
    for stage in range(4):
        assert offered(resolve(same), stage).budget is offered(chosen, stage).budget
        assert offered(resolve(staged), stage).budget is offered(chosen, stage).budget
        assert offered(plain, stage).rank == offered(chosen, stage).rank


def test_another_recipe_or_worker_count_is_never_answered_from_memory() -> None:
    first = resolve(on(SEED, H100))
    wider = replace(first.scenario, cluster=replace(first.scenario.cluster, workers=8))
    bare = replace(first.scenario, recipe=replace(first.scenario.recipe, optimizer=()))
    # 10^9 elements: 16 B ÷ 4, 16 B ÷ 8, and (2 + 2) B ÷ 4.
    totals = [offered(resolve(s), 3).rank.total for s in (first.scenario, wider, bare)]
    assert totals == [4 * 10**9, 2 * 10**9, 10**9]
    assert offered(resolve(first.scenario), 3).rank.total == 4 * 10**9


def test_a_report_cannot_be_changed() -> None:
    report = resolve(on(SEED, H100))
    parts: list[tuple[Any, str]] = [
        (report, "title"),
        (report.stages[0], "free"),
        (offered(report, 0).components[0], "bytes"),
        (report.answers, "fewest_workers"),
        (resolve(plan(8, "fsdp2")).stages[1], "reason"),
    ]
    for part, field in parts:
        with pytest.raises(AttributeError):
            setattr(part, field, None)
