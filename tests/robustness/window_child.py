"""The real program as a process of its own, with something that happens to it.

``python -m tests.robustness.window_child WHAT [FILE]``; the folders of the user come from the
environment. It runs as the user's does; only when its window is there, WHAT begins.
"""

import faulthandler
import gc
import os
import signal
import sys
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QPlainTextEdit

from zerogui.cli import main as cli
from zerogui.gui import app as program
from zerogui.gui.ledger import Outcome
from zerogui.gui.shown import Shown
from zerogui.gui.window import MainWindow
from zerogui.planning.edits import set_workers
from zerogui.planning.start import starting_plan

SECRET = "value-of-the-plan"


def say(text: str) -> None:
    """One line to the test that waits."""
    print(text, flush=True)


def killed() -> None:
    """Gone, as by the system."""
    os.kill(os.getpid(), signal.SIGKILL)


def report() -> str:
    """What the crash dialog shows, on one line; "" without a dialog."""
    for widget in QApplication.topLevelWidgets():
        text = widget.findChild(QPlainTextEdit, "crash-report")
        if text is not None and widget.isVisible():
            return text.toPlainText().replace("\n", " | ")
    return ""


def fails() -> None:
    """Raises, with something of the plan in the message."""
    raise RuntimeError(SECRET)


class Broken:
    """A view that cannot show anything but the start."""

    def __init__(self) -> None:
        self._times = 0

    def display(self, shown: Shown) -> None:
        """Fails at the first change."""
        self._times += 1
        if self._times > 1:
            fails()


class Reluctant:
    """Fails where nobody can catch it."""

    def __del__(self) -> None:
        fails()


def in_a_slot(window: MainWindow) -> None:
    window.controller.dispatch(set_workers(48))
    fails()


def in_a_single_shot(window: MainWindow) -> None:
    """Qt asks its event filters, the program's own among them, before it tells of this."""
    window.controller.dispatch(set_workers(48))
    QTimer.singleShot(0, window, fails)


def in_a_view(window: MainWindow) -> None:
    window.controller._views.insert(0, Broken())
    window.controller._views[0].display(window.controller.shown)
    window.controller.dispatch(set_workers(48))


def in_a_worker(window: MainWindow) -> None:
    window.controller.dispatch(set_workers(48))
    worker = threading.Thread(target=fails)
    worker.start()
    worker.join()


def in_a_finaliser(window: MainWindow) -> None:
    window.controller.dispatch(set_workers(48))
    Reluctant()
    gc.collect()


def in_the_report(window: MainWindow) -> None:
    from zerogui.files import crash_log

    def traced(*_: object) -> str:
        raise RuntimeError(SECRET)

    crash_log.traced = traced
    in_a_slot(window)


def in_the_log(window: MainWindow) -> None:
    from zerogui.files import crash_log

    def append(*_: object) -> None:
        fails()

    crash_log.append = append
    in_a_slot(window)


def in_the_dialog(window: MainWindow) -> None:
    from zerogui.gui.session import crash_dialog

    class Failing(crash_dialog.CrashDialog):
        def __init__(self, *_: Any) -> None:
            fails()

    crash_dialog.CrashDialog = Failing
    in_a_slot(window)


def in_every_turn(window: MainWindow) -> None:
    """As a paint that fails each time."""
    window.controller.dispatch(set_workers(48))
    timer = QTimer(window)
    timer.timeout.connect(fails)
    timer.start(1)


def by_a_signal(window: MainWindow) -> None:
    """A fault of the interpreter, after the second that the session needs."""
    window.controller.dispatch(set_workers(48))
    QTimer.singleShot(1000, faulthandler._sigsegv)


def edits_and_saves(window: MainWindow) -> None:
    """Another version every few milliseconds, saved each time, until somebody ends it."""
    from tests.robustness.versions import number_of, version
    from zerogui.planning.edits import replace_all

    path = sys.argv[2]
    number = number_of(window.controller.scenario)
    say("ready")

    def ended(saved: int, outcome: Outcome) -> None:
        if outcome.written is not None:
            say(f"file {saved}")

    def step() -> None:
        nonlocal number
        number += 1
        window.controller.dispatch(replace_all(version(number), f"Version {number}"))
        if number % 3:
            window.controller.save(path, partial(ended, number))

    timer = QTimer(window)
    timer.timeout.connect(step)
    timer.start(20)


def edits_and_waits(window: MainWindow) -> None:
    """A change that no autosave has seen yet, until somebody ends it."""
    window.controller.dispatch(set_workers(48))
    say("ready")


def shows(window: MainWindow) -> None:
    """Tells what a start shows, and leaves in order."""
    say(f"workers {window.controller.scenario.cluster.workers}")
    say(f"message {window.work.messages.text()}")
    window.close_for_good()


def opens(window: MainWindow) -> None:
    """Tells what a start on a file shows first, and what then, and leaves."""
    first = window.windowTitle()
    say(f"first {first}")
    timer = QTimer(window)

    def look() -> None:
        message = window.work.messages.text()
        if window.windowTitle() != first or message:
            say(f"then {window.windowTitle()}")
            say(f"message {message}")
            window.close_for_good()

    timer.timeout.connect(look)
    timer.start(20)


FAILURES: dict[str, Callable[[MainWindow], None]] = {
    each.__name__: each
    for each in (
        in_a_slot,
        in_a_single_shot,
        in_a_view,
        in_a_worker,
        in_a_finaliser,
        in_the_report,
        in_the_log,
        in_the_dialog,
        in_every_turn,
    )
}


def fail_and_die(window: MainWindow, what: str) -> None:
    """Fail, show that the program still runs, and be killed before any autosave is due."""

    def afterwards() -> None:
        say(f"report {report()}")
        killed()

    QTimer.singleShot(0, window, lambda: QTimer.singleShot(100, window, afterwards))
    FAILURES[what](window)


def main(what: str) -> int:
    """Run the program; when its chart is there, do ``what``."""
    make_window = program.make_window

    def made(*arguments: Any) -> MainWindow:
        if what == "dies" and arguments[-1].restored is not None:
            killed()
        window = make_window(*arguments)

        def begins() -> None:
            if what in FAILURES:
                fail_and_die(window, what)
            else:
                deeds = {"saves": edits_and_saves, "fault": by_a_signal, "waits": edits_and_waits}
                deeds["opens"] = opens
                deeds.get(what, shows)(window)

        # A signal, as a user's deed is one: what a single shot raises may reach no hook.
        timer = QTimer(window)
        timer.setSingleShot(True)
        timer.timeout.connect(begins)
        window.work.views.built.connect(timer.start)
        return window

    program.make_window = made
    if what == "opens":
        return cli([sys.argv[2]])
    path = sys.argv[2] if what == "saves" and Path(sys.argv[2]).exists() else None
    restored = len(sys.argv) > 3
    return program.run(starting_plan(None if restored else path), None if restored else path)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
