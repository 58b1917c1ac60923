"""Present mode, text size, and what is remembered, as the presenter uses them."""

import json
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from tests.gui.hands import chart_labels, said, shown_in, table_bytes, trigger, type_into
from zerogui.gui.app import make_window
from zerogui.gui.theme import ThemeManager, font_scale, set_font_scale
from zerogui.gui.window import MainWindow
from zerogui.planning.opening import OpenedPlan
from zerogui.planning.start import seed


@pytest.fixture(autouse=True)
def _usual_text_size() -> object:
    yield None
    set_font_scale(1.0)


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
