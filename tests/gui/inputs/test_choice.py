"""Combo boxes: an entry stands for a value, and part of a name finds it."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from zerogui.gui.inputs.choice import Choice, Option, SearchChoice, matching

MODELS = (
    Option("", "Custom count"),
    Option("Llama-3.1 8B", "Llama-3.1 8B", aliases=("Meta Llama 8B",)),
    Option("Llama-3.1 70B", "Llama-3.1 70B"),
    Option("GPT-3", "GPT-3"),
)


@pytest.fixture
def search(window: QWidget) -> SearchChoice:
    """The models, with a custom count chosen."""
    box = SearchChoice("model")
    box.set_options(MODELS)
    box.set_value("")
    layout = window.layout()
    assert layout is not None
    layout.addWidget(box)
    return box


@pytest.fixture
def choice(window: QWidget) -> Choice:
    """Three tiers."""
    box = Choice()
    box.set_options((Option(None, "none"), Option(8, "eight"), Option(64, "sixty-four")))
    box.set_value(8)
    layout = window.layout()
    assert layout is not None
    layout.addWidget(box)
    return box


def _type(box: SearchChoice, text: str, end: Qt.Key = Qt.Key.Key_Tab) -> None:
    edit = box.lineEdit()
    assert edit is not None
    QTest.mouseClick(edit, Qt.MouseButton.LeftButton)
    QTest.keyClicks(edit, text)
    _press(edit, end)


def _press(edit: QLineEdit, key: Qt.Key) -> None:
    """A key goes to the list below the field while that is open."""
    QTest.keyClick(QApplication.activePopupWidget() or edit, key)


def test_the_arrow_keys_choose_values_one_signal_each(choice: Choice) -> None:
    taken: list[object] = []
    choice.chosen.connect(taken.append)
    choice.setFocus()
    QTest.keyClick(choice, Qt.Key.Key_Down)
    QTest.keyClick(choice, Qt.Key.Key_Up)
    QTest.keyClick(choice, Qt.Key.Key_Up)
    assert taken == [64, 8, None]


def test_a_value_from_a_file_that_is_no_entry_is_shown_all_the_same(choice: Choice) -> None:
    said: list[object] = []
    choice.chosen.connect(said.append)
    choice.set_value(7, "seven, from a file")
    assert choice.currentText() == "seven, from a file"
    choice.set_value(9, "nine")
    assert [choice.itemText(i) for i in range(choice.count())] == [
        "none",
        "eight",
        "sixty-four",
        "nine",
    ]
    choice.set_value(64)
    assert choice.count() == 3
    assert choice.currentText() == "sixty-four"
    assert said == []


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("llama-3.1 8b", "Llama-3.1 8B"),
        ("gpt", "GPT-3"),
        ("llama 70", "Llama-3.1 70B"),
        ("meta llama", "Llama-3.1 8B"),
    ],
)
def test_part_of_a_name_or_an_alias_chooses_a_model(
    search: SearchChoice, typed: str, found: str
) -> None:
    taken: list[object] = []
    search.chosen.connect(taken.append)
    _type(search, typed, Qt.Key.Key_Return)
    assert taken == [found]
    assert search.currentText() == found


def test_a_pasted_name_chooses_when_the_field_is_left(search: SearchChoice) -> None:
    edit = search.lineEdit()
    assert edit is not None
    QGuiApplication.clipboard().setText("GPT-3")
    QTest.mouseClick(edit, Qt.MouseButton.LeftButton)
    QTest.keyClick(edit, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    _press(edit, Qt.Key.Key_Tab)
    assert search.value() == "GPT-3"


def test_a_name_that_fits_nothing_goes_back_and_is_quoted(
    search: SearchChoice, qtbot: QtBot
) -> None:
    with qtbot.waitSignal(search.rejected) as rejected:
        _type(search, "Falcon")
    assert rejected.args[0].startswith('"Falcon" is no model of the list;')
    assert search.currentText() == "Custom count"


def test_a_name_that_fits_several_says_how_many(search: SearchChoice, qtbot: QtBot) -> None:
    with qtbot.waitSignal(search.rejected) as rejected:
        _type(search, "Llama")
    assert rejected.args[0].startswith('"Llama" fits 2 models; write more of the name')
    assert search.value() == ""


def test_the_list_below_offers_what_fits_and_one_of_it_can_be_taken(
    search: SearchChoice, qtbot: QtBot
) -> None:
    edit = search.lineEdit()
    assert edit is not None
    QTest.mouseClick(edit, Qt.MouseButton.LeftButton)
    QTest.keyClicks(edit, "70")
    popup = edit.completer().popup()
    qtbot.waitUntil(popup.isVisible)
    assert popup.model().rowCount() == 1
    QTest.keyClick(popup, Qt.Key.Key_Down)
    QTest.keyClick(popup, Qt.Key.Key_Return)
    assert search.value() == "Llama-3.1 70B"


def test_the_list_below_knows_aliases(search: SearchChoice, qtbot: QtBot) -> None:
    edit = search.lineEdit()
    assert edit is not None
    QTest.mouseClick(edit, Qt.MouseButton.LeftButton)
    QTest.keyClicks(edit, "meta")
    popup = edit.completer().popup()
    qtbot.waitUntil(popup.isVisible)
    QTest.keyClick(popup, Qt.Key.Key_Down)
    QTest.keyClick(popup, Qt.Key.Key_Return)
    assert search.value() == "Llama-3.1 8B"
    assert search.currentText() == "Llama-3.1 8B"


def test_escape_brings_the_model_back(search: SearchChoice) -> None:
    edit = search.lineEdit()
    assert edit is not None
    _type(search, "xyz", Qt.Key.Key_Escape)
    assert edit.text() == "Custom count"
    assert not search.has_pending_text()


def test_a_name_being_typed_survives_a_refresh(search: SearchChoice) -> None:
    edit = search.lineEdit()
    assert edit is not None
    QTest.mouseClick(edit, Qt.MouseButton.LeftButton)
    QTest.keyClicks(edit, "gp")
    search.set_options(MODELS)
    search.set_value("")
    assert edit.text() == "gp"
    QTest.keyClicks(QApplication.activePopupWidget() or edit, "t-3")
    _press(edit, Qt.Key.Key_Return)
    assert search.value() == "GPT-3"


def test_a_name_with_line_breaks_from_a_file_is_no_refused_input(search: SearchChoice) -> None:
    said: list[object] = []
    search.rejected.connect(said.append)
    search.set_value("two\nlines", "two\nlines")
    assert search.currentText() == "two lines"
    search.setFocus()
    search.clearFocus()
    assert said == []


def test_an_exact_name_wins_over_longer_ones() -> None:
    options = (Option(1, "Mistral 7B"), Option(2, "Mistral 7B v0.1"))
    assert [o.value for o in matching(options, "mistral  7b")] == [1]
    assert [o.value for o in matching(options, "7B")] == [1, 2]
    assert matching(options, "  ") == []
