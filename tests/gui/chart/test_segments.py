"""A segment of the stage chart is chosen by click or key, outlined, and explained in numbers."""

from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction, QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.gui.hands import chart_labels, click_stage, said, type_into
from zerogui.gui.theme import LIGHT
from zerogui.gui.window import MainWindow

HINT = "Click a segment"


@pytest.fixture
def chart(window: MainWindow) -> Any:
    return window.work.views.view("stages")


def formula(window: MainWindow) -> str:
    """The line below the arithmetic, its spaces plain."""
    return said(window, "segment-formula").replace("\u2009", " ").replace("\u00a0", " ")


def place_of(chart: Any, stage: int, name: str) -> QPoint:
    """The middle of a segment in the chart."""
    hits = [h for h in chart.picture.hits if h.stage == stage and h.segment is not None]
    rect = next(h.rect for h in hits if h.segment.name == name)
    box = chart.getPlotItem().getViewBox()
    return chart.mapFromScene(box.mapToScene(rect.center()))


def click(chart: Any, place: QPoint) -> None:
    QTest.mouseClick(
        chart.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place
    )


def accent_pixels(chart: Any) -> int:
    QApplication.processEvents()
    image = chart.grab().toImage()
    accent = QColor(LIGHT.accent)
    return sum(
        image.pixelColor(x, y) == accent
        for x in range(image.width())
        for y in range(image.height())
    )


def test_a_clicked_segment_is_outlined_and_its_formula_stands_below_the_arithmetic(
    window: MainWindow, chart: Any
) -> None:
    assert formula(window).startswith(HINT)
    click_stage(window, 2)
    click(chart, place_of(chart, 2, "weights") - QPoint(0, 400))  # beside the bar's segments
    plain = accent_pixels(chart)
    click(chart, place_of(chart, 2, "master weights"))
    # 10^9 over 4 ranks are 250,000,000 elements of 4 bytes.
    worked = "4 B × 250 000 000 elements (1 000 000 000 ÷ 4) = 1 000 000 000 B"
    assert formula(window) == f"master weights: {worked}"
    assert said(window, "arithmetic").startswith("ZeRO-2: ")
    assert accent_pixels(chart) > plain + 100


def test_a_segment_of_another_stage_chooses_the_stage_with_it(
    window: MainWindow, chart: Any
) -> None:
    click(chart, place_of(chart, 1, "gradients"))
    assert chart_labels(window, "stage selected") == ["ZeRO-1"]
    assert formula(window) == "gradients: 2 B × 1 000 000 000 elements = 2 000 000 000 B"


def test_the_formula_follows_an_edit_and_goes_with_its_stage(
    window: MainWindow, chart: Any
) -> None:
    click(chart, place_of(chart, 3, "weights"))
    type_into(window, "workers", "8")
    # 10^9 / 8 = 125,000,000 elements of 2 bytes.
    assert "125 000 000 elements" in formula(window)
    assert formula(window).endswith("= 250 000 000 B")
    chart.setFocus()
    QTest.keyClick(chart, Qt.Key.Key_1)
    assert formula(window).startswith(HINT)
    assert chart.picture.outline is None


def test_up_and_down_walk_through_the_segments_and_escape_leaves_them(
    window: MainWindow, chart: Any
) -> None:
    chart.setFocus()
    names = []
    for _ in range(6):
        QTest.keyClick(chart, Qt.Key.Key_Up)
        names.append(formula(window).partition(":")[0])
    top = "second moment"
    assert names == ["weights", "gradients", "master weights", "first moment", top, top]
    QTest.keyClick(chart, Qt.Key.Key_Down)
    assert formula(window).startswith("first moment: ")
    QTest.keyClick(chart, Qt.Key.Key_Escape)
    assert formula(window).startswith(HINT)
    assert chart.picture.outline is None
    QTest.keyClick(chart, Qt.Key.Key_Down)
    assert formula(window).startswith(f"{top}: ")


def test_the_arithmetic_is_copied_with_the_segment_under_discussion(
    window: MainWindow, chart: Any
) -> None:
    copy = window.findChild(QAction, "copy-arithmetic")
    assert copy is not None
    copy.trigger()
    assert "\n" not in QApplication.clipboard().text()
    click(chart, place_of(chart, 0, "gradients"))
    copy.trigger()
    first, second = QApplication.clipboard().text().split("\n")
    assert first.startswith("DDP: ")
    assert second.startswith("gradients: 2")


def test_the_picture_keeps_its_place_when_a_segment_is_chosen(
    window: MainWindow, chart: Any, qtbot: QtBot
) -> None:
    before = chart.height()
    click(chart, place_of(chart, 0, "gradients"))
    QApplication.processEvents()
    assert chart.height() == before
    window.work.views.show_view("scaling")
    assert not window.work.formula.isVisible()
    window.work.views.show_view("stages")
    assert window.work.formula.isVisible()
    qtbot.wait(1)


def test_tab_goes_from_the_tabs_through_the_chart_to_the_table(window: MainWindow) -> None:
    passed = []
    window.work.views.tabs.setFocus()
    for _ in range(3):
        focused = QApplication.focusWidget()
        assert focused is not None
        passed.append(focused.objectName())
        QTest.keyClick(focused, Qt.Key.Key_Tab)
    assert passed == ["views", "stage-chart", "summary"]
