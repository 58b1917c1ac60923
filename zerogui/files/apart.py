"""Reads large files in a process of its own, so that nobody waits for the decoding of one.

A thread would not do: the decoders of JSON hold Python's lock for as long as a file takes them.
"""

import gc
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from zerogui.files.errors import FileError
from zerogui.files.opening import Opened, is_checkpoint, open_any
from zerogui.files.reading import Progress
from zerogui.files.transfer import (
    BrokenTransferError,
    Line,
    ReadHereError,
    received,
    sent,
    sent_error,
    sent_progress,
)

# The first argument that makes the program read a file and tell what is in it, for its own use.
READ_APART = "--read-apart"

# Below this many bytes a decoder is done within a few hundredths of a second.
SMALL = 10**6
_MOST_HEADERS = 64


def open_apart(path: str, progress: Progress, check: Callable[[], None]) -> Opened:
    """As ``open_any``; large files are read by another process, which ends with this call.

    ``check`` is called all the time and may raise in order to stop it, as may ``progress``.
    """
    if bytes_to_decode(path) <= SMALL:
        return open_any(path, progress)
    try:
        with _reading(path) as lines:

            def read() -> Line:
                check()
                line = next(lines, b"")
                try:
                    value: Line = json.loads(line)
                except ValueError:
                    raise BrokenTransferError from None
                return value

            return received(read, progress)
    except ReadHereError:
        return open_any(path, progress)
    except BrokenTransferError:
        check()
        sentence = "was not read to its end; close other programs to free memory and try again."
        raise FileError(path, sentence) from None
    except OSError:
        # No further process can be started; then it is better to wait than not to open the file.
        return open_any(path, progress)


def bytes_to_decode(path: str) -> int:
    """About how many bytes at ``path`` a decoder goes through; SMALL + 1 where that is unclear."""
    try:
        if not is_checkpoint(path):
            return os.path.getsize(
                os.path.join(path, "config.json") if os.path.isdir(path) else path
            )
        if not os.path.isdir(path):
            return _header(path) if path.lower().endswith(".safetensors") else SMALL + 1
        names = [
            name for name in os.listdir(path) if name.lower().endswith((".safetensors", ".json"))
        ]
        if len(names) > _MOST_HEADERS:
            return SMALL + 1
        return sum(_header(os.path.join(path, name)) for name in names)
    except (OSError, ValueError):
        # What is wrong with it is soon said.
        return 0


def _header(path: str) -> int:
    # Opening a pipe would wait for whoever writes to it; its refusal is soon said.
    if not os.path.isfile(path):
        return 0
    size = os.path.getsize(path)
    if not path.lower().endswith(".safetensors"):
        return size
    with open(path, "rb", buffering=0) as file:
        return min(size, int.from_bytes(file.read(8), "little"))


@contextmanager
def _reading(path: str) -> Iterator[Iterator[bytes]]:
    """Lines of a process that reads ``path``; it is stopped at the end, however that comes."""
    with subprocess.Popen(
        [*_program(), READ_APART, path],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=_environment(),
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
    ) as process:
        assert process.stdout is not None
        try:
            yield iter(process.stdout)
        finally:
            process.kill()


def _program() -> list[str]:
    if getattr(sys, "frozen", False):
        return [sys.executable]
    # -P: no module of the folder that the program happens to stand in.
    return [sys.executable, "-P", "-m", "zerogui"]


def _environment() -> dict[str, str]:
    """The child finds this very package, wherever it was imported from."""
    environment = dict(os.environ)
    here = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    if not getattr(sys, "frozen", False):
        others = environment.get("PYTHONPATH", "")
        environment["PYTHONPATH"] = here + (os.pathsep + others if others else "")
    return environment


def main(path: str) -> int:
    """What the other process does: tell on standard output what ``path`` holds."""
    gc.disable()  # it ends before that would pay
    # By its number: a program without a console has no sys.stdout, but the pipe all the same.
    # Nobody may be left to listen.
    with suppress(BrokenPipeError), open(1, "wb", closefd=False) as out:

        def progress(done: int, of: int) -> None:
            out.write(sent_progress(done, of).encode())
            out.flush()

        try:
            for line in sent(open_any(path, progress)):
                out.write(line.encode())
        except FileError as error:
            out.write(sent_error(error).encode())
    return 0
