"""The table under the bars: figures with their differences, and the inputs that differ."""

from functools import lru_cache
from typing import Any, cast

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QPersistentModelIndex,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPalette,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QFrame,
    QSizePolicy,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from zerogui.accounting.errors import printable
from zerogui.gui.clipboard import table_mime
from zerogui.gui.compare.chart import TINT
from zerogui.gui.compare.headers import NamesHeader, RowLabels, wrapped
from zerogui.gui.theme import GRID, scaled_font, text_scale, theme_of
from zerogui.gui.widgets.focus_ring import FocusRing
from zerogui.gui.widgets.plain_text import tip
from zerogui.planning.comparison import FIRST_DETAIL, Cell, Comparison, Group, Row, comparison_table
from zerogui.planning.quantities import MINUS, group_digits

Index = QModelIndex | QPersistentModelIndex
_CENTRE = int(Qt.AlignmentFlag.AlignCenter)
# Keys that belong to the view: an item view would search or edit with them.
_LEFT_TO_THE_VIEW = (
    Qt.Key.Key_F2,
    Qt.Key.Key_Delete,
    Qt.Key.Key_Backspace,
    Qt.Key.Key_Return,
    Qt.Key.Key_Enter,
    Qt.Key.Key_B,
    Qt.Key.Key_0,
    Qt.Key.Key_1,
    Qt.Key.Key_2,
    Qt.Key.Key_3,
)


class CompareModel(QAbstractTableModel):
    """Cells of a comparison; ``Qt.UserRole`` is the exact integer, UserRole + 1 the Cell."""

    def __init__(self) -> None:
        super().__init__()
        self.comparison: Comparison | None = None

    def show_comparison(self, comparison: Comparison) -> None:
        """Take over ``comparison``; only another number of rows or columns makes a new table."""
        old = self.comparison
        if old is None or _shape(old) != _shape(comparison):
            self.beginResetModel()
            self.comparison = comparison
            self.endResetModel()
            return
        self.comparison = comparison
        rows, columns = _shape(comparison)
        self.dataChanged.emit(self.index(0, 0), self.index(rows - 1, columns - 1))
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, columns - 1)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 (Qt's default)
        """Figures and differing inputs."""
        found = self.comparison
        return 0 if found is None or parent.isValid() else len(found.rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 (Qt's default)
        """The present plan and the pins."""
        found = self.comparison
        return 0 if found is None or parent.isValid() else len(found.columns)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """Names, and what the rows tell."""
        found = self.comparison
        if found is None:
            return None
        across = orientation == Qt.Orientation.Horizontal
        # While a table is reset its headers ask for sections that it had before.
        if section >= len(found.columns if across else found.rows):
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return printable(found.columns[section].name) if across else found.rows[section].label
        if role == Qt.ItemDataRole.ToolTipRole and across:
            return tip(_name_tip(found, section))
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Text with its second line, exact value and tip of one cell."""
        found = self.comparison
        if found is None or not self.checkIndex(index):
            return None
        row = found.rows[index.row()]
        cell = found.cell(row, index.column())
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return f"{cell.text}\n{cell.second}" if cell.second else cell.text
        if role == Qt.ItemDataRole.UserRole:
            return cell.value
        if role == Qt.ItemDataRole.UserRole + 1:
            return cell
        if role == Qt.ItemDataRole.ToolTipRole:
            return tip(_tip(found, row, cell, index.column()))
        return None


def _shape(comparison: Comparison) -> tuple[int, int]:
    return len(comparison.rows), len(comparison.columns)


def _name_tip(comparison: Comparison, column: int) -> str:
    here = comparison.columns[column]
    mark = (
        "The baseline of all differences"
        if column == comparison.baseline
        else ("Click the round mark to compare with it")
    )
    more = "" if here.pin is None else "\nF2 renames, Alt+arrows move, Delete removes"
    return f"{printable(here.name)}\n{mark}{more}"


def _tip(comparison: Comparison, row: Row, cell: Cell, column: int) -> str:
    here, base = comparison.columns[column], comparison.columns[comparison.baseline]
    if row.group is Group.INPUTS:
        change = here.differs.get(row.key)
        if change is None:
            return f"{row.label}: {cell.text}"
        return f"{row.label}: {change.baseline} → {change.text}"
    if row.group is Group.HEADING:
        return ""
    figures = here.figures[row.place]
    if cell.value is None:
        return f"Not offered: {figures.reason}" if figures.reason else ""
    before = base.figures[row.place].values[row.key]
    text = f"{group_digits(cell.value)} bytes"
    if column != comparison.baseline and before is not None:
        change_by = cell.value - before
        sign = "+" if change_by > 0 else MINUS if change_by < 0 else "±"
        text += f"\n{sign}{group_digits(abs(change_by))} bytes against {printable(base.name, 100)}"
    return text


class CellDelegate(QStyledItemDelegate):
    """A figure over its muted difference; an input bold where it differs."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Qt's hook: one cell."""
        model = index.model()
        assert isinstance(model, CompareModel)
        if model.comparison is not None:
            view = option.widget
            selected = isinstance(view, CompareTable) and view.selected == index.column()
            row = model.comparison.rows[index.row()]
            cell = model.comparison.cell(row, index.column())
            rect = option.rect
            _paint_cell(painter, rect, row, cell, selected, theme_of(QApplication.palette()))


def _paint_cell(
    painter: QPainter, rect: QRect, row: Row, cell: Cell, selected: bool, theme: Any
) -> None:
    painter.save()
    if selected:
        tint = QColor(theme.accent)
        tint.setAlphaF(TINT)
        painter.fillRect(rect, tint)
    if row.group is Group.HEADING or row.key == FIRST_DETAIL:
        painter.setPen(QColor(theme.rule))
        painter.drawLine(rect.topLeft(), rect.topRight())
    strong = cell.marked or row.key == "total"
    font, small = scaled_font(bold=strong), scaled_font(-1)
    inner = rect.adjusted(GRID // 2, 0, -GRID // 2, 0)
    painter.setFont(font)
    painter.setPen(QColor(_ink(row, cell, theme)))
    height = QFontMetrics(font).height()
    if row.group is Group.INPUTS:
        lines = _lines(cell.text, font, inner.width())
        y = inner.top() + (inner.height() - height * len(lines)) // 2
    else:
        lines = (cell.text,)
        y = inner.top() + GRID // 2
    for text in lines:
        painter.drawText(QRect(inner.left(), y, inner.width(), height), _CENTRE, text)
        y += height
    if cell.second:
        metrics = QFontMetrics(small)
        text = cell.second
        if metrics.horizontalAdvance(text) > inner.width():
            text = text.split(" · ")[0]  # the factor has no room
        painter.setFont(small)
        painter.setPen(QColor(theme.muted))
        painter.drawText(QRect(inner.left(), y, inner.width(), metrics.height()), _CENTRE, text)
    painter.restore()


def _ink(row: Row, cell: Cell, theme: Any) -> str:
    if cell.over:
        return str(theme.over)
    plain = row.group is Group.INPUTS and not cell.marked
    return str(theme.muted if plain or row.group is Group.DETAILS else theme.text)


@lru_cache(maxsize=500)
def _cached_lines(text: str, font: str, bold: bool, width: int) -> tuple[str, ...]:
    found = QFont()
    found.fromString(font)
    found.setBold(bold)
    return tuple(wrapped(text, QFontMetrics(found), width))


def _lines(text: str, font: QFont, width: int) -> tuple[str, ...]:
    return _cached_lines(text, font.toString(), font.bold(), width)


class CompareTable(QTableView):
    """Selects whole columns; ``arranged`` tells that columns stand elsewhere."""

    arranged = Signal()
    chosen = Signal(object)  # int: the column
    copied = Signal(str)  # what was copied, in words

    def __init__(self) -> None:
        super().__init__()
        self.cells = CompareModel()
        self.names, self.labels = NamesHeader(), RowLabels()
        self.selected = 0
        self.least_width = 40.0
        self.setObjectName("compare-table")
        self.setAccessibleName("Comparison")
        self._corner = cast(QWidget, self.findChild(QAbstractButton))
        self.setModel(self.cells)
        self.setItemDelegate(CellDelegate(self))
        self.setHorizontalHeader(self.names)
        self.setVerticalHeader(self.labels)
        # The current cell's column is the chosen one; Qt would paint a selection over the tint.
        self.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setCornerButtonEnabled(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        FocusRing(self)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.viewport().setBackgroundRole(QPalette.ColorRole.Window)
        self.names.sectionPressed.connect(self._choose_by_name)
        self.horizontalScrollBar().valueChanged.connect(self.arranged)
        text_scale.changed.connect(self._fit)
        self._fit()

    def _fit(self) -> None:
        self.setFont(scaled_font())
        self._arrange()

    def show_comparison(self, comparison: Comparison, selected: int, least: float) -> None:
        """Show ``comparison`` with column ``selected`` chosen, each at least ``least`` px wide."""
        self.selected, self.least_width = selected, least
        self.cells.show_comparison(comparison)
        self.names.show_columns(comparison, selected)
        self.labels.show_rows(comparison)
        self.setAccessibleDescription(comparison.description)
        current = self.currentIndex()
        if current.column() != selected or not current.isValid():
            self.setCurrentIndex(self.cells.index(max(current.row(), 0), selected))
        self._arrange()

    def set_margin(self, width: int) -> None:
        """The labels' width, which is the chart's margin too."""
        if self.labels.width() != width:
            self.labels.setFixedWidth(width)
            self.updateGeometries()

    def _arrange(self) -> None:
        """Columns share the width, or scroll; rows are as high as their texts."""
        found = self.cells.comparison
        if found is None:
            return
        width = max(self.viewport().width() // len(found.columns), int(self.least_width), 20)
        if self.names.defaultSectionSize() != width:
            self.names.setDefaultSectionSize(width)
        height = self.names.wanted_height(width)
        if self.names.height() != height:
            self.names.setFixedHeight(height)
        for number, row in enumerate(found.rows):
            wanted = self._row_height(row, width)
            if self.labels.sectionSize(number) != wanted:
                self.labels.resizeSection(number, wanted)
        self.arranged.emit()

    def _row_height(self, row: Row, width: int) -> int:
        found = self.cells.comparison
        assert found is not None
        font = scaled_font(bold=True)
        line, small = QFontMetrics(font).height(), QFontMetrics(scaled_font(-1)).height()
        if row.group is Group.HEADING:
            return line + GRID
        if row.group is not Group.INPUTS:
            return line + small + GRID
        texts = {found.cell(row, column).text for column in range(len(found.columns))}
        most = max(len(_lines(text, font, width - GRID)) for text in texts)
        return most * line + GRID // 2

    def updateGeometries(self) -> None:
        """Qt's hook: scroll bars have come or gone, so that the viewport has another width."""
        super().updateGeometries()
        self._corner.hide()
        self.arranged.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Qt's hook: another width may hold more or fewer columns."""
        super().resizeEvent(event)
        self._arrange()

    def wanted_height(self) -> int:
        """Room for all rows, in px."""
        return self.names.height() + self.labels.length() + 2

    def sizeHint(self) -> QSize:
        """Names, totals and a few inputs."""
        line = self.fontMetrics().height()
        return QSize(40 * line, 12 * line)

    def minimumSizeHint(self) -> QSize:
        """Names and the totals."""
        line = self.fontMetrics().height()
        return QSize(10 * line, 5 * line)

    def currentChanged(self, current: Index, previous: Index) -> None:
        """Choosing a cell, or a name, chooses its column."""
        super().currentChanged(current, previous)
        if current.isValid() and current.column() != self.selected:
            self.selected = current.column()
            self.chosen.emit(self.selected)

    def _choose_by_name(self, column: int) -> None:
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        self.setCurrentIndex(self.cells.index(max(self.currentIndex().row(), 0), column))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Ctrl+C copies the table; keys for pins and stages go to the view."""
        alt = bool(event.modifiers() & Qt.KeyboardModifier.AltModifier)
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy_all()
        elif alt or event.key() in _LEFT_TO_THE_VIEW:
            event.ignore()
        else:
            super().keyPressEvent(event)

    def copy_all(self) -> None:
        """The whole comparison, as exact integers (TSV, HTML) and as shown (Markdown)."""
        found = self.cells.comparison
        if found is None:
            return
        mime = table_mime(comparison_table(found, True), comparison_table(found, False))
        QApplication.clipboard().setMimeData(mime)
        self.copied.emit("Copied the comparison")
