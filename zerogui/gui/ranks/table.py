"""The table beside the ranks picture: one row a block, with exact bytes."""

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QHeaderView,
    QSizePolicy,
    QTableWidget,
    QTableWidgetItem,
)

from zerogui.gui.clipboard import table_mime
from zerogui.gui.theme import scaled_font, text_scale
from zerogui.gui.widgets.focus_ring import FocusRing
from zerogui.planning.quantities import group_digits
from zerogui.planning.rank_blocks import RankBlocks, block_table, span_text

HEADINGS = ("Ranks", "Bytes each", "Padding")
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class RankTable(QTableWidget):
    """Rows follow the blocks; choosing a row tells which block is meant, Ctrl+C copies them all."""

    chosen = Signal(int)
    copied = Signal(str)

    def __init__(self) -> None:
        super().__init__(0, len(HEADINGS))
        self._model: RankBlocks | None = None
        self.setObjectName("ranks-table")
        self.setAccessibleName("Ranks table")
        self.setToolTip("One row for every block of equal ranks; Ctrl+C copies them all")
        self.setHorizontalHeaderLabels(list(HEADINGS))
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setFrameShape(self.Shape.NoFrame)
        FocusRing(self)
        self.viewport().setAutoFillBackground(False)  # rows on the view's own ground
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
        self.verticalHeader().hide()
        header = self.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setHighlightSections(False)
        header.setSectionsClickable(False)
        header.setDefaultAlignment(_RIGHT)
        self.currentCellChanged.connect(lambda row, *_: self.chosen.emit(row))
        text_scale.changed.connect(self._fit)
        self._fit()

    def display(self, model: RankBlocks) -> None:
        """Show the blocks of ``model``; no row is chosen."""
        self._model = model
        self.blockSignals(True)
        self.setRowCount(len(model.blocks))
        for row, block in enumerate(model.blocks):
            texts = (
                block.ranks_text.partition(" ")[2],
                span_text(block.least.total, block.most.total),
                span_text(*block.padding) if block.padding[1] else "–",
            )
            for column, text in enumerate(texts):
                item = QTableWidgetItem(f"  {text}")
                item.setTextAlignment(_RIGHT)
                self.setItem(row, column, item)
        self.setCurrentCell(-1, -1)
        self.clearSelection()
        self.blockSignals(False)
        self.setAccessibleDescription(model.sentence)
        self.updateGeometry()

    def wanted_width(self) -> int:
        """Pixels that all columns and the scroll bar take."""
        columns = range(self.columnCount())
        header = self.horizontalHeader()
        widths = [max(self.sizeHintForColumn(c), header.sectionSizeHint(c)) for c in columns]
        return sum(widths) + self.verticalScrollBar().sizeHint().width() + 8

    def sizeHint(self) -> QSize:
        """As wide as the texts."""
        return QSize(self.wanted_width(), 120)

    def _fit(self) -> None:
        font = scaled_font(-1)
        self.setFont(font)
        self.horizontalHeader().setFont(font)
        height = self.fontMetrics().height() + 8
        self.verticalHeader().setMinimumSectionSize(height)
        self.verticalHeader().setDefaultSectionSize(height)
        self.updateGeometry()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Ctrl+C copies the whole table: integers for spreadsheets, digits grouped for reading."""
        if self._model is not None and event.matches(QKeySequence.StandardKey.Copy):
            exact = block_table(self._model)
            rows = tuple(
                tuple(group_digits(cell) if isinstance(cell, int) else cell for cell in row)
                for row in exact.rows
            )
            shown = type(exact)(exact.columns, rows)
            QApplication.clipboard().setMimeData(table_mime(exact, shown))
            self.copied.emit("Copied the table of ranks")
        else:
            super().keyPressEvent(event)
