"""The names under the bars (renamed, dragged, made the baseline here) and the rows' labels."""

from functools import lru_cache

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetrics, QKeyEvent, QMouseEvent, QPainter, QPen
from PySide6.QtWidgets import QHeaderView, QLineEdit, QWidget

from zerogui.accounting.errors import printable
from zerogui.gui.compare.chart import TINT
from zerogui.gui.theme import GRID, scaled_font, theme_of
from zerogui.planning.comparison import FIRST_DETAIL, Column, Comparison, Group

MOST_LINES = 4  # of a name; the rest stands in the tooltip
_WRAP = int(Qt.TextFlag.TextWrapAnywhere | Qt.AlignmentFlag.AlignHCenter)


class NameEdit(QLineEdit):
    """A name being typed: Return or leaving takes it, Escape gives it up."""

    done = Signal(str)

    def __init__(self, parent: QWidget, text: str) -> None:
        super().__init__(parent)
        self._open = True
        self.setObjectName("pin-name")
        self.setAccessibleName("Name of the pinned plan")
        self.setFont(scaled_font())
        self.setText(text)
        self.selectAll()
        self.editingFinished.connect(self._finish)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape leaves the name as it was."""
        if event.key() == Qt.Key.Key_Escape:
            self._close("")
        else:
            super().keyPressEvent(event)
        # A line edit passes Return on, which means something else to the view.
        event.accept()

    def _finish(self) -> None:
        self._close(self.text())

    def _close(self, text: str) -> None:
        # Hiding ends the editing once more.
        if self._open:
            self._open = False
            self.hide()
            self.deleteLater()
            self.done.emit(text)


class NamesHeader(QHeaderView):
    """A name, its stage and a round mark for the baseline per column."""

    renamed = Signal(object, str)  # column, text
    moved = Signal(object, object)  # column, to column
    baseline_chosen = Signal(object)  # column

    def __init__(self) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self.setObjectName("pin-names")
        self.setAccessibleName("Names of the compared plans")
        self.setSectionsMovable(True)
        self.setFirstSectionMovable(False)  # the present plan
        self.setSectionsClickable(True)
        self.setHighlightSections(False)
        self.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.setMinimumSectionSize(20)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setMouseTracking(True)
        self._comparison: Comparison | None = None
        self._selected = -1
        self._edit: NameEdit | None = None
        self.sectionMoved.connect(self._section_moved)

    def show_columns(self, comparison: Comparison, selected: int) -> None:
        """Names of ``comparison``; ``selected`` is tinted."""
        self._comparison, self._selected = comparison, selected
        self.viewport().update()

    def wanted_height(self, width: int) -> int:
        """Room for the longest name at columns ``width`` px wide."""
        if self._comparison is None:
            return 0
        font = scaled_font(bold=True)
        metrics = QFontMetrics(font)
        names = tuple(_name(column) for column in self._comparison.columns)
        lines = _most_lines(names, font.toString(), self._text_room(width))
        caption = any(column.caption for column in self._comparison.columns)
        small = QFontMetrics(scaled_font(-1)).height() if caption else 0
        return lines * metrics.height() + small + GRID + 2

    def _radio_size(self) -> int:
        return round(self.fontMetrics().height() * 0.75)

    def _text_room(self, width: int) -> int:
        # The mark on the left has its like on the right: names stand under the middle of the bars.
        return max(width - 2 * (self._radio_size() + GRID), 10)

    def radio_rect(self, section: int) -> QRect:
        """Where the mark of a column is, in the header's viewport."""
        size, width = self._radio_size(), self.sectionSize(section)
        left = self.sectionViewportPosition(section)
        metrics = QFontMetrics(self._font_of(section))
        if self._comparison is not None and section < len(self._comparison.columns):
            name = _name(self._comparison.columns[section])
            first = wrapped(name, metrics, self._text_room(width))[0]
            # Right before the name, which is centred.
            left += (width - metrics.horizontalAdvance(first)) // 2 - size - GRID // 2
        return QRect(left, GRID // 2 + (metrics.height() - size) // 2, size, size)

    def _font_of(self, section: int) -> QFont:
        return scaled_font(bold=section in (0, self._selected))

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        """Qt's hook: one name."""
        comparison = self._comparison
        if comparison is None or section >= len(comparison.columns):
            return
        theme = theme_of(self.palette())
        painter.save()
        painter.fillRect(rect, QColor(theme.window))
        if section == self._selected:
            tint = QColor(theme.accent)
            tint.setAlphaF(TINT)
            painter.fillRect(rect, tint)
        painter.setPen(QColor(theme.rule))
        painter.drawLine(rect.topLeft(), rect.topRight())
        column = comparison.columns[section]
        font = self._font_of(section)
        painter.setFont(font)
        painter.setPen(QColor(theme.text))
        metrics = QFontMetrics(font)
        y = rect.top() + GRID // 2
        for text in wrapped(_name(column), metrics, self._text_room(rect.width())):
            line = QRect(rect.left(), y, rect.width(), metrics.height())
            painter.drawText(line, int(Qt.AlignmentFlag.AlignCenter), text)
            y += metrics.height()
        painter.setFont(scaled_font(-1))
        painter.setPen(QColor(theme.muted))
        small = QRect(rect.left(), y, rect.width(), painter.fontMetrics().height())
        painter.drawText(small, int(Qt.AlignmentFlag.AlignCenter), column.caption)
        mark = self.radio_rect(section)
        mark.translate(rect.left() - self.sectionViewportPosition(section), 0)
        _paint_mark(painter, QRectF(mark), section == comparison.baseline, theme.accent, theme.edge)
        painter.restore()

    def _section_moved(self, logical: int, old: int, new: int) -> None:
        """Columns stay where the pins say; who listens moves the pin."""
        self.blockSignals(True)
        self.moveSection(new, old)
        self.blockSignals(False)
        self.moved.emit(logical, max(new, 1))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """The mark makes a column the baseline; elsewhere it is chosen."""
        section = self.logicalIndexAt(event.position().toPoint())
        near = GRID // 2
        if section >= 0 and self.radio_rect(section).adjusted(-near, -near, near, near).contains(
            event.position().toPoint()
        ):
            self.baseline_chosen.emit(section)
            event.accept()
            return
        super().mousePressEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """A name is edited where it stands."""
        self.edit_name(self.logicalIndexAt(event.position().toPoint()))
        event.accept()

    def edit_name(self, section: int) -> None:
        """Let the user type another name for a pin."""
        comparison = self._comparison
        if comparison is None or not 0 <= section < len(comparison.columns):
            return
        column = comparison.columns[section]
        if column.pin is None:
            return
        edit = self._edit = NameEdit(self.viewport(), printable(column.name, 1000))
        height = edit.sizeHint().height()
        left, width = self.sectionViewportPosition(section), self.sectionSize(section)
        edit.setGeometry(left + 2, 2, width - 4, min(height, self.height() - 4))
        edit.done.connect(lambda text: self.renamed.emit(section, text))
        edit.show()
        edit.setFocus()

    def sizeHint(self) -> QSize:
        """As high as the names need; the view sets it."""
        return QSize(0, self.wanted_height(self.defaultSectionSize()))


def _paint_mark(painter: QPainter, rect: QRectF, chosen: bool, accent: str, edge: str) -> None:
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(QColor(accent if chosen else edge), 1.5))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawEllipse(rect.adjusted(1, 1, -1, -1))
    if chosen:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(accent))
        painter.drawEllipse(QPointF(rect.center()), rect.width() / 4, rect.width() / 4)


def _name(column: Column) -> str:
    return printable(column.name)


@lru_cache(maxsize=8)
def _most_lines(names: tuple[str, ...], font: str, room: int) -> int:
    """Lines of the name that needs most, bold in ``font``: an edit changes none of them."""
    bold = QFont()
    bold.fromString(font)
    metrics = QFontMetrics(bold)
    # Most names fit: the rough measure spares the wrapping.
    long = [name for name in names if len(name) * metrics.maxWidth() > room]
    return max((len(wrapped(name, metrics, room)) for name in long), default=1)


def wrapped(text: str, metrics: QFontMetrics, width: int) -> list[str]:
    """``text`` in lines of at most ``width`` px, broken between words where that is possible."""
    lines: list[str] = []
    rest = text
    while rest and len(lines) < MOST_LINES:
        if metrics.horizontalAdvance(rest) <= width:
            return [*lines, rest]
        if len(lines) == MOST_LINES - 1:
            return [*lines, metrics.elidedText(rest, Qt.TextElideMode.ElideRight, width)]
        fits = _fitting(rest, metrics, width)
        space = rest.rfind(" ", 0, fits + 1)
        end = space if space > 0 else fits
        lines.append(rest[:end].rstrip())
        rest = rest[end:].lstrip()
    return lines or [""]


def _fitting(text: str, metrics: QFontMetrics, width: int) -> int:
    """How many characters of ``text`` fit ``width`` px; at least one."""
    low, high = 1, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if metrics.horizontalAdvance(text[:middle]) <= width:
            low = middle
        else:
            high = middle - 1
    return low


class RowLabels(QHeaderView):
    """What each row tells, right beside its cells."""

    def __init__(self) -> None:
        super().__init__(Qt.Orientation.Vertical)
        self.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.setSectionsClickable(False)
        self.setHighlightSections(False)
        self.setMinimumSectionSize(8)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._comparison: Comparison | None = None

    def show_rows(self, comparison: Comparison) -> None:
        """The labels of ``comparison``."""
        self._comparison = comparison
        self.viewport().update()

    def wanted_width(self) -> int:
        """Room for the longest label in one line."""
        if self._comparison is None:
            return 0
        plain, bold = QFontMetrics(scaled_font()), QFontMetrics(scaled_font(bold=True))
        widths = [
            (plain if row.group is Group.INPUTS else bold).horizontalAdvance(row.label)
            for row in self._comparison.rows
        ]
        return max(widths, default=0) + 2 * GRID

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        """Qt's hook: one label, muted for an input, bold for the total."""
        comparison = self._comparison
        if comparison is None or section >= len(comparison.rows):
            return
        row = comparison.rows[section]
        theme = theme_of(self.palette())
        painter.save()
        painter.fillRect(rect, QColor(theme.window))
        heading = row.group is Group.HEADING
        if heading or row.key == FIRST_DETAIL:
            painter.setPen(QColor(theme.rule))
            painter.drawLine(rect.topLeft(), rect.topRight())
        painter.setFont(scaled_font(bold=heading or row.key == "total"))
        painter.setPen(QColor(theme.muted if row.group is Group.DETAILS else theme.text))
        top = (
            Qt.AlignmentFlag.AlignTop
            if _has_two_lines(row.group)
            else Qt.AlignmentFlag.AlignVCenter
        )
        inner = rect.adjusted(0, GRID // 2 if _has_two_lines(row.group) else 0, -GRID, 0)
        metrics = painter.fontMetrics()
        y, lines = inner.top(), wrapped(row.label, metrics, inner.width())
        if len(lines) == 1:
            painter.drawText(inner, int(Qt.AlignmentFlag.AlignLeft | top), lines[0])
        else:
            for text in lines[:2]:
                line = QRect(inner.left(), y, inner.width(), metrics.height())
                painter.drawText(line, int(Qt.AlignmentFlag.AlignLeft), text)
                y += metrics.height()
        painter.restore()


def _has_two_lines(group: Group) -> bool:
    return group in (Group.TOTALS, Group.DETAILS)
