"""Fewest workers and largest model: exact at the boundary, by hand and by brute force."""

from dataclasses import replace
from math import lcm
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.accounting.reference import Reference
from tests.accounting.scenes import at, keeps, plan
from tests.accounting.strategies import counts, offered, recipes, scenarios
from zerogui.accounting.capacity import Answer, device_peak, fewest_workers, largest_model
from zerogui.accounting.holdings import Slice
from zerogui.accounting.model import Model
from zerogui.accounting.scenario import Scenario

PLAIN = keeps("fp32", "fp32")  # 2 + 2 + 8


def fewest(scenario: Scenario, stage: int, usable: int) -> Answer:
    return fewest_workers(Slice.of(scenario), stage, usable)


def largest(scenario: Scenario, stage: int, usable: int) -> Answer:
    return largest_model(Slice.of(scenario), stage, usable)


# --- Fewest workers ------------------------------------------------------------------------------
def test_deepspeeds_padding_makes_96_workers_need_more_than_90() -> None:
    # 2·A + 2·T + 12·A/N with A = 1,080 and 1,152
    for workers, held in ((90, 4_304), (96, 4_448)):
        found = at(plan(1000, "deepspeed", workers), 1)
        assert found.held(0).total == held
        assert device_peak(Slice.of(plan(1000, "deepspeed", workers)), 1) == held


@pytest.mark.parametrize(
    ("usable", "workers"),
    [
        # With q = ⌈500/N⌉, so A = 2·N·q, a rank holds 4·q·(N + 6) + 2,000 bytes. Of 4,304 that
        # leaves q·(N + 6) ≤ 576: twelve times 48 on 42 workers, and no q > 12 is possible.
        (4_304, 42),
        # ≤ 575: eleven times 52 on 46 workers; 43, 44 and 45 need more than 42 do.
        (4_303, 46),
        (16_000, 1),
        # ≤ 3,499: q = 250 on 2 workers is 2,000; q = 500 on one is 3,500.
        (15_999, 2),
    ],
)
def test_the_fewest_workers_are_found_where_more_workers_may_need_more(
    usable: int, workers: int
) -> None:
    assert fewest(plan(1000, "deepspeed", 8), 1, usable) == Answer(workers)


@pytest.mark.parametrize(
    ("stage", "usable", "workers"),
    [
        # T = 1000 under 2 + 2 + 12: 16,000; 4,000 + 12·⌈T/N⌉; 2,000 + 14·⌈T/N⌉; 16·⌈T/N⌉
        (0, 16_000, 1),
        (1, 4_012, 1000),
        (1, 4_024, 500),
        (2, 2_140, 100),
        (2, 2_139, 112),
        (3, 160, 100),
        (3, 159, 112),
        (3, 16, 1000),
    ],
)
def test_memory_filled_to_the_byte_fits_and_one_byte_less_needs_more_workers(
    stage: int, usable: int, workers: int
) -> None:
    assert fewest(plan(1000), stage, usable) == Answer(workers)


@pytest.mark.parametrize(
    ("stage", "usable"), [(0, 15_999), (1, 4_011), (2, 2_013), (3, 15), (3, -1)]
)
def test_what_no_number_of_workers_holds_has_a_reason(stage: int, usable: int) -> None:
    answer = fewest(plan(1000), stage, usable)
    assert answer.value is None
    assert answer.reason


def test_up_to_2_to_the_20_workers_are_tried() -> None:
    assert fewest(plan(2**20), 3, 16) == Answer(2**20)
    assert fewest(plan(2**20 + 1), 3, 16).value is None


def test_fsdp2_and_greedy_tensors_have_their_own_answers() -> None:
    # 5 rows of 4 elements in 2 + 2 + 8 bytes: chunks of 5, 3, 2, 2, 1 rows on 1 to 5 ranks.
    scenario = plan([(5, 4)], "fsdp2", recipe=PLAIN)
    assert fewest(scenario, 3, 12 * 4 * 2) == Answer(3)
    assert fewest(scenario, 3, 12 * 4 * 2 - 1) == Answer(5)
    # 9, 5, 5 elements of 4 · 19 bytes replicated and 8 bytes at their owner's: 19, 10, 9, 9.
    scenario = plan([(5,), (9,), (5,)], "torch-zero1", recipe=PLAIN)
    assert fewest(scenario, 1, 76 + 80) == Answer(2)
    assert fewest(scenario, 1, 76 + 72) == Answer(3)
    assert fewest(scenario, 1, 76 + 71).value is None


@pytest.mark.parametrize(
    ("options", "usable", "workers"),
    [
        # With a group the pattern stays the same, so the first multiple decides: A = 1,024 on
        # 64 ranks holds 2·1,024 + 2·1,000 + 12·16 bytes.
        ({"workers": 128, "group": 64}, 4_240, 64),
        ({"workers": 128, "group": 64}, 4_239, None),
        ({"workers": 8, "group": 8}, 2 * 1_008 + 2_000 + 12 * 126, 8),
        ({"workers": 12, "group": 4, "secondary_group": 6}, 2 * 1_000 + 2_000 + 12 * 250, 12),
    ],
)
def test_with_a_group_only_its_multiples_are_tried(
    options: dict[str, Any], usable: int, workers: int | None
) -> None:
    assert fewest(plan(1000, "deepspeed", **options), 1, usable).value == workers


def test_a_greedy_split_that_no_worker_holds_has_an_end() -> None:
    # The largest tensor stays whole: two moments, 1,000 and 1,016 bytes, beside 4 · 1,006.
    recipe = keeps("int8", "int8-block256")
    shapes = [(1000,), (3,), (3,)]
    assert fewest(plan(shapes, "torch-zero1", recipe=recipe), 1, 4_024 + 2_016) == Answer(2)
    assert fewest(plan(shapes, "torch-zero1", recipe=recipe), 1, 4_024 + 2_015).value is None


# --- Largest model -------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("stage", "usable", "elements"),
    [
        # On 4 workers under 2 + 2 + 12
        (0, 160, 10),
        (0, 159, 9),
        (1, 100, 13),  # 4·13 + 12·4
        (1, 99, 12),  # 4·12 + 12·3 = 84
        (2, 100, 16),  # 2·16 + 14·4 = 88, and 2·17 + 14·5 = 104
        (3, 160, 40),
        (3, 159, 36),
        (3, 15, 0),
    ],
)
def test_the_largest_model_fills_the_memory_to_the_byte(
    stage: int, usable: int, elements: int
) -> None:
    assert largest(plan(1), stage, usable) == Answer(elements)


def test_frozen_parameters_are_kept_and_counted() -> None:
    # 10 frozen elements of 2 bytes, whole below stage 3 and 3 of them at stage 3.
    scenario = plan(1, frozen=10)
    assert largest(scenario, 0, 20 + 160) == Answer(20)
    assert largest(scenario, 0, 20) == Answer(10)
    assert largest(scenario, 3, 6 + 16) == Answer(14)
    answer = largest(scenario, 0, 19)
    assert answer.value is None
    assert "frozen" in (answer.reason or "")


def test_model_parallel_multiplies_the_largest_slice() -> None:
    assert largest(plan(1, m=3), 0, 160) == Answer(30)
    # ⌈10/3⌉ = 4 frozen elements in each slice
    assert largest(plan(1, frozen=10, m=3), 0, 8 + 160) == Answer(30 + 10)


def test_a_tensor_list_is_asked_as_a_count() -> None:
    listed = plan([(3, 3), (5,)], "deepspeed")
    assert largest(listed, 3, 160) == largest(plan(1, "deepspeed"), 3, 160) == Answer(40)


@pytest.mark.parametrize(
    ("usable", "elements"),
    [
        # On 4 workers with a threshold of 100: up to 100 elements 2·T + 16·⌈T/4⌉, above
        # 16·⌈T/4⌉, so that 101 elements need 416 bytes and 100 need 600.
        (415, 68),
        (416, 104),
        (599, 148),
        (600, 148),
        (608, 152),
    ],
)
def test_past_the_persistence_threshold_a_larger_model_may_fit_again(
    usable: int, elements: int
) -> None:
    scenario = plan(1, "deepspeed", persistence_threshold=100)
    assert largest(scenario, 3, usable) == Answer(elements)


def test_what_nothing_limits_has_a_reason() -> None:
    scenario = plan(1, "deepspeed", offload_optimizer="host", offload_weights="nvme")
    answer = largest(scenario, 3, 0)
    assert answer.value is None
    assert "limits" in (answer.reason or "")
    assert largest(scenario, 2, 20) == Answer(8)  # A = 8 in 16 bytes, the gradients on the host


def test_an_answer_for_a_stage_that_is_not_offered_is_its_reason() -> None:
    for scenario, stage in ((plan([(4,)], "fsdp2"), 1), (plan([(4,)], "torch-zero1"), 2)):
        part = Slice.of(scenario)
        reason = part.rule.not_offered(stage, part.known_shapes)
        assert reason
        assert fewest(scenario, stage, 10**9) == largest(scenario, stage, 10**9)
        assert fewest(scenario, stage, 10**9) == Answer(None, reason)
    # A tensor list has stage 1, but the largest model is asked as a count, which has none.
    assert fewest(plan([(4,)], "torch-zero1"), 1, 10**9) == Answer(1)
    assert "tensor list" in (largest(plan([(4,)], "torch-zero1"), 1, 10**9).reason or "")


# --- Brute force ---------------------------------------------------------------------------------
@given(scenarios(workers=st.integers(1, 6)), st.integers(1, 24), st.integers(-3, 3), st.data())
def test_the_fewest_workers_are_those_that_trying_each_finds(
    scenario: Scenario, times: int, more: int, data: st.DataObject
) -> None:
    stage = data.draw(st.sampled_from(offered(scenario)), "stage")
    sharding = scenario.sharding
    step = lcm(sharding.group or 1, sharding.secondary_group or 1)
    # Just as much memory as some number of workers needs, a little more or less.
    usable = Reference(scenario, stage, step * times).peak() + more
    tried = (step * k for k in range(1, times + 1))
    expected = next((n for n in tried if Reference(scenario, stage, n).peak() <= usable), None)
    answer = fewest(scenario, stage, usable)
    assert (answer.value is None) == (answer.reason is not None)
    if expected is not None:
        assert answer == Answer(expected)
    elif answer.value is not None:
        assert answer.value > step * times
        assert answer.value % step == 0
        # Large numbers of workers are beyond counting rank by rank; budgets are proven equal.
        assert device_peak(Slice.of(scenario).on(answer.value), stage) <= usable


def unlimited(scenario: Scenario, stage: int) -> bool:
    """Whether no state of any trainable element is left on the device."""
    one = replace(scenario, model=Model("", 10**6, 0))
    return Reference(one, stage).peak() == 0


@given(
    scenarios(models=counts(), workers=st.integers(1, 4), recipe=recipes(partial=False)),
    st.integers(0, 45),
    st.data(),
)
def test_the_largest_model_is_the_one_that_trying_each_finds(
    scenario: Scenario, more: int, data: st.DataObject
) -> None:
    stage = data.draw(st.sampled_from(offered(scenario)), "stage")
    frozen = scenario.model.frozen_parameters
    m = scenario.cluster.model_parallel

    def peak(trainable: int) -> int:
        model = Model("", trainable + frozen, frozen)
        return Reference(replace(scenario, model=model), stage).peak()

    bare = peak(0)
    usable = max(0, bare + more - 5)
    answer = largest(scenario, stage, usable)
    assert (answer.value is None) == (answer.reason is not None)
    if unlimited(scenario, stage):
        assert answer.value is None
        return
    # Beside the frozen weights each element is at least half a byte on one device.
    without = Reference(replace(scenario, model=Model("", frozen, frozen)), stage)
    left = sum(
        usable - without.bytes(rank, tier="device") for rank in range(scenario.cluster.workers)
    )
    slices = 2 * max(left, 0) + 1
    fitting = [k for k in range(slices + 1) if peak(k * m) <= usable]
    if not fitting:
        assert answer.value is None
        return
    assert answer == Answer(max(fitting) * m + frozen)
    assert peak(max(fitting) * m + 1) > usable
