"""Borders, window and view are where the user left them."""

import json
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QSplitter, QSplitterHandle
from pytestqt.qtbot import QtBot

from tests.gui.conftest import Opener
from tests.gui.hands import table_texts, trigger
from tests.gui.restarts import Desktop
from zerogui.gui.theme import ThemeManager, set_font_scale
from zerogui.gui.window import MainWindow


@pytest.fixture
def desktop(qtbot: QtBot, themes: ThemeManager, tmp_path: Path) -> Desktop:
    return Desktop(qtbot, themes, tmp_path)


def handle(window: MainWindow, name: str) -> QSplitterHandle:
    split = window.findChild(QSplitter, name)
    assert split is not None
    return split.handle(1)


def drag(window: MainWindow, name: str, x: int, y: int) -> None:
    """Drag a border by so many pixels."""
    border = handle(window, name)
    start = border.rect().center()
    left = Qt.MouseButton.LeftButton
    QTest.mousePress(border, left, Qt.KeyboardModifier.NoModifier, start)
    QTest.mouseMove(border, start + QPoint(x, y))
    QTest.mouseRelease(border, left, Qt.KeyboardModifier.NoModifier, start)
    QTest.qWait(20)


def test_the_panel_is_dragged_wider_but_never_to_nothing(window: MainWindow) -> None:
    window.resize(1280, 800)
    QTest.qWait(20)
    assert window.panel.width() == 352
    drag(window, "panel-split", 80, 0)
    wider = window.panel.width()
    assert 352 < wider <= 352 + 80
    for _ in range(4):
        drag(window, "panel-split", -400, 0)
    assert window.panel.width() == 320
    for _ in range(4):
        drag(window, "panel-split", 600, 0)
    assert window.panel.width() == 560
    QTest.mouseDClick(handle(window, "panel-split"), Qt.MouseButton.LeftButton)
    assert window.panel.width() == 352


def test_the_chart_is_dragged_higher_and_the_table_scrolls(window: MainWindow) -> None:
    chart, table = window.work.views.height(), window.work.table.height()
    drag(window, "view-split", 0, 60)
    taken = window.work.views.height() - chart
    assert taken > 0
    assert table - window.work.table.height() == taken
    for _ in range(5):
        drag(window, "view-split", 0, 300)
    # Its heading and a row stay.
    assert window.work.table.height() > 2 * window.work.table.rowHeight(0)
    QTest.mouseDClick(handle(window, "view-split"), Qt.MouseButton.LeftButton)
    QTest.qWait(20)
    assert (window.work.views.height(), window.work.table.height()) == (chart, table)


def test_the_table_is_whole_until_somebody_drags(open_window: Opener, qtbot: QtBot) -> None:
    window = open_window()
    table: Any = window.work.table
    for size in ((1024, 640), (1280, 800), (1920, 1080)):
        window.resize(*size)
        for scale in (1.0, 2.5, 1.0):
            set_font_scale(scale)

            def last_row_ends() -> int:
                return int(table.rowViewportPosition(3) + table.rowHeight(3))

            qtbot.waitUntil(lambda: last_row_ends() <= table.viewport().height())
            heading = table.horizontalHeader().height()
            assert table.height() <= last_row_ends() + heading + 40, (size, scale)
    assert len(table_texts(window)) == 4


def test_large_text_on_a_small_screen_can_all_be_scrolled_to(
    open_window: Opener, qtbot: QtBot
) -> None:
    window = open_window()
    window.resize(1024, 640)
    set_font_scale(2.5)
    try:
        work = window.work
        qtbot.waitUntil(lambda: work.views.height() >= 550)
        assert work.table.geometry().bottom() <= work.table.parentWidget().height()
        below = work.table.mapTo(work, QPoint(0, work.table.height()))
        assert below.y() <= work.height()
        assert work.arithmetic.height() >= work.arithmetic.heightForWidth(work.arithmetic.width())
    finally:
        set_font_scale(1.0)


def test_presenting_folds_the_panel_and_brings_it_back_as_wide(window: MainWindow) -> None:
    drag(window, "panel-split", 80, 0)
    width = window.panel.width()
    trigger(window, "present")
    QTest.qWait(50)
    assert not window.panel.isVisible()
    assert window.work.width() > window.width() - 40
    trigger(window, "present")
    QTest.qWait(20)
    assert window.panel.width() == width


def test_the_next_start_has_the_same_layout(desktop: Desktop) -> None:
    window = desktop.start()
    window.setGeometry(10, 20, 1100, 700)
    QTest.qWait(50)
    drag(window, "panel-split", -40, 0)
    drag(window, "view-split", 0, 40)
    window.work.views.show_view("ranks")
    trigger(window, "exact-bytes")
    panel, table = window.panel.width(), window.work.table.height()
    assert panel != 352
    window.close_for_good()

    again = desktop.start()
    QTest.qWait(50)
    assert again.size().toTuple() == (1100, 700) or again.screen().size().width() < 1100
    assert (again.panel.width(), again.work.table.height()) == (panel, table)
    assert again.work.views.current == "ranks"
    assert again.controller.shown.exact_bytes
    again.close_for_good()


def test_the_border_inside_a_comparison_is_remembered_too(desktop: Desktop) -> None:
    def compared(window: MainWindow) -> Any:
        window.resize(1280, 800)
        window.pin()
        window.work.views.show_view("compare")
        QTest.qWait(50)
        return window.work.views.view("compare")

    window = desktop.start()
    view = compared(window)
    usual = view.table.height()
    drag(window, "compare-split", 0, 60)
    lower = view.table.height()
    assert lower < usual - 20
    window.close_for_good()
    again = desktop.start()
    assert compared(again).table.height() == lower
    again.close_for_good()


def test_a_maximised_window_comes_back_maximised(desktop: Desktop) -> None:
    window = desktop.start()
    window.showMaximized()
    window.close_for_good()
    again = desktop.start()
    assert again.isMaximized()
    again.showNormal()
    again.close_for_good()
    third = desktop.start()
    assert not third.isMaximized()
    third.close_for_good()


def test_closing_while_presenting_remembers_the_window_as_it_was(desktop: Desktop) -> None:
    window = desktop.start()
    window.resize(960, 640)  # with its frame it has room on the tests' screen
    size = window.size()
    trigger(window, "present")
    window.close_for_good()
    set_font_scale(1.0)
    again = desktop.start()
    assert not again.isFullScreen()
    assert again.panel.isVisible()
    assert again.size() == size
    again.close_for_good()


def test_a_maximised_window_that_presents_comes_back_maximised(desktop: Desktop) -> None:
    window = desktop.start()
    window.showMaximized()
    trigger(window, "present")
    window.close_for_good()
    set_font_scale(1.0)
    again = desktop.start()
    assert again.isMaximized()
    again.close_for_good()


@pytest.mark.parametrize("geometry", ["", "no base64 ✂", "AdnQywAD", "A" * 400])
def test_a_geometry_that_is_none_starts_with_the_usual_size(
    desktop: Desktop, geometry: str
) -> None:
    desktop.settings.parent.mkdir(parents=True)
    head = {"format": "zerogui/settings", "version": 1}
    desktop.settings.write_text(json.dumps({**head, "geometry": geometry, "panel_width": 9999}))
    window = desktop.start()
    assert window.panel.width() == 560 or window.width() < 970
    assert window.width() >= 960
    window.close_for_good()


def test_a_window_from_a_larger_screen_comes_back_within_this_one(desktop: Desktop) -> None:
    window = desktop.start()
    window.setGeometry(5000, 4000, 3000, 2500)
    window.close_for_good()
    again = desktop.start()
    room = again.screen().availableGeometry()
    area = again.geometry()
    assert room.contains(area.topLeft())
    assert area.width() <= max(room.width(), again.minimumWidth())
    assert area.height() <= max(room.height(), again.minimumHeight())
    again.close_for_good()


def test_layout_is_written_at_most_a_few_times(desktop: Desktop) -> None:
    window = desktop.start()
    for _ in range(10):
        drag(window, "panel-split", 4, 0)
    assert not desktop.settings.exists()
    desktop.wait_for_autosave()
    desktop.wait_for_autosave()
    first = desktop.settings.stat().st_ino
    desktop.wait_for_autosave()
    assert desktop.settings.stat().st_ino == first
    window.close_for_good()
