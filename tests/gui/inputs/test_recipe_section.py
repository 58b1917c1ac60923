"""The Recipe section as a person uses it: dtypes, optimizer tensors, accumulation."""

from dataclasses import replace

from tests.gui.desk import Desk
from zerogui.accounting.recipe import OptimizerTensor, Recipe


def test_a_recipe_is_explained_below_its_name(desk: Desk) -> None:
    desk.choose("recipe", "Pure bf16 AdamW")
    assert desk.scenario.recipe.name == "Pure bf16 AdamW"
    row = desk.panel.row("recipe")
    assert row is not None
    assert len(row.hint()) > 20
    assert row.hint() in desk.texts().replace("\n", " ") or row.hint() in desk.texts()
    assert [desk.is_shown(f"optimizer-{i}") for i in range(3)] == [True, True, False]


def test_editing_a_dtype_makes_the_recipe_custom(desk: Desk) -> None:
    desk.choose("gradients", "fp32")
    assert desk.scenario.recipe.gradients == "fp32"
    assert desk.shown("recipe") == "Custom"
    desk.choose("optimizer-1", "int8-block256")
    assert desk.scenario.recipe.optimizer[1].dtype == "int8-block256"


def test_choosing_custom_keeps_the_dtypes(desk: Desk) -> None:
    desk.choose("recipe", "Lion")
    before = desk.scenario.recipe
    desk.choose("recipe", "Custom")
    assert desk.scenario.recipe == replace(before, name="Custom")


def test_optimizer_tensors_are_named_added_and_removed(desk: Desk) -> None:
    desk.click("recipe-fold")
    desk.click("optimizer-add")
    assert [t.name for t in desk.scenario.recipe.optimizer][3] == "tensor 4"
    assert desk.is_shown("optimizer-3")
    desk.type("optimizer-name-3", "error feedback")
    assert desk.scenario.recipe.optimizer[3] == OptimizerTensor("error feedback", "fp32")
    assert "error feedb" in desk.texts()
    desk.click("optimizer-remove-0")
    names = [tensor.name for tensor in desk.scenario.recipe.optimizer]
    assert names == ["first moment", "second moment", "error feedback"]
    assert not desk.is_shown("optimizer-3")


def test_a_name_given_twice_is_refused_under_its_field(desk: Desk) -> None:
    desk.click("recipe-fold")
    desk.type("optimizer-name-2", "first moment")
    assert "first moment" in desk.error("optimizer-name-2")
    assert desk.shown("optimizer-name-2") == "second moment"


def test_tensors_without_any_are_said_to_be_none(desk: Desk) -> None:
    desk.open(replace(desk.scenario, recipe=Recipe("Plain SGD", "bf16", "bf16")))
    assert "Optimizer: none" in desk.texts()
    assert not desk.is_shown("optimizer-0")
    assert desk.shown("recipe") == "Plain SGD"


def test_a_tensor_that_covers_a_part_says_so(desk: Desk) -> None:
    muon = Recipe("Muon", optimizer=(OptimizerTensor("momentum", "bf16", "matrices"),))
    desk.open(replace(desk.scenario, recipe=muon))
    assert "Covers 2-D tensors only" in desk.texts()


def test_accumulation_folds_away_and_says_what_it_holds(desk: Desk) -> None:
    assert not desk.is_shown("accumulation")
    assert "Accumulates in place, 3 optimizer tensors" in desk.texts()
    desk.click("recipe-fold")
    desk.choose("accumulation", "fp32")
    assert desk.scenario.recipe.accumulation == "fp32"
    desk.choose("accumulation", "in place")
    assert desk.scenario.recipe.accumulation is None
    desk.choose("accumulation", "fp32")
    desk.click("recipe-fold")
    assert "Accumulates in fp32, 3 optimizer tensors" in desk.texts()
