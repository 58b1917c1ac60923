"""Draws a laid-out stage chart with any QPainter: screen, picture or paper."""

from functools import lru_cache

from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFontMetricsF, QPainter, QPen

from zerogui.gui.chart.geometry import Block, Fonts, Kind, Label, Picture
from zerogui.gui.hatching import fill, hatch, is_hatching, readable_on, strokes
from zerogui.gui.theme import Theme

_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_HATCH = 6.0  # px between the strokes of a hatch
_USUAL_LINE = 16.0  # px that a line of the usual text takes at most


def colour_of(role: str, theme: Theme) -> QColor:
    """The colour of a component's role, the same everywhere."""
    return QColor(theme.colour(role))


def growth(fonts: Fonts) -> float:
    """How much thicker lines are beside large type than beside the usual one."""
    return max(1.0, QFontMetricsF(fonts.base).height() / _USUAL_LINE)


def draw(painter: QPainter, picture: Picture, fonts: Fonts, theme: Theme) -> None:
    """The whole chart but the axis, in the painter's coordinates."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    thick = growth(fonts)
    _draw_grid(painter, picture, theme, thick)
    for block in picture.blocks:
        _draw_block(painter, block, theme)
    for swatch in picture.swatches:
        fill(painter, swatch.rect, swatch.role, theme)
    if picture.device_line is not None:
        pen = QPen(QColor(theme.text), 1.5 * thick, Qt.PenStyle.DashLine)
        painter.setPen(pen)
        painter.drawLine(QLineF(*picture.device_line))
    if picture.underline is not None:
        painter.fillRect(picture.underline, QColor(theme.accent))
    if picture.outline is not None:
        _draw_outline(painter, picture.outline, theme)
    for label in picture.labels:
        _draw_label(painter, label, picture, fonts, theme)


def _draw_outline(painter: QPainter, rect: QRectF, theme: Theme) -> None:
    """A frame in the accent, with a gap of the ground colour: a blue segment has it too."""
    painter.setBrush(QBrush(Qt.BrushStyle.NoBrush))
    for apart, width, colour in ((1.0, 2.0, theme.window), (3.25, 2.5, theme.accent)):
        painter.setPen(QPen(QColor(colour), width))
        painter.drawRect(rect.adjusted(-apart, -apart, apart, apart))


def _draw_grid(painter: QPainter, picture: Picture, theme: Theme, thick: float) -> None:
    painter.setPen(QPen(QColor(theme.rule), thick))
    for y in picture.grid:
        crisp = round(y) + 0.5
        painter.drawLine(QLineF(picture.plot.left(), crisp, picture.plot.right(), crisp))


def _draw_block(painter: QPainter, block: Block, theme: Theme) -> None:
    """Filled in its colour with a hairline to its neighbour; hatched where it does not fit."""
    colour = colour_of(block.role, theme)
    if not block.on_device:
        # Off the device: an outline over a pale ground, since no device memory is taken.
        pale = QColor(colour)
        pale.setAlphaF(0.25)
        painter.fillRect(block.rect, pale)
        hatch(painter, block.rect, block.role, theme, colour)
        _draw_edge(painter, block.rect, colour)
        return
    if not block.hatched:
        fill(painter, block.rect, block.role, theme)
        if block.role == "further":
            _draw_edge(painter, block.rect, QColor(theme.optimizer[1]))
    else:
        faint = QColor(theme.over)
        faint.setAlphaF(0.12)
        painter.fillRect(block.rect, faint)
        _draw_hatch(painter, block.rect, QColor(theme.over))
    if block.rect.height() > 2:
        painter.setPen(QPen(QColor(theme.window), 1))
        y = round(block.rect.top()) + 0.5
        painter.drawLine(QLineF(block.rect.left(), y, block.rect.right(), y))


def _draw_edge(painter: QPainter, rect: QRectF, colour: QColor) -> None:
    painter.setBrush(QBrush(Qt.BrushStyle.NoBrush))
    painter.setPen(QPen(colour, 1))
    painter.drawRect(rect.adjusted(0.5, 0.5, -0.5, -0.5))


def _draw_hatch(painter: QPainter, rect: QRectF, colour: QColor) -> None:
    strokes(painter, rect, QPen(colour, 1.25), _HATCH)
    _draw_edge(painter, rect, colour)


def _draw_label(
    painter: QPainter, label: Label, picture: Picture, fonts: Fonts, theme: Theme
) -> None:
    painter.setFont(fonts.of_kind(label.kind))
    painter.setPen(QColor(_ink(label, picture, theme)))
    if label.kind in (Kind.TOTAL, Kind.TOTAL_SMALL, Kind.OVER, Kind.ELSEWHERE):
        # On a plate of the ground colour, so that grid and device line never cross a figure.
        _draw_plate(painter, label, fonts, QColor(theme.window))
    elif label.kind is Kind.FIGURE and is_hatching():
        _draw_plate(painter, label, fonts, _ground(label, picture, theme))
    left = label.kind in (Kind.LEGEND, Kind.DEVICE)
    flags = _LEFT if left else Qt.AlignmentFlag.AlignCenter
    painter.drawText(label.rect, int(flags | Qt.TextFlag.TextDontClip), label.text)


def _draw_plate(painter: QPainter, label: Label, fonts: Fonts, colour: QColor) -> None:
    width, height = fonts.size(label.kind, label.text)
    plate = QRectF(0, 0, width + 6, height)
    plate.moveCenter(label.rect.center())
    painter.fillRect(plate, colour)


def _block_of(label: Label, picture: Picture) -> Block:
    """The block that a figure stands in."""
    return next(b for b in picture.blocks if b.rect.contains(label.rect.center()))


def _ground(label: Label, picture: Picture, theme: Theme) -> QColor:
    """What a figure is read on."""
    block = _block_of(label, picture)
    return colour_of(block.role, theme) if block.on_device else QColor(theme.window)


@lru_cache(maxsize=64)
def _readable(role: str, theme: Theme) -> str:
    """The ink of figures on the colour of ``role``."""
    return readable_on(colour_of(role, theme))


def _ink(label: Label, picture: Picture, theme: Theme) -> str:
    if label.kind is Kind.OVER:
        return theme.over
    if label.kind in (Kind.CAPTION, Kind.LEGEND, Kind.ELSEWHERE):
        return theme.muted
    if label.kind is Kind.FIGURE:
        block = _block_of(label, picture)
        return _readable(block.role, theme) if block.on_device else theme.text
    return theme.text
