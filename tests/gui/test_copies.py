"""Whatever goes to the clipboard, a short note in the status bar says so."""

from typing import Any

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPlainTextEdit, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from tests.gui.hands import in_front
from zerogui.gui.window import MainWindow


def note(window: MainWindow) -> str:
    assert window.statusBar().isVisible()
    return window.statusBar().currentMessage()


def copied() -> str:
    return QApplication.clipboard().text()


def press_copy(widget: QWidget) -> None:
    widget.setFocus()
    QTest.keySequence(widget, "Ctrl+C")


def test_commands_that_copy_say_what_they_copied(window: MainWindow) -> None:
    for command, said in (
        ("copy-table", "Copied the table"),
        ("copy-chart", "Copied the chart"),
        ("copy-arithmetic", "Copied the arithmetic"),
    ):
        action = window.findChild(QAction, command)
        assert action is not None
        action.trigger()
        assert note(window) == said


def test_a_selection_of_the_table_is_confirmed(window: MainWindow) -> None:
    table = window.work.table
    cell = table.visualRect(table.model().index(1, 2)).center()
    QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=cell)
    press_copy(table)
    assert note(window) == "Copied 1 cells with their headings"
    assert "2000000000" in copied()


def test_the_tables_of_other_views_are_confirmed(window: MainWindow) -> None:
    window.resize(1500, 900)
    window.pin()
    window.work.views.show_view("compare")
    compare: Any = window.findChild(QWidget, "compare-table")
    press_copy(compare)
    assert note(window) == "Copied the comparison"
    window.work.views.show_view("ranks")
    QApplication.processEvents()
    ranks: Any = window.findChild(QWidget, "ranks-table")
    assert ranks.isVisible()
    press_copy(ranks)
    assert note(window) == "Copied the table of ranks"
    assert "16000000000" in copied()


def test_what_is_selected_of_the_derivation_is_confirmed(window: MainWindow, qtbot: QtBot) -> None:
    window.work.views.show_view("derivation")
    qtbot.wait(100)
    text = window.findChild(QPlainTextEdit, "derivation")
    assert text is not None
    QTest.keySequence(text, "Ctrl+A")
    press_copy(text)
    assert copied().startswith("Ψ = 1")
    assert note(window) == "Copied to the clipboard"


def test_words_selected_in_a_sentence_are_confirmed(window: MainWindow, qtbot: QtBot) -> None:
    qtbot.wait(100)
    sentence = window.work.sentence
    QTest.mouseDClick(sentence, Qt.MouseButton.LeftButton, pos=QPoint(40, 10))
    press_copy(sentence)
    assert copied() == "parameters"
    assert note(window) == "Copied to the clipboard"


def test_the_details_of_the_about_window_are_confirmed(window: MainWindow, qtbot: QtBot) -> None:
    qtbot.wait(100)
    action = window.findChild(QAction, "about")
    assert action is not None
    action.trigger()
    copy = window.findChild(QPushButton, "about-copy")
    assert copy is not None
    in_front(qtbot, copy.window())
    QTest.mouseClick(copy, Qt.MouseButton.LeftButton)
    assert copied().startswith("zerogui")
    assert note(window) == "Copied to the clipboard"
    copy.window().close()
