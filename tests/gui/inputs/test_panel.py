"""The input panel as a person uses it: typing, choosing, reading what stands there."""

from dataclasses import replace
from itertools import pairwise

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QLabel, QWidget
from pytestqt.qtbot import QtBot

from tests.gui.desk import H100, Desk
from zerogui.accounting.cluster import Cluster, Device
from zerogui.accounting.model import Model, Tensor
from zerogui.accounting.recipe import OptimizerTensor, Recipe
from zerogui.accounting.scenario import Scenario
from zerogui.accounting.sharding import Sharding
from zerogui.gui.inputs.field_row import FieldRow
from zerogui.gui.inputs.panel import MAX_WIDTH, MIN_WIDTH, InputPanel
from zerogui.gui.inputs.sharding_section import divisors
from zerogui.gui.theme import set_font_scale

# Qt's offscreen platform cannot grab the keyboard for a list that drops down.
pytestmark = pytest.mark.qt_log_ignore("grabbing the keyboard", extend=True)

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


@pytest.fixture
def desk(qtbot: QtBot) -> Desk:
    """The seed plan on an H100."""
    return Desk(qtbot)


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


# Model


def test_typing_a_count_changes_the_model(desk: Desk) -> None:
    desk.type("parameters", "7.5B")
    assert desk.scenario.model.parameters == 7_500_000_000
    assert desk.shown("parameters") == "7 500 000 000"
    desk.type("parameters", "1e12", Qt.Key.Key_Tab)
    assert desk.scenario.model.parameters == 10**12
    assert desk.shown("parameters") == "1 000 000 000 000"


def test_an_odd_count_on_seven_workers_loses_nothing(desk: Desk) -> None:
    desk.type("parameters", "1000003")
    desk.type("workers", "7")
    assert desk.scenario.model.parameters == 1_000_003
    assert desk.scenario.cluster.workers == 7


def test_a_pasted_count_with_commas_is_taken(desk: Desk) -> None:
    desk.paste("parameters", "8,030,261,248")
    assert desk.scenario.model.parameters == 8_030_261_248


def test_what_cannot_be_read_goes_back_and_says_why_under_the_field(desk: Desk) -> None:
    desk.type("parameters", "7,5")
    assert desk.shown("parameters") == "1 000 000 000"
    assert desk.error("parameters").startswith('"7,5" is not a whole number;')
    assert desk.error("parameters") in desk.texts()
    assert desk.titles == []
    desk.type("parameters", "7B")
    assert desk.error("parameters") == ""


def test_the_reason_stays_while_other_fields_change(desk: Desk) -> None:
    desk.type("parameters", "x")
    desk.type("workers", "8")
    assert '"x"' in desk.error("parameters")
    desk.click_into("parameters")
    QTest.keyClicks(desk.field("parameters"), "2")
    assert desk.error("parameters") == ""


def test_a_known_model_is_found_by_part_of_its_name(desk: Desk) -> None:
    desk.type("model", "llama-3.1 405", end=None)
    QTest.keyClick(QApplication.activePopupWidget(), Qt.Key.Key_Return)
    assert desk.shown("model") == "Llama-3.1 405B"
    assert desk.scenario.model == Model("Llama-3.1 405B", 405_853_388_800)
    assert desk.shown("parameters") == "405 853 388 800"


def test_a_known_model_with_its_count_changed_is_a_custom_count(desk: Desk) -> None:
    desk.choose("model", "GPT-3")
    assert desk.scenario.model.name.startswith("GPT-3")
    desk.type("parameters", "175B")
    assert desk.shown("model") == "Custom count"


def test_choosing_custom_count_keeps_the_number(desk: Desk) -> None:
    desk.open(replace(desk.scenario, model=Model("Llama-2 7B", 6_738_415_616)))
    desk.choose("model", "Custom count")
    assert desk.scenario.model == Model("", 6_738_415_616)
    assert desk.titles[-1] == "Use a custom parameter count"


def test_a_model_from_a_file_keeps_its_own_name(desk: Desk) -> None:
    tensors = (Tensor("a", (1000, 10)), Tensor("b.{i}", (5,), count=3))
    desk.open(replace(desk.scenario, model=Model.of("<b>ours</b>", tensors)))
    assert desk.shown("model") == "<b>ours</b>"
    assert "The sum of 4 listed tensors" in desk.texts()
    desk.type("parameters", "10016")
    assert desk.scenario.model.tensors is None
    assert desk.shown("model") == "Custom count"


def test_frozen_parameters_bring_their_dtype(desk: Desk) -> None:
    assert not desk.is_shown("frozen_weights")
    desk.type("frozen", "980M")
    assert desk.is_shown("frozen_weights")
    assert "20 M of them are trained." in desk.texts()
    desk.choose("frozen_weights", "nf4-double")
    assert desk.scenario.recipe.frozen_weights == "nf4-double"


def test_more_frozen_than_all_is_refused_under_the_field(desk: Desk) -> None:
    desk.type("frozen", "2B")
    assert desk.scenario.model.frozen_parameters == 0
    assert '"2B" is more than' in desk.error("frozen")
    assert desk.shown("frozen") == "0"


def test_the_plan_is_named_in_the_panel(desk: Desk) -> None:
    desk.type("title", "7.5B on 64 GPUs", Qt.Key.Key_Tab)
    assert desk.scenario.title == "7.5B on 64 GPUs"
    desk.type("title", "something else", Qt.Key.Key_Escape)
    assert desk.shown("title") == "7.5B on 64 GPUs"
    assert len(desk.titles) == 1


# Recipe


def test_a_recipe_is_explained_below_its_name(desk: Desk) -> None:
    desk.choose("recipe", "Pure bf16 AdamW")
    assert desk.scenario.recipe.name == "Pure bf16 AdamW"
    row = desk.panel.row("recipe")
    assert row is not None
    assert len(row.hint()) > 20
    assert row.hint() in desk.texts().replace("\n", " ") or row.hint() in desk.texts()
    assert [desk.is_shown(f"optimizer-{i}") for i in range(3)] == [True, True, False]


def test_editing_a_dtype_makes_the_recipe_custom(desk: Desk) -> None:
    desk.choose("gradients", "fp32")
    assert desk.scenario.recipe.gradients == "fp32"
    assert desk.shown("recipe") == "Custom"
    desk.choose("optimizer-1", "int8-block256")
    assert desk.scenario.recipe.optimizer[1].dtype == "int8-block256"


def test_choosing_custom_keeps_the_dtypes(desk: Desk) -> None:
    desk.choose("recipe", "Lion")
    before = desk.scenario.recipe
    desk.choose("recipe", "Custom")
    assert desk.scenario.recipe == replace(before, name="Custom")


def test_optimizer_tensors_are_named_added_and_removed(desk: Desk) -> None:
    desk.click("recipe-fold")
    desk.click("optimizer-add")
    assert [t.name for t in desk.scenario.recipe.optimizer][3] == "tensor 4"
    assert desk.is_shown("optimizer-3")
    desk.type("optimizer-name-3", "error feedback")
    assert desk.scenario.recipe.optimizer[3] == OptimizerTensor("error feedback", "fp32")
    assert "error feedb" in desk.texts()
    desk.click("optimizer-remove-0")
    names = [tensor.name for tensor in desk.scenario.recipe.optimizer]
    assert names == ["first moment", "second moment", "error feedback"]
    assert not desk.is_shown("optimizer-3")


def test_a_name_given_twice_is_refused_under_its_field(desk: Desk) -> None:
    desk.click("recipe-fold")
    desk.type("optimizer-name-2", "first moment")
    assert "first moment" in desk.error("optimizer-name-2")
    assert desk.shown("optimizer-name-2") == "second moment"


def test_tensors_without_any_are_said_to_be_none(desk: Desk) -> None:
    desk.open(replace(desk.scenario, recipe=Recipe("Plain SGD", "bf16", "bf16")))
    assert "Optimizer: none" in desk.texts()
    assert not desk.is_shown("optimizer-0")
    assert desk.shown("recipe") == "Plain SGD"


def test_a_tensor_that_covers_a_part_says_so(desk: Desk) -> None:
    muon = Recipe("Muon", optimizer=(OptimizerTensor("momentum", "bf16", "matrices"),))
    desk.open(replace(desk.scenario, recipe=muon))
    assert "Covers 2-D tensors only" in desk.texts()


def test_accumulation_folds_away_and_says_what_it_holds(desk: Desk) -> None:
    assert not desk.is_shown("accumulation")
    assert "Accumulates in place, 3 optimizer tensors" in desk.texts()
    desk.click("recipe-fold")
    desk.choose("accumulation", "fp32")
    assert desk.scenario.recipe.accumulation == "fp32"
    desk.choose("accumulation", "in place")
    assert desk.scenario.recipe.accumulation is None
    desk.choose("accumulation", "fp32")
    desk.click("recipe-fold")
    assert "Accumulates in fp32, 3 optimizer tensors" in desk.texts()


# Cluster


@pytest.mark.parametrize(
    ("cluster", "line"),
    [
        (Cluster(16, 8, 2), "N × M = 32 GPUs on 4 nodes"),
        (Cluster(1, 8, 1), "N × M = 1 GPU on 1 node"),
        (Cluster(12, 8, 1), "N × M = 12 GPUs on 2 nodes, the last with 4"),
        (Cluster(16384, 8, 8), "N × M = 131 072 GPUs on 16 384 nodes"),
    ],
)
def test_the_panel_counts_the_gpus(desk: Desk, cluster: Cluster, line: str) -> None:
    desk.open(replace(desk.scenario, cluster=cluster))
    assert line in desk.texts().split("\n")


def test_the_arrow_and_page_keys_turn_the_workers(desk: Desk) -> None:
    for key in (Qt.Key.Key_PageUp, Qt.Key.Key_PageUp, Qt.Key.Key_Up):
        desk.press("workers", key)
    assert desk.scenario.cluster.workers == 17
    assert desk.titles == ["Change workers to 8", "Change workers to 16", "Change workers to 17"]


def test_zero_workers_are_refused(desk: Desk) -> None:
    desk.type("workers", "0")
    assert desk.error("workers").replace("\u2009", " ") == (
        '"0" is less than 1; write 1 to 1 048 576.'
    )
    assert desk.scenario.cluster.workers == 4


# Sharding


def test_a_stage_is_chosen_by_a_click_or_the_arrow_keys(desk: Desk) -> None:
    desk.click("stage-2")
    assert desk.scenario.sharding.stage == 2
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Right)
    assert desk.scenario.sharding.stage == 3
    assert "ZeRO-3: optimizer states, gradients and weights are partitioned." in desk.texts()


def test_stages_that_a_rule_lacks_are_greyed_with_the_reason(desk: Desk) -> None:
    desk.click("stage-2")
    desk.choose("rule", "PyTorch FSDP2")
    assert desk.scenario.sharding == Sharding("fsdp2", 0)
    enabled = [desk.field(f"stage-{i}").isEnabled() for i in range(4)]
    assert enabled == [True, False, False, True]
    assert "FSDP2 shards weights too" in desk.field("stage-1").toolTip()
    assert "ZeRO-1 and ZeRO-2 not offered: FSDP2 shards weights too" in desk.texts()
    desk.click("stage-2")
    assert desk.scenario.sharding.stage == 0
    desk.click("stage-3")
    assert "ZeRO-3 (FSDP2): optimizer states, gradients and weights" in desk.texts()


def test_a_file_with_a_stage_that_is_not_offered_opens_and_can_be_mended(desk: Desk) -> None:
    desk.open(replace(desk.scenario, sharding=Sharding("fsdp2", 2)))
    stage = desk.field("stage-2")
    assert isinstance(stage, QAbstractButton)
    assert stage.isChecked()
    assert not stage.isEnabled()
    assert "ZeRO-1 and ZeRO-2 not offered" in desk.texts()
    desk.field("stage").setFocus()
    assert desk.field("stage-0").hasFocus()
    desk.click("stage-3")
    assert desk.scenario.sharding.stage == 3


def test_torch_zero1_needs_a_tensor_list_and_has_no_groups(desk: Desk) -> None:
    desk.choose("rule", "PyTorch ZeroRedundancyOptimizer")
    assert not desk.is_shown("sharding-fold")
    assert not desk.field("stage-1").isEnabled()
    tensors = (Tensor("w", (1000, 1000)),)
    desk.open(replace(desk.scenario, model=Model.of("listed", tensors)))
    assert desk.field("stage-1").isEnabled()


@pytest.mark.parametrize(
    ("sharding", "seen"),
    [
        (Sharding("even", 0), "group"),
        (Sharding("even", 1), "group offload_optimizer"),
        (Sharding("even", 3), "group offload_optimizer offload_weights"),
        (Sharding("fsdp2", 3), "group offload_optimizer offload_weights"),
        (Sharding("deepspeed", 2), "group offload_optimizer"),
        (
            Sharding("deepspeed", 3),
            "group secondary_group persistence_threshold offload_optimizer offload_weights",
        ),
        # Set for another stage, whose bar it changes: nothing works unseen.
        (
            Sharding("deepspeed", 1, persistence_threshold=1000),
            "group persistence_threshold offload_optimizer",
        ),
        (Sharding("even", 1, persistence_threshold=1000), "group offload_optimizer"),
        (Sharding("torch-zero1", 0), ""),
    ],
)
def test_controls_appear_only_where_they_have_an_effect(
    desk: Desk, sharding: Sharding, seen: str
) -> None:
    desk.click("sharding-fold")
    desk.open(replace(desk.scenario, sharding=sharding))
    assert [name for name in SETTINGS if desk.is_shown(name)] == seen.split()


def test_a_group_is_one_of_the_divisors_of_the_workers(desk: Desk) -> None:
    desk.type("workers", "12")
    desk.click("sharding-fold")
    group = desk.field("group")
    assert isinstance(group, QComboBox)
    assert [group.itemText(i) for i in range(group.count())] == ["all 12", "6", "4", "3", "2", "1"]
    desk.choose("group", "4")
    assert desk.scenario.sharding.group == 4
    desk.type("workers", "6")
    assert desk.scenario.sharding.group is None
    assert desk.shown("group") == "all 6"


def test_a_group_of_all_workers_in_a_file_is_shown_as_a_number(desk: Desk) -> None:
    desk.open(replace(desk.scenario, sharding=Sharding(group=4)))
    desk.click("sharding-fold")
    assert desk.shown("group") == "4"
    assert desk.titles == []


def test_divisors_are_complete() -> None:
    assert divisors(1) == [1]
    assert divisors(49) == [49, 7, 1]
    assert divisors(36) == [36, 18, 12, 9, 6, 4, 3, 2, 1]
    assert len(divisors(2**20)) == 21


def test_the_folded_line_says_what_is_set(desk: Desk) -> None:
    assert "Whole group, no offload" in desk.texts()
    sharding = Sharding("deepspeed", 3, 2, 2, 100_000, "host", "nvme")
    desk.open(replace(desk.scenario, sharding=sharding))
    assert (
        "Groups of 2, secondary groups of 2, whole up to 100 000 elements,"
        " optimizer in host memory, weights on NVMe"
    ) in desk.texts()


def test_deepspeed_settings_are_typed_and_chosen(desk: Desk) -> None:
    desk.open(replace(desk.scenario, sharding=Sharding("deepspeed", 3)))
    desk.click("sharding-fold")
    desk.type("persistence_threshold", "100k")
    desk.choose("secondary_group", "2")
    desk.choose("offload_optimizer", "host memory")
    desk.choose("offload_weights", "NVMe")
    assert desk.scenario.sharding == Sharding("deepspeed", 3, None, 2, 100_000, "host", "nvme")


# Device


def test_a_device_brings_its_real_bytes(desk: Desk) -> None:
    desk.choose("device", "A100-SXM4/PCIe 40GB")
    assert desk.scenario.device == Device("A100-SXM4/PCIe 40GB", 42_949_672_960)
    assert desk.shown("memory") == "42.94967296"


def test_a_typed_memory_makes_a_custom_device(desk: Desk) -> None:
    desk.type("memory", "80GiB")
    assert desk.scenario.device == Device("Custom device", 80 * 2**30)
    assert desk.shown("device") == "Custom device · 85.9 GB"
    desk.type("reserve", "6.5")
    assert desk.scenario.device == Device("Custom device", 80 * 2**30, 6_500_000_000)


def test_without_a_device_there_is_no_memory_to_set(desk: Desk) -> None:
    desk.choose("device", "No device")
    assert desk.scenario.device is None
    assert not desk.is_shown("memory")
    assert not desk.is_shown("reserve")


def test_the_reserve_does_not_make_a_known_device_a_stranger(desk: Desk) -> None:
    desk.type("reserve", "5")
    assert desk.shown("device") == "H100 80GB · 85.52 GB"
    device = desk.field("device")
    assert isinstance(device, QComboBox)
    assert [device.itemText(i) for i in range(device.count())].count(device.currentText()) == 1


def test_the_unit_switch_changes_every_size_and_no_byte(desk: Desk) -> None:
    desk.unit = "GiB"
    desk.open(desk.scenario)
    assert desk.shown("device") == "H100 80GB · 79.65 GiB"
    # No short number of GiB is exact here, so the field names its own unit.
    assert desk.shown("memory") == "81 559 MiB"
    assert "GiB" not in [label.text() for label in _labels(desk, "memory")]
    assert "GiB" in [label.text() for label in _labels(desk, "reserve")]
    desk.click_into("memory")
    QTest.keyClick(desk.field("memory"), Qt.Key.Key_Return)
    assert desk.scenario.device == H100
    desk.type("reserve", "2")
    assert desk.scenario.device == replace(H100, reserve=2 * 2**30)


def _labels(desk: Desk, name: str) -> list[QLabel]:
    row = desk.panel.row(name)
    assert row is not None
    return [label for label in row.findChildren(QLabel) if label.isVisible()]


# The panel as a whole


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
        desk.panel.row("workers").show_error("A sentence that is long enough to need two lines.")  # type: ignore[union-attr]
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
    for widget in content.findChildren(QWidget):
        if not widget.isVisible() or not isinstance(widget, (QLabel, FieldRow)):
            continue
        area = QRect(widget.mapTo(content, QPoint(0, 0)), widget.size())
        assert content.rect().contains(area), widget
        if isinstance(widget, QLabel):
            _is_whole(widget)
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
