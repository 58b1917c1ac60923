"""A field for one whole number of any size: what is typed means what it says, or is refused."""

from collections.abc import Callable

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QAbstractSpinBox, QWidget

from zerogui.accounting.errors import InputError, shown
from zerogui.accounting.model import MAX_ELEMENTS
from zerogui.gui.inputs.field_edit import FieldEdit
from zerogui.gui.inputs.steps import Step
from zerogui.gui.theme import GRID, tabular

Parse = Callable[[str], int]
Format = Callable[[int], str]


def read_number(
    text: str, parse: Parse, show: Format, minimum: int, maximum: int
) -> tuple[int | None, str]:
    """The number that ``text`` means, or None and the sentence that says why not."""
    try:
        value = parse(text)
    except InputError as error:
        return None, _within(error, show, minimum, maximum)
    if minimum <= value <= maximum:
        return value, ""
    side = "less than" if value < minimum else "more than"
    limit = show(minimum if value < minimum else maximum)
    allowed = f"{show(minimum)} to {show(maximum)}"
    return None, f"{shown(text)} is {side} {limit}; write {allowed}."


def _within(error: InputError, show: Format, minimum: int, maximum: int) -> str:
    """The refusal, its examples replaced by the field's own limits where those would not do."""
    if maximum >= MAX_ELEMENTS or ("write 7" not in error.remedy and "1e18" not in error.remedy):
        return str(error)
    return f"{error.problem}; write {show(minimum)} to {show(maximum)}."


class NumberBox(QAbstractSpinBox):
    """A whole number, typed or pasted, committed on Return, Tab or when the focus leaves.

    ``parse`` reads a text (InputError says why not), ``show`` writes a value so that ``parse``
    reads it back, ``step`` says where the arrow and page keys and the wheel go. QSpinBox would
    stop at 2^31 - 1, and ready-made boxes take wrong values in silence.
    """

    committed = Signal(object)  # int: the user changed the value
    rejected = Signal(str)  # why what was typed cannot be used; the old value is back
    settled = Signal()  # typing began, or ended well: an earlier refusal is over

    def __init__(
        self,
        parse: Parse,
        show: Format,
        step: Step,
        minimum: int,
        maximum: int,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._parse, self._show, self._step = parse, show, step
        self._minimum, self._maximum = minimum, maximum
        self._value = minimum
        self._shown = ""
        self._edit = FieldEdit()
        self.setLineEdit(self._edit)
        self.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.setKeyboardTracking(False)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setFont(tabular(self.font()))
        self._rewrite()
        self.editingFinished.connect(self.commit)
        self._edit.textEdited.connect(self.settled)
        self._edit.abandoned.connect(self.restore)

    def value(self) -> int:
        """The value last set or committed; not what is being typed."""
        return self._value

    def set_value(self, value: int) -> None:
        """Show ``value``; no signal. A text being typed stays if the value is the same."""
        if value == self._value and (self.has_pending_text() or self._show(value) == self._shown):
            return
        self._value = value
        self._rewrite()

    def set_notation(self, parse: Parse, show: Format, step: Step) -> None:
        """Read, write and step in another way (another unit); the value stays, no signal."""
        self._parse, self._step = parse, step
        pending = self.has_pending_text()
        self._show = show
        if not pending:
            self._rewrite()

    def set_limits(self, minimum: int, maximum: int) -> None:
        """Accept ``minimum`` to ``maximum`` from now on; the value stays."""
        self._minimum, self._maximum = minimum, maximum

    def has_pending_text(self) -> bool:
        """Whether something was typed that is not committed yet."""
        return self._edit.text() != self._shown

    def commit(self) -> None:
        """Take what is typed; one ``committed`` if it is another value, else ``rejected``."""
        if not self.has_pending_text():
            return
        value = self._typed()
        if value is not None:
            self._take(value)

    def restore(self) -> None:
        """Forget what was typed."""
        self._rewrite()
        self.settled.emit()

    def sizeHint(self) -> QSize:
        """Qt's hook: room for twelve digits and the buttons."""
        digits = self.fontMetrics().horizontalAdvance("000 000 000 000")
        return QSize(digits + 4 * GRID, super().sizeHint().height())

    def stepBy(self, steps: int) -> None:
        """Qt's hook for arrow keys (±1), page keys (±10), the wheel and the two buttons."""
        start = self._typed()
        if start is None:
            return
        direction, large = (1 if steps > 0 else -1), abs(steps) >= 10
        value = start
        for _ in range(1 if large else abs(steps)):
            value = self._step(value, direction, large)
        self._take(min(max(value, self._minimum), self._maximum))

    def stepEnabled(self) -> QAbstractSpinBox.StepEnabledFlag:
        """Qt's hook: which of the two directions is open."""
        enabled = QAbstractSpinBox.StepEnabledFlag.StepNone
        if self._value < self._maximum:
            enabled |= QAbstractSpinBox.StepEnabledFlag.StepUpEnabled
        if self._value > self._minimum:
            enabled |= QAbstractSpinBox.StepEnabledFlag.StepDownEnabled
        return enabled

    def _typed(self) -> int | None:
        """The value of the text shown; None, the old text and ``rejected`` where it has none."""
        if not self.has_pending_text():
            return self._value
        value, sentence = read_number(
            self._edit.text(), self._parse, self._show, self._minimum, self._maximum
        )
        if value is None:
            self._rewrite()
            self.rejected.emit(sentence)
        return value

    def _take(self, value: int) -> None:
        changed = value != self._value
        self._value = value
        self._rewrite()
        self.settled.emit()
        if changed:
            self.committed.emit(value)

    def _rewrite(self) -> None:
        self._shown = self._show(self._value)
        if self._edit.text() != self._shown:
            self._edit.setText(self._shown)
        if self.hasFocus():
            self._edit.selectAll()  # so that typing on replaces it
        else:
            # A number too long for the field shows its leading digits, not its last ones.
            self._edit.setCursorPosition(0)
        self.update()
