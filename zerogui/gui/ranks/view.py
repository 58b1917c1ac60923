"""The ranks view: what each rank holds at the selected stage, as stacked blocks with padding."""

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QToolTip, QVBoxLayout, QWidget

from zerogui.gui.canvas import Canvas
from zerogui.gui.chart.geometry import Fonts
from zerogui.gui.ranks.drawing import draw
from zerogui.gui.ranks.geometry import Picture, lay_out
from zerogui.gui.ranks.table import RankTable
from zerogui.gui.shown import Shown
from zerogui.gui.theme import GRID, Ink, Theme, scaled_font, text_scale
from zerogui.gui.widgets.caption import Caption
from zerogui.planning.edits import set_stage
from zerogui.planning.rank_blocks import RankBlocks, rank_blocks
from zerogui.planning.report import Report

TABLE_SHARE = 2.5  # times as wide as the table the view must be to hold it
PADDING_HINT = "Hatched grey is padding, drawn at least 3 pixels high."
WIDENED_HINT = "Blocks of few ranks are drawn wider than their share."


class RanksCanvas(Canvas):
    """Paints the picture; tells which block is pointed at or walked to."""

    def __init__(self) -> None:
        super().__init__("ranks-canvas", "Ranks chart")
        self.picture: Picture | None = None
        self._model: RankBlocks | None = None
        self._offered: tuple[int, ...] = ()
        self._chosen: int | None = None

    def show_model(self, model: RankBlocks, offered: tuple[int, ...]) -> None:
        """Show ``model``; the number keys choose among the stages ``offered``."""
        self._model, self._offered, self._chosen = model, offered, None
        self.setAccessibleDescription(" ".join((model.sentence, *model.remarks)))
        self.arrange()

    def lay_out_picture(self, area: QRectF, fonts: Fonts) -> None:
        """Canvas's hook."""
        model = self._model
        self.picture = None
        if model is not None and model.blocks:
            self.picture = lay_out(model, area, fonts)

    def draw_picture(self, painter: QPainter, fonts: Fonts, theme: Theme) -> bool:
        """Canvas's hook."""
        if self.picture is None:
            return False
        draw(painter, self.picture, fonts, theme, self._chosen)
        return True

    def wants_room(self) -> bool:
        """Canvas's hook."""
        return self._model is not None and bool(self._model.blocks)

    def choose(self, block: int) -> None:
        """Mark ``block`` (-1: none)."""
        self._chosen = block if block >= 0 else None
        self.update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Pointing at a block reads its ranks and exact bytes."""
        columns = self.picture.columns if self.picture is not None else ()
        place = event.position()
        found = next((k for k, column in enumerate(columns) if column.contains(place)), None)
        if found != self._chosen:
            self.choose(-1 if found is None else found)
        text = "" if found is None or self._model is None else self._model.blocks[found].exact()
        QToolTip.showText(event.globalPosition().toPoint(), text, self)
        event.accept()

    def leaveEvent(self, event: QEvent) -> None:
        """Nothing is pointed at any more."""
        self.choose(-1)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Left and Right, Home and End walk through the blocks; 0-3 choose the stage."""
        last = len(self._model.blocks) - 1 if self._model is not None else -1
        now = self._chosen
        target = {
            Qt.Key.Key_Left: last if now is None else max(now - 1, 0),
            Qt.Key.Key_Right: 0 if now is None else min(now + 1, last),
            Qt.Key.Key_Home: 0,
            Qt.Key.Key_End: last,
        }.get(Qt.Key(event.key()))
        if target is not None and last >= 0:
            self._walk_to(target)
        elif event.text() in ("0", "1", "2", "3"):
            if int(event.text()) in self._offered:
                self.edited.emit(set_stage(int(event.text())))
        else:
            super().keyPressEvent(event)

    def _walk_to(self, block: int) -> None:
        self.choose(block)
        if self.picture is None or self._model is None:
            return
        place = self.picture.columns[block].center().toPoint()
        QToolTip.showText(self.mapToGlobal(place), self._model.blocks[block].exact(), self)

    def position_of(self, block: int) -> QPointF:
        """Where in this widget the middle of ``block`` is."""
        assert self.picture is not None
        return self.picture.columns[block].center()


class RanksView(QWidget):
    """The most and the least loaded rank in words, the picture, and the table where it has room."""

    edited = Signal(object)  # Edit
    copied = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._known: tuple[Report, RankBlocks] | None = None
        self.axis_title = Caption(ink=Ink.MUTED, delta=-1, wrap=True)
        self.axis_title.setObjectName("ranks-axis")
        self.sentence = Caption(wrap=True)
        self.sentence.setObjectName("ranks-sentence")
        self.remarks = Caption(ink=Ink.MUTED, delta=-1, wrap=True)
        self.remarks.setObjectName("ranks-remarks")
        self.only = QToolButton()
        self.only.setObjectName("ranks-partitioned")
        self.only.setText("S&kip replicated")
        self.only.setToolTip(
            "Leave out what every rank holds whole, so that shares can be compared"
        )
        self.only.setAccessibleName("Skip replicated states")
        self.only.setCheckable(True)
        self.only.toggled.connect(self._switch)
        self.canvas = RanksCanvas()
        self.table = RankTable()
        self.canvas.edited.connect(self.edited)
        self.canvas.arranged.connect(self._remark)
        self.table.chosen.connect(self.canvas.choose)
        self.table.copied.connect(self.copied)
        row = QHBoxLayout()
        row.setSpacing(3 * GRID)
        row.addWidget(self.canvas, 1)
        row.addWidget(self.table)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GRID // 2)
        head = QHBoxLayout()
        head.addWidget(self.axis_title, 1)
        head.addWidget(self.only)
        column.addWidget(self.sentence)
        column.addLayout(head)
        column.addLayout(row, 1)
        column.addWidget(self.remarks)
        self.setFocusProxy(self.canvas)
        text_scale.changed.connect(self._fit)

    def display(self, shown: Shown) -> None:
        """Show ``shown``; what depends on scenario and unit alone is worked out once."""
        report = shown.report
        if self._known is not None:
            known = self._known[0]
            if known.scenario is report.scenario and known.unit == report.unit:
                return
        self._show(report)

    def _switch(self) -> None:
        if self._known is not None:
            self._show(self._known[0])

    def _show(self, report: Report) -> None:
        model = rank_blocks(report, self.only.isChecked())
        self._known = (report, model)
        offered = tuple(stage.stage for stage in report.offered)
        # Lines may break between words, never inside a number.
        self.sentence.setText(model.sentence)
        self.axis_title.setText(model.axis_title)
        self.only.setEnabled(model.partitions)
        self.only.setVisible(model.reason is None)
        self.table.display(model)
        self.canvas.show_model(model, offered)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Qt's hook: the table shows where it leaves the picture the larger part."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        self.only.setFont(scaled_font(-1))
        if self._known is None:
            return
        model = self._known[1]
        wanted = self.table.wanted_width()
        self.table.setFixedWidth(wanted)
        self.table.setVisible(bool(model.blocks) and self.width() >= TABLE_SHARE * wanted)
        self._remark()

    def _remark(self) -> None:
        """What the picture at its present size needs said."""
        if self._known is None:
            return
        model = self._known[1]
        remarks = list(model.remarks)
        if model.padded:
            remarks.append(PADDING_HINT)
        picture = self.canvas.picture
        if picture is not None and picture.widened:
            remarks.append(WIDENED_HINT)
        self.remarks.setText(" ".join(remarks))
        self.remarks.setVisible(bool(remarks))
