"""The scaling view as a person uses it: reads, points, clicks, presses keys, changes the look."""

from collections.abc import Callable
from itertools import combinations

import pytest
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip
from pytestqt.qtbot import QtBot

from tests.accounting.scenes import plan
from tests.gui.view_desk import ViewDesk
from tests.planning.plans import FIGURE_1, H100, SEED, on, plain
from zerogui.accounting.scenario import Scenario
from zerogui.gui.chart.geometry import Fonts
from zerogui.gui.scaling.geometry import font_of
from zerogui.gui.scaling.view import ScalingView
from zerogui.gui.theme import ThemeManager, set_font_scale

SEVENTY = on(plan(70_000_000_000, workers=48, stage=3), H100)
CROWDED = on(plan(7_500_000_000, "deepspeed", workers=24, stage=1), 33_000_000_000)


class Desk(ViewDesk):
    """The scaling view on a desk."""

    @property
    def workers(self) -> int:
        return self.controller.scenario.cluster.workers

    def click(self, place: QPointF) -> None:
        button, no_key = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
        QTest.mouseClick(self.canvas, button, no_key, place.toPoint())


Opener = Callable[..., Desk]


@pytest.fixture
def desk(qtbot: QtBot, usual_look: ThemeManager) -> Opener:
    """Opens the view on a scenario."""
    return lambda scenario=SEVENTY, size=(880, 400): Desk(qtbot, ScalingView(), scenario, size)


# --- Reading -------------------------------------------------------------------------------------
def test_every_stage_and_the_device_are_named_at_the_ends_of_their_lines(desk: Opener) -> None:
    opened = desk()
    assert opened.labels("stage") == ["DDP", "ZeRO-1", "ZeRO-2"]
    assert opened.labels("stage selected") == ["ZeRO-3"]
    assert opened.labels("device") == ["H100 80GB", "85.5 GB"]


def test_the_point_from_which_a_stage_fits_is_marked_in_words(desk: Opener) -> None:
    opened = desk()
    assert opened.labels("crossing") == ["ZeRO-3 fits from N = 14 on"]
    (ring,) = opened.picture.rings
    assert ring == QPointF(opened.canvas.position_of(14).x(), ring.y())


def test_the_present_number_of_workers_is_marked_with_the_selected_stages_size(
    desk: Opener,
) -> None:
    opened = desk()
    assert opened.labels("current") == ["N = 48: ZeRO-3 23.33 GB"]
    assert opened.picture.current_x == opened.canvas.position_of(48).x()


def test_workers_double_from_tick_to_tick(desk: Opener) -> None:
    opened = desk()
    ticks = [text for text in opened.labels("tick") if text in ("1", "2", "512", "1K", "16K")]
    assert ticks == ["1", "2", "512", "1K", "16K"]
    one, two, four = (opened.canvas.position_of(n).x() for n in (1, 2, 4))
    assert two - one == pytest.approx(four - two)


def test_marks_are_hollow_where_the_stage_does_not_fit(desk: Opener) -> None:
    curve = next(c for c in desk().picture.curves if c.stage == 3)
    # 1, 2, 4, 8 do not fit; 14, 16, ... do.
    assert [mark.fits for mark in curve.marks][:6] == [False, False, False, False, True, True]


def test_pointing_at_the_plot_reads_the_nearest_number_exactly(desk: Opener, qtbot: QtBot) -> None:
    opened = desk(FIGURE_1)
    QTest.mouseMove(opened.canvas, (opened.canvas.position_of(16) + QPointF(5, 0)).toPoint())
    qtbot.waitUntil(lambda: "N = 16" in plain(QToolTip.text()))
    assert "ZeRO-2: 21 562 500 000 B" in plain(QToolTip.text())
    QTest.mouseMove(opened.canvas, QPoint(opened.canvas.width() - 2, 2))
    qtbot.waitUntil(lambda: QToolTip.text() == "" or not QToolTip.isVisible())


def test_sizes_are_in_the_unit_chosen_and_the_axis_says_what_they_are(desk: Opener) -> None:
    opened = desk()
    assert opened.said("scaling-axis") == "GB per rank (the most loaded), by workers N"
    opened.controller.set_unit("GiB")
    assert opened.said("scaling-axis") == "GiB per rank (the most loaded), by workers N"
    # 16 · 1,458,333,334 ÷ 2^30 = 21.73
    assert opened.labels("current") == ["N = 48: ZeRO-3 21.73 GiB"]


def test_a_crossing_beyond_the_axis_is_said_below_the_picture(desk: Opener) -> None:
    opened = desk(on(SEED, 800_000))
    assert opened.said("scaling-remarks").startswith("ZeRO-3 fits from N = 20 000, beyond")


def test_a_crossing_that_finds_no_room_in_a_low_picture_is_said_below_it(desk: Opener) -> None:
    opened = desk(on(FIGURE_1, H100), (880, 400))
    sentence = "ZeRO-1, ZeRO-2, ZeRO-3 fit from N = 2 on"
    assert opened.labels("crossing") == [sentence]
    assert not opened.said("scaling-remarks").startswith(sentence)
    set_font_scale(2.0)
    opened.view.resize(610, 260)
    QApplication.processEvents()
    assert opened.labels("crossing") == []
    assert opened.said("scaling-remarks").startswith(f"{sentence}. ")


def test_the_picture_is_read_aloud(desk: Opener) -> None:
    opened = desk()
    canvas = opened.canvas
    assert canvas.accessibleName() == "Scaling chart"
    assert "ZeRO-3 fits from N = 14 on." in plain(canvas.accessibleDescription())


def test_a_plan_without_a_device_or_with_one_number_of_workers_is_drawn(desk: Opener) -> None:
    opened = desk(plan(10**9, workers=2**20, group=2**20))
    assert opened.labels("current") == ["N = 1 048 576: DDP 16.0 GB"]
    assert opened.labels("device") == []


# --- Doing ---------------------------------------------------------------------------------------
def test_a_click_on_a_number_of_workers_applies_it(desk: Opener) -> None:
    opened = desk()
    opened.click(opened.canvas.position_of(128))
    assert opened.workers == 128
    assert opened.controller.shown.undo == "Change workers to 128"
    assert opened.labels("current") == ["N = 128: ZeRO-3 8.75 GB"]
    opened.controller.undo()
    assert opened.labels("current") == ["N = 48: ZeRO-3 23.33 GB"]


def test_a_click_on_the_present_number_is_no_step(desk: Opener) -> None:
    opened = desk()
    opened.click(opened.canvas.position_of(48))
    assert opened.controller.shown.undo is None


def test_left_and_right_walk_through_the_numbers_of_workers(desk: Opener) -> None:
    opened = desk()
    QTest.keyClick(opened.canvas, Qt.Key.Key_Right)
    assert opened.workers == 64
    QTest.keyClick(opened.canvas, Qt.Key.Key_Left)
    QTest.keyClick(opened.canvas, Qt.Key.Key_Left)
    assert opened.workers == 16  # 48 is no longer shown, 32 and 16 are
    QTest.keyClick(opened.canvas, Qt.Key.Key_End)
    assert opened.workers == 16_384
    QTest.keyClick(opened.canvas, Qt.Key.Key_Right)
    assert opened.workers == 16_384
    QTest.keyClick(opened.canvas, Qt.Key.Key_Home)
    assert opened.workers == 1


def test_a_click_on_a_name_or_a_number_key_chooses_the_stage(desk: Opener) -> None:
    opened = desk()
    name = next(label for label in opened.picture.labels if label.text == "ZeRO-1")
    opened.click(name.rect.center())
    assert opened.controller.scenario.sharding.stage == 1
    assert opened.labels("stage selected") == ["ZeRO-1"]
    QTest.keyClick(opened.canvas, Qt.Key.Key_2)
    assert opened.controller.scenario.sharding.stage == 2
    assert opened.workers == 48


def test_the_log_button_shows_small_shares(desk: Opener) -> None:
    opened = desk()

    def lowest() -> float:
        curve = next(c for c in opened.picture.curves if c.stage == 3)
        return opened.picture.plot.bottom() - curve.marks[-1].centre.y()

    assert lowest() < 1
    QTest.mouseClick(opened.view.log, Qt.MouseButton.LeftButton)
    assert lowest() > 20
    assert {"0.01", "1", "100"} <= set(opened.labels("tick"))
    QTest.mouseClick(opened.view.log, Qt.MouseButton.LeftButton)
    assert lowest() < 1


# --- Looks ---------------------------------------------------------------------------------------
def test_light_and_dark_are_followed_while_shown(desk: Opener, themes: ThemeManager) -> None:
    opened = desk()
    light = opened.view.grab().toImage().pixelColor(3, 60).lightness()
    themes.choose("dark")
    QApplication.processEvents()
    assert light > 200
    assert opened.view.grab().toImage().pixelColor(3, 60).lightness() < 60


@pytest.mark.parametrize("scenario", [SEVENTY, on(FIGURE_1, H100), CROWDED, on(SEED, H100)])
@pytest.mark.parametrize("size", [(610, 180), (880, 370), (1540, 640), (3400, 1500)])
@pytest.mark.parametrize("scale", [1.0, 1.5, 2.5])
def test_no_two_labels_meet_and_none_is_cut(
    desk: Opener, scenario: Scenario, size: tuple[int, int], scale: float
) -> None:
    set_font_scale(scale)
    opened = desk(scenario, size)
    for log in (False, True):
        opened.view.log.setChecked(log)
        if opened.canvas.picture is None:
            assert opened.canvas.height() < 6 * opened.canvas.fontMetrics().height()
            continue
        fonts = Fonts.of(opened.canvas.font())
        whole = QRectF(opened.canvas.rect())
        labels = opened.picture.labels
        for label in labels:
            metrics = QFontMetricsF(font_of(label.kind, fonts))
            assert metrics.horizontalAdvance(label.text) <= label.rect.width() + 0.01, label
            assert whole.contains(label.rect), label
        inset = [label.rect.adjusted(0.1, 0.1, -0.1, -0.1) for label in labels]
        for (a, one), (b, other) in combinations(zip(labels, inset, strict=True), 2):
            assert not one.intersects(other), (a, b)
