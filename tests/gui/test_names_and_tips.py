"""Whatever Tab reaches, in the window and in its dialogs, has a name and says what it does.

Buttons and fields of dialogs answer a letter besides.
"""

from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QDialog,
    QLabel,
    QLineEdit,
    QMenu,
    QPushButton,
    QScrollBar,
    QTabBar,
    QWidget,
)
from pytestqt.qtbot import QtBot

from tests.gui.hands import in_front, type_into
from zerogui.gui.session.crash_dialog import CrashDialog
from zerogui.gui.widgets.link_row import LinkRow
from zerogui.gui.window import MainWindow

VIEWS = ("stages", "scaling", "ranks", "compare", "derivation", "start")
# They tell what is pointed at: a segment, a number of workers, a block, a cell, a tab.
TELL_BY_POINTING = {
    "stage-chart",
    "scaling-canvas",
    "ranks-canvas",
    "summary",
    "compare-table",
    "views",
}


def reached_by_tab(root: QWidget) -> list[QWidget]:
    return [
        widget
        for widget in root.findChildren(QWidget)
        if widget.isVisible()
        and widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        and widget.focusProxy() is None
        and not isinstance(widget, QScrollBar)
    ]


def faults(root: QWidget) -> list[str]:
    """What has no name for a screen reader, or no tooltip."""
    found = []
    for widget in reached_by_tab(root):
        called = f"{type(widget).__name__} {widget.objectName()}"
        interface = QAccessible.queryAccessibleInterface(widget)
        if not interface.text(QAccessible.Text.Name):
            found.append(f"{called} has no name")
        if not widget.toolTip() and widget.objectName() not in TELL_BY_POINTING:
            found.append(f"{called} has no tooltip")
    return found


def without_letter(root: QWidget) -> list[str]:
    """Buttons and text fields of a dialog that Alt and a letter do not reach, or twice the same."""
    letters: list[str] = []
    found = []
    labels = {label.buddy(): label.text() for label in root.findChildren(QLabel) if label.buddy()}
    for widget in reached_by_tab(root):
        if isinstance(widget, QPushButton | QLineEdit):
            text = labels.get(widget, "") if isinstance(widget, QLineEdit) else widget.text()
            _, ampersand, rest = text.partition("&")
            if not ampersand:
                found.append(f"{widget.objectName()} {text!r}")
            letters.append(rest[:1].lower())
    return found if len(set(letters)) == len(letters) else [*found, f"twice: {letters}"]


@pytest.mark.parametrize("view", VIEWS)
def test_everything_in_the_window_has_a_name_and_a_tooltip(window: MainWindow, view: str) -> None:
    window.resize(1500, 900)
    window.pin()
    window.work.views.show_view(view)
    QApplication.processEvents()
    assert faults(window) == []
    tabs = window.findChild(QTabBar, "views")
    assert tabs is not None
    assert all(tabs.tabToolTip(k).endswith(f"(Alt+{k + 1})") for k in range(tabs.count()))


def test_the_pages_without_pins_and_with_recent_files_too(window: MainWindow) -> None:
    window.work.recent.show(("/somewhere/<b>else.zerogui.json",))
    for view in ("compare", "start"):
        window.work.views.show_view(view)
        QApplication.processEvents()
        assert faults(window.work.views) == []
    row: Any = window.findChild(LinkRow, "start-recent")
    assert row.accessibleName() == "<b>else.zerogui.json"


@pytest.mark.parametrize("command", ["about", "shortcuts", "browse-models", "train-only"])
def test_everything_in_a_dialog_has_a_name_a_tooltip_and_a_letter(
    window: MainWindow, command: str
) -> None:
    action = window.findChild(QAction, command)
    assert action is not None
    action.trigger()
    dialog = window.findChild(QDialog)
    assert dialog is not None
    QApplication.processEvents()
    assert faults(dialog) == []
    assert without_letter(dialog) == []
    dialog.close()


def test_the_question_before_closing_too(window: MainWindow) -> None:
    type_into(window, "workers", "8")
    window.close()
    question = window.findChild(QDialog, "unsaved-changes")
    assert question is not None
    assert faults(question) == []
    assert without_letter(question) == []
    QTest.keyClick(question, Qt.Key.Key_Escape)
    assert window.isVisible()


def test_the_report_of_a_failure_too(window: MainWindow) -> None:
    dialog = CrashDialog("where it went wrong", "/tmp/crash.log", True, window)
    dialog.open()
    QApplication.processEvents()
    assert faults(dialog) == []
    assert without_letter(dialog) == []
    dialog.close()


def test_a_letter_presses_a_button(window: MainWindow, qtbot: QtBot) -> None:
    action = window.findChild(QAction, "about")
    assert action is not None
    action.trigger()
    dialog = window.findChild(QDialog)
    assert dialog is not None
    in_front(qtbot, dialog)
    QTest.keyClick(dialog, Qt.Key.Key_C, Qt.KeyboardModifier.AltModifier)
    qtbot.waitUntil(lambda: QApplication.clipboard().text().startswith("zerogui"))
    QTest.keyClick(dialog, Qt.Key.Key_L, Qt.KeyboardModifier.AltModifier)
    qtbot.waitUntil(lambda: not window.findChildren(QDialog))


@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_the_sheet_of_keys_is_read_without_scrolling_sideways(
    window: MainWindow, scale: float
) -> None:
    from zerogui.gui.theme import set_font_scale

    set_font_scale(scale)
    try:
        QTest.keyClick(window, Qt.Key.Key_F1)
        sheet = window.findChild(QWidget, "shortcut-sheet")
        assert sheet is not None
        QApplication.processEvents()
        above = sheet.parentWidget()
        assert above is not None
        assert sheet.width() <= above.width()
        sheet.window().close()
    finally:
        set_font_scale(1.0)


@pytest.mark.parametrize("view", VIEWS)
def test_no_letter_leads_to_two_places(window: MainWindow, view: str) -> None:
    window.resize(1500, 900)
    window.work.views.show_view(view)
    QApplication.processEvents()
    texts = [action.text() for action in window.menuBar().actions()]
    for widget in window.findChildren(QWidget):
        if widget.isVisible() and isinstance(widget, QLabel | QAbstractButton):
            texts.append(widget.text())
    assert repeated(texts) == []


def test_no_letter_leads_to_two_lines_of_a_menu(window: MainWindow) -> None:
    menus = [menu for menu in window.findChildren(QMenu) if menu.actions()]
    assert len(menus) >= 4
    for menu in menus:
        assert repeated([action.text() for action in menu.actions()]) == []


def repeated(texts: list[str]) -> list[str]:
    marked = [text for text in texts if "&" in text.replace("&&", "") and "<a " not in text]
    letters = [text[text.index("&") + 1].lower() for text in marked]
    return [text for text, letter in zip(marked, letters, strict=True) if letters.count(letter) > 1]


def test_views_have_keys_which_the_menu_names(window: MainWindow) -> None:
    for number, view in enumerate(VIEWS, 1):
        QTest.keySequence(window, f"Alt+{number}")
        assert window.work.views.current == view
    scaling = window.findChild(QAction, "view-scaling")
    assert scaling is not None
    assert scaling.shortcut().toString() == "Alt+2"
    scaling.trigger()
    assert window.work.views.current == "scaling"
