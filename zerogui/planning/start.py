"""What the program starts with: the seed on an H100 80GB, or what a file makes of it."""

from typing import TYPE_CHECKING

from zerogui.accounting.cluster import Device
from zerogui.accounting.errors import printable
from zerogui.accounting.scenario import Scenario
from zerogui.files.errors import FileError
from zerogui.files.named_scenarios import NamedScenarios
from zerogui.planning.opening import OpenedPlan, found_in, open_onto, put_onto

if TYPE_CHECKING:
    from zerogui.files.opening import Opened

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
    """The plan of a report on ``path``: what the file does not say keeps the format's defaults.

    A note tells what of it a reader would not expect, as no window shows it. FileError where the
    file cannot be used.
    """
    found = found_in(path)
    plan = put_onto(Scenario(), found, has_base=False)
    return plan._replace(notes=(*_unsaid(found.opened, plan.scenario, path), *plan.notes))


def _unsaid(opened: "Opened", plan: Scenario, path: str) -> tuple[str, ...]:
    """What the numbers of a report on a file that holds no whole plan are about."""
    if isinstance(opened, Scenario):
        return ()
    if isinstance(opened, NamedScenarios):
        names = [printable(name) for name, _ in opened.scenarios]
        if not names:
            raise FileError(path, "holds no plan; choose a comparison with pins, or a scenario.")
        held = f"{len(names)} plans" if len(names) > 1 else "one plan"
        return (f'A comparison of {held}; the numbers are those of "{names[0]}".',)

    from zerogui.files.opened import OpenedModel

    if not isinstance(opened, OpenedModel):
        model = f"{plan.model.parameters:,} parameters"
        return (f"The file names no model; the numbers are those of {model}.",)
    if opened.family == "adapter":
        return ("An adapter by itself; the weights of its base model are not in the numbers.",)
    return ()
