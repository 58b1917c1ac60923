"""DeepSpeed configs (JSON): read onto a scenario as its sharding and dtypes."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from zerogui.accounting.cluster import MAX_WORKERS
from zerogui.accounting.errors import shown
from zerogui.accounting.recipe import Recipe
from zerogui.accounting.scenario import Scenario
from zerogui.accounting.sharding import Sharding
from zerogui.files.engines import deepspeed_keys as keys
from zerogui.files.engines.deepspeed_export import write_deepspeed
from zerogui.files.engines.engine_recipe import (
    FLOATS,
    SGD_TYPES,
    Kind,
    copied,
    kind_named,
    master,
    moments,
    named,
    stored_in,
)
from zerogui.files.fields import AUTO, Fate, Section, number
from zerogui.files.opened import EngineSettings

__all__ = ["DEEPSPEED", "read_deepspeed", "write_deepspeed"]

DEEPSPEED = "DeepSpeed config"

_TIERS = {"none": "device", "cpu": "host", "nvme": "nvme"}
_DTYPES = {
    **{"fp32": "fp32", "fp16": "fp16", "bf16": "bf16"},
    **{"float32": "fp32", "float": "fp32", "torch.float32": "fp32"},
    **{"float16": "fp16", "half": "fp16", "torch.float16": "fp16"},
    **{"bfloat16": "bf16", "torch.bfloat16": "bf16"},
}
# DeepSpeed 0.19, runtime/zero/config.py.
_PERSISTENCE_THRESHOLD = 100_000


@dataclass(frozen=True)
class _Zero:
    """What zero_optimization says; a field that is None stays as it is in the scenario."""

    stage: int | None
    offload_optimizer: str | None
    offload_weights: str | None
    threshold: int | None
    secondary: int | None
    group: int | None
    has_group: bool


@dataclass(frozen=True)
class _Precision:
    """Dtypes that bf16, fp16 and data_types set; ``weights`` None: all of them stay."""

    weights: str | None
    master: str
    states: str
    accumulation: str | None
    keeps_accumulation: bool


@dataclass(frozen=True)
class _Optimizer:
    """``kind`` None: the recipe's optimizer tensors stay."""

    kind: Kind | None
    notes: tuple[str, ...] = ()


def read_deepspeed(value: Mapping[str, object], source: str) -> EngineSettings:
    """The settings that the parsed config ``value`` makes. FileError for what is no such config."""
    fate = Fate()
    top = Section(value, "", source, fate)
    precision = _precision(top)
    zero = _zero(top)
    optimizer = _optimizer(top)
    top.finish(keys.TOP, keys.TOP_HARMLESS)
    notes = (*optimizer.notes, *_warnings(zero, precision), *fate.sentences())

    def apply(s: Scenario) -> tuple[Scenario, tuple[str, ...]]:
        sharding, resets = _sharding(s, zero)
        recipe = _recipe(s, precision, optimizer.kind)
        return replace(s, recipe=recipe, sharding=sharding), (*resets, *notes)

    return EngineSettings(DEEPSPEED, source, apply)


def _zero(top: Section) -> _Zero:
    whole = top.peek("zero_optimization")
    if isinstance(whole, bool):
        # The form of old versions: true is stage 1.
        top.skip("zero_optimization")
        return _Zero(int(whole), "device", "device", _PERSISTENCE_THRESHOLD, 1, None, False)
    zero = top.section("zero_optimization")
    has_group = "mics_shard_size" in zero
    threshold = "stage3_param_persistence_threshold"
    if threshold not in zero and "param_persistence_threshold" in zero:
        threshold = "param_persistence_threshold"
    settings = _Zero(
        stage=zero.integer("stage", 0, 0, 3),
        offload_optimizer=_offload(zero, "offload_optimizer", "cpu_offload"),
        offload_weights=_offload(zero, "offload_param", "cpu_offload_param"),
        threshold=zero.integer(threshold, _PERSISTENCE_THRESHOLD, 0),
        secondary=zero.integer("zero_hpz_partition_size", 1, 0, MAX_WORKERS),
        group=zero.integer("mics_shard_size", -1, -1, MAX_WORKERS),
        has_group=has_group,
    )
    zero.finish(keys.ZERO, keys.ZERO_HARMLESS)
    return settings


def _offload(zero: Section, key: str, old: str) -> str | None:
    """The tier at ``key``; ``old`` is a switch that means host."""
    if key in zero:
        offload = zero.section(key, nullable=True)
        tier = offload.choice("device", "none", _TIERS)
        if tier == "nvme":
            offload.drop("max_in_cpu")
        offload.finish(keys.OFFLOAD | {"max_in_cpu"}, keys.OFFLOAD_HARMLESS)
        return tier
    if zero.peek(old) is None:
        zero.skip(old)
        return "device"
    switch = zero.boolean(old, False)
    return None if switch is None else "host" if switch else "device"


def _precision(top: Section) -> _Precision:
    bf16 = top.section("bfloat16" if "bf16" not in top and "bfloat16" in top else "bf16")
    fp16 = top.section("fp16")
    on, half = bf16.boolean("enabled", False), fp16.boolean("enabled", False)
    if on and half:
        raise bf16.wrong("enabled", True, "fp16.enabled is true as well, so keep one of them")
    low = bf16.boolean("bf16_master_weights_and_grads", False)
    low_states = bf16.boolean("bf16_optimizer_states", False)
    low_half = fp16.boolean("fp16_master_weights_and_grads", False)
    for section in (bf16, fp16):
        section.finish(keys.PRECISION, {})
    types = top.section("data_types")
    weights = "bf16" if on else "fp16" if half else None if on is None or half is None else "fp32"
    in_place = types.peek("grad_accum_dtype") is None
    if in_place:
        types.skip("grad_accum_dtype")
    accumulation = None if in_place else types.choice("grad_accum_dtype", "", _DTYPES)
    same = tuple(name for name, dtype in _DTYPES.items() if dtype == weights)
    types.finish(
        frozenset({"buffer_dtype"}),
        {"param_dtype": (None, *same), "keep_in_fp32_modules": (AUTO, [])},
    )
    return _Precision(
        weights,
        "bf16" if on and low else "fp16" if half and low_half else "fp32",
        "bf16" if on and low and low_states else "fp32",
        accumulation,
        not in_place and accumulation is None,
    )


def _optimizer(top: Section) -> _Optimizer:
    optimizer = top.section("optimizer")
    name = optimizer.text("type", "")
    params = optimizer.section("params")
    notes: list[str] = []
    momentum = True
    if name and name.lower() in SGD_TYPES:
        momentum, assumed = _momentum(params)
        notes += assumed
    params.finish(keys.OPTIMIZER_PARAMS, keys.OPTIMIZER_HARMLESS)
    optimizer.finish(keys.OPTIMIZER, {})
    kind = kind_named(name, momentum) if name else None
    if name == "":
        notes.append("The file names no optimizer (the script makes it), so the recipe's stays.")
    elif name and kind is None:
        notes.append(
            f"optimizer.type is {shown(name)}, of which zerogui does not know what it keeps; the"
            " recipe's optimizer stays."
        )
    elif name and kind is not None and kind.dtype is not None:
        notes.append(
            f"optimizer.type {shown(name)} is read as bitsandbytes' 8-bit Adam, which DeepSpeed"
            " itself does not have."
        )
    return _Optimizer(kind, tuple(notes))


def _momentum(params: Section) -> tuple[bool, tuple[str, ...]]:
    """Whether SGD keeps a momentum, and what was assumed for that."""
    value = params.peek("momentum")
    params.skip("momentum")
    if value == AUTO:
        return True, ('optimizer.params.momentum is "auto"; a momentum is assumed.',)
    exact = number(0 if value is None else value)
    if exact is None:
        raise params.wrong("momentum", value, "use a number")
    return exact != 0, ()


def _warnings(zero: _Zero, precision: _Precision) -> tuple[str, ...]:
    """What DeepSpeed itself does not do with these settings."""
    notes = []
    if zero.has_group:
        notes.append(
            "mics_shard_size is read as the shard group; DeepSpeed 0.19.8 has removed MiCS and"
            " refuses the key."
        )
    if zero.offload_optimizer == "nvme" and zero.stage in (1, 2):
        notes.append(
            f"DeepSpeed offloads to NVMe at stage 3 only; at stage {zero.stage} the optimizer"
            " states stay in host memory."
        )
    accumulation, weights = precision.accumulation, precision.weights
    if zero.stage == 0 and accumulation and weights and accumulation != weights:
        notes.append(
            f"DeepSpeed refuses grad_accum_dtype {accumulation} beside {weights} weights at"
            " stage 0."
        )
    return tuple(notes)


def _sharding(s: Scenario, zero: _Zero) -> tuple[Sharding, tuple[str, ...]]:
    """The sharding onto ``s``; groups that do not divide its workers are reset, with a note."""
    before, workers = s.sharding, s.cluster.workers
    group = before.group if zero.group is None else zero.group if zero.group > 0 else None
    secondary = zero.secondary
    if secondary is None:
        secondary = before.secondary_group
    elif secondary < 2:
        secondary = None
    notes = []
    if group is not None and workers % group:
        notes.append(
            f"mics_shard_size {group:,} does not divide the {workers:,} workers, so states are"
            " sharded over all of them."
        )
        group = None
    if secondary is not None and workers % secondary:
        notes.append(
            f"zero_hpz_partition_size {secondary:,} does not divide the {workers:,} workers, so"
            " there is no secondary group."
        )
        secondary = None
    sharding = Sharding(
        "deepspeed",
        before.stage if zero.stage is None else zero.stage,
        group,
        secondary,
        before.persistence_threshold if zero.threshold is None else zero.threshold,
        zero.offload_optimizer or before.offload_optimizer,
        zero.offload_weights or before.offload_weights,
    )
    return sharding, tuple(notes)


def _recipe(s: Scenario, precision: _Precision, kind: Kind | None) -> Recipe:
    before = s.recipe
    accumulation = precision.accumulation
    if precision.keeps_accumulation:
        accumulation = before.accumulation
    weights = precision.weights
    if weights is None:
        copy, states = master(before), master(before) or "fp32"
        kept = moments(before) if kind is None else kind.kept(states)
        recipe = replace(before, optimizer=(*copied(copy), *kept), accumulation=accumulation)
        return named(recipe, before, kind)
    # Rule deepspeed adds the master copy of fp32 weights by itself, where there is one.
    copy = None if weights == "fp32" else precision.master
    kept = stored_in(moments(before), precision.states)
    if kind is not None:
        kept = kind.kept(precision.states)
    # DeepSpeed casts the frozen floats with the rest; quantised ones stay as they were loaded.
    casts = s.model.frozen_parameters > 0 and before.frozen_weights in FLOATS
    frozen = weights if casts else before.frozen_weights
    recipe = Recipe("", weights, weights, (*copied(copy), *kept), frozen, accumulation)
    return named(recipe, before, kind)
