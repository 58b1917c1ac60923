"""Work that may take long: how the controller hands it out, and how it says how far it is."""

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

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


@contextmanager
def without_collecting() -> Iterator[None]:
    """Makes many objects at once without Python looking through all of them for garbage.

    That would hold up every thread, and for longer the more there are.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def settle() -> None:
    """All that was made so far is here to stay: it is not looked through for garbage again."""
    gc.freeze()


@dataclass(frozen=True)
class Job:
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
