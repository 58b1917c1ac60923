"""The answers: the fewest workers and the largest model that fit, exact at the boundary."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import lcm

from zerogui.accounting.cluster import MAX_WORKERS
from zerogui.accounting.holdings import Holding, Slice, holdings
from zerogui.accounting.layout import Steps, added
from zerogui.accounting.model import MAX_ELEMENTS
from zerogui.accounting.rules.base import Tensors


@dataclass(frozen=True)
class Answer:
    """``value`` (workers or elements), or None with the ``reason`` as a phrase."""

    value: int | None
    reason: str | None = None


def device_peak(part: Slice, stage: int) -> int:
    """The largest device bytes of any rank at ``stage``."""
    return _peak([line.stored for line in _on_device(part, stage)])


def _on_device(part: Slice, stage: int) -> list[Holding]:
    return [line for line in holdings(part, stage) if line.tier == "device"]


def _peak(stored: list[Steps]) -> int:
    return max(added(stored).values)


def fewest_workers(part: Slice, stage: int, usable: int) -> Answer:
    """The smallest N up to 2^20 whose most loaded device holds at most ``usable`` bytes.

    With a shard group or secondary group N runs over their common multiples.
    """
    reason = part.rule.not_offered(stage, part.known_shapes)
    if reason is not None:
        return Answer(None, reason)
    step = lcm(part.sharding.group or 1, part.sharding.secondary_group or 1)
    found = _first_fit(part, stage, usable, step, 1, MAX_WORKERS // step)
    if found is not None:
        return Answer(found)
    if stage == 0:
        return Answer(None, "every rank keeps all states, so more workers do not help")
    return Answer(None, f"does not fit on any number of workers up to {MAX_WORKERS:,}")


def _first_fit(part: Slice, stage: int, usable: int, step: int, low: int, high: int) -> int | None:
    """Leftmost multiple low·step .. high·step that fits, pruned by a lower bound of each interval.

    No bisection: DeepSpeed pads replicated weights to a multiple of 2·N, so a larger N may not
    fit where a smaller one does.
    """
    pending = [(low, high)]
    while pending:
        a, b = pending.pop()
        if _least_peak(part, stage, a * step, b * step) > usable:
            continue
        if a == b:
            return a * step
        middle = (a + b) // 2
        pending += [(middle + 1, b), (a, middle)]
    return None


def _least_peak(part: Slice, stage: int, fewest: int, most: int) -> int:
    """A lower bound of the peak over fewest ≤ N ≤ most; the peak itself where they are equal."""
    lines = _on_device(replace(part, workers=most), stage)
    if fewest == most:
        return _peak([line.stored for line in lines])
    uneven = part.rule.greedy and _uneven([line for line in lines if line.layout.partitioned])
    bound = 0
    falling = []
    for line in lines:
        layout = line.layout
        if layout.grows:
            # Elements are N × a share that only falls, and no fewer than the state has.
            price = line.dtype.bytes
            least = sum(price(n * fewest // most) * k for _, _, n, k in layout.pieces)
            bound += max(least, price(layout.real))
        elif layout.partitioned and uneven:
            bound += line.stored.total(layout.ranks) // layout.ranks
        else:
            falling.append(line.stored)
    return bound + _peak(falling)


def _uneven(shards: list[Holding]) -> bool:
    """Whether the rank with the most elements may not be the one with the most bytes."""
    layouts = {id(line.layout) for line in shards}
    return len(layouts) > 1 or any(line.dtype.width is None for line in shards)


def largest_model(part: Slice, stage: int, usable: int) -> Answer:
    """The most parameters (frozen kept as set) of a count-only model that fits ``usable`` bytes."""
    reason = part.rule.not_offered(stage, known_shapes=False)
    if reason is not None:
        return Answer(None, reason)
    frozen = Tensors.flat(part.frozen.elements, frozen=True)
    m = part.model_parallel

    def peak(trainable: int) -> int:
        tensors = Tensors.flat(trainable, frozen=False)
        return device_peak(replace(part, trainable=tensors, frozen=frozen), stage)

    top = (MAX_ELEMENTS - part.frozen.elements * m) // m
    if peak(top) <= usable:
        return Answer(None, "nothing on the device limits it")
    # A flat tensor of at most the threshold stays gathered: beyond it the peak drops once.
    seam = min(part.sharding.persistence_threshold, top - 1)
    found = _last_fit(peak, usable, seam + 1, top)
    if found is None:
        found = _last_fit(peak, usable, 0, seam)
    if found is None:
        return Answer(None, "the frozen parameters alone do not fit")
    return Answer(found * m + part.frozen_parameters)


def _last_fit(peak: Callable[[int], int], usable: int, low: int, high: int) -> int | None:
    """The largest value in low .. high whose peak is at most ``usable``; the peak never falls.

    The peak is nearly linear, so a straight line from low to high lands next to the answer.
    """
    at_low, at_high = peak(low), peak(high)
    if at_low > usable:
        return None
    if at_high <= usable:
        return high
    guess = low + (usable - at_low) * (high - low) // (at_high - at_low)
    step = 1
    if peak(guess) <= usable:
        low = guess
        while low + step < high and peak(low + step) <= usable:
            low, step = low + step, 2 * step
        high = min(high, low + step)
    else:
        high = guess
        while high - step > low and peak(high - step) > usable:
            high, step = high - step, 2 * step
        low = max(low, high - step)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if peak(middle) <= usable else (low, middle)
    return low
