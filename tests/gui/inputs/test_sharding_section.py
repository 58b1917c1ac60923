"""The Sharding section as a person uses it: stages, rules, groups, offload."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox

from tests.gui.desk import Desk
from zerogui.accounting.model import Model, Tensor
from zerogui.accounting.sharding import Sharding
from zerogui.gui.inputs.sharding_section import divisors

SETTINGS = (
    "group",
    "secondary_group",
    "persistence_threshold",
    "offload_optimizer",
    "offload_weights",
)


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
