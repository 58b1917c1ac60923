"""Keeps the session of one window: saved within a second of each change, restored at a start."""

import threading
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject, QTimer, Signal

from zerogui.files.errors import FileError
from zerogui.gui.controller import Controller
from zerogui.gui.shown import Shown
from zerogui.planning.opening import OpenedPlan
from zerogui.planning.start import seed
from zerogui.planning.work import share_lock, without_collecting

if TYPE_CHECKING:
    from zerogui.files.session import Session
    from zerogui.files.session_folder import Beginning, OwnSession, SessionFolder

PROVEN = 300  # ms after the views are made: what is restored has been painted by then
AUTOSAVE = 400  # ms after the first change that is not in the file yet
REOPEN = "File > Reopen last session brings it back"


class SessionStart(NamedTuple):
    """What a start has to do with sessions; ``beginning`` is None where none can be kept.

    ``notes`` are sentences for the user.
    """

    folder: "SessionFolder"
    beginning: "Beginning | None"
    notes: tuple[str, ...]

    @property
    def restored(self) -> "Session | None":
        """The session to go on with."""
        return self.beginning.restored if self.beginning is not None else None

    def plan(self, plan: OpenedPlan) -> OpenedPlan:
        """``plan``, or the restored session's instead, with what there is to say."""
        session = self.restored
        if session is None:
            return plan._replace(notes=(*plan.notes, *self.notes))
        from zerogui.planning.sessions import plan_of_session

        return plan_of_session(session, self.notes)


def begin(state_folder: str, log: str, *, restore: bool) -> SessionStart:
    """Start with the sessions in ``state_folder``; ``log`` is the crash log's path."""
    from zerogui.files.session_folder import SessionFolder

    folder = SessionFolder(state_folder)
    try:
        found = folder.begin(restore=restore)
    except FileError as error:
        return SessionStart(folder, None, (f"This session will not be kept: {error}",))
    notes = list(found.notes)
    if found.suspect:
        notes.append(
            "zerogui ended unexpectedly while it brought back the last session, which is kept:"
            f" {REOPEN} (crash log: {log})."
        )
    elif found.crashed:
        after = "; your session is back as it was" if found.restored is not None else ""
        notes.append(f"zerogui ended unexpectedly last time{after} (crash log: {log}).")
    if found.waiting:
        notes.append(f"An earlier session has unsaved work: {REOPEN}.")
    return SessionStart(folder, found, tuple(notes))


def _first(view: str) -> "Session":
    """What a start without any session shows."""
    from zerogui.files.session import Session

    return Session(seed(), seed(), view=view)


class SessionKeeper(QObject):
    """Writes what ``controller`` shows to the session; ``close`` it when the window goes."""

    trouble = Signal(str)  # a sentence for the user, at most once

    def __init__(
        self, parent: QObject, controller: Controller, start: SessionStart, view: str
    ) -> None:
        super().__init__(parent)
        self._controller = controller
        self._folder = start.folder
        self._own: OwnSession | None = start.beginning.own if start.beginning else None
        self._view = view
        self._told = False
        self._writer: threading.Thread | None = None
        self._last = start.restored
        if self._last is None and controller.session(view) == _first(view):
            self._last = _first(view)  # the next start shows it without any session
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(AUTOSAVE)
        self._timer.timeout.connect(self._save_aside)

    def watch_out(self) -> None:
        """The views are made: once they are painted the restored session has done no harm."""
        QTimer.singleShot(PROVEN, self, self._prove)

    def _prove(self) -> None:
        if self._own is not None:
            self._own.proven()

    def display(self, shown: Shown) -> None:
        """The plan, its pins or its file may have changed."""
        self._note_change()

    def view_changed(self, view: str) -> None:
        """Another view has come to the front."""
        self._view = view
        self._note_change()

    def _note_change(self) -> None:
        if self._own is not None and not self._timer.isActive():
            self._timer.start()

    def save_now(self) -> None:
        """Write the session; it is in the file when this returns. From any thread, and safe in a
        program that has failed: what it needs is frozen. FileError."""
        own = self._own
        if own is None:
            return
        session = self._controller.session(self._view)
        if session != self._last:
            own.write(session)
            self._last = session

    def _save_aside(self) -> None:
        """Encode and write beside the window, which a slow disk must not stop."""
        own = self._own
        if own is None:
            return
        if self._writer is not None and self._writer.is_alive():
            self._timer.start()
            return
        session = self._controller.session(self._view)
        if session == self._last:
            return
        self._last = session
        ticket = own.ticket()
        self._writer = threading.Thread(
            target=self._write, args=(own, session, ticket), name="session", daemon=True
        )
        self._writer.start()

    def _write(self, own: "OwnSession", session: "Session", ticket: int) -> None:
        share_lock(True)
        try:
            with without_collecting():
                own.write(session, ticket)
        except FileError as error:
            self._last = None  # the next change tries again
            self._tell(error)
        finally:
            share_lock(False)

    def _tell(self, error: FileError) -> None:
        if not self._told:
            self._told = True
            self.trouble.emit(f"This session is not kept: {error}")

    def _settle(self) -> None:
        """Everything is in the file, and no writer is at work."""
        self._timer.stop()
        if self._writer is not None:
            self._writer.join()
            self._writer = None
        try:
            self.save_now()
        except FileError as error:
            self._tell(error)

    def close(self) -> None:
        """The window goes: the session is written, and marked as left in order."""
        own = self._own
        if own is None:
            return
        self._settle()
        self._own = None
        own.leave()

    def reopen(self) -> bool:
        """Go on with the newest other session that has unsaved work; False where there is none.

        The present one waits in its place if it has unsaved work too. FileError.
        """
        own = self._own
        if own is None:
            return False
        found = self._folder.take()
        if found is None:
            return False
        from zerogui.planning.sessions import plan_of_session

        self._settle()
        own.leave(forget=not self._controller.session(self._view).unsaved)
        session, self._own = found
        self._last = session
        self._controller.restore(plan_of_session(session), session.path)
        self.watch_out()
        return True

    def save_despite(self) -> bool:
        """As ``save_now``, whatever fails; whether the session is kept."""
        with suppress(Exception):
            self.save_now()
            return self._own is not None
        return False
