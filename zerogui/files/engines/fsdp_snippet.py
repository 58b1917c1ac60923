"""A short PyTorch script that shards a model with fully_shard, written from a scenario."""

from dataclasses import replace

from zerogui.accounting.recipe import MASTER_WEIGHTS, Recipe
from zerogui.accounting.scenario import Scenario
from zerogui.files.engines.accelerate_export import lost_sharding, written_sharding
from zerogui.files.engines.deepspeed_export import needs_rule
from zerogui.files.engines.engine_recipe import (
    ADAGRAD,
    ADAM,
    FLOATS,
    MOMENTUM,
    SGD,
    Kind,
    kind_of,
    master,
    named,
)
from zerogui.files.engines.expected import commented
from zerogui.files.opened import Export

NAME = "fully_shard.py"

_TORCH = {"fp32": "torch.float32", "bf16": "torch.bfloat16", "fp16": "torch.float16"}
_MAKERS: dict[Kind, str] = {
    ADAM: "torch.optim.AdamW(trained, lr=1e-3)",
    SGD: "torch.optim.SGD(trained, lr=1e-3, momentum=0)",
    MOMENTUM: "torch.optim.SGD(trained, lr=1e-3, momentum=0.9)",
    ADAGRAD: "torch.optim.Adagrad(trained, lr=1e-3)",
}

_HEAD = '''\
import torch
from torch.distributed.device_mesh import init_device_mesh
{imports}


def shard(model, blocks):
    """Shard `model`, of which `blocks` are the repeated layers, and make its optimizer."""
    for parameter in model.parameters():
{cast}
'''
_FSDP_IMPORTS = """\
from torch.distributed.fsdp import (
    CPUOffloadPolicy,
    MixedPrecisionPolicy,
    OffloadPolicy,
    fully_shard,
)"""
_FSDP_BODY = """\
    mesh = init_device_mesh("cuda", {sizes}, mesh_dim_names={names})
    settings = {{
        "mesh": mesh,
        "reshard_after_forward": True,
        "mp_policy": MixedPrecisionPolicy(param_dtype={computes}, reduce_dtype=None),
        "offload_policy": {offload}(),
    }}
    for block in blocks:
        fully_shard(block, **settings)
    fully_shard(model, **settings)
    trained = [parameter for parameter in model.parameters() if parameter.requires_grad]
    return model, {optimizer}
"""
_DDP_BODY = """\
    mesh = init_device_mesh("cuda", ({workers},), mesh_dim_names=("replicate",))
    model = DistributedDataParallel(model.cuda(), device_mesh=mesh)
    trained = [parameter for parameter in model.parameters() if parameter.requires_grad]
    return model, {optimizer}
"""


def write_fully_shard(scenario: Scenario) -> Export:
    """The script of ``scenario``. InputError unless its rule is ``fsdp2``."""
    needs_rule(scenario, "fsdp2", "PyTorch FSDP2", "fully_shard script")
    written, kind = as_written(scenario)
    lost = (*lost_sharding(scenario, written.sharding), *_lost_recipe(scenario, written.recipe))
    return Export(NAME, _text(scenario, written, kind, lost), lost)


def as_written(scenario: Scenario) -> tuple[Scenario, Kind]:
    """What PyTorch runs with the script of ``scenario``, and with which optimizer."""
    before = scenario.recipe
    found = kind_of(before)
    kind = found if found in _MAKERS and found is not None else ADAM
    # PyTorch's mixed precision keeps the weights themselves in the master copy's dtype.
    weights = before.weights if master(before) is None else "fp32"
    weights = weights if weights in FLOATS else "bf16"
    frozen = before.frozen_weights
    recipe = Recipe("", weights, weights, kind.kept(weights), frozen)
    cluster = replace(scenario.cluster, model_parallel=1)
    changed = replace(
        scenario,
        recipe=named(recipe, before),
        cluster=cluster,
        sharding=written_sharding(scenario),
    )
    return changed, kind


def _text(scenario: Scenario, written: Scenario, kind: Kind, lost: tuple[str, ...]) -> str:
    computes = scenario.recipe.weights
    # Computing in the dtype in which the weights are kept needs no cast.
    cast = computes != written.recipe.weights and computes in FLOATS
    sharding, workers = written.sharding, written.cluster.workers
    optimizer = _MAKERS[kind]
    if sharding.stage == 0:
        imports = "from torch.nn.parallel import DistributedDataParallel"
        body = _DDP_BODY.format(workers=workers, optimizer=optimizer)
    else:
        imports = _FSDP_IMPORTS
        group = sharding.group
        body = _FSDP_BODY.format(
            sizes=f"({workers},)" if group is None else f"({workers // group}, {group})",
            names='("shard",)' if group is None else '("replicate", "shard")',
            computes=_TORCH[computes] if cast else "None",
            offload="CPUOffloadPolicy" if sharding.offload_weights == "host" else "OffloadPolicy",
            optimizer=optimizer,
        )
    head = _HEAD.format(imports=imports, cast=_cast(written))
    return "\n".join(commented(scenario, written, lost)) + "\n" + head + body


def _cast(written: Scenario) -> str:
    """The lines that bring the model to its dtypes."""
    weights, frozen = written.recipe.weights, written.recipe.frozen_weights
    to = f"parameter.data = parameter.data.to({_TORCH[weights]})"
    if not written.model.frozen_parameters or frozen == weights:
        return f"        {to}"
    lines = ["        if parameter.requires_grad:", f"            {to}"]
    if frozen in FLOATS:
        lines += [
            "        else:",
            f"            parameter.data = parameter.data.to({_TORCH[frozen]})",
        ]
    return "\n".join(lines)


def _lost_recipe(scenario: Scenario, written: Recipe) -> list[str]:
    before = scenario.recipe
    lost = []
    if master(before) is not None:
        lost.append(
            "Master weights cannot be written: PyTorch's optimizers keep none, so the weights"
            " themselves are fp32 here, and their gradients with them."
        )
    elif before.weights != written.weights:
        lost.append(f"Weights in {before.weights} cannot be written: bf16 is.")
    if master(before) is None and before.gradients != written.gradients:
        lost.append(
            f"Gradients in {before.gradients} cannot be written: PyTorch's have the weights' dtype,"
            f" {written.weights}."
        )
    if before.accumulation is not None:
        lost.append(
            f"PyTorch accumulates gradients in place, so {before.accumulation} is not written."
        )
    kept = tuple(tensor for tensor in before.optimizer if tensor.name != MASTER_WEIGHTS)
    if kept != written.optimizer:
        names = ", ".join(f"{t.name} ({t.dtype})" for t in written.optimizer) or "nothing"
        lost.append(
            f"The optimizer tensors cannot be written: the script's optimizer keeps {names}."
        )
    if scenario.model.frozen_parameters and before.frozen_weights not in FLOATS:
        lost.append(
            f"Frozen weights in {before.frozen_weights} cannot be written: load them quantised."
        )
    return lost
