"""What reading one input may cost: a second of processor time and 300 MB."""

import resource
import sys
import time
from contextlib import suppress

from tests.robustness.decoders import DECLARED, Decoder, check_refusal

SECONDS = 1.0
BYTES = 300 * 10**6


class UndeclaredError(AssertionError):
    """An input that broke the program instead of being read or refused."""


def try_one(decoder: Decoder, data: bytes) -> bool:
    """Whether ``decoder`` reads ``data`` (False: refuses it as it should), within the limits.

    What is too slow gets a second try, as a collection of garbage may fall on any input.
    """
    read, seconds, grown = _measured(decoder, data)
    if seconds > SECONDS:
        _, again, _ = _measured(decoder, data)
        seconds = min(seconds, again)
    if seconds > SECONDS:
        raise UndeclaredError(f"{decoder.name} took {seconds:.2f} s for {quoted(data)}")
    if grown > BYTES:
        raise UndeclaredError(f"{decoder.name} took {grown / 1e6:.0f} MB for {quoted(data)}")
    return read


def _measured(decoder: Decoder, data: bytes) -> tuple[bool, float, int]:
    """Whether it was read, processor seconds, and bytes by which the process peaked higher."""
    before = _peak(start=True)
    start = time.process_time()
    read = True
    try:
        decoder.read(data)
    except DECLARED as error:
        read = False
        check_refusal(error)
    except Exception as error:
        error.add_note(f"{decoder.name} with {quoted(data)}")
        raise
    return read, time.process_time() - start, _peak() - before


def _peak(*, start: bool = False) -> int:
    """The most memory, in bytes, that the process has had (Linux: since the last ``start``)."""
    if sys.platform == "linux":
        with suppress(OSError):
            if start:
                with open("/proc/self/clear_refs", "w") as file:
                    file.write("5")
            with open("/proc/self/status") as file:
                text = file.read()
            return int(text.partition("VmHWM:")[2].split()[0]) * 1024
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def quoted(data: bytes) -> str:
    """``data`` in full where it is short, so that a failure can be played again."""
    return repr(data) if len(data) < 4000 else f"{data[:2000]!r}... ({len(data):,} bytes)"
