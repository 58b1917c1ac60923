"""The fully_shard script: what it says, what it leaves out, and that PyTorch agrees."""

import ast
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given

from tests.files.engines.engine_scenes import MASTER, MODEL, MOMENTS, anything, tensors
from zerogui.accounting.cluster import Cluster
from zerogui.accounting.errors import InputError
from zerogui.accounting.model import Model
from zerogui.accounting.recipe import Recipe
from zerogui.accounting.scenario import Scenario
from zerogui.accounting.sharding import Sharding
from zerogui.catalog import recipe_named
from zerogui.files.engines.fsdp_snippet import write_fully_shard

PLAN = Scenario(
    "Toy",
    MODEL,
    recipe_named("Pure bf16 AdamW").recipe,
    Cluster(8),
    Sharding("fsdp2", 3, 4),
)
# wte 25 rows of 16 and three fc of 4 rows of 64 on each rank, and 3 × 4 frozen elements; bf16.
WRITTEN = '''\
# Plan: Toy
# Expected: 9,368 bytes of model states on the fullest of 8 ranks: parameters 2,360, gradients
#   2,336, optimizer 4,672.
import torch
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import (
    CPUOffloadPolicy,
    MixedPrecisionPolicy,
    OffloadPolicy,
    fully_shard,
)


def shard(model, blocks):
    """Shard `model`, of which `blocks` are the repeated layers, and make its optimizer."""
    for parameter in model.parameters():
        parameter.data = parameter.data.to(torch.bfloat16)
    mesh = init_device_mesh("cuda", (2, 4), mesh_dim_names=("replicate", "shard"))
    settings = {
        "mesh": mesh,
        "reshard_after_forward": True,
        "mp_policy": MixedPrecisionPolicy(param_dtype=None, reduce_dtype=None),
        "offload_policy": OffloadPolicy(),
    }
    for block in blocks:
        fully_shard(block, **settings)
    fully_shard(model, **settings)
    trained = [parameter for parameter in model.parameters() if parameter.requires_grad]
    return model, torch.optim.AdamW(trained, lr=1e-3)
'''


def test_the_script_of_a_plan_states_expected_bytes_and_writes_defaults_out() -> None:
    export = write_fully_shard(PLAN)
    assert (export.name, export.lost) == ("fully_shard.py", ())
    assert export.text == WRITTEN


def test_stage_0_is_ddp() -> None:
    export = write_fully_shard(replace(PLAN, sharding=Sharding("fsdp2", 0)))
    assert export.lost == ()
    assert "DistributedDataParallel(model.cuda(), device_mesh=mesh)" in export.text
    assert "fully_shard" not in export.text


def test_offload_and_the_optimizer_are_written() -> None:
    moved = Sharding("fsdp2", 3, None, None, 0, "host", "host")
    momentum = Recipe("Custom", "fp32", "fp32", tensors("momentum"))
    export = write_fully_shard(replace(PLAN, sharding=moved, recipe=momentum))
    assert export.lost == ()
    assert '"offload_policy": CPUOffloadPolicy(),' in export.text
    assert 'init_device_mesh("cuda", (8,), mesh_dim_names=("shard",))' in export.text
    assert "torch.optim.SGD(trained, lr=1e-3, momentum=0.9)" in export.text


def test_mixed_precision_keeps_fp32_weights_and_says_so() -> None:
    plan = Scenario(model=Model("", 1000), cluster=Cluster(4), sharding=Sharding("fsdp2", 3))
    export = write_fully_shard(plan)
    assert export.lost == (
        "Master weights cannot be written: PyTorch's optimizers keep none, so the weights"
        " themselves are fp32 here, and their gradients with them.",
    )
    assert "MixedPrecisionPolicy(param_dtype=torch.bfloat16, reduce_dtype=None)" in export.text
    # 250 elements of 4 + 4 + 8 bytes.
    assert "4,000 bytes of model states on the fullest of 4 ranks" in export.text


def test_frozen_weights_keep_a_dtype_of_their_own() -> None:
    mixed = replace(PLAN, recipe=replace(PLAN.recipe, frozen_weights="fp32"))
    assert "            parameter.data = parameter.data.to(torch.float32)" in (
        write_fully_shard(mixed).text
    )
    quantised = replace(PLAN, recipe=replace(PLAN.recipe, frozen_weights="nf4-double"))
    assert write_fully_shard(quantised).lost == (
        "Frozen weights in nf4-double cannot be written: load them quantised.",
    )


LOST: list[tuple[dict[str, Any], dict[str, Any], str]] = [
    ({"stage": 1}, {}, "FSDP2 has no stage 1"),
    ({"offload_weights": "host"}, {}, "Optimizer states on device and weights on host cannot"),
    ({}, {"weights": "fp8"}, "Weights in fp8 cannot be written: bf16 is."),
    ({}, {"gradients": "fp32"}, "Gradients in fp32 cannot be written"),
    ({}, {"accumulation": "fp32"}, "PyTorch accumulates gradients in place"),
    ({}, {"optimizer": MOMENTS}, "The optimizer tensors cannot be written"),
    ({}, {"optimizer": tensors("a", dtype="bf16")}, "The optimizer tensors cannot be written"),
]


@pytest.mark.parametrize(("sharding", "recipe", "sentence"), LOST)
def test_what_the_script_cannot_express_is_said(
    sharding: dict[str, Any], recipe: dict[str, Any], sentence: str
) -> None:
    export = write_fully_shard(
        replace(
            PLAN,
            sharding=replace(Sharding("fsdp2", 3), **sharding),
            recipe=replace(PLAN.recipe, **recipe),
        )
    )
    [said] = export.lost
    assert said.startswith(sentence)


@pytest.mark.parametrize("rule", ["even", "torch-zero1", "deepspeed"])
def test_a_plan_for_another_rule_is_refused(rule: str) -> None:
    with pytest.raises(InputError, match=r"sharding\.rule is"):
        write_fully_shard(replace(PLAN, sharding=Sharding(rule)))


@given(anything("fsdp2"))
def test_every_script_is_python_with_short_lines(scenario: Scenario) -> None:
    text = write_fully_shard(replace(scenario, title='"""\n#' + "x" * 300)).text
    ast.parse(text)
    assert max(map(len, text.splitlines())) <= 100
    assert MASTER[0].name not in text.split("import torch")[1]
