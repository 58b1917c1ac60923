"""Saving over a file that others may have written: nobody's contents are lost unasked."""

import os
import stat
from dataclasses import dataclass

from zerogui.files.atomic import unwritable, write_atomically
from zerogui.files.errors import FileError, file_name
from zerogui.files.reading import LARGEST_FILE, read_bytes

MOST_KEPT = 9


@dataclass(frozen=True)
class Written:
    """A file was written; ``digest`` is of its contents.

    ``kept`` names the file that now has the contents from before, ``dropped`` tells that the
    oldest of all kept ones had to go for it; ``was_gone`` that somebody had deleted the file.
    """

    digest: bytes
    kept: str | None = None
    dropped: bool = False
    was_gone: bool = False


@dataclass(frozen=True)
class Changed:
    """Nothing was written: the file no longer holds what was expected."""

    path: str


def digest(data: bytes) -> bytes:
    """What tells contents apart."""
    from hashlib import blake2b

    return blake2b(data, digest_size=16).digest()


def digest_of(path: str) -> bytes | None:
    """The digest of the file at ``path``; None where there is none that can be read."""
    try:
        return None if os.path.isdir(path) else digest(read_bytes(path))
    except FileError:
        return None


def replace_file(
    path: str,
    data: bytes,
    expected: bytes | None = None,
    own: frozenset[bytes] = frozenset(),
    careful: bool = False,
) -> Written | Changed:
    """Write ``data`` to ``path``, keeping beside it what was there unless ``own`` has its digest.

    ``expected`` is the digest that the file should still have, None where nothing is known of
    it; with ``careful`` nothing is written where it has another one. FileError where the file
    cannot be written; it is then what it was before.
    """
    new = digest(data)
    found = _contents(path)
    if found is None:
        write_atomically(path, data)
        return Written(new, was_gone=expected is not None)
    old = digest(found)
    if careful and expected is not None and old not in (expected, new):
        return Changed(path)
    kept, dropped = None, False
    if old != new and old not in own:
        kept, dropped = _keep(path, found, old)
    write_atomically(path, data)
    return Written(new, kept, dropped)


def _contents(path: str) -> bytes | None:
    """What the file at ``path`` holds, None where there is none. FileError for what is no file."""
    try:
        status = os.stat(path)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise unwritable(path, error) from None
    except ValueError:
        raise FileError(path, "is no possible file name; choose another.") from None
    if stat.S_ISDIR(status.st_mode):
        raise FileError(path, "is a folder; choose a file name in it.")
    if not stat.S_ISREG(status.st_mode):
        raise FileError(path, "is a device or pipe, not a file; choose another name.")
    if status.st_size > LARGEST_FILE:
        raise FileError(path, "is larger than 64 MB, so no scenario; choose another name.")
    return read_bytes(path)


def _keep(path: str, contents: bytes, old: bytes) -> tuple[str, bool]:
    """Put ``contents`` beside ``path``; its file's name, and whether an older kept one went."""
    target = os.path.realpath(path)
    places = [f"{target}.bak{number if number > 1 else ''}" for number in range(1, MOST_KEPT + 1)]
    for place in places:
        if not os.path.lexists(place):
            _copy(target, place, contents)
            return file_name(place), False
        if digest_of(place) == old:
            return file_name(place), False
    oldest = min(places, key=lambda place: os.lstat(place).st_mtime_ns)
    _copy(target, oldest, contents)
    return file_name(oldest), True


def _copy(target: str, place: str, contents: bytes) -> None:
    try:
        permissions = os.stat(target).st_mode & 0o777
    except OSError as error:
        raise unwritable(target, error) from None
    write_atomically(place, contents, permissions)
