"""Labels of the scaling picture, placed so that none covers another, a line's mark or the edge."""

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF

from zerogui.gui.chart.geometry import Fonts
from zerogui.gui.scaling.geometry import (
    GAP,
    Curve,
    Kind,
    Label,
    Scales,
    current_texts,
    device_texts,
    has_axis_title,
    names_gap,
    samples,
    size_of,
    workers_tick,
    y_ticks,
)
from zerogui.planning.scaling import ScalingModel

# A label that hides more than about ten points of the lines is better said below the picture.
_TOO_DEAR = 48.0
AXIS_TITLE = "workers N, each step doubles"


def place_ticks(model: ScalingModel, placed: Scales, area: QRectF, fonts: Fonts) -> list[Label]:
    """Figures on both axes, the axis title, and the present N above the plot."""
    plot = placed.plot
    labels: list[Label] = []
    height = size_of(Kind.TICK, "0", fonts)[1]
    ticks = y_ticks(model, placed.log)
    width = max(size_of(Kind.TICK, text, fonts)[0] for _, text in ticks)
    lowest_free = area.bottom()
    for value, text in ticks:
        y = placed.y(value)
        rect = QRectF(area.left(), y - height / 2, width, height)
        if area.top() <= rect.top() and rect.bottom() <= lowest_free and y >= plot.top() - 1:
            labels.append(Label(Kind.TICK, text, rect))
            lowest_free = rect.top()
    labels += _worker_ticks(placed, area, fonts)
    width, height = size_of(Kind.AXIS, AXIS_TITLE, fonts)
    if width <= plot.width() and has_axis_title(area, fonts):
        rect = QRectF(plot.center().x() - width / 2, area.bottom() - height, width, height)
        labels.append(Label(Kind.AXIS, AXIS_TITLE, rect))
    for text in current_texts(model):
        width, height = size_of(Kind.CURRENT, text, fonts)
        left = min(max(placed.x(model.current) - width / 2, plot.left()), plot.right() - width)
        if width <= plot.width():
            labels.append(Label(Kind.CURRENT, text, QRectF(left, area.top(), width, height)))
            break
    return labels


def _worker_ticks(placed: Scales, area: QRectF, fonts: Fonts) -> list[Label]:
    """Powers of two; every second, third, ... where they would touch."""
    first, last = int(-(-placed.first // 1)), int(placed.last // 1)
    widest = max(size_of(Kind.TICK, workers_tick(2**k), fonts)[0] for k in range(max(first, 0), 21))
    step_px = placed.plot.width() / max(placed.last - placed.first, 1e-9)
    stride = max(1, -(-int(widest + 2 * GAP) // max(int(step_px), 1)))
    labels = []
    for k in range(max(first, 0), last + 1):
        if k % stride:
            continue
        text = workers_tick(2**k)
        width, height = size_of(Kind.TICK, text, fonts)
        rect = QRectF(placed.x(2**k) - width / 2, placed.plot.bottom() + GAP, width, height)
        if area.left() <= rect.left() and rect.right() <= area.right():
            labels.append(Label(Kind.TICK, text, rect))
    return labels


def place_ends(model: ScalingModel, placed: Scales, area: QRectF, fonts: Fonts) -> list[Label]:
    """Names at the right ends of the lines, pushed apart; where room lacks the lesser are left out.

    The selected stage goes first, then the device, then the other stages, then the device's size.
    """
    entries = [
        (
            Kind.STAGE_SELECTED if line.selected else Kind.STAGE,
            line.label,
            placed.y(line.peaks[-1]),
            line.stage,
            0 if line.selected else 2,
        )
        for line in model.lines
    ]
    if model.device is not None:
        in_range = model.device.in_range
        y = placed.y(model.device.usable) if in_range else placed.plot.top()
        for rank, text in enumerate(device_texts(model, area, fonts)):
            entries.append((Kind.DEVICE, text, y + rank * 0.01, -1, 1 + 2 * rank))
    heights = {entry: size_of(entry[0], entry[1], fonts)[1] for entry in entries}
    room = area.height()
    for entry in sorted(entries, key=lambda e: -e[4]):
        if sum(heights[e] for e in entries) <= room:
            break
        entries.remove(entry)
    entries.sort(key=lambda e: (e[2], e[4]))
    tops = _spread([e[2] - heights[e] / 2 for e in entries], [heights[e] for e in entries], area)
    left = placed.plot.right() + names_gap(fonts)
    return [
        Label(
            entry[0],
            entry[1],
            QRectF(left, top, size_of(entry[0], entry[1], fonts)[0], heights[entry]),
            entry[3] if entry[3] >= 0 else None,
        )
        for entry, top in zip(entries, tops, strict=True)
    ]


def _spread(wanted: Sequence[float], heights: Sequence[float], area: QRectF) -> list[float]:
    """Tops as near to ``wanted`` (rising) as stacking inside ``area`` allows."""
    tops: list[float] = []
    floor = area.top()
    for top, height in zip(wanted, heights, strict=True):
        tops.append(max(top, floor))
        floor = tops[-1] + height
    ceiling = area.bottom()
    for k in range(len(tops) - 1, -1, -1):
        tops[k] = min(tops[k], ceiling - heights[k])
        ceiling = tops[k]
    return tops


Inside = tuple[tuple[QPointF, ...], tuple[tuple[QPointF, QPointF], ...], list[Label]]


def place_inside(
    model: ScalingModel,
    placed: Scales,
    fonts: Fonts,
    curves: Sequence[Curve],
    device_y: float | None,
) -> Inside:
    """Crossing points with their sentences."""
    keep_clear = [point for curve in curves for point in samples(curve)]
    if device_y is not None:
        steps = max(int(placed.plot.width() / 6), 1)
        keep_clear += [QPointF(placed.plot.left() + 6.0 * k, device_y) for k in range(steps)]
    labels: list[Label] = []
    rings, leaders = [], []
    for crossing in model.crossings:
        points = [QPointF(placed.x(crossing.workers), placed.y(p)) for _, p in crossing.marks]
        rings += points
        anchor = min(points, key=lambda point: point.y())
        rect = _add(crossing.text, anchor, placed, fonts, keep_clear, labels)
        if rect is not None:
            leaders.append((anchor, _nearest_edge(rect, anchor)))
    return tuple(rings), tuple(leaders), labels


def _add(
    text: str,
    anchor: QPointF,
    placed: Scales,
    fonts: Fonts,
    keep_clear: Sequence[QPointF],
    labels: list[Label],
) -> QRectF | None:
    """Put a label where it covers the least of the lines; nowhere if it would cover a label."""
    width, height = size_of(Kind.CROSSING, text, fonts)
    best: tuple[float, QRectF] | None = None
    ring = QRectF(anchor.x() - height / 2, anchor.y() - height / 2, height, height)
    for level in range(20):
        for side in (-1, 1):
            # Up is tried before down, and right of the point before left of it.
            middle = anchor.y() + side * level * height / 3
            for share in (0.0, -0.25, -0.5, -0.75, -1.0):
                left = anchor.x() + share * width + (height / 2 + 1 if share == 0 else 0)
                left -= height / 2 + 1 if share == -1 else 0
                rect = QRectF(left, middle - height / 2, width, height)
                if rect.intersects(ring) or not _is_free(rect, placed.plot, labels):
                    continue
                roomy = rect.adjusted(-3, 0, 3, 0)
                covered = sum(roomy.contains(point) for point in keep_clear)
                price = covered * 4 + level / 2 + (0.5 if side > 0 else 0.0) - share
                if best is None or price < best[0]:
                    best = (price, rect)
    if best is None or best[0] > _TOO_DEAR:
        return None
    labels.append(Label(Kind.CROSSING, text, best[1]))
    return best[1]


def _is_free(rect: QRectF, plot: QRectF, labels: Sequence[Label]) -> bool:
    roomy = rect.adjusted(-GAP, 0, GAP, 0)
    return plot.contains(rect) and not any(label.rect.intersects(roomy) for label in labels)


def _nearest_edge(rect: QRectF, point: QPointF) -> QPointF:
    x = min(max(point.x(), rect.left()), rect.right())
    return QPointF(x, rect.bottom() if rect.center().y() < point.y() else rect.top())
