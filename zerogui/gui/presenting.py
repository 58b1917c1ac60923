"""Present mode: inputs fold away, everything grows, single keys walk through the plan."""

from collections.abc import Callable, Mapping

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QMainWindow, QWidget

from zerogui.gui.theme import MAX_SCALE, MIN_SCALE, font_scale, set_font_scale

GROWTH = 1.6  # for five metres' reading distance


class Presenting(QObject):
    """Turns present mode on and off for one window.

    ``hidden`` parts fold away meanwhile; ``keys`` maps single keys to what they do only then.
    """

    changed = Signal(bool)

    def __init__(
        self,
        window: QMainWindow,
        hidden: tuple[QWidget, ...],
        keys: Mapping[str, Callable[[], object]],
    ) -> None:
        super().__init__(window)
        self._window = window
        self._hidden = hidden
        self._scale = 1.0
        self._was_maximised = False
        self.on = False
        self._shortcuts = []
        for key, run in {"Esc": self.leave, **keys}.items():
            shortcut = QShortcut(QKeySequence(key), window)
            shortcut.activated.connect(run)
            shortcut.setEnabled(False)
            self._shortcuts.append(shortcut)

    @property
    def scale(self) -> float:
        """How large the text is outside present mode, relative to the system's own."""
        return self._scale if self.on else font_scale()

    def set_scale(self, scale: float) -> None:
        """Text ``scale`` times the system's, and larger by as much as before while presenting."""
        self._scale = min(max(scale, MIN_SCALE), MAX_SCALE)
        set_font_scale(self._scale * GROWTH if self.on else self._scale)

    def toggle(self) -> None:
        """Enter or leave."""
        if self.on:
            self.leave()
        else:
            self.enter()

    def enter(self) -> None:
        """Fold the inputs away, grow the text, take the whole screen."""
        self._scale = font_scale()
        self._was_maximised = self._window.isMaximized()
        self._switch(True)
        set_font_scale(self._scale * GROWTH)
        self._window.showFullScreen()

    def leave(self) -> None:
        """Everything as it was."""
        self._switch(False)
        set_font_scale(self._scale)
        if self._was_maximised:
            self._window.showMaximized()
        else:
            self._window.showNormal()

    def _switch(self, on: bool) -> None:
        self.on = on
        for part in self._hidden:
            part.setVisible(not on)
        for shortcut in self._shortcuts:
            shortcut.setEnabled(on)
        self.changed.emit(on)
