"""Short ways to write a scenario and to read its budget, for the tests of accounting."""

from collections.abc import Sequence
from typing import Any

from zerogui.accounting.budget import StageBudget, budget
from zerogui.accounting.cluster import Cluster
from zerogui.accounting.holdings import Holding, Slice
from zerogui.accounting.model import Model, Tensor
from zerogui.accounting.recipe import MIXED_PRECISION_ADAM, OptimizerTensor, Recipe
from zerogui.accounting.scenario import Scenario
from zerogui.accounting.sharding import Sharding

Shapes = Sequence[tuple[int, ...] | Tensor]


def model(what: int | Shapes, frozen: int = 0) -> Model:
    """A model of ``what`` trainable and ``frozen`` elements, or of tensors."""
    if isinstance(what, int):
        return Model("", what + frozen, frozen)
    listed = [t if isinstance(t, Tensor) else Tensor(f"t{i}", t) for i, t in enumerate(what)]
    return Model.of("", tuple(listed))


def plan(
    what: int | Shapes,
    rule: str = "even",
    workers: int = 4,
    *,
    recipe: Recipe = MIXED_PRECISION_ADAM,
    frozen: int = 0,
    per_node: int = 8,
    m: int = 1,
    **sharding: Any,
) -> Scenario:
    return Scenario(
        model=model(what, frozen),
        recipe=recipe,
        cluster=Cluster(workers, per_node, m),
        sharding=Sharding(rule, **sharding),
    )


def at(scenario: Scenario, stage: int) -> StageBudget:
    return budget(Slice.of(scenario), stage)


def line(found: StageBudget, name: str) -> Holding:
    (match,) = [entry for entry in found.lines if entry.name == name]
    return match


def elements(found: StageBudget, name: str) -> list[int]:
    """Elements of one line on every rank."""
    steps = line(found, name).layout.elements
    return [steps.at(rank % found.group) for rank in range(found.workers)]


def by_rank(found: StageBudget, state: str) -> list[int]:
    """Bytes of one state on every rank."""
    return [getattr(found.held(rank), state) for rank in range(found.workers)]


def keeps(*optimizer: str | OptimizerTensor, **roles: Any) -> Recipe:
    """A recipe whose optimizer tensors have these dtypes (named o0, o1, ...)."""
    tensors = tuple(
        t if isinstance(t, OptimizerTensor) else OptimizerTensor(f"o{i}", t)
        for i, t in enumerate(optimizer)
    )
    return Recipe(optimizer=tensors, **roles)
