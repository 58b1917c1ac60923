"""The Device section as a person uses it: memory, reserve, and the unit of sizes."""

from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLabel

from tests.gui.desk import H100, Desk
from zerogui.accounting.cluster import Device


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
