"""The line edit inside every field: focus selects all of it, Escape gives the old text back."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QLineEdit

_PASSING = (
    Qt.FocusReason.ActiveWindowFocusReason,
    Qt.FocusReason.PopupFocusReason,
    Qt.FocusReason.MenuBarFocusReason,
)


class FieldEdit(QLineEdit):
    """A line edit whose text is replaced by typing, however the focus came."""

    abandoned = Signal()  # Escape was pressed on a text being typed

    _fresh = False

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Select all; a click selects when the button is up again."""
        super().focusInEvent(event)
        if event.reason() == Qt.FocusReason.MouseFocusReason:
            self._fresh = True
        elif event.reason() not in _PASSING:
            self.selectAll()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A click that brought the focus selects all, unless it was a drag over a part."""
        super().mouseReleaseEvent(event)
        if self._fresh and not self.hasSelectedText():
            self.selectAll()
        self._fresh = False

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape ends typing; without a typed text it belongs to the window."""
        if event.key() == Qt.Key.Key_Escape:
            if self.isModified():
                self.abandoned.emit()
                event.accept()
            else:
                event.ignore()
            return
        super().keyPressEvent(event)
