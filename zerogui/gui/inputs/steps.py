"""How the arrow keys, the page keys and the wheel change a number; whole numbers, no Qt.

A step function takes the value and a direction (+1 or -1) and whether the step is a large one.
"""

from collections.abc import Callable

Step = Callable[[int, int, bool], int]


def step_workers(value: int, direction: int, large: bool) -> int:
    """One more or fewer; large: the next power of two."""
    if not large:
        return value + direction
    if direction > 0:
        return 1 << value.bit_length() if value > 0 else 1
    return 1 << ((value - 1).bit_length() - 1) if value > 1 else value - 1


def step_parameters(value: int, direction: int, large: bool) -> int:
    """One more or fewer in the second significant digit; large: in the first."""
    return _decimal_step(value, direction, 0 if large else 1)


def step_threshold(value: int, direction: int, large: bool) -> int:
    """Like a parameter count, starting at 10,000 and ending at nothing."""
    if value + direction <= 10_000 and (direction < 0 or value < 10_000):
        return 0 if direction < 0 else 10_000
    return _decimal_step(value, direction, 0 if large else 1)


def step_size(unit: int) -> Step:
    """One ``unit`` of bytes more or fewer, from whole to whole; large: ten."""

    def step(value: int, direction: int, large: bool) -> int:
        return _to_multiple(value, direction, unit * 10 if large else unit)

    return step


def _decimal_step(value: int, direction: int, digits_kept: int) -> int:
    # Going down from 10...0 the step is that of the numbers below it: 1000 -> 990, not 900.
    reference = value - 1 if direction < 0 else value
    size = 10 ** max(len(str(max(reference, 1))) - 1 - digits_kept, 0)
    return _to_multiple(value, direction, size)


def _to_multiple(value: int, direction: int, size: int) -> int:
    """The next multiple of ``size`` in that direction."""
    return (value // size + 1) * size if direction > 0 else (value - 1) // size * size
