"""What happens when the program itself fails: the session is saved first, then it is told."""

import faulthandler
import sys
import threading
import types
from collections.abc import Callable
from contextlib import suppress
from typing import BinaryIO

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QWidget

MOST_REPORTS = 20  # of one run: a failing paint comes back sixty times a second


class CrashGuard(QObject):
    """The one hook for exceptions that nobody caught, in any thread; see ``install``."""

    failed = Signal(str)  # the report, for the dialog

    def __init__(self, log: str) -> None:
        super().__init__()
        self._log = log
        self._file: BinaryIO | None = None
        self._save: Callable[[], bool] = lambda: False
        self._kept = False
        self._window: QWidget | None = None
        self._dialog: QWidget | None = None
        self._busy = threading.local()
        self._known: set[str] = set()
        self._before: tuple[object, ...] = ()
        # Always by way of the event loop: not in the middle of a paint, nor in another thread.
        self.failed.connect(self._show, Qt.ConnectionType.QueuedConnection)

    def install(self) -> None:
        """From now on failures come here, those of the interpreter itself into the log."""
        from zerogui.files.crash_log import open_log

        try:
            self._file = open_log(self._log)
            faulthandler.enable(self._file)
        except OSError:
            if sys.stderr is not None:
                faulthandler.enable()
        self._before = (sys.excepthook, threading.excepthook, sys.unraisablehook)
        sys.excepthook = self._excepthook
        threading.excepthook = self._thread_hook
        sys.unraisablehook = self._unraisable_hook

    def remove(self) -> None:
        """Put everything back as it was."""
        if self._before:
            # mypy takes the empty tuple for its type.
            sys.excepthook, threading.excepthook, sys.unraisablehook = self._before  # type: ignore[assignment]
            self._before = ()
        faulthandler.disable()
        if self._file is not None:
            self._file.close()
            self._file = None
        self._window, self._save = None, lambda: False

    def watch(self, window: QWidget, save: Callable[[], bool]) -> None:
        """``save`` the session of ``window`` (True: it is kept) when something fails."""
        self._window, self._save = window, save

    def _excepthook(
        self, _: type[BaseException], error: BaseException, found: types.TracebackType | None
    ) -> None:
        if isinstance(error, KeyboardInterrupt):
            self._interrupted()
        else:
            self._handle(error, found)

    def _thread_hook(self, what: threading.ExceptHookArgs) -> None:
        if what.exc_value is not None and what.exc_type is not SystemExit:
            self._handle(what.exc_value, what.exc_traceback)

    def _unraisable_hook(self, what: "sys.UnraisableHookArgs") -> None:
        if what.exc_value is not None:
            self._handle(what.exc_value, what.exc_traceback)

    def _interrupted(self) -> None:
        """Ctrl+C in the terminal ends the program in order."""
        from PySide6.QtCore import QCoreApplication

        self._save_first()
        QCoreApplication.exit(130)

    def _handle(self, error: BaseException, found: types.TracebackType | None) -> None:
        """The session first: nothing that fails after it can lose it."""
        if getattr(self._busy, "on", False):
            return  # a failure of this very hook; the one outside goes on
        self._busy.on = True
        error, found = _first_cause(error, found)
        try:
            self._save_first()
            with suppress(BaseException):
                self._report(error, found)
        finally:
            self._busy.on = False

    def _save_first(self) -> None:
        self._kept = False
        with suppress(BaseException):
            self._kept = self._save()

    def _report(self, error: BaseException, found: types.TracebackType | None) -> None:
        from zerogui.files.crash_log import append, place, traced

        if len(self._known) >= MOST_REPORTS or place(error) in self._known:
            return
        self._known.add(place(error))
        try:
            text = f"{_versions()}\n\n{traced(error, found)}"
        except Exception as worse:
            text = f"{type(error).__qualname__}, and its report failed: {type(worse).__qualname__}"
        with suppress(Exception):
            append(self._log, text)
        with suppress(Exception):
            print(text, file=sys.stderr)
        self.failed.emit(text)

    def _show(self, report: str) -> None:
        """One dialog at a time; the log has the others."""
        with suppress(Exception):
            if self._dialog is not None or self._window is None:
                return
            from zerogui.gui.session.crash_dialog import CrashDialog

            self._dialog = CrashDialog(report, self._log, self._kept, self._window)
            self._dialog.finished.connect(self._closed)
            self._dialog.open()

    def _closed(self) -> None:
        self._dialog = None


def _first_cause(
    error: BaseException, found: types.TracebackType | None
) -> tuple[BaseException, types.TracebackType | None]:
    """What failed, where Qt went on with the exception and Python noticed it only later.

    After a single shot that fails Qt looks through its event filters before it tells of it.
    """
    while isinstance(error, SystemError) and error.__cause__ is not None:
        error = error.__cause__
        found = error.__traceback__
    return error, found


def _versions() -> str:
    from zerogui.gui.dialogs.about import versions

    return versions()
