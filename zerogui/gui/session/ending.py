"""Ends the program in order when the system asks it to: at a logout, a shutdown, by ``kill``."""

import os
import signal
import sys
from contextlib import suppress

from PySide6.QtCore import QCoreApplication, QObject, QSocketNotifier, Qt

from zerogui.gui.file_window import FileWindow


class EndGuard(QObject):
    """From now on signals close ``window`` without a question: its session keeps the changes.

    Python tells of a signal by a byte in a pipe, to which Qt listens: nothing polls.
    """

    def __init__(self, window: FileWindow) -> None:
        super().__init__(window)
        self._window = window
        self._reading, writing = os.pipe()
        for descriptor in (self._reading, writing):
            os.set_blocking(descriptor, False)
        signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
        self._ends = (signal.SIGTERM, signal.SIGHUP)
        for number in self._ends:
            # Whoever has it ignored (nohup) wants the program to stay.
            if signal.getsignal(number) == signal.SIG_DFL:
                signal.signal(number, _heard)
        self._notifier = QSocketNotifier(self._reading, QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._read)

    def _read(self) -> None:
        with suppress(BlockingIOError):
            received = os.read(self._reading, 64)
            if any(number in received for number in self._ends):
                self._end()

    def _end(self) -> None:
        self._window.closing.connect(
            lambda: QCoreApplication.exit(0), Qt.ConnectionType.SingleShotConnection
        )
        self._window.close_for_good()


def _heard(number: int, _: object) -> None:
    """The pipe tells the window; who asks a second time does not want to wait for it."""
    signal.signal(number, signal.SIG_DFL)


def end_on_signals(window: FileWindow) -> None:
    """Let a signal end the program as closing ``window`` does; on Windows there are none."""
    if sys.platform != "win32":
        EndGuard(window)
