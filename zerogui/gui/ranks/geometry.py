"""Where every bar, hatch and label of the ranks picture goes, in pixels."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import pairwise

from PySide6.QtCore import QRectF
from PySide6.QtGui import QFont

from zerogui.gui.chart.geometry import Fonts
from zerogui.gui.widgets.wrapping import elided, text_size
from zerogui.planning.quantities import NO_BREAK_SPACE, UNITS, group_digits
from zerogui.planning.rank_blocks import RankBlock, RankBlocks

GAP = 4.0  # px, half a grid step
SWATCH = 0.75  # of a line of the legend
NARROWEST = 14.0  # px of a block, where there is room for all of them
LOWEST = 3.0  # px of padding, which is told by its hatch rather than by its height
LINES = 8  # of text that the picture needs below its legend
BAR = 12.0  # px from which on each rank is a bar of its own
PADDING = "padding"


class Kind(Enum):
    """What a label is, which decides its type and colour."""

    TICK = "tick"
    RANK = "rank"
    FIGURE = "figure"
    GROUP = "group"
    LEGEND = "legend"


def font_of(kind: Kind, fonts: Fonts) -> QFont:
    """The font that labels of ``kind`` are set in."""
    return fonts.bold if kind is Kind.FIGURE else fonts.small


def size_of(kind: Kind, text: str, fonts: Fonts) -> tuple[float, float]:
    """Width and height of ``text`` in px."""
    return text_size(text, font_of(kind, fonts))


@dataclass(frozen=True)
class Label:
    """A text in ``rect``, centred (right-aligned for ticks, left-aligned for the legend)."""

    kind: Kind
    text: str
    rect: QRectF


@dataclass(frozen=True)
class Piece:
    """A rectangle in the colour of ``role`` ("padding" is hatched); ``pale`` where not all hold it.

    ``bars`` are the left edges and widths at which it is repeated, one for each rank drawn apart.
    """

    role: str
    rect: QRectF
    pale: bool
    bars: tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class Picture:
    """The view laid out; ``columns[k]`` is the place of block k, from the legend to the ranks."""

    plot: QRectF
    grid: tuple[float, ...]
    pieces: tuple[Piece, ...]
    swatches: tuple[tuple[str, QRectF], ...]
    labels: tuple[Label, ...]
    seams: tuple[float, ...]
    columns: tuple[QRectF, ...]
    widened: bool


def lay_out(model: RankBlocks, area: QRectF, fonts: Fonts) -> Picture | None:
    """Everything in its place inside ``area``; None where that is too small for any bar."""
    swatches, labels, height = _legend(model, area, fonts)
    if area.height() - height < LINES * size_of(Kind.RANK, "0", fonts)[1]:
        swatches, labels, height = [], [], 0.0  # the bars need the room; colours stay the same
    plot = _plot(model, area, fonts, height)
    if plot.height() < 2 * size_of(Kind.TICK, "0", fonts)[1] or plot.width() < 80:
        return None
    lefts, widened = _columns(model, plot)
    columns = [
        QRectF(left, plot.top(), right - left, plot.height()) for left, right in pairwise(lefts)
    ]
    pieces: list[Piece] = []
    figure = size_of(Kind.FIGURE, "0", fonts)[1]
    for block, column in zip(model.blocks, columns, strict=True):
        bars = _bars(block, column)
        pieces += _stack(block, bars, plot, model.top)
        labels += _bar_labels(block, column, bars, plot, fonts)
    labels += _range_labels(model, columns, plot, area, fonts, labels)
    labels += _figures(model, columns, plot, fonts)
    seams, names = _groups(model, columns, plot, fonts, figure)
    return Picture(
        plot=plot,
        grid=tuple(
            _y(round(value * UNITS[model.unit]), plot, model.top) for value, _ in model.ticks
        ),
        pieces=tuple(pieces),
        swatches=tuple(swatches),
        labels=(*labels, *names, *_tick_labels(model, area, plot, fonts)),
        seams=seams,
        columns=tuple(columns),
        widened=widened,
    )


def _y(value: int, plot: QRectF, top: int) -> float:
    return plot.bottom() - plot.height() * value / top


def _plot(model: RankBlocks, area: QRectF, fonts: Fonts, legend: float) -> QRectF:
    left = max((size_of(Kind.TICK, text, fonts)[0] for _, text in model.ticks), default=0.0)
    above = legend + size_of(Kind.FIGURE, "0", fonts)[1] + 2 * GAP
    if model.boundaries:
        above += size_of(Kind.GROUP, "0", fonts)[1]
    below = size_of(Kind.RANK, "0", fonts)[1] + GAP
    return area.adjusted(left + 2 * GAP, above, 0, -below)


def _columns(model: RankBlocks, plot: QRectF) -> tuple[list[float], bool]:
    """Left edges of the blocks and the right edge of the last; whether any is wider than its share.

    Width goes with the number of ranks, but every block stays wide enough to be seen.
    """
    counts = [block.count for block in model.blocks]
    least = min(NARROWEST, plot.width() / max(len(counts), 1) / 2)
    widths = [plot.width() * count / model.shown for count in counts]
    narrow: set[int] = set()
    while True:
        more = {k for k, width in enumerate(widths) if width < least - 1e-6} - narrow
        if not more:
            break
        narrow |= more
        room = plot.width() - least * len(narrow)
        ranks = sum(count for k, count in enumerate(counts) if k not in narrow)
        widths = [least if k in narrow else room * count / ranks for k, count in enumerate(counts)]
    lefts = [plot.left()]
    for width in widths:
        lefts.append(lefts[-1] + width)
    return lefts, bool(narrow)


def _bars(block: RankBlock, column: QRectF) -> tuple[tuple[float, float], ...]:
    """Left edge and width of each rank where ranks are wide enough, else of the whole block."""
    each = column.width() / block.count
    gap = 2.0 if block.equal and column.width() >= 6 else 0.0
    if block.equal and each >= BAR:
        gap = min(each * 0.2, 12.0)
        return tuple((column.left() + k * each + gap / 2, each - gap) for k in range(block.count))
    return ((column.left() + gap / 2, column.width() - gap),)


def _stack(
    block: RankBlock, bars: tuple[tuple[float, float], ...], plot: QRectF, top: int
) -> list[Piece]:
    """The fullest rank's components from the bottom up, padding as a cap on each of them.

    What lies above the emptiest rank's total is pale.
    """
    pieces: list[Piece] = []
    base = 0
    for layer in block.most.layers:
        high = base + layer.bytes
        y_low, y_high = _y(base, plot, top), _y(high, plot, top)
        y_cap = y_high
        if layer.padding:
            exact = plot.height() * layer.padding / top
            y_cap = min(y_high + max(exact, LOWEST), y_low)
        pieces += _piece(layer.role, y_cap, y_low, bars)
        pieces += _piece(PADDING, y_high, y_cap, bars)
        base = high
    if block.equal:
        return pieces
    return _paled(pieces, _y(block.least.total, plot, top))


def _piece(
    role: str, high: float, low: float, bars: tuple[tuple[float, float], ...]
) -> list[Piece]:
    if low - high <= 0:
        return []
    return [Piece(role, QRectF(bars[0][0], high, bars[0][1], low - high), False, bars)]


def _paled(pieces: Sequence[Piece], limit: float) -> list[Piece]:
    """``pieces`` cut at pixel height ``limit``, pale above it."""
    found = []
    for piece in pieces:
        rect = piece.rect
        if rect.bottom() > limit:
            solid = QRectF(rect)
            solid.setTop(max(rect.top(), limit))
            found.append(Piece(piece.role, solid, False, piece.bars))
        if rect.top() < limit:
            pale = QRectF(rect)
            pale.setBottom(min(rect.bottom(), limit))
            found.append(Piece(piece.role, pale, True, piece.bars))
    return found


def _bar_labels(
    block: RankBlock,
    column: QRectF,
    bars: tuple[tuple[float, float], ...],
    plot: QRectF,
    fonts: Fonts,
) -> list[Label]:
    """Under each bar of its own its rank, where the numbers fit."""
    last = block.first + block.count - 1
    width, height = size_of(Kind.RANK, group_digits(last), fonts)
    each = column.width() / block.count
    if len(bars) != block.count or width + GAP > each:
        return []
    return [
        Label(
            Kind.RANK,
            group_digits(block.first + k),
            QRectF(column.left() + k * each, plot.bottom() + GAP, each, height),
        )
        for k in range(block.count)
    ]


def _range_labels(
    model: RankBlocks,
    columns: Sequence[QRectF],
    plot: QRectF,
    area: QRectF,
    fonts: Fonts,
    taken: Sequence[Label],
) -> list[Label]:
    """Under the other blocks their ranks, the widest first; those that would touch are left out.

    Ranges of unlike ranks are many, so some of them get the number that they begin with.
    """
    named = {label.text for label in taken if label.kind is Kind.RANK}
    wanted = []
    for block, column in zip(model.blocks, columns, strict=True):
        text = group_digits(block.first)
        if text in named:
            continue
        if not model.aggregated and block.count > 1:
            text += f"–{group_digits(block.first + block.count - 1)}"
        place = column.left() if model.aggregated else column.center().x()
        wanted.append((-column.width() if not model.aggregated else 0.0, place, text))
    if model.aggregated:
        ends = (0.0, plot.right(), group_digits(model.shown - 1))
        wanted = [wanted[0], ends, *wanted[:: max(1, len(wanted) // 8)]]
    else:
        wanted.sort()
    labels: list[Label] = []
    ranks = [label.rect for label in taken if label.kind is Kind.RANK]
    for _, place, text in wanted:
        width, height = size_of(Kind.RANK, text, fonts)
        left = min(max(place - width / 2, plot.left() - GAP), area.right() - width)
        rect = QRectF(left, plot.bottom() + GAP, width, height)
        roomy = rect.adjusted(-GAP, 0, GAP, 0)
        if not any(roomy.intersects(other) for other in ranks):
            ranks.append(rect)
            labels.append(Label(Kind.RANK, text, rect))
    return labels


def _figures(
    model: RankBlocks, columns: Sequence[QRectF], plot: QRectF, fonts: Fonts
) -> list[Label]:
    """Exact bytes above blocks of like ranks, where they cover neither a figure nor a bar."""
    tops = [_y(block.most.total, plot, model.top) for block in model.blocks]
    labels: list[Label] = []
    order = sorted(range(len(columns)), key=lambda k: -columns[k].width())
    for k in order:
        block, column = model.blocks[k], columns[k]
        text = f"{group_digits(block.most.total)}{NO_BREAK_SPACE}B"
        width, height = size_of(Kind.FIGURE, text, fonts)
        if model.aggregated or width > plot.width():
            continue
        left = min(max(column.center().x() - width / 2, plot.left()), plot.right() - width)
        rect = QRectF(left, tops[k] - height - GAP / 2, width, height)
        roomy = rect.adjusted(-GAP, 0, GAP, 0)
        # Wider than its block only where its neighbours are lower, so that it is read as its own.
        behind = any(
            other.left() < rect.right()
            and rect.left() < other.right()
            and top < rect.bottom() + height
            for other, top in zip(columns, tops, strict=True)
            if other is not column
        )
        if not behind and not any(roomy.intersects(label.rect) for label in labels):
            labels.append(Label(Kind.FIGURE, text, rect))
    return labels


def _groups(
    model: RankBlocks, columns: Sequence[QRectF], plot: QRectF, fonts: Fonts, figure: float
) -> tuple[tuple[float, ...], list[Label]]:
    """Seams between shard groups, and the groups' names above them where they fit."""
    starts = [block.first for block in model.blocks]
    lefts = [columns[starts.index(first)].left() for first in model.boundaries]
    rights = [*lefts[1:], plot.right()][: len(lefts)]
    names = []
    for number, (left, right) in enumerate(zip(lefts, rights, strict=True)):
        text = f"group {number}"
        width, height = size_of(Kind.GROUP, text, fonts)
        if width + 2 * GAP <= right - left:
            y = plot.top() - figure - GAP - height
            names.append(Label(Kind.GROUP, text, QRectF(left, y, right - left, height)))
    if len(names) < len(lefts):
        names = []  # all or none: a gap would look like a missing group
    return tuple(lefts[1:]), names


def _tick_labels(model: RankBlocks, area: QRectF, plot: QRectF, fonts: Fonts) -> list[Label]:
    labels: list[Label] = []
    height = size_of(Kind.TICK, "0", fonts)[1]
    lowest_free = area.bottom()
    for value, text in model.ticks:
        y = _y(round(value * UNITS[model.unit]), plot, model.top)
        rect = QRectF(area.left(), y - height / 2, plot.left() - 2 * GAP - area.left(), height)
        if rect.bottom() <= lowest_free:
            labels.append(Label(Kind.TICK, text, rect))
            lowest_free = rect.top()
    return labels


def _legend(
    model: RankBlocks, area: QRectF, fonts: Fonts
) -> tuple[list[tuple[str, QRectF]], list[Label], float]:
    """Swatches with names in rows from the top left, and the height that they take."""
    entries = [*model.legend, *([(PADDING, PADDING)] if model.padded else [])]
    height = size_of(Kind.LEGEND, "0", fonts)[1]
    side = height * SWATCH
    swatches, labels = [], []
    left, top = area.left(), area.top()
    for role, name in entries:
        text = elided(name, font_of(Kind.LEGEND, fonts), area.width() - side - GAP)
        width = size_of(Kind.LEGEND, text, fonts)[0]
        if left > area.left() and left + side + GAP + width > area.right():
            left, top = area.left(), top + height
        swatches.append((role, QRectF(left, top + (height - side) / 2, side, side)))
        labels.append(Label(Kind.LEGEND, text, QRectF(left + side + GAP, top, width, height)))
        left += side + GAP + width + 4 * GAP
    return swatches, labels, top + height - area.top()
