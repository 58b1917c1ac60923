"""The derivation as a view: lines of arithmetic to read, select and copy."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QWidget

from zerogui.gui.shown import Shown
from zerogui.gui.theme import scaled_font, text_scale
from zerogui.gui.widgets.focus_ring import FocusRing
from zerogui.planning.derivation import derivation


class DerivationView(QPlainTextEdit):
    """Plain, read-only text; Ctrl+A and Ctrl+C take it along."""

    edited = Signal(object)  # Edit

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setReadOnly(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setObjectName("derivation")
        self.setAccessibleName("Derivation")
        self.setToolTip("Ctrl+A and Ctrl+C copy all lines")
        self.viewport().setAutoFillBackground(False)
        FocusRing(self)
        text_scale.changed.connect(self._fit_font)
        self._fit_font()

    def display(self, shown: Shown) -> None:
        """Show the arithmetic of the stage under discussion."""
        text = "\n".join(derivation(shown.report))
        if text != self.toPlainText():
            self.setPlainText(text)

    def _fit_font(self) -> None:
        self.setFont(scaled_font())
