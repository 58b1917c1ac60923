"""Where every bar, label and line of the stage chart goes, in pixels; pure but for font metrics."""

from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import NamedTuple

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QFont, QFontMetricsF

from zerogui.gui.widgets.wrapping import elided, wrapped
from zerogui.planning.chart import Bar, ChartModel, Segment
from zerogui.planning.quantities import UNITS

GAP = 4.0  # px between a bar and its labels; half a grid step
BAND_GAP = 8.0
SWATCH = 0.68  # of a line of the legend
DEVICE_SHARE = 0.22  # of the width, at most, for the device's name beside its line
DEVICE_LINES = 3
BAR_SHARE = 0.5  # of a bar's slot: bars are about half as wide as their spacing
_MOST_SIZES = 200  # of texts that are remembered: a chart has about fifty


class Kind(Enum):
    """What a label is, which decides its type size and colour."""

    TOTAL = "total"
    TOTAL_SMALL = "total, where the slot is narrow"
    OVER = "over"
    ELSEWHERE = "elsewhere"
    FIGURE = "figure"
    STAGE = "stage"
    STAGE_SELECTED = "stage selected"
    CAPTION = "caption"
    DEVICE = "device"
    LEGEND = "legend"

    # There is one of each: Enum's own hash is slow, and kinds are looked up for every label.
    __hash__ = object.__hash__


@dataclass(frozen=True)
class Fonts:
    """Type of the chart, all derived from one base font so that it scales as a whole."""

    base: QFont
    total: QFont
    bold: QFont
    small: QFont

    @classmethod
    def of(cls, base: QFont) -> "Fonts":
        """LOOK: totals +2 pt bold, captions -1 pt."""
        return cls(base, _font(base, 2, True), _font(base, 0, True), _font(base, -1, False))

    @cached_property
    def _by_kind(self) -> dict[Kind, tuple[QFont, QFontMetricsF]]:
        fonts = dict.fromkeys(Kind, self.small) | {
            Kind.TOTAL: self.total,
            Kind.STAGE_SELECTED: self.bold,
            Kind.STAGE: self.base,
        }
        return {kind: (font, QFontMetricsF(font)) for kind, font in fonts.items()}

    def of_kind(self, kind: Kind) -> QFont:
        """The font that labels of ``kind`` are set in."""
        return self._by_kind[kind][0]

    @cached_property
    def _sizes(self) -> dict[tuple[Kind, str], tuple[float, float]]:
        return {}

    def size(self, kind: Kind, text: str) -> tuple[float, float]:
        """Width and height of ``text`` in px; most of a chart's texts stay from edit to edit."""
        known = self._sizes.get((kind, text))
        if known is None:
            metrics = self._by_kind[kind][1]
            known = (metrics.horizontalAdvance(text), metrics.height())
            if len(self._sizes) >= _MOST_SIZES:
                self._sizes.clear()
            self._sizes[(kind, text)] = known
        return known

    def elided(self, kind: Kind, text: str, width: float) -> str:
        """``text``, with an ellipsis at its end where it is wider than ``width`` px."""
        fits = self.size(kind, text)[0] <= width
        return text if fits else elided(text, self.of_kind(kind), width)


def _font(base: QFont, delta: float, bold: bool) -> QFont:
    font = QFont(base)
    font.setPointSizeF(max(base.pointSizeF() + delta, 5.0))
    font.setBold(bold)
    return font


class Label(NamedTuple):
    """A text centred in ``rect`` (left-aligned for legend and device)."""

    kind: Kind
    text: str
    rect: QRectF


class Block(NamedTuple):
    """A filled rectangle in the colour of ``role``; ``hatched`` above the device line."""

    role: str
    rect: QRectF
    hatched: bool = False
    on_device: bool = True


class HitArea(NamedTuple):
    """Where the pointer meets a stage (a whole slot) or a segment of its bar."""

    stage: int
    rect: QRectF
    segment: Segment | None = None


class Picture(NamedTuple):
    """The chart laid out; ``outline`` is the segment under discussion, if there is one."""

    plot: QRectF
    blocks: tuple[Block, ...]
    swatches: tuple[Block, ...]
    labels: tuple[Label, ...]
    grid: tuple[float, ...]
    device_line: tuple[QPointF, QPointF] | None
    underline: QRectF | None
    hits: tuple[HitArea, ...]
    outline: QRectF | None = None


class Frame(NamedTuple):
    """Room around the plot: legend and totals above, names below, device label at the right."""

    plot: QRectF
    top: int

    def y(self, value: float) -> float:
        """Pixel height of ``value`` bytes."""
        return self.plot.bottom() - self.plot.height() * value / self.top


def frame(model: ChartModel, area: QRectF, fonts: Fonts) -> Frame:
    """The plot's place inside ``area``."""
    line = fonts.size(Kind.TOTAL, "0")[1]
    small = fonts.size(Kind.CAPTION, "0")[1]
    legend = fonts.size(Kind.LEGEND, "0")[1] * len(_legend_rows(model, area.width(), fonts))
    over = small * max((bar.over is not None) + (bar.elsewhere is not None) for bar in model.bars)
    above = legend + BAND_GAP + line + over + 2 * GAP
    below = fonts.size(Kind.STAGE_SELECTED, "0")[1] + small + 2 * GAP + 2
    right = _device_width(model, area.width(), fonts)
    plot = area.adjusted(0, above, -right, -below)
    return Frame(plot, model.top)


def visible_ticks(model: ChartModel, placed: Frame, fonts: Fonts) -> tuple[tuple[float, str], ...]:
    """The axis ticks, thinned out until their texts stand clear of each other."""
    ticks = model.ticks
    line = fonts.size(Kind.CAPTION, "0")[1]
    if len(ticks) < 2:
        return ticks
    spacing = abs(placed.y(ticks[1][0] * UNITS[model.unit]) - placed.y(0))
    every = 1
    while every < len(ticks) and every * spacing < 1.3 * line:
        every += 1
    return ticks[::every]


def lay_out(model: ChartModel, area: QRectF, fonts: Fonts) -> Picture:
    """Everything in its place inside ``area``."""
    placed = frame(model, area, fonts)
    plot = placed.plot
    blocks: list[Block] = []
    labels: list[Label] = []
    hits: list[HitArea] = []
    underline = None
    slot = plot.width() / max(len(model.bars), 1)
    for index, bar in enumerate(model.bars):
        column = QRectF(plot.left() + index * slot, area.top(), slot, area.height())
        hits.append(HitArea(bar.stage, column))
        _place_bar(bar, column, placed, model, fonts, blocks, labels, hits)
        below = _place_names(bar, column, plot.bottom(), fonts, labels)
        if bar.selected:
            underline = below
    swatches = _place_legend(model, area, fonts, labels)
    device_line = _place_device(model, placed, area, fonts, labels)
    return Picture(
        plot=plot,
        blocks=tuple(blocks),
        swatches=tuple(swatches),
        labels=tuple(labels),
        grid=tuple(
            placed.y(value * UNITS[model.unit]) for value, _ in visible_ticks(model, placed, fonts)
        ),
        device_line=device_line,
        underline=underline,
        hits=tuple(hits),
    )


def _place_bar(
    bar: Bar,
    column: QRectF,
    placed: Frame,
    model: ChartModel,
    fonts: Fonts,
    blocks: list[Block],
    labels: list[Label],
    hits: list[HitArea],
) -> None:
    centre, width = column.center().x(), column.width() * BAR_SHARE
    if bar.reason is not None:
        height = fonts.size(Kind.CAPTION, "0")[1]
        rect = QRectF(column.left(), placed.plot.bottom() - height - GAP, column.width(), height)
        labels.append(Label(Kind.CAPTION, "not offered", rect))
        return
    base = 0
    limit = model.device.usable if model.device is not None else None
    for segment in bar.segments:
        top = base + segment.bytes
        rect = _block(centre, width, placed.y(top), placed.y(base))
        hits.append(HitArea(bar.stage, rect, segment))
        split = top if limit is None or not segment.on_device else min(max(limit, base), top)
        if split > base:
            rect_below = _block(centre, width, placed.y(split), placed.y(base))
            blocks.append(Block(segment.role, rect_below, on_device=segment.on_device))
        if top > split:
            over = _block(centre, width, placed.y(top), placed.y(split))
            blocks.append(Block(segment.role, over, hatched=True))
        _place_figure(segment, rect, fonts, labels, top <= split)
        base = top
    _place_total(bar, column, placed.y(base), fonts, labels)


def _block(centre: float, width: float, top: float, bottom: float) -> QRectF:
    return QRectF(centre - width / 2, top, width, bottom - top)


def _place_figure(
    segment: Segment, rect: QRectF, fonts: Fonts, labels: list[Label], solid: bool
) -> None:
    """A segment carries its own figure when it is at least two text lines high."""
    width, height = fonts.size(Kind.FIGURE, segment.figure)
    if solid and rect.height() >= 2 * height and rect.width() >= width + 2 * GAP:
        labels.append(Label(Kind.FIGURE, segment.figure, rect))


def over_text(bar: Bar, width: float, fonts: Fonts) -> list[tuple[Kind, str]]:
    """What stands between a bar and its total, shorter where ``width`` px have no room for it."""
    found = []
    for kind, text in ((Kind.ELSEWHERE, bar.elsewhere), (Kind.OVER, bar.over)):
        if text is not None:
            if fonts.size(kind, text)[0] > width:
                # No room for how much: the table has it.
                text = "over" if kind is Kind.OVER else "+ off device"
            found.append((kind, text))
    return found


def _place_total(bar: Bar, column: QRectF, top: float, fonts: Fonts, labels: list[Label]) -> None:
    for kind, text in over_text(bar, column.width(), fonts):
        height = fonts.size(kind, text)[1]
        top -= height + GAP / 2
        labels.append(Label(kind, text, _line(column, top, height)))
    width, height = fonts.size(Kind.TOTAL, bar.figure)
    kind = Kind.TOTAL if width <= column.width() - GAP else Kind.TOTAL_SMALL
    labels.append(Label(kind, bar.figure, _line(column, top - height - GAP / 2, height)))


def stage_text(bar: Bar, width: float, fonts: Fonts) -> str:
    """The stage's name, without its engine where ``width`` px have no room for it."""
    wide = fonts.size(Kind.STAGE_SELECTED, bar.label)[0] > width
    return bar.label.partition(" (")[0] if wide else bar.label


def _line(column: QRectF, top: float, height: float) -> QRectF:
    return QRectF(column.left(), top, column.width(), height)


def _place_names(
    bar: Bar, column: QRectF, bottom: float, fonts: Fonts, labels: list[Label]
) -> QRectF:
    """Stage name and what is partitioned below the bar; returns where its underline goes."""
    kind = Kind.STAGE_SELECTED if bar.selected else Kind.STAGE
    text = stage_text(bar, column.width() - GAP, fonts)
    width, height = fonts.size(kind, text)
    name = _line(column, bottom + GAP, height)
    labels.append(Label(kind, text, name))
    caption = bar.caption
    if fonts.size(Kind.CAPTION, caption)[0] > column.width() - GAP:
        caption = bar.short_caption
    small = fonts.size(Kind.CAPTION, caption)
    if small[0] > column.width() - GAP:
        caption = fonts.elided(Kind.CAPTION, caption, column.width() - GAP)
    labels.append(Label(Kind.CAPTION, caption, _line(column, name.bottom() + 4, small[1])))
    return QRectF(column.center().x() - width / 2, name.bottom() + 1, width, 2)


def _device_lines(model: ChartModel, width: float, fonts: Fonts) -> list[str]:
    """Name and size of the device in a margin of a chart that is ``width`` px wide."""
    device = model.device
    if device is None:
        return []
    font = fonts.of_kind(Kind.DEVICE)
    size = device.size if device.in_range else f"{device.size} ↑"
    if device.usable < 0:
        size = f"{device.size} nothing is left"
    # Numbers are never cut, names where they must be.
    longest = max(fonts.size(Kind.DEVICE, word)[0] for word in size.split(" "))
    room = max(width * DEVICE_SHARE, longest)
    return wrapped(device.name, font, room, DEVICE_LINES) + wrapped(size, font, room, 5)


def _device_width(model: ChartModel, width: float, fonts: Fonts) -> float:
    widths = [fonts.size(Kind.DEVICE, text)[0] for text in _device_lines(model, width, fonts)]
    return max(widths) + 2 * GAP if widths else 0.0


def _place_device(
    model: ChartModel, placed: Frame, area: QRectF, fonts: Fonts, labels: list[Label]
) -> tuple[QPointF, QPointF] | None:
    """The dashed line, its label in the margin at its right end; at the top edge if too far up."""
    device = model.device
    if device is None:
        return None
    texts = _device_lines(model, area.width(), fonts)
    height = fonts.size(Kind.DEVICE, "0")[1]
    plot = placed.plot
    line_y = placed.y(device.usable) if device.in_range else plot.top()
    legend = len(_legend_rows(model, area.width(), fonts)) * fonts.size(Kind.LEGEND, "0")[1]
    lowest = area.bottom() - height * len(texts)
    top = min(max(line_y - height * len(texts) / 2, area.top() + legend), lowest)
    left = plot.right() + GAP
    for index, text in enumerate(texts):
        rect = QRectF(left, top + index * height, area.right() - left, height)
        labels.append(Label(Kind.DEVICE, text, rect))
    if not device.in_range:
        return None
    return QPointF(plot.left(), line_y), QPointF(plot.right(), line_y)


def swatch_side(fonts: Fonts) -> float:
    """Px of a swatch's side: it grows with the text beside it."""
    return float(round(SWATCH * fonts.size(Kind.LEGEND, "0")[1]))


def _legend_rows(
    model: ChartModel, width: float, fonts: Fonts
) -> list[list[tuple[str, str, float]]]:
    """Legend entries (role, text, width) broken into rows that fit ``width``."""
    rows: list[list[tuple[str, str, float]]] = [[]]
    used = 0.0
    side = swatch_side(fonts)
    for role, name in model.legend:
        text = fonts.elided(Kind.LEGEND, name, width - side - GAP)
        size = side + GAP + fonts.size(Kind.LEGEND, text)[0] + 2 * BAND_GAP
        if rows[-1] and used + size > width:
            rows.append([])
            used = 0.0
        rows[-1].append((role, text, size))
        used += size
    return rows


def _place_legend(
    model: ChartModel, area: QRectF, fonts: Fonts, labels: list[Label]
) -> list[Block]:
    swatches = []
    height = fonts.size(Kind.LEGEND, "0")[1]
    side = swatch_side(fonts)
    for number, row in enumerate(_legend_rows(model, area.width(), fonts)):
        left, top = area.left(), area.top() + number * height
        for role, text, size in row:
            swatches.append(Block(role, QRectF(left, top + (height - side) / 2, side, side)))
            start = left + side + GAP
            labels.append(Label(Kind.LEGEND, text, QRectF(start, top, size - side - GAP, height)))
            left += size
    return swatches
