"""What opening a file does to a plan: a scenario replaces it, other files fill a part of it."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from zerogui.accounting.errors import printable
from zerogui.accounting.model import Model
from zerogui.accounting.scenario import Scenario
from zerogui.files.errors import file_name
from zerogui.files.named_scenarios import NamedScenarios
from zerogui.planning.quantities import group_digits

if TYPE_CHECKING:
    from zerogui.files.opened import EngineSettings, OpenedModel
    from zerogui.planning.pins import Pins


class Origin(NamedTuple):
    """Where a model comes from, for its card: family, file, tied tensors, assumed defaults."""

    family: str
    source: str
    tied: tuple[str, ...]
    assumed: tuple[str, ...]


@dataclass(frozen=True)
class OpenedPlan:
    """The plan after opening a file.

    ``is_scenario`` tells that the file is the plan's own, which *Save* writes to; ``notes`` are
    sentences for the user; ``origin`` describes a model that came with the file; ``pins`` are
    those of a comparison; ``saved`` is what the plan's file holds where the plan differs from it;
    ``is_example`` tells that the plan is new and has no file yet.
    """

    scenario: Scenario
    is_scenario: bool
    notes: tuple[str, ...] = ()
    origin: Origin | None = None
    pins: "Pins | None" = None
    saved: Scenario | None = None
    is_example: bool = False


def open_onto(scenario: Scenario, path: str, *, has_base: bool = True) -> OpenedPlan:
    """Open ``path`` onto ``scenario``. FileError where it cannot be used; nothing has changed.

    An adapter freezes the model of ``scenario``, unless that is a mere default (``has_base``).
    """
    from zerogui.files.opened import OpenedModel
    from zerogui.files.opening import open_any

    found = open_any(path)
    if isinstance(found, Scenario):
        from zerogui.catalog import is_example

        template = is_example(path)
        return OpenedPlan(found, not template, is_example=template)
    if isinstance(found, NamedScenarios):
        return _with_pins(scenario, found)
    if isinstance(found, OpenedModel):
        if found.family == "adapter" and has_base and scenario.model.parameters:
            return _with_adapter(scenario, found)
        return _with_model(scenario, found)
    return _with_engine(scenario, found)


def _with_model(scenario: Scenario, found: "OpenedModel") -> OpenedPlan:
    origin = Origin(found.family, found.source, found.tied, found.assumed)
    return OpenedPlan(replace(scenario, model=found.model), False, found.notes, origin)


def _with_pins(scenario: Scenario, found: NamedScenarios) -> OpenedPlan:
    """The pins of a comparison; its first scenario where no plan has been made yet."""
    from zerogui.planning.pins import Pins

    pins = Pins.of(found)
    present = pins.items[0].scenario if pins.items else scenario
    return OpenedPlan(present, False, pins=pins)


def open_adapter_onto(scenario: Scenario, path: str) -> OpenedPlan:
    """Open a checkpoint as an adapter: the present model freezes, the adapter is trained."""
    from zerogui.files.models.checkpoint import read_checkpoint

    return _with_adapter(scenario, read_checkpoint(path))


def _with_adapter(scenario: Scenario, adapter: "OpenedModel") -> OpenedPlan:
    from zerogui.files.models.checkpoint import as_adapter

    return _with_model(scenario, as_adapter(scenario.model, adapter))


def _with_engine(scenario: Scenario, found: "EngineSettings") -> OpenedPlan:
    changed, notes = found.apply(scenario)
    if changed.recipe != scenario.recipe:
        recipe = changed.recipe
        name = f"{printable(recipe.name)}: " if recipe.name else ""
        said = f"The recipe is now {name}{recipe.weights} weights, {recipe.gradients} gradients."
        notes = (said, *notes)
    return OpenedPlan(changed, False, notes)


def model_card(model: Model, origin: Origin | None) -> tuple[str, ...]:
    """Lines on the model: where it comes from, its tensors, what was assumed; () for a count."""
    if model.tensors is None:
        return ()
    listed = sum(tensor.count for tensor in model.tensors)
    lines = [f"{group_digits(model.parameters)} parameters in {group_digits(listed)} tensors"]
    if origin is not None:
        lines.insert(0, f"{printable(origin.family)}, from {printable(file_name(origin.source))}")
    if model.tensors:
        biggest = max(model.tensors, key=lambda tensor: tensor.elements)
        shape = " × ".join(group_digits(length) for length in biggest.shape) or "scalar"
        lines.append(f"Largest: {printable(biggest.name.replace('{i}', '0'))}, {shape}")
    if origin is not None and origin.tied:
        lines.append("Tied, counted once: " + ", ".join(printable(name) for name in origin.tied))
    if origin is not None and origin.assumed:
        lines.append("Assumed: " + ", ".join(printable(text) for text in origin.assumed))
    return tuple(lines)
