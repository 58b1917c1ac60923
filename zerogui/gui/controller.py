"""One edit in, a new frozen Scenario, one Report, and every view renders it. Knows no widget."""

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple
from weakref import ref

from zerogui.accounting.errors import InputError, printable
from zerogui.accounting.model import Model
from zerogui.accounting.scenario import Scenario
from zerogui.files.errors import FileError, file_name, shown_name
from zerogui.gui.ledger import Ledger
from zerogui.gui.shown import Messages, Shown, View
from zerogui.planning.edits import Edit, apply, replace_all
from zerogui.planning.history import History
from zerogui.planning.opening import OpenedPlan, Origin, model_card
from zerogui.planning.pins import PinBoard, Pins, PinStep, pin_step
from zerogui.planning.report import Report
from zerogui.planning.resolve import resolve, takes_long
from zerogui.planning.work import Job, Runner, Watch, run_at_once, without_collecting

if TYPE_CHECKING:
    from zerogui.files.session import Session
    from zerogui.gui.ledger import Outcome
    from zerogui.planning.opening_apart import Kind, Opening

# Edits of one value that follow each other faster than this are one step: it is being turned.
TURNING = 1.0  # seconds
FRAME = 1 / 60  # seconds; while a value is being turned it is not resolved more often


class Plan(NamedTuple):
    """What undo and redo walk through: the scenario with the pins beside it."""

    scenario: Scenario
    pins: Pins


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
        runner: Runner = run_at_once,
    ) -> None:
        """``at_next_frame`` calls what it is given a frame later; without it nothing waits.

        ``runner`` does what may take long; without one it is done at once.
        """
        self._at_next_frame = at_next_frame
        self._is_due = False
        self._refreshed = float("-inf")
        self._run = runner
        self.board = PinBoard(plan.pins)
        self._history = History(Plan(plan.scenario, self.board.pins))
        self._saved = plan.saved or plan.scenario
        self._messages = messages
        self._path = path if plan.is_scenario else None
        self._ledger = Ledger()
        self._ledger.opened(self._path, plan.digest)
        self._origins: list[tuple[ref[Model], Origin]] = []
        self._last_card: tuple[Model | None, Origin | None, tuple[str, ...]] = (None, None, ())
        self._remember(plan)
        self._unit = unit
        self._exact_bytes = False
        self._clock = clock
        self._last_edit = ("", float("-inf"))
        self._views: list[View] = []
        self._report = resolve(plan.scenario, unit)
        self._resolving: tuple[Scenario, str] | None = None
        self._shown = self._show()

    @property
    def changed(self) -> bool:
        """Whether the plan differs from its file, or from the start."""
        return self.scenario != self._saved

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

        stored = self.board.pins.stored()
        saved: list[str] = []

        def work(watch: Watch) -> None:
            with without_collecting():
                comparison.save(stored, path)

        def done(nothing: None) -> None:
            self._messages.confirm(f"Saved {shown_name(path)}")
            saved.append(path)

        self._run(Job(f"Saving {shown_name(path)}", work, done, self._refuse(path)))
        return bool(saved)

    def set_unit(self, unit: str) -> None:
        """Show sizes in "GB" or "GiB"."""
        self._unit = unit
        self._refresh()

    def set_exact_bytes(self, exact: bool) -> None:
        """Show whole bytes in the table."""
        self._exact_bytes = exact
        self._refresh()

    def open(self, path: str, then: Callable[[str], None] | None = None) -> bool:
        """Open a file as one step; on an error nothing changes but the message.

        A scenario replaces the plan; a model or an engine's config fills its part. True where it
        is open on return; it may be later, when ``then`` is called with ``path``.
        """
        from zerogui.planning.opening_apart import ANY_FILE

        return self._open(path, ANY_FILE, then)

    def open_adapter(self, path: str, then: Callable[[str], None] | None = None) -> bool:
        """Open a checkpoint as an adapter of the present model, which freezes; as ``open``."""
        from zerogui.planning.opening_apart import ADAPTER

        return self._open(path, ADAPTER, then)

    def _open(self, path: str, kind: "Kind", then: Callable[[str], None] | None) -> bool:
        from zerogui.planning.opening_apart import opening_job

        opened: list[str] = []

        def done(opening: "Opening") -> None:
            if opening.base is not self.scenario:
                # Edited meanwhile: nothing of that may get lost.
                start(opening)
                return
            self._report = opening.report
            self._take(opening.plan, path)
            opened.append(path)
            if then is not None:
                then(path)

        def start(opening: "Opening | None" = None) -> None:
            self._run(
                opening_job(
                    path, kind, self.scenario, self._unit, opening, done, self._refuse(path)
                )
            )

        start()
        return bool(opened)

    def _refuse(self, path: str) -> Callable[[Exception], None]:
        def refuse(error: Exception) -> None:
            named = isinstance(error, FileError)
            self._messages.error(str(error) if named else f"{shown_name(path)}: {error}")

        return refuse

    def _take(self, plan: OpenedPlan, path: str) -> None:
        """What was opened is the plan from now on."""
        edit = replace_all(plan.scenario, f"Open {printable(file_name(path), 60)}")
        pins = self.board.pins if plan.pins is None else plan.pins
        self._history.push(edit, Plan(plan.scenario, pins))
        if plan.is_scenario or plan.is_example:
            self._saved, self._path = plan.scenario, path if plan.is_scenario else None
        if plan.is_scenario:
            self._ledger.opened(path, plan.digest)
        self._remember(plan)
        self._refresh()
        self._messages.clear()
        if plan.notes:
            self._messages.info(" ".join(plan.notes))

    def session(self, view: str) -> "Session":
        """The present moment, with ``view`` in front, for the next start."""
        from zerogui.planning.sessions import session_of

        plan = self._history.present
        origin = self._origin(plan.scenario.model)
        known = self._ledger.expected(self._path)
        return session_of(plan.scenario, self._saved, plan.pins, self._path, view, origin, known)

    def restore(self, plan: OpenedPlan, path: str | None) -> None:
        """Go on, as one step, with the ``plan`` of a session whose file is at ``path``."""
        edit = replace_all(plan.scenario, "Reopen session")
        self._history.push(edit, Plan(plan.scenario, plan.pins or Pins()))
        self._saved, self._path = plan.saved or plan.scenario, path
        self._ledger.opened(path, plan.digest)
        self._remember(plan)
        self._refresh()
        self._messages.clear()

    def _remember(self, plan: OpenedPlan) -> None:
        """Keep where a model comes from, for as long as undo or a pin may bring it back."""
        if plan.origin is not None:
            self._origins = [known for known in self._origins if known[0]() is not None]
            self._origins.append((ref(plan.scenario.model), plan.origin))

    def _card(self) -> tuple[str, ...]:
        # Going through a long tensor list at every edit would be felt.
        model = self.scenario.model
        origin = self._origin(model)
        known_model, known_origin, card = self._last_card
        if model is known_model and origin is known_origin:
            return card
        card = model_card(model, origin)
        self._last_card = (model, origin, card)
        return card

    def _origin(self, model: Model) -> Origin | None:
        return next((origin for known, origin in self._origins if known() is model), None)

    def save(
        self,
        path: str,
        then: "Callable[[Outcome], None] | None" = None,
        *,
        careful: bool = False,
    ) -> bool:
        """Write the scenario to ``path``, which becomes its file.

        True where it is written on return; it may be later. ``then`` is told how it went. With
        ``careful`` nothing is written where others have changed the file meanwhile.
        """
        scenario = self.scenario
        saved: list[str] = []

        def ended(outcome: "Outcome") -> None:
            if outcome.written is not None:
                self._saved, self._path = scenario, path
                self._ledger.wrote(path, outcome.written.digest)
                self._refresh()
                self._messages.confirm(outcome.said)
                saved.append(path)
            elif outcome.said:
                self._messages.error(outcome.said)
            if then is not None:
                then(outcome)

        self._run(self._ledger.saving_job(scenario, path, careful, ended))
        return bool(saved)

    def _show(self) -> Shown:
        history = self._history
        return Shown(
            report=self._report,
            exact_bytes=self._exact_bytes,
            path=self._path,
            changed=self.changed,
            undo=history.undo_title,
            redo=history.redo_title,
            card=self._card(),
        )

    def settle(self) -> None:
        """Show what is waiting for the next frame, if anything is."""
        if self._is_due:
            self._refresh()

    def _refresh(self) -> None:
        """Let every view show the present plan; later, where its report takes long."""
        self._is_due = False
        scenario, unit = self.scenario, self._unit
        if self._is_present(self._report.scenario, self._report.unit):
            self._display(self._report)
        elif not takes_long(scenario):
            self._display(resolve(scenario, unit))
        elif self._resolving is None or not self._is_present(*self._resolving):
            self._resolve_apart(scenario, unit)

    def _is_present(self, scenario: Scenario, unit: str) -> bool:
        return scenario is self.scenario and unit == self._unit

    def _resolve_apart(self, scenario: Scenario, unit: str) -> None:
        def work(watch: Watch) -> Report:
            model_card(scenario.model, None)  # what it adds up of a long list is kept
            return resolve(scenario, unit, watch.check)

        def done(report: Report) -> None:
            if self._is_present(report.scenario, report.unit):
                self._display(report)

        self._resolving = (scenario, unit)
        self._run(Job("Working out the plan", work, done, self._refuse("the plan"), slot="plan"))

    def _display(self, report: Report) -> None:
        self._report, self._resolving = report, None
        self._shown = self._show()
        self.board.take(self._history.present.pins)
        for view in self._views:
            view.display(self._shown)
        self._refreshed = self._clock()


def _sentence(error: InputError) -> str:
    """The error for a field's own line: the field needs no naming there."""
    return f"{error.problem[:1].upper()}{error.problem[1:]}; {error.remedy}."
