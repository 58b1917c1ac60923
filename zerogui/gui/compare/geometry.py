"""Where the bars, labels and device lines of compared plans go; pure but for font metrics."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QLineF, QRectF

from zerogui.gui.chart.geometry import GAP, Block, Fonts, HitArea, Kind, Label, Picture
from zerogui.planning.chart import Bar, DeviceLine, Segment
from zerogui.planning.comparison import Column, Comparison
from zerogui.planning.quantities import MINUS, NO_BREAK_SPACE, UNITS, group_digits
from zerogui.planning.summary import size_text

WIDEST_BAR = 10.0  # times the height of a line
SHARE = 0.55  # of its slot that a bar takes
FACTOR = " · ×0.0888"  # about the longest that three digits give


@dataclass(frozen=True)
class Place:
    """Where column ``number`` stands, in px from the chart's left edge."""

    number: int
    left: float
    width: float


@dataclass(frozen=True)
class ColumnHit:
    """What is at a point: a bar's segment, or a whole bar, of plan ``column``."""

    column: int
    rect: QRectF
    bar: Bar
    segment: Segment | None = None


@dataclass(frozen=True)
class Scene:
    """The chart laid out: ``bars`` (with figures) first, then ``lines``, then ``texts``."""

    bars: Picture
    lines: tuple[QLineF, ...]
    texts: Picture
    axis: tuple[tuple[str, QRectF], ...]
    devices: tuple[tuple[str, QRectF], ...]
    hits: tuple[ColumnHit, ...]


def narrowest(comparison: Comparison, fonts: Fonts) -> float:
    """The least width of a column in px: its figures and their differences fit in one line each."""
    values = [
        value
        for column in comparison.columns
        for row in column.figures
        for key, value in row.values.items()
        if value is not None and key != "communication"
    ]
    largest = max(values, default=0)
    if comparison.unit is None:
        text = change = group_digits(largest)
    else:
        text = size_text(largest, comparison.unit, comparison.decimals)
        change = max("8888.8", "8" * (comparison.decimals + 2), key=len)
        change = max(change, text[: text.find(".")], key=len)
    wide = max(
        fonts.size(Kind.STAGE_SELECTED, f"≈{NO_BREAK_SPACE}{text}")[0],
        fonts.size(Kind.CAPTION, f"{MINUS}{change}{FACTOR}")[0],
    )
    bars = len(comparison.columns[0].bars)
    if bars > 1:
        figures = [bar.figure for column in comparison.columns for bar in column.bars]
        longest = max(figures, key=len)
        wide = max(wide, bars * (fonts.size(Kind.TOTAL, longest)[0] + 2 * GAP))
    return wide + 4 * GAP


def margin_width(comparison: Comparison, fonts: Fonts) -> float:
    """What ticks and device labels want at the left of the plot, px."""
    devices = {c.device for c in comparison.columns[:50] if c.device is not None}
    texts = [text for device in devices for text in _device_texts(device, True)]
    widths = [fonts.size(Kind.DEVICE, text)[0] for text in texts]
    return _ticks_width(comparison, fonts) + max(widths, default=0.0) + 4 * GAP


def _ticks_width(comparison: Comparison, fonts: Fonts) -> float:
    return max(fonts.size(Kind.CAPTION, text)[0] for _, text in comparison.ticks)


def lay_out(
    comparison: Comparison, area: QRectF, margin: float, places: Sequence[Place], fonts: Fonts
) -> Scene:
    """The chart of the columns at ``places`` inside ``area``; the axis stands in the margin."""
    plot = _plot(comparison, area, margin, fonts)
    builder = _Builder(comparison, plot, fonts)
    for place in places:
        builder.add(comparison.columns[place.number], place)
    grid = tuple(builder.y(value * UNITS[comparison.bar_unit]) for value, _ in comparison.ticks)
    axis = _axis(comparison, area, plot, grid, fonts)
    shown = [comparison.columns[place.number].device for place in places]
    room = QRectF(area.left(), area.top(), margin - _ticks_width(comparison, fonts) - 3 * GAP, 0)
    taken = [rect for text, rect in axis if text == _title(comparison)]
    devices = _devices(shown, room, taken, builder, fonts)
    return Scene(
        bars=_picture(plot, builder.blocks, builder.figures, grid),
        lines=tuple(builder.lines),
        texts=_picture(plot, [], builder.labels, ()),
        axis=tuple(axis),
        devices=tuple(devices),
        hits=tuple(builder.hits),
    )


def _picture(
    plot: QRectF, blocks: list[Block], labels: list[Label], grid: tuple[float, ...]
) -> Picture:
    hits: tuple[HitArea, ...] = ()
    return Picture(plot, tuple(blocks), (), tuple(labels), grid, None, None, hits)


def _plot(comparison: Comparison, area: QRectF, margin: float, fonts: Fonts) -> QRectF:
    line, small = fonts.size(Kind.TOTAL, "0")[1], fonts.size(Kind.CAPTION, "0")[1]
    many = len(comparison.columns[0].bars) > 1
    over = not many and any(bar.over for column in comparison.columns for bar in column.bars)
    above = line + (small + GAP / 2 if over else 0.0) + GAP
    # Never upside down, however low the window is.
    above = max(above, small + GAP)
    # Room for half of the figure at zero, or for the stages' numbers.
    below = small + GAP if many else small / 2
    height = max(area.height() - above - below, 1.0)
    return QRectF(area.left() + margin, area.top() + above, area.width() - margin, height)


class _Builder:
    """Collects what one column after the other adds."""

    def __init__(self, comparison: Comparison, plot: QRectF, fonts: Fonts) -> None:
        self.comparison, self.plot, self.fonts = comparison, plot, fonts
        self.blocks: list[Block] = []
        self.figures: list[Label] = []
        self.labels: list[Label] = []
        self.lines: list[QLineF] = []
        self.hits: list[ColumnHit] = []

    def y(self, value: float) -> float:
        """Pixel height of ``value`` bytes."""
        return self.plot.bottom() - self.plot.height() * value / self.comparison.top

    def add(self, column: Column, place: Place) -> None:
        """The bars of one plan, side by side in its column."""
        inner = place.width - 2 * GAP if len(column.bars) > 1 else place.width
        slot = inner / len(column.bars)
        left = place.left + (place.width - inner) / 2
        cap = WIDEST_BAR * self.fonts.size(Kind.STAGE, "0")[1]
        for index, bar in enumerate(column.bars):
            rect = QRectF(left + index * slot, self.plot.top(), slot, self.plot.height())
            self.hits.append(ColumnHit(place.number, rect, bar))
            self._bar(column, bar, rect, min(slot * SHARE, cap), place.number)
        device = column.device
        if device is not None and 0 <= device.usable <= self.comparison.top:
            self._line(place, self.y(device.usable))

    def _line(self, place: Place, y: float) -> None:
        """A device line; that of a neighbour with the same device goes on."""
        left = place.left
        if self.lines and self.lines[-1].x2() == left and self.lines[-1].y1() == y:
            left = self.lines.pop().x1()
        self.lines.append(QLineF(left, y, place.left + place.width, y))

    def _bar(self, column: Column, bar: Bar, slot: QRectF, width: float, number: int) -> None:
        if len(column.bars) > 1:
            kind = Kind.STAGE_SELECTED if bar.selected else Kind.CAPTION
            height = self.fonts.size(Kind.CAPTION, "0")[1]
            below = QRectF(slot.left(), self.plot.bottom() + GAP / 2, slot.width(), height)
            self.labels.append(Label(kind, str(bar.stage), below))
        if bar.reason is not None:
            self._not_offered(slot, len(column.bars) == 1)
            return
        limit = column.device.usable if column.device is not None else None
        centre, base = slot.center().x(), 0
        for segment in bar.segments:
            top = base + segment.bytes
            rect = QRectF(centre - width / 2, self.y(top), width, self.y(base) - self.y(top))
            self.hits.append(ColumnHit(number, rect, bar, segment))
            self._segment(segment, base, top, limit, rect)
            base = top
        self._total(bar, slot, self.y(base))

    def _segment(
        self, segment: Segment, base: int, top: int, limit: int | None, rect: QRectF
    ) -> None:
        """Its own colour up to the device line, hatched above it."""
        split = top if limit is None else min(max(limit, base), top)
        middle = self.y(split)
        if split > base:
            lower = QRectF(rect.left(), middle, rect.width(), rect.bottom() - middle)
            self.blocks.append(Block(segment.role, lower))
        if top > split:
            upper = QRectF(rect.left(), rect.top(), rect.width(), middle - rect.top())
            self.blocks.append(Block(segment.role, upper, hatched=True))
            return
        width, height = self.fonts.size(Kind.FIGURE, segment.figure)
        if rect.height() >= 2 * height and rect.width() >= width + 2 * GAP:
            self.figures.append(Label(Kind.FIGURE, segment.figure, rect))

    def _not_offered(self, slot: QRectF, has_room: bool) -> None:
        text = "not offered" if has_room else NO_OFFER
        width, height = self.fonts.size(Kind.CAPTION, text)
        if width <= slot.width():
            rect = QRectF(slot.left(), self.plot.bottom() - height, slot.width(), height)
            self.labels.append(Label(Kind.CAPTION, text, rect))

    def _total(self, bar: Bar, slot: QRectF, top: float) -> None:
        """The total above its bar, and by how much it does not fit between the two."""
        if bar.over is not None and len(self.comparison.columns[0].bars) == 1:
            width, height = self.fonts.size(Kind.OVER, bar.over)
            if width <= slot.width():
                top -= height + GAP / 2
                rect = QRectF(slot.left(), top, slot.width(), height)
                self.labels.append(Label(Kind.OVER, bar.over, rect))
        width, height = self.fonts.size(Kind.TOTAL, bar.figure)
        if width <= slot.width():
            rect = QRectF(slot.left(), top - height - GAP / 2, slot.width(), height)
            self.labels.append(Label(Kind.TOTAL, bar.figure, rect))


NO_OFFER = "–"


def _title(comparison: Comparison) -> str:
    return f"{comparison.bar_unit} per rank"


def _axis(
    comparison: Comparison, area: QRectF, plot: QRectF, grid: tuple[float, ...], fonts: Fonts
) -> list[tuple[str, QRectF]]:
    """What the axis measures, at its top, and the ticks that have room."""
    width, height = fonts.size(Kind.CAPTION, _title(comparison))
    title = QRectF(plot.left() - GAP - width, area.top(), width, height)
    texts = [(_title(comparison), title)]
    last = None
    for (_, text), y in zip(comparison.ticks, grid, strict=True):
        rect = QRectF(area.left(), y - height / 2, plot.left() - GAP - area.left(), height)
        if rect.top() >= title.bottom() and (last is None or rect.bottom() <= last):
            texts.append((text, rect))
            last = rect.top()
    return texts


def _device_texts(device: DeviceLine, in_range: bool) -> tuple[str, str]:
    return device.name, device.size if in_range else f"{device.size} ↑"


def _devices(
    shown: Sequence[DeviceLine | None],
    room: QRectF,
    taken: list[QRectF],
    builder: _Builder,
    fonts: Fonts,
) -> list[tuple[str, QRectF]]:
    """Name and size of each device beside its line; those that have no room are left out."""
    height = fonts.size(Kind.DEVICE, "0")[1]
    labels: list[tuple[str, QRectF]] = []
    distinct = {(d.usable, d.name, d.size): d for d in shown if d is not None}
    for device in distinct.values():
        in_range = 0 <= device.usable <= builder.comparison.top
        texts = [
            text
            for text in _device_texts(device, in_range)
            if fonts.size(Kind.DEVICE, text)[0] <= room.width()
        ]
        y = builder.y(device.usable) if in_range else builder.plot.top()
        top = y - height * len(texts) / 2
        top = min(max(top, room.top()), builder.plot.bottom() - height * len(texts))
        wide = max((fonts.size(Kind.DEVICE, text)[0] for text in texts), default=0.0)
        whole = QRectF(room.left(), top, wide, height * len(texts))
        if not texts or any(whole.intersects(other) for other in taken):
            continue
        taken.append(whole)
        for index, text in enumerate(texts):
            line = QRectF(room.left(), whole.top() + index * height, room.width(), height)
            labels.append((text, line))
    return labels
