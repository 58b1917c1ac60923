"""Hatching: each state can be told by its strokes alone, on screen and in every picture."""

import datetime
import json
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QAction, QColor, QImage, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.gui.printed import pixels_of_pdf, pixels_of_svg, share_of
from tests.planning.plans import FIGURE_1, H100, on
from zerogui.gui.app import make_window
from zerogui.gui.exporting.pictures import chart_image, chart_pdf, chart_svg
from zerogui.gui.exporting.report_pdf import report_pdf
from zerogui.gui.hatching import PATTERNS, fill, is_hatching, set_hatching
from zerogui.gui.theme import DARK, LIGHT, Theme, ThemeManager
from zerogui.gui.window import MainWindow
from zerogui.planning.opening import OpenedPlan
from zerogui.planning.resolve import resolve
from zerogui.planning.start import seed

# Told apart by strokes alone, two areas differ in at least this share of their pixels.
DIFFERENT = 0.1


@pytest.fixture(autouse=True)
def _plain_again() -> Iterator[None]:
    yield
    set_hatching(False)


def switch(window: MainWindow) -> QAction:
    action = window.findChild(QAction, "hatching")
    assert action is not None
    return action


def painted(role: str, theme: Theme) -> QImage:
    image = QImage(60, 60, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    fill(painter, QRectF(0, 0, 60, 60), role, theme)
    painter.end()
    return image


def strokes_of(image: QImage, ground: str) -> list[bool]:
    """Pixel by pixel: is there a stroke on the ground?"""
    plain = QColor(ground)
    return [
        image.pixelColor(x, y) != plain for y in range(image.height()) for x in range(image.width())
    ]


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_states_are_told_apart_by_their_strokes_alone(theme: Theme) -> None:
    set_hatching(True)
    maps = {role: strokes_of(painted(role, theme), theme.colour(role)) for role in PATTERNS}
    for role, strokes in maps.items():
        assert 0.1 < sum(strokes) / len(strokes) < 0.7, role
    for (one, a), (other, b) in combinations(maps.items(), 2):
        unlike = sum(x != y for x, y in zip(a, b, strict=True)) / len(a)
        assert unlike > DIFFERENT, (one, other)


def test_without_hatching_a_state_is_its_plain_colour() -> None:
    for role in PATTERNS:
        assert not any(strokes_of(painted(role, LIGHT), LIGHT.colour(role)))


@pytest.mark.parametrize("view", ["stages", "ranks", "compare"])
def test_the_menu_hatches_what_is_on_screen_at_once(window: MainWindow, view: str) -> None:
    if view == "compare":
        window.pin()
    window.work.views.show_view(view)
    QTest.qWait(150)  # nested layouts take several turns of the event loop
    shown: Any = window.work.views

    def plain() -> float:
        QApplication.processEvents()
        return share_of(shown.grab().toImage(), LIGHT.parameters)

    before = plain()
    assert before > 0.01
    switch(window).trigger()
    assert switch(window).isChecked()
    assert 0.3 * before < plain() < 0.9 * before
    switch(window).trigger()
    assert plain() == before


def test_hatching_is_in_the_panel_too(window: MainWindow) -> None:
    before = share_of(window.panel.grab().toImage(), LIGHT.gradients)
    switch(window).trigger()
    QApplication.processEvents()
    assert 0 < share_of(window.panel.grab().toImage(), LIGHT.gradients) < before


@pytest.mark.parametrize("kind", ["png", "svg", "pdf", "report"])
def test_every_exported_picture_is_hatched(qapp: QApplication, kind: str) -> None:
    report = resolve(on(FIGURE_1, H100), "GB")

    def picture() -> QImage:
        if kind == "png":
            return chart_image(report)
        if kind == "svg":
            return pixels_of_svg(chart_svg(report))
        if kind == "pdf":
            return pixels_of_pdf(chart_pdf(report))
        return pixels_of_pdf(report_pdf(report, datetime.date(2026, 1, 1)))

    before = share_of(picture(), LIGHT.parameters)
    set_hatching(True)
    assert 0.3 * before < share_of(picture(), LIGHT.parameters) < 0.9 * before


def test_hatching_is_remembered(qtbot: QtBot, themes: ThemeManager, tmp_path: Path) -> None:
    settings = tmp_path / "settings.json"
    first = make_window(themes, OpenedPlan(seed(), False), None, str(settings))
    qtbot.addWidget(first)
    switch(first).trigger()
    assert json.loads(settings.read_text())["hatching"] is True
    set_hatching(False)
    second = make_window(themes, OpenedPlan(seed(), False), None, str(settings))
    qtbot.addWidget(second)
    assert is_hatching()
    assert switch(second).isChecked()
    settings.write_text('{"hatching": "yes"}')
    third = make_window(themes, OpenedPlan(seed(), False), None, str(settings))
    qtbot.addWidget(third)
    assert not is_hatching()
