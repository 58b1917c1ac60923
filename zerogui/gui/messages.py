"""The bar at the top of the work area: what happened, what to do, and a button to close it."""

from PySide6.QtCore import QEvent, QRect, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QWidget

from zerogui.gui.theme import GRID, theme_of
from zerogui.gui.widgets import icons
from zerogui.gui.widgets.caption import Caption
from zerogui.gui.widgets.plain_text import displayed

KINDS = {"info": "check", "error": "warning"}
_STRIPE = GRID // 2


class MessageBar(QWidget):
    """One message at a time; never a dialog. Hidden until there is something to say."""

    closed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._kind = "info"
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.hide()

    def _make(self) -> None:
        """What the bar holds: most starts have nothing to say."""
        from zerogui.gui.widgets.icon_button import IconButton

        self._sign = QLabel()
        self._text = Caption(wrap=True)
        self._text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._text.setObjectName("message-text")
        self._close = IconButton("close", "Close this message")
        self._close.setObjectName("message-close")
        self._close.clicked.connect(self.close_message)
        row = QHBoxLayout(self)
        row.setContentsMargins(GRID * 2 + _STRIPE, GRID, GRID, GRID)
        row.setSpacing(GRID)
        row.addWidget(self._sign)
        row.addWidget(self._text, 1)
        row.addWidget(self._close)

    def text(self) -> str:
        """The message shown, or an empty text."""
        return "" if self.isHidden() else self._text.text()

    def kind(self) -> str:
        """ "info" or "error", of the message last shown."""
        return self._kind

    def show_message(self, text: str, kind: str = "info") -> None:
        """Show ``text`` instead of what was shown; ``kind`` is "info" or "error"."""
        if kind not in KINDS:
            raise ValueError(f"a message is info or error, not {kind!r}")
        self._kind = kind
        if self.layout() is None:
            self._make()
        # Line breaks and other controls from file names would tear the bar.
        self._text.setText(displayed(text))
        self.setAccessibleName("Error" if kind == "error" else "Message")
        self.setAccessibleDescription(text)
        self._draw()
        self.show()
        from PySide6.QtGui import QAccessible, QAccessibleEvent

        QAccessible.updateAccessibility(QAccessibleEvent(self, QAccessible.Event.Alert))

    def close_message(self) -> None:
        """Take the bar away."""
        if not self.isHidden():
            self.hide()
            self.closed.emit()

    def changeEvent(self, event: QEvent) -> None:
        """Qt's hook: another theme or scale needs another sign."""
        super().changeEvent(event)
        looks = (QEvent.Type.PaletteChange, QEvent.Type.FontChange)
        if event.type() in looks and self.layout() is not None:
            self._draw()

    def paintEvent(self, event: QPaintEvent) -> None:
        """The panel's ground, a stripe in the message's colour, a hairline below."""
        palette = self.palette()
        painter = QPainter(self)
        painter.fillRect(self.rect(), palette.alternateBase())
        painter.fillRect(QRect(0, 0, _STRIPE, self.height()), self._colour())
        painter.fillRect(QRect(0, self.height() - 1, self.width(), 1), palette.mid())
        painter.end()

    def _colour(self) -> QColor:
        theme = theme_of(self.palette())
        return QColor(theme.over if self._kind == "error" else theme.accent)

    def _draw(self) -> None:
        size = QFontMetrics(self._text.font()).height() + 2
        name, colour = KINDS[self._kind], self._colour().name()
        self._sign.setPixmap(icons.pixmap(name, colour, size, self.devicePixelRatioF()))
        self.update()
