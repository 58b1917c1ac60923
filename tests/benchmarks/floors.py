"""What Python, Qt and pyqtgraph cost anyway: the floors, as programs that are run by name."""

import json
import sys
import time
from typing import Any

# ms between two edits, as people make them; within a frame they would be shown as one.
PAUSE = 25


def bare_window() -> None:
    """A QMainWindow, painted; prints the moment on the monotonic clock."""
    from PySide6.QtWidgets import QApplication, QLabel, QMainWindow

    app = QApplication([])
    window = QMainWindow()
    window.setCentralWidget(QLabel("floor"))
    _paint(app, window)


def bare_plot() -> None:
    """A pyqtgraph window with twelve bars, painted; prints the moment, then edit times."""
    import pyqtgraph as pg
    from PySide6.QtWidgets import QApplication

    app = QApplication([])
    plot = pg.PlotWidget()
    plot.resize(1920, 1080)
    bars = [
        pg.BarGraphItem(x=[k // 3], y0=[k % 3 * 4.0], height=[4.0], width=0.5, pen=None)
        for k in range(12)
    ]
    for bar in bars:
        plot.addItem(bar)
    _paint(app, plot, bars)


def _paint(app: Any, window: Any, bars: list[Any] | None = None) -> None:
    from PySide6.QtCore import QEvent, QObject

    class Watch(QObject):
        """Notes when the first paint has been asked for; it is done when the loop comes back."""

        seen = False

        def eventFilter(self, watched: QObject, event: QEvent) -> bool:
            self.seen = self.seen or event.type() == QEvent.Type.Paint
            return False

    watch = Watch()
    ground = window.viewport() if bars else window
    ground.installEventFilter(watch)
    window.show()
    while not watch.seen:
        app.processEvents()
    painted = time.perf_counter()
    ground.removeEventFilter(watch)

    from PySide6.QtTest import QTest  # no part of a start

    edits = []
    for k in range(60 if bars else 0):
        QTest.qWait(PAUSE)
        start = time.perf_counter()
        for bar in bars or ():
            bar.setOpts(height=[4.0 - 0.01 * (k % 2)])
        app.processEvents()
        edits.append(time.perf_counter() - start)
    print(json.dumps({"clock": [painted], "edits": edits[10:], "rss": _resident()}), flush=True)


def edits(kind: str, count: int = 60) -> None:
    """Edits of the workers in the real window at 1920 × 1080; prints their times.

    ``kind`` is that of a plan, or "pins-100" for the plain count compared with so many pins.
    """
    from PySide6.QtTest import QTest

    from tests.benchmarks.plans import plan
    from zerogui.gui.app import keep_what_is_made, make_application, make_window
    from zerogui.gui.theme import ThemeManager
    from zerogui.planning.edits import set_parameters, set_workers
    from zerogui.planning.opening import OpenedPlan

    pins = int(kind.partition("-")[2]) if kind.startswith("pins") else 0
    scenario = plan("count" if pins else kind)
    app = make_application()
    window = make_window(ThemeManager(app), OpenedPlan(scenario, False))
    window.resize(1920, 1080)
    window.show()
    QTest.qWait(1000)
    for k in range(pins):
        window.controller.dispatch(set_parameters(10**9 + k))
        window.controller.pin()
    if pins:
        window.work.views.show_view("compare")
        QTest.qWait(1000)
    keep_what_is_made()
    before = scenario.cluster.workers
    times = []
    for k in range(count):
        QTest.qWait(PAUSE)
        start = time.perf_counter()
        window.controller.dispatch(set_workers(before + k + 1))
        app.processEvents()
        times.append(time.perf_counter() - start)
    print(json.dumps({"edits": times[10:], "rss": _resident()}), flush=True)
    window.close_for_good()


def _resident() -> int:
    """Resident bytes of this process."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096


if __name__ == "__main__":
    name, *counts = sys.argv[1:]
    if name.startswith("edits-"):
        edits(name.removeprefix("edits-"), *map(int, counts))
    else:
        {"window": bare_window, "plot": bare_plot}[name]()
