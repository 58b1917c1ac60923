"""Scenarios pinned for comparing: distinct names, an order, and which one is the baseline."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple

from zerogui.accounting.errors import MAX_NAME, printable
from zerogui.accounting.scenario import Scenario
from zerogui.files.named_scenarios import NamedScenarios, check_names
from zerogui.planning.quantities import format_count, group_digits

_LONGEST_IN_TITLE = 40


class Pin(NamedTuple):
    """A scenario kept under a name."""

    name: str
    scenario: Scenario


@dataclass(frozen=True)
class Pins:
    """The pins in order; ``baseline`` None compares with the plan that is worked on.

    Raises InputError for a name that is empty or taken, and for more than a thousand pins.
    """

    items: tuple[Pin, ...] = ()
    baseline: int | None = None

    def __post_init__(self) -> None:
        check_names([pin.name for pin in self.items], self.baseline)

    def add(self, scenario: Scenario, name: str = "") -> "Pins":
        """``scenario`` as the last pin; the first one becomes the baseline.

        Without a ``name`` it is called after its title, or its model and workers, and where that
        is taken after the first input that differs.
        """
        name = self._free(_clean(name) or self._default_name(scenario))
        baseline = 0 if not self.items else self.baseline
        return Pins((*self.items, Pin(name, scenario)), baseline)

    def rename(self, index: int, name: str) -> "Pins":
        """Another name for a pin; a number follows where it is taken, an empty one changes none."""
        wanted = _clean(name)
        if not wanted or wanted == self.items[index].name:
            return self
        others = Pins((*self.items[:index], *self.items[index + 1 :]))
        renamed = self.items[index]._replace(name=others._free(wanted))
        return replace(self, items=(*self.items[:index], renamed, *self.items[index + 1 :]))

    def move(self, index: int, to: int) -> "Pins":
        """A pin at place ``to`` instead (the nearest there is); the baseline goes along."""
        to = min(max(to, 0), len(self.items) - 1)
        order = [k for k in range(len(self.items)) if k != index]
        order.insert(to, index)
        baseline = None if self.baseline is None else order.index(self.baseline)
        return Pins(tuple(self.items[k] for k in order), baseline)

    def remove(self, index: int) -> "Pins":
        """One pin less; if it was the baseline, the first pin is, or else the present plan."""
        items = (*self.items[:index], *self.items[index + 1 :])
        baseline = self.baseline
        if baseline == index:
            baseline = 0 if items else None
        elif baseline is not None and baseline > index:
            baseline -= 1
        return Pins(items, baseline)

    def compare_with(self, baseline: int | None) -> "Pins":
        """A pin, or the present plan (None), as the baseline."""
        return replace(self, baseline=baseline)

    @classmethod
    def of(cls, stored: NamedScenarios) -> "Pins":
        """The pins that a file holds."""
        return cls(tuple(Pin(*named) for named in stored.scenarios), stored.baseline)

    def stored(self) -> NamedScenarios:
        """The pins as they go into a file."""
        return NamedScenarios(tuple((p.name, p.scenario) for p in self.items), self.baseline)

    def _default_name(self, scenario: Scenario) -> str:
        name = default_name(scenario)
        taken = next((pin for pin in self.items if pin.name == name), None)
        if taken is None:
            return name
        from zerogui.planning.inputs import differences, inputs_of

        changed = differences(inputs_of(taken.scenario, "GB"), inputs_of(scenario, "GB"))
        inputs = inputs_of(scenario, "GB")
        phrases = [inputs[change.key].phrase for change in changed if change.key in inputs]
        return _clean(f"{name}, {phrases[0]}") if phrases else name

    def _free(self, name: str) -> str:
        """``name``, with the first number from 2 on that makes it distinct where it is taken."""
        taken = {pin.name for pin in self.items}
        free, number = name, 2
        while free in taken:
            suffix = f" ({number})"
            free, number = name[: MAX_NAME - len(suffix)] + suffix, number + 1
        return free


def default_name(scenario: Scenario) -> str:
    """The title, or else model and workers: "Llama-3 8B on 64 workers"."""
    model, workers = scenario.model, scenario.cluster.workers
    what = _clean(model.name) or format_count(model.parameters)
    return _clean(scenario.title) or (
        _clean(f"{what[:40]} on {group_digits(workers)} worker{'' if workers == 1 else 's'}")
    )


def _clean(text: str) -> str:
    """``text`` on one line, short enough for a name, and such that it can be saved."""
    whole = text.encode("utf-8", "replace").decode("utf-8")
    return " ".join(whole.split())[:MAX_NAME].strip()


class PinStep(NamedTuple):
    """One undoable change of the pins, with the ``title`` that undo shows."""

    title: str
    pins: Pins


def pin_step(pins: Pins, scenario: Scenario) -> PinStep:
    """Pin ``scenario``."""
    after = pins.add(scenario)
    return PinStep(f"Pin {_quoted(after.items[-1].name)}", after)


def rename_step(pins: Pins, index: int, name: str) -> PinStep:
    """Call a pin ``name``."""
    after = pins.rename(index, name)
    return PinStep(f"Rename pin to {_quoted(after.items[index].name)}", after)


def move_step(pins: Pins, index: int, to: int) -> PinStep:
    """Put a pin at place ``to``."""
    return PinStep(f"Move pin {_quoted(pins.items[index].name)}", pins.move(index, to))


def remove_step(pins: Pins, index: int) -> PinStep:
    """Take a pin away."""
    return PinStep(f"Remove pin {_quoted(pins.items[index].name)}", pins.remove(index))


def baseline_step(pins: Pins, index: int | None) -> PinStep:
    """Compare with a pin, or with the present plan (None)."""
    name = "the present plan" if index is None else _quoted(pins.items[index].name)
    return PinStep(f"Compare with {name}", pins.compare_with(index))


def _quoted(name: str) -> str:
    return f"“{printable(name, _LONGEST_IN_TITLE)}”"


class PinBoard:
    """Holds the pins as they are now and tells whoever listens of each change. Knows no widget."""

    def __init__(self, pins: Pins | None = None) -> None:
        self._pins = pins or Pins()
        self._listeners: list[Callable[[Pins], None]] = []

    @property
    def pins(self) -> Pins:
        """The pins as they are now."""
        return self._pins

    def listen(self, listener: Callable[[Pins], None]) -> None:
        """Call ``listener`` with the pins after every change."""
        self._listeners.append(listener)

    def take(self, pins: Pins) -> None:
        """From now on these are the pins; the same ones are no change."""
        if pins == self._pins:
            return
        self._pins = pins
        for listener in self._listeners:
            listener(pins)
