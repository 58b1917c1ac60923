"""The devices, models, recipes and examples that ship with zerogui, as typed values."""

from zerogui.catalog.entries import (
    DeviceEntry,
    ModelEntry,
    RecipeEntry,
    device_named,
    devices,
    model_named,
    models,
    recipe_named,
    recipes,
)
from zerogui.catalog.examples import EXAMPLES, Example, example_named, is_example
from zerogui.catalog.resources import resource_path

__all__ = [
    "EXAMPLES",
    "DeviceEntry",
    "Example",
    "ModelEntry",
    "RecipeEntry",
    "device_named",
    "devices",
    "example_named",
    "is_example",
    "model_named",
    "models",
    "recipe_named",
    "recipes",
    "resource_path",
]
