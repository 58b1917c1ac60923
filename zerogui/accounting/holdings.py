"""The lines of a budget: every state that a rank holds at a stage: dtype, tier and layout."""

from collections.abc import Iterable
from functools import cached_property

from zerogui.accounting.coverage import PARTS
from zerogui.accounting.dtype import DTYPES, Dtype
from zerogui.accounting.errors import shown
from zerogui.accounting.layout import Layout, Steps, added
from zerogui.accounting.model import Model
from zerogui.accounting.recipe import MASTER_WEIGHTS, OptimizerTensor, Recipe
from zerogui.accounting.rules import rule_named
from zerogui.accounting.rules.base import PartitionRule, Role, Tensors
from zerogui.accounting.scenario import Scenario
from zerogui.accounting.sharding import Sharding

PARAMETERS, GRADIENTS, OPTIMIZER = "parameters", "gradients", "optimizer"
STATES = (PARAMETERS, GRADIENTS, OPTIMIZER)


class Holding:
    """One line of the breakdown: ``layout`` in ``dtype`` on ``tier``.

    ``buffers_apart`` tells that it is stored tensor by tensor; ``copy`` marks gathered and
    secondary weights, which are no padding; ``lacks`` says why it is approximate, if it is.
    """

    def __init__(
        self,
        state: str,
        name: str,
        dtype: Dtype,
        tier: str,
        layout: Layout,
        copy: bool = False,
        lacks: str | None = None,
    ) -> None:
        self.state = state
        self.name = name
        self.dtype = dtype
        self.tier = tier
        self.layout = layout
        self.copy = copy
        self.lacks = lacks

    @cached_property
    def stored(self) -> Steps:
        """Bytes on each rank of the shard group."""
        return self.layout.stored(self.dtype)


def stored_together(lines: Iterable[Holding]) -> Steps:
    """Bytes of all ``lines`` on each rank; lines of one layout are added up before they are cut."""
    widths: dict[int, tuple[Layout, int]] = {}
    parts = []
    for line in lines:
        if line.dtype.width is None:
            parts.append(line.stored)
        else:
            layout, width = widths.get(id(line.layout), (line.layout, 0))
            widths[id(line.layout)] = (layout, width + line.dtype.width)
    return added([*parts, *(layout.elements.scaled(width) for layout, width in widths.values())])


class Slice:
    """What one model-parallel slice of the model brings to a budget, on ``workers`` ranks.

    Everything that a budget depends on, device and stage apart; capacity varies it freely.
    ``frozen_parameters`` counts those of the whole model, not of the slice.
    """

    def __init__(
        self,
        rule: PartitionRule,
        recipe: Recipe,
        sharding: Sharding,
        trainable: Tensors,
        frozen: Tensors,
        workers: int,
        model_parallel: int,
        frozen_parameters: int,
    ) -> None:
        self.rule = rule
        self.recipe = recipe
        self.sharding = sharding
        self.trainable = trainable
        self.frozen = frozen
        self.workers = workers
        self.model_parallel = model_parallel
        self.frozen_parameters = frozen_parameters

    @classmethod
    def of(cls, scenario: Scenario) -> "Slice":
        """The slice that ``scenario`` describes."""
        cluster = scenario.cluster
        return cls.cut(
            scenario.model,
            scenario.recipe,
            scenario.sharding,
            cluster.workers,
            cluster.model_parallel,
        )

    @classmethod
    def cut(
        cls, model: Model, recipe: Recipe, sharding: Sharding, workers: int, model_parallel: int
    ) -> "Slice":
        """One of ``model_parallel`` slices of ``model``, trained on ``workers`` ranks."""
        return cls(
            rule_named(sharding.rule),
            recipe,
            sharding,
            Tensors.of(model, model_parallel, frozen=False),
            Tensors.of(model, model_parallel, frozen=True),
            workers,
            model_parallel,
            model.frozen_parameters,
        )

    def on(self, workers: int) -> "Slice":
        """The same on so many ``workers``."""
        return self._with(self.trainable, self.frozen, workers)

    def with_tensors(self, trainable: Tensors, frozen: Tensors) -> "Slice":
        """Another model's slice, cut in the same way."""
        return self._with(trainable, frozen, self.workers)

    def _with(self, trainable: Tensors, frozen: Tensors, workers: int) -> "Slice":
        return Slice(
            self.rule,
            self.recipe,
            self.sharding,
            trainable,
            frozen,
            workers,
            self.model_parallel,
            self.frozen_parameters,
        )

    @property
    def group(self) -> int:
        """G, ranks of one shard group."""
        return self.sharding.group or self.workers

    @property
    def known_shapes(self) -> bool:
        """Whether a tensor list is at hand."""
        return self.trainable.known and self.frozen.known


def holdings(part: Slice, stage: int) -> list[Holding]:
    """All lines of ``stage``, which ``part.rule`` must offer; parameters, gradients, optimizer."""
    return [*_weights(part, stage), *_gradients(part, stage), *_optimizer(part, stage)]


def adds_master(part: Slice, stage: int) -> bool:
    """Whether the engine adds an fp32 master copy that the recipe does not name."""
    return (
        part.rule.adds_fp32_master(stage)
        and part.recipe.weights == "fp32"
        and all(tensor.name != MASTER_WEIGHTS for tensor in part.recipe.optimizer)
    )


def _placed(part: Slice, tensors: Tensors, role: Role, stage: int, partitioned: bool) -> Layout:
    cut = part.rule.sharded if partitioned else part.rule.whole
    return cut(tensors, role, stage, part.group)


def _lacks(part: Slice, tensors: Tensors, role: Role, stage: int, dtype: Dtype) -> str | None:
    """Why a count alone is not enough for the block constants of ``dtype``."""
    if tensors.known or dtype.width is not None or not tensors.elements:
        return None
    if not part.rule.prices_buffers_apart(tensors, role, stage):
        return None
    return f"{dtype.name} is stored tensor by tensor, and the shapes are not known"


def _weights(part: Slice, stage: int) -> list[Holding]:
    lines = []
    kinds = (
        ("weights", part.trainable, part.recipe.weights),
        ("frozen weights", part.frozen, part.recipe.frozen_weights),
    )
    tier = part.sharding.offload_weights if stage == 3 else "device"
    for name, tensors, dtype_name in kinds:
        if tensors.frozen and not tensors.elements:
            continue
        dtype = DTYPES[dtype_name]
        layout = _placed(part, tensors, Role.WEIGHTS, stage, stage == 3)
        lacks = _lacks(part, tensors, Role.WEIGHTS, stage, dtype)
        lines.append(Holding(PARAMETERS, name, dtype, tier, layout, lacks=lacks))
    for _, tensors, dtype_name in kinds:
        if not tensors.elements:
            continue
        for copy in part.rule.copies(tensors, part.sharding, stage, part.workers, part.group):
            name = f"frozen {copy.name}" if tensors.frozen else copy.name
            dtype = DTYPES[dtype_name]
            lacks = _lacks(part, tensors, Role.WEIGHTS, stage, dtype)
            lines.append(Holding(PARAMETERS, name, dtype, "device", copy.layout, True, lacks))
    return lines


def _gradients(part: Slice, stage: int) -> list[Holding]:
    """DeepSpeed's grad_accum_dtype: beside the gradients at 0 and 1, instead of them at 2 and 3."""
    recipe, tensors = part.recipe, part.trainable
    partitioned = stage >= 2
    dtype = DTYPES[recipe.gradients]
    name = "gradients"
    if partitioned and recipe.accumulation is not None:
        dtype, name = DTYPES[recipe.accumulation], "accumulated gradients"
    offloaded = part.sharding.offload_optimizer != "device" and part.rule.offloads_gradients(stage)
    tier = "host" if offloaded else "device"
    layout = _placed(part, tensors, Role.GRADIENTS, stage, partitioned)
    lacks = _lacks(part, tensors, Role.GRADIENTS, stage, dtype)
    lines = [Holding(GRADIENTS, name, dtype, tier, layout, lacks=lacks)]
    if not partitioned and recipe.accumulation is not None:
        dtype = DTYPES[recipe.accumulation]
        layout = _placed(part, tensors, Role.ACCUMULATION, stage, False)
        lacks = _lacks(part, tensors, Role.ACCUMULATION, stage, dtype)
        lines.append(
            Holding(GRADIENTS, "accumulation buffer", dtype, "device", layout, lacks=lacks)
        )
    return lines


def _optimizer(part: Slice, stage: int) -> list[Holding]:
    kept = part.recipe.optimizer
    if adds_master(part, stage):
        kept = (OptimizerTensor(MASTER_WEIGHTS, "fp32"), *kept)
    tier = part.sharding.offload_optimizer if stage >= 1 else "device"
    full = _placed(part, part.trainable, Role.OPTIMIZER, stage, stage >= 1) if kept else None
    lines = []
    for tensor in kept:
        dtype = DTYPES[tensor.dtype]
        lacks = _lacks(part, part.trainable, Role.OPTIMIZER, stage, dtype)
        layout = full
        if tensor.over != "all" and full is not None:
            layout, why = _partial(part, tensor.over, stage, full)
            lacks = why or lacks
        assert layout is not None
        lines.append(Holding(OPTIMIZER, tensor.name, dtype, tier, layout, lacks=lacks))
    return lines


def _partial(part: Slice, over: str, stage: int, full: Layout) -> tuple[Layout, str | None]:
    """Layout of an optimizer tensor over some of the elements, and why it is approximate."""
    covers, tensors = PARTS[over], part.trainable
    lacks = None
    if not tensors.known:
        lacks = f"optimizer tensors over {shown(over)} need shapes, and only a count is known"
    if stage == 0:
        return part.rule.whole_part(tensors, covers, part.group), lacks
    layout = part.rule.sharded_part(tensors, covers, stage, part.group)
    if layout is not None:
        return layout, lacks
    real = sum(covers(t) * t.count for t in tensors.listed)
    return _in_proportion(full, real), (
        lacks or f"optimizer tensors over {shown(over)} are priced as if sharded in proportion"
    )


def _in_proportion(full: Layout, real: int) -> Layout:
    """Each rank's share of ``full``, scaled to ``real`` elements in all and rounded up."""
    steps, whole = full.elements, max(full.real, 1)
    ends = (*steps.starts[1:], full.ranks)
    pieces = [
        (start, end - start, -(-value * real // whole), 1)
        for start, end, value in zip(steps.starts, ends, steps.values, strict=True)
    ]
    return Layout.of(full.ranks, pieces, real, True, "in proportion to this rank's shard, of {n}")
