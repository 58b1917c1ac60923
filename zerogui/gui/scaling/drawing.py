"""Draws a laid-out scaling picture with any QPainter: screen, picture or paper."""

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPen, QPolygonF

from zerogui.gui.chart.geometry import Fonts
from zerogui.gui.scaling.geometry import Curve, Kind, Label, Mark, Picture, font_of
from zerogui.gui.theme import Theme

# Lines are told apart by dashes and marks, not by hue: hues stand for states everywhere else.
_DASHES: tuple[tuple[float, ...], ...] = ((1.0, 2.5), (6.0, 2.5, 1.0, 2.5), (5.0, 3.0), ())
# Corners of a stage's mark around its centre; the first stage has a circle.
_SHAPES: tuple[tuple[tuple[float, float], ...], ...] = (
    (),
    ((-0.85, -0.85), (0.85, -0.85), (0.85, 0.85), (-0.85, 0.85)),
    ((0.0, -1.1), (1.1, 0.85), (-1.1, 0.85)),
    ((0.0, -1.2), (1.2, 0.0), (0.0, 1.2), (-1.2, 0.0)),
)


def draw(
    painter: QPainter, picture: Picture, fonts: Fonts, theme: Theme, hovered: int | None
) -> None:
    """The whole picture; ``hovered`` is the index of the worker count that is pointed at."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    _draw_ground(painter, picture, theme)
    if hovered is not None:
        painter.setPen(QPen(QColor(theme.muted), 1))
        x = picture.columns[hovered]
        painter.drawLine(QLineF(x, picture.plot.top(), x, picture.plot.bottom()))
    # The selected line lies on top.
    for curve in sorted(picture.curves, key=lambda c: (c.selected, c.stage)):
        _draw_curve(painter, curve, picture, theme, hovered)
    painter.setPen(QPen(QColor(theme.muted), 1))
    for start, end in picture.leaders:
        line = QLineF(start, end)
        if line.length() > picture.unit * 2:
            painter.drawLine(QLineF(line.pointAt(picture.unit * 2 / line.length()), end))
    for label in picture.labels:
        _draw_label(painter, label, fonts, theme)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(QColor(theme.text), max(1.25, picture.unit * 0.35)))
    for ring in picture.rings:
        painter.drawEllipse(ring, picture.unit * 2, picture.unit * 2)


def _draw_ground(painter: QPainter, picture: Picture, theme: Theme) -> None:
    """Grid, present N and device line."""
    plot = picture.plot
    painter.setPen(QPen(QColor(theme.rule), 1))
    for y in picture.grid:
        if plot.top() - 1 <= y <= plot.bottom() + 1:
            crisp = round(y) + 0.5
            painter.drawLine(QLineF(plot.left(), crisp, plot.right(), crisp))
    for x in picture.columns:
        painter.drawLine(QLineF(x, plot.bottom(), x, plot.bottom() + 3))
    painter.setPen(QPen(QColor(theme.accent), max(1.0, picture.unit * 0.3)))
    painter.drawLine(QLineF(picture.current_x, plot.top(), picture.current_x, plot.bottom()))
    if picture.device_y is not None:
        pen = QPen(QColor(theme.text), max(1.5, picture.unit * 0.4), Qt.PenStyle.CustomDashLine)
        pen.setDashPattern([9.0, 5.0])
        painter.setPen(pen)
        painter.drawLine(QLineF(plot.left(), picture.device_y, plot.right(), picture.device_y))


def _draw_curve(
    painter: QPainter, curve: Curve, picture: Picture, theme: Theme, hovered: int | None
) -> None:
    """The line, then its marks: filled where the stage fits, hollow where it does not."""
    colour = QColor(theme.accent if curve.selected else theme.muted)
    pen = QPen(colour, picture.unit * (0.75 if curve.selected else 0.5))
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    if _DASHES[curve.stage]:
        pen.setDashPattern(list(_DASHES[curve.stage]))
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawPolyline(QPolygonF([mark.centre for mark in curve.marks]))
    radius = picture.unit * (1.05 if curve.selected else 0.85)
    painter.setPen(QPen(colour, max(1.25, picture.unit * 0.35)))
    for index, mark in enumerate(curve.marks):
        painter.setBrush(QBrush(colour if mark.fits else QColor(theme.window)))
        _draw_mark(painter, mark, curve.stage, radius * (1.4 if index == hovered else 1.0))


def _draw_mark(painter: QPainter, mark: Mark, stage: int, radius: float) -> None:
    corners = _SHAPES[stage]
    if not corners:
        painter.drawEllipse(mark.centre, radius, radius)
        return
    painter.drawPolygon(
        QPolygonF([mark.centre + QPointF(x * radius, y * radius) for x, y in corners])
    )


def _draw_label(painter: QPainter, label: Label, fonts: Fonts, theme: Theme) -> None:
    painter.setFont(font_of(label.kind, fonts))
    if label.kind is Kind.CROSSING:
        # On a plate of the ground colour, so that grid and lines never cross a text.
        painter.fillRect(label.rect.adjusted(-3, 0, 3, 0), QColor(theme.window))
    ink = {
        Kind.TICK: theme.muted,
        Kind.AXIS: theme.muted,
        Kind.STAGE_SELECTED: theme.accent,
        Kind.CURRENT: theme.accent,
    }.get(label.kind, theme.text)
    painter.setPen(QColor(ink))
    flags = Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextDontClip | Qt.TextFlag.TextSingleLine
    side = Qt.AlignmentFlag.AlignRight if label.kind is Kind.TICK else Qt.AlignmentFlag.AlignLeft
    painter.drawText(QRectF(label.rect), int(side | flags), label.text)
