"""How each engine cuts tensors: documented cases and small ones worked out by hand."""

from typing import Any

import pytest

from tests.accounting.scenes import at, by_rank, elements, keeps, line, plan
from zerogui.accounting.errors import InputError
from zerogui.accounting.holdings import Slice
from zerogui.accounting.model import Tensor
from zerogui.accounting.recipe import OptimizerTensor
from zerogui.accounting.rules import RULES
from zerogui.accounting.scenario import Scenario
from zerogui.accounting.sharding import STAGES

# Nothing but weights and gradients of 2 bytes and one optimizer tensor of 4.
PLAIN = keeps("fp32")


def test_the_four_rules_of_the_contract_are_there() -> None:
    assert list(RULES)[:4] == ["even", "deepspeed", "fsdp2", "torch-zero1"]
    assert [RULES[name].name for name in RULES] == list(RULES)


# --- Documented cases of engines -----------------------------------------------------------------
def test_deepspeed_pads_57_elements_on_2_ranks_to_60() -> None:
    found = at(plan(57, "deepspeed", 2, recipe=PLAIN), 1)
    assert elements(found, "o0") == [30, 30]
    assert elements(found, "weights") == [60, 60]
    assert elements(found, "gradients") == [57, 57]
    assert (found.padding("parameters"), found.padding("optimizer")) == (3, 3)
    assert found.padding("gradients") == 0


@pytest.mark.parametrize("stage", [1, 2])
def test_deepspeed_pads_266240_elements_on_768_ranks_and_two_ranks_hold_padding_only(
    stage: int,
) -> None:
    found = at(plan(266_240, "deepspeed", 768, recipe=PLAIN), stage)
    held = elements(found, "o0")
    assert held == [348] * 768
    assert sum(held) == 267_264
    assert elements(found, "weights")[0] == 267_264
    # Rank r holds elements 348·r .. 348·r + 347 of the flat buffer; real ones are below 266,240.
    real = [max(0, min(266_240, 348 * (rank + 1)) - 348 * rank) for rank in range(768)]
    assert real[764:] == [348, 20, 0, 0]
    assert sum(real) + found.padding("optimizer") == sum(held)


@pytest.mark.parametrize("stage", [1, 2, 3])
def test_deepspeed_splits_a_billion_on_3_ranks_into_333333334_each(stage: int) -> None:
    found = at(plan(10**9, "deepspeed", 3, recipe=PLAIN), stage)
    assert elements(found, "o0") == [333_333_334] * 3


def test_fsdp2_allocates_a_row_on_each_of_8_ranks_for_two_rows() -> None:
    found = at(plan([(2, 4096)], "fsdp2", 8, recipe=PLAIN), 3)
    assert elements(found, "weights") == [4096] * 8
    assert elements(found, "gradients") == [4096] * 8
    assert elements(found, "o0") == [4096, 4096, 0, 0, 0, 0, 0, 0]
    assert found.padding("parameters") == found.padding("gradients") == 6 * 4096
    assert found.padding("optimizer") == 0


def test_fsdp2_cuts_the_gpt2_embedding_into_chunks_of_6283_rows() -> None:
    found = at(plan([(50_257, 768)], "fsdp2", 8, recipe=PLAIN), 3)
    assert elements(found, "weights") == [4_825_344] * 8
    # 50,257 = 7 · 6,283 + 6,276
    assert elements(found, "o0") == [4_825_344] * 7 + [6_276 * 768]


@pytest.mark.parametrize(("rule", "stage", "share"), [("deepspeed", 1, 6), ("deepspeed", 2, 6)])
def test_tensors_of_10_and_7_and_5_elements_are_one_flat_group(
    rule: str, stage: int, share: int
) -> None:
    found = at(plan([(10,), (7,), (5,)], rule, 4, recipe=PLAIN), stage)
    assert elements(found, "o0") == [share] * 4


def test_tensors_of_10_and_7_and_5_elements_are_padded_one_by_one_at_stage_3() -> None:
    shapes = [(10,), (7,), (5,)]
    for rule in ("deepspeed", "fsdp2"):
        found = at(plan(shapes, rule, 4, recipe=PLAIN), 3)
        assert elements(found, "weights") == elements(found, "gradients") == [7] * 4
        assert found.padding("parameters") == 6
    assert elements(at(plan(shapes, "deepspeed", 4, recipe=PLAIN), 3), "o0") == [7] * 4
    # Rows of 10: 3 3 3 1; of 7: 2 2 2 1; of 5: 2 2 1 0
    assert elements(at(plan(shapes, "fsdp2", 4, recipe=PLAIN), 3), "o0") == [7, 7, 6, 2]


def test_lora_at_stage_2_keeps_frozen_weights_whole() -> None:
    found = at(plan(20_000_000, workers=8, frozen=7_000_000_000), 2)
    held = 2 * 7_020_000_000 + 14 * 20_000_000 // 8
    assert by_rank(found, "parameters") == [14_040_000_000] * 8
    assert [found.held(rank).total for rank in range(8)] == [held] * 8


# --- Small cases of each rule --------------------------------------------------------------------
def test_even_gives_the_first_ranks_one_element_more_of_trainable_and_frozen() -> None:
    found = at(plan(10, workers=4, frozen=7, recipe=PLAIN), 3)
    assert elements(found, "weights") == [3, 3, 2, 2]
    assert elements(found, "frozen weights") == [2, 2, 2, 1]
    assert elements(found, "o0") == [3, 3, 2, 2]
    # 2·3 + 2·2, twice 2·2 + 2·2 less one frozen element
    assert by_rank(found, "parameters") == [10, 10, 8, 6]
    assert (found.most_loaded, found.least_loaded) == (0, 3)


def test_even_on_more_ranks_than_elements_leaves_the_last_ranks_empty() -> None:
    found = at(plan(3, workers=5, recipe=PLAIN), 3)
    assert elements(found, "weights") == [1, 1, 1, 0, 0]
    assert (found.most_loaded, found.least_loaded) == (0, 3)


def test_a_million_and_three_parameters_on_seven_workers_lose_nothing() -> None:
    found = at(plan(1_000_003, workers=7), 3)
    # 1,000,003 = 7 · 142,857 + 4
    assert elements(found, "weights") == [142_858] * 4 + [142_857] * 3
    assert found.cluster_total == 16 * 1_000_003


def test_fsdp2_treats_a_scalar_as_one_row_of_one_element() -> None:
    found = at(plan([(), (3, 5)], "fsdp2", 2, recipe=PLAIN), 3)
    assert elements(found, "weights") == [11, 11]
    assert elements(found, "o0") == [11, 5]


def test_fsdp2_cuts_frozen_tensors_as_well() -> None:
    tensors = [Tensor("a", (5, 2)), Tensor("b", (3, 4), frozen=True)]
    found = at(plan(tensors, "fsdp2", 2, recipe=keeps(frozen_weights="fp8")), 3)
    # ⌈5/2⌉ rows of 2 in bf16 and ⌈3/2⌉ rows of 4 in one byte
    assert by_rank(found, "parameters") == [20, 20]
    assert by_rank(found, "gradients") == [12, 12]


def test_an_empty_tensor_holds_nothing_under_any_rule() -> None:
    for rule, stage in (("even", 3), ("deepspeed", 3), ("fsdp2", 3), ("torch-zero1", 1)):
        found = at(plan([(0, 4), (4, 0), (0,)], rule, 3), stage)
        assert [found.held(rank).total for rank in range(3)] == [0, 0, 0]


@pytest.mark.parametrize(
    ("rule", "stage"), [("even", 0), ("deepspeed", 0), ("fsdp2", 0), ("torch-zero1", 0)]
)
def test_stage_0_keeps_everything_on_every_rank_without_padding(rule: str, stage: int) -> None:
    found = at(plan([(10,), (7, 3), Tensor("f", (5,), frozen=True)], rule, 3), stage)
    assert by_rank(found, "parameters") == [2 * 36] * 3
    assert by_rank(found, "gradients") == [2 * 31] * 3
    assert by_rank(found, "optimizer") == [12 * 31] * 3


# --- torch-zero1: whole tensors, greedily --------------------------------------------------------
def test_torch_zero1_gives_the_largest_tensors_first_to_the_least_loaded_rank() -> None:
    found = at(plan([(5,), (9,), (5,), (9,), (2,)], "torch-zero1", 3, recipe=PLAIN), 1)
    # 9 to rank 0, 9 to rank 1, 5 to rank 2, 5 to rank 2 (it had 5), 2 to rank 0 (9, as rank 1)
    assert elements(found, "o0") == [11, 9, 10]
    assert by_rank(found, "optimizer") == [44, 36, 40]
    assert elements(found, "weights") == elements(found, "gradients") == [30] * 3
    assert found.padding("optimizer") == 0


def test_torch_zero1_takes_equal_sizes_in_model_order() -> None:
    # Adafactor's factors tell two tensors of 9 elements apart: 9 for a vector, 6 for 3 × 3.
    factors = keeps(OptimizerTensor("factors", "fp32", "factors"))
    for shapes, held in (([(9,), (3, 3)], [9, 6]), ([(3, 3), (9,)], [6, 9])):
        found = at(plan(shapes, "torch-zero1", 2, recipe=factors), 1)
        assert elements(found, "factors") == held


def test_torch_zero1_expands_counted_tensors_one_by_one() -> None:
    tensors = [Tensor("layer{i}", (4,), count=3), Tensor("head", (6,))]
    found = at(plan(tensors, "torch-zero1", 2, recipe=PLAIN), 1)
    # 6 to rank 0; 4 to rank 1 (4), 4 to rank 1 (8), 4 to rank 0 (10)
    assert elements(found, "o0") == [10, 8]


def test_torch_zero1_leaves_frozen_tensors_out_of_the_balance() -> None:
    tensors = [Tensor("f", (9,), frozen=True), Tensor("a", (5,)), Tensor("b", (4,))]
    found = at(plan(tensors, "torch-zero1", 2, recipe=PLAIN), 1)
    assert elements(found, "o0") == [5, 4]
    assert by_rank(found, "parameters") == [36, 36]


# --- Hybrid sharding -----------------------------------------------------------------------------
def test_consecutive_shard_groups_repeat_the_pattern() -> None:
    found = at(plan(10, workers=8, group=4, recipe=PLAIN), 3)
    assert elements(found, "o0") == [3, 3, 2, 2] * 2
    assert by_rank(found, "optimizer") == [12, 12, 8, 8] * 2
    runs = [(run.first, run.count, run.held.optimizer) for run in found.runs()]
    assert runs == [(0, 2, 12), (2, 2, 8), (4, 2, 12), (6, 2, 8)]
    assert found.cluster_total == 2 * 8 * 10


def test_groups_of_one_rank_partition_nothing() -> None:
    found = at(plan(10, workers=8, group=1, recipe=PLAIN), 3)
    assert [(run.first, run.count) for run in found.runs()] == [(0, 8)]
    assert found.held(7).total == 80


def test_a_group_of_all_workers_is_the_same_as_none() -> None:
    for rule in ("even", "deepspeed", "fsdp2"):
        whole = at(plan([(10, 3), (7,)], rule, 4, group=4), 3)
        assert list(whole.runs()) == list(at(plan([(10, 3), (7,)], rule, 4), 3).runs())


def test_deepspeed_pads_to_twice_the_shard_group() -> None:
    found = at(plan(57, "deepspeed", 8, group=2, recipe=PLAIN), 1)
    assert elements(found, "o0") == [30] * 8
    # Padding of one shard group.
    assert found.padding("optimizer") == 3


@pytest.mark.parametrize("size", [3, 5, 16])
def test_a_group_that_does_not_divide_the_workers_is_refused(size: int) -> None:
    settings: tuple[dict[str, Any], ...] = ({"group": size}, {"secondary_group": size})
    for setting in settings:
        (field,) = setting
        with pytest.raises(InputError, match=rf"sharding\.{field} .*does not divide the 8"):
            plan(10, workers=8, **setting)


# --- Stages that an engine does not have ---------------------------------------------------------
@pytest.mark.parametrize("shapes", [True, False])
def test_each_rule_offers_the_stages_of_its_engine(shapes: bool) -> None:
    offered = {
        name: [stage for stage in STAGES if rule.not_offered(stage, shapes) is None]
        for name, rule in RULES.items()
    }
    assert offered == {
        "even": [0, 1, 2, 3],
        "deepspeed": [0, 1, 2, 3],
        "fsdp2": [0, 3],
        "torch-zero1": [0, 1] if shapes else [0],
    }


def test_the_reason_names_what_is_missing() -> None:
    assert "reshard_after_forward=False" in (RULES["fsdp2"].not_offered(2, True) or "")
    assert "needs a tensor list" in (RULES["torch-zero1"].not_offered(1, False) or "")
    assert RULES["torch-zero1"].not_offered(3, True)


def test_a_model_parallel_slice_has_no_shapes_for_torch_zero1() -> None:
    part = Slice.of(plan([(4, 4), (4,)], "torch-zero1", m=2))
    assert not part.known_shapes
    assert part.rule.not_offered(1, part.known_shapes)


@pytest.mark.parametrize(
    "setting", [{"group": 2}, {"offload_optimizer": "host"}, {"offload_weights": "nvme"}]
)
def test_torch_zero1_refuses_groups_and_offload_by_name(setting: dict[str, Any]) -> None:
    (field,) = setting
    with pytest.raises(InputError) as refused:
        plan([(4,)], "torch-zero1", **setting)
    assert refused.value.field == f"sharding.{field}"
    assert "torch-zero1" in str(refused.value)


def test_a_count_is_one_flat_tensor_for_a_rule_that_needs_shapes() -> None:
    def held(scenario: Scenario) -> list[int]:
        found = at(scenario, 3)
        assert not found.exact
        return elements(found, "weights") + elements(found, "frozen weights")

    assert held(plan(10, "deepspeed", 4, frozen=5)) == [3] * 4 + [2] * 4
    assert held(plan(10, "fsdp2", 4, frozen=5)) == [3] * 4 + [2] * 4
    found = at(plan(10, "fsdp2", 4, recipe=PLAIN), 3)
    assert elements(found, "o0") == [3, 3, 3, 1]
    assert line(found, "weights").layout.padding == 2
