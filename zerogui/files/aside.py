"""Puts a file that cannot be used out of the way, under a name that says so."""

import os

from zerogui.accounting.errors import printable
from zerogui.files.errors import FileError, file_name

_MOST = 1000


class NewerVersionError(FileError):
    """A file that a newer version of the program wrote."""


def check_header(value: object, source: str, form: str, version: int) -> dict[str, object]:
    """``value`` as an object of ``form`` and ``version``. FileError, NewerVersionError."""
    if not isinstance(value, dict):
        raise FileError(source, "is no object; remove it.")
    if value.get("format") != form:
        raise FileError(source, f'format is not "{form}"; remove it.')
    found = value.get("version")
    if type(found) is not int or found < 1:
        raise FileError(source, f"version is no version; this zerogui reads version {version}.")
    if found > version:
        raise NewerVersionError(source, f"is of version {found:,}; this zerogui reads {version}.")
    return value


def moved_aside(error: FileError, folder: str, stem: str) -> str:
    """One sentence on what became of the file ``error`` is about.

    It is now ``stem``.corrupt-1.json in ``folder`` (newer-1 for a newer version's, or the first
    free number), with its contents as they were.
    """
    kind = "newer" if isinstance(error, NewerVersionError) else "corrupt"
    name = printable(file_name(error.source))
    why = printable(error.sentence.rstrip("."))
    try:
        place = _free(os.path.join(folder, f"{stem}.{kind}"))
        os.rename(error.source, place)
    except OSError:
        return f"{name} could not be used ({why}) nor be moved aside; defaults are used instead."
    return f"{name} could not be used ({why}); it is kept as {place}."


def _free(stem: str) -> str:
    for number in range(1, _MOST):
        place = f"{stem}-{number}.json"
        if not os.path.lexists(place):
            return place
    return f"{stem}-{_MOST}.json"
