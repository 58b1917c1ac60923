"""What is kept of a failure of the program itself: where it happened, and nothing of the plan."""

import os
import traceback
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from pathlib import PurePath
from types import TracebackType
from typing import BinaryIO

LARGEST_LOG = 256 * 1024  # bytes; half of it stays when it is full
_MOST_FRAMES = 40
_MOST_ERRORS = 8


def open_log(path: str) -> BinaryIO:
    """The log at ``path``, to be written at its end; cut to its newer half where it is long.

    OSError where that is not possible.
    """
    os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
    if os.path.exists(path) and os.path.getsize(path) > LARGEST_LOG:
        with open(path, "rb") as file:
            file.seek(-LARGEST_LOG // 2, os.SEEK_END)
            newer = file.read()
        with open(path, "r+b") as file:
            file.truncate(0)
            file.write(newer[newer.find(b"\n") + 1 :])
    return open(path, "ab", buffering=0)


def append(path: str, text: str) -> None:
    """Put ``text`` at the end of the log, with the time; where there is no log, nothing."""
    with suppress(OSError, ValueError), open_log(path) as log:
        moment = datetime.now().astimezone().isoformat(timespec="seconds")
        log.write(f"\n--- {moment}\n{text}\n".encode("utf-8", "replace"))


def traced(error: BaseException, found: TracebackType | None = None) -> str:
    """The traceback of ``error`` and of what led to it: types and places in the program.

    Messages are left out, because they may quote a file or the plan.
    """
    blocks: list[str] = []
    for each, how in _chain(error):
        frames = traceback.extract_tb((found if each is error else None) or each.__traceback__)
        lines = [_frame(frame) for frame in frames[-_MOST_FRAMES:]]
        if len(frames) > _MOST_FRAMES:
            lines.insert(0, f"  ({len(frames) - _MOST_FRAMES:,} more)")
        lines.append(f"{type(each).__module__}.{type(each).__qualname__}")
        blocks.append("\n".join([*([how] if how else []), *lines]))
    return "\n".join(blocks)


def place(error: BaseException) -> str:
    """Where ``error`` was raised, as one word: equal for the same failure again."""
    found = error.__traceback__
    while found is not None and found.tb_next is not None:
        found = found.tb_next
    where = f"{found.tb_frame.f_code.co_filename}:{found.tb_lineno}" if found else ""
    return f"{type(error).__qualname__}@{where}"


def _chain(error: BaseException) -> Iterator[tuple[BaseException, str]]:
    """``error`` and the errors behind it, each with how it came about."""
    seen: set[int] = set()
    each: BaseException | None = error
    how = ""
    while each is not None and id(each) not in seen and len(seen) < _MOST_ERRORS:
        yield each, how
        seen.add(id(each))
        if each.__cause__ is not None:
            each, how = each.__cause__, "because of:"
        else:
            each, how = each.__context__, "while handling:"


def _frame(frame: traceback.FrameSummary) -> str:
    """A place in the program, without the folder that it is installed in."""
    parts = PurePath(frame.filename).parts
    names = [name for name in ("site-packages", "zerogui") if name in parts]
    start = max((len(parts) - 1 - parts[::-1].index(name) for name in names), default=-1)
    where = "/".join(parts[start:]) if names else PurePath(frame.filename).name
    code = f"\n    {frame.line}" if frame.line else ""
    return f"  {where}:{frame.lineno} in {frame.name}{code}"
