"""How long the window's thread stands still, for the tests of what must not stop it."""

import time
from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from zerogui.gui.window import MainWindow

PATIENCE = 60_000  # ms


class Heart(QObject):
    """Beats in the window's thread, and knows its longest pause in seconds."""

    def __init__(self) -> None:
        super().__init__()
        self.beats, self.pause = 0, 0.0
        self._last = time.perf_counter()
        self._timer = QTimer(self)
        self._timer.setInterval(5)
        self._timer.timeout.connect(self._beat)
        self._timer.start()

    def _beat(self) -> None:
        now = time.perf_counter()
        self.pause = max(self.pause, now - self._last)
        self._last = now
        self.beats += 1

    def stop(self) -> None:
        """Count the pause that goes on, and beat no more."""
        self._beat()
        self._timer.stop()


def longest_pause(
    qtbot: QtBot, window: MainWindow, deed: Callable[[], object], rest: int = 200
) -> float:
    """Of the window's thread, in seconds, from ``deed`` until all that it started has ended
    and ``rest`` ms more.

    The least of up to four tries, as other programs on the machine make pauses too.
    """
    pauses: list[float] = []
    while len(pauses) < 4 and min(pauses, default=1) > 0.1:
        heart = Heart()
        deed()
        qtbot.waitUntil(lambda: not window.background.working, timeout=PATIENCE)
        QTest.qWait(rest)
        heart.stop()
        pauses.append(heart.pause)
    return min(pauses)
