"""Starts the application: Qt first, the window and its table, then the chart."""

import faulthandler
import gc
import json
import os
import sys
import time
from typing import Any

from PySide6.QtCore import QEvent, QObject, QTimer, Signal
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication

from zerogui import __version__
from zerogui.catalog.resources import resource_path
from zerogui.gui.session.crashes import CrashGuard
from zerogui.gui.session.keeper import SessionStart, begin
from zerogui.gui.startup.places import crash_log, settings_file, state_folder
from zerogui.gui.startup.plain_start import plain_start
from zerogui.gui.theme import ThemeManager
from zerogui.gui.window import MainWindow
from zerogui.planning.opening import OpenedPlan

SMOKE_PATIENCE = 60_000  # ms until a window that does not paint counts as broken


class PaintWatch(QObject):
    """Tells once when a widget has been painted: the paint event has been handled by then."""

    painted = Signal()

    def __init__(self, widget: QObject) -> None:
        super().__init__(widget)
        self.seen = False
        self.seen_at = 0.0  # time.perf_counter() once all that was due with it has been painted
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Qt's hook; the signal goes out from the event loop, after the paint."""
        if event.type() == QEvent.Type.Paint and not self.seen:
            self.seen = True
            watched.removeEventFilter(self)
            QTimer.singleShot(0, self, self._tell)
        return False

    def _tell(self) -> None:
        self.seen_at = time.perf_counter()
        self.painted.emit()


def make_application() -> QApplication:
    """The one QApplication, named and with its icon."""
    app = plain_start(sys.argv[:1])
    app.setApplicationName("zerogui")
    app.setApplicationVersion(__version__)
    app.setDesktopFileName("zerogui")
    app.setWindowIcon(QIcon(str(resource_path("icons", "app.svg"))))
    return app


def make_window(
    themes: ThemeManager,
    plan: OpenedPlan,
    path: str | None = None,
    settings_path: str | None = None,
    session: SessionStart | None = None,
) -> MainWindow:
    """The main window of ``plan``, or of what is restored by ``session``.

    Its chart is built after its first paint.
    """
    if session is not None:
        plan = session.plan(plan)
        path = session.restored.path if session.restored is not None else path
    window = MainWindow(plan, themes, path, settings_path)
    if session is not None:
        window.keep_session(session)
    watch = PaintWatch(window.work)
    watch.painted.connect(window.complete)
    if "ZEROGUI_WATCHDOG" in os.environ or sys.flags.dev_mode:
        from zerogui.gui import watchdog

        watchdog.watch(window)
    return window


def run(
    plan: OpenedPlan, path: str | None, *, smoke: bool = False, later: str | None = None
) -> int:
    """Open the window and run until it is closed; with ``smoke`` paint once and report.

    The file at ``later`` is opened once there is something to see.
    """
    start = time.perf_counter()
    if not smoke:
        return _run_kept(plan, path, later)
    if sys.stderr is not None:
        faulthandler.enable()
    app = make_application()
    window = make_window(ThemeManager(app), plan, path)
    _report_when_painted(app, window, start)
    return _execute(app, window)


def _run_kept(plan: OpenedPlan, path: str | None, later: str | None) -> int:
    """As ``run``, with all that is kept for the next start: settings, session, crash log."""
    # First: a start that Qt refuses is no unexpected end.
    app = make_application()
    crashes = CrashGuard(crash_log())
    crashes.install()
    session = begin(state_folder(), crash_log(), restore=path is None and later is None)
    window = make_window(ThemeManager(app), plan, path, settings_file(), session)
    if window.keeper is not None:
        crashes.watch(window, window.keeper.save_despite)
        # The desktop may end the program without closing the window.
        app.aboutToQuit.connect(window.keeper.close)
    window.work.views.built.connect(lambda: _end_on_signals(window))
    if later is not None:
        window.work.views.built.connect(lambda: window.open_file(later))
    status = _execute(app, window)
    crashes.remove()
    return status


def _end_on_signals(window: MainWindow) -> None:
    from zerogui.gui.session.ending import end_on_signals

    end_on_signals(window)


def _execute(app: QApplication, window: MainWindow) -> int:
    guards: list[QObject] = []

    def started() -> None:
        from zerogui.gui.widgets.wheel import WheelGuard

        # It sees every event of the program: not before there is something to guard.
        guards.append(WheelGuard.install(app))
        keep_what_is_made()

    window.work.views.built.connect(started)
    window.show()
    status = app.exec()
    for guard in guards:
        app.removeEventFilter(guard)
    release_clipboard(app)
    return status


def keep_what_is_made() -> None:
    """From now on garbage is collected, but not looked for in what the start has made: it stays."""
    gc.freeze()
    gc.enable()


def release_clipboard(app: QApplication) -> None:
    """Without a screen Qt keeps what was copied until after Python has gone, and then crashes."""
    if app.platformName() == "offscreen":
        app.clipboard().clear()


def _report_when_painted(app: QApplication, window: MainWindow, start: float) -> None:
    """Print one JSON line once table and chart are painted, then leave; status 1 if they fail."""
    table = PaintWatch(window.work.table.viewport())
    # Of two watches the later one tells first, so this one does before the chart is made.
    first = PaintWatch(window.work)

    def since_start(moment: float) -> int:
        return round((moment - start) * 1000)

    def chart_built() -> None:
        stage_chart: Any = window.work.views.view("stages")
        chart = PaintWatch(stage_chart.viewport())
        chart.painted.connect(lambda: finished(chart))

    def finished(chart: PaintWatch) -> None:
        stages = window.controller.shown.report.offered
        totals = {stage.label: stage.rank.total for stage in stages}
        line = {
            "zerogui": __version__,
            "platform": app.platformName(),
            "table_painted_ms": since_start(first.seen_at),
            "chart_painted_ms": since_start(chart.seen_at),
            # The same moments on the system's monotonic clock, for whoever started this process.
            "clock": [first.seen_at, chart.seen_at],
            "total_bytes": totals,
        }
        print(json.dumps(line), flush=True)
        window.close()
        app.exit(0)

    first.painted.connect(lambda: table.seen or app.exit(1))
    window.work.views.built.connect(chart_built)
    QTimer.singleShot(SMOKE_PATIENCE, window, lambda: app.exit(1))
