"""The devices, models and recipes that ship with zerogui, as typed values."""

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
from zerogui.catalog.resources import resource_path

__all__ = [
    "DeviceEntry",
    "ModelEntry",
    "RecipeEntry",
    "device_named",
    "devices",
    "model_named",
    "models",
    "recipe_named",
    "recipes",
    "resource_path",
]
