"""Which rank holds how much: buffers on intervals of ranks, added up by a sweep over the ranks."""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from itertools import accumulate
from typing import NamedTuple

from zerogui.accounting.dtype import Dtype

# (first rank, number of ranks, elements of one buffer, number of such buffers)
Piece = tuple[int, int, int, int]
# (first rank, number of ranks, elements)
Run = tuple[int, int, int]


class Steps(NamedTuple):
    """A step function over the ranks of one shard group: ``values[k]`` holds from ``starts[k]`` on.

    ``starts`` begins with 0 and rises; neighbouring values differ, so that cost follows the number
    of different ranks and not the number of ranks.
    """

    starts: tuple[int, ...]
    values: tuple[int, ...]

    def at(self, rank: int) -> int:
        """The value at ``rank``."""
        return self.values[bisect_right(self.starts, rank) - 1]

    def scaled(self, factor: int) -> "Steps":
        """Every value times ``factor`` (positive)."""
        return Steps(self.starts, tuple(value * factor for value in self.values))

    def total(self, ranks: int) -> int:
        """Sum over ranks 0 .. ranks-1."""
        ends = (*self.starts[1:], ranks)
        return sum(
            value * (end - start)
            for start, end, value in zip(self.starts, ends, self.values, strict=True)
        )


def constant(value: int) -> Steps:
    """The same value on every rank."""
    return Steps((0,), (value,))


ZERO = constant(0)


def swept(ranks: int, intervals: Iterable[Run]) -> Steps:
    """Sum of (first, count, value) intervals over ranks 0 .. ranks-1, in O(n log n) of them."""
    intervals = list(intervals)
    if len(intervals) <= 2 and _tile(ranks, intervals):
        held = [run for run in intervals if run[1]]
        return _merged([first for first, _, _ in held], [value for _, _, value in held])
    everywhere = 0
    changes: dict[int, int] = {}
    for first, count, value in intervals:
        if first == 0 and count == ranks:
            everywhere += value
        elif count and value:
            changes[first] = changes.get(first, 0) + value
            changes[first + count] = changes.get(first + count, 0) - value
    if not changes:
        return constant(everywhere)
    changes.setdefault(0, 0)
    changes.pop(ranks, None)
    starts = sorted(changes)
    values = accumulate((changes[s] for s in starts[1:]), initial=everywhere + changes[0])
    return _merged(starts, list(values))


def _tile(ranks: int, intervals: Sequence[Run]) -> bool:
    """Whether each rank lies in exactly one interval, and they are in order."""
    end = 0
    for first, count, _ in intervals:
        if first != end:
            return False
        end += count
    return end == ranks > 0


def added(parts: Sequence[Steps]) -> Steps:
    """Pointwise sum."""
    varying = [part for part in parts if len(part.starts) > 1]
    base = sum(part.values[0] for part in parts if len(part.starts) == 1)
    if not varying:
        return constant(base)
    first = varying[0].starts
    if all(part.starts == first for part in varying):
        # States that are cut alike: most plans have no others.
        held = zip(*(part.values for part in varying), strict=True)
        return _merged(first, [sum(values) + base for values in held])
    changes: dict[int, int] = {0: base}
    for part in varying:
        before = 0
        for start, value in zip(part.starts, part.values, strict=True):
            changes[start] = changes.get(start, 0) + value - before
            before = value
    starts = sorted(changes)
    return _merged(starts, list(accumulate(changes[start] for start in starts)))


def _merged(starts: Sequence[int], values: Sequence[int]) -> Steps:
    if len(starts) == 1 or (len(starts) == 2 and values[0] != values[1]):
        return Steps(tuple(starts), tuple(values))
    kept = [
        index for index in range(len(starts)) if index == 0 or values[index] != values[index - 1]
    ]
    return Steps(tuple(starts[k] for k in kept), tuple(values[k] for k in kept))


class Layout:
    """What the ``ranks`` of one shard group hold of one state, as buffers on intervals of ranks.

    ``real`` is the state's own element count, so that allocated minus real is padding:
    over the group where ``partitioned``, per copy otherwise. ``why`` tells how a rank's element
    count comes about, with {n} for ``real`` and {g} for the ranks. ``grows`` marks a replicated
    state padded to a multiple of the workers: its elements are workers × a share that only falls.
    ``sums`` gives the elements without going through every buffer, where the rule can.
    """

    # Not a dataclass: a frozen one takes three times as long to make, and an edit makes hundreds.

    def __init__(
        self,
        ranks: int,
        buffers: Callable[[], Sequence[Piece]],
        real: int,
        partitioned: bool,
        why: str,
        grows: bool = False,
        sums: Callable[[], Iterable[Run]] | None = None,
    ) -> None:
        self.ranks = ranks
        self.buffers = buffers
        self.real = real
        self.partitioned = partitioned
        self.why = why
        self.grows = grows
        self.sums = sums

    @classmethod
    def of(
        cls,
        ranks: int,
        pieces: Sequence[Piece],
        real: int,
        partitioned: bool,
        why: str,
        grows: bool = False,
    ) -> "Layout":
        """A layout whose few buffers are at hand."""
        return cls(ranks, lambda: pieces, real, partitioned, why, grows)

    @cached_property
    def pieces(self) -> Sequence[Piece]:
        """The buffers, listed when somebody needs them one by one."""
        return self.buffers()

    @cached_property
    def elements(self) -> Steps:
        """Elements that each rank allocates."""
        if self.sums is not None:
            return swept(self.ranks, self.sums())
        return swept(self.ranks, ((first, count, n * k) for first, count, n, k in self.pieces))

    def buffers_at(self, rank: int) -> int:
        """How many buffers ``rank`` holds."""
        return sum(k for first, count, _, k in self.pieces if first <= rank < first + count)

    def stored(self, dtype: Dtype) -> Steps:
        """Bytes that each rank allocates; formats with blocks are priced buffer by buffer."""
        if dtype.width is not None:
            return self.elements.scaled(dtype.width)
        price = dtype.bytes
        return swept(
            self.ranks, ((first, count, price(n) * k) for first, count, n, k in self.pieces)
        )

    @property
    def allocated(self) -> int:
        """Elements over the whole group where partitioned, of one copy otherwise."""
        return self.elements.total(self.ranks) if self.partitioned else self.elements.values[0]

    @property
    def padding(self) -> int:
        """Elements allocated beyond the state's own."""
        return self.allocated - self.real
