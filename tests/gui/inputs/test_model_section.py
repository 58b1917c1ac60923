"""The Model section as a person uses it: counts, known models, frozen parameters."""

from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from tests.gui.desk import Desk
from zerogui.accounting.model import Model, Tensor


def test_typing_a_count_changes_the_model(desk: Desk) -> None:
    desk.type("parameters", "7.5B")
    assert desk.scenario.model.parameters == 7_500_000_000
    assert desk.shown("parameters") == "7 500 000 000"
    desk.type("parameters", "1e12", Qt.Key.Key_Tab)
    assert desk.scenario.model.parameters == 10**12
    assert desk.shown("parameters") == "1 000 000 000 000"


def test_an_odd_count_on_seven_workers_loses_nothing(desk: Desk) -> None:
    desk.type("parameters", "1000003")
    desk.type("workers", "7")
    assert desk.scenario.model.parameters == 1_000_003
    assert desk.scenario.cluster.workers == 7


def test_a_pasted_count_with_commas_is_taken(desk: Desk) -> None:
    desk.paste("parameters", "8,030,261,248")
    assert desk.scenario.model.parameters == 8_030_261_248


def test_what_cannot_be_read_goes_back_and_says_why_under_the_field(desk: Desk) -> None:
    desk.type("parameters", "7,5")
    assert desk.shown("parameters") == "1 000 000 000"
    assert desk.error("parameters").startswith('"7,5" is not a whole number;')
    assert desk.error("parameters") in desk.texts()
    assert desk.titles == []
    desk.type("parameters", "7B")
    assert desk.error("parameters") == ""


def test_the_reason_stays_while_other_fields_change(desk: Desk) -> None:
    desk.type("parameters", "x")
    desk.type("workers", "8")
    assert '"x"' in desk.error("parameters")
    desk.click_into("parameters")
    QTest.keyClicks(desk.field("parameters"), "2")
    assert desk.error("parameters") == ""


def test_a_known_model_is_found_by_part_of_its_name(desk: Desk) -> None:
    desk.type("model", "llama-3.1 405", end=None)
    QTest.keyClick(QApplication.activePopupWidget(), Qt.Key.Key_Return)
    assert desk.shown("model") == "Llama-3.1 405B"
    assert desk.scenario.model == Model("Llama-3.1 405B", 405_853_388_800)
    assert desk.shown("parameters") == "405 853 388 800"


def test_a_known_model_with_its_count_changed_is_a_custom_count(desk: Desk) -> None:
    desk.choose("model", "GPT-3")
    assert desk.scenario.model.name.startswith("GPT-3")
    desk.type("parameters", "175B")
    assert desk.shown("model") == "Custom count"


def test_choosing_custom_count_keeps_the_number(desk: Desk) -> None:
    desk.open(replace(desk.scenario, model=Model("Llama-2 7B", 6_738_415_616)))
    desk.choose("model", "Custom count")
    assert desk.scenario.model == Model("", 6_738_415_616)
    assert desk.titles[-1] == "Use a custom parameter count"


def test_a_model_from_a_file_keeps_its_own_name(desk: Desk) -> None:
    tensors = (Tensor("a", (1000, 10)), Tensor("b.{i}", (5,), count=3))
    desk.open(replace(desk.scenario, model=Model.of("<b>ours</b>", tensors)))
    assert desk.shown("model") == "<b>ours</b>"
    assert "The sum of 4 listed tensors" in desk.texts()
    desk.type("parameters", "10016")
    assert desk.scenario.model.tensors is None
    assert desk.shown("model") == "Custom count"


def test_frozen_parameters_bring_their_dtype(desk: Desk) -> None:
    assert not desk.is_shown("frozen_weights")
    desk.type("frozen", "980M")
    assert desk.is_shown("frozen_weights")
    assert "20 M of them are trained." in desk.texts()
    desk.choose("frozen_weights", "nf4-double")
    assert desk.scenario.recipe.frozen_weights == "nf4-double"


def test_more_frozen_than_all_is_refused_under_the_field(desk: Desk) -> None:
    desk.type("frozen", "2B")
    assert desk.scenario.model.frozen_parameters == 0
    assert '"2B" is more than' in desk.error("frozen")
    assert desk.shown("frozen") == "0"


def test_the_plan_is_named_in_the_panel(desk: Desk) -> None:
    desk.type("title", "7.5B on 64 GPUs", Qt.Key.Key_Tab)
    assert desk.scenario.title == "7.5B on 64 GPUs"
    desk.type("title", "something else", Qt.Key.Key_Escape)
    assert desk.shown("title") == "7.5B on 64 GPUs"
    assert len(desk.titles) == 1
