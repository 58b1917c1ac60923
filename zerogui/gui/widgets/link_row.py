"""A line to choose: a title in the colour of links, what it is about, its key at the right."""

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QSizePolicy

from zerogui.gui.theme import GRID, font_scale, scaled_font, text_scale, theme_of
from zerogui.gui.widgets.plain_text import tip

_WRAP = Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop
_ENDLESS = 10_000  # px
_RADIUS = 4.0


class LinkRow(QAbstractButton):
    """Clicked with the pointer, Space or Return; the arrow keys go to its neighbours.

    ``elided`` keeps the detail on one line and leaves its middle out (a long path).
    """

    def __init__(self, title: str, detail: str = "", keys: str = "", *, elided: bool = False):
        super().__init__()
        self._title, self._detail, self._keys, self._elided = title, detail, keys, elided
        self.setText(title)
        self.setAccessibleName(title)
        self.setAccessibleDescription(f"{detail} ({keys})" if keys else detail)
        self.setToolTip(tip(detail or title))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)  # painted anew as the pointer comes or goes
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        text_scale.changed.connect(self._fit)

    def _fit(self) -> None:
        self.updateGeometry()
        self.update()

    def _areas(self, width: int) -> tuple[QRect, QRect, QRect]:
        """Where title, keys and detail stand in a row of ``width`` px."""
        title, small = QFontMetrics(scaled_font()), QFontMetrics(scaled_font(-1))
        inner = max(width - 2 * GRID, 1)
        across = small.horizontalAdvance(self._keys) if self._keys else 0
        free = max(inner - across - (2 * GRID if across else 0), 1)
        top = GRID // 2
        height = title.boundingRect(QRect(0, 0, free, _ENDLESS), int(_WRAP), self._title).height()
        heading = QRect(GRID, top, free, height)
        keys = QRect(GRID + inner - across, top, across, title.height())
        below = 0
        if self._detail and self._elided:
            below = small.height()
        elif self._detail:
            room = QRect(0, 0, inner, _ENDLESS)
            below = small.boundingRect(room, int(_WRAP), self._detail).height()
        return heading, keys, QRect(GRID, heading.bottom() + 1, inner, below)

    def hasHeightForWidth(self) -> bool:
        """Text wraps."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Title and detail, with half a grid step above and below."""
        return self._areas(width)[2].bottom() + 1 + GRID // 2

    def sizeHint(self) -> QSize:
        """About forty letters wide."""
        width = round(300 * font_scale())
        return QSize(width, self.heightForWidth(width))

    def minimumSizeHint(self) -> QSize:
        """Half of that, for small screens with large text."""
        width = round(150 * font_scale())
        return QSize(width, QFontMetrics(scaled_font()).height() + GRID)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Return chooses, as Space does."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """A quiet ground under the pointer, a ring for the focus, then the texts."""
        theme = theme_of(self.palette())
        heading, keys, below = self._areas(self.width())
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(QColor(theme.panel) if self.underMouse() else Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(QColor(theme.accent), 1) if self.hasFocus() else Qt.PenStyle.NoPen)
        painter.drawRoundedRect(
            QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), _RADIUS, _RADIUS
        )
        painter.setFont(scaled_font())
        painter.setPen(QColor(theme.accent))
        painter.drawText(heading, int(_WRAP), self._title)
        painter.setFont(scaled_font(-1))
        painter.setPen(QColor(theme.muted))
        painter.drawText(keys, Qt.AlignmentFlag.AlignVCenter, self._keys)
        detail = self._detail
        if self._elided:
            metrics = painter.fontMetrics()
            detail = metrics.elidedText(detail, Qt.TextElideMode.ElideMiddle, below.width())
        painter.drawText(below, int(_WRAP), detail)
        painter.end()
