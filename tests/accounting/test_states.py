"""What else a rank keeps: accumulation, masters, copies, offload, slices, and partial states."""

from typing import Any

import pytest

from tests.accounting.scenes import Shapes, at, by_rank, elements, keeps, line, plan
from zerogui.accounting.budget import StageBudget
from zerogui.accounting.model import Tensor
from zerogui.accounting.recipe import OptimizerTensor, Recipe, adam

TEN = 10  # elements; on 4 ranks evenly 3, 3, 2, 2
STAGES = range(4)


# --- Accumulation --------------------------------------------------------------------------------
@pytest.mark.parametrize(("stage", "held"), [(0, [60] * 4), (1, [60] * 4)])
def test_a_whole_accumulation_buffer_stands_beside_the_gradients(
    stage: int, held: list[int]
) -> None:
    found = at(plan(TEN, recipe=keeps(accumulation="fp32")), stage)
    assert by_rank(found, "gradients") == held


@pytest.mark.parametrize("stage", [2, 3])
def test_partitioned_gradients_are_held_in_the_accumulation_dtype_instead(stage: int) -> None:
    found = at(plan(TEN, recipe=keeps(accumulation="fp32")), stage)
    assert by_rank(found, "gradients") == [12, 12, 8, 8]


def test_accumulation_in_the_gradients_own_dtype_is_a_buffer_too() -> None:
    recipe = keeps(accumulation="bf16")
    held = [at(plan(TEN, recipe=recipe), stage).held(0).gradients for stage in range(4)]
    assert held == [40, 40, 6, 6]


def test_deepspeeds_accumulation_buffer_at_stage_1_is_padded() -> None:
    # A = 16 on 4 ranks; 10 gradients of 2 bytes stay unpadded.
    recipe = keeps(accumulation="fp32")
    held = [at(plan(TEN, "deepspeed", recipe=recipe), stage).held(0).gradients for stage in STAGES]
    assert held == [20 + 40, 20 + 64, 4 * 4, 4 * 3]
    assert at(plan(TEN, "deepspeed", recipe=recipe), 1).padding("gradients") == 6


def test_other_engines_accumulate_unpadded() -> None:
    recipe = keeps(accumulation="fp32")
    for rule, stage in (("fsdp2", 0), ("torch-zero1", 0), ("torch-zero1", 1)):
        assert by_rank(at(plan([(5, 2)], rule, recipe=recipe), stage), "gradients") == [60] * 4
    assert by_rank(at(plan([(5, 2)], "fsdp2", recipe=recipe), 3), "gradients") == [16] * 4


# --- DeepSpeed's fp32 master ---------------------------------------------------------------------
@pytest.mark.parametrize("optimizer", [(), adam(None, "fp32")])
def test_deepspeed_clones_an_fp32_master_of_fp32_weights(
    optimizer: tuple[OptimizerTensor, ...],
) -> None:
    scenario = plan(TEN, "deepspeed", recipe=Recipe(weights="fp32", optimizer=optimizer))
    assert "master weights" not in [entry.name for entry in at(scenario, 0).lines]
    for stage, share in ((1, 4), (2, 4), (3, 3)):
        found = at(scenario, stage)
        master = line(found, "master weights")
        assert (master.state, master.dtype.name) == ("optimizer", "fp32")
        assert elements(found, "master weights") == [share] * 4
        assert by_rank(found, "optimizer") == [4 * share * (1 + len(optimizer))] * 4
        assert any("master" in note for note in found.notes)
        assert found.exact == (stage != 3)


@pytest.mark.parametrize("name", ["Master weights", "master weights ", "master"])
def test_only_the_exact_name_counts_as_the_master(name: str) -> None:
    kept = (OptimizerTensor(name, "fp32"),)
    found = at(plan(TEN, "deepspeed", recipe=Recipe(weights="fp32", optimizer=kept)), 1)
    assert by_rank(found, "optimizer") == [32] * 4


def test_no_master_is_added_where_the_recipe_has_one_or_weights_are_not_fp32() -> None:
    for recipe in (
        Recipe(weights="fp32", optimizer=adam("bf16", "fp32")),
        Recipe(weights="bf16", optimizer=adam(None, "fp32")),
        Recipe(weights="fp16"),
    ):
        found = at(plan(TEN, "deepspeed", recipe=recipe), 2)
        assert len([entry for entry in found.lines if entry.state == "optimizer"]) == len(
            recipe.optimizer
        )
        assert found.notes == ()


@pytest.mark.parametrize(("rule", "stage"), [("even", 3), ("fsdp2", 3), ("torch-zero1", 1)])
def test_no_other_engine_adds_a_master(rule: str, stage: int) -> None:
    found = at(plan([(5, 2)], rule, recipe=keeps(weights="fp32")), stage)
    assert by_rank(found, "optimizer") == [0] * 4


# --- Copies of weights: persistence threshold, hpZ -----------------------------------------------
SMALL: Shapes = [(10,), (7,), Tensor("f", (4,), frozen=True)]
PLAIN = keeps("fp32", frozen_weights="fp32")


@pytest.mark.parametrize(
    ("threshold", "gathered"),
    [(0, 0), (3, 0), (4, 4 * 4), (6, 4 * 4), (7, 4 * 4 + 2 * 7), (10, 4 * 4 + 2 * 17)],
)
def test_a_tensor_of_at_most_the_threshold_keeps_a_gathered_copy(
    threshold: int, gathered: int
) -> None:
    found = at(plan(SMALL, "deepspeed", recipe=PLAIN, persistence_threshold=threshold), 3)
    # Shards: 3 + 2 elements in bf16 and 1 in fp32.
    assert by_rank(found, "parameters") == [14 + gathered] * 4
    assert found.padding("parameters") == (12 - 10) + (8 - 7) + 0
    assert found.exact


def test_the_threshold_has_no_effect_elsewhere() -> None:
    for stage in (0, 1, 2):
        with_one = at(plan(SMALL, "deepspeed", persistence_threshold=99), stage)
        assert with_one.held(0) == at(plan(SMALL, "deepspeed"), stage).held(0)
    for rule in ("even", "fsdp2"):
        with_one = at(plan(SMALL, rule, persistence_threshold=99), 3)
        assert with_one.held(0) == at(plan(SMALL, rule), 3).held(0)


def test_hpz_keeps_a_secondary_copy_padded_to_all_workers() -> None:
    found = at(plan(SMALL, "deepspeed", 8, recipe=PLAIN, secondary_group=2), 3)
    # 8·⌈10/8⌉/2 = 8, 8·⌈7/8⌉/2 = 4 elements in bf16; 8·⌈4/8⌉/2 = 4 in fp32.
    shards = 2 * (2 + 1) + 4 * 1
    assert by_rank(found, "parameters") == [shards + 2 * 12 + 4 * 4] * 8
    # Shards of 8 ranks: 16 + 8 for 10 + 7, 8 for 4; the copies are no padding.
    assert found.padding("parameters") == 6 + 1 + 4


def test_hpz_counts_all_workers_also_in_a_shard_group() -> None:
    found = at(plan([(10,)], "deepspeed", 8, group=4, secondary_group=2), 3)
    # 3 elements sharded over 4 ranks and 8·⌈10/8⌉/2 = 8.
    assert by_rank(found, "parameters") == [2 * (3 + 8)] * 8


def test_hpz_has_no_effect_elsewhere() -> None:
    for stage in (0, 1, 2):
        assert (
            at(plan(SMALL, "deepspeed", secondary_group=2), stage).held(0)
            == at(plan(SMALL, "deepspeed"), stage).held(0)
        )  # fmt: skip
    assert at(plan(SMALL, "even", secondary_group=2), 3).held(0) == at(plan(SMALL), 3).held(0)


# --- Offload -------------------------------------------------------------------------------------
def tiers(found: StageBudget) -> tuple[int, int, int]:
    """Bytes of rank 0 on device, host and nvme."""
    on = found.tiers
    return on["device"].at(0), on["host"].at(0), on["nvme"].at(0)


@pytest.mark.parametrize(
    ("rule", "optimizer", "weights", "held"),
    [
        # T = 8 on 4 ranks, 2 each: weights and gradients 4 of 16 bytes, optimizer 24 of 96.
        ("even", "host", "device", [(128, 0, 0), (32, 24, 0), (20, 24, 0), (8, 24, 0)]),
        ("even", "nvme", "host", [(128, 0, 0), (32, 0, 24), (20, 0, 24), (4, 4, 24)]),
        ("even", "device", "nvme", [(128, 0, 0), (56, 0, 0), (44, 0, 0), (28, 0, 4)]),
        ("deepspeed", "host", "device", [(128, 0, 0), (32, 24, 0), (16, 28, 0), (4, 28, 0)]),
        ("deepspeed", "nvme", "device", [(128, 0, 0), (32, 0, 24), (16, 4, 24), (4, 4, 24)]),
        ("deepspeed", "nvme", "nvme", [(128, 0, 0), (32, 0, 24), (16, 4, 24), (0, 4, 28)]),
        ("deepspeed", "device", "host", [(128, 0, 0), (56, 0, 0), (44, 0, 0), (28, 4, 0)]),
    ],
)
def test_offload_moves_what_is_partitioned(
    rule: str, optimizer: str, weights: str, held: list[tuple[int, int, int]]
) -> None:
    scenario = plan(8, rule, offload_optimizer=optimizer, offload_weights=weights)
    assert [tiers(at(scenario, stage)) for stage in range(4)] == held
    for stage in range(4):
        assert sum(held[stage]) == at(scenario, stage).held(0).total


def test_deepspeeds_accumulated_gradients_go_to_the_host_but_no_whole_buffer_does() -> None:
    recipe = keeps(accumulation="fp32")
    scenario = plan(8, "deepspeed", recipe=recipe, offload_optimizer="host")
    # A = 8: at stage 1 16 + 16 + 32 bytes stay, at 2 and 3 two elements of 4 bytes go.
    held = [tiers(at(scenario, stage)) for stage in (1, 2, 3)]
    assert held == [(64, 0, 0), (16, 8, 0), (4, 8, 0)]


def test_gathered_and_secondary_copies_stay_on_the_device() -> None:
    settings: dict[str, Any] = {"persistence_threshold": 7, "secondary_group": 2}
    scenario = plan([(10,), (7,)], "deepspeed", recipe=keeps(), offload_weights="host", **settings)
    found = at(scenario, 3)
    # Gathered 7; secondary 4·⌈10/4⌉/2 + 4·⌈7/4⌉/2 = 6 + 4; gradients 3 + 2; shards 3 + 2.
    assert tiers(found) == (2 * (7 + 10 + 5), 2 * 5, 0)


def test_frozen_shards_move_with_the_weights() -> None:
    found = at(plan(8, frozen=4, recipe=keeps(), offload_weights="host"), 3)
    assert tiers(found) == (4, 2 * (2 + 1), 0)


@pytest.mark.parametrize(
    ("per_node", "m", "host"),
    [(1, 1, 12), (3, 1, 32), (4, 1, 40), (100, 1, 40), (3, 2, 36), (5, 2, 56), (100, 2, 80)],
)
def test_a_node_adds_up_the_hosts_of_its_most_loaded_gpus(per_node: int, m: int, host: int) -> None:
    # Slices of 10 elements on 4 ranks: 3, 3, 2, 2 of 4 bytes; with M = 2 each rank is two GPUs.
    found = at(plan(TEN * m, recipe=keeps("fp32"), m=m, offload_optimizer="host"), 1)
    assert found.node("host", per_node) == host
    assert found.node("nvme", per_node) == 0


def test_a_node_takes_its_ranks_from_all_shard_groups() -> None:
    found = at(plan(TEN, workers=8, group=4, recipe=keeps("fp32"), offload_optimizer="nvme"), 1)
    # 12 bytes on ranks 0, 1, 4 and 5, 8 on the others.
    assert [found.node("nvme", gpus) for gpus in (4, 5, 8)] == [48, 56, 80]


# --- Model parallel, totals, communication -------------------------------------------------------
def test_model_parallel_divides_trainable_and_frozen_each_by_itself() -> None:
    found = at(plan(11, frozen=5, m=2), 0)
    assert (elements(found, "weights")[0], elements(found, "frozen weights")[0]) == (6, 3)
    assert found.cluster_total == 4 * 2 * (16 * 6 + 2 * 3)
    assert not found.exact


@pytest.mark.parametrize(
    ("options", "moved"),
    [
        ({}, [20, 20, 20, 2 * 14 + 10]),
        ({"m": 3}, [8, 8, 8, 2 * (4 + 2) + 4]),
        ({"workers": 1}, [20, 20, 20, 38]),
        ({"workers": 4, "group": 2}, [20, 20, 20, 38]),
    ],
)
def test_communication_is_the_papers_volume_in_elements(
    options: dict[str, Any], moved: list[int]
) -> None:
    assert [at(plan(TEN, frozen=4, **options), stage).communication for stage in range(4)] == moved
    padded = [at(plan(TEN, "deepspeed", frozen=4, **options), s).communication for s in range(4)]
    assert padded == moved


# --- Optimizer tensors over a part of the model --------------------------------------------------
PARTS: Shapes = [
    Tensor("embed_tokens.weight", (6, 4)),
    Tensor("layers.0.fc.weight", (5, 3)),
    Tensor("layers.0.fc.bias", (5,)),
    Tensor("conv.weight", (2, 3, 4)),
    Tensor("layers.1.fc.weight", (10, 10), frozen=True),
]
# factors: 6 + 4; 5 + 3; 5; 24/4 + 24/3
COVERED = {"all": 68, "matrices": 15, "rest": 53, "factors": 37}


@pytest.mark.parametrize("over", COVERED)
def test_a_partial_state_covers_the_tensors_that_its_optimizer_treats(over: str) -> None:
    recipe = keeps(OptimizerTensor("part", "fp32", over))
    for rule in ("even", "deepspeed", "fsdp2", "torch-zero1"):
        found = at(plan(PARTS, rule, recipe=recipe), 0)
        assert by_rank(found, "optimizer") == [4 * COVERED[over]] * 4
        assert found.exact


@pytest.mark.parametrize(
    "name", ["wte.weight", "h.wpe.weight", "lm_head.weight", "embed_out.weight", "output.weight",
             "embeddings.weight", "model.embed_positions.weight"],
)  # fmt: skip
def test_muon_leaves_embeddings_and_heads_to_adam(name: str) -> None:
    recipe = keeps(OptimizerTensor("m", "fp32", "matrices"), OptimizerTensor("r", "fp32", "rest"))
    found = at(plan([Tensor(name, (6, 4)), Tensor("fc.weight", (2, 2))], recipe=recipe), 0)
    assert (elements(found, "m")[0], elements(found, "r")[0]) == (4, 24)


def test_even_splits_a_partial_state_as_one_sum() -> None:
    found = at(plan(PARTS, recipe=keeps(OptimizerTensor("part", "bf16", "factors"))), 1)
    assert elements(found, "part") == [10, 9, 9, 9]
    assert found.exact


def test_even_keeps_a_partial_state_in_one_flat_buffer_at_stage_0() -> None:
    # 37 elements in one block, not four tensors of one block each.
    recipe = keeps(OptimizerTensor("part", "int8-block256", "factors"))
    assert by_rank(at(plan(PARTS, recipe=recipe), 0), "optimizer") == [37 + 4] * 4


def test_torch_zero1_keeps_a_partial_state_with_its_tensor() -> None:
    recipe = keeps(OptimizerTensor("part", "fp32", "factors"))
    # 24 and 24 to ranks 0 and 1, 15 to rank 0 (39), 5 to rank 1: factors 10 + 8 and 14 + 5.
    found = at(plan(PARTS, "torch-zero1", 2, recipe=recipe), 1)
    assert elements(found, "part") == [18, 19]
    assert found.exact


@pytest.mark.parametrize(("rule", "stage"), [("deepspeed", 1), ("deepspeed", 3), ("fsdp2", 3)])
def test_other_engines_price_a_partial_state_in_proportion_and_say_so(
    rule: str, stage: int
) -> None:
    recipe = keeps("fp32", OptimizerTensor("part", "fp32", "factors"))
    found = at(plan(PARTS, rule, 4, recipe=recipe), stage)
    assert not found.exact
    assert any("in proportion" in note for note in found.notes)
    for whole, part in zip(elements(found, "o0"), elements(found, "part"), strict=True):
        # 37 of 68 elements, rounded up to whole ones.
        assert whole * 37 <= part * 68 < whole * 37 + 68


# --- What is exact, and what is not --------------------------------------------------------------
BLOCKS = keeps("int8-block256")
YES, NO = True, False


@pytest.mark.parametrize(
    ("rule", "recipe", "options", "exact"),
    [
        ("even", PLAIN, {}, {0: YES, 1: YES, 2: YES, 3: YES}),
        ("even", BLOCKS, {"frozen": 3}, {0: YES, 1: YES, 2: YES, 3: YES}),
        ("even", PLAIN, {"m": 2}, {0: NO, 1: NO, 2: NO, 3: NO}),
        ("deepspeed", PLAIN, {}, {0: YES, 1: YES, 2: YES, 3: NO}),
        ("deepspeed", BLOCKS, {}, {0: NO, 1: YES, 2: YES, 3: NO}),
        ("deepspeed", keeps(weights="nf4-double"), {}, {0: NO, 1: YES, 2: YES, 3: NO}),
        ("deepspeed", keeps(gradients="int8-block256"), {}, {0: NO, 1: NO, 2: YES, 3: NO}),
        ("deepspeed", keeps(accumulation="nf4-block64"), {}, {0: NO, 1: YES, 2: YES, 3: NO}),
        (
            "deepspeed",
            keeps(frozen_weights="nf4-block64"),
            {"frozen": 3},
            {0: NO, 1: NO, 2: NO, 3: NO},
        ),
        ("deepspeed", keeps(frozen_weights="nf4-block64"), {}, {0: YES, 1: YES, 2: YES, 3: NO}),
        ("deepspeed", PLAIN, {"persistence_threshold": 9}, {0: YES, 1: YES, 2: YES, 3: NO}),
        ("fsdp2", PLAIN, {}, {0: YES, 3: NO}),
        ("fsdp2", BLOCKS, {}, {0: NO, 3: NO}),
        ("torch-zero1", PLAIN, {}, {0: YES}),
        ("torch-zero1", BLOCKS, {}, {0: NO}),
    ],
)
def test_a_count_is_exact_where_the_rule_needs_no_shapes(
    rule: str, recipe: Recipe, options: dict[str, Any], exact: dict[int, bool]
) -> None:
    scenario = plan(TEN, rule, recipe=recipe, **options)
    found = {stage: at(scenario, stage) for stage in exact}
    assert {stage: budget.exact for stage, budget in found.items()} == exact
    assert all(budget.notes for budget in found.values() if not budget.exact)


@pytest.mark.parametrize(
    ("rule", "stages"), [("even", STAGES), ("deepspeed", STAGES), ("fsdp2", (0, 3)),
                         ("torch-zero1", (0, 1))],
)  # fmt: skip
def test_a_tensor_list_is_exact_under_every_rule(rule: str, stages: range) -> None:
    for stage in stages:
        for recipe in (PLAIN, BLOCKS, keeps(frozen_weights="nf4-double", accumulation="int8")):
            assert at(plan(SMALL, rule, recipe=recipe), stage).exact


def test_a_partial_state_of_a_count_is_never_exact() -> None:
    recipe = keeps(OptimizerTensor("part", "fp32", "factors"))
    for rule, stage in (("even", 0), ("even", 3), ("deepspeed", 1), ("fsdp2", 0)):
        assert not at(plan(TEN, rule, recipe=recipe), stage).exact
