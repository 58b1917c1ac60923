"""Work that may take long: how the controller hands it out, and how it says how far it is."""

import gc
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from zerogui.accounting.errors import InputError
from zerogui.files.errors import FileError

WORK_ERRORS = (FileError, InputError)


class CancelledError(Exception):
    """The work is no longer wanted."""


class Watch:
    """What a piece of work is given: it reports progress here, and learns that it is cancelled."""

    def __init__(self) -> None:
        self.cancelled = False
        self.done_of: tuple[int, int] | None = None

    def progress(self, done: int, of: int) -> None:
        """``done`` of ``of`` parts are ready. CancelledError where nobody waits any more."""
        self.done_of = (done, of)
        self.check()

    def check(self) -> None:
        """CancelledError where nobody waits any more."""
        if self.cancelled:
            raise CancelledError


# How many are within ``without_collecting``, after whether Python collected before the first.
_within: list[bool] = []
_lock = threading.Lock()


@contextmanager
def without_collecting() -> Iterator[None]:
    """Makes many objects at once without Python looking through all of them for garbage.

    That would hold up every thread, and for longer the more there are. Besides, what a window
    has dropped may be taken away in the window's own thread only. Not before the last of
    several threads has left does Python look for garbage again.
    """
    with _lock:
        if not _within:
            _within.append(gc.isenabled())
        _within.append(True)
        gc.disable()
    try:
        yield
    finally:
        with _lock:
            _within.pop()
            if len(_within) == 1 and _within.pop():
                gc.enable()


# While a thread works, Python hands its lock over this often (s): painting asks for it many times.
SWITCH = 0.001
_sharing: list[float] = []


def share_lock(on: bool) -> None:
    """Until it is called with False as often as with True, threads leave the window its turns."""
    with _lock:
        if on:
            _sharing.append(sys.getswitchinterval())
            sys.setswitchinterval(SWITCH)
        elif len(_sharing) == 1:
            sys.setswitchinterval(_sharing.pop())
        else:
            # Only what was before the first of them counts.
            _sharing.pop()


# From so many tensors on it pays to keep them out of the search for garbage.
MANY_OBJECTS = 10_000


def settle() -> None:
    """All that was made so far is here to stay: it is not looked through for garbage again."""
    gc.freeze()


class Job(NamedTuple):
    """``work`` may run anywhere; ``done`` and ``failed`` run where the job was handed out.

    A job with a ``slot`` is out of date as soon as another one with the same is handed out, or
    what it is about has gone; jobs without one run one after the other, to their end. The user
    may cancel what is ``optional``.
    """

    title: str
    work: Callable[[Watch], Any]
    done: Callable[[Any], None]
    failed: Callable[[Exception], None]
    slot: str | None = None
    optional: bool = False


Runner = Callable[[Job], None]


def run_at_once(job: Job) -> None:
    """The runner without a window: the job is finished on return."""
    try:
        result = job.work(Watch())
    except WORK_ERRORS as error:
        job.failed(error)
    else:
        job.done(result)
