"""The folder of sessions: each running instance owns one, and takes over what others have left."""

import itertools
import os
import re
import threading
from contextlib import suppress
from dataclasses import dataclass

from zerogui.files.aside import moved_aside
from zerogui.files.atomic import write_atomically
from zerogui.files.errors import FileError
from zerogui.files.locks import FileLock, try_lock
from zerogui.files.session import Encoder, Session, check_size, has_unsaved, read

# The session, its lock, its marks, and what a writer that was killed has left half written.
_NAME = re.compile(r"(\.?)session-([0-9a-f]{12})\.(?:json|lock|trying|told|[0-9a-f]{12})")
# Marks beside a session: it is being restored, and no window has shown it yet; the user has been
# told that it waits.
TRYING, TOLD = "trying", "told"
# Sessions that wait with unsaved work; beyond these the oldest go.
MOST_WAITING = 20


class OwnSession:
    """The session of one running instance: nobody else writes it while the instance lives.

    May be used from any thread.
    """

    def __init__(self, path: str, lock: FileLock, written: Session | None = None) -> None:
        self.path = path
        self._lock = lock
        self._encoder = Encoder()
        self._written = written
        self._order = threading.RLock()
        self._moments = itertools.count(1)
        self._last = 0

    def ticket(self) -> int:
        """The place of a state in time: what is older than the file is not written any more."""
        return next(self._moments)

    def write(self, session: Session, ticket: int | None = None) -> bool:
        """Write ``session``, whole or not at all; False where the file has it. FileError."""
        moment = self.ticket() if ticket is None else ticket
        with self._order:
            if moment < self._last or session == self._written:
                return False
            data = self._encoder.encode(session)
            check_size(data, self.path)
            write_atomically(self.path, data)
            self._written, self._last = session, moment
            return True

    def proven(self) -> None:
        """A window has shown what was restored: the next start may do so too."""
        _unmark(self.path, TRYING)

    def leave(self, *, forget: bool = False) -> None:
        """The instance goes (normally); with ``forget`` its session is not wanted any more."""
        with self._order:
            if forget:
                _forget(self.path)
            self.proven()
            self._lock.release()


@dataclass(frozen=True)
class Left:
    """A session whose owner has gone; it is ours while we hold ``lock``. ``crashed``: without a
    normal exit."""

    path: str
    lock: FileLock
    crashed: bool

    @property
    def suspect(self) -> bool:
        """Whether the program ended while it restored it."""
        return _is_marked(self.path, TRYING)

    @property
    def wanted(self) -> bool:
        """Whether there is something in it that the user may want back."""
        return has_unsaved(self.path) or self.suspect

    def free(self) -> None:
        """Leave it as it is, for whoever wants it."""
        self.lock.release(keep=self.crashed)


@dataclass(frozen=True)
class Beginning:
    """What a starting instance finds: its ``own`` session, what it ``restored`` (None: nothing).

    ``crashed``: an instance ended without a normal exit since the last start; ``suspect``: it did
    so while it restored the newest session, which now waits; ``waiting``: another session with
    unsaved work does, and the user has not been told; ``notes`` are sentences on files that were
    moved aside.
    """

    own: OwnSession
    restored: Session | None = None
    crashed: bool = False
    suspect: bool = False
    waiting: bool = False
    notes: tuple[str, ...] = ()


class SessionFolder:
    """The sessions in ``folder``. Every method raises FileError where it cannot be used."""

    def __init__(self, folder: str) -> None:
        self._folder = os.path.join(folder, "sessions")
        self._above = folder

    def begin(self, *, restore: bool) -> Beginning:
        """Start an instance, with the newest session left (``restore``) or with one of its own.

        FileError where the folder cannot be used.
        """
        try:
            os.makedirs(self._folder, mode=0o700, exist_ok=True)
            return self._begin(restore)
        except OSError as error:
            why = error.strerror or "unknown error"
            raise FileError(self._folder, f"cannot be used ({why}).") from None

    def _begin(self, restore: bool) -> Beginning:
        notes: list[str] = []
        lefts = self._lefts()
        crashed = any(left.crashed for left in lefts)
        for left in lefts:
            if not os.path.lexists(left.path):
                _let_go(left, forget=True)
        lefts = [left for left in lefts if os.path.lexists(left.path)]
        suspect = bool(lefts) and lefts[0].suspect
        restored, own = self._take_newest(lefts, notes) if restore and not suspect else (None, None)
        untold = [_wait(left) for left in self._bounded(lefts, restored is None)]
        return Beginning(
            own or self._new(),
            restored,
            crashed,
            suspect and untold[0],
            any(untold[1:] if suspect else untold),
            tuple(notes),
        )

    def _bounded(self, lefts: list[Left], nothing_restored: bool) -> list[Left]:
        """Those of ``lefts``, the newest first, that wait for the user; the others are let go."""
        waiting = [left for left in lefts if left.wanted][:MOST_WAITING]
        for place, left in enumerate(lefts):
            if left not in waiting:
                # Without unsaved work only the newest is of any use, to the next start.
                _let_go(left, forget=left.wanted or place > 0 or not nothing_restored)
        return waiting

    def take(self) -> tuple[Session, OwnSession] | None:
        """The newest session with unsaved work that is left, now owned; None where there is none.

        FileError for one that cannot be used: it has been moved aside, as the sentence says.
        """
        notes: list[str] = []
        try:
            wanted: list[Left] = []
            for left in self._lefts():
                if left.wanted:
                    wanted.append(left)
                else:
                    left.free()
            restored, own = self._take_newest(wanted, notes)
            for left in wanted:
                left.free()
        except OSError as error:
            raise FileError(self._folder, f"cannot be used ({error.strerror}).") from None
        if restored is None or own is None:
            if notes:
                raise FileError(self._folder, " ".join(notes))
            return None
        return restored, own

    def new(self) -> OwnSession:
        """One more session of this instance's own. FileError where there is no room for one."""
        try:
            return self._new()
        except OSError as error:
            raise FileError(self._folder, f"cannot be used ({error.strerror}).") from None

    def _take_newest(
        self, lefts: list[Left], notes: list[str]
    ) -> tuple[Session | None, OwnSession | None]:
        """The first of ``lefts`` that can be read, which leaves the list as the unusable do."""
        while lefts:
            left = lefts.pop(0)
            _unmark(left.path, TOLD)
            # Before it is read: whatever then ends the program must not do so at every start.
            _mark(left.path, TRYING)
            try:
                session = read(left.path)
            except FileError as error:
                notes.append(moved_aside(error, self._above, "session"))
                _unmark(left.path, TRYING)
                left.lock.release()
                continue
            return session, OwnSession(left.path, left.lock, session)
        return None, None

    def _lefts(self) -> list[Left]:
        """The sessions without a living owner, locked, the newest first."""
        found: list[tuple[int, Left]] = []
        for name, scraps in self._names().items():
            stem = os.path.join(self._folder, f"session-{name}")
            lock = try_lock(f"{stem}.lock")
            if lock is None:
                continue
            for scrap in scraps:
                with suppress(OSError):
                    os.unlink(os.path.join(self._folder, scrap))
            left = Left(f"{stem}.json", lock, lock.was_left)
            found.append((_changed_at(left.path), left))
        found.sort(key=lambda pair: (pair[0], pair[1].path), reverse=True)
        return [left for _, left in found]

    def _names(self) -> dict[str, list[str]]:
        """The names of all sessions, each with the half-written files beside it."""
        names: dict[str, list[str]] = {}
        for name in os.listdir(self._folder):
            match = _NAME.fullmatch(name)
            if match is not None:
                names.setdefault(match[2], []).extend([name] if match[1] else [])
        return names

    def _new(self) -> OwnSession:
        stem = os.path.join(self._folder, f"session-{os.urandom(6).hex()}")
        lock = try_lock(f"{stem}.lock")
        if lock is None:  # pragma: no cover (12 random digits, met again)
            raise FileError(stem, "is in use.")
        return OwnSession(f"{stem}.json", lock)


def _changed_at(path: str) -> int:
    """When the file was written, ns; -1 where there is none."""
    try:
        return os.stat(path).st_mtime_ns
    except OSError:
        return -1


def _let_go(left: Left, *, forget: bool) -> None:
    if forget:
        _forget(left.path)
    # A crash is told of once.
    left.lock.release()


def _wait(left: Left) -> bool:
    """Let ``left`` wait for the user; whether that is news."""
    news = not _is_marked(left.path, TOLD)
    _mark(left.path, TOLD)
    _let_go(left, forget=False)
    return news


def _marked(path: str, mark: str) -> str:
    return f"{path.removesuffix('json')}{mark}"


def _is_marked(path: str, mark: str) -> bool:
    return os.path.lexists(_marked(path, mark))


def _mark(path: str, mark: str) -> None:
    with suppress(OSError), open(_marked(path, mark), "wb"):
        pass


def _unmark(path: str, mark: str) -> None:
    with suppress(OSError):
        os.unlink(_marked(path, mark))


def _forget(path: str) -> None:
    """The session at ``path`` and its marks go."""
    for mark in ("json", TRYING, TOLD):
        _unmark(path, mark)
