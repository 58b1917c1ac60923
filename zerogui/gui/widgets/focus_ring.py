"""A frame in the accent colour around a view that the keyboard has reached."""

from typing import cast

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFocusEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from zerogui.gui.theme import theme_of

WIDTH = 2  # px
APART = 3  # px from the view to the outer edge of its ring: texts at its edge stay whole
_RADIUS = 3.0
_Reason = Qt.FocusReason
_BY_KEYBOARD = (_Reason.TabFocusReason, _Reason.BacktabFocusReason, _Reason.ShortcutFocusReason)
_COMES_BACK = (
    _Reason.ActiveWindowFocusReason,
    _Reason.PopupFocusReason,
    _Reason.MenuBarFocusReason,
    _Reason.OtherFocusReason,
)
_PLACES = (QEvent.Type.Move, QEvent.Type.Resize)


class FocusRing(QWidget):
    """Is seen while ``around`` has the focus by keyboard; a click needs no ring.

    It lies in the margins of whatever has room for it, moves nothing and takes no click.
    """

    def __init__(self, around: QWidget) -> None:
        super().__init__(around)
        self._around = around
        self._followed: list[QWidget] = []
        self._by_keyboard = False
        self.setObjectName("focus-ring")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()
        around.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Qt's hook: follow the focus, and the place of what the ring is around."""
        kind = event.type()
        if kind in _PLACES:
            if self.isVisible():
                self._lie_around()
        elif isinstance(event, QFocusEvent) and watched is self._around:
            if event.reason() not in _COMES_BACK:
                self._by_keyboard = event.reason() in _BY_KEYBOARD
            self._switch(event.gotFocus() and self._by_keyboard)
        return False

    def _switch(self, on: bool) -> None:
        for widget in self._followed:
            widget.removeEventFilter(self)
        self._followed = []
        if on:
            host = self._host()
            if self._host_now() is not host:
                self.setParent(host)
            step = self._around.parentWidget()
            while step is not None and step is not host:
                step.installEventFilter(self)
                self._followed.append(step)
                step = step.parentWidget()
            self._lie_around()
        self.setVisible(on)

    def _host(self) -> QWidget:
        """The innermost widget that has room for the ring."""
        host, above = self._around, self._around.parentWidget()
        while above is not None and not host.rect().contains(self._place_in(host)):
            host, above = above, above.parentWidget()
        return host

    def _host_now(self) -> QWidget:
        return cast(QWidget, self.parentWidget())

    def _place_in(self, host: QWidget) -> QRect:
        corner = self._around.mapTo(host, QPoint(0, 0))
        return QRect(corner, self._around.size()).adjusted(-APART, -APART, APART, APART)

    def _lie_around(self) -> None:
        self.setGeometry(self._place_in(self._host_now()))
        self.raise_()

    def paintEvent(self, event: QPaintEvent) -> None:
        """A rounded frame along the edge."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(theme_of(self.palette()).accent), WIDTH))
        inset = WIDTH / 2
        painter.drawRoundedRect(
            QRectF(self.rect()).adjusted(inset, inset, -inset, -inset), _RADIUS, _RADIUS
        )
        painter.end()
