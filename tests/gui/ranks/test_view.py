"""The ranks view as a person uses it: reads, points, walks, copies, changes the look."""

from collections.abc import Callable
from functools import partial
from itertools import combinations

import pytest
from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtGui import QFontMetricsF
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip
from pytestqt.qtbot import QtBot

from tests.accounting.scenes import plan
from tests.gui.view_desk import ViewDesk
from tests.planning.plans import SEED, plain
from zerogui.accounting.scenario import Scenario
from zerogui.gui.chart.geometry import Fonts
from zerogui.gui.ranks.geometry import PADDING, font_of
from zerogui.gui.ranks.view import RanksView
from zerogui.gui.theme import ThemeManager, set_font_scale
from zerogui.planning.edits import set_stage, set_workers

EVEN_7 = plan(1_000_003, workers=7, stage=3)
PADDED_7 = plan(1_000_003, "deepspeed", workers=7, stage=3)
ROWS_7 = plan([(100, 30), (33, 200), (5, 7), (17,)], "fsdp2", workers=7, stage=3)
MANY = plan([(10_000, 8)], "fsdp2", workers=16_384, stage=3)
GREEDY = plan([(3000 - k,) for k in range(2000)], "torch-zero1", workers=16_384, stage=1)
HYBRID = plan([(100, 30), (33, 200)], "fsdp2", workers=32, group=8, stage=3)


class Desk(ViewDesk):
    """The ranks view on a desk."""

    def rows(self) -> list[list[str]]:
        table = self.view.table
        cells = [
            [table.model().index(row, column).data() for column in range(table.columnCount())]
            for row in range(table.rowCount())
        ]
        return [[plain(cell).strip() for cell in row] for row in cells]


Opener = Callable[..., Desk]


@pytest.fixture
def desk(qtbot: QtBot, usual_look: ThemeManager) -> Opener:
    """Opens the view on a scenario."""
    return lambda scenario=ROWS_7, size=(880, 400): Desk(qtbot, RanksView(), scenario, size)


# --- Reading -------------------------------------------------------------------------------------
def test_seven_ranks_are_seven_bars_with_their_numbers_and_exact_bytes(desk: Opener) -> None:
    opened = desk()
    assert opened.labels("rank") == ["0", "1", "2", "3", "4", "5", "6"]
    assert opened.labels("figure") == ["23 360 B", "23 264 B", "16 640 B"]
    assert [len(piece.bars) for piece in opened.picture.pieces][:5] == [5] * 5


def test_the_most_and_the_least_loaded_rank_are_named(desk: Opener) -> None:
    assert desk().said("ranks-sentence") == (
        "Most loaded: rank 0 with 23 360 B. Least loaded: rank 6 with 16 640 B, 6 720 B less."
    )


def test_padding_is_hatched_within_the_state_that_it_pads(desk: Opener) -> None:
    opened = desk()
    last = opened.picture.columns[6 - 4]
    caps = [p for p in opened.picture.pieces if p.role == PADDING and last.contains(p.rect)]
    assert len(caps) == 2  # weights and gradients of rank 6
    # 1,120 of 23,360 B on the axis.
    share = opened.picture.plot.height() * 1120 / 23_360
    assert [cap.rect.height() for cap in caps] == pytest.approx([share, share])
    assert "padding" in opened.labels("legend")
    assert "Hatched grey is padding" in opened.said("ranks-remarks")


def test_a_few_bytes_of_padding_in_megabytes_are_still_to_be_seen(desk: Opener) -> None:
    opened = desk(PADDED_7)
    caps = [p.rect.height() for p in opened.picture.pieces if p.role == PADDING]
    assert caps == pytest.approx([3.0] * 5)


def test_without_padding_nothing_is_hatched(desk: Opener) -> None:
    opened = desk(EVEN_7)
    assert all(piece.role != PADDING for piece in opened.picture.pieces)
    assert "padding" not in opened.labels("legend")


def test_pointing_at_a_block_reads_its_ranks_and_bytes_by_state(desk: Opener, qtbot: QtBot) -> None:
    opened = desk()
    QTest.mouseMove(opened.canvas, opened.canvas.position_of(2).toPoint())
    qtbot.waitUntil(lambda: plain(QToolTip.text()).startswith("Rank 6: 16 640 B"))
    assert "Optimizer: 10 800 B" in plain(QToolTip.text())
    assert "Padding among them: 2 240 B" in plain(QToolTip.text())
    QTest.mouseMove(opened.canvas, QPoint(2, 2))
    qtbot.waitUntil(lambda: QToolTip.text() == "" or not QToolTip.isVisible())


def tip_starts_with(start: str) -> bool:
    return plain(QToolTip.text()).startswith(start)


def test_arrow_keys_walk_through_the_blocks(desk: Opener, qtbot: QtBot) -> None:
    opened = desk()
    for key, start in (
        (Qt.Key.Key_Right, "Ranks 0–4, 5 alike"),
        (Qt.Key.Key_Right, "Rank 5:"),
        (Qt.Key.Key_End, "Rank 6:"),
        (Qt.Key.Key_Left, "Rank 5:"),
        (Qt.Key.Key_Home, "Ranks 0–4, 5 alike"),
    ):
        QTest.keyClick(opened.canvas, key)
        qtbot.waitUntil(partial(tip_starts_with, start))


def test_sixteen_thousand_ranks_are_two_blocks_where_they_hold_two_amounts(desk: Opener) -> None:
    opened = desk(MANY)
    assert opened.labels("rank") == ["0–9 999", "10 000–16 383"]
    wide, narrow = opened.picture.columns
    assert wide.width() / narrow.width() == pytest.approx(10_000 / 6_384)


def test_sixteen_thousand_unlike_ranks_share_columns_and_the_view_says_so(desk: Opener) -> None:
    opened = desk(GREEDY)
    assert len(opened.picture.columns) == 160
    assert opened.said("ranks-remarks").startswith("A column stands for up to 103 ranks")
    assert any(piece.pale for piece in opened.picture.pieces)
    assert opened.labels("rank")[0] == "0"
    assert opened.labels("rank")[-1] == "16 383"


def test_a_block_of_one_rank_among_thousands_stays_visible(desk: Opener) -> None:
    opened = desk(plan(16_383 * 2 + 1, workers=16_384, stage=3))
    # 16,384 ranks share 32,767 elements: only the last has one less.
    assert [column.width() for column in opened.picture.columns][-1] >= 14
    assert "wider than their share" in opened.said("ranks-remarks")


def test_shard_groups_are_set_apart_and_named(desk: Opener) -> None:
    opened = desk(HYBRID)
    assert opened.labels("group") == ["group 0", "group 1", "group 2", "group 3"]
    assert len(opened.picture.seams) == 3
    assert opened.said("ranks-remarks").startswith("4 shard groups of 8 ranks hold the same.")


def test_a_stage_that_is_not_offered_is_explained_instead_of_drawn(desk: Opener) -> None:
    opened = desk(plan([(8, 8)], "fsdp2", workers=4, stage=2))
    assert opened.canvas.picture is None
    assert opened.said("ranks-sentence").startswith("ZeRO-2 is not offered: FSDP2 shards")
    opened.controller.dispatch(set_stage(3))
    assert opened.labels("rank") == ["0", "1", "2", "3"]


def test_the_picture_is_read_aloud(desk: Opener) -> None:
    opened = desk()
    canvas = opened.canvas
    assert canvas.accessibleName() == "Ranks chart"
    assert "Least loaded: rank 6" in plain(canvas.accessibleDescription())


# --- Doing ---------------------------------------------------------------------------------------
def test_partitioned_states_can_be_looked_at_alone(desk: Opener) -> None:
    opened = desk(plan(10, workers=4, stage=1))
    assert opened.labels("figure") == ["76 B", "64 B"]
    QTest.mouseClick(opened.view.only, Qt.MouseButton.LeftButton)
    assert opened.labels("figure") == ["36 B", "24 B"]
    assert opened.said("ranks-axis") == "GB on each rank at ZeRO-1, partitioned states only"
    QTest.mouseClick(opened.view.only, Qt.MouseButton.LeftButton)
    assert opened.labels("figure") == ["76 B", "64 B"]


def test_number_keys_choose_among_the_stages_that_are_offered(desk: Opener) -> None:
    opened = desk()
    QTest.keyClick(opened.canvas, Qt.Key.Key_1)
    assert opened.controller.scenario.sharding.stage == 3  # FSDP2 has none
    QTest.keyClick(opened.canvas, Qt.Key.Key_0)
    assert opened.controller.scenario.sharding.stage == 0
    assert opened.said("ranks-sentence") == "All 7 ranks hold 154 432 B each."


def test_another_plan_is_drawn_at_once(desk: Opener) -> None:
    opened = desk(SEED)
    opened.controller.dispatch(set_workers(3))
    assert opened.labels("rank") == ["0", "1", "2"]


def test_the_table_lists_the_blocks_and_is_copied_as_integers(desk: Opener) -> None:
    opened = desk()
    assert opened.view.table.isVisible()
    assert opened.rows() == [
        ["0–4", "23 360 B", "–"],
        ["5", "23 264 B", "32 B"],
        ["6", "16 640 B", "2 240 B"],
    ]
    QTest.keySequence(opened.view.table, "Ctrl+C")
    lines = QApplication.clipboard().text().splitlines()
    assert lines[1:] == [
        "0\t5\t23360\t23360\t0",
        "5\t1\t23264\t23264\t32",
        "6\t1\t16640\t16640\t2240",
    ]


def test_choosing_a_row_marks_its_block(desk: Opener) -> None:
    opened = desk()
    inside = opened.picture.columns[1].topLeft().toPoint() + QPoint(1, 1)
    before = opened.canvas.grab().toImage().pixelColor(inside)
    opened.view.table.setFocus()
    opened.view.table.setCurrentCell(1, 0)
    assert opened.canvas.grab().toImage().pixelColor(inside) != before


def test_a_narrow_view_leaves_the_table_out(desk: Opener) -> None:
    assert not desk(ROWS_7, (400, 300)).view.table.isVisible()


# --- Looks ---------------------------------------------------------------------------------------
def test_light_and_dark_are_followed_while_shown(desk: Opener, themes: ThemeManager) -> None:
    opened = desk()
    light = opened.view.grab().toImage().pixelColor(2, 398).lightness()
    themes.choose("dark")
    QApplication.processEvents()
    assert light > 200
    assert opened.view.grab().toImage().pixelColor(2, 398).lightness() < 60


@pytest.mark.parametrize("scenario", [ROWS_7, PADDED_7, MANY, GREEDY, HYBRID, SEED])
@pytest.mark.parametrize("size", [(610, 180), (880, 370), (1540, 640), (3400, 1500)])
@pytest.mark.parametrize("scale", [1.0, 1.5, 2.5])
def test_no_two_labels_meet_and_none_is_cut(
    desk: Opener, scenario: Scenario, size: tuple[int, int], scale: float
) -> None:
    set_font_scale(scale)
    opened = desk(scenario, size)
    if opened.canvas.picture is None:
        assert opened.canvas.height() < 8 * opened.canvas.fontMetrics().height()
        return
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
