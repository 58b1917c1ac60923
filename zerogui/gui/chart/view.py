"""The stage chart as a view: a pyqtgraph plot whose one item draws all bars and labels."""

import os

os.environ["PYQTGRAPH_QT_LIB"] = "PySide6"  # else a stray other Qt wins

import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter
from PySide6.QtWidgets import QToolTip, QWidget

from zerogui.gui.chart.choosing import Choice, find, walk
from zerogui.gui.chart.drawing import draw
from zerogui.gui.chart.fitting import axis_width, fitted_fonts
from zerogui.gui.chart.geometry import Fonts, HitArea, Picture, frame, lay_out, visible_ticks
from zerogui.gui.hatching import hatching
from zerogui.gui.shown import Shown
from zerogui.gui.theme import Theme, scaled_font, text_scale, theme_of
from zerogui.gui.widgets.focus_ring import FocusRing
from zerogui.gui.widgets.plain_text import tip
from zerogui.planning.chart import ChartModel, chart_model
from zerogui.planning.edits import set_stage
from zerogui.planning.quantities import UNITS
from zerogui.planning.report import Report
from zerogui.planning.walking import next_stage


class StageItem(pg.GraphicsObject):  # type: ignore[misc]  # pyqtgraph has no types
    """Paints the laid-out chart in the pixels of its view box."""

    def __init__(self) -> None:
        super().__init__()
        self.picture: Picture | None = None
        self.fonts: Fonts | None = None
        self.theme: Theme | None = None
        self.area = QRectF()

    def boundingRect(self) -> QRectF:
        """The visible range; the plot's range never follows its items."""
        box = self.getViewBox()
        return QRectF(box.viewRect()) if box is not None else QRectF()

    def viewTransformChanged(self) -> None:
        """The bounding rectangle is the view's own."""
        self.prepareGeometryChange()

    def paint(self, painter: QPainter, *_: object) -> None:
        """Pixels are what labels and hairlines live in, so the data transform is undone."""
        if self.picture is None or self.fonts is None or self.theme is None:
            return
        corner = painter.transform().mapRect(self.boundingRect()).topLeft()
        painter.save()
        painter.resetTransform()
        painter.translate(corner)
        draw(painter, self.picture, self.fonts, self.theme)
        painter.restore()


class StageChart(pg.PlotWidget):  # type: ignore[misc]  # pyqtgraph has no types
    """Four stacked bars; clicks and keys choose the stage under discussion, and a segment of it.

    ``explained`` carries the formula of the chosen segment, an empty text where there is none.
    """

    edited = Signal(object)  # Edit
    explained = Signal(str)
    _ready = False
    _axis_width = -1

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, background=None, enableMenu=False)
        self._model: ChartModel | None = None
        self._report: Report | None = None
        self._choice: Choice | None = None
        self._item = StageItem()
        self._scale: tuple[object, float, float] | None = None
        self._axis_title = ""
        plot = self.getPlotItem()
        plot.hideAxis("bottom")
        plot.hideButtons()
        plot.setMenuEnabled(False)
        plot.setMouseEnabled(False, False)
        plot.setContentsMargins(0, 0, 0, 0)
        box = plot.getViewBox()
        box.setDefaultPadding(0)
        box.disableAutoRange()
        box.addItem(self._item, ignoreBounds=True)
        box.sigResized.connect(self._arrange)
        axis = plot.getAxis("left")
        axis.enableAutoSIPrefix(False)
        axis.setStyle(tickLength=0, hideOverlappingLabels=False)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setFrameShape(self.Shape.NoFrame)
        self.setObjectName("stage-chart")
        self.setAccessibleName("Stage chart")
        FocusRing(self)
        self._ready = True
        text_scale.changed.connect(self._apply_look)
        hatching.changed.connect(self.viewport().update)
        self._apply_look()

    @property
    def fonts(self) -> Fonts | None:
        """The type that labels are set in at the moment."""
        return self._item.fonts

    @property
    def picture(self) -> Picture | None:
        """What is drawn at the moment."""
        return self._item.picture

    def display(self, shown: Shown) -> None:
        """Show the chart of ``shown``: values and labels change, no item is made anew."""
        self._report = shown.report
        model = self._model = chart_model(shown.report)
        self.setAccessibleDescription(model.description)
        if model.axis_title != self._axis_title:
            self._axis_title = model.axis_title
            self.getPlotItem().getAxis("left").setLabel(model.axis_title)
        self._arrange()
        self._explain()

    def _arrange(self, *_: object) -> None:
        """Lay out for the size at hand, and set the range that puts the axis beside it."""
        model = self._model
        box = self.getPlotItem().getViewBox()
        if model is None or box.height() < 50:
            return
        fonts = self._fit_type(model)
        area = QRectF(0, 0, box.width(), box.height())
        placed = frame(model, area, fonts)
        picture = lay_out(model, area, fonts)
        chosen = find(model, self._choice)
        outlines = [
            hit.rect for hit in picture.hits if chosen is not None and hit.segment is chosen
        ]
        self._item.picture = picture._replace(outline=outlines[0] if outlines else None)
        per_pixel = model.top / UNITS[model.unit] / max(placed.plot.height(), 1.0)
        low = -(area.bottom() - placed.plot.bottom()) * per_pixel
        high = (placed.plot.bottom() - area.top()) * per_pixel
        scale = (visible_ticks(model, placed, fonts), low, high)
        if scale != self._scale:
            # The axis draws itself anew, which costs more than all bars.
            self._scale = scale
            self.getPlotItem().getAxis("left").setTicks([list(scale[0])])
            box.setRange(xRange=(0, 1), yRange=(low, high), padding=0, update=True)
        self._item.update()

    def _fit_type(self, model: ChartModel) -> Fonts:
        """Type that leaves every label its room, and an axis as wide as it needs in that type."""
        room = self.getPlotItem().size()
        fonts = fitted_fonts(model, room.width(), room.height(), scaled_font())
        axis = self.getPlotItem().getAxis("left")
        if self._item.fonts is None or fonts.small != self._item.fonts.small:
            axis.setTickFont(fonts.small)
            axis.label.setFont(fonts.small)
        self._item.fonts = fonts
        width = round(axis_width(model, fonts))
        if width != self._axis_width:
            # The plot beside it gets its new size now, not when the event loop comes to it.
            self._axis_width = width
            axis.setWidth(width)
            self.getPlotItem().layout.activate()
        return fonts

    def _apply_look(self) -> None:
        """Colours of the palette and type of the application: pyqtgraph follows neither."""
        theme = theme_of(self.palette())
        self._item.theme = theme
        axis = self.getPlotItem().getAxis("left")
        axis.setPen(pg.mkPen(None))
        axis.setTextPen(theme.muted)
        self._arrange()
        # The background is cached, and would keep the old theme's colour.
        self.resetCachedContent()
        self.viewport().update()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the theme and the text size."""
        super().changeEvent(event)
        looks = (QEvent.Type.PaletteChange, QEvent.Type.FontChange)
        if self._ready and event.type() in looks:
            self._apply_look()

    def _hit(self, position: QPointF) -> HitArea | None:
        """The segment, else the stage, under a point of the widget."""
        picture = self._item.picture
        if picture is None:
            return None
        box = self.getPlotItem().getViewBox()
        inside = box.mapFromScene(self.mapToScene(position.toPoint()))
        found = [hit for hit in picture.hits if hit.rect.contains(inside)]
        return found[-1] if found else None

    def stage_position(self, stage: int) -> QPointF:
        """Where, in this widget, the middle of a stage's column is."""
        picture = self._item.picture
        assert picture is not None
        rect = next(hit.rect for hit in picture.hits if hit.stage == stage)
        box = self.getPlotItem().getViewBox()
        return QPointF(self.mapFromScene(box.mapToScene(rect.center())))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A click on a column chooses its stage, and the segment that it meets."""
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        hit = self._hit(event.position())
        if event.button() == Qt.MouseButton.LeftButton and hit is not None:
            segment = hit.segment
            self._choose(hit.stage, Choice.of(hit.stage, segment) if segment else None)
        event.accept()

    def viewportEvent(self, event: QEvent) -> bool:
        """Qt would clear the tooltip of a resting pointer, since no item has one of its own."""
        if event.type() == QEvent.Type.ToolTip:
            return True
        return bool(super().viewportEvent(event))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Hovering a segment shows its formula."""
        hit = self._hit(event.position())
        text = self._tip(hit) if hit is not None else ""
        QToolTip.showText(event.globalPosition().toPoint(), tip(text), self)
        event.accept()

    def _tip(self, hit: HitArea) -> str:
        if hit.segment is not None:
            return hit.segment.formula
        bars = self._model.bars if self._model is not None else ()
        reasons = [bar.reason for bar in bars if bar.stage == hit.stage]
        return f"Not offered: {reasons[0]}" if reasons and reasons[0] else ""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Left, Right and numbers choose a stage, Up and Down a segment of it; Esc leaves that."""
        if not self._take_key(Qt.Key(event.key()), event.text()):
            super().keyPressEvent(event)

    def _take_key(self, key: Qt.Key, text: str) -> bool:
        model, report = self._model, self._report
        if model is None or report is None:
            return False
        if key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            edit = next_stage(report, -1 if key == Qt.Key.Key_Left else 1)
            if edit is not None:
                self.edited.emit(edit)
        elif key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self._discuss(walk(model, self._choice, 1 if key == Qt.Key.Key_Up else -1))
        elif key == Qt.Key.Key_Escape and self._choice is not None:
            self._discuss(None)
        elif text and text in "0123":
            self._choose(int(text), None)
        else:
            return False
        return True

    def _choose(self, stage: int, choice: Choice | None) -> None:
        self._choice = choice
        self.edited.emit(set_stage(stage))
        self._discuss(choice)

    def _discuss(self, choice: Choice | None) -> None:
        """Outline the segment of ``choice`` and say its formula."""
        self._choice = choice
        self._arrange()
        self._explain()

    def _explain(self) -> None:
        """Tell the formula of the segment under discussion, which a plan may no longer have."""
        segment = find(self._model, self._choice) if self._model is not None else None
        if segment is None:
            self._choice = None
        self.explained.emit(segment.formula if segment is not None else "")
