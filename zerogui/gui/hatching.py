"""Hatching as an option: each state's own strokes on top of its colour, and the switch for them."""

from typing import NamedTuple

from PySide6.QtCore import QObject, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPen

from zerogui.gui.theme import Theme

_STRENGTH = 0.6  # of the strokes' ink
_DOT = 2.2  # px


class Pattern(NamedTuple):
    """Strokes along each of ``directions``, ``apart`` px from each other; or dots on a raster.

    A direction is a step in px, y downwards: (1, 0) draws horizontal strokes.
    """

    directions: tuple[tuple[int, int], ...] = ()
    apart: float = 5.0


# (1, -1) alone, from bottom left to top right, means padding and what does not fit.
PATTERNS: dict[str, Pattern] = {
    "parameters": Pattern(((0, 1),)),
    "gradients": Pattern(((1, 0),)),
    "master": Pattern(((1, 1),), 6.0),
    "first": Pattern(((1, 0), (0, 1)), 6.0),
    "second": Pattern(apart=5.0),
    "further": Pattern(((1, 1), (1, -1)), 8.0),
}


class _Hatching(QObject):
    """Whether states are hatched, for the whole application and every picture it makes."""

    changed = Signal()
    on = False


hatching = _Hatching()


def is_hatching() -> bool:
    """Whether states are hatched."""
    return hatching.on


def set_hatching(on: bool) -> None:
    """Hatch all states, or none. ``hatching.changed`` follows: who shows states paints anew."""
    if on != hatching.on:
        hatching.on = on
        hatching.changed.emit()


def fill(painter: QPainter, rect: QRectF, role: str, theme: Theme) -> None:
    """``rect`` in the colour of ``role``, with its strokes where hatching is on."""
    painter.fillRect(rect, QColor(theme.colour(role)))
    hatch(painter, rect, role, theme)


def hatch(
    painter: QPainter, rect: QRectF, role: str, theme: Theme, ink: QColor | None = None
) -> None:
    """The strokes of ``role`` alone, where hatching is on; ``ink`` must be seen on the ground."""
    pattern = PATTERNS.get(role)
    if not hatching.on or pattern is None:
        return
    if ink is None:
        ink = QColor(readable_on(QColor(theme.colour(role))))
        ink.setAlphaF(_STRENGTH)
    if not pattern.directions:
        _dots(painter, rect, ink, pattern.apart)
    for direction in pattern.directions:
        strokes(painter, rect, QPen(ink, 1.0), pattern.apart, direction)


def strokes(
    painter: QPainter,
    rect: QRectF,
    pen: QPen,
    apart: float,
    direction: tuple[int, int] = (1, -1),
) -> None:
    """Parallel strokes as lines: a brush pattern would turn into pixels in SVG and PDF.

    Strokes of all rectangles lie on one raster, so that neighbours join.
    """
    painter.save()
    painter.setClipRect(rect, Qt.ClipOperation.IntersectClip)
    painter.setPen(pen)
    dx, dy = direction
    # A stroke is where dy·x - dx·y has one value.
    corners = [
        dy * x - dx * y for x in (rect.left(), rect.right()) for y in (rect.top(), rect.bottom())
    ]
    for k in range(int(min(corners) // apart), int(max(corners) // apart) + 2):
        offset = k * apart
        if 0 in direction:
            offset += 0.5  # the middle of a pixel: crisp
        if dx == 0:
            x = offset / dy
            ends = QPointF(x, rect.top()), QPointF(x, rect.bottom())
        else:
            y1, y2 = ((dy * x - offset) / dx for x in (rect.left(), rect.right()))
            ends = QPointF(rect.left(), y1), QPointF(rect.right(), y2)
        painter.drawLine(*ends)
    painter.restore()


def _dots(painter: QPainter, rect: QRectF, ink: QColor, apart: float) -> None:
    painter.save()
    painter.setClipRect(rect, Qt.ClipOperation.IntersectClip)
    pen = QPen(ink, _DOT)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    painter.setPen(pen)
    rows = range(int(rect.top() // apart), int(rect.bottom() // apart) + 2)
    columns = range(int(rect.left() // apart), int(rect.right() // apart) + 2)
    for row in rows:
        shift = apart / 2 if row % 2 else 0.0
        painter.drawPoints([QPointF(column * apart + shift, row * apart) for column in columns])
    painter.restore()


def readable_on(colour: QColor) -> str:
    """Near-black or white, whichever contrasts more (WCAG relative luminance)."""

    def linear(channel: float) -> float:
        return channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4

    red, green, blue = (linear(c) for c in (colour.redF(), colour.greenF(), colour.blueF()))
    luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    # Equal contrast with white and #111111 (luminance 0.0056) lies at about 0.19.
    return "#FFFFFF" if luminance < 0.19 else "#111111"
