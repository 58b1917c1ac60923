"""Whoever works with the keyboard alone sees where they are; whoever clicks sees no frame."""

from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from zerogui.gui.theme import DARK, LIGHT, ThemeManager
from zerogui.gui.window import MainWindow

PLACES = [
    ("stages", "stage-chart"),
    ("scaling", "scaling-canvas"),
    ("ranks", "ranks-canvas"),
    ("ranks", "ranks-table"),
    ("compare", "compare-table"),
    ("derivation", "derivation"),
]


def tab_to(window: MainWindow, view: str, name: str) -> QWidget:
    """From the tabs of ``view`` with Tab until ``name`` has the keyboard."""
    window.work.views.show_view(view)
    QApplication.processEvents()
    window.work.views.tabs.setFocus()
    for _ in range(8):
        focused: Any = QApplication.focusWidget()
        if focused.objectName() == name:
            QTest.qWait(100)  # nested layouts take several turns of the event loop
            return focused
        QTest.keyClick(focused, Qt.Key.Key_Tab)
    raise AssertionError(f"Tab does not lead to {name}")


def colours_beside(window: MainWindow, widget: QWidget) -> set[str]:
    """What is painted just outside the middle of each of a widget's edges."""
    QApplication.processEvents()
    image = window.grab().toImage()
    corner, size = widget.mapTo(window, QPoint(0, 0)), widget.size()
    x, y = corner.x() + size.width() // 2, corner.y() + size.height() // 2
    points = [
        (corner.x() - 2, y),
        (corner.x() + size.width() + 1, y),
        (x, corner.y() - 2),
        (x, corner.y() + size.height() + 1),
    ]
    return {QColor(image.pixel(*point)).name() for point in points}


@pytest.mark.parametrize(("view", "name"), PLACES)
def test_the_view_that_tab_has_reached_is_framed_and_nothing_moves(
    window: MainWindow, view: str, name: str
) -> None:
    window.resize(1500, 900)
    window.pin()
    before = tab_to(window, view, name)
    place = before.geometry()
    assert colours_beside(window, before) == {LIGHT.accent.lower()}
    assert before.geometry() == place
    QTest.keyClick(before, Qt.Key.Key_Tab)
    assert not before.hasFocus()
    assert LIGHT.accent.lower() not in colours_beside(window, before)


@pytest.mark.parametrize(("view", "name"), [("stages", "stage-chart"), ("ranks", "ranks-canvas")])
def test_a_click_needs_no_frame(window: MainWindow, view: str, name: str) -> None:
    reached = tab_to(window, view, name)
    under: Any = getattr(reached, "viewport", lambda: reached)()
    QTest.mouseClick(under, Qt.MouseButton.LeftButton, pos=QPoint(3, 3))
    window.work.views.tabs.setFocus()
    QTest.mouseClick(under, Qt.MouseButton.LeftButton, pos=QPoint(3, 3))
    assert reached.hasFocus()
    assert LIGHT.accent.lower() not in colours_beside(window, reached)


def test_the_frame_keeps_to_its_view_when_the_window_changes(window: MainWindow) -> None:
    chart = tab_to(window, "stages", "stage-chart")
    window.resize(1100, 720)
    assert colours_beside(window, chart) == {LIGHT.accent.lower()}
    window.error("A message that pushes everything further down")
    assert colours_beside(window, chart) == {LIGHT.accent.lower()}


def test_the_frame_is_in_the_accent_of_the_theme(window: MainWindow, themes: ThemeManager) -> None:
    chart = tab_to(window, "stages", "stage-chart")
    themes.choose("dark")
    try:
        assert colours_beside(window, chart) == {DARK.accent.lower()}
    finally:
        themes.choose("light")


def test_the_frame_takes_no_click(window: MainWindow) -> None:
    chart: Any = tab_to(window, "stages", "stage-chart")
    QTest.mouseClick(
        chart.viewport(), Qt.MouseButton.LeftButton, pos=chart.stage_position(3).toPoint()
    )
    assert window.controller.scenario.sharding.stage == 3
    # The frame lies over all of the chart.
    inside = chart.mapTo(window, QPoint(chart.width() // 2, 2))
    assert window.childAt(inside) is chart.viewport()
