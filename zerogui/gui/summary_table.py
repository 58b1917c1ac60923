"""The summary table: exact numbers of the four stages; a row chooses its stage, cells copy."""

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QItemSelection,
    QModelIndex,
    QPersistentModelIndex,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QFont, QKeySequence, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QHeaderView,
    QSizePolicy,
    QTableView,
    QWidget,
)

from zerogui.gui.shown import Shown
from zerogui.gui.theme import scaled_font, text_scale, theme_of
from zerogui.gui.widgets.plain_text import tip
from zerogui.planning.edits import set_stage
from zerogui.planning.quantities import group_digits
from zerogui.planning.summary import (
    COLUMNS,
    SummaryRow,
    cell_text,
    decimals_for,
    headings,
    integer_table,
    marked_label,
    summary_rows,
    text_table,
)

if TYPE_CHECKING:
    from zerogui.files.tables import Table

Index = QModelIndex | QPersistentModelIndex
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
# Roles come as plain numbers: comparing them with Qt's enumerations is felt at every paint.
_DISPLAY = int(Qt.ItemDataRole.DisplayRole)
_ALIGNMENT = int(Qt.ItemDataRole.TextAlignmentRole)
_FONT = int(Qt.ItemDataRole.FontRole)
_NEVER = frozenset((int(Qt.ItemDataRole.DecorationRole), int(Qt.ItemDataRole.CheckStateRole)))


class SummaryModel(QAbstractTableModel):
    """Four rows of a report; the exact integer of a cell is its UserRole data."""

    def __init__(self) -> None:
        super().__init__()
        self._rows: tuple[SummaryRow, ...] = ()
        self._unit: str | None = "GB"
        self._decimals = 3
        self._selected = 0
        self._texts: list[list[str]] = []
        self.bold = QFont()

    def show_rows(self, shown: Shown) -> None:
        """Take over the rows of ``shown``."""
        report = shown.report
        first = not self._rows
        if first:
            self.beginResetModel()
        self._rows = summary_rows(report)
        unit, self._unit = self._unit, None if shown.exact_bytes else report.unit
        self._decimals = decimals_for(self._rows, self._unit) if self._unit else 0
        self._selected = report.scenario.sharding.stage
        # Asked for several times at every paint.
        self._texts = [
            [self._text(row, column) for column in range(len(COLUMNS) + 1)] for row in self._rows
        ]
        if first:
            self.endResetModel()
        self.dataChanged.emit(self.index(0, 0), self.index(3, len(COLUMNS)))
        if unit != self._unit:
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(COLUMNS))

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 (Qt's default)
        """One row a stage."""
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 (Qt's default)
        """The stage and its columns."""
        return 0 if parent.isValid() else len(COLUMNS) + 1

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """Headings carry the units."""
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return headings(self._unit)[section].replace(" (", "\n(", 1)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _LEFT if section == 0 else _RIGHT
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Text, exact value, tip and look of one cell."""
        if role == _DISPLAY:
            return self._texts[index.row()][index.column()]
        if role in _NEVER:
            return None
        row, column = self._rows[index.row()], index.column()
        key = COLUMNS[column - 1][0] if column else ""
        if role == Qt.ItemDataRole.UserRole:
            return row.values[key] if column else row.label
        if role == Qt.ItemDataRole.ToolTipRole:
            return tip(_tip(row, column))
        if role == _ALIGNMENT:
            return _RIGHT if column else _LEFT
        if role == _FONT:
            return self.bold if row.stage == self._selected else None
        return self._colour(row, key, role)

    def _colour(self, row: SummaryRow, key: str, role: int) -> QColor | None:
        if role == Qt.ItemDataRole.ForegroundRole:
            value = row.values.get(key)
            if key == "free" and value is not None and value < 0:
                return QColor(theme_of(QApplication.palette()).over)
            if row.reason is not None:
                return QColor(theme_of(QApplication.palette()).muted)
        if role == Qt.ItemDataRole.BackgroundRole and row.stage == self._selected:
            tint = QColor(theme_of(QApplication.palette()).accent)
            tint.setAlphaF(0.14)
            return tint
        return None

    def text_lengths(self) -> tuple[int, ...]:
        """Characters of each cell and heading, and which row is bold: what widths depend on."""
        cells = [len(text) for row in self._texts for text in row]
        return (*cells, *map(len, headings(self._unit)), self._selected)

    def _text(self, row: SummaryRow, column: int) -> str:
        if column == 0:
            return marked_label(row)
        return cell_text(row, COLUMNS[column - 1][0], self._unit, self._decimals)


def _tip(row: SummaryRow, column: int) -> str:
    if row.reason is not None:
        return f"{row.label} is not offered: {row.reason}"
    if column == 0:
        return f"{row.label}: {row.caption}"
    key, heading, is_bytes = COLUMNS[column - 1]
    value = row.values[key]
    if value is None:
        return "Choose a device to see what is left on it"
    unit = "bytes" if is_bytes else "elements sent by each rank in a step"
    return f"{row.label}, {heading.lower()}: {group_digits(value)} {unit}"


class SummaryTable(QTableView):
    """Shows the report's rows; ``edited`` chooses a stage, ``copied`` tells what went out."""

    edited = Signal(object)  # Edit
    copied = Signal(str)  # what was copied, in words

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = SummaryModel()
        self._shown: Shown | None = None
        self._lengths: tuple[int, ...] = ()
        self._needed: list[int] = []  # px of each column, once measured
        self._is_placed = False  # before it has its width, and texts, nothing can be fitted
        self._bar = 0  # px that the sideways scroll bar takes
        # A viewport of our own: asking Qt for its one loads every kind of widget first.
        self.setViewport(QWidget())
        self.setModel(self._model)
        self.setObjectName("summary")
        self.setAccessibleName("Summary table")
        self.setSelectionMode(QAbstractItemView.SelectionMode.ContiguousSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setShowGrid(False)
        self.setAlternatingRowColors(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setFrameShape(self.Shape.NoFrame)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.verticalHeader().hide()
        header = self.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header.setHighlightSections(False)
        header.setSectionsClickable(False)
        text_scale.changed.connect(self._fit)
        self._fit()

    def display(self, shown: Shown) -> None:
        """Show the rows of ``shown``."""
        self._shown = shown
        self._model.show_rows(shown)
        self.setAccessibleDescription(shown.report.verdict)
        # Measuring every cell costs more than painting them; figures are of equal width.
        lengths = self._model.text_lengths()
        if lengths != self._lengths:
            self._lengths = lengths
            self._measure_anew()

    def _fit(self) -> None:
        """Row height from the font, so that exactly four rows and the heading show."""
        font = scaled_font()
        self.setFont(font)
        self.horizontalHeader().setFont(font)
        bold = QFont(font)
        bold.setBold(True)
        self._model.bold = bold
        height = self.fontMetrics().height()
        # The least first: Qt makes no row lower than that, and the text may have become smaller.
        self.verticalHeader().setMinimumSectionSize(height + 10)
        self.verticalHeader().setDefaultSectionSize(height + 10)
        self.horizontalHeader().setFixedHeight(2 * height + 10)
        self._measure_anew()

    def _measure_anew(self) -> None:
        self._needed = []
        self._fit_columns()

    def _fit_columns(self) -> None:
        """Columns share the width; where their texts need more, the table scrolls sideways."""
        if not self._is_placed:
            return
        header = self.horizontalHeader()
        if not self._needed:
            columns = range(self._model.columnCount())
            self._needed = [
                max(self.sizeHintForColumn(c), header.sectionSizeHint(c)) for c in columns
            ]
        needed = self._needed
        spare = self.viewport().width() - sum(needed)
        wider = max(spare, 0) // len(needed)
        for column, width in enumerate(needed):
            header.resizeSection(column, width + wider)
        if spare >= 0:
            header.resizeSection(len(needed) - 1, needed[-1] + spare - wider * (len(needed) - 1))
        self._bar = 0 if spare >= 0 else self.horizontalScrollBar().sizeHint().height()
        whole = self.sizeHint().height()
        row = self.verticalHeader().defaultSectionSize()
        self.setMaximumHeight(whole)
        self.setMinimumHeight(header.height() + row + self._bar + 2)
        self.updateGeometry()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Qt's hook: another width may hold more or fewer columns."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._is_placed = True
            self._fit_columns()

    def sizeHint(self) -> QSize:
        """Heading and four rows; where the user makes it lower, it scrolls."""
        rows = 4 * self.verticalHeader().defaultSectionSize()
        return QSize(600, rows + self.horizontalHeader().height() + 2 + self._bar)

    def selectionChanged(self, selected: QItemSelection, deselected: QItemSelection) -> None:
        """Choosing a cell chooses its row's stage."""
        super().selectionChanged(selected, deselected)
        index = self.currentIndex()
        if index.isValid() and self.selectionModel().hasSelection():
            self._choose(index.row())

    def _choose(self, stage: int) -> None:
        if self._shown is not None and self._shown.report.scenario.sharding.stage != stage:
            self.edited.emit(set_stage(stage))

    def keyPressEvent(self, event: Any) -> None:
        """Ctrl+C copies the chosen cells with their headings."""
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy_selection()
        else:
            super().keyPressEvent(event)

    def copy_selection(self) -> None:
        """The chosen cells, with headings and stage names, as exact integers and as text."""
        shown = self._shown
        cells = self.selectedIndexes()
        if shown is None or not cells:
            self.copied.emit("Nothing is copied: choose cells of the table first")
            return
        rows = sorted({index.row() for index in cells})
        columns = sorted({index.column() for index in cells} | {0})
        unit = None if shown.exact_bytes else shown.report.unit
        from zerogui.gui.clipboard import table_mime

        exact = _chosen(integer_table(shown.report), rows, columns)
        shown_table = _chosen(text_table(shown.report, unit), rows, columns)
        QApplication.clipboard().setMimeData(table_mime(exact, shown_table))
        count = len(rows) * len([column for column in columns if column])
        self.copied.emit(f"Copied {count or len(rows)} cells with their headings")

    def copy_all(self) -> None:
        """The whole table, as exact integers (TSV, HTML) and as text in the unit (Markdown)."""
        shown = self._shown
        if shown is None:
            return
        unit = None if shown.exact_bytes else shown.report.unit
        from zerogui.gui.clipboard import table_mime

        mime = table_mime(integer_table(shown.report), text_table(shown.report, unit))
        QApplication.clipboard().setMimeData(mime)
        self.copied.emit("Copied the table")


def _chosen(table: "Table", rows: list[int], columns: list[int]) -> "Table":
    return type(table)(
        tuple(table.columns[column] for column in columns),
        tuple(tuple(table.rows[row][column] for column in columns) for row in rows),
    )
