"""A lock on a file that ends with the process that holds it, however that process ends."""

import os
import sys
import time
from contextlib import suppress
from typing import Self

if sys.platform == "win32":
    import msvcrt

    def _take(descriptor: int) -> None:
        # Beyond what is ever written, so that others can still read the file.
        os.lseek(descriptor, 1 << 20, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _take(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


class FileLock:
    """Holds the lock on the file at ``path`` until ``release``, which takes the file away.

    The file stays where its holder died, free to be taken: ``was_left`` tells that it was there
    before. Make one with ``try_lock``.
    """

    def __init__(self, path: str, descriptor: int, was_left: bool) -> None:
        self.path = path
        self.was_left = was_left
        self._descriptor = descriptor

    def release(self, *, keep: bool = False) -> None:
        """Let others have it; with ``keep`` the file stays, as if its holder had died."""
        if self._descriptor < 0:
            return
        descriptor, self._descriptor = self._descriptor, -1
        with suppress(OSError):
            # Windows lets no open file go; elsewhere nobody may lock it between the two steps.
            if sys.platform != "win32" and not keep:
                os.unlink(self.path)
        os.close(descriptor)
        if sys.platform == "win32" and not keep:
            with suppress(OSError):
                os.unlink(self.path)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()


def try_lock(path: str) -> FileLock | None:
    """The lock on ``path``; None while another has it. OSError where no file can be made there."""
    while True:
        was_left = True
        try:
            descriptor = os.open(path, os.O_RDWR)
        except FileNotFoundError:
            was_left = False
            try:
                descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
            except FileExistsError:
                continue
        try:
            _take(descriptor)
        except BlockingIOError:
            os.close(descriptor)
            return None
        except OSError as error:
            os.close(descriptor)
            if sys.platform == "win32" and isinstance(error, PermissionError):
                return None
            raise
        # Its last holder may have taken the file away between our two steps.
        if _is_at(path, descriptor):
            return FileLock(path, descriptor, was_left)
        os.close(descriptor)


def wait_for_lock(path: str, seconds: float) -> FileLock | None:
    """As ``try_lock``, for at most ``seconds``."""
    until = time.monotonic() + seconds
    while True:
        lock = try_lock(path)
        if lock is not None or time.monotonic() > until:
            return lock
        time.sleep(0.005)


def _is_at(path: str, descriptor: int) -> bool:
    try:
        return os.path.samestat(os.stat(path), os.fstat(descriptor))
    except OSError:
        return False
