"""Accelerate configs (YAML): FSDP, DDP and DeepSpeed ones, read onto a scenario."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from zerogui.accounting.cluster import MAX_WORKERS, Cluster
from zerogui.accounting.recipe import Recipe
from zerogui.accounting.scenario import Scenario
from zerogui.accounting.sharding import Sharding
from zerogui.files.engines import accelerate_keys as keys
from zerogui.files.engines.accelerate_export import write_accelerate
from zerogui.files.engines.deepspeed_config import read_deepspeed
from zerogui.files.engines.engine_recipe import moments, named, stored_in
from zerogui.files.engines.yaml_text import parse_yaml
from zerogui.files.errors import FileError
from zerogui.files.fields import AUTO, Fate, Section, described
from zerogui.files.opened import EngineSettings

__all__ = ["ACCELERATE", "read_accelerate", "read_accelerate_value", "write_accelerate"]

ACCELERATE = "Accelerate FSDP config"
_ACCELERATE_DEEPSPEED = "Accelerate DeepSpeed config"

_FSDP, _DEEPSPEED, _DDP = "fsdp", "deepspeed", "ddp"
_TYPES = {
    "fsdp": _FSDP,
    "deepspeed": _DEEPSPEED,
    **dict.fromkeys(("multi_gpu", "multi_cpu", "multi_npu", "multi_xpu", "no", "false"), _DDP),
}
_MIXED = {"no": "no", "false": "no", "bf16": "bf16", "fp16": "fp16", "fp8": "fp8"}
_SWITCH = {"true": "true", "false": ""}
_DEVICES = {"none": "none", "cpu": "cpu", "nvme": "nvme"}
_STAGES = {"0": "0", "1": "1", "2": "2", "3": "3"}
_VERSIONS = {"1": "1", "2": "2"}

_FULL, _GRAD_OP, _NONE, _HYBRID = "full", "SHARD_GRAD_OP", "none", "hybrid"
# torch.distributed.fsdp.ShardingStrategy by name and, as old files have it, by number.
_STRATEGIES = {
    **dict.fromkeys(("full_shard", "true", "1"), _FULL),
    **dict.fromkeys(("shard_grad_op", "no_reshard", "false", "2"), _GRAD_OP),
    **dict.fromkeys(("no_shard", "3"), _NONE),
    **dict.fromkeys(("hybrid_shard", "hybrid_shard_zero2", "4", "5"), _HYBRID),
}

_TRUE_OR_FALSE = "use true or false"
_OF_MIXED = "use no, bf16, fp16 or fp8"
_OF_STRATEGIES = "use true or false, or FULL_SHARD, SHARD_GRAD_OP, NO_SHARD or HYBRID_SHARD"


@dataclass(frozen=True)
class _Launch:
    """Processes in all (None: not said), machines, and compute precision (None: "auto")."""

    processes: int | None
    machines: int
    mixed: str | None
    tensor_parallel: int = 1


@dataclass(frozen=True)
class _Plan:
    """How states are sharded. ``shard`` × ``replicas`` is a mesh; None stands for "auto"."""

    stage: int | None
    offload: str | None
    hybrid: bool = False
    shard: int | None = None
    replicas: int = 1


def read_accelerate(text: str | bytes, source: str) -> EngineSettings:
    """The settings of a YAML config. FileError for what is none, or without PyYAML."""
    value = parse_yaml(text, source)
    if not isinstance(value, dict):
        sentence = f"the file is {described(value)}, which is no config; choose another file."
        raise FileError(source, sentence)
    return read_accelerate_value(value, source)


def read_accelerate_value(value: Mapping[str, object], source: str) -> EngineSettings:
    """The settings of a parsed config ``value``. FileError for what is none."""
    fate = Fate()
    top = Section(_said(value), "", source, fate)
    if "distributed_type" not in top:
        raise FileError(
            source, "distributed_type is missing, so it is no Accelerate config; choose another."
        )
    kind = top.word("distributed_type", "", _TYPES, "use FSDP, DEEPSPEED or MULTI_GPU")
    if kind is None:
        raise top.wrong("distributed_type", AUTO, "use FSDP, DEEPSPEED or MULTI_GPU")
    launch = _launch(top)
    if kind == _DEEPSPEED:
        return _deepspeed(top, launch, source, fate)
    if kind == _FSDP:
        launch, plan, notes = _fsdp(top, launch)
    else:
        plan = _Plan(0, "device")
        notes = ["Without FSDP nothing is sharded: it is read as fsdp2 at stage 0, which is DDP."]
    top.finish(keys.TOP, keys.TOP_HARMLESS)
    told = (*notes, *_precision_notes(launch.mixed), *fate.sentences())

    def apply(s: Scenario) -> tuple[Scenario, tuple[str, ...]]:
        cluster, resized = _cluster(s.cluster, launch)
        group, regrouped = _group(plan, launch, cluster)
        before = s.sharding
        stage = before.stage if plan.stage is None else plan.stage
        optimizer = plan.offload or before.offload_optimizer
        weights = plan.offload or before.offload_weights
        sharding = Sharding("fsdp2", stage, group, None, 0, optimizer, weights)
        recipe = s.recipe if launch.mixed is None else _recipe(s.recipe)
        changed = replace(s, recipe=recipe, cluster=cluster, sharding=sharding)
        return changed, (*resized, *regrouped, *told)

    return EngineSettings(ACCELERATE, source, apply)


def _said(value: object) -> object:
    """``value`` without the keys that are null, which say nothing."""
    if not isinstance(value, dict):
        return value
    return {key: item for key, item in value.items() if item is not None}


def _launch(top: Section) -> _Launch:
    processes = top.integer("num_processes", -1, -1, MAX_WORKERS)
    if processes == 0:
        raise top.wrong("num_processes", 0, f"use a whole number from 1 to {MAX_WORKERS:,}")
    machines = top.peek("num_machines")
    if not isinstance(machines, int) or not 1 <= machines <= MAX_WORKERS:
        machines = 1
    old = top.word("fp16", "false", _SWITCH, _TRUE_OR_FALSE)
    mixed = top.word("mixed_precision", "fp16" if old else "no", _MIXED, _OF_MIXED)
    return _Launch(None if processes == -1 else processes, machines, mixed)


def _prefixed(value: object, source: str) -> object:
    """fsdp_config with the prefix that Accelerate adds to the keys that lack it."""
    if not isinstance(value, dict):
        return {} if value is None else value
    named_keys = {key if key.startswith("fsdp") else f"fsdp_{key}": key for key in value}
    if len(named_keys) < len(value):
        raise FileError(source, "fsdp_config has a key with and without fsdp_; keep one of them.")
    return _said({full: value[key] for full, key in named_keys.items()})


def _fsdp(top: Section, launch: _Launch) -> tuple[_Launch, _Plan, list[str]]:
    fsdp = top.remade("fsdp_config", _prefixed)
    notes = []
    version = fsdp.word("fsdp_version", "1", _VERSIONS, "use 1 or 2")
    if version == "1":
        notes.append(
            "FSDP version 1 is read as fsdp2; version 1 flattens each wrapped block, so its padding"
            " may differ."
        )
    key = "fsdp_reshard_after_forward"
    if version == "1" and "fsdp_sharding_strategy" in fsdp:
        key = "fsdp_sharding_strategy"
    strategy = fsdp.word(key, "full_shard", _STRATEGIES, _OF_STRATEGIES)
    if strategy == _GRAD_OP:
        notes.append(
            "SHARD_GRAD_OP (reshard_after_forward: false) changes residual states only: weights"
            " stay gathered from forward to backward, and what persists is that of stage 3."
        )
    offload = fsdp.word("fsdp_offload_params", "false", _SWITCH, _TRUE_OR_FALSE)
    if offload:
        notes.append(
            "fsdp_offload_params moves gradients to the host too; here they are counted on the"
            " device."
        )
    fsdp.finish(keys.FSDP, keys.FSDP_HARMLESS)
    stage = None if strategy is None else 0 if strategy == _NONE else 3
    tier = None if offload is None else "host" if offload else "device"
    plan = _Plan(stage, tier, strategy == _HYBRID)
    if version == "1" or "parallelism_config" not in top:
        return launch, plan, notes
    return _mesh(top, launch, plan, notes)


def _mesh(
    top: Section, launch: _Launch, plan: _Plan, notes: list[str]
) -> tuple[_Launch, _Plan, list[str]]:
    """The sizes of parallelism_config, which only FSDP 2 has."""
    mesh = top.remade("parallelism_config", lambda value, _: _said(value))
    prefix = "parallelism_config_"
    sizes = [
        mesh.integer(f"{prefix}{name}_size", 1, 1, MAX_WORKERS) or 1
        for name in ("dp_shard", "dp_replicate", "tp")
    ]
    mesh.finish(keys.PARALLEL, keys.PARALLEL_HARMLESS)
    shard, replicas, tensor_parallel = sizes
    if replicas > 1 and shard == 1:
        notes.append(
            "dp_replicate_size without a dp_shard_size is left out: Accelerate refuses it."
        )
    if shard > 1:
        plan = replace(plan, shard=shard, replicas=replicas)
    return replace(launch, tensor_parallel=tensor_parallel), plan, notes


def _cluster(before: Cluster, launch: _Launch) -> tuple[Cluster, tuple[str, ...]]:
    tensor_parallel = launch.tensor_parallel
    workers, rest = divmod(launch.processes or before.workers, tensor_parallel)
    if launch.processes is None:
        workers, rest = before.workers, 0
    if rest:
        note = f"{launch.processes:,} processes are no multiple of tp_size {tensor_parallel:,}, so"
        changed = replace(before, workers=launch.processes or 1, model_parallel=1)
        return changed, (f"{note} tensor parallelism is left out.",)
    notes = []
    if tensor_parallel != before.model_parallel:
        notes.append(f"Model parallel becomes {tensor_parallel:,}, as the config has it.")
    changed = replace(before, workers=workers, model_parallel=tensor_parallel)
    return changed, tuple(notes)


def _group(plan: _Plan, launch: _Launch, cluster: Cluster) -> tuple[int | None, tuple[str, ...]]:
    """The shard group; None, with a note, where it does not divide the workers."""
    workers = cluster.workers
    if plan.hybrid:
        group = cluster.workers_per_node // cluster.model_parallel
        if launch.machines > 1:
            group = 0 if workers % launch.machines else workers // launch.machines
        if group and workers % group == 0 and workers > group:
            return group, (
                f"HYBRID_SHARD is read as a shard group of one node, {group:,} workers.",
            )
        if group and workers <= group:
            return None, ()
        return None, (
            f"HYBRID_SHARD is left out, because nodes do not divide the {workers:,} workers.",
        )
    group = plan.shard or 0
    if not group:
        return None, ()
    if workers % group:
        note = f"dp_shard_size {group:,} does not divide the {workers:,} workers, so states are"
        return None, (f"{note} sharded over all of them.",)
    if group * plan.replicas != workers:
        note = f"dp_replicate_size is {plan.replicas:,}, but {workers:,} workers in shard groups of"
        return group, (f"{note} {group:,} are {workers // group:,} replicas, which is taken.",)
    return group, ()


def _recipe(before: Recipe) -> Recipe:
    """What Accelerate makes of the recipe: trainable weights in fp32, no master copy."""
    kept = stored_in(moments(before), "fp32")
    return named(Recipe("", "fp32", "fp32", kept, before.frozen_weights), before)


def _precision_notes(mixed: str | None) -> tuple[str, ...]:
    if mixed is None:
        return ()
    optimizer = "The file names no optimizer (the script makes it), so the recipe's stays, in fp32."
    if mixed == "no":
        weights = "The script decides in which dtype weights are loaded; PyTorch's default, fp32,"
        return (f"{weights} is taken.", optimizer)
    weights = f"With mixed_precision {mixed} Accelerate keeps trainable weights and gradients in"
    return (f"{weights} fp32 and casts for compute.", optimizer)


def _deepspeed(top: Section, launch: _Launch, source: str, fate: Fate) -> EngineSettings:
    """The deepspeed_config part, as the DeepSpeed config that Accelerate makes of it."""
    part = top.remade("deepspeed_config", lambda value, _: _said(value))
    if "deepspeed_config_file" in part:
        raise part.wrong(
            "deepspeed_config_file",
            part.peek("deepspeed_config_file"),
            "open that file instead, because it holds the settings",
        )
    stage = part.word("zero_stage", "2", _STAGES, "use 0, 1, 2 or 3")
    zero: dict[str, object] = {"stage": AUTO if stage is None else int(stage)}
    for name in ("optimizer", "param"):
        device = part.word(f"offload_{name}_device", "none", _DEVICES, "use none, cpu or nvme")
        zero[f"offload_{name}"] = {"device": device or AUTO}
    part.finish(keys.DEEPSPEED, {})
    top.finish(keys.TOP, keys.TOP_HARMLESS)
    enabled = {
        name: {"enabled": AUTO if launch.mixed is None else launch.mixed == name}
        for name in ("bf16", "fp16")
    }
    inner = read_deepspeed({"zero_optimization": zero, **enabled}, source)
    told = fate.sentences()
    if launch.mixed == "fp8":
        told = ("fp8 is not modelled under DeepSpeed; weights are read as fp32.", *told)

    def apply(s: Scenario) -> tuple[Scenario, tuple[str, ...]]:
        cluster, resized = _cluster(s.cluster, launch)
        # The groups of before may not divide the new workers, and the config has none.
        alone = replace(s.sharding, group=None, secondary_group=None)
        changed, notes = inner.apply(replace(s, cluster=cluster, sharding=alone))
        return changed, (*resized, *notes, *told)

    return EngineSettings(_ACCELERATE_DEEPSPEED, source, apply)
