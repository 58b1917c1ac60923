"""What a user's hands and eyes do, for the tests: type, choose, click, read."""

from typing import Any

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QLabel, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from zerogui.gui.window import MainWindow

PATIENCE = 20_000  # ms until a window that does not appear counts as broken


def in_front(qtbot: QtBot, widget: QWidget) -> None:
    """Wait until ``widget``, just shown, is painted and has the keyboard, as a user's window has.

    Without a screen that is so at once; a window manager takes its time.
    """
    with qtbot.waitExposed(widget, timeout=PATIENCE):
        pass
    with qtbot.waitActive(widget, timeout=PATIENCE):
        widget.activateWindow()


def field(window: MainWindow, name: str) -> Any:
    """The input called ``name``, which must be visible (scrolled to)."""
    found = window.panel.findChild(QWidget, name)
    assert found is not None, f"no input is called {name}"
    window.panel.ensureWidgetVisible(found)
    assert found.isVisible(), f"{name} is hidden"
    return found


def type_into(window: MainWindow, name: str, text: str, end: Qt.Key = Qt.Key.Key_Return) -> None:
    """Click into the field, select what it holds, type ``text``, and leave with ``end``."""
    box = field(window, name)
    edit = box if isinstance(box, QLineEdit) else box.findChild(QLineEdit)
    edit.setFocus()
    edit.selectAll()
    QTest.keyClicks(edit, text)
    QTest.keyClick(edit, end)


def paste_into(window: MainWindow, name: str, text: str) -> None:
    """Paste ``text`` over what the field holds, and press Return."""
    box = field(window, name)
    edit = box if isinstance(box, QLineEdit) else box.findChild(QLineEdit)
    QApplication.clipboard().setText(text)
    edit.setFocus()
    edit.selectAll()
    QTest.keySequence(edit, "Ctrl+V")
    QTest.keyClick(edit, Qt.Key.Key_Return)


def choose(window: MainWindow, name: str, starts_with: str) -> None:
    """Choose the first entry of a list whose text starts so, with the keyboard."""
    combo = field(window, name)
    assert isinstance(combo, QComboBox)
    entries = [combo.itemText(k) for k in range(combo.count())]
    wanted = next(k for k, text in enumerate(entries) if text.startswith(starts_with))
    combo.setFocus()
    for _ in range(len(entries)):
        if combo.currentIndex() == wanted:
            break
        down = combo.currentIndex() < wanted
        QTest.keyClick(combo, Qt.Key.Key_Down if down else Qt.Key.Key_Up)
    assert combo.currentIndex() == wanted
    look(window)


def look(window: MainWindow) -> None:
    """See the next frame: values that come faster than frames are not all shown."""
    window.controller.settle()


def shown_in(window: MainWindow, name: str) -> str:
    """The text that an input shows."""
    look(window)
    box = field(window, name)
    if isinstance(box, QComboBox):
        return box.currentText()
    edit = box if isinstance(box, QLineEdit) else box.findChild(QLineEdit)
    return str(edit.text())


def said(window: MainWindow, name: str) -> str:
    """The text of a label of the work area."""
    look(window)
    label = window.findChild(QLabel, name)
    assert label is not None, f"no label is called {name}"
    # Thin spaces that do not break look like those that do.
    return label.text().replace("\u202f", "\u2009")


def table_texts(window: MainWindow) -> list[list[str]]:
    """What the table shows, row by row."""
    look(window)
    model = window.work.table.model()
    return [
        [model.index(row, column).data() for column in range(model.columnCount())]
        for row in range(model.rowCount())
    ]


def table_bytes(window: MainWindow) -> list[list[int]]:
    """The exact integers behind the cells, without the stage's name."""
    look(window)
    model = window.work.table.model()
    return [
        [
            model.index(row, column).data(Qt.ItemDataRole.UserRole)
            for column in range(1, model.columnCount())
        ]
        for row in range(model.rowCount())
    ]


def chart_labels(window: MainWindow, kind: str) -> list[str]:
    """The chart's labels of one kind ("total", "over", "device", ...), left to right."""
    look(window)
    chart: Any = window.work.views.view("stages")
    found = [label for label in chart.picture.labels if label.kind.value.startswith(kind)]
    return [label.text for label in found]


def click_stage(window: MainWindow, stage: int) -> None:
    """Click into the column of ``stage`` in the chart."""
    chart: Any = window.work.views.view("stages")
    point: QPoint = chart.stage_position(stage).toPoint()
    QTest.mouseClick(
        chart.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, point
    )


def trigger(window: MainWindow, name: str) -> None:
    """Take the command called ``name`` from its menu."""
    action = window.findChild(QAction, name)
    assert action is not None
    action.trigger()
