"""What every rank stores at one stage: totals, extremes, runs of equal ranks, padding, tiers."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from zerogui.accounting.holdings import (
    STATES,
    Holding,
    Slice,
    adds_master,
    holdings,
    stored_together,
)
from zerogui.accounting.layout import ZERO, Steps, added
from zerogui.accounting.sharding import TIERS


class RankBytes(NamedTuple):
    """Bytes of one rank by state, on all tiers together."""

    parameters: int
    gradients: int
    optimizer: int

    @property
    def total(self) -> int:
        """Sum of the three states, bytes."""
        return self.parameters + self.gradients + self.optimizer


@dataclass(frozen=True)
class Run:
    """``count`` neighbouring ranks from ``first`` on that hold the same bytes."""

    first: int
    count: int
    held: RankBytes


class StageBudget:
    """One stage, resolved. Bytes per rank; the shard group's pattern repeats N / G times.

    ``lacks`` says why it is approximate (empty: exact), ``remarks`` what else to know.
    """

    def __init__(
        self,
        stage: int,
        workers: int,
        model_parallel: int,
        group: int,
        lines: tuple[Holding, ...],
        lacks: tuple[str, ...],
        remarks: tuple[str, ...],
        communication: int,
    ) -> None:
        self.stage = stage
        self.workers = workers
        self.model_parallel = model_parallel
        self.group = group
        self.lines = lines
        self.lacks = lacks
        self.remarks = remarks
        self.communication = communication

    @property
    def exact(self) -> bool:
        """Whether nothing was taken as something else; ``lacks`` says what was."""
        return not self.lacks

    @property
    def notes(self) -> tuple[str, ...]:
        """Why the stage is approximate, then what else a reader should know."""
        return (*self.lacks, *self.remarks)

    @cached_property
    def states(self) -> dict[str, Steps]:
        """Bytes by state over the ranks of one group."""
        return {
            state: stored_together(line for line in self.lines if line.state == state)
            for state in STATES
        }

    @cached_property
    def tiers(self) -> dict[str, Steps]:
        """Bytes by tier over the ranks of one group."""
        return {
            tier: stored_together(line for line in self.lines if line.tier == tier)
            for tier in TIERS
        }

    @cached_property
    def total(self) -> Steps:
        """Bytes of all states over the ranks of one group."""
        return added(list(self.states.values()))

    @cached_property
    def most_loaded(self) -> int:
        """The rank with the largest total, the lowest number among equals."""
        return self.total.starts[self.total.values.index(max(self.total.values))]

    @cached_property
    def least_loaded(self) -> int:
        """The rank with the smallest total, the lowest number among equals."""
        return self.total.starts[self.total.values.index(min(self.total.values))]

    def held(self, rank: int) -> RankBytes:
        """Bytes of ``rank`` (0 .. N-1) by state."""
        return RankBytes(*(self.states[state].at(rank % self.group) for state in STATES))

    @property
    def device_peak(self) -> int:
        """The largest device bytes of any rank, which decide whether the stage fits."""
        return max(self.tiers["device"].values)

    @property
    def cluster_total(self) -> int:
        """Bytes of all N · M GPUs and their hosts."""
        return self.total.total(self.group) * (self.workers // self.group) * self.model_parallel

    def padding(self, state: str) -> int:
        """Elements allocated beyond the state: over one group where sharded, per copy elsewhere."""
        return sum(
            line.layout.padding for line in self.lines if line.state == state and not line.copy
        )

    def node(self, tier: str, gpus: int) -> int:
        """Bytes on ``tier`` of a node that runs the ``gpus`` most loaded ranks."""
        steps = self.tiers.get(tier, ZERO)
        ends = (*steps.starts[1:], self.group)
        repeats = self.workers // self.group * self.model_parallel
        total = 0
        left = gpus
        for value, ranks in sorted(
            (
                (v, (end - start) * repeats)
                for start, end, v in zip(steps.starts, ends, steps.values, strict=True)
            ),
            reverse=True,
        ):
            taken = min(left, ranks)
            total += value * taken
            left -= taken
        return total

    def runs(self) -> Iterator[Run]:
        """Runs of equal ranks in rank order over all N ranks."""
        pattern = self._pattern()
        if len(pattern) == 1:
            yield Run(0, self.workers, pattern[0][2])
            return
        pending: Run | None = None
        for offset in range(0, self.workers, self.group):
            for first, count, held in pattern:
                if pending is not None and pending.held == held:
                    pending = Run(pending.first, pending.count + count, held)
                    continue
                if pending is not None:
                    yield pending
                pending = Run(offset + first, count, held)
        if pending is not None:
            yield pending

    def _pattern(self) -> list[tuple[int, int, RankBytes]]:
        """Runs of one shard group: first rank, ranks, bytes."""
        starts = sorted({start for steps in self.states.values() for start in steps.starts})
        ends = [*starts[1:], self.group]
        return [
            (start, end - start, self.held(start)) for start, end in zip(starts, ends, strict=True)
        ]


def budget(part: Slice, stage: int) -> StageBudget:
    """Resolve ``stage``, which ``part.rule`` must offer.

    Communication as in the ZeRO paper's section 7: 2Ψ, at stage 3 Ψ more for the gathered weights.
    """
    lines = tuple(holdings(part, stage))
    lacks = _lacks(part, stage, lines)
    trainable, frozen = part.trainable.elements, part.frozen.elements
    communication = 2 * (trainable + frozen) + trainable if stage == 3 else 2 * trainable
    return StageBudget(
        stage,
        part.workers,
        part.model_parallel,
        part.group,
        lines,
        lacks,
        _remarks(part, stage),
        communication,
    )


def _lacks(part: Slice, stage: int, lines: tuple[Holding, ...]) -> tuple[str, ...]:
    """Why the stage is approximate, one phrase each; empty where it is exact."""
    reasons: list[str] = []
    if part.model_parallel > 1:
        reasons.append(
            "model parallel slices are taken as one part in"
            f" {part.model_parallel:,} of the elements, rounded up"
        )
    if part.rule.needs_shapes(stage) and not part.known_shapes:
        reasons.append(
            f"{part.rule.title} cuts every tensor by itself at ZeRO-{stage}, and without shapes"
            " the model counts as one flat tensor"
        )
    reasons += [line.lacks for line in lines if line.lacks is not None]
    return tuple(dict.fromkeys(reasons))


def _remarks(part: Slice, stage: int) -> tuple[str, ...]:
    """What a reader should know although the numbers are exact."""
    if adds_master(part, stage):
        return ("DeepSpeed clones an fp32 master copy although the weights are fp32",)
    return ()
