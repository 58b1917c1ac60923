"""Every input of a scenario as a readable line, and exactly which of them differ between two."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from zerogui.accounting.errors import printable
from zerogui.accounting.model import Model
from zerogui.accounting.recipe import Recipe
from zerogui.accounting.rules import RULES
from zerogui.accounting.scenario import Scenario
from zerogui.planning.quantities import bytes_text, format_count, group_digits
from zerogui.planning.resolve import LABELS

NONE = "–"


class Input(NamedTuple):
    """One input: ``value`` decides what is equal, ``text`` is what people read.

    ``telling`` is the text by itself in a name ("128 workers"), where it needs no label.
    """

    label: str
    value: object
    text: str
    telling: str = ""

    @property
    def phrase(self) -> str:
        """The input in a few words, for a name."""
        return self.telling or f"{self.label[:1].lower()}{self.label[1:]} {self.text}"


class Difference(NamedTuple):
    """An input that differs: what it is in the baseline, and what it is here."""

    key: str
    label: str
    baseline: str
    text: str


def inputs_of(scenario: Scenario, unit: str) -> Mapping[str, Input]:
    """The inputs by key, in the order of the scenario file; sizes in ``unit``, exact."""
    return dict(
        (
            ("title", Input("Title", scenario.title, _name(scenario.title))),
            *_model(scenario.model),
            *_recipe(scenario.recipe),
            *_cluster(scenario),
            *_sharding(scenario),
            *_device(scenario, unit),
        )
    )


# What every plan is told by, and what is told only where it is not as usual.
_TELLING = ("model.name", "parameters", "recipe", "workers", "stage", "rule", "device")
_USUAL: Mapping[str, object] = {
    "frozen": 0,
    "model_parallel": 1,
    "group": None,
    "secondary_group": None,
    "offload_optimizer": "device",
    "offload_weights": "device",
    "reserve": 0,
}


def inputs_line(scenario: Scenario, unit: str) -> str:
    """The inputs in one line, for someone who sees nothing else of them."""
    told = []
    for key, given in inputs_of(scenario, unit).items():
        if key in _TELLING:
            told.append(given.phrase if given.value not in ("", None) else given.telling)
        elif key in _USUAL and given.value != _USUAL[key]:
            told.append(given.phrase)
    return " · ".join(text for text in told if text and text != NONE)


def differences(
    baseline: Mapping[str, Input], inputs: Mapping[str, Input]
) -> tuple[Difference, ...]:
    """The inputs that differ, in the file's order; those that only one of the two has included."""
    keys = [*baseline, *(key for key in inputs if key not in baseline)]
    return tuple(
        difference
        for key in keys
        if (difference := _difference(key, baseline.get(key), inputs.get(key))) is not None
    )


def _difference(key: str, before: Input | None, now: Input | None) -> Difference | None:
    if before is not None and now is not None:
        if before.value is now.value or before.value == now.value:
            return None
        # What is elided or only counted may read the same.
        text = f"{now.text} (another)" if now.text == before.text else now.text
        return Difference(key, now.label, before.text, text)
    known = before or now
    assert known is not None
    return Difference(key, known.label, before.text if before else NONE, now.text if now else NONE)


def _name(text: str) -> str:
    return printable(text.strip(), 60) or NONE


def _model(model: Model) -> Iterator[tuple[str, Input]]:
    yield "model.name", Input("Model", model.name, _name(model.name), _name(model.name))
    count = f"{format_count(model.parameters)} parameters"
    yield "parameters", _count("Parameters Ψ", model.parameters, count)
    yield "frozen", _count("Frozen", model.frozen_parameters)
    listed = "count only"
    if model.tensors is not None:
        number = model.listed
        listed = f"{group_digits(number)} tensor{'' if number == 1 else 's'}"
    yield "tensors", Input("Tensors", model.tensors, listed)


def _recipe(recipe: Recipe) -> Iterator[tuple[str, Input]]:
    yield "recipe", Input("Recipe", recipe.name, _name(recipe.name), _name(recipe.name))
    yield "weights", Input("Weights", recipe.weights, recipe.weights)
    yield "gradients", Input("Gradients", recipe.gradients, recipe.gradients)
    for tensor in recipe.optimizer:
        text = tensor.dtype if tensor.over == "all" else f"{tensor.dtype}, {tensor.over}"
        label = printable(tensor.name[:1].upper() + tensor.name[1:], 40)
        yield f"optimizer {tensor.name}", Input(label, (tensor.dtype, tensor.over), text)
    # Their order decides nothing but colours, and yet it is an input.
    names = tuple(tensor.name for tensor in recipe.optimizer)
    order = f"{len(names)}: {', '.join(printable(name, 30) for name in names[:4])}"
    yield "optimizer", Input("Optimizer tensors", names, order if names else "none")
    yield "frozen_weights", Input("Frozen weights", recipe.frozen_weights, recipe.frozen_weights)
    accumulation = recipe.accumulation
    yield "accumulation", Input("Accumulation", accumulation, accumulation or "in place")


def _cluster(scenario: Scenario) -> Iterator[tuple[str, Input]]:
    cluster = scenario.cluster
    yield "workers", _count("Workers N", cluster.workers, _workers(cluster.workers))
    yield "workers_per_node", _count("GPUs per node", cluster.workers_per_node)
    yield "model_parallel", _count("Model parallel M", cluster.model_parallel)


def _workers(n: int) -> str:
    return f"{group_digits(n)} worker{'' if n == 1 else 's'}"


def _count(label: str, n: int, telling: str = "") -> Input:
    return Input(label, n, group_digits(n), telling)


def _sharding(scenario: Scenario) -> Iterator[tuple[str, Input]]:
    sharding = scenario.sharding
    rule, stage = RULES[sharding.rule].title, LABELS[sharding.stage]
    yield "stage", Input("ZeRO stage", sharding.stage, stage, stage)
    yield "rule", Input("Partition rule", sharding.rule, rule, rule)
    group, secondary = sharding.group, sharding.secondary_group
    text = group_digits(group) if group is not None else "all workers"
    yield "group", Input("Shard group", group, text)
    text = group_digits(secondary) if secondary is not None else "off"
    yield "secondary_group", Input("Secondary group", secondary, text)
    yield "persistence_threshold", _count("Kept whole up to", sharding.persistence_threshold)
    offload = sharding.offload_optimizer
    yield "offload_optimizer", Input("Optimizer on", offload, offload)
    yield "offload_weights", Input("Weights on", sharding.offload_weights, sharding.offload_weights)


def _device(scenario: Scenario, unit: str) -> Iterator[tuple[str, Input]]:
    device = scenario.device
    if device is None:
        yield "device", Input("Device", None, "none", "no device")
        return
    name = _name(device.name)
    yield "device", Input("Device", device.name, name, name)
    yield "memory", Input("Memory", device.memory, _size(device.memory, unit))
    yield "reserve", Input("Reserve", device.reserve, _size(device.reserve, unit))


def _size(n: int, unit: str) -> str:
    text = bytes_text(n, unit)
    return text if text.endswith("B") else f"{text} {unit}"
