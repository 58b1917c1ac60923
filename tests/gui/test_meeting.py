"""A meeting in the window: views, pins, exports, and what leaves it."""

import json
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QTabBar
from pytestqt.qtbot import QtBot

from tests.gui.hands import said, shown_in, table_bytes, trigger, type_into
from zerogui.gui.window import MainWindow

TITLES = [
    "Stages",
    "Scaling",
    "Ranks",
    "Compare",
    "Derivation",
    "Start",
]


def choose_path(window: MainWindow, path: Path) -> None:
    """Choose ``path`` in the file dialog that is open."""
    dialog = window.findChildren(QFileDialog)[-1]
    dialog.fileSelected.emit(str(path))
    dialog.close()


def test_every_view_opens_from_its_tab_and_follows_an_edit(window: MainWindow) -> None:
    tabs = window.findChild(QTabBar, "views")
    assert tabs is not None
    assert [tabs.tabText(k).replace("&", "") for k in range(tabs.count())] == TITLES
    type_into(window, "parameters", "7.5B")
    for k in range(tabs.count()):
        tabs.setCurrentIndex(k)
        QApplication.processEvents()
        view: Any = window.work.views.view(window.work.views.current)
        assert view.isVisible()
        assert view.accessibleName()
    type_into(window, "workers", "64")
    assert said(window, "sentence").startswith("7.5\u00a0B parameters on 64 workers")


def test_pins_are_steps_that_undo_takes_back(window: MainWindow) -> None:
    QTest.keySequence(window, "Ctrl+D")
    type_into(window, "workers", "64")
    trigger(window, "pin")
    assert [pin.name for pin in window.controller.board.pins.items] == [
        "1 B on 4 workers",
        "1 B on 64 workers",
    ]
    undo = window.findChild(QAction, "undo")
    assert undo is not None
    assert "Pin" in undo.text()
    undo.trigger()
    assert len(window.controller.board.pins.items) == 1
    assert shown_in(window, "workers") == "64"


def test_a_comparison_is_saved_and_opened_again(
    window: MainWindow, tmp_path: Path, open_window: Any
) -> None:
    trigger(window, "pin")
    type_into(window, "workers", "8")
    trigger(window, "pin")
    path = tmp_path / "meeting.zerogui.json"
    trigger(window, "save-comparison")
    choose_path(window, path)
    saved = json.loads(path.read_text("utf-8"))
    assert saved["format"] == "zerogui/comparison"
    assert [pin["scenario"]["cluster"]["workers"] for pin in saved["pins"]] == [4, 8]
    other = open_window()
    other.open_file(str(path))
    assert len(other.controller.board.pins.items) == 2


def test_the_chart_goes_to_the_clipboard_as_picture_and_vectors(window: MainWindow) -> None:
    QTest.keySequence(window, "Ctrl+Shift+P")
    mime = QApplication.clipboard().mimeData()
    assert mime.hasFormat("image/svg+xml")
    image = QImage.fromData(mime.data("image/png"))
    assert (image.width(), image.height()) == (1920, 1080)
    assert "Copied the chart" in window.statusBar().currentMessage()


@pytest.mark.parametrize(
    ("command", "name", "starts"),
    [
        ("export-chart-png2", "chart.png", b"\x89PNG"),
        ("export-chart-svg", "chart.svg", b"<?xml"),
        ("export-chart-pdf", "chart.pdf", b"%PDF"),
        ("export-table-csv", "table.csv", b"Stage,"),
        ("export-table-xlsx", "table.xlsx", b"PK"),
        ("export-table-markdown", "table.md", b"| Stage"),
        ("export-table-html", "table.html", b"<table"),
        ("export-report", "report.pdf", b"%PDF"),
    ],
)
def test_everything_exports_to_a_file_and_says_so(
    window: MainWindow, tmp_path: Path, command: str, name: str, starts: bytes
) -> None:
    trigger(window, command)
    path = tmp_path / name
    choose_path(window, path)
    assert path.read_bytes().startswith(starts)
    assert window.statusBar().currentMessage() == f"Exported {name}"


def test_an_export_that_cannot_be_written_is_told_in_the_message_bar(
    window: MainWindow, tmp_path: Path
) -> None:
    trigger(window, "export-table-csv")
    choose_path(window, tmp_path / "no folder" / "table.csv")
    assert window.work.messages.kind() == "error"
    assert "table.csv" in window.work.messages.text()


def test_a_message_about_another_state_of_the_plan_goes(window: MainWindow, tmp_path: Path) -> None:
    window.open_file(str(tmp_path / "missing.json"))
    assert window.work.messages.text().startswith("missing.json")
    type_into(window, "workers", "8")
    assert window.work.messages.text() == ""


def test_what_lies_off_the_device_is_told_and_not_hatched(window: MainWindow) -> None:
    from zerogui.planning import edits

    for edit in (
        edits.set_parameters(7 * 10**9),
        edits.set_workers(2),
        edits.choose_rule("deepspeed"),
        edits.set_stage(2),
        edits.set_offload_optimizer("host"),
        edits.set_memory(20 * 10**9),
    ):
        window.controller.dispatch(edit)
    # 2 · 7e9 on the device; 2 · 3.5e9 gradients and 12 · 3.5e9 states on the host.
    assert table_bytes(window)[2][4] == 20 * 10**9 - 14 * 10**9
    chart: Any = window.work.views.view("stages")
    bar = next(hit.rect for hit in chart.picture.hits if hit.stage == 2)
    mine = [block for block in chart.picture.blocks if bar.contains(block.rect.center())]
    assert mine
    assert not any(block.hatched for block in mine)
    assert "49.0\u00a0GB of it on host (98.0\u00a0GB a node)" in said(window, "notes")


def test_a_long_title_wraps_inside_the_window(window: MainWindow, qtbot: QtBot) -> None:
    type_into(window, "title", "A very long name for a plan " * 12)
    qtbot.wait(50)
    assert window.work.width() <= window.width() - window.panel.width()


def test_the_theme_changes_the_charts_ground_at_once(window: MainWindow, qtbot: QtBot) -> None:
    chart: Any = window.work.views.view("stages")

    def ground() -> int:
        return int(chart.viewport().grab().toImage().pixelColor(2, 2).lightness())

    assert ground() > 200
    trigger(window, "theme-dark")
    qtbot.wait(50)
    assert ground() < 60
    trigger(window, "theme-light")


def test_the_hover_formula_stays_while_the_pointer_rests(window: MainWindow, qtbot: QtBot) -> None:
    from PySide6.QtCore import QPointF
    from PySide6.QtWidgets import QToolTip

    chart: Any = window.work.views.view("stages")
    point = chart.stage_position(0).toPoint()
    QTest.mouseMove(chart.viewport(), point)
    qtbot.waitUntil(lambda: "elements" in QToolTip.text(), timeout=3000)
    qtbot.wait(1200)
    assert "elements" in QToolTip.text()
    QToolTip.hideText()
    assert isinstance(chart.stage_position(0), QPointF)
    assert Qt.FocusPolicy.StrongFocus == chart.focusPolicy()


def test_the_context_menus_hold_commands_of_the_one_table(window: MainWindow) -> None:
    table = [action.objectName() for action in window.work.table.actions()]
    views = [action.objectName() for action in window.work.views.actions()]
    assert table[:2] == ["export-table-csv", "export-table-xlsx"]
    assert {"copy-table", "copy-selection", "exact-bytes"} <= set(table)
    assert {"copy-chart", "pin", "present", "export-chart-svg"} <= set(views)


def test_an_engine_export_says_what_to_expect(window: MainWindow, tmp_path: Path) -> None:
    from tests.gui.hands import choose

    choose(window, "rule", "DeepSpeed")
    trigger(window, "export-deepspeed")
    choose_path(window, tmp_path / "ds_config.json")
    expected = "Exported ds_config.json; expect 16\u2009000\u2009000\u2009000 B on the fullest rank"
    assert window.statusBar().currentMessage() == expected
