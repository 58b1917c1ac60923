"""What opening a file does to a plan: a scenario replaces it, other files fill a part of it."""

import os
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from zerogui.accounting.errors import InputError, printable
from zerogui.accounting.model import Model
from zerogui.accounting.scenario import Scenario
from zerogui.files.errors import file_name
from zerogui.files.named_scenarios import NamedScenarios
from zerogui.planning.quantities import group_digits

if TYPE_CHECKING:
    from collections.abc import Callable

    from zerogui.files.opened import EngineSettings, OpenedModel
    from zerogui.files.opening import Opened
    from zerogui.planning.pins import Pins
    from zerogui.planning.work import Watch


class Origin(NamedTuple):
    """Where a model comes from, for its card: family, file, tied tensors, assumed defaults."""

    family: str
    source: str
    tied: tuple[str, ...]
    assumed: tuple[str, ...]


class OpenedPlan(NamedTuple):
    """The plan after opening a file.

    ``is_scenario`` tells that the file is the plan's own, which *Save* writes to; ``notes`` are
    sentences for the user; ``origin`` describes a model that came with the file; ``pins`` are
    those of a comparison; ``saved`` is what the plan's file holds where the plan differs from it;
    ``is_example`` tells that the plan is new and has no file yet; ``digest`` tells the contents
    of a scenario's file from others.
    """

    scenario: Scenario
    is_scenario: bool
    notes: tuple[str, ...] = ()
    origin: Origin | None = None
    pins: "Pins | None" = None
    saved: Scenario | None = None
    is_example: bool = False
    digest: bytes | None = None


class Found(NamedTuple):
    """What the file at ``path`` holds, before it is put onto a plan; ``digest`` of a scenario's."""

    path: str
    opened: "Opened"
    digest: bytes | None = None


def found_in(path: str, read: "Callable[[str], Opened] | None" = None) -> Found:
    """What ``read`` finds in the file at ``path``. FileError where it cannot be used."""
    from zerogui.files.opening import open_any

    # First, so that a change while it is read counts as one made after.
    before = _digest_of_scenario(path)
    opened = open_any(path) if read is None else read(path)
    return Found(path, opened, before if isinstance(opened, Scenario) else None)


def _digest_of_scenario(path: str) -> bytes | None:
    if not path.lower().endswith(".json") or os.path.isdir(path):
        return None
    from zerogui.files.replacing import digest_of

    return digest_of(path)


def open_onto(scenario: Scenario, path: str, *, has_base: bool = True) -> OpenedPlan:
    """Open ``path`` onto ``scenario``. FileError where it cannot be used; nothing has changed.

    An adapter freezes the model of ``scenario``, unless that is a mere default (``has_base``).
    """
    return put_onto(scenario, found_in(path), has_base=has_base)


def put_onto(scenario: Scenario, what: Found, *, has_base: bool = True) -> OpenedPlan:
    """What a file holds, put onto ``scenario``. FileError or InputError where it does not fit."""
    from zerogui.files.opened import OpenedModel

    found = what.opened
    if isinstance(found, Scenario):
        from zerogui.catalog import is_example

        template = is_example(what.path)
        return OpenedPlan(found, not template, is_example=template, digest=what.digest)
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


def put_adapter_onto(scenario: Scenario, what: Found) -> OpenedPlan:
    """A checkpoint as an adapter: the present model freezes, the adapter is trained.

    FileError or InputError where it is no checkpoint or does not fit.
    """
    from zerogui.files.opened import OpenedModel

    if not isinstance(what.opened, OpenedModel):
        raise InputError("the file", "is no checkpoint", "choose a .safetensors file")
    return _with_adapter(scenario, what.opened)


def find_apart(path: str, watch: "Watch") -> Found:
    """As ``found_in``, for a thread: large files are read without holding up the others."""
    from zerogui.files.apart import open_apart

    return found_in(path, lambda path: open_apart(path, watch.progress, watch.check))


def find_adapter_apart(path: str, watch: "Watch") -> Found:
    """The checkpoint at ``path``, whatever it is called; as ``find_apart``."""
    from zerogui.files.opening import is_checkpoint

    if is_checkpoint(path):
        return find_apart(path, watch)
    from zerogui.files.models.checkpoint import read_checkpoint

    return Found(path, read_checkpoint(path, watch.progress))


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
    lines = [f"{group_digits(model.parameters)} parameters in {group_digits(model.listed)} tensors"]
    if origin is not None:
        lines.insert(0, f"{printable(origin.family)}, from {printable(file_name(origin.source))}")
    biggest = model.largest
    if biggest is not None:
        shape = " × ".join(group_digits(length) for length in biggest.shape) or "scalar"
        lines.append(f"Largest: {printable(biggest.name.replace('{i}', '0'))}, {shape}")
    if origin is not None and origin.tied:
        lines.append("Tied, counted once: " + ", ".join(printable(name) for name in origin.tied))
    if origin is not None and origin.assumed:
        lines.append("Assumed: " + ", ".join(printable(text) for text in origin.assumed))
    return tuple(lines)
