"""What the program starts with: the seed on an H100 80GB, or what a file makes of it."""

from zerogui.accounting.cluster import Device
from zerogui.accounting.scenario import Scenario
from zerogui.planning.opening import OpenedPlan, open_onto

START_DEVICE = "H100 80GB"


def seed() -> Scenario:
    """10^9 parameters on 4 workers with an H100 80GB."""
    # A report needs no catalog.
    from zerogui.catalog import device_named

    entry = device_named(START_DEVICE)
    return Scenario(device=Device(entry.name, entry.memory))


def starting_plan(path: str | None) -> OpenedPlan:
    """The plan of a window opened on ``path``: other files than scenarios fill the seed.

    FileError where the file cannot be used.
    """
    return OpenedPlan(seed(), False) if path is None else open_onto(seed(), path, has_base=False)


def plan_of(path: str) -> OpenedPlan:
    """The plan of a report on ``path``: what the file does not say keeps the format's defaults."""
    return open_onto(Scenario(), path, has_base=False)
