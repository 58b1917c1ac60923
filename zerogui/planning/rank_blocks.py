"""What each rank holds at the selected stage, as blocks of ranks, padding told from content."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from zerogui.accounting.budget import StageBudget
from zerogui.accounting.errors import printable
from zerogui.accounting.holdings import (
    OPTIMIZER,
    PARAMETERS,
    STATES,
    Holding,
    Slice,
    stored_together,
)
from zerogui.accounting.layout import Run, Steps, swept
from zerogui.files.tables import Table
from zerogui.planning.chart import ticks
from zerogui.planning.quantities import NO_BREAK_SPACE, group_digits
from zerogui.planning.report import Component, NotOffered, Report, StageReport

MOST_BLOCKS = 160  # beyond this neighbouring ranks share a block
FEW_GROUPS = 16  # up to this many shard groups are shown apart


@dataclass(frozen=True)
class Layer:
    """One component on one rank: ``bytes`` allocated, ``padding`` of them beyond the content.

    Padding is counted in elements (``padding_elements``); its bytes are rounded down for formats
    that store blocks.
    """

    role: str
    state: str
    name: str
    bytes: int
    padding: int
    padding_elements: int


@dataclass(frozen=True)
class Pile:
    """All that ``rank`` holds, in stacking order."""

    rank: int
    layers: tuple[Layer, ...]

    @property
    def total(self) -> int:
        """Bytes on all tiers."""
        return sum(layer.bytes for layer in self.layers)

    @property
    def padding(self) -> int:
        """Bytes of padding among them."""
        return sum(layer.padding for layer in self.layers)

    def state(self, name: str) -> int:
        """Bytes of one state."""
        return sum(layer.bytes for layer in self.layers if layer.state == name)


@dataclass(frozen=True)
class RankBlock:
    """``count`` ranks from ``first`` on, of which ``most`` is the fullest, ``least`` the emptiest.

    ``equal``: all of them hold the same, padding included; ``partial``: replicated states are left
    out of the piles.
    """

    first: int
    count: int
    most: Pile
    least: Pile
    equal: bool
    partial: bool = False

    @property
    def ranks_text(self) -> str:
        """ "rank 3", "ranks 0–6"."""
        if self.count == 1:
            return f"rank {group_digits(self.first)}"
        last = group_digits(self.first + self.count - 1)
        return f"ranks {group_digits(self.first)}–{last}"

    @property
    def padding(self) -> tuple[int, int]:
        """Bytes of padding on the two ranks, the smaller first."""
        low, high = sorted((self.least.padding, self.most.padding))
        return low, high

    def exact(self) -> str:
        """Lines of plain text with the exact bytes by state."""
        head = self.ranks_text.capitalize()
        if self.count > 1 and self.equal:
            head += f", {group_digits(self.count)} alike"
        if self.partial:
            head += ", partitioned states"
        rows = [f"{head}: {span_text(self.least.total, self.most.total)}"]
        present = {layer.state for layer in self.most.layers}
        for state in (state for state in STATES if state in present):
            low, high = sorted((self.least.state(state), self.most.state(state)))
            rows.append(f"{state.capitalize()}: {span_text(low, high)}")
        if self.padding[1]:
            rows.append(f"Padding among them: {span_text(*self.padding)}")
        if not self.equal:
            rows.append(
                f"Fullest: rank {group_digits(self.most.rank)},"
                f" emptiest: rank {group_digits(self.least.rank)}"
            )
        return "\n".join(rows)


def span_text(low: int, high: int) -> str:
    """Exact bytes, or from the emptiest rank's to the fullest one's."""
    text = group_digits(low) if low == high else f"{group_digits(low)} to {group_digits(high)}"
    return f"{text}{NO_BREAK_SPACE}B"


@dataclass(frozen=True)
class RankBlocks:
    """The whole picture. ``aggregated``: blocks are ranges of ranks that may hold unlike bytes.

    ``partitions``: some state is partitioned at this stage, so that ranks may differ.
    ``shown`` ranks from 0 on are drawn: all, or one shard group where there are many of them.
    ``reason`` says why the stage is not offered; then there are no blocks. ``top`` is the largest
    value in bytes, ``boundaries`` the first ranks of shard groups where several are drawn.
    """

    label: str
    workers: int
    partitions: bool
    shown: int
    blocks: tuple[RankBlock, ...]
    aggregated: bool
    boundaries: tuple[int, ...]
    top: int
    ticks: tuple[tuple[float, str], ...]
    unit: str
    axis_title: str
    legend: tuple[tuple[str, str], ...]
    sentence: str
    remarks: tuple[str, ...]
    reason: str | None

    @property
    def padded(self) -> bool:
        """Whether any rank shown holds padding."""
        return any(block.padding[1] for block in self.blocks)


def rank_blocks(report: Report, partitioned_only: bool = False) -> RankBlocks:
    """The picture of the stage under discussion; ``partitioned_only`` leaves out replicated states.

    Where replicated states are large, the shares of the others can be compared only by themselves.
    """
    stage = report.selected
    if isinstance(stage, NotOffered):
        return _nothing(report, stage)
    found = stage.budget
    partitions = any(line.layout.partitioned for line in found.lines)
    partitioned_only &= partitions
    held = _Held(Slice.of(report.scenario), stage, partitioned_only)
    groups = found.workers // found.group
    shown = groups if groups <= FEW_GROUPS and len(held.changes) * groups <= MOST_BLOCKS else 1
    starts = _starts(found.group, shown, held.changes)
    blocks = tuple(held.block(a, b) for a, b in pairwise((*starts, found.group * shown)))
    top = max(1, *(block.most.total for block in blocks))
    only = ", partitioned states only" if partitioned_only else ""
    return RankBlocks(
        label=stage.label,
        workers=found.workers,
        partitions=partitions,
        shown=found.group * shown,
        blocks=blocks,
        aggregated=any(not block.equal for block in blocks),
        boundaries=tuple(k * found.group for k in range(shown)) if shown > 1 else (),
        top=top,
        ticks=ticks(top, report.unit),
        unit=report.unit,
        axis_title=f"{report.unit} on each rank at {stage.label}{only}{_tiers(found)}",
        legend=_legend(held.components),
        sentence=_sentence(stage),
        remarks=tuple(_remarks(found, blocks, groups, shown)),
        reason=None,
    )


def _tiers(found: StageBudget) -> str:
    away = {line.tier for line in found.lines} - {"device"}
    return ", offloaded bytes included" if away else ""


def block_table(model: RankBlocks) -> Table:
    """The blocks as plain integers in bytes, for the clipboard."""
    return Table(
        ("First rank", "Ranks", "Fullest (bytes)", "Emptiest (bytes)", "Padding (bytes)"),
        tuple(
            (block.first, block.count, block.most.total, block.least.total, block.padding[1])
            for block in model.blocks
        ),
    )


def _nothing(report: Report, stage: NotOffered) -> RankBlocks:
    return RankBlocks(
        label=stage.label,
        workers=report.scenario.cluster.workers,
        partitions=False,
        shown=0,
        blocks=(),
        aggregated=False,
        boundaries=(),
        top=1,
        ticks=(),
        unit=report.unit,
        axis_title="",
        legend=(),
        sentence=f"{stage.label} is not offered: {stage.reason}.",
        remarks=(),
        reason=stage.reason,
    )


class _Held:
    """Steps of every component over one shard group, read off rank by rank."""

    def __init__(self, part: Slice, stage: StageReport, partitioned_only: bool) -> None:
        found = stage.budget
        self._group, self._partial = found.group, partitioned_only
        lines = [
            (line, component)
            for line, component in zip(found.lines, stage.components, strict=True)
            if line.layout.partitioned or not partitioned_only
        ]
        self.components = [component for _, component in lines]
        self._total = stored_together(line for line, _ in lines)
        cuts: dict[int, Steps | None] = {}
        self._layers: list[tuple[Holding, Component, Steps | None]] = []
        for line, component in lines:
            key = id(line.layout)
            if key not in cuts:
                cuts[key] = content(part, line, found)
            self._layers.append((line, component, cuts[key]))
        steps = [*found.states.values(), *(cut for cut in cuts.values() if cut is not None)]
        # Ranks within a group at which anything changes.
        self.changes = sorted(set[int]().union(*(step.starts for step in steps)))

    def pile(self, rank: int) -> Pile:
        """What ``rank`` (0 .. N-1) holds."""
        place = rank % self._group
        layers = []
        for line, component, cut in self._layers:
            stored = line.stored.at(place)
            elements = line.layout.elements.at(place)
            spare = elements - cut.at(place) if cut is not None else 0
            padding = stored * spare // elements if spare else 0
            role, state = component.role, component.state
            layers.append(Layer(role, state, component.name, stored, padding, spare))
        return Pile(rank, tuple(layers))

    def block(self, first: int, end: int) -> RankBlock:
        """Ranks ``first`` to ``end`` - 1 of one group; the lowest number stands for equal ones."""
        low = first % self._group
        high = low + end - first
        inside = self.changes[bisect_right(self.changes, low) : bisect_left(self.changes, high)]
        if not inside:
            pile = self.pile(first)
            return RankBlock(first, end - first, pile, pile, True, self._partial)
        starts, values = self._total.starts, self._total.values
        here = slice(bisect_right(starts, low) - 1, bisect_left(starts, high))
        totals = values[here]
        fullest, emptiest = (
            max(starts[here][totals.index(pick)], low) for pick in (max(totals), min(totals))
        )
        if fullest == emptiest:  # unlike in padding only, which is more at the end
            emptiest = inside[-1]
        shift = first - low
        return RankBlock(
            first,
            end - first,
            self.pile(fullest + shift),
            self.pile(emptiest + shift),
            False,
            self._partial,
        )


def _starts(group: int, groups: int, changes: Sequence[int]) -> tuple[int, ...]:
    """First ranks of the blocks: one at every change in every group that is shown.

    Where that makes too many, equally many ranks share a block each.
    """
    if len(changes) * groups <= MOST_BLOCKS:
        return tuple(k * group + start for k in range(groups) for start in changes)
    count = min(MOST_BLOCKS, group)
    return tuple(group * k // count for k in range(count))


def _legend(components: Sequence[Component]) -> tuple[tuple[str, str], ...]:
    """(role, name) in stacking order; several components of one role share an entry."""
    names: dict[str, list[str]] = {}
    for component in components:
        known = names.setdefault(component.role, [])
        if component.name not in known:
            known.append(component.name)
    plain = {"parameters": "parameters", "gradients": "gradients"}
    return tuple(
        (role, plain.get(role) or printable(", ".join(each), 40)) for role, each in names.items()
    )


def _sentence(stage: StageReport) -> str:
    """The most and the least loaded rank by number and exact bytes."""
    found = stage.budget
    most = group_digits(stage.rank.total)
    if stage.rank.total == stage.least.total:
        if found.workers == 1:
            return f"The one rank holds {most}{NO_BREAK_SPACE}B."
        return f"All {group_digits(found.workers)} ranks hold {most}{NO_BREAK_SPACE}B each."
    least = group_digits(stage.least.total)
    less = group_digits(stage.rank.total - stage.least.total)
    return (
        f"Most loaded: rank {group_digits(stage.rank_number)} with {most}{NO_BREAK_SPACE}B."
        f" Least loaded: rank {group_digits(found.least_loaded)} with {least}{NO_BREAK_SPACE}B,"
        f" {less}{NO_BREAK_SPACE}B less."
    )


def _remarks(
    found: StageBudget, blocks: Sequence[RankBlock], groups: int, shown: int
) -> Iterator[str]:
    """Sentences on what is not to be seen in the picture itself."""
    if groups > 1:
        first = "" if shown > 1 else f"; ranks 0–{group_digits(found.group - 1)} are shown"
        yield (
            f"{group_digits(groups)} shard groups of {group_digits(found.group)} ranks hold the"
            f" same{first}."
        )
    if any(not block.equal for block in blocks):
        each = max(block.count for block in blocks)
        yield (
            f"A column stands for up to {group_digits(each)} ranks: solid up to the emptiest,"
            " pale up to the fullest of them."
        )


def content(part: Slice, line: Holding, found: StageBudget) -> Steps | None:
    """Elements of ``line``'s own content on each rank of a group, without padding.

    None where nothing is padded. DeepSpeed pads the end of its flat buffer and of every tensor;
    FSDP2 allocates rows for weights and gradients that the last ranks do not have.
    """
    layout = line.layout
    if line.copy or not layout.padding or _is_in_proportion(part, line):
        return None
    group = layout.ranks
    if not layout.partitioned:
        return Steps((0,), (layout.real,))
    is_frozen = line.state == PARAMETERS and line.name == "frozen weights"
    tensors = part.frozen if is_frozen else part.trainable
    if part.rule.name == "fsdp2":
        return swept(group, _cut(tensors.rows, group))
    if found.stage < 3:  # one flat buffer, whose end is padding
        share = layout.elements.at(0)
        return swept(group, _cut([(tensors.elements, 1)], group, share))
    return swept(group, _cut(tensors.sizes, group))


def _is_in_proportion(part: Slice, line: Holding) -> bool:
    """Optimizer tensors over some elements: their cut is not modelled, nor is padding in it."""
    return line.state == OPTIMIZER and any(
        tensor.over != "all" and tensor.name == line.name for tensor in part.recipe.optimizer
    )


def _cut(units: Iterable[tuple[int, int]], group: int, share: int | None = None) -> Iterator[Run]:
    """Content of each rank where every (length, elements a unit) is cut into equal chunks.

    A chunk is ``share`` long, or as long as ``group`` chunks need to be.
    """
    for length, width in units:
        chunk = -(-length // group) if share is None else share
        if chunk == 0:
            continue
        full, rest = divmod(length, chunk)
        yield 0, full, chunk * width
        if rest:
            yield full, 1, rest * width
