"""One input of the panel: label, field and unit, with a hint and, if need be, an error below."""

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QSizePolicy, QWidget

from zerogui.gui.theme import GRID, Ink, font_scale, theme_of
from zerogui.gui.widgets import icons
from zerogui.gui.widgets.caption import Caption, Swatch
from zerogui.gui.widgets.plain_text import tip as plain_tip
from zerogui.gui.widgets.wrapping import MAY_BREAK


class ErrorLine(QWidget):
    """A sentence in the colour of what does not fit, after a warning sign."""

    def __init__(self) -> None:
        super().__init__()
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GRID // 2)
        self._sign = QLabel()
        self._text = Caption(ink=Ink.OVER, delta=-1, wrap=True)
        layout.addWidget(self._sign, 0, Qt.AlignmentFlag.AlignTop)
        layout.addWidget(self._text, 1)
        self.hide()

    def text(self) -> str:
        """The sentence shown, or an empty text."""
        return "" if self.isHidden() else self._text.text()

    def set_text(self, sentence: str) -> None:
        """Show ``sentence``; an empty one takes the line away."""
        self._text.setText(sentence)
        self._draw_sign()
        self.setVisible(bool(sentence))

    def changeEvent(self, event: QEvent) -> None:
        """Qt's hook: another theme or scale needs another sign."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.FontChange):
            self._draw_sign()

    def _draw_sign(self) -> None:
        size = QFontMetrics(self._text.font()).height()
        colour = theme_of(self.palette()).over
        self._sign.setPixmap(icons.pixmap("warning", colour, size, self.devicePixelRatioF()))


class FieldRow(QWidget):
    """``label`` (with its mnemonic) beside or above ``field``; ``name`` is the field's object name.

    ``tip`` explains the word in one sentence. ``swatch`` is the state whose colour the field
    speaks of. The panel sets the label's width, or stacks all rows where that leaves no room.
    """

    def __init__(
        self,
        name: str,
        label: str,
        field: QWidget,
        tip: str,
        *,
        unit: str = "",
        swatch: str = "",
    ) -> None:
        super().__init__()
        self.field = field
        field.setObjectName(name)
        self._tip = tip
        self.label = ""
        self._label = Caption()
        self._label.setBuddy(field)
        self._label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._head = QWidget()
        head = QHBoxLayout(self._head)
        head.setContentsMargins(0, 0, 0, 0)
        head.setSpacing(GRID // 2 + 2)
        self._swatch = Swatch(swatch) if swatch else None
        if self._swatch is not None:
            head.addWidget(self._swatch)
        head.addWidget(self._label, 1)
        # Most rows never say these; each is made when it is first needed.
        self._unit: Caption | None = None
        self._error: ErrorLine | None = None
        self._hint: Caption | None = None
        self._body = QHBoxLayout()
        self._body.setSpacing(GRID // 2 + 2)
        self._body.addWidget(field, 1)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(GRID)
        self._grid.setVerticalSpacing(2)
        self._grid.setColumnStretch(1, 1)
        self._stacked: bool | None = None
        self.set_stacked(False)
        self.set_label(label)
        self.set_unit(unit)
        settled = getattr(field, "settled", None)
        if settled is not None:
            settled.connect(self.clear_error)
        rejected = getattr(field, "rejected", None)
        if rejected is not None:
            rejected.connect(self.show_error)

    def add_beside(self, widget: QWidget) -> None:
        """Put ``widget`` (a button that acts on this row) behind the field."""
        self._body.addWidget(widget)

    def set_label(self, label: str, tip: str = "") -> None:
        """Name the field; the accessible name is the label without its mnemonic."""
        self._tip = tip or self._tip
        self.label = label
        self._elide_label(self.width() if self._stacked else 0)
        plain = label.replace("&&", "\0").replace("&", "").replace("\0", "&")
        self.field.setAccessibleName(plain)
        self.field.setAccessibleDescription(self._tip)
        for widget in (self._label, self.field):
            widget.setToolTip(plain_tip(self._tip))

    def set_swatch(self, role: str) -> None:
        """The colour before the label, by role."""
        if self._swatch is not None:
            self._swatch.set_role(role)

    def set_unit(self, unit: str) -> None:
        """Show ``unit`` behind the field."""
        if self._unit is None:
            if not unit:
                return
            self._unit = Caption(ink=Ink.MUTED)
            self._body.insertWidget(1, self._unit)
        self._unit.setText(unit)
        self._unit.setVisible(bool(unit))

    def set_hint(self, text: str) -> None:
        """Explain the value in a muted line below; empty: no line."""
        if self._hint is None:
            if not text:
                return
            self._hint = Caption(ink=Ink.MUTED, delta=-1, wrap=True)
            self._grid.addWidget(self._hint, 3, 0, 1, 2)
        # Names of settings are long: a line may break behind an underscore too.
        self._hint.setText(text.replace("_", "_" + MAY_BREAK))
        self._hint.setVisible(bool(text))

    def hint(self) -> str:
        """The muted line below, or an empty text."""
        if self._hint is None or self._hint.isHidden():
            return ""
        return self._hint.text().replace(MAY_BREAK, "")

    def error(self) -> str:
        """The error sentence below, or an empty text."""
        return "" if self._error is None else self._error.text()

    def show_error(self, sentence: str) -> None:
        """Say under the field why an input was not taken, until the next one."""
        if self._error is None:
            self._error = ErrorLine()
            self._grid.addWidget(self._error, 2, 0, 1, 2)
        self._error.set_text(sentence)
        self.field.setAccessibleDescription(f"{sentence} {self._tip}")

    def clear_error(self) -> None:
        """The earlier input is forgotten."""
        if self._error is not None and self._error.text():
            self._error.set_text("")
            self.field.setAccessibleDescription(self._tip)

    def label_width(self) -> int:
        """Pixels that the label needs; free text is elided rather than widen the column much."""
        metrics = self._label.fontMetrics()
        flags = Qt.TextFlag.TextShowMnemonic.value
        width = self._lead() + metrics.size(flags, self.label).width()
        return min(width, self._lead() + 18 * metrics.averageCharWidth()) + 1

    def set_label_width(self, width: int) -> None:
        """Give the label column this width (where labels stand beside their fields)."""
        self._head.setFixedWidth(width)
        self._elide_label(width)

    def set_stacked(self, stacked: bool) -> None:
        """Put the label above its field instead of beside it."""
        if stacked == self._stacked:
            return
        self._stacked = stacked
        self._grid.removeWidget(self._head)
        self._grid.removeItem(self._body)
        if stacked:
            self._head.setMinimumWidth(0)
            self._head.setMaximumWidth(16777215)
            self._elide_label(self.width())
            self._grid.addWidget(self._head, 0, 0, 1, 2)
            self._grid.addLayout(self._body, 1, 0, 1, 2)
        else:
            self._grid.addWidget(self._head, 0, 0)
            self._grid.addLayout(self._body, 0, 1)

    def _elide_label(self, width: int = 0) -> None:
        text = self.label
        if width:
            room = width - self._lead()
            flags = Qt.TextFlag.TextShowMnemonic.value
            mode = Qt.TextElideMode.ElideRight
            text = self._label.fontMetrics().elidedText(text, mode, room, flags)
        self._label.setText(text)

    def _lead(self) -> int:
        """Pixels before the label's text."""
        if self._swatch is None:
            return 0
        return self._swatch.sizeHint().width() + GRID // 2 + 2

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Qt's hook: a label above its field may be as long as the row."""
        super().resizeEvent(event)
        if self._stacked:
            self._elide_label(self.width())

    def minimumSizeHint(self) -> QSize:
        """Never wider than the panel: long texts wrap or elide."""
        return QSize(round(120 * min(font_scale(), 2.0)), super().minimumSizeHint().height())
