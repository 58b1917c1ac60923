"""Remembers how a window is laid out: its place and size, its borders, the view in front."""

from typing import Any

from PySide6.QtCore import QByteArray, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMainWindow

from zerogui.files.settings import Settings
from zerogui.gui.view_host import ViewHost
from zerogui.gui.widgets.splits import Split

SETTLED = 1000  # ms after the last change until it is worth writing


class LayoutMemory(QObject):
    """``restore`` before the window is shown; ``settled`` tells when to keep ``settings``."""

    settled = Signal()

    def __init__(
        self, window: QMainWindow, panel_split: Split, view_split: Split, views: ViewHost
    ) -> None:
        super().__init__(window)
        self._window, self._views = window, views
        self._panel_split, self._view_split = panel_split, view_split
        self._compare_height = 0
        self._is_compared = False
        self._held: tuple[str, bool] | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(SETTLED)
        self._timer.timeout.connect(self.settled)
        for signal in (panel_split.moved, view_split.moved, views.tabs.currentChanged):
            signal.connect(lambda *_: self._timer.start())
        views.changed.connect(self._follow_compare)

    def _follow_compare(self, name: str) -> None:
        """The view of comparisons is made when it is first shown, and has its border then."""
        view: Any = self._views.view("compare")
        if name == "compare" and not self._is_compared:
            self._is_compared = True
            view.choose_height(self._compare_height)
            view.shared.connect(self._timer.start)

    def _compare_now(self) -> int:
        view: Any = self._views.view("compare")
        return view.table_height if self._is_compared else self._compare_height

    def restore(self, settings: Settings) -> None:
        """Lay the window out as it was; on a smaller screen as much of it as there is room for."""
        self._panel_split.choose(settings.panel_width)
        self._view_split.choose(settings.table_height)
        self._compare_height = settings.compare_height
        if settings.view:
            self._views.show_view(settings.view)
        self._timer.stop()
        if settings.geometry:
            blob = QByteArray.fromBase64(settings.geometry.encode("ascii", "ignore"))
            self._window.restoreGeometry(blob)
            self._window.setWindowState(Qt.WindowState.WindowNoState)
            self._bring_in()
        if settings.maximised:
            self._window.setWindowState(Qt.WindowState.WindowMaximized)

    def _bring_in(self) -> None:
        """Onto a screen that is there, and no larger than it."""
        area = self._window.geometry()
        screen = QGuiApplication.screenAt(area.center()) or QGuiApplication.primaryScreen()
        room = screen.availableGeometry()
        size = area.size().boundedTo(room.size()).expandedTo(self._window.minimumSize())
        left = max(min(area.left(), room.left() + room.width() - size.width()), room.left())
        top = max(min(area.top(), room.top() + room.height() - size.height()), room.top())
        if (left, top, size) != (area.left(), area.top(), area.size()):
            self._window.setGeometry(left, top, size.width(), size.height())

    def hold(self, on: bool) -> None:
        """While ``on`` (presenting) the window's place is not what is to be remembered."""
        self._held = self._place() if on else None

    def settings(self, settings: Settings) -> Settings:
        """``settings`` with the layout as it is now."""
        geometry, maximised = self._held or self._place()
        return settings._replace(
            geometry=geometry,
            maximised=maximised,
            panel_width=self._panel_split.chosen,
            table_height=self._view_split.chosen,
            compare_height=self._compare_now(),
            view=self._views.current,
        )

    def _place(self) -> tuple[str, bool]:
        blob = bytes(self._window.saveGeometry().toBase64().data()).decode("ascii")
        return blob, self._window.isMaximized()
