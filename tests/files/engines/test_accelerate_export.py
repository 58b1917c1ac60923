"""Accelerate configs: what a scenario makes of them, and that they bring it back."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given

from tests.files.engines.engine_scenes import MODEL, anything, conforms, fsdp2_scenarios, reset
from zerogui.accounting.cluster import Cluster
from zerogui.accounting.errors import InputError
from zerogui.accounting.model import Model, Tensor
from zerogui.accounting.scenario import Scenario
from zerogui.accounting.sharding import Sharding
from zerogui.catalog import recipe_named
from zerogui.files.engines.accelerate_config import read_accelerate, write_accelerate

EIGHT = Scenario(cluster=Cluster(8))
FP32 = recipe_named("fp32 AdamW").recipe


def _opened(text: str | bytes, onto: Scenario = EIGHT) -> tuple[Scenario, tuple[str, ...]]:
    return read_accelerate(text, "fsdp.yaml").apply(onto)


PLAN = Scenario(
    "Two nodes\nof four",
    MODEL,
    FP32,
    Cluster(8, 4),
    Sharding("fsdp2", 3, 4),
)
# Per rank and in each fp32 state: wte 25 rows of 16, three fc of 4 rows of 64; frozen norms of
# 4 elements each, in bf16.
WRITTEN = """\
# Plan: Two nodes\\nof four
# Expected: 18,712 bytes of model states on the fullest of 8 ranks: parameters 4,696, gradients
#   4,672, optimizer 9,344.
compute_environment: LOCAL_MACHINE
debug: false
distributed_type: FSDP
downcast_bf16: 'no'
enable_cpu_affinity: false
fsdp_config:
  fsdp_version: 2
  fsdp_reshard_after_forward: true
  fsdp_offload_params: false
  fsdp_auto_wrap_policy: TRANSFORMER_BASED_WRAP
  fsdp_state_dict_type: SHARDED_STATE_DICT
  fsdp_cpu_ram_efficient_loading: true
  fsdp_activation_checkpointing: false
machine_rank: 0
main_training_function: main
mixed_precision: 'no'
num_machines: 2
num_processes: 8
parallelism_config:
  parallelism_config_dp_replicate_size: 2
  parallelism_config_dp_shard_size: 4
  parallelism_config_tp_size: 1
  parallelism_config_cp_size: 1
rdzv_backend: static
same_network: true
use_cpu: false
"""


def test_the_export_of_a_plan_is_a_config_with_expected_bytes_and_defaults() -> None:
    export = write_accelerate(PLAN)
    assert (export.name, export.lost) == ("accelerate_config.yaml", ())
    assert export.text == WRITTEN


@pytest.mark.parametrize("rule", ["even", "torch-zero1"])
def test_a_plan_without_an_engine_asks_for_one_first(rule: str) -> None:
    with pytest.raises(InputError, match="choose an engine first, such as PyTorch FSDP2"):
        write_accelerate(replace(EIGHT, sharding=Sharding(rule)))


def test_a_plan_for_deepspeed_is_not_written_as_fsdps() -> None:
    with pytest.raises(InputError, match="which reads no Accelerate FSDP config"):
        write_accelerate(replace(EIGHT, sharding=Sharding("deepspeed", 3)))


LOST: list[tuple[dict[str, Any], str]] = [
    ({"stage": 2}, "FSDP2 has no stage 2: it shards weights too, which is stage 3."),
    ({"group": 1}, "A shard group of 1 cannot be written: Accelerate takes groups from 2 on."),
    ({"stage": 0, "group": 4}, "A shard group of 4 cannot be written: DDP shards nothing."),
    (
        {"offload_optimizer": "host"},
        "Optimizer states on host and weights on device cannot be written: FSDP2 moves weights and"
        " optimizer states to host memory together or not at all.",
    ),
    (
        {"offload_optimizer": "nvme", "offload_weights": "nvme"},
        "Optimizer states on nvme and weights on nvme cannot be written: FSDP2 moves weights and"
        " optimizer states to host memory together or not at all.",
    ),
    ({"secondary_group": 2}, "FSDP2 has no secondary group, so 2 is not written."),
    (
        {"persistence_threshold": 10**5},
        "FSDP2 has no persistence threshold, so 100,000 is not written.",
    ),
]


@pytest.mark.parametrize(("sharding", "sentence"), LOST)
def test_a_setting_that_the_config_cannot_express_is_said(
    sharding: dict[str, Any], sentence: str
) -> None:
    plan = replace(PLAN, sharding=replace(Sharding("fsdp2", 3), **sharding))
    export = write_accelerate(plan)
    assert export.lost == (sentence,)
    assert "# Not expressed here: " in export.text
    assert "fsdp_offload_params: true" not in export.text


def test_a_recipe_that_accelerate_does_not_have_is_said() -> None:
    mixed = replace(EIGHT, sharding=Sharding("fsdp2", 3))
    export = write_accelerate(mixed)
    assert export.lost == (
        'The recipe "Mixed-precision Adam" cannot be written: under Accelerate weights and'
        " gradients are fp32 without a master copy, and the script's optimizer counts as AdamW in"
        " fp32.",
    )
    # 10^9 parameters in 8 chunks, 4 + 4 + 8 bytes each: what this file leads to.
    assert "2,000,000,000 bytes of model states" in export.text
    assert "mixed_precision: bf16" in export.text


def test_the_expected_bytes_are_those_of_the_fullest_rank() -> None:
    # Rows of 3 over 2 ranks: chunks of 2, but the second rank's moments have one row only.
    model = Model.of("", (Tensor("w", (3,)),))
    plan = Scenario("", model, FP32, Cluster(2), Sharding("fsdp2", 3))
    text = write_accelerate(plan).text
    assert "32 bytes of model states on the fullest of 2 ranks: parameters 8" in text


def test_frozen_weights_are_the_scripts_to_load() -> None:
    frozen = replace(PLAN, model=Model("", 8, 4), recipe=replace(FP32, frozen_weights="fp16"))
    assert write_accelerate(frozen).lost == (
        "Frozen weights in fp16 cannot be written: the script loads them.",
    )


@given(fsdp2_scenarios())
def test_an_exported_plan_comes_back_as_it_was(scenario: Scenario) -> None:
    export = write_accelerate(scenario)
    assert export.lost == ()
    assert _opened(export.text, reset(scenario))[0] == scenario


@given(anything("fsdp2"))
def test_a_plan_that_comes_back_otherwise_was_said_to_lose_something(scenario: Scenario) -> None:
    export = write_accelerate(scenario)
    back, _ = _opened(export.text, reset(scenario))
    recipes = replace(back.recipe, name=""), replace(scenario.recipe, name="")
    same = recipes[0] == recipes[1] and replace(back, recipe=scenario.recipe) == scenario
    assert same == (export.lost == ())


# Accelerate 1.15: commands/config/config_args.py (ClusterConfig), commands/launch.py.
_BOOL, _COUNT, _TEXT = (bool,), (int,), (str,)
SCHEMA: dict[str, Any] = {
    "compute_environment": {"LOCAL_MACHINE"},
    "debug": _BOOL,
    "distributed_type": {"FSDP", "MULTI_GPU"},
    "downcast_bf16": {"no"},
    "enable_cpu_affinity": _BOOL,
    "fsdp_config": {
        "fsdp_version": {2},
        "fsdp_reshard_after_forward": _BOOL,
        "fsdp_offload_params": _BOOL,
        "fsdp_auto_wrap_policy": {"TRANSFORMER_BASED_WRAP"},
        "fsdp_state_dict_type": {"SHARDED_STATE_DICT"},
        "fsdp_cpu_ram_efficient_loading": _BOOL,
        "fsdp_activation_checkpointing": _BOOL,
    },
    "machine_rank": _COUNT,
    "main_training_function": _TEXT,
    "mixed_precision": {"no", "bf16", "fp16"},
    "num_machines": _COUNT,
    "num_processes": _COUNT,
    "parallelism_config": {
        f"parallelism_config_{name}_size": _COUNT
        for name in ("dp_replicate", "dp_shard", "tp", "cp")
    },
    "rdzv_backend": {"static"},
    "same_network": _BOOL,
    "use_cpu": _BOOL,
}


@given(anything("fsdp2"))
def test_an_export_has_only_keys_and_types_that_accelerate_documents(scenario: Scenario) -> None:
    written = yaml.safe_load(write_accelerate(scenario).text)
    assert conforms(written, SCHEMA)
    assert ("fsdp_config" in written) == (written["distributed_type"] == "FSDP")
    if "parallelism_config" in written:
        assert written["parallelism_config"]["parallelism_config_dp_shard_size"] > 1


@pytest.mark.bundle
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("stage", [0, 3])
def test_accelerate_itself_accepts_the_export(stage: int, tmp_path: Path) -> None:
    config = pytest.importorskip("accelerate.commands.config.config_args")
    launch = pytest.importorskip("accelerate.commands.launch")
    sharding = Sharding("fsdp2", stage, 4 if stage else None)
    path = tmp_path / "accelerate_config.yaml"
    export = write_accelerate(replace(PLAN, sharding=sharding))
    path.write_text(export.text, encoding="utf-8")
    loaded = config.load_config_from_file(str(path))
    assert loaded.num_processes == 8
    known = vars(launch.launch_command_parser().parse_args(["--config_file", str(path), "a.py"]))
    assert set(loaded.fsdp_config) | set(loaded.parallelism_config) <= set(known)
