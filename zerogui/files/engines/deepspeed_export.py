"""DeepSpeed configs (JSON): written from a scenario, with the engine's defaults spelled out."""

import json

from zerogui.accounting.errors import InputError, printable, shown
from zerogui.accounting.recipe import Recipe
from zerogui.accounting.scenario import Scenario
from zerogui.files.engines.engine_recipe import (
    ADAGRAD,
    ADAM,
    ADAM_8BIT,
    FLOATS,
    LION,
    MOMENTUM,
    MUON,
    SGD,
    Kind,
    copied,
    kind_of,
    master,
    moments,
)
from zerogui.files.fields import listed
from zerogui.files.opened import Export

NAME = "ds_config.json"
_DEVICES = {"device": "none", "host": "cpu", "nvme": "nvme"}
# DeepSpeed's documentation uses it in every example; the path differs from cluster to cluster.
_NVME_PATH = "/local_nvme"
# Optimizers on which ZeRO insists no further.
_TESTED = (ADAM, ADAGRAD, LION, MUON)


def needs_rule(scenario: Scenario, rule: str, title: str, config: str) -> None:
    """InputError unless the scenario is cut by ``rule``, whose engine reads ``config``."""
    found = scenario.sharding.rule
    if found == rule:
        return
    if found in ("even", "torch-zero1"):
        problem = f"is {shown(found)}, which has no config"
        raise InputError("sharding.rule", problem, f"choose an engine first, such as {title}")
    problem = f"is {shown(found)}, which reads no {config}"
    raise InputError("sharding.rule", problem, f"choose {title} or export for the other engine")


def write_deepspeed(scenario: Scenario) -> Export:
    """The config of ``scenario``. InputError unless its rule is ``deepspeed``."""
    needs_rule(scenario, "deepspeed", "DeepSpeed", "DeepSpeed config")
    recipe, sharding = scenario.recipe, scenario.sharding
    lost = [*_lost_sharding(scenario), *_lost_recipe(scenario)]
    half = recipe.weights if recipe.weights in FLOATS else "bf16"
    kind = kind_of(recipe)
    named_here = kind is not None and kind is not ADAM_8BIT
    zero = {
        "stage": sharding.stage,
        "offload_optimizer": _offload(_optimizer_tier(scenario)),
        "offload_param": _offload(sharding.offload_weights),
        "stage3_param_persistence_threshold": sharding.persistence_threshold,
        "zero_hpz_partition_size": sharding.secondary_group or 1,
    }
    config: dict[str, object] = {
        # DeepSpeed starts with no config that lacks a batch size.
        "train_micro_batch_size_per_gpu": 1,
        "gradient_accumulation_steps": 1,
        "zero_allow_untested_optimizer": kind not in _TESTED,
        # An optimizer of the script's own may be offloaded only if DeepSpeed's is not insisted on.
        "zero_force_ds_cpu_optimizer": named_here,
        "bf16": {"enabled": half == "bf16"},
        "fp16": {"enabled": half == "fp16"},
    }
    if _low_states(scenario):
        low = {"bf16_master_weights_and_grads": True, "bf16_optimizer_states": True}
        config["bf16"] = {"enabled": True, **low}
    if _accumulation(scenario) is not None:
        config["data_types"] = {"grad_accum_dtype": recipe.accumulation}
    if kind is not None and named_here:
        config["optimizer"] = _optimizer(kind)
    config["zero_optimization"] = zero
    return Export(NAME, json.dumps(config, indent=2) + "\n", tuple(lost))


def _offload(tier: str) -> dict[str, object]:
    device = {"device": _DEVICES[tier], "pin_memory": True}
    return {**device, "nvme_path": _NVME_PATH} if tier == "nvme" else device


def _optimizer(kind: Kind) -> dict[str, object]:
    params: dict[str, object] = {"lr": 0.001}
    if kind in (SGD, MOMENTUM):
        params["momentum"] = 0.9 if kind is MOMENTUM else 0.0
    return {"type": kind.type, "params": params}


def _optimizer_tier(scenario: Scenario) -> str:
    """Where the config puts optimizer states, as far as DeepSpeed goes there."""
    stage, tier = scenario.sharding.stage, scenario.sharding.offload_optimizer
    if stage == 0:
        return "device"
    return "host" if tier == "nvme" and stage < 3 else tier


def _lost_sharding(scenario: Scenario) -> list[str]:
    lost = []
    sharding = scenario.sharding
    if sharding.group is not None:
        lost.append(
            f"A shard group of {sharding.group:,} cannot be written: DeepSpeed 0.19.8 has removed"
            " MiCS and shards over all workers."
        )
    if sharding.secondary_group == 1:
        lost.append("A secondary group of 1 cannot be written: to DeepSpeed it means none.")
    if sharding.stage == 0 and sharding.offload_optimizer != "device":
        lost.append("Stage 0 keeps optimizer states on the device, so no offload is written.")
    elif _optimizer_tier(scenario) != sharding.offload_optimizer:
        lost.append(
            f"At stage {sharding.stage} DeepSpeed offloads optimizer states to host memory only,"
            " so host is written and not nvme."
        )
    if scenario.cluster.model_parallel > 1:
        lost.append(
            f"Model parallel {scenario.cluster.model_parallel:,} cannot be written: the training"
            " script sets it up."
        )
    return lost


def _low_states(scenario: Scenario) -> bool:
    """Whether master copy and moments are bf16, which stages 1 to 3 offer for bf16 weights."""
    recipe = scenario.recipe
    states = {tensor.dtype for tensor in recipe.optimizer}
    copied = master(recipe) is not None
    return (
        scenario.sharding.stage > 0 and recipe.weights == "bf16" and copied and states == {"bf16"}
    )


def _accumulation(scenario: Scenario) -> str | None:
    """The accumulation dtype, where DeepSpeed takes it."""
    recipe = scenario.recipe
    if recipe.accumulation not in FLOATS:
        return None
    if scenario.sharding.stage == 0 and recipe.accumulation != recipe.weights:
        return None
    return recipe.accumulation


def _lost_recipe(scenario: Scenario) -> list[str]:
    recipe = scenario.recipe
    lost = []
    weights = recipe.weights
    if weights not in FLOATS:
        lost.append(f"Weights in {weights} cannot be written: DeepSpeed trains {_one_of(FLOATS)}.")
        weights = "bf16"
    if recipe.gradients != weights:
        lost.append(
            f"Gradients in {recipe.gradients} cannot be written: DeepSpeed's have the weights'"
            f" dtype, {weights} (an accumulation buffer may have another)."
        )
    if recipe.accumulation != _accumulation(scenario):
        where = " at stage 0" if recipe.accumulation in FLOATS else ""
        lost.append(f"DeepSpeed has no accumulation in {recipe.accumulation}{where}.")
    lost += lost_frozen(scenario, weights)
    lost += _lost_optimizer(recipe, weights, "bf16" if _low_states(scenario) else "fp32")
    return lost


def lost_frozen(scenario: Scenario, weights: str) -> list[str]:
    """What to say where the engine casts frozen weights to the ``weights`` dtype."""
    frozen = scenario.recipe.frozen_weights
    if scenario.model.frozen_parameters and frozen != weights:
        return [
            f"Frozen weights in {frozen} cannot be written: floating-point ones become {weights},"
            " and others are the script's to load."
        ]
    if not scenario.model.frozen_parameters and frozen != Recipe().frozen_weights:
        return [f"Nothing is frozen, so the dtype of frozen weights, {frozen}, is not written."]
    return []


def _lost_optimizer(recipe: Recipe, weights: str, states: str) -> list[str]:
    kind = kind_of(recipe)
    if kind is None or kind is ADAM_8BIT:
        kept = listed(tensor.name for tensor in moments(recipe))
        return [
            f"The optimizer ({printable(kept) or 'none'}) cannot be written: make it in the"
            " training script and pass it to deepspeed.initialize."
        ]
    expected = (*copied(None if weights == "fp32" else states), *kind.kept(states))
    if recipe.optimizer == expected:
        return []
    kept = ", ".join(f"{tensor.name} ({tensor.dtype})" for tensor in expected) or "nothing"
    besides = ", and at stages 1 to 3 a master copy of its own" if weights == "fp32" else ""
    return [
        f"The recipe's optimizer tensors cannot be written: with {kind.type} and {weights} weights"
        f" DeepSpeed keeps {kept}{besides}."
    ]


def _one_of(names: tuple[str, ...]) -> str:
    return f"{', '.join(names[:-1])} or {names[-1]}"
