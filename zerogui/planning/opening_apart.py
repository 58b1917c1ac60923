"""Opening a file as work that may run in a thread: read, put onto the plan, and resolved."""

from collections.abc import Callable
from dataclasses import dataclass

from zerogui.accounting.scenario import Scenario
from zerogui.files.errors import shown_name
from zerogui.planning.opening import (
    Found,
    OpenedPlan,
    find_adapter_apart,
    find_apart,
    model_card,
    put_adapter_onto,
    put_onto,
)
from zerogui.planning.report import Report
from zerogui.planning.resolve import resolve
from zerogui.planning.work import MANY_OBJECTS, Job, Watch, settle, without_collecting


@dataclass(frozen=True)
class Kind:
    """How a file is read, and what it does to the plan."""

    find: Callable[[str, Watch], Found]
    put: Callable[[Scenario, Found], OpenedPlan]


ANY_FILE = Kind(find_apart, put_onto)
ADAPTER = Kind(find_adapter_apart, put_adapter_onto)


@dataclass(frozen=True)
class Opening:
    """What was found, and the plan that it makes of ``base``."""

    base: Scenario
    found: Found
    plan: OpenedPlan
    report: Report


def opening_job(
    path: str,
    kind: Kind,
    base: Scenario,
    unit: str,
    earlier: Opening | None,
    done: Callable[[Opening], None],
    failed: Callable[[Exception], None],
) -> Job:
    """Opens ``path`` onto ``base``; what an ``earlier`` opening has read is not read again."""

    def work(watch: Watch) -> Opening:
        with without_collecting():
            found = earlier.found if earlier is not None else kind.find(path, watch)
            watch.check()
            plan = kind.put(base, found)
            # What many tensors add up to is kept with the model: this is the first time.
            report = resolve(plan.scenario, unit, watch.check)
            model_card(plan.scenario.model, plan.origin)
            if len(plan.scenario.model.tensors or ()) >= MANY_OBJECTS:
                settle()
        return Opening(base, found, plan, report)

    return Job(f"Opening {shown_name(path)}", work, done, failed, slot="open", optional=True)
