"""DeepSpeed configs: what they make of a scenario."""

import contextlib
import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.files.engines.engine_scenes import (
    MASTER,
    MOMENTS,
    MUON,
    tensors,
)
from zerogui.accounting.cluster import Cluster
from zerogui.accounting.model import Model
from zerogui.accounting.recipe import OptimizerTensor, Recipe
from zerogui.accounting.scenario import Scenario
from zerogui.accounting.sharding import Sharding
from zerogui.catalog import recipe_named
from zerogui.files.engines.deepspeed_config import read_deepspeed
from zerogui.files.errors import FileError
from zerogui.files.opened import Export
from zerogui.files.reading import parse_json

EIGHT = Scenario(cluster=Cluster(8))


def _opened(text: str, onto: Scenario = EIGHT) -> tuple[Scenario, tuple[str, ...]]:
    value = parse_json(text.encode(), "ds_config.json")
    assert isinstance(value, dict)
    return read_deepspeed(value, "ds_config.json").apply(onto)


def _reopened(export: Export, onto: Scenario) -> Scenario:
    return _opened(export.text, onto)[0]


def test_a_published_stage_3_config_gives_its_sharding_and_dtypes() -> None:
    scenario, _ = _opened(
        """{"bf16": {"enabled": true}, "train_micro_batch_size_per_gpu": 4,
            "optimizer": {"type": "AdamW", "params": {"lr": 3e-5, "betas": [0.9, 0.95]}},
            "zero_optimization": {"stage": 3, "overlap_comm": true,
              "offload_optimizer": {"device": "cpu", "pin_memory": true},
              "offload_param": {"device": "nvme", "nvme_path": "/nvme"},
              "stage3_param_persistence_threshold": 1e6, "zero_hpz_partition_size": 4}}"""
    )
    assert scenario.sharding == Sharding("deepspeed", 3, None, 4, 1_000_000, "host", "nvme")
    assert scenario.recipe == recipe_named("Mixed-precision Adam").recipe


def test_a_config_with_nothing_in_it_gets_deepspeeds_defaults() -> None:
    scenario, notes = _opened("{}")
    assert scenario.sharding == Sharding("deepspeed", 0, None, None, 100_000)
    assert scenario.recipe == recipe_named("fp32 AdamW").recipe
    assert notes == ("The file names no optimizer (the script makes it), so the recipe's stays.",)


def test_everything_else_of_the_scenario_stays() -> None:
    before = Scenario("mine", Model("m", 100, 10), cluster=Cluster(6, 2, 3))
    after, _ = _opened('{"zero_optimization": {"stage": 2}}', before)
    assert (after.title, after.model, after.cluster, after.device) == (
        "mine",
        Model("m", 100, 10),
        Cluster(6, 2, 3),
        None,
    )


def test_auto_keeps_the_current_values_and_is_listed() -> None:
    before = replace(
        EIGHT,
        recipe=Recipe("Mine", "fp16", "fp16", (*MASTER, *MOMENTS), "fp16", "fp32"),
        sharding=Sharding("deepspeed", 2, 4, 2, 7, "host", "nvme"),
    )
    after, notes = _opened(
        """{"bf16": {"enabled": "auto"}, "fp16": {"enabled": "auto"},
            "data_types": {"grad_accum_dtype": "auto"}, "optimizer": {"type": "auto"},
            "zero_optimization": {"stage": "auto", "stage3_param_persistence_threshold": "auto",
              "zero_hpz_partition_size": "auto", "mics_shard_size": "auto",
              "offload_optimizer": {"device": "auto"}, "offload_param": {"device": "auto"}}}""",
        before,
    )
    assert after == before
    [kept] = [note for note in notes if note.startswith("Kept as they were")]
    for path in (
        "bf16.enabled",
        "fp16.enabled",
        "data_types.grad_accum_dtype",
        "optimizer.type",
        "zero_optimization.stage",
        "zero_optimization.stage3_param_persistence_threshold",
        "zero_optimization.zero_hpz_partition_size",
        "zero_optimization.mics_shard_size",
        "zero_optimization.offload_optimizer.device",
        "zero_optimization.offload_param.device",
    ):
        assert path in kept


def test_every_key_is_either_honoured_or_named() -> None:
    _, notes = _opened(
        """{"gradient_clipping": 1.0, "steps_per_print": 100, "mystery": {"a": 1},
            "tensor_parallel": {"autotp_size": 4}, "bf16": {"enabled": true, "odd": 1},
            "optimizer": {"type": "Adam", "params": {"lr": 0.1, "amsgrad": true}},
            "zero_optimization": {"stage": 2, "reduce_bucket_size": 5e8, "surprise": 1,
              "stage3_model_persistence_threshold": 10,
              "offload_optimizer": {"device": "cpu", "ratio": 0.5, "buffer_count": 4}}}"""
    )
    assert notes[-2:] == (
        "Not honoured, although model states may depend on it: bf16.odd,"
        " zero_optimization.offload_optimizer.ratio, zero_optimization.surprise,"
        " zero_optimization.stage3_model_persistence_threshold, optimizer.params.amsgrad,"
        " mystery, tensor_parallel.",
        "Read past, because model states do not depend on it:"
        " zero_optimization.offload_optimizer.buffer_count, zero_optimization.reduce_bucket_size,"
        " optimizer.params.lr, gradient_clipping, steps_per_print.",
    )


def test_values_that_change_nothing_are_no_loss() -> None:
    _, notes = _opened(
        """{"amp": {"enabled": false}, "sequence_parallel_size": 1, "pipeline": {},
            "data_types": {"param_dtype": "fp32"}, "optimizer": {"type": "Adam"},
            "zero_optimization": {"offload_optimizer": {"device": "none", "ratio": 1.0},
              "zero_quantized_nontrainable_weights": false, "zenflow": null,
              "stage3_model_persistence_threshold": 9223372036854775807}}"""
    )
    assert [note for note in notes if note.startswith("Not honoured")] == []


def test_a_thousand_unknown_keys_stay_one_short_sentence() -> None:
    keys = {f"key{i}": i for i in range(1000)} | {"optimizer": {"type": "Adam"}}
    _, notes = _opened(json.dumps(keys))
    assert notes[0].endswith("key38, key39 and 960 more.")


OPTIMIZERS = [
    ("Adam", "{}", "Mixed-precision Adam", (*MASTER, *MOMENTS)),
    ("adamw", "{}", "Mixed-precision Adam", (*MASTER, *MOMENTS)),
    ("Lamb", "{}", "Mixed-precision Adam", (*MASTER, *MOMENTS)),
    ("SGD", '{"momentum": 0.9}', "SGD with momentum", (*MASTER, *tensors("momentum"))),
    ("SGD", '{"momentum": 0}', "Custom", MASTER),
    ("SGD", "{}", "Custom", MASTER),
    ("Lion", "{}", "Lion with fp32 momentum", (*MASTER, *tensors("momentum"))),
    ("Adagrad", "{}", "Custom", (*MASTER, *tensors("sum of squares"))),
    ("Muon", '{"momentum": 0.95}', "Muon", (*MASTER, *MUON)),
    (
        "AdamW8bit",
        "{}",
        "8-bit Adam",
        (*MASTER, *tensors("first moment", "second moment", dtype="int8-block256")),
    ),
]


@pytest.mark.parametrize(("kind", "params", "name", "kept"), OPTIMIZERS)
def test_the_optimizers_type_gives_the_recipe(
    kind: str, params: str, name: str, kept: tuple[OptimizerTensor, ...]
) -> None:
    scenario, _ = _opened(
        f'{{"bf16": {{"enabled": true}}, "optimizer": {{"type": "{kind}", "params": {params}}}}}'
    )
    assert scenario.recipe == Recipe(name, "bf16", "bf16", kept)


def test_an_unknown_optimizer_leaves_the_recipes_and_is_named() -> None:
    before = replace(EIGHT, recipe=recipe_named("SGD with momentum").recipe)
    after, notes = _opened(
        '{"fp16": {"enabled": true}, "optimizer": {"type": "OneBitAdam"}}', before
    )
    assert after.recipe.optimizer == (*MASTER, *tensors("momentum"))
    assert notes[0] == (
        'optimizer.type is "OneBitAdam", of which zerogui does not know what it keeps; the'
        " recipe's optimizer stays."
    )


def test_low_precision_master_weights_and_states_are_read() -> None:
    flags = '"bf16_master_weights_and_grads": true, "bf16_optimizer_states": true'
    scenario, _ = _opened(
        f'{{"bf16": {{"enabled": true, {flags}}}, "zero_optimization": {{"stage": 2}}}}'
    )
    assert {tensor.dtype for tensor in scenario.recipe.optimizer} == {"bf16"}
    assert len(scenario.recipe.optimizer) == 3


def test_the_accumulation_dtype_is_read_under_any_of_its_names() -> None:
    for name in ("fp32", "float32", "torch.float32"):
        text = f'{{"bf16": {{"enabled": true}}, "data_types": {{"grad_accum_dtype": "{name}"}}}}'
        assert _opened(text)[0].recipe.accumulation == "fp32"
    assert _opened('{"data_types": {"grad_accum_dtype": null}}')[0].recipe.accumulation is None


def test_frozen_floats_are_cast_with_the_rest_and_quantised_ones_are_not() -> None:
    text = '{"fp16": {"enabled": true}}'
    frozen = replace(EIGHT, model=Model("", 100, 90))
    assert _opened(text, frozen)[0].recipe.frozen_weights == "fp16"
    quantised = replace(frozen, recipe=recipe_named("QLoRA (nf4 base)").recipe)
    assert _opened(text, quantised)[0].recipe.frozen_weights == "nf4-double"


def test_a_secondary_group_that_does_not_divide_the_workers_is_reset_and_said() -> None:
    scenario, notes = _opened(
        '{"zero_optimization": {"zero_hpz_partition_size": 3, "mics_shard_size": 5}}'
    )
    assert (scenario.sharding.group, scenario.sharding.secondary_group) == (None, None)
    assert notes[:2] == (
        "mics_shard_size 5 does not divide the 8 workers, so states are sharded over all of them.",
        "zero_hpz_partition_size 3 does not divide the 8 workers, so there is no secondary group.",
    )


def test_a_mics_group_is_read_although_deepspeed_has_dropped_it() -> None:
    scenario, notes = _opened('{"zero_optimization": {"stage": 3, "mics_shard_size": 4}}')
    assert scenario.sharding.group == 4
    assert any("DeepSpeed 0.19.8 has removed MiCS" in note for note in notes)
    assert _opened('{"zero_optimization": {"mics_shard_size": -1}}')[0].sharding.group is None


def test_the_old_switches_are_read() -> None:
    assert _opened('{"zero_optimization": true}')[0].sharding.stage == 1
    old = _opened('{"zero_optimization": {"stage": 2, "cpu_offload": true}}')[0]
    assert old.sharding.offload_optimizer == "host"
    assert _opened('{"bfloat16": {"enabled": true}}')[0].recipe.weights == "bf16"


def test_what_deepspeed_does_otherwise_is_said() -> None:
    _, notes = _opened(
        '{"zero_optimization": {"stage": 2, "offload_optimizer": {"device": "nvme"}}}'
    )
    assert any("at stage 2 the optimizer states stay in host memory" in note for note in notes)
    _, notes = _opened('{"bf16": {"enabled": true}, "data_types": {"grad_accum_dtype": "fp32"}}')
    assert any(note.startswith("DeepSpeed refuses grad_accum_dtype fp32") for note in notes)


WRONG = [
    ('{"zero_optimization": []}', "zero_optimization is a list; use an object {...}."),
    ('{"zero_optimization": null}', "zero_optimization is null; use an object {...}."),
    (
        '{"zero_optimization": {"stage": 4}}',
        "zero_optimization.stage is 4; use a whole number from 0 to 3.",
    ),
    (
        '{"zero_optimization": {"stage": 2.5}}',
        "zero_optimization.stage is 2.5; use a whole number from 0 to 3.",
    ),
    (
        '{"zero_optimization": {"stage": true}}',
        "zero_optimization.stage is true; use a whole number from 0 to 3.",
    ),
    (
        '{"zero_optimization": {"stage": "2"}}',
        'zero_optimization.stage is "2"; use a whole number from 0 to 3.',
    ),
    (
        '{"zero_optimization": {"stage": 1e999999999}}',
        "zero_optimization.stage is 1e999999999; use a whole number from 0 to 3.",
    ),
    (
        '{"zero_optimization": {"stage": NaN}}',
        "zero_optimization.stage is NaN; use a whole number from 0 to 3.",
    ),
    (
        '{"zero_optimization": {"stage": null}}',
        "zero_optimization.stage is null; give it a value or leave it out.",
    ),
    (
        '{"zero_optimization": {"stage3_param_persistence_threshold": -1}}',
        "zero_optimization.stage3_param_persistence_threshold is -1; use a whole number from 0 to"
        " 1,000,000,000,000,000,000.",
    ),
    (
        '{"zero_optimization": {"offload_optimizer": "cpu"}}',
        'zero_optimization.offload_optimizer is "cpu"; use an object {...}.',
    ),
    (
        '{"zero_optimization": {"offload_param": {"device": "gpu"}}}',
        'zero_optimization.offload_param.device is "gpu"; use one of none, cpu, nvme.',
    ),
    (
        '{"bf16": {"enabled": "yes"}}',
        'bf16.enabled is "yes"; use true or false.',
    ),
    (
        '{"bf16": {"enabled": true}, "fp16": {"enabled": true}}',
        "bf16.enabled is true; fp16.enabled is true as well, so keep one of them.",
    ),
    ('{"optimizer": {"type": 3}}', "optimizer.type is 3; use text."),
    ('{"optimizer": {"type": "SGD", "params": 1}}', "optimizer.params is 1; use an object {...}."),
    (
        '{"optimizer": {"type": "SGD", "params": {"momentum": "big"}}}',
        'optimizer.params.momentum is "big"; use a number.',
    ),
]


@pytest.mark.parametrize(("text", "sentence"), WRONG)
def test_a_wrong_config_is_refused_in_one_sentence(text: str, sentence: str) -> None:
    with pytest.raises(FileError) as refusal:
        _opened(text)
    assert str(refusal.value) == f"ds_config.json: {sentence}"


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.sampled_from(["auto", "cpu", "bf16", "\n", "é" * 70]),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(
            st.sampled_from(
                [
                    *("enabled", "stage", "device", "type", "params", "momentum"),
                    *("offload_optimizer", "offload_param", "mics_shard_size", "odd\nkey"),
                ]
            ),
            inner,
            max_size=3,
        )
    ),
    max_leaves=6,
)
KEYS = st.sampled_from(
    ["zero_optimization", "bf16", "fp16", "data_types", "optimizer", "amp", "other"]
)


@given(st.dictionaries(KEYS, VALUES))
def test_any_values_are_read_or_refused_and_every_key_is_named(values: dict[str, object]) -> None:
    with contextlib.suppress(FileError):
        _, notes = _opened(json.dumps(values))
        assert all(note.endswith(".") and "\n" not in note for note in notes)
        for key in ("amp", "other"):
            assert (key in values) == any(
                note.startswith(("Not honoured", "Read past")) and key in note for note in notes
            )
