"""The model browser: the catalogue's models with family and exact count, searched as you type."""

from PySide6.QtCore import QModelIndex, QSize, QSortFilterProxyModel, Qt, Signal
from PySide6.QtGui import QKeyEvent, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QDialogButtonBox,
    QHeaderView,
    QLineEdit,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from zerogui.accounting.model import Model
from zerogui.catalog import ModelEntry, models
from zerogui.gui.dialogs.standard_buttons import word_buttons
from zerogui.gui.theme import GRID, Ink, font_scale
from zerogui.gui.widgets.caption import Caption
from zerogui.planning.edits import choose_model
from zerogui.planning.quantities import group_digits

COLUMNS = ("Model", "Family", "Parameters")
_WORDS = Qt.ItemDataRole.UserRole + 1
_COUNT = Qt.ItemDataRole.UserRole + 2


class ModelBrowser(QDialog):
    """Type to search, Return or a double click takes the model; ``edited`` carries the Edit."""

    edited = Signal(object)  # Edit

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Browse models")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.search = QLineEdit()
        self.search.setObjectName("model-search")
        self.search.setPlaceholderText("Search by name or family")
        self.search.setAccessibleName("Search models")
        self.search.setToolTip("Every letter narrows the list; ↑ and ↓ walk through it")
        self.search.setClearButtonEnabled(True)
        label = Caption("&Search")
        label.setBuddy(self.search)
        self._entries = models()
        self._filter = QSortFilterProxyModel(self)
        self._filter.setSourceModel(_listed(self._entries, self))
        self._filter.setFilterRole(_WORDS)
        self._filter.setFilterCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self._filter.setSortRole(_COUNT)
        self.table = _table(self._filter)
        buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel
        )
        word_buttons(buttons)
        self._take_button = buttons.button(QDialogButtonBox.StandardButton.Ok)
        self.none = Caption("No model has a name or family like that.", ink=Ink.MUTED)
        column = QVBoxLayout(self)
        column.setContentsMargins(2 * GRID, 2 * GRID, 2 * GRID, 2 * GRID)
        column.setSpacing(GRID)
        for widget in (label, self.search, self.table, self.none, buttons):
            column.addWidget(widget)
        self.search.textChanged.connect(self._narrow)
        self.search.returnPressed.connect(self.accept)
        self.table.doubleClicked.connect(self._take)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        wanted = QSize(round(560 * font_scale()), round(520 * font_scale()))
        self.resize(wanted if parent is None else wanted.boundedTo(parent.window().size()))
        self._narrow("")

    def accept(self) -> None:
        """Take the row that is chosen; with none there is nothing to take."""
        index = self.table.currentIndex()
        if index.isValid():
            self._take(index)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Down and Up walk through the list while typing in the search field."""
        step = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}.get(Qt.Key(event.key()), 0)
        if step:
            row = self.table.currentIndex().row() + step
            self.table.selectRow(min(max(row, 0), self._filter.rowCount() - 1))
        else:
            super().keyPressEvent(event)

    def _narrow(self, text: str) -> None:
        self._filter.setFilterFixedString(text.strip())
        found = self._filter.rowCount()
        self._take_button.setEnabled(bool(found))
        self.none.setVisible(not found)
        if found:
            self.table.selectRow(0)

    def _take(self, index: QModelIndex) -> None:
        entry = self._entries[self._filter.mapToSource(index).row()]
        self.edited.emit(choose_model(Model(entry.name, entry.parameters)))
        super().accept()


def _listed(entries: tuple[ModelEntry, ...], parent: QWidget) -> QStandardItemModel:
    listed = QStandardItemModel(len(entries), len(COLUMNS), parent)
    listed.setHorizontalHeaderLabels(list(COLUMNS))
    right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
    listed.setHeaderData(2, Qt.Orientation.Horizontal, right, Qt.ItemDataRole.TextAlignmentRole)
    for row, entry in enumerate(entries):
        texts = (entry.name, entry.family, group_digits(entry.parameters))
        words = " ".join((entry.name, entry.family, *entry.aliases))
        for column, text in enumerate(texts):
            item = QStandardItem(text)
            item.setEditable(False)
            item.setData(words, _WORDS)
            # Counts exceed 32 bits; as text with leading zeros they sort as numbers do.
            item.setData(f"{entry.parameters:020d}" if column == 2 else text, _COUNT)
            item.setToolTip(entry.source)
            if column == 2:
                item.setTextAlignment(right)
            listed.setItem(row, column, item)
    return listed


def _table(shown: QSortFilterProxyModel) -> QTableView:
    table = QTableView()
    table.setObjectName("model-list")
    table.setAccessibleName("Models")
    table.setToolTip("Return or a double click takes the model")
    table.setModel(shown)
    table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
    table.setShowGrid(False)
    table.setSortingEnabled(True)
    table.sortByColumn(-1, Qt.SortOrder.AscendingOrder)
    table.setTabKeyNavigation(False)
    table.verticalHeader().hide()
    table.verticalHeader().setDefaultSectionSize(table.fontMetrics().height() + 10)
    header = table.horizontalHeader()
    header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
    header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
    header.setHighlightSections(False)
    header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
    return table
