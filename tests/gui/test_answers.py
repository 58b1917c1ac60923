"""Answers in words above the chart, and the derivation behind its tab."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPlainTextEdit, QTabBar

from tests.gui.hands import choose, said, shown_in, type_into
from zerogui.gui.window import MainWindow


def answers(window: MainWindow) -> QLabel:
    label = window.findChild(QLabel, "questions")
    assert label is not None
    return label


def links(window: MainWindow) -> dict[str, str]:
    """Texts of the links with their addresses."""
    pieces = answers(window).text().split('<a href="')[1:]
    found = {}
    for piece in pieces:
        address, rest = piece.split('">', 1)
        found[rest.split("</a>")[0].replace("&nbsp;", " ")] = address
    return found


def follow(window: MainWindow, text: str) -> None:
    """Go to the link with Tab, and press Return."""
    line = answers(window)
    line.setFocus(Qt.FocusReason.TabFocusReason)
    for _ in links(window):
        if line.selectedText().replace("\u00a0", " ") == text:
            break
        QTest.keyClick(line, Qt.Key.Key_Tab)
    QTest.keyClick(line, Qt.Key.Key_Return)


def test_llama_70b_on_eight_h100_is_answered_within_three_interactions(window: MainWindow) -> None:
    type_into(window, "model", "Llama-3 70B")  # 1
    type_into(window, "workers", "8")  # 2
    assert "Does not fit an H100 80GB at any stage" in said(window, "verdict")
    assert "14 at ZeRO-3" in links(window)
    follow(window, "14 at ZeRO-3")  # 3
    assert shown_in(window, "workers") == "14"
    verdict = said(window, "verdict")
    assert verdict.startswith("Fits an H100 80GB at ZeRO-3 only, leaving ")


def test_an_answer_is_one_step_that_undo_takes_back(window: MainWindow) -> None:
    type_into(window, "model", "Llama-3 70B")
    type_into(window, "workers", "8")
    follow(window, "14 at ZeRO-3")
    undo = window.findChild(object, "undo")
    assert undo.text() == "&Undo: Use 14 workers at ZeRO-3"
    undo.trigger()
    assert shown_in(window, "workers") == "8"
    assert window.controller.scenario.sharding.stage == 0


def test_without_a_device_there_are_no_answers(window: MainWindow) -> None:
    choose(window, "device", "No device")
    assert not answers(window).isVisible()
    assert said(window, "verdict").startswith("Choose a device")


def test_the_derivation_follows_the_stage_and_can_be_copied(window: MainWindow) -> None:
    tabs = window.findChild(QTabBar, "views")
    assert tabs is not None
    window.work.views.show_view("derivation")
    view = window.findChild(QPlainTextEdit, "derivation")
    assert view is not None
    assert "DDP is the paper's baseline" in view.toPlainText()
    window.findChild(object, "stage-3").click()
    assert "ZeRO-3 is the paper's P_os+g+p" in view.toPlainText()
    view.setFocus()
    QTest.keySequence(view, QKeySequence(QKeySequence.StandardKey.SelectAll))
    QTest.keySequence(view, QKeySequence(QKeySequence.StandardKey.Copy))
    assert "Total: 4\u2009000\u2009000\u2009000" in QApplication.clipboard().text()
