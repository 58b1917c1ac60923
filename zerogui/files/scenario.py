"""Scenario files (``*.zerogui.json``): read strictly, written completely."""

import json
import os

from msgspec import UNSET
from msgspec.structs import asdict

from zerogui.accounting.cluster import Cluster, Device
from zerogui.accounting.errors import InputError
from zerogui.accounting.model import MAX_ELEMENTS, Model, Tensor, counted
from zerogui.accounting.recipe import MIXED_PRECISION_ADAM, OptimizerTensor, Recipe
from zerogui.accounting.scenario import Scenario
from zerogui.accounting.sharding import Sharding
from zerogui.files.atomic import write_atomically
from zerogui.files.errors import FileError
from zerogui.files.reading import LARGEST_FILE, parse_json, read_bytes
from zerogui.files.scenario_schema import (
    FORMAT,
    VERSION,
    ModelEntry,
    RecipeEntry,
    ScenarioEntry,
    read_entry,
)

# Made once: json.dumps would make an encoder for each of a hundred thousand tensors.
spell = json.JSONEncoder(ensure_ascii=False).encode


def load(path: str | os.PathLike[str]) -> Scenario:
    """The scenario in the file at ``path``. FileError where there is none that can be used."""
    return decode(read_bytes(path), os.fspath(path))


def decode(data: bytes, source: str) -> Scenario:
    """The scenario that ``data`` holds. FileError (``source``, field) if it is none."""
    return from_plain(parse_json(data, source), source)


def from_plain(value: object, source: str) -> Scenario:
    """The scenario that a JSON value spells. FileError (``source``, field) if it is none."""
    entry = read_entry(value)
    if isinstance(entry, str):
        raise FileError(source, entry)
    try:
        return _scenario(entry)
    except InputError as error:
        raise FileError(source, str(error)) from None


def save(scenario: Scenario, path: str | os.PathLike[str]) -> None:
    """Write ``scenario`` to ``path``, whole or not at all. FileError where that is not possible."""
    write_atomically(path, encode_within_limit(scenario, path))


def encode_within_limit(scenario: Scenario, path: str | os.PathLike[str]) -> bytes:
    """The file of ``scenario``. FileError, of ``path``, where nobody could open it again."""
    data = encode(scenario)
    if len(data) > LARGEST_FILE:
        sentence = "would be larger than 64 MB; use fewer or shorter tensors."
        raise FileError(os.fspath(path), sentence)
    return data


def encode(scenario: Scenario) -> bytes:
    """The file of ``scenario``: every field in the contract's order, one tensor a line."""
    text = _pretty(to_plain(scenario), 0) + "\n"
    # Half characters (lone surrogates) have no UTF-8; a question mark is better than no file.
    return text.encode("utf-8", "replace")


def encode_model(model: Model) -> str:
    """``model`` as the file of a scenario spells it."""
    return _pretty(_plain_model(model), 1)


def to_plain(scenario: Scenario) -> dict[str, object]:
    """``scenario`` as JSON values, every field filled in, in the contract's order."""
    device = scenario.device
    return {
        "format": FORMAT,
        "version": VERSION,
        "title": scenario.title,
        "model": _plain_model(scenario.model),
        "recipe": _plain_recipe(scenario.recipe),
        "cluster": _fields(scenario.cluster, "workers", "workers_per_node", "model_parallel"),
        "sharding": _fields(
            scenario.sharding,
            "rule",
            "stage",
            "group",
            "secondary_group",
            "persistence_threshold",
            "offload_optimizer",
            "offload_weights",
        ),
        "device": None if device is None else _fields(device, "name", "memory", "reserve"),
    }


def _fields(value: object, *names: str) -> dict[str, object]:
    return {name: getattr(value, name) for name in names}


def _plain_model(model: Model) -> dict[str, object]:
    tensors = model.tensors
    listed: list[object] | None = None
    if tensors is not None:
        listed = [
            {"name": t.name, "shape": list(t.shape), "frozen": t.frozen, "count": t.count}
            for t in tensors
        ]
    return {**_fields(model, "name", "parameters", "frozen_parameters"), "tensors": listed}


def _plain_recipe(recipe: Recipe) -> dict[str, object]:
    optimizer = [
        _fields(t, "name", "dtype", *(("over",) if t.over != "all" else ()))
        for t in recipe.optimizer
    ]
    return {
        **_fields(recipe, "name", "weights", "gradients"),
        "optimizer": optimizer,
        **_fields(recipe, "frozen_weights", "accumulation"),
    }


def _pretty(value: object, depth: int) -> str:
    """JSON with objects of the outer two levels and lists of objects spread over lines."""
    inner, outer = "  " * (depth + 1), "  " * depth
    if isinstance(value, dict) and depth < 2:
        lines = [f"{inner}{json.dumps(key)}: {_pretty(value[key], depth + 1)}" for key in value]
        return "{\n" + ",\n".join(lines) + f"\n{outer}}}"
    if isinstance(value, list) and value and isinstance(value[0], dict):
        lines = [inner + spell(item) for item in value]
        return "[\n" + ",\n".join(lines) + f"\n{outer}]"
    return spell(value)


def _scenario(entry: ScenarioEntry) -> Scenario:
    device = entry.device
    return Scenario(
        title=entry.title,
        model=_model(entry.model),
        recipe=MIXED_PRECISION_ADAM if entry.recipe is UNSET else _recipe(entry.recipe),
        cluster=Cluster(**asdict(entry.cluster)),
        sharding=Sharding(**asdict(entry.sharding)),
        device=None if device is None else Device(device.name, device.memory, device.reserve),
    )


def _model(entry: ModelEntry) -> Model:
    parameters, frozen = entry.parameters, entry.frozen_parameters
    if entry.tensors is None:
        if parameters is UNSET:
            raise InputError("model", "has neither parameters nor tensors", "add one of them")
        return Model(entry.name, parameters, 0 if frozen is UNSET else frozen)
    tensors = tuple(Tensor(t.name, t.shape, t.frozen, t.count) for t in entry.tensors)
    total, frozen_total = counted(tensors)
    if total > MAX_ELEMENTS:
        raise InputError(
            "model.tensors", "add up to more than 10^18 parameters", "use fewer or smaller tensors"
        )
    return Model(
        entry.name,
        total if parameters is UNSET else parameters,
        frozen_total if frozen is UNSET else frozen,
        tensors,
    )


def _recipe(entry: RecipeEntry) -> Recipe:
    return Recipe(
        entry.name,
        entry.weights,
        entry.gradients,
        tuple(OptimizerTensor(t.name, t.dtype, t.over) for t in entry.optimizer),
        entry.frozen_weights,
        entry.accumulation,
    )
