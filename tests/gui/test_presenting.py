"""Present mode, text size, and what is remembered, as the presenter uses them."""

import json
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from tests.gui.hands import chart_labels, in_front, said, shown_in, table_bytes, trigger, type_into
from zerogui.gui.app import make_window
from zerogui.gui.theme import ThemeManager, font_scale, set_font_scale
from zerogui.gui.window import MainWindow
from zerogui.planning.opening import OpenedPlan
from zerogui.planning.start import seed

pytestmark = pytest.mark.usefixtures("usual_look")


def test_presenting_folds_the_inputs_away_and_grows_the_text(window: MainWindow) -> None:
    before = font_scale()
    trigger(window, "present")
    assert not window.panel.isVisible()
    assert not window.menuBar().isVisible()
    assert font_scale() == pytest.approx(1.6 * before)
    hint = window.findChild(QLabel, "present-hint")
    assert hint is not None
    assert hint.isVisible()
    assert "workers" in hint.text().lower()
    QTest.keyClick(window, Qt.Key.Key_Escape)
    assert window.panel.isVisible()
    assert font_scale() == pytest.approx(before)
    assert not hint.isVisible()


def test_keys_walk_through_stages_and_views_while_presenting(window: MainWindow) -> None:
    trigger(window, "present")
    QTest.keyClick(window, Qt.Key.Key_Right)
    assert chart_labels(window, "stage selected") == ["ZeRO-1"]
    QTest.keyClick(window, Qt.Key.Key_3)
    assert chart_labels(window, "stage selected") == ["ZeRO-3"]
    QTest.keyClick(window, Qt.Key.Key_Left)
    assert chart_labels(window, "stage selected") == ["ZeRO-2"]
    first = window.work.views.current
    QTest.keyClick(window, Qt.Key.Key_Down)
    assert window.work.views.current != first
    QTest.keyClick(window, Qt.Key.Key_Up)
    assert window.work.views.current == first


def test_the_input_used_last_is_turned_while_presenting(window: MainWindow) -> None:
    type_into(window, "workers", "64")
    trigger(window, "present")
    QTest.keyClick(window, Qt.Key.Key_Plus)
    assert said(window, "sentence").startswith("1\u00a0B parameters on 65 workers")
    QTest.keyClick(window, Qt.Key.Key_Minus)
    QTest.keyClick(window, Qt.Key.Key_Minus)
    # Rank 0 holds ⌈10^9 / 63⌉ = 15,873,016 elements.
    assert table_bytes(window)[1][2] == 12 * 15_873_016
    QTest.keyClick(window, Qt.Key.Key_Escape)
    assert shown_in(window, "workers") == "63"


def test_one_line_stands_for_the_folded_inputs_and_follows_them(window: MainWindow) -> None:
    type_into(window, "model", "Llama-3 8B")
    type_into(window, "workers", "64")
    QTest.keyClick(window, Qt.Key.Key_F5)
    line = window.findChild(QLabel, "present-inputs")
    assert line is not None
    assert line.isVisible()
    told = "Llama-3/3.1 8B · 8.03\u00a0B parameters · Mixed-precision Adam · {} workers · {}"
    rest = " · Even split (ZeRO paper) · H100 80GB"
    assert line.text() == told.format(64, "DDP") + rest
    QTest.keyClick(window, Qt.Key.Key_Plus)
    QTest.keyClick(window, Qt.Key.Key_2)
    assert line.text() == told.format(65, "ZeRO-2") + rest
    QTest.keyClick(window, Qt.Key.Key_Escape)
    assert not line.isVisible()


def test_arrow_keys_walk_through_the_pins_of_a_comparison(window: MainWindow) -> None:
    for workers in ("8", "16"):
        QTest.keySequence(window, "Ctrl+D")
        type_into(window, "workers", workers)
    window.work.views.show_view("compare")
    QTest.keyClick(window, Qt.Key.Key_F5)
    view: Any = window.work.views.view("compare")
    hint = window.findChild(QLabel, "present-hint")
    assert hint is not None
    assert "← → plans" in hint.text()

    def chosen() -> str:
        return str(view.comparison.columns[view.table.currentIndex().column()].name)

    assert chosen() == "Present plan"
    QTest.keyClick(window, Qt.Key.Key_Right)
    assert chosen() == "1 B on 4 workers"
    QTest.keyClick(window, Qt.Key.Key_Right)
    QTest.keyClick(window, Qt.Key.Key_Right)
    assert chosen() == "1 B on 8 workers"
    QTest.keyClick(window, Qt.Key.Key_Left)
    assert chosen() == "1 B on 4 workers"
    assert window.controller.scenario.sharding.stage == 0
    # Stages still have their own keys there.
    QTest.keyClick(window, Qt.Key.Key_2)
    assert window.controller.scenario.sharding.stage == 2
    QTest.keyClick(window, Qt.Key.Key_Down)
    assert "← → stages" in hint.text()


def test_every_key_goes_on_working_while_presenting(window: MainWindow) -> None:
    type_into(window, "workers", "8")
    QTest.keyClick(window, Qt.Key.Key_F5)
    QTest.keySequence(window, "Ctrl+Z")
    assert "on 4 workers" in said(window, "sentence")
    QTest.keySequence(window, "Ctrl+Shift+Z")
    assert "on 8 workers" in said(window, "sentence")
    QTest.keyClick(window, Qt.Key.Key_F11)
    assert window.panel.isVisible()


def test_a_copy_is_confirmed_while_presenting_too(window: MainWindow) -> None:
    QTest.keyClick(window, Qt.Key.Key_F5)
    QTest.keySequence(window, "Ctrl+Shift+C")
    hint = window.findChild(QLabel, "present-hint")
    assert hint is not None
    assert hint.text() == "Copied the table"
    assert not window.statusBar().isVisible()
    window.statusBar().clearMessage()  # as it does after a few seconds
    assert "Esc leaves" in hint.text()


def test_text_that_is_enlarged_while_presenting_is_remembered_without_the_growth(
    qtbot: QtBot, themes: ThemeManager, tmp_path: Path
) -> None:
    settings = tmp_path / "settings.json"
    window = make_window(themes, OpenedPlan(seed(), False), None, str(settings))
    qtbot.addWidget(window)
    window.show()
    in_front(qtbot, window)
    QTest.keyClick(window, Qt.Key.Key_F5)
    QTest.keySequence(window, "Ctrl++")
    assert font_scale() == pytest.approx(1.1 * 1.6)
    assert json.loads(settings.read_text())["text_percent"] == 110
    QTest.keyClick(window, Qt.Key.Key_Escape)
    assert font_scale() == pytest.approx(1.1)
    QTest.keyClick(window, Qt.Key.Key_F5)
    QTest.keySequence(window, "Ctrl+0")
    assert font_scale() == pytest.approx(1.6)
    QTest.keyClick(window, Qt.Key.Key_Escape)
    assert font_scale() == pytest.approx(1.0)


def test_lines_grow_with_the_text_while_presenting(qtbot: QtBot, window: MainWindow) -> None:
    """The device line, as thick as it is painted at its left end, where there is no bar."""
    type_into(window, "model", "Llama-3 8B")
    chart: Any = window.work.views.view("stages")

    def ink() -> int:
        QApplication.processEvents()
        image = chart.grab().toImage()
        start, _ = chart.picture.device_line
        box = chart.getPlotItem().getViewBox()
        spot = chart.mapFromScene(box.mapToScene(start))
        # The first dash begins at the line's left end.
        column = [image.pixelColor(spot.x() + 3, spot.y() + dy) for dy in range(-6, 7)]
        return sum(255 - colour.lightness() for colour in column)

    usual = ink()
    QTest.keyClick(window, Qt.Key.Key_F5)
    # A desktop takes its time to give a window the whole screen.
    qtbot.waitUntil(lambda: ink() > 1.3 * usual)


def test_a_value_turned_by_a_held_key_is_one_step(window: MainWindow) -> None:
    type_into(window, "workers", "64")
    window.undo()
    window.redo()
    QTest.keyClick(window, Qt.Key.Key_F5)
    for _ in range(5):
        QTest.keyClick(window, Qt.Key.Key_Plus)
    assert "on 69 workers" in said(window, "sentence")
    undo = window.findChild(QAction, "undo")
    assert undo is not None
    assert undo.text() == "&Undo: Change workers to 69"
    QTest.keySequence(window, "Ctrl+Z")
    assert "on 64 workers" in said(window, "sentence")


def test_text_grows_shrinks_and_returns_with_the_chart(window: MainWindow) -> None:
    chart = window.work.views.view("stages")
    assert chart is not None

    def height() -> float:
        labels = chart.picture.labels
        return float(next(x.rect.height() for x in labels if x.text == "DDP"))

    usual = height()
    trigger(window, "text-larger")
    trigger(window, "text-larger")
    assert font_scale() == pytest.approx(1.2)
    assert height() > 1.1 * usual
    trigger(window, "text-smaller")
    assert font_scale() == pytest.approx(1.1)
    trigger(window, "text-normal")
    assert font_scale() == pytest.approx(1.0)


def test_text_size_theme_and_unit_are_remembered(
    qtbot: QtBot, themes: ThemeManager, tmp_path: Path
) -> None:
    settings = tmp_path / "settings.json"
    first = make_window(themes, OpenedPlan(seed(), False), None, str(settings))
    qtbot.addWidget(first)
    for name in ("text-larger", "theme-dark", "unit-gib"):
        trigger(first, name)
    set_font_scale(1.0)
    themes.choose("light")
    second = make_window(themes, OpenedPlan(seed(), False), None, str(settings))
    qtbot.addWidget(second)
    assert font_scale() == pytest.approx(1.1)
    assert themes.preference == "dark"
    assert "GiB" in said(second, "verdict")
    themes.choose("light")
    assert json.loads(settings.read_text())["text_percent"] == 110
