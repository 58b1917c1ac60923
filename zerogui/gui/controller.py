"""One edit in, a new frozen Scenario, one Report, and every view renders it. Knows no widget."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from zerogui.accounting.errors import InputError, printable
from zerogui.accounting.model import Model
from zerogui.accounting.scenario import Scenario
from zerogui.files.errors import FileError, file_name
from zerogui.planning.edits import Edit, apply, replace_all
from zerogui.planning.history import MOST_STEPS, History
from zerogui.planning.opening import OpenedPlan, Origin, model_card, open_adapter_onto, open_onto
from zerogui.planning.pins import PinBoard, Pins, PinStep, pin_step
from zerogui.planning.report import Report
from zerogui.planning.resolve import resolve

if TYPE_CHECKING:
    from zerogui.files.session import Session

# Edits of one value that follow each other faster than this are one step: it is being turned.
TURNING = 1.0  # seconds
FRAME = 1 / 60  # seconds; while a value is being turned it is not resolved more often


@dataclass(frozen=True)
class Shown:
    """All that the views show at one moment.

    ``exact_bytes``: the table shows whole bytes instead of the unit; ``path``: the scenario's
    file; ``changed``: it differs from that file (or from the start); ``undo`` and ``redo``: the
    names of the steps, None where there is none; ``card`` has lines on an opened model.
    """

    report: Report
    exact_bytes: bool
    path: str | None
    changed: bool
    undo: str | None
    redo: str | None
    card: tuple[str, ...] = ()


@dataclass(frozen=True)
class Plan:
    """What undo and redo walk through: the scenario with the pins beside it."""

    scenario: Scenario
    pins: Pins


class View(Protocol):
    """Anything that shows a report."""

    def display(self, shown: Shown) -> None:
        """Show ``shown``, without emitting anything."""


class Messages(Protocol):
    """How the controller speaks to the user."""

    def info(self, text: str) -> None:
        """Something that happened besides what was asked for."""

    def error(self, text: str) -> None:
        """Something that could not be done, and what to do."""

    def field_error(self, key: str, text: str) -> None:
        """What is wrong with the field ``key``."""

    def confirm(self, text: str) -> None:
        """A short note that something worked."""

    def clear(self) -> None:
        """What was said before is about another state of the plan."""


class Controller:
    """Holds history and display options; every change ends in one ``display`` by each view."""

    def __init__(
        self,
        plan: OpenedPlan,
        messages: Messages,
        path: str | None = None,
        unit: str = "GB",
        clock: Callable[[], float] = time.monotonic,
        at_next_frame: Callable[[Callable[[], None]], None] | None = None,
    ) -> None:
        """``at_next_frame`` calls what it is given a frame later; without it nothing waits."""
        self._at_next_frame = at_next_frame
        self._is_due = False
        self._refreshed = float("-inf")
        self.board = PinBoard(plan.pins)
        self._history = History(Plan(plan.scenario, self.board.pins))
        self._saved = plan.saved or plan.scenario
        self._messages = messages
        self._path = path if plan.is_scenario else None
        self._origins: list[tuple[Model, Origin]] = []
        self._last_card: tuple[Model | None, int, tuple[str, ...]] = (None, 0, ())
        self._remember(plan)
        self._unit = unit
        self._exact_bytes = False
        self._clock = clock
        self._last_edit = ("", float("-inf"))
        self._views: list[View] = []
        self._shown = self._resolve()

    @property
    def shown(self) -> Shown:
        """What the views show now."""
        self.settle()
        return self._shown

    @property
    def scenario(self) -> Scenario:
        """The present scenario."""
        return self._history.present.scenario

    def attach(self, view: View) -> None:
        """Add a view and let it render what is shown."""
        self._views.append(view)
        view.display(self._shown)

    def dispatch(self, edit: Edit) -> bool:
        """Apply ``edit`` as one undoable step; False where it is refused (the field says why)."""
        try:
            applied = apply(self.scenario, edit)
        except InputError as error:
            self._refresh()
            self._messages.field_error(edit.key, _sentence(error))
            return False
        now = self._clock()
        key, before = self._last_edit
        turning = key == edit.key and now - before < TURNING
        self._last_edit = (edit.key, now)
        self._history.push(edit, Plan(applied.scenario, self.board.pins), merge=turning)
        if turning and now - self._refreshed < FRAME and self._at_next_frame is not None:
            # A held key or a wheel brings more values than anyone sees; the last one is shown.
            if not self._is_due:
                self._is_due = True
                self._at_next_frame(self.settle)
        else:
            self._refresh()
        self._messages.clear()
        if applied.notes:
            self._messages.info(" ".join(applied.notes))
        return True

    def undo(self) -> None:
        """Take the last step back."""
        title = self._history.undo()
        if title is not None:
            self._refresh()
            self._messages.clear()
            self._messages.confirm(f"Undone: {title}")

    def redo(self) -> None:
        """Take a step again that was undone."""
        title = self._history.redo()
        if title is not None:
            self._refresh()
            self._messages.clear()
            self._messages.confirm(f"Redone: {title}")

    def change_pins(self, step: PinStep) -> None:
        """One undoable change of the pins; the plan itself stays."""
        edit = Edit(step.title, "pins", lambda scenario: scenario)
        self._history.push(edit, Plan(self.scenario, step.pins))
        self._refresh()
        self._messages.confirm(step.title)

    def pin(self) -> None:
        """Keep the present plan for comparing."""
        try:
            step = pin_step(self.board.pins, self.scenario)
        except InputError as error:
            self._messages.error(str(error))
        else:
            self.change_pins(step)

    def save_comparison(self, path: str) -> bool:
        """Write the pins to ``path``, a file with several scenarios."""
        from zerogui.files import comparison

        try:
            comparison.save(self.board.pins.stored(), path)
        except FileError as error:
            self._messages.error(str(error))
            return False
        self._messages.confirm(f"Saved {file_name(path)}")
        return True

    def set_unit(self, unit: str) -> None:
        """Show sizes in "GB" or "GiB"."""
        self._unit = unit
        self._refresh()

    def set_exact_bytes(self, exact: bool) -> None:
        """Show whole bytes in the table."""
        self._exact_bytes = exact
        self._refresh()

    def open(self, path: str) -> bool:
        """Open a file as one step; on an error nothing changes but the message.

        A scenario replaces the plan; a model or an engine's config fills its part.
        """
        return self._open(path, open_onto)

    def open_adapter(self, path: str) -> bool:
        """Open a checkpoint as an adapter of the present model, which freezes."""
        return self._open(path, open_adapter_onto)

    def _open(self, path: str, opener: Callable[[Scenario, str], OpenedPlan]) -> bool:
        try:
            plan = opener(self.scenario, path)
        except FileError as error:
            self._messages.error(str(error))
            return False
        except InputError as error:
            self._messages.error(f"{file_name(path)}: {error}")
            return False
        edit = replace_all(plan.scenario, f"Open {printable(file_name(path), 60)}")
        pins = self.board.pins if plan.pins is None else plan.pins
        self._history.push(edit, Plan(plan.scenario, pins))
        if plan.is_scenario or plan.is_example:
            self._saved, self._path = plan.scenario, path if plan.is_scenario else None
        self._remember(plan)
        self._refresh()
        self._messages.clear()
        if plan.notes:
            self._messages.info(" ".join(plan.notes))
        return True

    def session(self, view: str) -> "Session":
        """The present moment, with ``view`` in front, for the next start."""
        from zerogui.planning.sessions import session_of

        plan = self._history.present
        origin = self._origin(plan.scenario.model)
        return session_of(plan.scenario, self._saved, plan.pins, self._path, view, origin)

    def restore(self, plan: OpenedPlan, path: str | None) -> None:
        """Go on, as one step, with the ``plan`` of a session whose file is at ``path``."""
        edit = replace_all(plan.scenario, "Reopen session")
        self._history.push(edit, Plan(plan.scenario, plan.pins or Pins()))
        self._saved, self._path = plan.saved or plan.scenario, path
        self._remember(plan)
        self._refresh()
        self._messages.clear()

    def _remember(self, plan: OpenedPlan) -> None:
        """Keep where a model comes from, for as long as undo may bring it back."""
        if plan.origin is not None:
            self._origins.append((plan.scenario.model, plan.origin))
            del self._origins[:-MOST_STEPS]

    def _card(self) -> tuple[str, ...]:
        # Going through a long tensor list at every edit would be felt.
        model, opened = self.scenario.model, len(self._origins)
        known_model, known_opened, card = self._last_card
        if model is known_model and opened == known_opened:
            return card
        card = model_card(model, self._origin(model))
        self._last_card = (model, opened, card)
        return card

    def _origin(self, model: Model) -> Origin | None:
        return next((origin for known, origin in self._origins if known is model), None)

    def save(self, path: str) -> bool:
        """Write the scenario to ``path``, which becomes its file."""
        from zerogui.files.scenario import save

        try:
            save(self.scenario, path)
        except FileError as error:
            self._messages.error(str(error))
            return False
        self._saved, self._path = self.scenario, path
        self._refresh()
        self._messages.confirm(f"Saved {file_name(path)}")
        return True

    def _resolve(self) -> Shown:
        history = self._history
        return Shown(
            report=resolve(self.scenario, self._unit),
            exact_bytes=self._exact_bytes,
            path=self._path,
            changed=self.scenario != self._saved,
            undo=history.undo_title,
            redo=history.redo_title,
            card=self._card(),
        )

    def settle(self) -> None:
        """Show what is waiting for the next frame, if anything is."""
        if self._is_due:
            self._refresh()

    def _refresh(self) -> None:
        self._is_due = False
        self._shown = self._resolve()
        self.board.take(self._history.present.pins)
        for view in self._views:
            view.display(self._shown)
        self._refreshed = self._clock()


def _sentence(error: InputError) -> str:
    """The error for a field's own line: the field needs no naming there."""
    return f"{error.problem[:1].upper()}{error.problem[1:]}; {error.remedy}."
