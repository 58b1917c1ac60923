"""What each edit does to a scenario, and what it says that it did besides."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zerogui.accounting.cluster import Cluster, Device
from zerogui.accounting.errors import InputError
from zerogui.accounting.model import Model, Tensor
from zerogui.accounting.recipe import MIXED_PRECISION_ADAM, OptimizerTensor, Recipe
from zerogui.accounting.scenario import Scenario
from zerogui.accounting.sharding import Sharding
from zerogui.planning import edits
from zerogui.planning.edits import Edit, apply

H100 = Device("H100 80GB", 85_520_809_984)
SEED = Scenario("", Model("1B", 1_000_000_000), MIXED_PRECISION_ADAM, device=H100)
LISTED = Model.of("tiny", (Tensor("a", (8, 8)), Tensor("b", (4,), True)))


def after(scenario: Scenario, edit: Edit) -> Scenario:
    """The scenario that an edit without side effects leads to."""
    applied = apply(scenario, edit)
    assert applied.notes == ()
    return applied.scenario


def refusal(scenario: Scenario, edit: Edit) -> str:
    with pytest.raises(InputError) as refused:
        apply(scenario, edit)
    return str(refused.value)


# Model


def test_a_typed_count_is_the_models_and_clears_its_name() -> None:
    edit = edits.set_parameters(7_500_000_000)
    assert edit.title == "Change parameters to 7.5\u00a0B"
    assert after(SEED, edit).model == Model("", 7_500_000_000)


def test_typing_the_same_count_keeps_the_name() -> None:
    assert after(SEED, edits.set_parameters(1_000_000_000)) == SEED


def test_a_typed_count_drops_a_tensor_list_and_says_so() -> None:
    applied = apply(replace(SEED, model=LISTED), edits.set_parameters(100))
    assert applied.scenario.model == Model("", 100, 4)
    assert applied.notes == ("The tensor list is dropped: the model is a parameter count now.",)


def test_a_count_below_the_frozen_part_lowers_it_and_says_so() -> None:
    frozen = replace(SEED, model=Model("", 1_000, 900))
    applied = apply(frozen, edits.set_parameters(500))
    assert applied.scenario.model == Model("", 500, 500)
    assert applied.notes == ("Frozen parameters are lowered from 900 to all 500.",)


def test_a_negative_count_is_refused() -> None:
    assert refusal(SEED, edits.set_parameters(-1)) == (
        "model.parameters is -1; use a whole number from 0 to 1,000,000,000,000,000,000."
    )


def test_frozen_parameters_keep_the_models_name() -> None:
    edit = edits.set_frozen_parameters(999_000_000)
    assert edit.title == "Change frozen parameters to 999\u00a0M"
    assert after(SEED, edit).model == Model("1B", 1_000_000_000, 999_000_000)


def test_more_frozen_parameters_than_there_are_is_refused() -> None:
    assert refusal(SEED, edits.set_frozen_parameters(1_000_000_001)) == (
        "model.frozen_parameters is 1,000,000,001, more than all 1,000,000,000 parameters;"
        " use at most model.parameters."
    )


def test_frozen_parameters_that_differ_from_the_tensor_list_drop_it() -> None:
    listed = replace(SEED, model=LISTED)
    applied = apply(listed, edits.set_frozen_parameters(5))
    assert applied.scenario.model == Model("tiny", 68, 5)
    assert applied.notes == ("The tensor list is dropped: it marks 4 parameters as frozen.",)
    assert after(listed, edits.set_frozen_parameters(4)) == listed


def test_a_chosen_model_replaces_the_model() -> None:
    edit = edits.choose_model(LISTED)
    assert edit.title == "Choose model tiny"
    assert after(SEED, edit) == replace(SEED, model=LISTED)


def test_a_title_is_one_line_that_can_be_saved() -> None:
    edit = edits.set_title("  7.5B\non 64\tGPUs \ud83d")
    assert after(SEED, edit).title == "7.5B on 64 GPUs ?"
    assert edit.title == "Change title to 7.5B on 64 GPUs ?"
    assert edits.set_title(" ").title == "Clear the title"


def test_a_very_long_title_is_short_in_the_undo_menu() -> None:
    assert edits.set_title("x" * 500).title == f"Change title to {'x' * 39}…"
    assert refusal(SEED, edits.set_title("x" * 1001)).startswith("title has 1,001 characters")


# Recipe


def test_a_chosen_recipe_keeps_its_name() -> None:
    sgd = Recipe("SGD", "fp32", "fp32", (OptimizerTensor("momentum", "fp32"),))
    edit = edits.choose_recipe(sgd)
    assert edit.title == "Choose recipe SGD"
    assert after(SEED, edit).recipe == sgd


def test_a_changed_dtype_makes_the_recipe_custom() -> None:
    edit = edits.set_dtype("gradients", "fp32")
    assert edit.title == "Change gradients to fp32"
    assert after(SEED, edit).recipe == replace(
        MIXED_PRECISION_ADAM, name="Custom", gradients="fp32"
    )


def test_choosing_the_same_dtype_again_changes_nothing() -> None:
    assert after(SEED, edits.set_dtype("gradients", "bf16")) == SEED
    assert after(SEED, edits.set_optimizer_dtype(0, "fp32")) == SEED
    assert after(SEED, edits.rename_optimizer_tensor(0, "master weights")) == SEED


def test_gradients_may_accumulate_apart_or_in_place() -> None:
    apart = after(SEED, edits.set_dtype("accumulation", "fp32"))
    assert apart.recipe.accumulation == "fp32"
    edit = edits.set_dtype("accumulation", None)
    assert edit.title == "Accumulate gradients in place"
    assert after(apart, edit).recipe == replace(MIXED_PRECISION_ADAM, name="Custom")


def test_optimizer_tensors_can_be_changed_one_by_one() -> None:
    changed = after(SEED, edits.set_optimizer_dtype(1, "bf16"))
    changed = after(changed, edits.rename_optimizer_tensor(2, " variance "))
    changed = after(changed, edits.remove_optimizer_tensor(0))
    changed = after(changed, edits.add_optimizer_tensor())
    assert changed.recipe.name == "Custom"
    assert changed.recipe.optimizer == (
        OptimizerTensor("first moment", "bf16"),
        OptimizerTensor("variance", "fp32"),
        OptimizerTensor("tensor 3", "fp32"),
    )
    assert edits.set_optimizer_dtype(1, "bf16").title == "Change optimizer tensor 2 to bf16"
    assert edits.remove_optimizer_tensor(0).title == "Remove optimizer tensor 1"
    assert edits.rename_optimizer_tensor(0, "m").title == "Rename optimizer tensor 1 to m"


def test_an_added_tensor_has_a_name_of_its_own() -> None:
    taken = (OptimizerTensor("tensor 3", "bf16"), OptimizerTensor("tensor 4", "int8"))
    scenario = replace(SEED, recipe=Recipe("", "bf16", "bf16", taken))
    added = after(scenario, edits.add_optimizer_tensor()).recipe.optimizer[2]
    assert added == OptimizerTensor("tensor 5", "int8")
    empty = replace(SEED, recipe=Recipe())
    assert after(empty, edits.add_optimizer_tensor()).recipe.optimizer == (
        OptimizerTensor("tensor 1", "fp32"),
    )


def test_an_optimizer_tensor_keeps_what_it_covers() -> None:
    muon = Recipe("Muon", "bf16", "bf16", (OptimizerTensor("momentum", "bf16", "matrices"),))
    changed = after(replace(SEED, recipe=muon), edits.set_optimizer_dtype(0, "fp32"))
    assert changed.recipe.optimizer == (OptimizerTensor("momentum", "fp32", "matrices"),)


@pytest.mark.parametrize("index", [-1, 3])
def test_an_optimizer_tensor_that_is_not_there_is_refused(index: int) -> None:
    assert refusal(SEED, edits.remove_optimizer_tensor(index)).startswith(
        f"recipe.optimizer has no tensor {index + 1};"
    )


def test_names_and_dtypes_that_do_not_do_are_refused() -> None:
    assert refusal(SEED, edits.rename_optimizer_tensor(1, "master weights")).startswith(
        "recipe.optimizer[1].name is "
    )
    assert refusal(SEED, edits.rename_optimizer_tensor(1, " ")).startswith(
        "recipe.optimizer[1].name is empty"
    )
    assert refusal(SEED, edits.set_optimizer_dtype(1, "bf17")).startswith(
        "recipe.optimizer[1].dtype is "
    )
    assert refusal(SEED, edits.set_dtype("weights", None)).startswith("recipe.weights has no dtype")


# Cluster


def test_workers_change_and_groups_that_divide_them_stay() -> None:
    grouped = replace(SEED, cluster=Cluster(64), sharding=Sharding("even", 2, 8, 16))
    edit = edits.set_workers(128)
    assert edit.title == "Change workers to 128"
    changed = after(grouped, edit)
    assert changed.cluster == Cluster(128)
    assert changed.sharding == Sharding("even", 2, 8, 16)


def test_groups_that_no_longer_divide_the_workers_are_reset_and_said() -> None:
    grouped = replace(SEED, cluster=Cluster(64), sharding=Sharding("deepspeed", 3, 8, 16))
    applied = apply(grouped, edits.set_workers(60))
    assert applied.scenario.sharding == Sharding("deepspeed", 3)
    assert applied.notes == (
        "The shard group of 8 does not divide 60 workers, so states are sharded over all of them.",
        "The secondary group of 16 does not divide 60 workers, so it is off.",
    )
    applied = apply(grouped, edits.set_workers(8))
    assert applied.scenario.sharding == Sharding("deepspeed", 3, 8)
    assert len(applied.notes) == 1
    assert "does not divide 1 worker," in apply(grouped, edits.set_workers(1)).notes[1]


def test_no_workers_at_all_is_refused_before_anything_is_divided() -> None:
    grouped = replace(SEED, sharding=Sharding(group=2))
    assert refusal(grouped, edits.set_workers(0)) == (
        "cluster.workers is 0; use a whole number from 1 to 1,048,576."
    )


def test_nodes_and_model_parallel_change_by_themselves() -> None:
    changed = after(after(SEED, edits.set_workers_per_node(4)), edits.set_model_parallel(16))
    assert changed.cluster == Cluster(4, 4, 16)
    assert edits.set_workers_per_node(4).title == "Change GPUs per node to 4"
    assert edits.set_model_parallel(16).title == "Change model parallel to 16"


# Sharding


def test_a_rule_with_the_current_stage_keeps_it() -> None:
    staged = replace(SEED, sharding=Sharding("even", 3))
    edit = edits.choose_rule("fsdp2")
    assert edit.title == "Choose partition rule PyTorch FSDP2"
    assert after(staged, edit).sharding == Sharding("fsdp2", 3)


def test_a_rule_without_the_current_stage_moves_to_the_nearest_lower_one() -> None:
    staged = replace(SEED, sharding=Sharding("even", 2))
    applied = apply(staged, edits.choose_rule("fsdp2"))
    assert applied.scenario.sharding == Sharding("fsdp2", 0)
    assert len(applied.notes) == 1
    assert applied.notes[0].startswith("Stage 2 becomes stage 0 with PyTorch FSDP2: ")


def test_whole_tensors_go_to_ranks_only_where_tensors_are_known() -> None:
    staged = replace(SEED, sharding=Sharding("even", 3))
    counted = apply(staged, edits.choose_rule("torch-zero1"))
    assert counted.scenario.sharding.stage == 0
    listed = apply(replace(staged, model=LISTED), edits.choose_rule("torch-zero1"))
    assert listed.scenario.sharding.stage == 1
    split = replace(staged, model=LISTED, cluster=Cluster(4, 8, 2))
    assert apply(split, edits.choose_rule("torch-zero1")).scenario.sharding.stage == 0


def test_a_rule_without_groups_and_offload_resets_them_and_says_so() -> None:
    sharding = Sharding("deepspeed", 0, 2, None, 100, "host", "nvme")
    applied = apply(replace(SEED, sharding=sharding), edits.choose_rule("torch-zero1"))
    assert applied.scenario.sharding == Sharding("torch-zero1", 0, None, None, 100)
    title = "PyTorch ZeroRedundancyOptimizer"
    assert applied.notes == (
        f"{title} has no shard group, so states are sharded over all workers.",
        f"{title} has no optimizer offload, so optimizer states stay on the device.",
        f"{title} has no weight offload, so weights stay on the device.",
    )


def test_an_unknown_rule_is_refused() -> None:
    assert refusal(SEED, edits.choose_rule("megatron")).startswith("sharding.rule is ")


def test_sharding_settings_change_one_by_one() -> None:
    changed = SEED
    for edit in (
        edits.set_stage(3),
        edits.set_group(2),
        edits.set_secondary_group(4),
        edits.set_persistence_threshold(100_000),
        edits.set_offload_optimizer("host"),
        edits.set_offload_weights("nvme"),
    ):
        changed = after(changed, edit)
    assert changed.sharding == Sharding("even", 3, 2, 4, 100_000, "host", "nvme")
    changed = after(after(changed, edits.set_group(None)), edits.set_secondary_group(None))
    assert changed.sharding == Sharding("even", 3, None, None, 100_000, "host", "nvme")


def test_sharding_edits_have_readable_titles() -> None:
    assert edits.set_stage(3).title == "Change stage to 3"
    assert edits.set_group(8).title == "Change shard group to 8"
    assert edits.set_group(None).title == "Shard over all workers"
    assert edits.set_secondary_group(8).title == "Change secondary group to 8"
    assert edits.set_secondary_group(None).title == "Turn the secondary group off"
    assert edits.set_offload_optimizer("host").title == "Move optimizer states to host"
    assert edits.set_offload_weights("nvme").title == "Move weights to nvme"


def test_sharding_settings_that_do_not_do_are_refused() -> None:
    assert refusal(SEED, edits.set_group(3)).startswith("sharding.group is 3, which does not")
    assert refusal(SEED, edits.set_stage(4)).startswith("sharding.stage is 4")
    assert refusal(SEED, edits.set_offload_weights("cpu")).startswith("sharding.offload_weights")
    zero1 = replace(SEED, sharding=Sharding("torch-zero1"))
    assert refusal(zero1, edits.set_group(2)).startswith("sharding.group is 2")


# Device


def test_the_reserve_belongs_to_the_run_and_outlives_the_device() -> None:
    reserved = after(SEED, edits.set_reserve(5_000_000_000))
    assert reserved.device == Device("H100 80GB", 85_520_809_984, 5_000_000_000)
    a100 = Device("A100 40GB", 42_949_672_960)
    edit = edits.choose_device(a100)
    assert edit.title == "Choose device A100 40GB"
    assert after(reserved, edit).device == Device("A100 40GB", 42_949_672_960, 5_000_000_000)


def test_no_device_drops_the_reserve() -> None:
    reserved = after(SEED, edits.set_reserve(5_000_000_000))
    edit = edits.choose_device(None)
    assert edit.title == "Choose no device"
    bare = after(reserved, edit)
    assert bare.device is None
    assert after(bare, edits.choose_device(H100)).device == H100
    assert refusal(bare, edits.set_reserve(1)) == (
        "device.reserve needs a device; choose a device first."
    )


def test_typed_memory_makes_the_device_custom() -> None:
    edit = edits.set_memory(64_000_000_000)
    assert edit.title == "Change memory to 64.0\u00a0GB"
    assert after(SEED, edit).device == Device("Custom device", 64_000_000_000)
    assert after(SEED, edits.set_memory(85_520_809_984)) == SEED
    bare = replace(SEED, device=None)
    assert after(bare, edit).device == Device("Custom device", 64_000_000_000)
    assert edits.set_reserve(500_000_000).title == "Change reserve to 0.5\u00a0GB"


# All of them


def test_an_opened_file_is_one_step() -> None:
    opened = Scenario("other", LISTED)
    edit = edits.replace_all(opened, "Open other.zerogui.json")
    assert edit.title == "Open other.zerogui.json"
    assert after(SEED, edit) == opened


NUMBER = st.integers(-1, 70) | st.sampled_from([2**20, 2**20 + 1, 10**18, 10**18 + 1])
TEXT = st.text(max_size=5)
TIER = st.sampled_from(["device", "host", "nvme", "cpu"])
DTYPE = st.sampled_from(["fp32", "bf16", "nf4-double", "bf17"])
EDITS = st.one_of(
    st.builds(edits.set_title, TEXT),
    st.builds(edits.set_parameters, NUMBER),
    st.builds(edits.set_frozen_parameters, NUMBER),
    st.just(edits.choose_model(LISTED)),
    st.builds(edits.set_dtype, st.sampled_from(["weights", "accumulation"]), DTYPE | st.none()),
    st.builds(edits.set_optimizer_dtype, st.integers(-1, 4), DTYPE),
    st.just(edits.add_optimizer_tensor()),
    st.builds(edits.remove_optimizer_tensor, st.integers(-1, 4)),
    st.builds(edits.rename_optimizer_tensor, st.integers(-1, 4), TEXT),
    st.builds(edits.set_workers, NUMBER),
    st.builds(edits.set_workers_per_node, NUMBER),
    st.builds(edits.set_model_parallel, NUMBER),
    st.builds(edits.choose_rule, st.sampled_from(["even", "deepspeed", "fsdp2", "torch-zero1"])),
    st.builds(edits.set_stage, st.integers(-1, 4)),
    st.builds(edits.set_group, NUMBER | st.none()),
    st.builds(edits.set_secondary_group, NUMBER | st.none()),
    st.builds(edits.set_persistence_threshold, NUMBER),
    st.builds(edits.set_offload_optimizer, TIER),
    st.builds(edits.set_offload_weights, TIER),
    st.builds(edits.choose_device, st.sampled_from([None, H100])),
    st.builds(edits.set_memory, NUMBER),
    st.builds(edits.set_reserve, NUMBER),
)


@given(st.lists(EDITS, min_size=1, max_size=12))
def test_any_row_of_edits_ends_in_a_valid_scenario(
    row: list[Edit],
) -> None:
    scenario = SEED
    for edit in row:
        assert edit.title.isprintable() or "\u2009" in edit.title or "\u00a0" in edit.title
        try:
            applied = apply(scenario, edit)
        except InputError:
            continue
        scenario = applied.scenario
        # Every part validates itself, so a copy made part by part must come out the same.
        assert replace(scenario, model=replace(scenario.model)) == scenario
        assert all(note.endswith(".") for note in applied.notes)
