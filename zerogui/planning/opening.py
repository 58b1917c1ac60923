"""What opening a file does to a plan: a scenario replaces it, other files fill a part of it."""

from dataclasses import dataclass, replace

from zerogui.accounting.model import Model
from zerogui.accounting.scenario import Scenario
from zerogui.files.opened import EngineSettings, OpenedModel
from zerogui.files.opening import open_any


@dataclass(frozen=True)
class Origin:
    """Where a model comes from, for its card: family, file, tied tensors, assumed defaults."""

    family: str
    source: str
    tied: tuple[str, ...]
    assumed: tuple[str, ...]


@dataclass(frozen=True)
class OpenedPlan:
    """The plan after opening a file.

    ``is_scenario`` tells that the file is the plan's own, which *Save* writes to; ``notes`` are
    sentences for the user; ``origin`` describes a model that came with the file.
    """

    scenario: Scenario
    is_scenario: bool
    notes: tuple[str, ...] = ()
    origin: Origin | None = None


def open_onto(scenario: Scenario, path: str) -> OpenedPlan:
    """Open ``path`` onto ``scenario``. FileError where it cannot be used; nothing has changed."""
    found = open_any(path)
    if isinstance(found, Scenario):
        return OpenedPlan(found, True)
    if isinstance(found, OpenedModel):
        return _with_model(scenario, found)
    return _with_engine(scenario, found)


def _with_model(scenario: Scenario, found: OpenedModel) -> OpenedPlan:
    origin = Origin(found.family, found.source, found.tied, found.assumed)
    return OpenedPlan(replace(scenario, model=found.model), False, found.notes, origin)


def _with_engine(scenario: Scenario, found: EngineSettings) -> OpenedPlan:
    changed, notes = found.apply(scenario)
    return OpenedPlan(changed, False, notes)


@dataclass(frozen=True)
class ModelCard:
    """What the panel says of a model: counts and the largest tensor; ``origin`` where known."""

    name: str
    parameters: int
    tensors: int | None
    largest: tuple[str, tuple[int, ...]] | None
    origin: Origin | None


def model_card(model: Model, origin: Origin | None) -> ModelCard | None:
    """The card of ``model``; None for a mere count that was typed."""
    if model.tensors is None:
        return None
    biggest = max(model.tensors, key=lambda tensor: tensor.elements, default=None)
    return ModelCard(
        model.name,
        model.parameters,
        sum(tensor.count for tensor in model.tensors),
        None if biggest is None else (biggest.name.replace("{i}", "0"), biggest.shape),
        origin,
    )
