"""Small pieces of a form that paint from the palette: text, a thin rule, a colour swatch."""

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QColor, QPainter, QPaintEvent, Qt
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from zerogui.gui.hatching import hatch, hatching
from zerogui.gui.theme import Ink, font_scale, scaled_font, text_scale, theme_of

_MOST_HEIGHTS = 8  # that are remembered: one layout asks for two or three widths


class Caption(QLabel):
    """Plain text ``delta`` points larger than the application's, following its scale."""

    def __init__(
        self,
        text: str = "",
        *,
        ink: Ink = Ink.TEXT,
        delta: float = 0.0,
        bold: bool = False,
        wrap: bool = False,
    ) -> None:
        super().__init__(text)
        self._delta, self._bold = delta, bold
        self._heights: dict[int, int] = {}  # by width, px: layouts ask again and again
        # Text may come from a file: never read it as markup.
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setForegroundRole(ink.value)
        self.setWordWrap(wrap)
        if wrap:
            policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
            policy.setHeightForWidth(True)
            self.setSizePolicy(policy)
        self._fit_font()
        text_scale.changed.connect(self._fit_font)

    def setText(self, text: str) -> None:
        """Show ``text``; the same again costs nothing."""
        if text != self.text():
            self._heights.clear()
            super().setText(text)

    def heightForWidth(self, width: int) -> int:
        """Qt's hook."""
        height = self._heights.get(width)
        if height is None:
            if len(self._heights) >= _MOST_HEIGHTS:
                self._heights.clear()
            height = self._heights[width] = super().heightForWidth(width)
        return height

    def _fit_font(self) -> None:
        self._heights.clear()
        self.setFont(scaled_font(self._delta, self._bold))


class Rule(QWidget):
    """A horizontal hairline."""

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)

    def sizeHint(self) -> QSize:
        """As thin as a line."""
        return QSize(8, 1)

    def paintEvent(self, event: QPaintEvent) -> None:
        """One pixel in the middle."""
        painter = QPainter(self)
        painter.setPen(self.palette().color(Ink.RULE.value))
        painter.drawLine(0, self.height() // 2, self.width(), self.height() // 2)
        painter.end()


class Swatch(QWidget):
    """The colour in which the chart draws a state: "parameters", "gradients" or "optimizer:2"."""

    def __init__(self, role: str) -> None:
        super().__init__()
        self._state = role
        hatching.changed.connect(self.update)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        """A square about as high as a small letter."""
        side = round(9 * font_scale())
        return QSize(side, side)

    def paintEvent(self, event: QPaintEvent) -> None:
        """A filled square; the last optimizer colour is pale and gets an outline."""
        theme = theme_of(self.palette())
        colour = theme.colour(self._state)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(QColor(colour))
        outlined = colour == theme.optimizer[-1]
        painter.setPen(QColor(theme.optimizer[1]) if outlined else Qt.PenStyle.NoPen)
        inset = 0.5 if outlined else 0.0
        area = QRectF(self.rect()).adjusted(inset, inset, -inset, -inset)
        painter.drawRoundedRect(area, 2, 2)
        hatch(painter, area, self._state, theme)
        painter.end()

    def set_role(self, role: str) -> None:
        """Show the colour of another role."""
        if role != self._state:
            self._state = role
            self.update()
