"""What a laid-out scaling picture consists of, and where workers and bytes lie in it."""

from dataclasses import dataclass
from enum import Enum
from itertools import pairwise
from math import log2, log10

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QFont

from zerogui.gui.chart.geometry import Fonts
from zerogui.gui.widgets.wrapping import elided, text_size, wrapped
from zerogui.planning.quantities import UNITS, format_bytes, group_digits
from zerogui.planning.scaling import ScalingModel

GAP = 4.0  # px, half a grid step
DEVICE_SHARE = 0.25  # of the width, at most, for the device's name beside its line
SAMPLE = 6.0  # px between the points of a line that labels keep clear of


class Kind(Enum):
    """What a label is, which decides its type and colour."""

    TICK = "tick"
    AXIS = "axis"
    STAGE = "stage"
    STAGE_SELECTED = "stage selected"
    DEVICE = "device"
    CURRENT = "current"
    CROSSING = "crossing"


def font_of(kind: Kind, fonts: Fonts) -> QFont:
    """The font that labels of ``kind`` are set in."""
    if kind in (Kind.STAGE_SELECTED, Kind.CURRENT):
        return fonts.bold
    return fonts.base if kind in (Kind.STAGE, Kind.CROSSING) else fonts.small


def size_of(kind: Kind, text: str, fonts: Fonts) -> tuple[float, float]:
    """Width and height of ``text`` in px."""
    return text_size(text, font_of(kind, fonts))


@dataclass(frozen=True)
class Label:
    """A text in ``rect``; ``stage`` where it names a line (a click on it chooses the stage)."""

    kind: Kind
    text: str
    rect: QRectF
    stage: int | None = None


@dataclass(frozen=True)
class Mark:
    """A computed point of a line; hollow where it does not fit."""

    centre: QPointF
    fits: bool


@dataclass(frozen=True)
class Curve:
    """One stage's line through its computed points."""

    stage: int
    selected: bool
    marks: tuple[Mark, ...]


@dataclass(frozen=True)
class Picture:
    """The view laid out. ``unit`` is the size of a mark and grows with the text."""

    plot: QRectF
    unit: float
    grid: tuple[float, ...]
    curves: tuple[Curve, ...]
    device_y: float | None
    current_x: float
    rings: tuple[QPointF, ...]
    leaders: tuple[tuple[QPointF, QPointF], ...]
    labels: tuple[Label, ...]
    columns: tuple[float, ...]

    def says(self, text: str) -> bool:
        """Whether a label with this text found room."""
        return any(label.text == text for label in self.labels)

    def nearest(self, x: float) -> int:
        """Index of the worker count whose column is nearest to ``x``."""
        return min(range(len(self.columns)), key=lambda k: abs(self.columns[k] - x))


@dataclass(frozen=True)
class Scales:
    """Where workers and bytes lie inside ``plot``."""

    plot: QRectF
    first: float
    last: float
    low: float
    high: float
    size: int
    log: bool

    def x(self, workers: int) -> float:
        """Pixel of a worker count: doubling N is one step everywhere."""
        span = max(self.last - self.first, 1e-9)
        return self.plot.left() + self.plot.width() * (log2(workers) - self.first) / span

    def y(self, value: int) -> float:
        """Pixel of so many bytes; on the logarithmic axis nothing lies below its first decade."""
        if self.log:
            place = log10(value / self.size) if value > 0 else self.low
            place = max(place, self.low)
        else:
            place = value / self.size
        return self.plot.bottom() - self.plot.height() * (place - self.low) / (self.high - self.low)


def y_ticks(model: ScalingModel, log: bool) -> list[tuple[int, str]]:
    """(bytes, text) of the grid lines."""
    size = UNITS[model.unit]
    chosen = model.decades if log else model.ticks
    return [(round(value * size), text) for value, text in chosen]


def scales(model: ScalingModel, area: QRectF, fonts: Fonts, log: bool) -> Scales:
    """The plot's place: ticks at the left and below, names at the right, the present N above."""
    small = size_of(Kind.TICK, "0", fonts)[1]
    left = max(size_of(Kind.TICK, text, fonts)[0] for _, text in y_ticks(model, log))
    names = [size_of(Kind.STAGE_SELECTED, line.label, fonts)[0] for line in model.lines]
    if model.device is not None:
        names += [size_of(Kind.DEVICE, t, fonts)[0] for t in device_texts(model, area, fonts)]
    right = max(names, default=0.0) + names_gap(fonts) + 2 * GAP
    above = size_of(Kind.CURRENT, "0", fonts)[1] + GAP
    below = small + GAP + (small + GAP if has_axis_title(area, fonts) else 0.0)
    first, last = log2(model.workers[0]), log2(model.workers[-1])
    # The first figure below is centred on the corner: it must not reach those at the left.
    corner = size_of(Kind.TICK, workers_tick(2 ** int(first)), fonts)[0] / 2 + GAP
    plot = area.adjusted(left + max(2 * GAP, corner), above, -right, -below)
    if first == last:
        first, last = first - 1, last + 1
    size = UNITS[model.unit]
    if log:
        low, high = log10(model.decades[0][0]), log10(model.decades[-1][0])
        return Scales(plot, first, last, low, high, size, True)
    return Scales(plot, first, last, 0.0, model.top / size * 1.04, size, False)


def names_gap(fonts: Fonts) -> float:
    """Room between the plot and the names at its right: half of the last tick's figure."""
    return max(4 * GAP, size_of(Kind.TICK, "16K", fonts)[0] / 2 + GAP)


def has_axis_title(area: QRectF, fonts: Fonts) -> bool:
    """A low picture spends its lines on the plot; the title above it names the axis too."""
    return area.height() >= 12 * size_of(Kind.AXIS, "0", fonts)[1]


def device_texts(model: ScalingModel, area: QRectF, fonts: Fonts) -> tuple[str, ...]:
    """The device line's name, elided where it is long, and its size, broken where it is long.

    An arrow says that the line lies too far up to be drawn.
    """
    device = model.device
    if device is None:
        return ()
    font, room = font_of(Kind.DEVICE, fonts), area.width() * DEVICE_SHARE
    size = device.size if device.in_range else f"{device.size} ↑"
    longest = max(size_of(Kind.DEVICE, word, fonts)[0] for word in size.split(" "))
    name = elided(device.name, font, max(room, longest))
    return (name, *wrapped(size, font, max(room, longest), 3))


def samples(curve: Curve) -> list[QPointF]:
    """Points along a line, close enough together to notice a label on it."""
    points = [mark.centre for mark in curve.marks]
    found = list(points)
    for a, b in pairwise(points):
        steps = int(max(abs(b.x() - a.x()), abs(b.y() - a.y())) / SAMPLE)
        found += [a + (b - a) * (k / steps) for k in range(1, steps)]
    return found


def workers_tick(workers: int) -> str:
    """1, 2, ... 512, 1K ... 16K, as people say them."""
    if workers < 1024:
        return str(workers)
    return f"{workers // 1024}K" if workers < 2**20 else f"{workers // 2**20}M"


def current_texts(model: ScalingModel) -> tuple[str, ...]:
    """The label of the present N with the selected stage's figure, and a shorter one."""
    short = f"N = {group_digits(model.current)}"
    for line in model.lines:
        if line.selected:
            about = "" if line.exact else "≈\u00a0"
            figure = format_bytes(line.peaks[model.workers.index(model.current)], model.unit)
            return (f"{short}: {line.label} {about}{figure}\u00a0{model.unit}", short)
    return (short,)
