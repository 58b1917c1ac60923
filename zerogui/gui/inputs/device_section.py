"""The panel's Device section: accelerator, its real bytes, and the reserve."""

from functools import partial

from zerogui.accounting.cluster import MAX_BYTES, Device
from zerogui.accounting.scenario import Scenario
from zerogui.catalog import DeviceEntry, devices
from zerogui.gui.inputs.choice import Choice, Option
from zerogui.gui.inputs.field_row import FieldRow
from zerogui.gui.inputs.number_box import Format, NumberBox, Parse
from zerogui.gui.inputs.section import Section
from zerogui.gui.inputs.steps import Step, step_size
from zerogui.planning import edits
from zerogui.planning.quantities import UNITS, bytes_text, format_bytes, parse_bytes

NO_DEVICE = "No device"


class DeviceSection(Section):
    """What one GPU holds, and what is kept for activations and buffers."""

    def __init__(self) -> None:
        super().__init__("Device")
        self._device = Choice()
        self._memory = NumberBox(*_notation("GB"), 0, MAX_BYTES)
        self._reserve = NumberBox(*_notation("GB"), 0, MAX_BYTES)
        for row in (
            FieldRow(
                "device",
                "&Device",
                self._device,
                "An accelerator with the bytes that its driver reports, which are not the"
                " gigabytes on its label.",
            ),
            FieldRow(
                "memory",
                "Memor&y",
                self._memory,
                "Memory of one device; a bare number is in the unit shown, 80 GiB or"
                " 81559 MiB work too.",
            ),
            FieldRow(
                "reserve",
                "&Reserve",
                self._reserve,
                "What is kept free for residual states: activations, buffers, fragmented memory.",
            ),
        ):
            self.add_row(row)
        self._device.chosen.connect(lambda device: self.edited.emit(edits.choose_device(device)))
        self._memory.committed.connect(lambda n: self.edited.emit(edits.set_memory(n)))
        self._reserve.committed.connect(lambda n: self.edited.emit(edits.set_reserve(n)))

    def inputs(self, scenario: Scenario, unit: str) -> tuple[object, ...]:
        """What the fields show."""
        return (scenario.device, unit)

    def show_scenario(self, scenario: Scenario, unit: str) -> None:
        """Show ``scenario`` in ``unit`` ("GB" or "GiB"); no signal."""
        device = scenario.device
        self._device.set_options(_options(unit))
        # The reserve belongs to the run: entries are compared without it.
        bare = None if device is None else Device(device.name, device.memory)
        self._device.set_value(bare, "" if bare is None else _named(bare, unit))
        for name, box, value in (
            ("memory", self._memory, device.memory if device else 0),
            ("reserve", self._reserve, device.reserve if device else 0),
        ):
            box.set_notation(*_notation(unit))
            box.set_value(value)
            # Where no short number is exact the field says its unit itself ("81 559 MiB").
            bare_number = bytes_text(value, unit)[-1].isdigit()
            self.rows[name].set_unit(unit if bare_number else "")
            self.rows[name].setVisible(device is not None)


def _options(unit: str) -> list[Option]:
    return [Option(None, NO_DEVICE), *(_option(entry, unit) for entry in devices())]


def _option(entry: DeviceEntry, unit: str) -> Option:
    device = Device(entry.name, entry.memory)
    return Option(device, _named(device, unit), f"{entry.vendor}, {entry.source}")


def _named(device: Device, unit: str) -> str:
    return f"{device.name or 'Unnamed device'} · {format_bytes(device.memory, unit)} {unit}"


def _notation(unit: str) -> tuple[Parse, Format, Step]:
    parse = partial(parse_bytes, unit=unit)
    return parse, partial(bytes_text, unit=unit), step_size(UNITS[unit])
