"""The scaling view: bytes against workers as lines; pointing reads exact values, clicks choose."""

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QToolTip, QVBoxLayout, QWidget

from zerogui.accounting.scenario import Scenario
from zerogui.gui.canvas import Canvas
from zerogui.gui.chart.geometry import Fonts
from zerogui.gui.scaling.drawing import draw
from zerogui.gui.scaling.geometry import Picture
from zerogui.gui.scaling.layout import lay_out
from zerogui.gui.shown import Shown
from zerogui.gui.theme import GRID, Ink, Theme, scaled_font, text_scale
from zerogui.gui.widgets.caption import Caption
from zerogui.planning.edits import set_stage, set_workers
from zerogui.planning.scaling import ScalingModel, scaling_model

HINT = "Filled marks fit, hollow ones do not. Click or Left and Right change N."
NO_DEVICE_HINT = "Click or Left and Right change N."


class ScalingCanvas(Canvas):
    """Paints the picture; emits the edit that a click or a key asks for."""

    def __init__(self) -> None:
        super().__init__("scaling-canvas", "Scaling chart")
        self.picture: Picture | None = None
        self._model: ScalingModel | None = None
        self._log = False
        self._hovered: int | None = None

    def show_model(self, model: ScalingModel, log: bool) -> None:
        """Show ``model``, its bytes on a logarithmic axis if ``log``."""
        self._model, self._log, self._hovered = model, log, None
        self.setAccessibleDescription(model.description)
        self.arrange()

    def lay_out_picture(self, area: QRectF, fonts: Fonts) -> None:
        """Canvas's hook."""
        model = self._model
        self.picture = None if model is None else lay_out(model, area, fonts, self._log)

    def draw_picture(self, painter: QPainter, fonts: Fonts, theme: Theme) -> bool:
        """Canvas's hook."""
        if self.picture is None:
            return False
        draw(painter, self.picture, fonts, theme, self._hovered)
        return True

    def wants_room(self) -> bool:
        """Canvas's hook."""
        return self._model is not None

    def position_of(self, workers: int) -> QPointF:
        """Where in this widget the column of ``workers`` meets the middle of the plot."""
        assert self.picture is not None
        assert self._model is not None
        x = self.picture.columns[self._model.workers.index(workers)]
        return QPointF(x, self.picture.plot.center().y())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Pointing into the plot reads the nearest N; a stage's name can be clicked."""
        place = event.position()
        hovered = self._column_at(place)
        if hovered != self._hovered:
            self._hovered = hovered
            self.update()
        at_name = self._stage_at(place) is not None
        shape = Qt.CursorShape.PointingHandCursor if at_name else Qt.CursorShape.ArrowCursor
        self.setCursor(shape)
        text = self._model.exact_at(hovered) if self._model and hovered is not None else ""
        QToolTip.showText(event.globalPosition().toPoint(), text, self)
        event.accept()

    def leaveEvent(self, event: QEvent) -> None:
        """Nothing is pointed at any more."""
        self._hovered = None
        self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A click in the plot chooses the nearest N, a click on a name its stage."""
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        if event.button() == Qt.MouseButton.LeftButton and self._model is not None:
            stage, column = self._stage_at(event.position()), self._column_at(event.position())
            if stage is not None:
                self._choose_stage(stage)
            elif column is not None:
                self._choose_workers(self._model.workers[column])
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Left and Right go to the next N shown, Home and End to the first and last; 0-3: stage."""
        model = self._model
        if model is None:
            super().keyPressEvent(event)
            return
        now, last = model.workers.index(model.current), len(model.workers) - 1
        target = {
            Qt.Key.Key_Left: max(now - 1, 0),
            Qt.Key.Key_Right: min(now + 1, last),
            Qt.Key.Key_Home: 0,
            Qt.Key.Key_End: last,
        }.get(Qt.Key(event.key()))
        if target is not None:
            self._choose_workers(model.workers[target])
        elif event.text() in ("0", "1", "2", "3"):
            self._choose_stage(int(event.text()))
        else:
            super().keyPressEvent(event)

    def _column_at(self, place: QPointF) -> int | None:
        picture = self.picture
        if picture is None or not picture.plot.adjusted(-12, 0, 12, 24).contains(place):
            return None
        return picture.nearest(place.x())

    def _stage_at(self, place: QPointF) -> int | None:
        labels = self.picture.labels if self.picture is not None else ()
        return next((label.stage for label in labels if label.rect.contains(place)), None)

    def _choose_workers(self, workers: int) -> None:
        if self._model is not None and workers != self._model.current:
            self.edited.emit(set_workers(workers))

    def _choose_stage(self, stage: int) -> None:
        lines = self._model.lines if self._model is not None else ()
        if any(line.stage == stage and not line.selected for line in lines):
            self.edited.emit(set_stage(stage))


class ScalingView(QWidget):
    """The picture under its axis title, with the switch for a logarithmic axis."""

    edited = Signal(object)  # Edit

    def __init__(self) -> None:
        super().__init__()
        self._known: tuple[Scenario, str, ScalingModel] | None = None
        self.axis_title = Caption(ink=Ink.MUTED, delta=-1, wrap=True)
        self.axis_title.setObjectName("scaling-axis")
        self.remarks = Caption(ink=Ink.MUTED, delta=-1, wrap=True)
        self.remarks.setObjectName("scaling-remarks")
        self.log = QToolButton()
        self.log.setObjectName("scaling-log")
        self.log.setText("Log a&xis")
        self.log.setToolTip("Show bytes on a logarithmic axis, so that small shares can be read")
        self.log.setAccessibleName("Logarithmic byte axis")
        self.log.setCheckable(True)
        self.log.setAutoRaise(False)
        self.canvas = ScalingCanvas()
        self.canvas.edited.connect(self.edited)
        self.canvas.arranged.connect(self._remark)
        self.log.toggled.connect(self._show)
        head = QHBoxLayout()
        head.addWidget(self.axis_title, 1)
        head.addWidget(self.log)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GRID // 2)
        column.addLayout(head)
        column.addWidget(self.canvas, 1)
        column.addWidget(self.remarks)
        self.setFocusProxy(self.canvas)
        self._fit_font()
        text_scale.changed.connect(self._fit_font)

    def display(self, shown: Shown) -> None:
        """Show ``shown``; what depends on the scenario alone is worked out once."""
        report = shown.report
        known = self._known
        if known is None or known[0] is not report.scenario or known[1] != report.unit:
            self._known = (report.scenario, report.unit, scaling_model(report))
        self._show()

    def _show(self) -> None:
        if self._known is None:
            return
        model = self._known[2]
        self.axis_title.setText(model.axis_title)
        self.canvas.show_model(model, self.log.isChecked())

    def _remark(self) -> None:
        """What found no room in the picture is said below it."""
        if self._known is None:
            return
        model, picture = self._known[2], self.canvas.picture
        unsaid = [
            f"{crossing.text}."
            for crossing in model.crossings
            if picture is None or not picture.says(crossing.text)
        ]
        hint = NO_DEVICE_HINT if model.device is None else HINT
        text = " ".join((*unsaid, *model.remarks, hint))
        self.remarks.setText(text)

    def _fit_font(self) -> None:
        self.log.setFont(scaled_font(-1))
