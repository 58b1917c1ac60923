"""The wheel scrolls the panel; it changes a number or a choice only where the focus is."""

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QAbstractSpinBox, QApplication, QComboBox, QWidget

_GUARDED = (QAbstractSpinBox, QComboBox)


class WheelGuard(QObject):
    """One event filter for the whole application; keep the object that ``install`` returns."""

    @classmethod
    def install(cls, app: QApplication) -> "WheelGuard":
        """Guard every spin box and combo box of ``app``, those made later too."""
        guard = cls(app)
        app.installEventFilter(guard)
        return guard

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Qt's hook; an ignored wheel event goes on to the scroll area around the field."""
        kind = event.type()
        if kind == QEvent.Type.Wheel:
            field = _field_around(watched)
            if field is not None and not field.hasFocus():
                event.ignore()
                return True
        elif kind == QEvent.Type.Polish and isinstance(watched, _GUARDED):
            _refuse_wheel_focus(watched)
        return False


def _refuse_wheel_focus(field: QWidget) -> None:
    """Qt's own policy would hand the focus over at the first notch."""
    if field.focusPolicy() == Qt.FocusPolicy.WheelFocus:
        field.setFocusPolicy(Qt.FocusPolicy.StrongFocus)


def _field_around(watched: QObject) -> QWidget | None:
    """The spin box or combo box that ``watched`` is, or whose line edit it is."""
    if isinstance(watched, _GUARDED):
        return watched
    parent = watched.parent()
    if isinstance(watched, QWidget) and isinstance(parent, _GUARDED):
        return parent
    return None
