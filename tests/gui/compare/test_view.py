"""The Compare view as a person works it: pins, names, order, baseline, stages, copying, looks."""

from dataclasses import replace
from itertools import combinations

import pytest
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QMenu
from pytestqt.qtbot import QtBot

from tests.gui.compare.meeting import LEFT, NO_KEYS, Meeting
from tests.planning.plans import FIGURE_1, H100, SEED, on
from zerogui.accounting.cluster import Cluster
from zerogui.gui.chart.geometry import Kind
from zerogui.gui.theme import ThemeManager, set_font_scale

pytestmark = pytest.mark.usefixtures("usual_look")
A, B, C = on(FIGURE_1, H100), on(FIGURE_1, H100, 0), on(SEED, H100, 1)


def test_without_pins_it_says_how_to_pin_and_a_button_does_it(qtbot: QtBot) -> None:
    meeting = Meeting(qtbot)
    assert "Ctrl+D" in meeting.view.accessibleDescription()
    assert meeting.view.pin_button.isVisible()
    QTest.mouseClick(meeting.view.pin_button, LEFT)
    assert meeting.titles == ["Pin “7.5 B on 64 workers”"]
    assert not meeting.view.pin_button.isVisible()
    assert meeting.order == ["Present plan", "7.5 B on 64 workers"]
    assert meeting.row("Total per rank (GB)") == ["1.875 | same", "1.875 | baseline"]


def test_plans_stand_side_by_side_with_differences_and_what_differs(qtbot: QtBot) -> None:
    meeting = Meeting(qtbot, A, B)
    assert meeting.labels(Kind.TOTAL) == ["1.875", "16.64", "120.0"]
    assert meeting.labels(Kind.OVER) == ["over by 34.5\u00a0GB"]
    assert meeting.row("Total per rank (GB)") == [
        "1.875 | −14.77 · ×0.113",
        "16.641 | baseline",
        "120.000 | +103.4 · ×7.21",
    ]
    assert meeting.row("ZeRO stage") == ["ZeRO-3", "ZeRO-2", "DDP"]


def test_an_edit_moves_the_present_plan_only(qtbot: QtBot) -> None:
    meeting = Meeting(qtbot, A)
    meeting.key(Qt.Key.Key_1)
    assert meeting.titles == ["Change stage to 1"]
    assert meeting.row("ZeRO stage") == ["ZeRO-1", "ZeRO-2"]
    # 4 · 7.5 + 12 · 7.5 / 64
    assert meeting.labels(Kind.TOTAL) == ["31.41", "16.64"]


def test_the_baseline_is_chosen_by_a_click_on_its_mark(qtbot: QtBot) -> None:
    meeting = Meeting(qtbot, A, B)
    mark = meeting.names.radio_rect(2).center()
    QTest.mouseClick(meeting.names.viewport(), LEFT, NO_KEYS, mark)
    assert meeting.titles == ["Compare with “B”"]
    assert meeting.row("Total per rank (GB)")[2] == "120.000 | baseline"
    meeting.click_name(0)
    meeting.key(Qt.Key.Key_B)
    assert meeting.titles[-1] == "Compare with the present plan"
    assert meeting.row("Total per rank (GB)")[0] == "1.875 | baseline"


def test_f2_renames_the_chosen_pin(qtbot: QtBot) -> None:
    meeting = Meeting(qtbot, A, B)
    meeting.click_name(2)
    meeting.key(Qt.Key.Key_F2)
    editor = meeting.editor()
    QTest.keyClicks(editor, "spring")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    assert meeting.order == ["Present plan", "A", "spring"]
    assert meeting.titles == ["Rename pin to “spring”"]


def test_a_double_click_renames_and_escape_leaves_the_name(qtbot: QtBot) -> None:
    meeting = Meeting(qtbot, A)
    QTest.mouseDClick(meeting.names.viewport(), LEFT, NO_KEYS, meeting.name_at(1))
    QTest.keyClicks(meeting.editor(), "spring")
    QTest.keyClick(meeting.editor(), Qt.Key.Key_Escape)
    assert meeting.order == ["Present plan", "A"]
    assert meeting.titles == []


def test_the_present_plan_has_no_name_to_edit_nor_can_it_be_removed(qtbot: QtBot) -> None:
    meeting = Meeting(qtbot, A)
    meeting.click_name(0)
    meeting.key(Qt.Key.Key_F2)
    meeting.key(Qt.Key.Key_Delete)
    meeting.key(Qt.Key.Key_Right, Qt.KeyboardModifier.AltModifier)
    assert not [e for e in meeting.names.findChildren(QLineEdit) if e.isVisible()]
    assert meeting.order == ["Present plan", "A"]
    assert meeting.titles == []


def test_alt_with_arrows_moves_the_chosen_pin_which_stays_chosen(qtbot: QtBot) -> None:
    meeting = Meeting(qtbot, A, B, C)
    meeting.click_name(1)
    meeting.key(Qt.Key.Key_Right, Qt.KeyboardModifier.AltModifier)
    assert meeting.order == ["Present plan", "B", "A", "C"]
    meeting.key(Qt.Key.Key_Right, Qt.KeyboardModifier.AltModifier)
    meeting.key(Qt.Key.Key_Right, Qt.KeyboardModifier.AltModifier)
    assert meeting.order == ["Present plan", "B", "C", "A"]
    meeting.key(Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    assert meeting.order == ["Present plan", "B", "A", "C"]
    # The baseline went along.
    assert meeting.row("Total per rank (GB)")[2] == "16.641 | baseline"


def test_a_dragged_name_moves_its_pin(qtbot: QtBot) -> None:
    meeting = Meeting(qtbot, A, B, C)
    viewport = meeting.names.viewport()
    start, end = meeting.name_at(3), meeting.name_at(1) - QPoint(30, 0)
    QTest.mousePress(viewport, LEFT, NO_KEYS, start)
    for step in range(1, 11):
        QTest.mouseMove(viewport, start + (end - start) * step / 10)
    QTest.mouseRelease(viewport, LEFT, NO_KEYS, end)
    assert meeting.order == ["Present plan", "C", "A", "B"]
    assert meeting.titles == ["Move pin “C”"]


def test_delete_removes_the_chosen_pin(qtbot: QtBot) -> None:
    meeting = Meeting(qtbot, A, B)
    meeting.click_name(1)
    meeting.key(Qt.Key.Key_Delete)
    assert meeting.order == ["Present plan", "B"]
    assert meeting.row("Total per rank (GB)")[1] == "120.000 | baseline"
    meeting.key(Qt.Key.Key_Delete)
    assert meeting.view.pin_button.isVisible()
    assert meeting.titles == ["Remove pin “A”", "Remove pin “B”"]


def test_return_makes_the_chosen_pin_the_present_plan(qtbot: QtBot) -> None:
    meeting = Meeting(qtbot, A, B)
    meeting.click_name(2)
    meeting.key(Qt.Key.Key_Return)
    assert meeting.present == B
    assert meeting.titles == ["Go to pin “B”"]


def test_arrow_keys_walk_through_the_plans(qtbot: QtBot) -> None:
    meeting = Meeting(qtbot, A, B)
    meeting.click_name(0)
    meeting.key(Qt.Key.Key_Right)
    meeting.key(Qt.Key.Key_Right)
    meeting.key(Qt.Key.Key_Delete)
    assert meeting.order == ["Present plan", "A"]


def test_a_click_on_a_bar_chooses_its_plan(qtbot: QtBot) -> None:
    meeting = Meeting(qtbot, A, B)
    chart = meeting.view.chart
    assert chart.scene is not None
    rect = next(hit.rect for hit in chart.scene.hits if hit.column == 2)
    QTest.mouseClick(chart, LEFT, NO_KEYS, rect.center().toPoint())
    meeting.key(Qt.Key.Key_Delete)
    assert meeting.order == ["Present plan", "A"]


def test_a_table_that_has_become_smaller_is_asked_for_rows_that_are_gone(qtbot: QtBot) -> None:
    # Qt's headers ask while the table is reset; an exception there would end the program.
    model = Meeting(qtbot, A).table.model()
    shapes = {
        Qt.Orientation.Horizontal: model.columnCount(),
        Qt.Orientation.Vertical: model.rowCount(),
    }
    for across, length in shapes.items():
        assert model.headerData(length - 1, across)
        assert model.headerData(length, across) is None
        assert model.headerData(length + 20, across) is None


def test_all_stages_or_the_present_ones_can_be_compared(qtbot: QtBot) -> None:
    meeting = Meeting(qtbot, A)
    meeting.stages("all")
    assert meeting.row("DDP (GB)") == ["120.000 | same", "120.000 | baseline"]
    assert meeting.labels(Kind.TOTAL) == ["120.0", "31.41", "16.64", "1.875"] * 2
    meeting.stages("chosen")
    assert meeting.row("Total per rank (GB)") == ["1.875 | same", "1.875 | baseline"]
    meeting.stages("own")
    assert meeting.labels(Kind.TOTAL) == ["1.875", "16.64"]


def test_hovering_tells_exact_bytes_and_the_formula(qtbot: QtBot) -> None:
    meeting = Meeting(qtbot, A)
    chart = meeting.view.chart
    assert chart.scene is not None
    part = next(hit for hit in chart.scene.hits if hit.column == 1 and hit.segment is not None)
    tip = chart.tip(QPointF(part.rect.center()))
    assert tip.splitlines()[0] == "A, ZeRO-2"
    assert "7\u2009500\u2009000\u2009000" in tip
    cell = meeting.table.model().index(0, 0).data(Qt.ItemDataRole.ToolTipRole)
    assert cell.removeprefix("<qt>").removesuffix("</qt>").replace("\u2009", " ").split("<br>") == [
        "1 875 000 000 bytes",
        "−14 765 625 000 bytes against A",
    ]


def test_ctrl_c_copies_exact_integers(qtbot: QtBot) -> None:
    meeting = Meeting(qtbot, A)
    copied: list[str] = []
    meeting.view.copied.connect(copied.append)
    QTest.keySequence(meeting.table, "Ctrl+C")
    lines = QApplication.clipboard().text().splitlines()
    assert lines[:2] == ["\tPresent plan\tA", "Total per rank (bytes)\t1875000000\t16640625000"]
    assert copied == ["Copied the comparison"]


def test_the_menu_of_a_plan_offers_what_is_possible(qtbot: QtBot) -> None:
    meeting = Meeting(qtbot, A, B)
    meeting.click_name(2)
    menu: QMenu = meeting.view.menu()
    offered = {action.text(): action.isEnabled() for action in menu.actions()}
    assert offered["Move &left"]
    assert not offered["Move ri&ght"]
    next(action for action in menu.actions() if action.text() == "Re&move").trigger()
    assert meeting.order == ["Present plan", "A"]
    menu.deleteLater()


def test_a_hostile_name_is_shown_as_it_is(qtbot: QtBot) -> None:
    meeting = Meeting(qtbot, A)
    meeting.board.take(meeting.board.pins.rename(0, "<b>x</b>\u202e\x07" + "w" * 900))
    assert meeting.order[1].startswith("<b>x</b>")
    assert not meeting.view.grab().isNull()


def test_a_hundred_pins_scroll_and_only_those_in_sight_are_drawn(qtbot: QtBot) -> None:
    plans = [replace(A, cluster=Cluster(workers)) for workers in range(1, 101)]
    meeting = Meeting(qtbot, *plans)
    scene = meeting.view.chart.scene
    assert scene is not None
    assert {hit.column for hit in scene.hits} < set(range(10))
    bar = meeting.table.horizontalScrollBar()
    assert bar.maximum() > 0
    bar.setValue(bar.maximum())
    scene = meeting.view.chart.scene
    assert scene is not None
    columns = {hit.column for hit in scene.hits}
    assert 100 in columns
    assert len(columns) < 10
    # The bar stands over its name.
    rect = next(hit.rect for hit in scene.hits if hit.column == 100)
    left = meeting.table.labels.width() + meeting.names.sectionViewportPosition(100)
    assert rect.left() == left


def _rects(meeting: Meeting) -> list[tuple[str, QRectF]]:
    """Where the chart's labels stand, as wide as their texts."""
    chart, scene = meeting.view.chart, meeting.view.chart.scene
    assert scene is not None
    found = []
    for label in (*scene.texts.labels, *scene.bars.labels):
        width, height = chart.fonts.size(label.kind, label.text)
        centre = label.rect.center()
        rect = QRectF(centre.x() - width / 2, centre.y() - height / 2, width, height)
        found.append((label.text, rect.adjusted(0.5, 1, -0.5, -1)))
    for text, rect in (*scene.axis, *scene.devices):
        width = chart.fonts.size(Kind.CAPTION, text)[0]
        left = rect.left() if (text, rect) in scene.devices else rect.right() - width
        found.append((text, QRectF(left + 0.5, rect.top() + 1, width - 1, rect.height() - 2)))
    return found


@pytest.mark.parametrize("stages", ["own", "all"])
@pytest.mark.parametrize("scale", [1.0, 1.5, 2.5])
@pytest.mark.parametrize("size", [(560, 300), (880, 400), (1500, 640), (3400, 1500)])
def test_no_two_labels_overlap_and_none_is_clipped(
    qtbot: QtBot, size: tuple[int, int], scale: float, stages: str
) -> None:
    set_font_scale(scale)
    meeting = Meeting(qtbot, A, B, C, on(SEED, 10**10), on(SEED, None))
    meeting.view.resize(*size)
    meeting.stages(stages)
    found = _rects(meeting)
    crossing = [(a, b) for (a, r), (b, s) in combinations(found, 2) if r.intersects(s)]
    assert crossing == []
    high = meeting.view.chart.height()
    assert [text for text, rect in found if rect.top() < -0.5 or rect.bottom() > high] == []
    assert meeting.labels(Kind.TOTAL)


def test_it_follows_the_theme_while_shown(qtbot: QtBot, themes: ThemeManager) -> None:
    meeting = Meeting(qtbot, A)

    def corner() -> int:
        return meeting.view.grab().toImage().pixelColor(5, meeting.view.height() - 5).lightness()

    assert corner() > 200
    themes.choose("dark")
    try:
        qtbot.waitUntil(lambda: corner() < 60)
    finally:
        themes.choose("light")
