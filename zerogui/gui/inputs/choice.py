"""Combo boxes whose entries are values: one to choose from, and one to search in."""

from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QComboBox, QCompleter, QWidget

from zerogui.accounting.errors import elided, shown
from zerogui.gui.inputs.field_edit import FieldEdit
from zerogui.gui.widgets.plain_text import displayed


class Option(NamedTuple):
    """One entry: the value it stands for, its text, a tooltip, other words that find it."""

    value: object
    text: str
    tip: str = ""
    aliases: tuple[str, ...] = ()


AROUND = 29  # px that Fusion takes beside a text, at any text size: arrow, frame and margins


class Choice(QComboBox):
    """A combo box over Options.

    A value that is none of them (from a file) gets an entry of its own at the end, for as long as
    it is shown.
    """

    chosen = Signal(object)  # the value of the entry that the user chose
    settled = Signal()  # an earlier refusal is over

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._options: tuple[Option, ...] = ()
        self._extra: Option | None = None
        self._value: object = None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        # The panel decides how wide a field is, not its longest entry.
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(4)
        self.setMaxVisibleItems(16)
        self.activated.connect(self._activated)

    def value(self) -> object:
        """The value shown."""
        return self._value

    def set_options(self, options: Sequence[Option]) -> None:
        """Offer these entries; the value shown is set by ``set_value`` afterwards."""
        if self._options == tuple(options):
            return
        self._options = tuple(options)
        self._extra = None
        self.clear()
        for option in self._options:
            self._append(option)

    def set_value(self, value: object, text: str = "") -> None:
        """Show ``value``; no signal. ``text`` names a value that is none of the entries."""
        self._value = value
        index = next((i for i, o in enumerate(self._options) if o.value == value), -1)
        wanted = None if index >= 0 else Option(value, text or str(value))
        if wanted != self._extra:
            if self._extra is not None:
                self.removeItem(len(self._options))
            if wanted is not None:
                self._append(wanted)
            self._extra = wanted
        self.setCurrentIndex(index if index >= 0 else len(self._options))

    def showPopup(self) -> None:
        """Qt's hook: the list is as wide as its entries, the closed box is not."""
        view = self.view()
        bar = view.verticalScrollBar().sizeHint().width()
        view.setMinimumWidth(max(self.width(), view.sizeHintForColumn(0) + bar))
        super().showPopup()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Qt's hook: a text too long for the box ends in an ellipsis instead of being cut."""
        room = self.width() - AROUND
        if self.fontMetrics().horizontalAdvance(self.currentText()) <= room:
            super().paintEvent(event)
        else:
            _paint_elided(self)

    def _append(self, option: Option) -> None:
        self.addItem(elided(displayed(option.text)))
        if option.tip:
            self.setItemData(self.count() - 1, option.tip, Qt.ItemDataRole.ToolTipRole)

    def _entries(self) -> tuple[Option, ...]:
        return self._options if self._extra is None else (*self._options, self._extra)

    def _activated(self, index: int) -> None:
        if index >= 0:
            self._take(self._entries()[index].value)

    def _take(self, value: object) -> None:
        self.settled.emit()
        if value != self._value:
            self._value = value
            self.chosen.emit(value)


def _paint_elided(box: QComboBox) -> None:
    # Style options are costly to import, and most boxes hold their text.
    from PySide6.QtWidgets import QStyle, QStyleOptionComboBox, QStylePainter

    painter = QStylePainter(box)
    option = QStyleOptionComboBox()
    box.initStyleOption(option)
    painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
    part = QStyle.SubControl.SC_ComboBoxEditField
    area = box.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, part, box)
    option.currentText = box.fontMetrics().elidedText(
        option.currentText, Qt.TextElideMode.ElideRight, area.width() - 4
    )
    painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)
    painter.end()


class SearchChoice(Choice):
    """A Choice that can be typed into: part of a name or alias finds the entry."""

    rejected = Signal(str)  # what was typed names no entry, or several; the old one is back

    def __init__(self, noun: str, parent: QWidget | None = None) -> None:
        """``noun`` says in refusals what is chosen ("model")."""
        super().__init__(parent)
        self._noun = noun
        self.setEditable(True)
        self.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        edit = FieldEdit()
        self.setLineEdit(edit)
        edit.editingFinished.connect(self.commit)
        edit.textEdited.connect(self.settled)
        edit.abandoned.connect(self.restore)

    def set_options(self, options: Sequence[Option]) -> None:
        """Offer these entries, and find them by their aliases too."""
        if self._options == tuple(options):
            return
        super().set_options(options)
        words = [word for o in options for word in (o.text, *o.aliases)]
        completer = QCompleter(list(dict.fromkeys(words)), self)
        completer.setCompletionMode(QCompleter.CompletionMode.PopupCompletion)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        completer.setMaxVisibleItems(12)
        completer.activated.connect(self._completed)
        # Not QComboBox.setCompleter: that would take an alias for no entry at all.
        self._edit().setCompleter(completer)

    def set_value(self, value: object, text: str = "") -> None:
        """Show ``value``; no signal. A text being typed stays if the value is the same."""
        typed = self._edit().text() if value == self._value and self.has_pending_text() else None
        super().set_value(value, text)
        if typed is not None:
            self._edit().setText(typed)
            self._edit().setModified(True)
        elif not self._edit().hasFocus():
            self._edit().setCursorPosition(0)

    def has_pending_text(self) -> bool:
        """Whether something was typed that is not committed yet."""
        return self._edit().text() != self.itemText(self.currentIndex())

    def commit(self) -> None:
        """Choose the entry that the text names; else ``rejected`` and the old entry again."""
        if not self.has_pending_text():
            return
        typed = self._edit().text()
        found = matching(self._entries(), typed)
        if len(found) == 1:
            self._show(found[0])
            return
        self._rewrite()
        if found:
            problem = f"fits {len(found)} {self._noun}s; write more of the name"
        else:
            problem = f"is no {self._noun} of the list; write part of a name"
        self.rejected.emit(f"{shown(typed)} {problem}, or choose from the list.")

    def restore(self) -> None:
        """Forget what was typed."""
        self._rewrite()
        self._edit().selectAll()
        self.settled.emit()

    def _completed(self, _text: str) -> None:
        self.commit()

    def _show(self, option: Option) -> None:
        self.setCurrentIndex(self._entries().index(option))
        self._rewrite()
        self._edit().selectAll()
        self._take(option.value)

    def _rewrite(self) -> None:
        self._edit().setText(self.itemText(self.currentIndex()))

    def _edit(self) -> FieldEdit:
        edit = self.lineEdit()
        assert isinstance(edit, FieldEdit)
        return edit


def matching(options: Sequence[Option], typed: str) -> list[Option]:
    """The options that ``typed`` names: by a whole name or alias, else by a part of one."""
    words = typed.casefold().split()
    if not words:
        return []
    whole = " ".join(words)
    exact, partial = [], []
    for option in options:
        names = [" ".join(n.casefold().split()) for n in (option.text, *option.aliases)]
        if whole in names:
            exact.append(option)
        elif any(all(word in name for word in words) for name in names):
            partial.append(option)
    return exact or partial
