"""Bytes from a path, and JSON without the laxities of Python's reader."""

import errno
import json
import os
import re
import stat
from collections import Counter
from collections.abc import Callable, Iterator

from zerogui.accounting.errors import shown
from zerogui.files.errors import FileError

LARGEST_FILE = 64 * 10**6
LARGEST_CONFIG = 16 * 10**6
# A file of 64 MB may be nothing but empty lists, which take thirty times that in memory.
_MOST_VALUES = 2**23

# Told (how many parts are read, of how many) while a file is read.
Progress = Callable[[int, int], None]

_MARKS = {
    b"\xef\xbb\xbf": "starts with a byte order mark; save it as UTF-8 without one.",
    b"\xff\xfe": "is UTF-16 text; save it as UTF-8.",
    b"\xfe\xff": "is UTF-16 text; save it as UTF-8.",
}
_LONGEST_INTEGER = 40
# Where a text may hold an integer that Python would read as another one, or not at all.
_ODD_INTEGER = re.compile(rf"-0|\d{{{_LONGEST_INTEGER}}}", re.ASCII)
_SURROGATE_ESCAPE = re.compile(r"\\u[dD][89a-fA-F]")


class Written:
    """A JSON number that is no plain integer (7.5e9, -0, NaN, thousands of digits), as written."""

    def __init__(self, text: str) -> None:
        self.text = text


class _Repeating(dict[str, object]):
    """An object of which ``key`` appears more than once."""

    key = ""


def read_bytes(path: str | os.PathLike[str], largest: int = LARGEST_FILE) -> bytes:
    """The contents of the file at ``path``. FileError where there is none, or over ``largest``."""
    source = os.fspath(path)
    try:
        # A pipe may never end, and opening one may never return.
        check_regular(os.stat(source), source)
        with open(source, "rb") as file:
            data = file.read(largest + 1)
    except OSError as error:
        raise FileError(source, why_unreadable(error)) from None
    except ValueError:
        # A path with a NUL, or one that the file system's encoding cannot express.
        raise FileError(source, "is no possible file name; check the name.") from None
    if len(data) > largest:
        sentence = f"is larger than {largest // 10**6} MB; choose a smaller file."
        raise FileError(source, sentence)
    return data


def check_regular(status: os.stat_result, source: str) -> None:
    """FileError for a device, a pipe or a socket; folders are refused by who opens them."""
    if not stat.S_ISREG(status.st_mode) and not stat.S_ISDIR(status.st_mode):
        raise FileError(source, "is a device or pipe, not a file; choose a file.")


def why_unreadable(error: OSError) -> str:
    """What a sentence says of a file that cannot be read, and what to do."""
    if error.errno in (errno.ENOENT, errno.ENOTDIR):
        return "there is no such file; check the name and the folder."
    if error.errno == errno.EISDIR:
        return "is a folder; choose a file in it."
    if error.errno == errno.ELOOP:
        return "is a link that leads back to itself; put the file in its place."
    if error.errno in (errno.EACCES, errno.EPERM):
        return "may not be read (permission denied); change its permissions or copy it elsewhere."
    return f"cannot be read ({error.strerror or error}); check the disk or copy it elsewhere."


def parse_json(data: bytes, source: str) -> object:
    """The JSON value in ``data``: dict, list, str, int, bool, None, or Written for odd numbers.

    FileError unless it is UTF-8 without a byte order mark, well formed, of at most 2^23 values, no
    deeper than Python recurses, and free of repeated keys and of half characters (lone surrogates).
    """
    text = _text(data, source)
    check_values(data, _MOST_VALUES, source)
    repeats: list[str] = []

    def collect(pairs: list[tuple[str, object]]) -> dict[str, object]:
        collected = dict(pairs)
        if len(collected) == len(pairs):
            return collected
        repeating = _Repeating(collected)
        [(repeating.key, _)] = Counter(key for key, _ in pairs).most_common(1)
        repeats.append(repeating.key)
        return repeating

    try:
        value: object = json.loads(
            text,
            object_pairs_hook=collect,
            parse_int=_integer if _ODD_INTEGER.search(text) else None,
            parse_float=Written,
            parse_constant=Written,
        )
    except json.JSONDecodeError as error:
        where = f"line {error.lineno:,}, column {error.colno:,}"
        what = error.msg[0].lower() + error.msg[1:].removesuffix(" starting at").removesuffix(" at")
        raise FileError(source, f"{where} is not JSON ({what}); correct it there.") from None
    except RecursionError:
        raise FileError(source, "is nested too deeply; choose another file.") from None
    if repeats:
        _refuse_repeats(value, source)
    if _SURROGATE_ESCAPE.search(text):
        _refuse_half_characters(value, source)
    return value


def check_values(data: bytes, most: int, source: str) -> None:
    """FileError where JSON text may hold more than ``most`` values, before any of them is made."""
    if data.count(b",") + data.count(b"[") + data.count(b"{") > most:
        raise FileError(source, f"holds more than {most:,} values; choose a smaller file.")


def _text(data: bytes, source: str) -> str:
    if len(data) > LARGEST_FILE:
        raise FileError(source, "is larger than 64 MB; choose a smaller file.")
    if not data.strip():
        raise FileError(source, "is empty; choose another file.")
    for mark, sentence in _MARKS.items():
        if data.startswith(mark):
            raise FileError(source, sentence)
    if b"\0" in data:
        raise FileError(source, "is not text (it has NUL bytes); choose another file.")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise FileError(source, f"line {line:,} is not UTF-8 text; save it as UTF-8.") from None


def _integer(text: str) -> int | Written:
    return Written(text) if text == "-0" or len(text) > _LONGEST_INTEGER else int(text)


def child(path: str, key: str) -> str:
    """The path of field ``key`` of the object at ``path``; odd names are quoted."""
    name = key if re.fullmatch(r"\w{1,60}", key) else shown(key)
    return f"{path}.{name}" if path else name


def _walk(value: object) -> Iterator[tuple[str, object]]:
    """(path, value) of ``value`` and everything in it, in file order, without recursion."""
    pending: list[tuple[str, object]] = [("", value)]
    while pending:
        path, item = pending.pop()
        yield path, item
        if isinstance(item, dict):
            pending.extend((child(path, key), item[key]) for key in reversed(item))
        elif isinstance(item, list):
            numbered = list(enumerate(item))
            pending.extend((f"{path}[{index}]", each) for index, each in reversed(numbered))


def _refuse_repeats(value: object, source: str) -> None:
    for path, item in _walk(value):
        if isinstance(item, _Repeating):
            raise FileError(source, f"{child(path, item.key)} appears twice; keep one of them.")


def _refuse_half_characters(value: object, source: str) -> None:
    for path, item in _walk(value):
        texts = [item] if isinstance(item, str) else item if isinstance(item, dict) else ()
        if any("\ud800" <= character <= "\udfff" for text in texts for character in text):
            sentence = f"{path or 'the file'} has half a character (a lone surrogate); remove it."
            raise FileError(source, sentence)
