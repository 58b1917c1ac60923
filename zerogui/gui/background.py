"""Runs long work in a thread while the window lives on, and shows how far it is, with Cancel."""

import threading
import time
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QProgressBar, QPushButton, QSizePolicy, QWidget

from zerogui.gui.theme import GRID
from zerogui.gui.widgets.plain_text import displayed
from zerogui.planning.work import (
    WORK_ERRORS,
    CancelledError,
    Job,
    Watch,
    share_lock,
    without_collecting,
)

# Work that is done within this time (s) looks as if it had been done at once.
GRACE = 0.03
# From then on (s) the user sees that something is going on; sooner it would only flicker.
APPEARS = 0.15
POLL = 15  # ms


class _Run:
    """One job in its thread; the window's thread looks at ``ended``."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self.watch = Watch()
        self.started = time.monotonic()
        self.ended = threading.Event()
        self.result: Any = None
        self.error: BaseException | None = None
        # Not waited for when the program leaves; what it would bring, nobody wants any more.
        self._thread = threading.Thread(target=self._work, daemon=job.slot is not None)

    def start(self) -> None:
        self._thread.start()

    def _work(self) -> None:
        with without_collecting():
            try:
                self.result = self.job.work(self.watch)
            except BaseException as error:
                # Raised or told where the job came from.
                self.error = error
        self.ended.set()


class Background(QObject):
    """A runner for the controller: jobs run in threads, their ends in the window's own.

    Of the jobs with a slot only the newest of each counts; the results of the others are dropped.
    Those without one run one after the other. ``changed`` tells that there is another progress.
    """

    changed = Signal()
    idle = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._slots: dict[str, _Run] = {}
        self._lasting: list[_Run] = []
        self._timer = QTimer(self)
        self._timer.setInterval(POLL)
        self._timer.timeout.connect(self._look)

    def run(self, job: Job) -> None:
        """Start ``job``; what is done at once has ended on return."""
        run = _Run(job)
        if job.slot is not None:
            self._drop(job.slot)
            self._slots[job.slot] = run
        else:
            self._lasting.append(run)
        if not self._timer.isActive():
            self._set_busy(True)
        if job.slot is not None or len(self._lasting) == 1:
            run.start()
            run.ended.wait(GRACE)
            self._look()

    @property
    def showing(self) -> _Run | None:
        """The job that the user should see, once it has taken a while."""
        for run in (*self._slots.values(), *self._lasting[:1]):
            if time.monotonic() - run.started >= APPEARS:
                return run
        return None

    @property
    def working(self) -> bool:
        """Whether anything is being done."""
        return bool(self._slots or self._lasting)

    @property
    def saving(self) -> bool:
        """Whether something runs that must come to its end."""
        return bool(self._lasting)

    def cancel(self, run: _Run | None = None) -> None:
        """Drop ``run``, or all that may be dropped; nothing comes of it."""
        for slot, known in list(self._slots.items()):
            if run is None or run is known:
                self._drop(slot)
        self._look()

    def _drop(self, slot: str) -> None:
        run = self._slots.pop(slot, None)
        if run is not None:
            run.watch.cancelled = True

    def _set_busy(self, busy: bool) -> None:
        share_lock(busy)
        if busy:
            self._timer.start()
        else:
            self._timer.stop()

    def _look(self) -> None:
        """Ends what has ended, and shows how far the rest is."""
        ended = [run for run in self._slots.values() if run.ended.is_set()]
        self._slots = {name: run for name, run in self._slots.items() if run not in ended}
        if self._lasting and self._lasting[0].ended.is_set():
            ended.append(self._lasting.pop(0))
            if self._lasting:
                self._lasting[0].start()
        if not self.working and self._timer.isActive():
            self._set_busy(False)
        self.changed.emit()
        for run in ended:
            _finish(run)
        if ended and not self.saving:
            self.idle.emit()


def _finish(run: _Run) -> None:
    """Hand the result, or what went wrong, to whom the job came from."""
    if run.error is None:
        run.job.done(run.result)
    elif isinstance(run.error, WORK_ERRORS) and isinstance(run.error, Exception):
        run.job.failed(run.error)
    elif not isinstance(run.error, CancelledError):
        raise run.error


class ProgressLine(QWidget):
    """For the status bar: what is going on, how far it is, and a button to stop it."""

    def __init__(self, background: Background, cancelled: Callable[[str], None]) -> None:
        super().__init__()
        self._background = background
        self._cancelled = cancelled
        self.setObjectName("progress")
        self._text = QLabel()
        self._text.setObjectName("progress-text")
        self._bar = QProgressBar()
        self._bar.setTextVisible(False)
        self._bar.setFixedWidth(16 * GRID)
        self._bar.setAccessibleName("Progress")
        self._cancel = QPushButton("Cancel")
        self._cancel.setObjectName("progress-cancel")
        self._cancel.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self._cancel.clicked.connect(self._stop)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, GRID, 0)
        row.setSpacing(GRID)
        row.addStretch(1)
        for widget in (self._text, self._bar, self._cancel):
            row.addWidget(widget)
        self.hide()
        background.changed.connect(self._show_progress)

    def _show_progress(self) -> None:
        run = self._background.showing
        if run is None:
            self.hide()
            return
        done, of = run.watch.done_of or (0, 0)
        # One part gives no idea of how long it takes.
        done, of = (done, of) if of > 1 else (0, 0)
        part = f" ({done} of {of} files)" if of else ""
        self._text.setText(displayed(f"{run.job.title}{part} …"))
        self._bar.setRange(0, of)
        self._bar.setValue(done)
        self._cancel.setVisible(run.job.optional)
        self.show()

    def _stop(self) -> None:
        run = self._background.showing
        if run is not None and run.job.optional:
            self._background.cancel(run)
            self._cancelled(f"Cancelled: {run.job.title}")
