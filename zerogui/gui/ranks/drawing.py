"""Draws a laid-out ranks picture with any QPainter: screen, picture or paper."""

from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPen

from zerogui.gui.chart.geometry import Fonts
from zerogui.gui.hatching import fill, strokes
from zerogui.gui.ranks.geometry import PADDING, Kind, Label, Picture, font_of
from zerogui.gui.theme import Theme

_HATCH = 5.0  # px between the strokes of a hatch
_PALE = 0.4


def draw(
    painter: QPainter, picture: Picture, fonts: Fonts, theme: Theme, chosen: int | None
) -> None:
    """The whole picture; ``chosen`` is the block that is pointed at."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    plot = picture.plot
    painter.setPen(QPen(QColor(theme.rule), 1))
    for y in picture.grid:
        crisp = round(y) + 0.5
        painter.drawLine(QLineF(plot.left(), crisp, plot.right(), crisp))
    if chosen is not None and chosen < len(picture.columns):
        ground = QColor(theme.accent)
        ground.setAlphaF(0.14)
        painter.fillRect(picture.columns[chosen], ground)
    for piece in picture.pieces:
        painter.setOpacity(_PALE if piece.pale else 1.0)
        for left, width in piece.bars:
            rect = QRectF(left, piece.rect.top(), width, piece.rect.height())
            _fill(painter, piece.role, rect, theme)
    painter.setOpacity(1.0)
    for x in picture.seams:
        crisp = round(x) + 0.5
        seam = QLineF(crisp, plot.top() - 6, crisp, plot.bottom() + 6)
        for pen in (QPen(QColor(theme.window), 5), QPen(QColor(theme.muted), 1)):
            painter.setPen(pen)
            painter.drawLine(seam)
    for role, rect in picture.swatches:
        _fill(painter, role, rect, theme)
    for label in picture.labels:
        _draw_label(painter, label, fonts, theme)


def _fill(painter: QPainter, role: str, rect: QRectF, theme: Theme) -> None:
    """A state in its colour with a hairline to the one above it; padding hatched grey."""
    if role == PADDING:
        _hatch(painter, rect, theme)
        return
    fill(painter, rect, role, theme)
    if role == "further" and rect.height() > 2 and rect.width() > 4:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(QColor(theme.optimizer[1]), 1))
        painter.drawRect(rect.adjusted(0.5, 0.5, -0.5, -0.5))
    if rect.height() > 4:
        painter.setPen(QPen(QColor(theme.window), 1))
        y = round(rect.top()) + 0.5
        painter.drawLine(QLineF(rect.left(), y, rect.right(), y))


def _hatch(painter: QPainter, rect: QRectF, theme: Theme) -> None:
    painter.fillRect(rect, QColor(theme.window))
    strokes(painter, rect, QPen(QColor(theme.padding), 1.5), _HATCH)
    if rect.width() > 3 and rect.height() > 2:
        painter.setBrush(QBrush(Qt.BrushStyle.NoBrush))
        painter.setPen(QPen(QColor(theme.padding), 1))
        painter.drawRect(rect.adjusted(0.5, 0.5, -0.5, -0.5))


def _draw_label(painter: QPainter, label: Label, fonts: Fonts, theme: Theme) -> None:
    painter.setFont(font_of(label.kind, fonts))
    painter.setPen(QColor(theme.text if label.kind in (Kind.FIGURE, Kind.RANK) else theme.muted))
    side = {
        Kind.TICK: Qt.AlignmentFlag.AlignRight,
        Kind.LEGEND: Qt.AlignmentFlag.AlignLeft,
    }.get(label.kind, Qt.AlignmentFlag.AlignHCenter)
    flags = Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextDontClip | Qt.TextFlag.TextSingleLine
    painter.drawText(label.rect, int(side | flags), label.text)
