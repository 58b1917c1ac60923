"""The bars of compared plans: painted in step with the table below, which scrolls and selects."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QHelpEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from zerogui.accounting.errors import printable
from zerogui.gui.chart.drawing import draw, growth
from zerogui.gui.chart.geometry import Fonts
from zerogui.gui.compare.geometry import ColumnHit, Place, Scene, lay_out
from zerogui.gui.hatching import hatching
from zerogui.gui.theme import Theme, scaled_font, text_scale, theme_of
from zerogui.gui.widgets.plain_text import tip
from zerogui.planning.comparison import Comparison
from zerogui.planning.quantities import NO_BREAK_SPACE

TINT = 0.10  # how much of the accent lies over a selected column
_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
_LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)


class CompareChart(QWidget):
    """Shows the columns that are in sight; ``pressed`` names the one under the pointer."""

    pressed = Signal(object)  # int
    double_clicked = Signal(object)  # int

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("compare-chart")
        self.setAccessibleName("Compared plans")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.fonts = Fonts.of(scaled_font())
        self.scene: Scene | None = None
        self._comparison: Comparison | None = None
        self._places: tuple[Place, ...] = ()
        self._margin = 0.0
        self._right = 0.0
        self._selected = -1
        text_scale.changed.connect(self._fit)
        hatching.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        """High enough to compare heights."""
        line = self.fontMetrics().height()
        return QSize(40 * line, 14 * line)

    def minimumSizeHint(self) -> QSize:
        """A few lines: labels without room are left out."""
        line = self.fontMetrics().height()
        return QSize(10 * line, 6 * line)

    def show_columns(
        self,
        comparison: Comparison,
        places: Sequence[Place],
        margin: float,
        right: float,
        selected: int,
    ) -> None:
        """Bars at ``places``, between ``margin`` and ``right``, as the table's columns stand."""
        self._comparison, self._places = comparison, tuple(places)
        self._margin, self._right, self._selected = margin, right, selected
        self.setAccessibleDescription(comparison.description)
        self._arrange()

    def _fit(self) -> None:
        self.setFont(scaled_font())
        self.fonts = Fonts.of(scaled_font())
        self.updateGeometry()
        self._arrange()

    def _arrange(self) -> None:
        if self._comparison is not None:
            area = QRectF(0, 0, self._right, self.height())
            self.scene = lay_out(self._comparison, area, self._margin, self._places, self.fonts)
        self.update()

    def resizeEvent(self, event: QEvent) -> None:
        """Qt's hook."""
        self._arrange()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Bars, then device lines, then totals on plates, then the axis in the margin."""
        if self.scene is None:
            return
        painter = QPainter(self)
        _paint(painter, self.scene, self._tinted(), self.fonts, theme_of(self.palette()))
        painter.end()

    def _tinted(self) -> QRectF | None:
        """The selected column, where it is in sight."""
        place = next((p for p in self._places if p.number == self._selected), None)
        return None if place is None else QRectF(place.left, 0, place.width, self.height())

    def hit(self, position: QPointF) -> ColumnHit | None:
        """The segment, else the bar's slot, under a point."""
        if self.scene is None or position.x() < self._margin:
            return None
        x = position.x()
        found = [h for h in self.scene.hits if h.rect.left() <= x < h.rect.right()]
        inside = [h for h in found if h.segment is None or h.rect.contains(position)]
        return inside[-1] if inside else None

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A click chooses the column."""
        hit = self.hit(event.position())
        if hit is not None:
            self.pressed.emit(hit.column)
        event.accept()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Twice: its name is edited."""
        hit = self.hit(event.position())
        if hit is not None:
            self.double_clicked.emit(hit.column)
        event.accept()

    def event(self, event: QEvent) -> bool:
        """Hovering tells the exact bytes."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            text = tip(self.tip(QPointF(event.pos())))
            QToolTip.showText(event.globalPos(), text, self)
            return True
        return super().event(event)

    def tip(self, position: QPointF) -> str:
        """What hovering at a point tells."""
        hit, comparison = self.hit(position), self._comparison
        if hit is None or comparison is None:
            return ""
        column = comparison.columns[hit.column]
        name = f"{printable(column.name)}, {hit.bar.label}"
        if hit.bar.reason is not None:
            return f"{name} is not offered: {hit.bar.reason}"
        if hit.segment is not None:
            return f"{name}\n{hit.segment.formula}"
        over = f", {hit.bar.over}" if hit.bar.over else ""
        return f"{name}: {hit.bar.figure}{NO_BREAK_SPACE}{comparison.bar_unit}{over}"


def _paint(
    painter: QPainter, scene: Scene, tinted: QRectF | None, fonts: Fonts, theme: Theme
) -> None:
    painter.save()
    plot = scene.bars.plot
    painter.setClipRect(QRectF(plot.left(), 0, plot.width(), 1e6))
    if tinted is not None:
        tint = QColor(theme.accent)
        tint.setAlphaF(TINT)
        painter.fillRect(tinted, tint)
    draw(painter, scene.bars, fonts, theme)
    painter.setPen(QPen(QColor(theme.text), 1.5 * growth(fonts), Qt.PenStyle.DashLine))
    for line in scene.lines:
        painter.drawLine(line)
    draw(painter, scene.texts, fonts, theme)
    painter.restore()
    painter.setFont(fonts.small)
    painter.setPen(QColor(theme.muted))
    for text, rect in scene.axis:
        painter.drawText(rect, _RIGHT, text)
    painter.setPen(QColor(theme.text))
    for text, rect in scene.devices:
        painter.drawText(rect, _LEFT, text)
