"""What a comparison file holds: scenarios under distinct names, one of them the baseline."""

from collections.abc import Sequence
from dataclasses import dataclass

from zerogui.accounting.errors import InputError, check_name, shown
from zerogui.accounting.scenario import Scenario

MAX_PINS = 1000


@dataclass(frozen=True)
class NamedScenarios:
    """Scenarios under distinct names; ``baseline`` is the index of the one to compare with.

    None stands for the plan that is worked on. Raises InputError.
    """

    scenarios: tuple[tuple[str, Scenario], ...] = ()
    baseline: int | None = None

    def __post_init__(self) -> None:
        check_names([name for name, _ in self.scenarios], self.baseline)


def check_names(names: Sequence[str], baseline: int | None) -> None:
    """InputError unless there are at most a thousand distinct ``names``, ``baseline`` among them.

    Fields are named as in the file: ``pins[2].name``.
    """
    if len(names) > MAX_PINS:
        raise InputError("pins", f"has {len(names):,} scenarios", f"keep at most {MAX_PINS:,}")
    seen: set[str] = set()
    for index, name in enumerate(names):
        field = f"pins[{index}].name"
        check_name(field, name, needed=True)
        if name in seen:
            raise InputError(
                field, f"is {shown(name)} again", "give each scenario a name of its own"
            )
        seen.add(name)
    if baseline is not None and not 0 <= baseline < len(names):
        remedy = f"use null or an index from 0 to {len(names) - 1}" if names else "use null"
        raise InputError("baseline", f"is {baseline:,}", remedy)
