"""The model browser: a model is found by typing part of its name."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QTableView
from pytestqt.qtbot import QtBot

from tests.gui.hands import shown_in, trigger
from zerogui.gui.window import MainWindow


def test_a_model_is_found_by_typing_in_the_browser(window: MainWindow, qtbot: QtBot) -> None:
    trigger(window, "browse-models")
    search = window.findChild(QLineEdit, "model-search")
    table = window.findChild(QTableView, "model-list")
    assert search is not None
    assert table is not None
    QTest.keyClicks(search, "Mixtral 8x7")
    assert table.model().rowCount() == 1
    shown = [table.model().index(0, column).data() for column in range(3)]
    assert shown[0] == "Mixtral 8x7B"
    assert shown[2] == "46\u2009702\u2009792\u2009704"
    QTest.keyClick(search, Qt.Key.Key_Return)
    assert shown_in(window, "parameters").replace("\u2009", "") == "46702792704"
