"""The Compare view: the present plan beside the pinned ones, in bars, figures and inputs."""

from collections.abc import Callable

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QAction, QContextMenuEvent, QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QButtonGroup,
    QHBoxLayout,
    QMenu,
    QPushButton,
    QSplitter,
    QStackedLayout,
    QVBoxLayout,
    QWidget,
)

from zerogui.accounting.errors import printable
from zerogui.gui.compare.chart import CompareChart
from zerogui.gui.compare.geometry import Place, margin_width, narrowest
from zerogui.gui.compare.legend import Legend
from zerogui.gui.compare.table import CompareTable
from zerogui.gui.inputs.stage_choice import Segment
from zerogui.gui.shown import Shown
from zerogui.gui.theme import GRID, Ink, text_scale
from zerogui.gui.widgets.caption import Caption
from zerogui.planning.comparison import Column, Comparer, Comparison, Stages
from zerogui.planning.edits import replace_all, set_stage
from zerogui.planning.pins import (
    PinBoard,
    Pins,
    PinStep,
    baseline_step,
    move_step,
    pin_step,
    remove_step,
    rename_step,
)
from zerogui.planning.resolve import LABELS

EMPTY = (
    "Pin the present plan (Ctrl+D), then change an input: both stand side by side here,"
    " with the differences in bytes, the factors, and exactly which inputs differ."
)


class CompareView(QWidget):
    """Shows ``board``'s pins; what the user does with them goes out as ``pins_changed``."""

    edited = Signal(object)  # Edit
    pins_changed = Signal(object)  # PinStep
    copied = Signal(str)  # what was copied, in words
    shared = Signal()  # the user has moved the border between bars and table

    def __init__(self, board: PinBoard) -> None:
        super().__init__()
        self._board = board
        self._comparer = Comparer()
        self._shown: Shown | None = None
        self._comparison: Comparison | None = None
        self._stages = Stages.OWN
        self._selected = 0
        self.table_height = 0  # px that the user has chosen, 0 for what it needs
        self.setObjectName("compare")
        self.setAccessibleName("Compare")
        self.chart, self.table, self.legend = CompareChart(), CompareTable(), Legend()
        self._build()
        self._connect()
        board.listen(self._pins_taken)

    def _build(self) -> None:
        self._pages = QStackedLayout(self)
        self._pages.addWidget(self._empty_page())
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GRID // 2)
        top = QHBoxLayout()
        top.setSpacing(2 * GRID)
        top.addWidget(self._stage_buttons())
        top.addWidget(self.legend, 1)
        column.addLayout(top)
        self._splitter = QSplitter(Qt.Orientation.Vertical)
        self._splitter.setObjectName("compare-split")
        self._splitter.setChildrenCollapsible(False)
        self._splitter.setHandleWidth(3)
        self._splitter.addWidget(self.chart)
        self._splitter.addWidget(self.table)
        self._splitter.setStretchFactor(0, 1)
        self._splitter.setStretchFactor(1, 1)
        column.addWidget(self._splitter, 1)
        self._pages.addWidget(page)

    def _empty_page(self) -> QWidget:
        page = QWidget()
        column = QVBoxLayout(page)
        column.setSpacing(GRID)
        title = Caption("Nothing is pinned yet", delta=4, bold=True)
        self._hint = Caption(EMPTY, ink=Ink.MUTED, wrap=True)
        self._hint.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.pin_button = QPushButton("&Keep this plan as a pin")
        self.pin_button.setObjectName("pin-first")
        self.pin_button.setToolTip("Keep the present plan here under a name (Ctrl+D)")
        column.addStretch(1)
        column.addWidget(title, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addWidget(self._hint)
        column.addWidget(self.pin_button, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(2)
        return page

    def _stage_buttons(self) -> QWidget:
        """Which stages: each plan's own, the present plan's, or all four."""
        box = QWidget()
        row = QHBoxLayout(box)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        self._group = QButtonGroup(self)
        texts = (
            (Stages.OWN, "Own stage", "Every plan at the stage that it chooses"),
            (Stages.CHOSEN, LABELS[0], "Every plan at the stage under discussion"),
            (Stages.ALL, "All stages", "Every plan at all four stages"),
        )
        for place, (stages, text, tip) in enumerate(texts):
            button = Segment(text, place - 1)
            button.setObjectName(f"compare-{stages.value}")
            button.setToolTip(tip)
            button.setAccessibleName(tip)
            self._group.addButton(button, place)
            row.addWidget(button)
        self._group.button(0).setChecked(True)
        return box

    def _connect(self) -> None:
        self._group.idClicked.connect(self._choose_stages)
        self.pin_button.clicked.connect(lambda: self.pin_present())
        self.table.arranged.connect(self._place_chart)
        self.table.chosen.connect(self._choose)
        self.table.copied.connect(self.copied)
        self.chart.pressed.connect(self._choose_by_bar)
        self.chart.double_clicked.connect(self.table.names.edit_name)
        names = self.table.names
        names.renamed.connect(self._rename)
        names.moved.connect(self._move)
        names.baseline_chosen.connect(self._compare_with)
        text_scale.changed.connect(self._render)
        self._splitter.splitterMoved.connect(self._keep_shares)

    # Showing

    def display(self, shown: Shown, pins: Pins | None = None) -> None:
        """Show ``shown`` beside the board's pins, or beside ``pins``, which the board takes."""
        self._shown = shown
        if pins is not None:
            self._board.take(pins)
        self._render()

    def _pins_taken(self, pins: Pins) -> None:
        if self.isVisible():
            self._render()

    @property
    def comparison(self) -> Comparison | None:
        """What is shown at the moment."""
        return self._comparison

    def _render(self) -> None:
        shown = self._shown
        if shown is None:
            return
        pins = self._board.pins
        self._pages.setCurrentIndex(1 if pins.items else 0)
        if not pins.items:
            self._comparison, self._selected = None, 0
            self.setAccessibleDescription(EMPTY)
            return
        found = self._comparison = self._comparer.compare(
            shown.report, pins, self._stages, shown.exact_bytes
        )
        self._selected = min(self._selected, len(found.columns) - 1)
        self.setAccessibleDescription(found.description)
        chosen = self._group.button(1)
        label = shown.report.selected.label
        if chosen.text() != label:
            chosen.setText(label)
            chosen.updateGeometry()
        self.legend.show_entries(found.legend)
        fonts = self.chart.fonts
        self.table.show_comparison(found, self._selected, narrowest(found, fonts))
        self.table.set_margin(self._margin(found))
        self._share()
        self._place_chart()

    def _share(self) -> None:
        """The table gets what it needs, up to half; the bars the rest, until the user decides."""
        height = self._splitter.height() - self._splitter.handleWidth()
        if height <= 0:
            return
        wanted = min(self.table.wanted_height(), height * 11 // 20)
        if self.table_height:
            least = self.table.minimumSizeHint().height()
            most = height - self.chart.minimumSizeHint().height()
            wanted = min(max(self.table_height, least), max(most, least))
        if self._splitter.sizes() != [height - wanted, wanted]:
            self._splitter.setSizes([height - wanted, wanted])

    def _keep_shares(self) -> None:
        self.table_height = self._splitter.sizes()[1]
        self.shared.emit()

    def choose_height(self, height: int) -> None:
        """Make the table ``height`` px high, where there is room; 0 for what it needs."""
        self.table_height = height
        self._share()

    def _margin(self, found: Comparison) -> int:
        """Left of all columns: labels of rows, and axis and devices of the chart."""
        wanted = max(self.table.labels.wanted_width(), int(margin_width(found, self.chart.fonts)))
        return min(wanted, int(self.width() * 0.36))

    def _place_chart(self) -> None:
        """The bars in sight, where the table's columns are."""
        found = self._comparison
        if found is None or len(found.columns) != self.table.names.count():
            return
        names, left = self.table.names, self.table.labels.width()
        right = self.table.viewport().width()
        first = max(names.logicalIndexAt(0), 0)
        places = []
        for column in range(first, len(found.columns)):
            x = names.sectionViewportPosition(column)
            if x >= right:
                break
            places.append(Place(column, left + x, names.sectionSize(column)))
        self.chart.show_columns(found, places, left, left + right, self._selected)

    def resizeEvent(self, event: object) -> None:
        """Qt's hook: the margin is a part of the width."""
        if self._comparison is not None:
            self.table.set_margin(self._margin(self._comparison))
            self._share()

    def minimumSizeHint(self) -> QSize:
        """Bars, names and totals."""
        line = self.fontMetrics().height()
        return QSize(14 * line, 15 * line)

    # Choosing

    def walk_plans(self, step: int) -> bool:
        """Choose the next (1) or previous (-1) plan; False where there is none to compare."""
        found = self._comparison
        if found is None:
            return False
        self._choose(min(max(self._selected + step, 0), len(found.columns) - 1))
        return True

    def _choose(self, column: int) -> None:
        self._selected = column
        self._refresh_selection()

    def _choose_by_bar(self, column: int) -> None:
        self.table.setFocus(Qt.FocusReason.MouseFocusReason)
        self._choose(column)

    def _refresh_selection(self) -> None:
        found = self._comparison
        if found is not None:
            self.table.show_comparison(found, self._selected, self.table.least_width)
            self.table.viewport().update()
            self._place_chart()

    def _choose_stages(self, place: int) -> None:
        self._stages = tuple(Stages)[place]
        self._render()

    def _column(self) -> Column | None:
        found = self._comparison
        return None if found is None else found.columns[self._selected]

    # What the user does with pins

    def pin_present(self) -> None:
        """Keep the present plan."""
        if self._shown is not None:
            self._change(pin_step(self._board.pins, self._shown.report.scenario))

    def _change(self, step: PinStep) -> None:
        if step.pins != self._board.pins:
            self.pins_changed.emit(step)

    def _rename(self, column: int, text: str) -> None:
        self.table.setFocus(Qt.FocusReason.OtherFocusReason)
        if text.strip():
            self._change(rename_step(self._board.pins, column - 1, text))

    def _move(self, column: int, to: int) -> None:
        """Put the pin of ``column`` where ``to`` stands; it stays the chosen one."""
        pins = self._board.pins
        to = min(max(to, 1), len(pins.items))
        if column > 0 and to != column:
            self._selected = to
            self._change(move_step(pins, column - 1, to - 1))

    def _remove(self) -> None:
        column = self._column()
        if column is not None and column.pin is not None:
            self._change(remove_step(self._board.pins, column.pin))

    def _compare_with(self, column: int) -> None:
        self._change(baseline_step(self._board.pins, column - 1 if column else None))

    def _use(self) -> None:
        """Make the chosen pin the present plan."""
        column = self._column()
        if column is not None and column.pin is not None:
            pin = self._board.pins.items[column.pin]
            self.edited.emit(replace_all(pin.scenario, f"Go to pin “{printable(pin.name, 40)}”"))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """F2, Delete, Alt with arrows, B, Return; number keys choose the stage."""
        alt = bool(event.modifiers() & Qt.KeyboardModifier.AltModifier)
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()), 0)
        if alt and step:
            self._move(self._selected, self._selected + step)
        elif event.text() in ("0", "1", "2", "3") and event.text():
            self.edited.emit(set_stage(int(event.text())))
        elif (deed := self._deeds().get(Qt.Key(event.key()))) is not None:
            deed()
        else:
            super().keyPressEvent(event)

    def _deeds(self) -> dict[Qt.Key, Callable[[], None]]:
        def rename() -> None:
            self.table.names.edit_name(self._selected)

        def compare() -> None:
            self._compare_with(self._selected)

        return {
            Qt.Key.Key_F2: rename,
            Qt.Key.Key_Delete: self._remove,
            Qt.Key.Key_Backspace: self._remove,
            Qt.Key.Key_B: compare,
            Qt.Key.Key_Return: self._use,
            Qt.Key.Key_Enter: self._use,
        }

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """What can be done with the plan under the pointer."""
        if self._comparison is None:
            return
        x = self.table.names.viewport().mapFromGlobal(event.globalPos()).x()
        column = self.table.names.logicalIndexAt(QPoint(x, 0))
        if column >= 0:
            self._choose(column)
            self.menu().popup(event.globalPos())

    def menu(self) -> QMenu:
        """The deeds for the chosen plan, with their keys."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        column = self._column()
        is_pin = column is not None and column.pin is not None
        place, last = self._selected, len(self._board.pins.items)
        deeds = self._deeds()
        for text, keys, deed, possible in (
            ("&Use as the present plan", "Return", deeds[Qt.Key.Key_Return], is_pin),
            ("&Compare with it", "B", deeds[Qt.Key.Key_B], True),
            ("&Rename…", "F2", deeds[Qt.Key.Key_F2], is_pin),
            ("Move &left", "Alt+Left", lambda: self._move(place, place - 1), place > 1),
            ("Move ri&ght", "Alt+Right", lambda: self._move(place, place + 1), 0 < place < last),
            ("Re&move", "Delete", deeds[Qt.Key.Key_Delete], is_pin),
        ):
            action = QAction(text, menu)
            action.setShortcut(QKeySequence(keys))
            action.setShortcutVisibleInContextMenu(True)
            # Shown only: the keys themselves are the view's, and would be ambiguous.
            action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
            action.setEnabled(possible)
            action.triggered.connect(lambda _=False, deed=deed: deed())
            menu.addAction(action)
        return menu
