"""Accelerate configs (YAML) for PyTorch FSDP2: written from a scenario, defaults spelled out."""

import re
from collections.abc import Mapping
from dataclasses import replace

from zerogui.accounting.dtype import ceil_div
from zerogui.accounting.errors import shown
from zerogui.accounting.recipe import Recipe, adam
from zerogui.accounting.scenario import Scenario
from zerogui.accounting.sharding import Sharding
from zerogui.files.engines.deepspeed_export import needs_rule
from zerogui.files.engines.engine_recipe import named
from zerogui.files.engines.expected import commented
from zerogui.files.opened import Export

NAME = "accelerate_config.yaml"


def write_accelerate(scenario: Scenario) -> Export:
    """The config of ``scenario``. InputError unless its rule is ``fsdp2``."""
    needs_rule(scenario, "fsdp2", "PyTorch FSDP2", "Accelerate FSDP config")
    written = as_written(scenario)
    lost = (*lost_sharding(scenario, written.sharding), *_lost_recipe(scenario))
    lines = commented(scenario, written, lost)
    lines += _yaml(_values(scenario, written), "")
    return Export(NAME, "\n".join(lines) + "\n", lost)


def as_written(scenario: Scenario) -> Scenario:
    """The scenario that Accelerate runs with the config of ``scenario``."""
    sharding = written_sharding(scenario)
    if sharding.group == 1:
        sharding = replace(sharding, group=None)
    before = scenario.recipe
    recipe = Recipe("", "fp32", "fp32", adam(None, "fp32"), before.frozen_weights)
    cluster = replace(scenario.cluster, model_parallel=1)
    return replace(scenario, recipe=named(recipe, before), cluster=cluster, sharding=sharding)


def written_sharding(scenario: Scenario) -> Sharding:
    """The nearest that FSDP2 has: stage 3, or DDP for stage 0; all offloaded or nothing."""
    before = scenario.sharding
    if before.stage == 0:
        return Sharding("fsdp2", 0)
    moved = before.offload_optimizer == before.offload_weights == "host"
    tier = "host" if moved else "device"
    return Sharding("fsdp2", 3, before.group, None, 0, tier, tier)


def lost_sharding(scenario: Scenario, written: Sharding) -> list[str]:
    """A sentence for each setting of the sharding that is not in ``written``."""
    before = scenario.sharding
    lost = []
    if written.stage != before.stage:
        lost.append(f"FSDP2 has no stage {before.stage}: it shards weights too, which is stage 3.")
    if written.group != before.group:
        why = "DDP shards nothing" if written.stage == 0 else "Accelerate takes groups from 2 on"
        lost.append(f"A shard group of {before.group:,} cannot be written: {why}.")
    offloads = before.offload_optimizer, before.offload_weights
    if offloads != (written.offload_optimizer, written.offload_weights):
        can = "moves nothing" if written.stage == 0 else "moves weights and optimizer states to"
        rest = "" if written.stage == 0 else " host memory together or not at all"
        lost.append(
            f"Optimizer states on {offloads[0]} and weights on {offloads[1]} cannot be written:"
            f" {'DDP' if written.stage == 0 else 'FSDP2'} {can}{rest}."
        )
    if before.secondary_group is not None:
        lost.append(f"FSDP2 has no secondary group, so {before.secondary_group:,} is not written.")
    if before.persistence_threshold:
        lost.append(
            f"FSDP2 has no persistence threshold, so {before.persistence_threshold:,} is not"
            " written."
        )
    if scenario.cluster.model_parallel > 1:
        lost.append(
            f"Model parallel {scenario.cluster.model_parallel:,} cannot be written: the training"
            " script sets it up."
        )
    return lost


def _lost_recipe(scenario: Scenario) -> list[str]:
    recipe = scenario.recipe
    lost = []
    kept = replace(recipe, name="", frozen_weights=Recipe().frozen_weights)
    if kept != Recipe("", "fp32", "fp32", adam(None, "fp32")):
        lost.append(
            f"The recipe {shown(recipe.name)} cannot be written: under Accelerate weights and"
            " gradients are fp32 without a master copy, and the script's optimizer counts as AdamW"
            " in fp32."
        )
    frozen = recipe.frozen_weights
    if frozen != Recipe().frozen_weights:
        lost.append(f"Frozen weights in {frozen} cannot be written: the script loads them.")
    return lost


def _values(scenario: Scenario, written: Scenario) -> dict[str, object]:
    recipe, workers = scenario.recipe, written.cluster.workers
    computes = recipe.weights if recipe.weights in ("bf16", "fp16") else "no"
    values: dict[str, object] = {
        "compute_environment": "LOCAL_MACHINE",
        "debug": False,
        "distributed_type": "FSDP" if written.sharding.stage else "MULTI_GPU",
        "downcast_bf16": "no",
        "enable_cpu_affinity": False,
    }
    if written.sharding.stage:
        values["fsdp_config"] = {
            "fsdp_version": 2,
            "fsdp_reshard_after_forward": True,
            "fsdp_offload_params": written.sharding.offload_weights == "host",
            "fsdp_auto_wrap_policy": "TRANSFORMER_BASED_WRAP",
            "fsdp_state_dict_type": "SHARDED_STATE_DICT",
            "fsdp_cpu_ram_efficient_loading": True,
            "fsdp_activation_checkpointing": False,
        }
    values |= {
        "machine_rank": 0,
        "main_training_function": "main",
        "mixed_precision": computes,
        "num_machines": ceil_div(workers, scenario.cluster.workers_per_node),
        "num_processes": workers,
    }
    if written.sharding.group is not None:
        values["parallelism_config"] = {
            "parallelism_config_dp_replicate_size": workers // written.sharding.group,
            "parallelism_config_dp_shard_size": written.sharding.group,
            "parallelism_config_tp_size": 1,
            "parallelism_config_cp_size": 1,
        }
    return values | {"rdzv_backend": "static", "same_network": True, "use_cpu": False}


def _yaml(values: Mapping[str, object], indent: str) -> list[str]:
    lines = []
    for key, value in values.items():
        if isinstance(value, Mapping):
            lines += [f"{indent}{key}:", *_yaml(value, indent + "  ")]
        else:
            lines.append(f"{indent}{key}: {_scalar(value)}")
    return lines


def _scalar(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    text = str(value)
    # Unquoted, YAML reads no as false.
    plain = isinstance(value, int) or (text != "no" and re.fullmatch(r"\w+", text))
    return text if plain else f"'{text}'"
