"""Sections of the panel: a heading with a thin rule, and a part that folds away."""

from collections.abc import Callable
from operator import is_

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from zerogui.accounting.scenario import Scenario
from zerogui.gui.inputs.field_row import FieldRow
from zerogui.gui.theme import GRID, Ink
from zerogui.gui.widgets.caption import Caption, Rule


class Section(QWidget):
    """A bold heading, a rule, and rows below each other; ``edited`` carries an Edit."""

    edited = Signal(object)  # Edit

    def __init__(self, title: str) -> None:
        super().__init__()
        self.rows: dict[str, FieldRow] = {}
        self.fold: Fold | None = None
        self._shown: tuple[object, ...] = ()
        # A field that sent an edit may show what was then refused.
        self.edited.connect(self._forget)
        self.setAccessibleName(title)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(GRID - 2)
        heading = QHBoxLayout()
        heading.setSpacing(GRID)
        heading.addWidget(Caption(title, bold=True))
        heading.addWidget(Rule(), 1)
        self._column.addLayout(heading)

    def inputs(self, scenario: Scenario, unit: str) -> tuple[object, ...]:
        """The parts of ``scenario`` that the section shows."""
        return (scenario, unit)

    def show_scenario(self, scenario: Scenario, unit: str) -> None:
        """Show ``scenario``, sizes in ``unit``; no signal."""

    def display(self, scenario: Scenario, unit: str) -> None:
        """Show ``scenario`` where that differs from what is shown."""
        inputs = self.inputs(scenario, unit)
        same = len(inputs) == len(self._shown) and all(map(is_, inputs, self._shown))
        if not same:
            self._shown = inputs
            self.show_scenario(scenario, unit)

    def _forget(self, _edit: object) -> None:
        self._shown = ()

    def add(self, widget: QWidget) -> None:
        """Put ``widget`` below what is there."""
        self._column.addWidget(widget)

    def add_fold(self, fold: "Fold") -> "Fold":
        """Put the section's fold at the end."""
        self.fold = fold
        self.add(fold)
        return fold

    def complete(self) -> None:
        """Make what is folded away, if that was not needed so far."""
        if self.fold is not None:
            self.fold.fill()

    def insert_row(self, row: FieldRow, after: QWidget) -> None:
        """Put ``row`` right below ``after``."""
        self.rows[row.field.objectName()] = row
        self._column.insertWidget(self._column.indexOf(after) + 1, row)

    def add_row(self, row: FieldRow, fold: "Fold | None" = None) -> FieldRow:
        """Put ``row`` at the end, or inside ``fold``; it is found by its field's name."""
        self.rows[row.field.objectName()] = row
        if fold is None:
            self.add(row)
        else:
            fold.add(row)
        return row


class FoldHead(QAbstractButton):
    """The line that opens and closes a fold: a chevron and a title."""

    def __init__(self, title: str) -> None:
        super().__init__()
        self.setText(title)
        self.setCheckable(True)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)  # painted anew as the pointer comes or goes
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def sizeHint(self) -> QSize:
        """Chevron, title and a little air."""
        metrics = self.fontMetrics()
        plain = self.text().replace("&", "")
        return QSize(
            metrics.height() + metrics.horizontalAdvance(plain) + GRID, metrics.height() + 4
        )

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Right opens, Left closes, as in a tree; Space and Return toggle."""
        key = event.key()
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.toggle()
        elif key == Qt.Key.Key_Right:
            self.setChecked(True)
        elif key == Qt.Key.Key_Left:
            self.setChecked(False)
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Chevron right or down, then the title; accent under the pointer and for the focus."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        palette = self.palette()
        active = self.underMouse() or self.hasFocus()
        colour = palette.color(Ink.ACCENT.value if active else Ink.TEXT.value)
        unit = self.fontMetrics().height()
        painter.setPen(QPen(colour, unit / 9, c=Qt.PenCapStyle.RoundCap))
        middle = QPointF(unit * 0.3, self.height() / 2)
        painter.drawPolyline(_chevron(middle, unit * 0.22, self.isChecked()))
        painter.setPen(colour)
        area = QRectF(self.rect()).adjusted(unit * 0.8, 0, 0, 0)
        flags = Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextShowMnemonic
        painter.drawText(area, flags, self.text())
        if self.hasFocus():
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
            bottom = self.height() - 1
            end = round(unit * 0.8 + self.fontMetrics().horizontalAdvance(self._plain()))
            painter.drawLine(round(unit * 0.8), bottom, end, bottom)
        painter.end()

    def _plain(self) -> str:
        return self.text().replace("&", "")


def _chevron(middle: QPointF, size: float, down: bool) -> QPolygonF:
    """Three points: ">" or, opened, "v"."""
    wide, high = (size, size / 2) if down else (size / 2, size)
    if down:
        offsets = ((-wide, -high), (0.0, high), (wide, -high))
    else:
        offsets = ((-wide, -high), (wide, 0.0), (-wide, high))
    return QPolygonF([QPointF(middle.x() + x, middle.y() + y) for x, y in offsets])


class Fold(QWidget):
    """Advanced rows that fold away; folded, one muted line says what they hold.

    ``make`` adds the rows, and is called when they are first needed.
    """

    def __init__(self, name: str, title: str, tip: str, make: Callable[[], None]) -> None:
        super().__init__()
        self._make: Callable[[], None] | None = make
        self.head = FoldHead(title)
        self.head.setObjectName(name)
        self.head.setAccessibleName(title.replace("&", ""))
        self.head.setToolTip(tip)
        self._summary = Caption(ink=Ink.MUTED, delta=-1, wrap=True)
        self._body = QWidget()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GRID // 2)
        column.addWidget(self.head)
        indented = QHBoxLayout()
        indented.addSpacing(GRID + GRID // 2)
        indented.addWidget(self._summary)
        column.addLayout(indented)
        column.addWidget(self._body)
        self._rows = QVBoxLayout(self._body)
        self._rows.setContentsMargins(0, 2, 0, 0)
        self._rows.setSpacing(GRID - 2)
        self._body.hide()
        self.head.toggled.connect(self._toggle)

    def add(self, widget: QWidget) -> None:
        """Put ``widget`` inside, below what is there."""
        self._rows.addWidget(widget)

    def insert(self, row: FieldRow, before: QWidget) -> None:
        """Put ``row`` right above ``before``."""
        self._rows.insertWidget(self._rows.indexOf(before), row)

    def set_summary(self, text: str) -> None:
        """What the fold holds, in a few words."""
        self._summary.setText(text)
        self.head.setAccessibleDescription(text)

    def summary(self) -> str:
        """The muted line, also while it is folded away."""
        return self._summary.text()

    def open(self) -> None:
        """Unfold (an error inside must be seen)."""
        self.head.setChecked(True)

    def fill(self) -> None:
        """Make the rows, once."""
        make, self._make = self._make, None
        if make is not None:
            make()

    @property
    def filled(self) -> bool:
        """Whether the rows are there."""
        return self._make is None

    def _toggle(self, opened: bool) -> None:
        self.fill()
        self._body.setVisible(opened)
        self._summary.setVisible(not opened)
