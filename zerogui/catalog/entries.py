"""The catalog's typed values, read from resources/catalog on first use."""

import json
from functools import cache
from typing import Any, NamedTuple

from zerogui.accounting.recipe import OptimizerTensor, Recipe
from zerogui.catalog.resources import resource_path


class DeviceEntry(NamedTuple):
    """An accelerator: ``memory`` is the bytes its driver reports, ``marketed_gb`` its label."""

    name: str
    vendor: str
    marketed_gb: int
    memory: int
    source: str


class ModelEntry(NamedTuple):
    """A published model: exact count of ``parameters``; ``aliases`` are other names it goes by."""

    name: str
    family: str
    parameters: int
    aliases: tuple[str, ...]
    source: str


class RecipeEntry(NamedTuple):
    """A recipe, and in one line who uses it."""

    recipe: Recipe
    explanation: str


@cache
def devices() -> tuple[DeviceEntry, ...]:
    """The accelerators with a driver-reported memory, by vendor."""
    return tuple(DeviceEntry(**row) for row in _rows("devices.json"))


@cache
def models() -> tuple[ModelEntry, ...]:
    """The models with an exact count, by family, the smallest of each first."""
    return tuple(
        ModelEntry(**{**row, "aliases": tuple(row["aliases"])}) for row in _rows("models.json")
    )


@cache
def recipes() -> tuple[RecipeEntry, ...]:
    """The recipes, the ZeRO paper's first and "Custom" last."""
    return tuple(
        RecipeEntry(_recipe(row["recipe"]), row["explanation"]) for row in _rows("recipes.json")
    )


def device_named(name: str) -> DeviceEntry:
    """The accelerator called ``name``; KeyError where there is none."""
    return _device_index()[name]


def model_named(name: str) -> ModelEntry:
    """The model called ``name``, by its own name or an alias; KeyError where there is none."""
    return _model_index()[name]


def recipe_named(name: str) -> RecipeEntry:
    """The recipe called ``name``; KeyError where there is none."""
    return _recipe_index()[name]


@cache
def _device_index() -> dict[str, DeviceEntry]:
    return {entry.name: entry for entry in devices()}


@cache
def _model_index() -> dict[str, ModelEntry]:
    return {name: entry for entry in models() for name in (entry.name, *entry.aliases)}


@cache
def _recipe_index() -> dict[str, RecipeEntry]:
    return {entry.recipe.name: entry for entry in recipes()}


def _recipe(row: dict[str, Any]) -> Recipe:
    tensors = tuple(OptimizerTensor(**tensor) for tensor in row["optimizer"])
    return Recipe(**{**row, "optimizer": tensors})


# Our own files, whose every value a test checks: a start needs no decoder of strangers' files.
def _rows(name: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = json.loads(resource_path("catalog", name).read_bytes())
    return rows
