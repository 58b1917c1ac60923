"""A field for a name: one signal per commit, Escape brings the old text back."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from zerogui.gui.inputs.field_edit import FieldEdit
from zerogui.gui.widgets.plain_text import displayed


class TextBox(FieldEdit):
    """One line of text, committed on Return, Tab or when the focus leaves."""

    committed = Signal(object)  # str: the user changed the text
    settled = Signal()  # typing began, or ended well: an earlier refusal is over

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__()
        if parent is not None:
            self.setParent(parent)
        self._value = ""
        self.editingFinished.connect(self.commit)
        self.textEdited.connect(self.settled)
        self.abandoned.connect(self.restore)

    def value(self) -> str:
        """The text last set or committed; not what is being typed."""
        return self._value

    def set_value(self, value: str) -> None:
        """Show ``value``; no signal. A text being typed stays if the value is the same."""
        if value != self._value:
            self._value = value
            self._rewrite()

    def has_pending_text(self) -> bool:
        """Whether something was typed that is not committed yet."""
        return self.text() != displayed(self._value)

    def commit(self) -> None:
        """Take what is typed; one ``committed`` if it is another text."""
        if self.has_pending_text():
            self._value = self.text()
            self.settled.emit()
            self.committed.emit(self._value)

    def restore(self) -> None:
        """Forget what was typed."""
        self._rewrite()
        self.selectAll()
        self.settled.emit()

    def _rewrite(self) -> None:
        self.setText(displayed(self._value))
        if not self.hasFocus():
            self.setCursorPosition(0)
