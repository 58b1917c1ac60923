"""Type for a stage chart with little room: as large as its columns and its height allow."""

from functools import lru_cache

from PySide6.QtCore import QRectF
from PySide6.QtGui import QFont

from zerogui.gui.chart.geometry import GAP, Fonts, Kind, frame, over_text, stage_text
from zerogui.gui.theme import tabular
from zerogui.planning.chart import ChartModel

SMALLEST = 5.0  # pt
_STEP = 0.94
_LOWEST = 4  # lines of text that bars should have for their height


def fitted_fonts(model: ChartModel, width: float, height: float, base: QFont) -> Fonts:
    """``base`` or smaller, so that no label of a chart of this size meets its neighbour.

    The size is in px and includes the axis; figures are tabular.
    """
    family, size = base.toString(), base.pointSizeF()
    while True:
        fonts = _fonts(family, size)
        if size <= SMALLEST or _has_room(model, width, height, fonts):
            return fonts
        size = max(size * _STEP, SMALLEST)


@lru_cache(maxsize=32)
def _fonts(base: str, size: float) -> Fonts:
    """The chart's type around a base of ``size`` pt; kept, with what it has measured."""
    font = QFont()
    font.fromString(base)
    font.setPointSizeF(size)
    return Fonts.of(tabular(font))


def axis_width(model: ChartModel, fonts: Fonts) -> float:
    """Px that the turned title and the ticks of the axis take, with air between."""
    title = fonts.size(Kind.CAPTION, model.axis_title)[1]
    return title + max(fonts.size(Kind.CAPTION, text)[0] for _, text in model.ticks) + 3 * GAP


def _has_room(model: ChartModel, width: float, height: float, fonts: Fonts) -> bool:
    area = QRectF(0, 0, width - axis_width(model, fonts), height)
    plot = frame(model, area, fonts).plot
    line = fonts.size(Kind.STAGE, "0")[1]
    slot = plot.width() / max(len(model.bars), 1) - GAP
    # The turned title of the axis needs its length too.
    title = fonts.size(Kind.CAPTION, model.axis_title)[0]
    low = plot.height() < max(_LOWEST * line, title)
    return not low and _widest(model, fonts) <= slot


def _widest(model: ChartModel, fonts: Fonts) -> float:
    """The widest text that has to stand in a column, in the shortest form that it has, px."""
    needed = [0.0]
    for bar in model.bars:
        # Bold, so that choosing a stage does not change the type.
        needed.append(fonts.size(Kind.STAGE_SELECTED, stage_text(bar, 0.0, fonts))[0])
        if bar.reason is not None:
            needed.append(fonts.size(Kind.CAPTION, "not offered")[0])
            continue
        needed.append(fonts.size(Kind.TOTAL_SMALL, bar.figure)[0])
        for kind, text in over_text(bar, 0.0, fonts):
            needed.append(fonts.size(kind, text)[0])
    return max(needed)
