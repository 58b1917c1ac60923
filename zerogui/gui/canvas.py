"""A widget that paints one laid-out picture, and says so where there is no room for it."""

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from zerogui.gui.chart.geometry import Fonts
from zerogui.gui.hatching import hatching
from zerogui.gui.theme import Theme, theme_of
from zerogui.gui.widgets.focus_ring import FocusRing

TOO_SMALL = "Too little room for the picture: enlarge the window or make the text smaller."
LEAST_LINES = 9
_TOO_SMALL_FLAGS = int(Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap)


class Canvas(QWidget):
    """Lays its picture out anew with every size and type; subclasses say what and how."""

    edited = Signal(object)  # Edit
    arranged = Signal()

    def __init__(self, name: str, title: str) -> None:
        super().__init__()
        self.setObjectName(name)
        hatching.changed.connect(self.update)
        self.setAccessibleName(title)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        FocusRing(self)

    def lay_out_picture(self, area: QRectF, fonts: Fonts) -> None:
        """Lay the picture out inside ``area``, or have none where there is no room."""
        raise NotImplementedError

    def draw_picture(self, painter: QPainter, fonts: Fonts, theme: Theme) -> bool:
        """Draw the picture; False where there is none."""
        raise NotImplementedError

    def wants_room(self) -> bool:
        """Whether there is something to show that found no room."""
        raise NotImplementedError

    def sizeHint(self) -> QSize:
        """What is left of the view comes by stretching."""
        return QSize(400, 120)

    def minimumSizeHint(self) -> QSize:
        """A few lines, which grow with the text: below that there is no picture."""
        line = self.fontMetrics().height()
        return QSize(10 * line, LEAST_LINES * line)

    def arrange(self) -> None:
        """Lay out for size and type at hand."""
        area = QRectF(self.rect()).adjusted(0, 1, -1, -1)
        self.lay_out_picture(area, Fonts.of(self.font()))
        self.update()
        self.arranged.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Qt's hook."""
        painter = QPainter(self)
        fonts = Fonts.of(self.font())
        if not self.draw_picture(painter, fonts, theme_of(self.palette())) and self.wants_room():
            painter.setPen(self.palette().placeholderText().color())
            painter.setFont(fonts.small)
            painter.drawText(self.rect(), _TOO_SMALL_FLAGS, TOO_SMALL)
        painter.end()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Qt's hook: another size, another layout."""
        self.arrange()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the text size; colours are asked for when painting."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self.arrange()
