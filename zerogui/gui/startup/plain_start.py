"""Makes Qt's application where Qt would rather abort the process: it says why and leaves."""

import os
import re
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import NoReturn

from PySide6.QtCore import QMessageLogContext, QtMsgType, qInstallMessageHandler
from PySide6.QtWidgets import QApplication

from zerogui.files.errors import FileError
from zerogui.gui.startup.c_locale import leave_c_locale
from zerogui.gui.theme import STYLE, STYLED

CANNOT_START = 2  # the exit status of wrong input, too
_AVAILABLE = re.compile(r"Available platform plugins are: ([^.]*)\.")


def plain_start(
    arguments: Sequence[str], refused: Callable[[str], object] | None = None
) -> QApplication:
    """The application. Where no window can open, ``refused`` is told why, and the process ends.

    Without ``refused`` the reason goes to stderr and the exit status is 2; with it the status is
    0. Asking beforehand would cost every start some milliseconds, and would know less than Qt.
    """
    words: list[str] = []

    def hear(kind: QtMsgType, _context: QMessageLogContext, text: str) -> None:
        words.append(text)
        if kind == QtMsgType.QtFatalMsg:
            # Qt aborts when this returns.
            _leave(words, refused)

    leave_c_locale()
    before = qInstallMessageHandler(hear)
    try:
        # Setting the style afterwards would load all that styles know.
        app = QApplication([*arguments, "-style", STYLE])
    finally:
        qInstallMessageHandler(before)
    app.setProperty(STYLED, True)
    if not app.screens():
        _leave([*words, "there is no screen"], refused)
    # Such as a platform that did not work, while the next one did.
    if words and sys.stderr is not None:
        print(*words, sep="\n", file=sys.stderr)
    return app


def _leave(words: list[str], refused: Callable[[str], object] | None) -> NoReturn:
    from zerogui.gui.startup.first_run import no_window

    found = _AVAILABLE.search(words[-1])
    available = found.group(1).split(", ") if found else []
    said = " ".join(words[-1].split()) if not found else " ".join(" ".join(words[:-1]).split())
    reason = no_window(os.environ, said, available)
    # The streams may be closed; there is nobody to tell then.
    with suppress(OSError, ValueError, FileError):
        if refused is not None:
            refused(reason)
        else:
            print(f"zerogui: {reason}", file=sys.stderr)
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                stream.flush()
    os._exit(CANNOT_START if refused is None else 0)
