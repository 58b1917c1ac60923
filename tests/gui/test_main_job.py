"""The main job through the widgets: numbers in chart, table, clipboard and file are one."""

import json
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.gui.hands import (
    chart_labels,
    choose,
    click_stage,
    paste_into,
    said,
    shown_in,
    table_bytes,
    table_texts,
    type_into,
)
from zerogui.gui.window import MainWindow

# Llama-3 8B, 2 + 2 + 12, on 8 workers, by hand: Ψ = 8,030,261,248; Ψ / 8 = 1,003,782,656.
LLAMA_8B = [
    # parameters, gradients, optimizer, total
    [16_060_522_496, 16_060_522_496, 96_363_134_976, 128_484_179_968],
    [16_060_522_496, 16_060_522_496, 12_045_391_872, 44_166_436_864],
    [16_060_522_496, 2_007_565_312, 12_045_391_872, 30_113_479_680],
    [2_007_565_312, 2_007_565_312, 12_045_391_872, 16_060_522_496],
]
H100 = 85_520_809_984


def test_the_first_start_shows_the_four_stages_of_a_billion_parameters(window: MainWindow) -> None:
    assert chart_labels(window, "total") == ["16.0", "7.0", "5.5", "4.0"]
    assert chart_labels(window, "stage") == ["DDP", "ZeRO-1", "ZeRO-2", "ZeRO-3"]
    sentence = "1\u00a0B parameters on 4 workers, 16 bytes each in mixed-precision Adam"
    assert said(window, "sentence") == sentence
    totals = [row[3] for row in table_bytes(window)]
    assert totals == [16 * 10**9, 7 * 10**9, 5_500_000_000, 4 * 10**9]
    assert 4 * totals[3] == totals[0]
    assert chart_labels(window, "device") == ["H100 80GB", "85.5\u00a0GB ↑"]


def test_llama_8b_on_eight_h100_is_the_same_in_chart_table_clipboard_and_file(
    window: MainWindow, tmp_path: Path
) -> None:
    type_into(window, "model", "Llama-3 8B")
    type_into(window, "workers", "8")
    choose(window, "device", "H100 80GB")
    assert shown_in(window, "parameters").replace("\u2009", "") == "8030261248"

    assert [row[:4] for row in table_bytes(window)] == LLAMA_8B
    assert [row[4] for row in table_bytes(window)] == [H100 - row[3] for row in LLAMA_8B]
    assert [row[5] for row in table_bytes(window)] == [8 * row[3] for row in LLAMA_8B]
    assert chart_labels(window, "total") == ["128.5", "44.17", "30.11", "16.06"]
    assert chart_labels(window, "over") == ["over by 43.0\u00a0GB"]

    window.findChild(object, "copy-table").trigger()
    pasted = QApplication.clipboard().mimeData()
    rows = [line.split("\t") for line in pasted.text().splitlines()]
    assert [[int(cell) for cell in row[1:5]] for row in rows[1:]] == LLAMA_8B
    for row in LLAMA_8B:
        for number in row:
            assert str(number) in pasted.html()
    assert " 128.484 |" in bytes(pasted.data("text/markdown").data()).decode()

    saved = tmp_path / "plan.zerogui.json"
    assert window.controller.save(str(saved))
    plan = json.loads(saved.read_text("utf-8"))
    assert plan["model"]["parameters"] == 8_030_261_248
    assert plan["cluster"]["workers"] == 8
    assert plan["device"] == {"name": "H100 80GB", "memory": H100, "reserve": 0}


def test_a_trillion_parameters_can_be_typed(window: MainWindow) -> None:
    type_into(window, "parameters", "1000000000000")
    assert shown_in(window, "parameters") == "1\u2009000\u2009000\u2009000\u2009000"
    assert [row[3] for row in table_bytes(window)] == [
        16_000_000_000_000,
        7_000_000_000_000,
        5_500_000_000_000,
        4_000_000_000_000,
    ]


def test_a_million_and_three_parameters_on_seven_workers_lose_nothing(window: MainWindow) -> None:
    type_into(window, "parameters", "1,000,003")
    type_into(window, "workers", "7")
    stage3 = table_bytes(window)[3]
    # 1,000,003 = 7 · 142,857 + 4: four ranks hold 142,858 elements, three 142,857.
    assert stage3[3] == 16 * 142_858
    assert stage3[5] == 16 * 1_000_003


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("7B", 7_000_000_000),
        ("7.5e9", 7_500_000_000),
        ("7,000,000,000", 7_000_000_000),
        ("7 000 000 000", 7_000_000_000),
        ("7_000", 7_000),
        ("7.24B", 7_240_000_000),
    ],
)
@pytest.mark.parametrize("way", [type_into, paste_into])
def test_a_count_means_what_it_says(
    window: MainWindow, way: object, typed: str, meant: int
) -> None:
    way(window, "parameters", typed)
    assert table_bytes(window)[0][3] == 16 * meant


@pytest.mark.parametrize("typed", ["7,5", "x", "²", "7.5", "-3"])
def test_what_cannot_be_read_goes_back_and_says_why_under_the_field(
    window: MainWindow, typed: str
) -> None:
    type_into(window, "parameters", "7B")
    before = table_texts(window)
    paste_into(window, "parameters", typed)
    assert shown_in(window, "parameters") == "7\u2009000\u2009000\u2009000"
    assert table_texts(window) == before
    row = window.panel.row("parameters")
    assert row is not None
    assert typed in row.error()


def test_clicking_a_bar_or_a_row_chooses_the_stage_and_its_arithmetic(window: MainWindow) -> None:
    type_into(window, "parameters", "7.5B")
    type_into(window, "workers", "64")
    click_stage(window, 2)
    expected = (
        "ZeRO-2: 2·7.5e9 + (2 + 12)·7.5e9/64 ="
        " 16\u2009640\u2009625\u2009000\u00a0B = 16.640625\u00a0GB"
    )
    assert said(window, "arithmetic") == expected
    table = window.work.table
    cell = table.visualRect(table.model().index(3, 1)).center()
    QTest.mouseClick(
        table.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, cell
    )
    assert said(window, "arithmetic").startswith("ZeRO-3: (2 + 2 + 12)·7.5e9/64 =")
    assert chart_labels(window, "stage selected") == ["ZeRO-3"]


def test_arrow_keys_walk_through_the_stages(window: MainWindow) -> None:
    chart = window.work.views.view("stages")
    assert chart is not None
    chart.setFocus()
    QTest.keyClick(chart, Qt.Key.Key_Right)
    assert chart_labels(window, "stage selected") == ["ZeRO-1"]
    QTest.keyClick(chart, Qt.Key.Key_3)
    assert chart_labels(window, "stage selected") == ["ZeRO-3"]
    QTest.keyClick(chart, Qt.Key.Key_Right)
    QTest.keyClick(chart, Qt.Key.Key_Left)
    assert chart_labels(window, "stage selected") == ["ZeRO-2"]


def test_gib_are_two_to_the_thirty(window: MainWindow) -> None:
    window.findChild(object, "unit-gib").trigger()
    assert chart_labels(window, "total") == ["14.9", "6.519", "5.122", "3.725"]
    model = window.work.table.model()
    heading = model.headerData(4, Qt.Orientation.Horizontal)
    assert "GiB" in heading
    assert table_texts(window)[0][4] == "14.901"
    assert table_bytes(window)[0][3] == 16 * 10**9


def test_whole_bytes_are_shown_on_demand(window: MainWindow) -> None:
    window.findChild(object, "exact-bytes").trigger()
    assert table_texts(window)[1][4] == "7\u2009000\u2009000\u2009000"
    assert "bytes" in window.work.table.model().headerData(4, Qt.Orientation.Horizontal)


def test_copying_a_selection_takes_the_headings_along(window: MainWindow) -> None:
    table = window.work.table
    table.setFocus()
    table.setCurrentIndex(table.model().index(1, 1))
    QTest.keyClick(table, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    QTest.keySequence(table, "Ctrl+C")
    assert QApplication.clipboard().text().splitlines() == [
        "Stage\tParameters (bytes)\tGradients (bytes)",
        "ZeRO-1\t2000000000\t2000000000",
    ]


def test_a_saved_scenario_opens_again_as_it_was(
    window: MainWindow, tmp_path: Path, open_window: object
) -> None:
    type_into(window, "parameters", "70B")
    type_into(window, "title", "Tomorrow")
    path = str(tmp_path / "plan.zerogui.json")
    window.controller.save(path)
    before = table_texts(window)
    again = open_window()
    again.open_file(path)
    assert table_texts(again) == before
    assert said(again, "scenario-title") == "Tomorrow"
    assert "plan.zerogui.json" in again.windowTitle()


@pytest.mark.parametrize(
    "content",
    [
        "nonsense",
        '{"format": "zerogui/scenario", "version": 2, "model": {"parameters": 1}}',
        '{"format": "zerogui/scenario", "version": 1, "model": {"parameters": 7.5e9}}',
        '{"format": "zerogui/scenario", "version": 1, "model": {"parameters": true}}',
        '{"format": "zerogui/scenario", "version": 1, "model": {"parameters": -1}}',
    ],
)
def test_a_wrong_file_shows_a_message_and_leaves_the_scenario(
    window: MainWindow, tmp_path: Path, content: str
) -> None:
    type_into(window, "parameters", "7B")
    before = table_texts(window)
    path = tmp_path / "wrong.zerogui.json"
    path.write_text(content)
    window.open_file(str(path))
    assert window.work.messages.text().startswith("wrong.zerogui.json: ")
    assert window.work.messages.kind() == "error"
    assert table_texts(window) == before
    assert "wrong" not in window.windowTitle()


def test_undo_takes_back_what_was_typed_and_names_it(window: MainWindow, qtbot: QtBot) -> None:
    type_into(window, "workers", "128")
    undo = window.findChild(object, "undo")
    assert undo.text() == "&Undo: Change workers to 128"
    undo.trigger()
    assert shown_in(window, "workers") == "4"
    window.findChild(object, "redo").trigger()
    assert shown_in(window, "workers") == "128"


def test_a_bar_that_does_not_fit_is_marked_by_more_than_colour(window: MainWindow) -> None:
    type_into(window, "parameters", "70B")
    type_into(window, "workers", "64")
    chart = window.work.views.view("stages")
    hatched = [block for block in chart.picture.blocks if block.hatched]
    assert hatched
    assert len(chart_labels(window, "over")) == 3
    free = [row[5] for row in table_texts(window)]
    assert all(text.startswith("−") for text in free[:3])
    assert not free[3].startswith("−")
