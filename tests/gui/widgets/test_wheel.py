"""The wheel scrolls; it changes a field only where the focus is."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QLineEdit,
    QScrollArea,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)
from pytestqt.qtbot import QtBot

from tests.gui.hands import in_front
from zerogui.gui.inputs.number_box import NumberBox
from zerogui.gui.inputs.steps import step_workers
from zerogui.gui.widgets.wheel import WheelGuard
from zerogui.planning.quantities import count_text, parse_count


@pytest.fixture
def guard(qapp: QApplication) -> Iterator[WheelGuard]:
    """The application's filter, taken out again."""
    guard = WheelGuard.install(qapp)
    yield guard
    qapp.removeEventFilter(guard)
    guard.deleteLater()


@pytest.fixture
def area(qtbot: QtBot, guard: WheelGuard) -> QScrollArea:
    """A panel that is higher than its window, with a field of every kind."""
    content = QWidget()
    layout = QVBoxLayout(content)
    box = NumberBox(parse_count, count_text, step_workers, 1, 2**20)
    box.set_value(8)
    combo = QComboBox()
    combo.addItems(["bf16", "fp32", "fp16"])
    editable = QComboBox(editable=True)
    editable.addItems(["one", "two", "three"])
    spin = QSpinBox(value=5)
    for name, field in (
        ("first", QLineEdit()),
        ("box", box),
        ("combo", combo),
        ("editable", editable),
        ("spin", spin),
    ):
        field.setObjectName(name)
        layout.addWidget(field)
    layout.addStretch(1)
    content.setMinimumHeight(2000)
    area = QScrollArea()
    area.setWidget(content)
    area.setWidgetResizable(True)
    area.resize(250, 300)
    qtbot.addWidget(area)
    area.show()
    in_front(qtbot, area)
    content.findChild(QLineEdit, "first").setFocus()
    return area


def _turn(widget: QWidget, notches: int) -> None:
    """Turn the wheel with the pointer over ``widget``, as the window system reports it."""
    window = widget.window()
    where = widget.mapTo(window, widget.rect().center())
    QTest.wheelEvent(window.windowHandle(), QPointF(where), QPoint(0, 120 * notches))
    QApplication.processEvents()


@pytest.mark.parametrize("name", ["box", "combo", "editable", "spin"])
def test_the_wheel_over_an_unfocused_field_scrolls_the_panel(area: QScrollArea, name: str) -> None:
    field = area.findChild(QWidget, name)
    before = _reading(field)
    _turn(field, -1)
    assert area.verticalScrollBar().value() > 0
    assert _reading(field) == before
    assert not field.hasFocus()


def test_the_wheel_over_a_focused_field_changes_it(area: QScrollArea) -> None:
    box = area.findChild(NumberBox, "box")
    box.setFocus()
    _turn(box, 1)
    assert box.value() == 9
    _turn(box, -1)
    _turn(box, -1)
    assert box.value() == 7
    assert area.verticalScrollBar().value() == 0


def test_the_wheel_does_not_bring_the_focus(area: QScrollArea) -> None:
    for name in ("box", "combo", "editable", "spin"):
        assert area.findChild(QWidget, name).focusPolicy() == Qt.FocusPolicy.StrongFocus


def _reading(field: QWidget) -> str:
    return field.currentText() if isinstance(field, QComboBox) else field.text()
