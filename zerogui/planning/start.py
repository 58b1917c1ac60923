"""What the program starts with: the seed on an H100 80GB, or the scenario in a file."""

from zerogui.accounting.cluster import Device
from zerogui.accounting.scenario import Scenario
from zerogui.catalog import device_named
from zerogui.files.scenario import load

START_DEVICE = "H100 80GB"


def seed() -> Scenario:
    """10^9 parameters on 4 workers with an H100 80GB."""
    entry = device_named(START_DEVICE)
    return Scenario(device=Device(entry.name, entry.memory))


def starting_scenario(path: str | None) -> Scenario:
    """The scenario at ``path``, the seed without one. FileError where it cannot be read."""
    return seed() if path is None else load(path)
