"""DeepSpeed configs: what a scenario makes of them, and that they bring it back."""

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given

from tests.files.engines.engine_scenes import (
    MASTER,
    MOMENTS,
    anything,
    conforms,
    deepspeed_scenarios,
    reset,
    tensors,
)
from zerogui.accounting.cluster import Cluster
from zerogui.accounting.errors import InputError
from zerogui.accounting.model import Model
from zerogui.accounting.scenario import Scenario
from zerogui.accounting.sharding import Sharding
from zerogui.catalog import recipe_named
from zerogui.files.engines.deepspeed_config import read_deepspeed, write_deepspeed
from zerogui.files.engines.engine_recipe import KNOWN
from zerogui.files.opened import Export
from zerogui.files.reading import parse_json

EIGHT = Scenario(cluster=Cluster(8))


def _opened(text: str, onto: Scenario = EIGHT) -> tuple[Scenario, tuple[str, ...]]:
    value = parse_json(text.encode(), "ds_config.json")
    assert isinstance(value, dict)
    return read_deepspeed(value, "ds_config.json").apply(onto)


def _reopened(export: Export, onto: Scenario) -> Scenario:
    return _opened(export.text, onto)[0]


def test_the_export_of_a_plan_is_a_config_with_its_defaults_written_out() -> None:
    sharding = Sharding("deepspeed", 3, None, 4, 100_000, "host", "device")
    export = write_deepspeed(replace(EIGHT, sharding=sharding))
    assert (export.name, export.lost) == ("ds_config.json", ())
    assert json.loads(export.text) == {
        "train_micro_batch_size_per_gpu": 1,
        "gradient_accumulation_steps": 1,
        "zero_allow_untested_optimizer": False,
        "zero_force_ds_cpu_optimizer": True,
        "bf16": {"enabled": True},
        "fp16": {"enabled": False},
        "optimizer": {"type": "AdamW", "params": {"lr": 0.001}},
        "zero_optimization": {
            "stage": 3,
            "offload_optimizer": {"device": "cpu", "pin_memory": True},
            "offload_param": {"device": "none", "pin_memory": True},
            "stage3_param_persistence_threshold": 100_000,
            "zero_hpz_partition_size": 4,
        },
    }


@pytest.mark.parametrize("rule", ["even", "torch-zero1"])
def test_a_plan_without_an_engine_asks_for_one_first(rule: str) -> None:
    with pytest.raises(InputError) as refusal:
        write_deepspeed(replace(EIGHT, sharding=Sharding(rule)))
    assert str(refusal.value) == (
        f'sharding.rule is "{rule}", which has no config; choose an engine first, such as'
        " DeepSpeed."
    )


def test_a_plan_for_fsdp2_is_not_written_as_deepspeeds() -> None:
    with pytest.raises(InputError, match="which reads no DeepSpeed config"):
        write_deepspeed(replace(EIGHT, sharding=Sharding("fsdp2", 3)))


LOST: list[tuple[dict[str, Any], dict[str, Any], str]] = [
    ({"group": 4}, {}, "A shard group of 4 cannot be written"),
    ({"secondary_group": 1}, {}, "A secondary group of 1 cannot be written"),
    ({"stage": 0, "offload_optimizer": "host"}, {}, "Stage 0 keeps optimizer states"),
    ({"stage": 2, "offload_optimizer": "nvme"}, {}, "At stage 2 DeepSpeed offloads"),
    ({}, {"weights": "fp8"}, "Weights in fp8 cannot be written"),
    ({}, {"gradients": "fp32"}, "Gradients in fp32 cannot be written"),
    ({}, {"accumulation": "int8"}, "DeepSpeed has no accumulation in int8."),
    ({"stage": 0}, {"accumulation": "fp32"}, "DeepSpeed has no accumulation in fp32 at stage 0."),
    ({}, {"frozen_weights": "nf4-double"}, "Nothing is frozen, so the dtype"),
    ({}, {"optimizer": MOMENTS}, "The recipe's optimizer tensors cannot be written"),
    ({}, {"optimizer": (*MOMENTS, *MASTER)}, "The recipe's optimizer tensors cannot be written"),
    ({}, {"optimizer": tensors("a", "b")}, "The optimizer (a, b) cannot be written"),
    ({}, {"optimizer": ()}, "The recipe's optimizer tensors cannot be written"),
    (
        {},
        {"weights": "fp32", "gradients": "fp32"},
        "The recipe's optimizer tensors cannot be written: with AdamW and fp32 weights DeepSpeed"
        " keeps first moment (fp32), second moment (fp32), and at stages 1 to 3 a master copy",
    ),
]


@pytest.mark.parametrize(("sharding", "recipe", "sentence"), LOST)
def test_what_the_config_cannot_express_is_said(
    sharding: dict[str, Any], recipe: dict[str, Any], sentence: str
) -> None:
    export = write_deepspeed(
        replace(
            EIGHT,
            sharding=replace(Sharding("deepspeed", 3), **sharding),
            recipe=replace(EIGHT.recipe, **recipe),
        )
    )
    [said] = export.lost
    assert said.startswith(sentence)


def test_frozen_weights_of_another_dtype_are_said() -> None:
    qlora = Scenario(
        model=Model("", 100, 90),
        recipe=recipe_named("QLoRA (nf4 base)").recipe,
        sharding=Sharding("deepspeed", 2),
    )
    [said] = write_deepspeed(qlora).lost
    assert said.startswith("Frozen weights in nf4-double cannot be written")


def test_an_eight_bit_optimizer_is_left_to_the_script_and_may_be_offloaded() -> None:
    recipe = recipe_named("8-bit Adam").recipe
    export = write_deepspeed(replace(EIGHT, recipe=recipe, sharding=Sharding("deepspeed", 2)))
    written = json.loads(export.text)
    assert "optimizer" not in written
    assert written["zero_force_ds_cpu_optimizer"] is False
    assert "pass it to deepspeed.initialize" in export.lost[0]


def test_the_names_of_recipes_are_the_catalogues() -> None:
    for known in KNOWN:
        assert recipe_named(known.name).recipe == known


@given(deepspeed_scenarios())
def test_an_exported_plan_comes_back_as_it_was(scenario: Scenario) -> None:
    export = write_deepspeed(scenario)
    assert export.lost == ()
    assert _reopened(export, reset(scenario)) == scenario


@given(anything("deepspeed"))
def test_a_plan_that_comes_back_otherwise_was_said_to_lose_something(scenario: Scenario) -> None:
    export = write_deepspeed(scenario)
    back = _reopened(export, reset(scenario))
    # The name is a label: a config has no place for it.
    if replace(back.recipe, name="") != replace(scenario.recipe, name="") or (
        back.sharding != scenario.sharding
    ):
        assert export.lost != ()
    else:
        assert all("Model parallel" in sentence for sentence in export.lost)


# DeepSpeed 0.19.8: runtime/config.py, runtime/zero/config.py, zero/offload_config.py,
# precision_config.py.
_BOOL, _COUNT, _TEXT = (bool,), (int,), (str,)
_OFFLOAD = {"device": {"none", "cpu", "nvme"}, "pin_memory": _BOOL, "nvme_path": _TEXT}
SCHEMA: dict[str, Any] = {
    "train_micro_batch_size_per_gpu": _COUNT,
    "gradient_accumulation_steps": _COUNT,
    "zero_allow_untested_optimizer": _BOOL,
    "zero_force_ds_cpu_optimizer": _BOOL,
    "bf16": {
        "enabled": _BOOL,
        "bf16_master_weights_and_grads": _BOOL,
        "bf16_optimizer_states": _BOOL,
    },
    "fp16": {"enabled": _BOOL},
    "data_types": {"grad_accum_dtype": {"fp32", "fp16", "bf16"}},
    "optimizer": {
        "type": {"AdamW", "SGD", "Lion", "Adagrad", "Muon"},
        "params": {"lr": (float,), "momentum": (float,)},
    },
    "zero_optimization": {
        "stage": {0, 1, 2, 3},
        "offload_optimizer": _OFFLOAD,
        "offload_param": _OFFLOAD,
        "stage3_param_persistence_threshold": _COUNT,
        "zero_hpz_partition_size": _COUNT,
    },
}


@given(anything("deepspeed"))
def test_an_export_has_only_keys_and_types_that_deepspeed_documents(scenario: Scenario) -> None:
    written = json.loads(write_deepspeed(scenario).text)
    assert conforms(written, SCHEMA)
    assert not (written["bf16"]["enabled"] and written["fp16"]["enabled"])
    for offload in ("offload_optimizer", "offload_param"):
        part = written["zero_optimization"][offload]
        assert ("nvme_path" in part) == (part["device"] == "nvme")


@pytest.mark.bundle
@pytest.mark.filterwarnings("ignore")
@given(anything("deepspeed"))
def test_deepspeed_itself_accepts_the_export(scenario: Scenario) -> None:
    config = pytest.importorskip("deepspeed.runtime.config")
    written = json.loads(write_deepspeed(scenario).text)
    accepted = config.DeepSpeedConfig(written)
    assert accepted.zero_optimization_stage == scenario.sharding.stage
    assert (
        accepted.zero_config.param_persistence_threshold == scenario.sharding.persistence_threshold
    )
