"""The catalog's typed values, read from resources/catalog on first use."""

from functools import cache

import msgspec

from zerogui.accounting.recipe import Recipe
from zerogui.catalog.resources import resource_path


class DeviceEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An accelerator: ``memory`` is the bytes its driver reports, ``marketed_gb`` its label."""

    name: str
    vendor: str
    marketed_gb: int
    memory: int
    source: str


class ModelEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A published model: exact count of ``parameters``; ``aliases`` are other names it goes by."""

    name: str
    family: str
    parameters: int
    aliases: tuple[str, ...]
    source: str


class RecipeEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A recipe, and in one line who uses it."""

    recipe: Recipe
    explanation: str


@cache
def devices() -> tuple[DeviceEntry, ...]:
    """The accelerators with a driver-reported memory, by vendor."""
    return msgspec.json.decode(_read("devices.json"), type=tuple[DeviceEntry, ...])


@cache
def models() -> tuple[ModelEntry, ...]:
    """The models with an exact count, by family, the smallest of each first."""
    return msgspec.json.decode(_read("models.json"), type=tuple[ModelEntry, ...])


@cache
def recipes() -> tuple[RecipeEntry, ...]:
    """The recipes, the ZeRO paper's first and "Custom" last."""
    return msgspec.json.decode(_read("recipes.json"), type=tuple[RecipeEntry, ...])


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


def _read(name: str) -> bytes:
    return resource_path("catalog", name).read_bytes()
