"""One line of swatches in stacking order, in more lines where there is less room."""

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from zerogui.gui.chart.geometry import SWATCH
from zerogui.gui.hatching import fill, hatching
from zerogui.gui.theme import GRID, scaled_font, text_scale, theme_of

_FLAGS = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)


class Legend(QWidget):
    """Says which colour is which state."""

    def __init__(self) -> None:
        super().__init__()
        self._entries: tuple[tuple[str, str], ...] = ()
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        text_scale.changed.connect(self._fit)
        hatching.changed.connect(self.update)
        self._fit()

    def _fit(self) -> None:
        self.setFont(scaled_font(-1))
        self.updateGeometry()

    def show_entries(self, entries: tuple[tuple[str, str], ...]) -> None:
        """(role, name) of each state."""
        if entries != self._entries:
            self._entries = entries
            self.setAccessibleName("Colours: " + ", ".join(name for _, name in entries))
            self.updateGeometry()
            self.update()

    def _side(self) -> float:
        return float(round(SWATCH * self.fontMetrics().height()))

    def _rows(self, width: float) -> list[list[tuple[str, str, float]]]:
        rows: list[list[tuple[str, str, float]]] = [[]]
        used = 0.0
        for role, name in self._entries:
            size = self._side() + GRID / 2 + self.fontMetrics().horizontalAdvance(name) + 2 * GRID
            if rows[-1] and used + size > width:
                rows.append([])
                used = 0.0
            rows[-1].append((role, name, size))
            used += size
        return rows

    def heightForWidth(self, width: int) -> int:
        """As many lines as the entries need."""
        return len(self._rows(width)) * self.fontMetrics().height()

    def sizeHint(self) -> QSize:
        """One line."""
        return QSize(100, self.fontMetrics().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Swatches with their names."""
        theme = theme_of(self.palette())
        painter = QPainter(self)
        painter.setPen(QColor(theme.muted))
        height = self.fontMetrics().height()
        rows = self._rows(self.width())
        side = self._side()
        top = max((self.height() - height * len(rows)) / 2, 0.0)
        for number, row in enumerate(rows):
            left = 0.0
            for role, name, size in row:
                middle = top + (number + 0.5) * height
                box = QRectF(left, middle - side / 2, side, side)
                fill(painter, box, role, theme)
                text = QRectF(box.right() + GRID / 2, middle - height / 2, size, height)
                painter.drawText(text, _FLAGS, name)
                left += size
        painter.end()
