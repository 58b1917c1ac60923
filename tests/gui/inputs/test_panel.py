"""The input panel as a person uses it: typing, choosing, reading what stands there."""

from dataclasses import replace
from itertools import pairwise

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel
from pytestqt.qtbot import QtBot

from tests.gui.desk import Desk
from zerogui.accounting.cluster import Cluster, Device
from zerogui.accounting.model import Model
from zerogui.accounting.recipe import OptimizerTensor, Recipe
from zerogui.accounting.scenario import Scenario
from zerogui.accounting.sharding import Sharding
from zerogui.gui.inputs.field_row import FieldRow
from zerogui.gui.inputs.panel import MAX_WIDTH, MIN_WIDTH, InputPanel
from zerogui.gui.theme import set_font_scale

SETTINGS = (
    "group",
    "secondary_group",
    "persistence_threshold",
    "offload_optimizer",
    "offload_weights",
)
INPUTS = (
    *("title", "model", "parameters", "frozen"),
    *("recipe", "weights", "gradients", "optimizer-0", "optimizer-1", "optimizer-2"),
    *("frozen_weights", "accumulation"),
    *("workers", "workers_per_node", "model_parallel"),
    *("stage", "rule", *SETTINGS),
    *("device", "memory", "reserve"),
)


def test_the_seed_stands_in_the_fields(desk: Desk) -> None:
    assert desk.shown("model") == "Custom count"
    assert desk.shown("parameters") == "1 000 000 000"
    assert desk.shown("recipe") == "Mixed-precision Adam"
    assert [desk.shown(f"optimizer-{i}") for i in range(3)] == ["fp32", "fp32", "fp32"]
    assert desk.shown("workers") == "4"
    assert desk.shown("device") == "H100 80GB · 85.52 GB"
    assert desk.shown("memory") == "85.520809984"
    assert "N × M = 4 GPUs on 1 node" in desk.texts()
    assert desk.titles == []


def test_every_input_is_explained_named_and_labelled(desk: Desk) -> None:
    for name in INPUTS:
        field = desk.field(name)
        assert field.toolTip(), name
        assert field.accessibleName(), name
        assert "&" not in field.accessibleName()


def test_mnemonics_are_unique_while_folds_are_closed_and_leave_the_menus_theirs(
    desk: Desk,
) -> None:
    desk.open(replace(desk.scenario, sharding=Sharding("deepspeed", 3)))
    texts = [label.text() for label in desk.panel.findChildren(QLabel) if label.isVisible()]
    texts += [b.text() for b in desk.panel.findChildren(QAbstractButton) if b.isVisible()]
    letters = [t[t.index("&") + 1].upper() for t in texts if "&" in t.replace("&&", "")]
    assert len(letters) >= 18
    assert len(set(letters)) == len(letters)
    assert not set(letters) & set("FEVH")


def test_a_mnemonic_brings_the_focus_to_its_field(desk: Desk, qtbot: QtBot) -> None:
    for key, name in ((Qt.Key.Key_N, "workers"), (Qt.Key.Key_P, "parameters")):
        QTest.keyClick(desk.panel, key, Qt.KeyboardModifier.AltModifier)
        assert desk.field(name).hasFocus()
    QTest.keyClicks(desk.field("parameters"), "7B")
    QTest.keyClick(desk.field("parameters"), Qt.Key.Key_Return)
    assert desk.scenario.model.parameters == 7_000_000_000


def test_tab_goes_from_top_to_bottom(desk: Desk) -> None:
    desk.open(replace(desk.scenario, sharding=Sharding("deepspeed", 3)))
    desk.click("recipe-fold")
    desk.click("optimizer-add")
    desk.click("sharding-fold")
    desk.field("title").setFocus()
    tops = []
    visited = []
    for _ in range(60):
        field = QApplication.focusWidget()
        if field.objectName() in visited:
            break
        visited.append(field.objectName())
        tops.append(field.mapTo(desk.panel.widget(), QPoint(0, 0)).y())
        QTest.keyClick(field, Qt.Key.Key_Tab)
    assert {"title", "workers", "optimizer-3", "optimizer-add", "reserve"} <= set(visited)
    assert all(above <= below + 4 for above, below in pairwise(tops)), visited


def test_a_refused_edit_is_shown_under_its_field_even_inside_a_fold(desk: Desk) -> None:
    assert desk.panel.show_error("recipe.accumulation", "Not possible.")
    assert desk.is_shown("accumulation")
    assert desk.error("accumulation") == "Not possible."
    assert desk.panel.show_error("workers", "Too many.")
    assert desk.panel.show_error("recipe.optimizer[1].dtype", "No such dtype.")
    assert desk.error("optimizer-1") == "No such dtype."
    assert not desk.panel.show_error("scenario", "Whatever.")
    desk.panel.clear_errors()
    assert desk.error("workers") == desk.error("accumulation") == ""


def test_a_value_being_typed_is_taken_before_saving(desk: Desk) -> None:
    desk.type("workers", "96", end=None)
    assert desk.scenario.cluster.workers == 4
    desk.panel.commit_pending()
    assert desk.scenario.cluster.workers == 96


def test_typing_goes_on_while_another_view_changes_something(desk: Desk) -> None:
    desk.type("workers", "9", end=None)
    desk.open(replace(desk.scenario, sharding=Sharding(stage=3)))
    QTest.keyClicks(desk.field("workers"), "6")
    QTest.keyClick(desk.field("workers"), Qt.Key.Key_Return)
    assert desk.scenario.cluster.workers == 96


def test_showing_any_plan_says_nothing_and_changes_nothing(desk: Desk) -> None:
    plans = [
        Scenario(title="bare"),
        Scenario(
            title="x" * 900,
            model=Model("m" * 900, 10**18, 10**18),
            recipe=Recipe(
                "r" * 900,
                "int4",
                "fp8",
                tuple(OptimizerTensor(f"{'t' * 300}{i}", "nf4-block64") for i in range(64)),
                "nf4-double",
                "fp32",
            ),
            cluster=Cluster(2**20, 1, 2**20),
            sharding=Sharding("deepspeed", 3, 1, 2**20, 10**18, "nvme", "host"),
            device=Device("d" * 900, 10**18, 10**18),
        ),
        Scenario(device=Device("", 0)),
        desk.scenario,
    ]
    for plan in plans:
        desk.open(plan)
        assert desk.scenario == plan
    assert desk.titles == []


@pytest.mark.parametrize("scale", [1.0, 1.5, 2.5])
@pytest.mark.parametrize("width", [MIN_WIDTH, MAX_WIDTH])
def test_nothing_is_cut_off_or_overlaps_at_any_text_size(
    desk: Desk, qtbot: QtBot, scale: float, width: int
) -> None:
    try:
        set_font_scale(scale)
        desk.open(replace(desk.scenario, sharding=Sharding("deepspeed", 3)))
        desk.panel.resize(width, 800)
        desk.click("recipe-fold")
        desk.click("sharding-fold")
        desk.panel.row("workers").show_error("A sentence that is long enough to need two lines.")
        # Nested layouts take several turns of the event loop.
        qtbot.waitUntil(lambda: _is_tidy(desk.panel), timeout=5000)
    finally:
        set_font_scale(1.0)
        QApplication.processEvents()


def _is_tidy(panel: InputPanel) -> None:
    """Everything has its room, inside the panel and beside its neighbours."""
    content = panel.widget()
    assert content.width() <= panel.viewport().width()
    placed = []
    fields = [row.field for row in content.findChildren(FieldRow)]
    for widget in (*content.findChildren(QLabel), *content.findChildren(FieldRow), *fields):
        if not widget.isVisible():
            continue
        area = QRect(widget.mapTo(content, QPoint(0, 0)), widget.size())
        assert content.rect().contains(area), widget
        if isinstance(widget, QLabel):
            _is_whole(widget)
        if not isinstance(widget, FieldRow):
            placed.append(area)
    for index, area in enumerate(placed):
        assert not any(area.intersects(other) for other in placed[index + 1 :])


def _is_whole(label: QLabel) -> None:
    """All lines of the label's text have room."""
    needed = label.heightForWidth(label.width()) if label.wordWrap() else label.sizeHint().height()
    assert needed <= label.height() + 1, label.text()
    if not label.wordWrap():
        assert label.sizeHint().width() <= label.width() + 1, label.text()


def test_the_panel_keeps_its_width(desk: Desk) -> None:
    assert MIN_WIDTH <= desk.panel.sizeHint().width() <= MAX_WIDTH
    assert desk.panel.minimumWidth() == MIN_WIDTH
    assert desk.panel.maximumWidth() == MAX_WIDTH
    desk.open(replace(desk.scenario, title="long " * 150))
    assert desk.panel.widget().width() <= desk.panel.viewport().width()
