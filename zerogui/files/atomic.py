"""Writing a file so that it is either complete or untouched."""

import errno
import os
import stat
from contextlib import suppress

from zerogui.accounting.errors import shown
from zerogui.files.errors import FileError


def write_atomically(
    path: str | os.PathLike[str], data: bytes, permissions: int | None = None
) -> None:
    """Put ``data`` into the file at ``path``, by way of a temporary file in the same folder.

    An existing file keeps its permissions, unless ``permissions`` says otherwise, and a symbolic
    link stays one. FileError where that is not possible; the file is then what it was before.
    """
    source = os.fspath(path)
    try:
        target = os.path.realpath(source)
        if os.path.isdir(target):
            raise FileError(source, "is a folder; choose a file name in it.")
        # Replacing asks the folder's permissions only; a read-only file is meant to stay.
        if os.path.exists(target) and not _is_writable(target):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        if os.path.exists(target) and not stat.S_ISREG(os.stat(target).st_mode):
            raise FileError(source, "is a device or pipe, not a file; choose another name.")
        _replace(target, data, permissions)
    except OSError as error:
        raise unwritable(source, error) from None
    except ValueError:
        raise FileError(source, "is no possible file name; choose another.") from None


def _is_writable(path: str) -> bool:
    effective = os.access in os.supports_effective_ids
    return os.access(path, os.W_OK, effective_ids=effective)


def _replace(target: str, data: bytes, permissions: int | None) -> None:
    folder, name = os.path.split(target)
    # Short, so that a target with the longest possible name can be written too.
    temporary = os.path.join(folder, f".{name[:20]}.{os.urandom(6).hex()}")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    descriptor = os.open(temporary, flags, 0o666)
    try:
        with open(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        with suppress(FileNotFoundError):
            if permissions is None:
                permissions = os.stat(target).st_mode & 0o777
        if permissions is not None:
            os.chmod(temporary, permissions)
        os.replace(temporary, target)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise
    _sync_folder(folder)


def _sync_folder(folder: str) -> None:
    """Make the new name survive a power cut too, where the platform can."""
    if not hasattr(os, "O_DIRECTORY"):
        return
    # The file itself is whole by now, whatever this one says.
    with suppress(OSError):
        descriptor = os.open(folder or os.curdir, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def unwritable(source: str, error: OSError) -> FileError:
    """What to tell the user of a file at ``source`` whose writing failed with ``error``."""
    return FileError(source, _why(error, source))


def _why(error: OSError, source: str) -> str:
    if error.errno in (errno.ENOENT, errno.ENOTDIR):
        folder = shown(os.path.dirname(source) or ".", 200)
        return f"there is no folder {folder}; make it or choose another."
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return "may not be written (permission denied); choose another name or folder."
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return "the disk is full; free some space or choose another folder."
    if error.errno == errno.ENAMETOOLONG:
        return "the name is too long; choose a shorter one."
    return f"cannot be written ({error.strerror or error}); choose another folder."
