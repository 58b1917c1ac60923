"""The answers: the fewest workers and the largest model that fit, exact at the boundary."""

from collections.abc import Callable
from functools import cache
from math import lcm
from typing import NamedTuple

from zerogui.accounting.cluster import MAX_WORKERS
from zerogui.accounting.holdings import Holding, Slice, holdings, stored_together
from zerogui.accounting.model import MAX_ELEMENTS
from zerogui.accounting.rules.base import Tensors


class Answer(NamedTuple):
    """``value`` (workers or elements), or None with the ``reason`` as a phrase."""

    value: int | None
    reason: str | None = None


def device_peak(part: Slice, stage: int) -> int:
    """The largest device bytes of any rank at ``stage``."""
    return max(stored_together(_on_device(part, stage)).values)


def _on_device(part: Slice, stage: int) -> list[Holding]:
    return [line for line in holdings(part, stage) if line.tier == "device"]


def _go_on() -> None:
    """What a search asks now and then; it may raise to stop it."""


def fewest_workers(
    part: Slice, stage: int, usable: int, check: Callable[[], None] = _go_on
) -> Answer:
    """The smallest N up to 2^20 whose most loaded device holds at most ``usable`` bytes.

    With a shard group or secondary group N runs over their common multiples. ``check`` is called
    between trials, of which a long tensor list may need many; it may raise to stop the search.
    """
    reason = part.rule.not_offered(stage, part.known_shapes)
    if reason is not None:
        return Answer(None, reason)
    step = lcm(part.sharding.group or 1, part.sharding.secondary_group or 1)
    found = _first_fit(part, stage, usable, step, check)
    if found is not None:
        return Answer(found)
    if stage == 0:
        return Answer(None, "every rank keeps all states, so more workers do not help")
    return Answer(None, f"does not fit on any number of workers up to {MAX_WORKERS:,}")


def _first_fit(
    part: Slice, stage: int, usable: int, step: int, check: Callable[[], None]
) -> int | None:
    """The first multiple of ``step`` that fits, None where none does up to 2^20."""
    last = MAX_WORKERS // step
    if part.rule.greedy:
        # With a worker for each tensor nothing changes any more.
        last = min(last, max(1, sum(tensor.count for tensor in part.trainable.listed)))
    lines = _on_device(part.on(last * step), stage)
    if not any(_grows(part, line) for line in lines) and not _uneven(part, lines):
        first = _perfect_split(part, lines, usable, step)
        if first is None:
            return None
        return _first_of_falling(part, stage, usable, step, min(first, last), last, check)
    return _first_of_any(part, stage, usable, step, last, check)


def _grows(part: Slice, line: Holding) -> bool:
    """Whether padding follows N; a flat group's follows G, which a shard group keeps fixed."""
    return line.layout.grows and (line.copy or part.sharding.group is None)


def _perfect_split(part: Slice, lines: list[Holding], usable: int, step: int) -> int | None:
    """In steps, the fewest workers that would do if every state split without any padding.

    None where even then none would: what every rank keeps leaves no room for a share.
    """
    kept = sum(line.dtype.bytes(line.layout.real) for line in lines if not line.layout.partitioned)
    cut = sum(line.dtype.bytes(line.layout.real) for line in lines if line.layout.partitioned)
    if part.sharding.group is not None or cut == 0:
        return 1
    if kept >= usable:
        return None
    return max(1, cut // (usable - kept) // step)


def _first_of_falling(
    part: Slice,
    stage: int,
    usable: int,
    step: int,
    first: int,
    last: int,
    check: Callable[[], None],
) -> int | None:
    """The first that fits of a peak that never rises with N; nothing below ``first`` does."""

    def fits(k: int) -> bool:
        check()
        return device_peak(part.on(k * step), stage) <= usable

    low, stride = first - 1, 1  # nothing up to low fits
    high = first
    while not fits(high):
        if high == last:
            return None
        low, high, stride = high, min(high + stride, last), 2 * stride
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if fits(middle) else (middle, high)
    return high * step


def _first_of_any(
    part: Slice, stage: int, usable: int, step: int, last: int, check: Callable[[], None]
) -> int | None:
    """Leftmost that fits, by intervals that a lower bound of their peaks rules out.

    No bisection: DeepSpeed pads replicated weights to a multiple of 2·N, so a larger N may not
    fit where a smaller one does.
    """
    pending = [(1, last)]
    while pending:
        a, b = pending.pop()
        check()
        if _least_peak(part, stage, a * step, b * step) > usable:
            continue
        if a == b:
            return a * step
        middle = (a + b) // 2
        pending += [(middle + 1, b), (a, middle)]
    return None


def _least_peak(part: Slice, stage: int, fewest: int, most: int) -> int:
    """A lower bound of the peak over fewest ≤ N ≤ most; the peak itself where they are equal."""
    lines = _on_device(part.on(most), stage)
    if fewest == most:
        return max(stored_together(lines).values)
    uneven = _uneven(part, lines)
    bound = 0
    falling, owned = [], []
    for line in lines:
        layout = line.layout
        if _grows(part, line):
            # Elements are N × a share that only falls, and no fewer than the state has.
            price = line.dtype.bytes
            least = sum(price(n * fewest // most) * k for _, _, n, k in layout.pieces)
            bound += max(least, price(layout.real))
        elif layout.partitioned and uneven:
            owned.append(line)
        else:
            falling.append(line)
    return bound + max(stored_together(falling).values) + _least_owned(owned)


def _least_owned(lines: list[Holding]) -> int:
    """No split of whole tensors beats the mean over the ranks, or the largest tensor alone."""
    if not lines:
        return 0
    mean = sum(line.stored.total(line.layout.ranks) for line in lines) // lines[0].layout.ranks
    each = zip(*(line.layout.pieces for line in lines), strict=True)
    prices = [line.dtype.bytes for line in lines]
    largest = max(
        (
            sum(price(piece[2]) for price, piece in zip(prices, pieces, strict=True))
            for pieces in each
        ),
        default=0,
    )
    return max(mean, largest)


def _uneven(part: Slice, lines: list[Holding]) -> bool:
    """Whether the rank with the most elements may not be the one with the most bytes."""
    shards = [line for line in lines if line.layout.partitioned]
    layouts = {id(line.layout) for line in shards}
    return part.rule.greedy and (
        len(layouts) > 1 or any(line.dtype.width is None for line in shards)
    )


def largest_model(part: Slice, stage: int, usable: int) -> Answer:
    """The most parameters (frozen kept as set) of a count-only model that fits ``usable`` bytes."""
    reason = part.rule.not_offered(stage, known_shapes=False)
    if reason is not None:
        return Answer(None, reason)
    frozen = Tensors.flat(part.frozen.elements, frozen=True)
    m = part.model_parallel

    @cache
    def peak(trainable: int) -> int:
        tensors = Tensors.flat(trainable, frozen=False)
        return device_peak(part.with_tensors(tensors, frozen), stage)

    top = (MAX_ELEMENTS - part.frozen_parameters) // m
    if peak(top) <= usable:
        return Answer(None, "nothing on the device limits it")
    # A flat tensor of at most the threshold stays gathered: beyond it the peak drops once.
    seam = min(part.sharding.persistence_threshold, top - 1)
    # Flat buffers are cut into G equal parts, of an even length in DeepSpeed's.
    grain = 2 * part.group
    found = _last_fit(peak, usable, seam + 1, top, grain)
    if found is None:
        found = _last_fit(peak, usable, 0, seam, grain)
    if found is None:
        return Answer(None, "the frozen parameters alone do not fit")
    return Answer(found * m + part.frozen_parameters)


def _last_fit(
    peak: Callable[[int], int], usable: int, low: int, high: int, grain: int
) -> int | None:
    """The largest value in low .. high whose peak is at most ``usable``; the peak never falls.

    The peak is nearly linear, so a straight line from low to high lands next to the answer; most
    rises stand at multiples of ``grain`` or of its half, which are tried first.
    """
    if peak(low) > usable:
        return None
    if peak(high) <= usable:
        return high

    def straight() -> int:
        rise = peak(high) - peak(low)
        return low + (usable - peak(low)) * (high - low) // rise

    guess = straight()
    likely = [guess, guess + 1]
    for size in (grain, grain // 2):
        edge = guess // size * size
        likely += [n + one for n in (edge, edge + size, edge - size) for one in (0, 1)]
    for value in likely:
        if low < value < high:
            low, high = (value, high) if peak(value) <= usable else (low, value)
    halve = False
    while high - low > 1:
        value = (low + high) // 2 if halve else min(max(straight(), low + 1), high - 1)
        halve = not halve
        low, high = (value, high) if peak(value) <= usable else (low, value)
    return low
