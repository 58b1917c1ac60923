"""Draws a laid-out stage chart with any QPainter: screen, picture or paper."""

from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPen

from zerogui.gui.chart.geometry import Block, Fonts, Kind, Label, Picture
from zerogui.gui.theme import Theme

_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_HATCH = 6.0  # px between the strokes of a hatch


def colour_of(role: str, theme: Theme) -> QColor:
    """The colour of a component's role, the same everywhere."""
    return QColor(theme.colour(role))


def draw(painter: QPainter, picture: Picture, fonts: Fonts, theme: Theme) -> None:
    """The whole chart but the axis, in the painter's coordinates."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    _draw_grid(painter, picture, theme)
    for block in picture.blocks:
        _draw_block(painter, block, theme)
    for swatch in picture.swatches:
        painter.fillRect(swatch.rect, colour_of(swatch.role, theme))
    if picture.device_line is not None:
        pen = QPen(QColor(theme.text), 1.5, Qt.PenStyle.DashLine)
        painter.setPen(pen)
        painter.drawLine(QLineF(*picture.device_line))
    if picture.underline is not None:
        painter.fillRect(picture.underline, QColor(theme.accent))
    for label in picture.labels:
        _draw_label(painter, label, picture, fonts, theme)


def _draw_grid(painter: QPainter, picture: Picture, theme: Theme) -> None:
    painter.setPen(QPen(QColor(theme.rule), 1))
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
        _draw_edge(painter, block.rect, colour)
        return
    if not block.hatched:
        painter.fillRect(block.rect, colour)
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
    draw_strokes(painter, rect, QPen(colour, 1.25))
    _draw_edge(painter, rect, colour)


def draw_strokes(painter: QPainter, rect: QRectF, pen: QPen, apart: float = _HATCH) -> None:
    """Diagonal strokes as lines: a brush pattern would turn into pixels in SVG and PDF."""
    painter.save()
    painter.setClipRect(rect, Qt.ClipOperation.IntersectClip)
    painter.setPen(pen)
    # Strokes of all blocks lie on one raster, so that neighbours join.
    first = int((rect.left() + rect.top()) // apart)
    last = int((rect.right() + rect.bottom()) // apart) + 1
    for k in range(first, last + 1):
        offset = k * apart
        painter.drawLine(
            QLineF(offset - rect.top(), rect.top(), offset - rect.bottom(), rect.bottom())
        )
    painter.restore()


def _draw_label(
    painter: QPainter, label: Label, picture: Picture, fonts: Fonts, theme: Theme
) -> None:
    painter.setFont(fonts.of_kind(label.kind))
    painter.setPen(QColor(_ink(label, picture, theme)))
    if label.kind in (Kind.TOTAL, Kind.TOTAL_SMALL, Kind.OVER, Kind.ELSEWHERE):
        # On a plate of the ground colour, so that grid and device line never cross a figure.
        width = fonts.size(label.kind, label.text)[0] + 6
        centre = label.rect.center()
        plate = QRectF(centre.x() - width / 2, label.rect.top(), width, label.rect.height())
        painter.fillRect(plate, QColor(theme.window))
    left = label.kind in (Kind.LEGEND, Kind.DEVICE)
    flags = _LEFT if left else Qt.AlignmentFlag.AlignCenter
    painter.drawText(label.rect, int(flags | Qt.TextFlag.TextDontClip), label.text)


def _ink(label: Label, picture: Picture, theme: Theme) -> str:
    if label.kind is Kind.OVER:
        return theme.over
    if label.kind in (Kind.CAPTION, Kind.LEGEND, Kind.ELSEWHERE):
        return theme.muted
    if label.kind is Kind.FIGURE:
        block = next(b for b in picture.blocks if b.rect.contains(label.rect.center()))
        return readable_on(colour_of(block.role, theme)) if block.on_device else theme.text
    return theme.text


def readable_on(colour: QColor) -> str:
    """Near-black or white, whichever contrasts more (WCAG relative luminance)."""

    def linear(channel: float) -> float:
        return channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4

    red, green, blue = (linear(c) for c in (colour.redF(), colour.greenF(), colour.blueF()))
    luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    # Equal contrast with white and #111111 (luminance 0.0056) lies at about 0.19.
    return "#FFFFFF" if luminance < 0.19 else "#111111"
