"""A flat button that shows one icon, recoloured whenever the theme changes."""

from PySide6.QtCore import QEvent, QSize
from PySide6.QtWidgets import QToolButton

from zerogui.gui.theme import font_scale, theme_of
from zerogui.gui.widgets import icons


class IconButton(QToolButton):
    """``tip`` says what a click does; it is the accessible name too."""

    def __init__(self, name: str, tip: str) -> None:
        super().__init__()
        self._name = name
        self.setAutoRaise(True)
        self.setToolTip(tip)
        self.setAccessibleName(tip)
        self._draw()

    def changeEvent(self, event: QEvent) -> None:
        """Qt's hook: another theme or scale needs another picture."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.FontChange):
            self._draw()

    def _draw(self) -> None:
        side = round(16 * font_scale())
        self.setIconSize(QSize(side, side))
        self.setIcon(icons.icon(self._name, theme_of(self.palette()), (side, 2 * side)))
