"""Asks a window which of its texts stand on each other or are cut, from geometry, not by eye."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from PySide6.QtCore import QPoint, QRect, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QTextDocument
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QLabel,
    QPlainTextEdit,
    QStatusBar,
    QTabBar,
    QTableView,
    QToolBar,
    QWidget,
)

from tests.gui.printed import overlapping
from zerogui.gui.chart.geometry import Fonts, Kind
from zerogui.gui.ranks import geometry as ranks
from zerogui.gui.scaling import geometry as scaling
from zerogui.gui.window import MainWindow

TOUCH = 0.5  # px: metrics round up
TALL = 100_000


def troubles(inks: dict[str, QRectF], room: QRectF) -> list[str]:
    """What is wrong with texts at these places inside ``room``."""
    grown = room.adjusted(-TOUCH, -TOUCH, TOUCH, TOUCH)
    met = [f"{a!r} meets {b!r}" for a, b in overlapping(inks)]
    return met + [f"{name!r} sticks out" for name, ink in inks.items() if not grown.contains(ink)]


# The views -----------------------------------------------------------------------------------


def stages_troubles(view: Any) -> list[str]:
    """The stage chart: labels of the picture, and its axis."""
    fonts, picture = view.fonts, view.picture
    inks = {}
    for number, label in enumerate(picture.labels):
        width, height = fonts.size(label.kind, label.text)
        ink = QRectF(0, 0, width, height)
        ink.moveCenter(label.rect.center())
        if label.kind in (Kind.LEGEND, Kind.DEVICE):
            ink.moveLeft(label.rect.left())
        inks[f"{number} {label.text}"] = ink
    box = view.getPlotItem().getViewBox()
    found = troubles(inks, QRectF(0, 0, box.width(), box.height()))
    return found + _axis_troubles(view, fonts)


def _axis_troubles(view: Any, fonts: Fonts) -> list[str]:
    """Ticks at the left of the chart have room below each other and beside their title."""
    axis = view.getPlotItem().getAxis("left")
    ticks = axis._tickLevels[0]
    height = fonts.size(Kind.CAPTION, "0")[1]
    widths = [fonts.size(Kind.CAPTION, text)[0] for _, text in ticks]
    title, margin = axis.label.boundingRect(), axis.label.document().documentMargin()
    # The turned title starts at the item's left edge, which lies a little outside the axis.
    right = axis.label.pos().x() + title.height() - margin
    found = []
    if right > axis.width() - max(widths) + TOUCH:
        found.append("the axis title stands on its ticks")
    if axis.label.isVisible() and title.width() - 2 * margin > axis.height() + TOUCH:
        found.append("the axis title is longer than its axis")
    grid = sorted(view.picture.grid)
    gaps = [below - above for above, below in pairwise(grid)]
    if gaps and min(gaps) < height - TOUCH:
        found.append("ticks stand on each other")
    return found


def canvas_troubles(view: Any, geometry: Any) -> list[str]:
    """A picture on a Canvas; none where its widget says that there is too little room."""
    canvas = view.canvas
    if canvas.picture is None:
        return ["there is no room for the picture"] if canvas.wants_room() else []
    fonts = Fonts.of(canvas.font())
    inks = {f"{n} {x.text}": x.rect for n, x in enumerate(canvas.picture.labels)}
    for label in canvas.picture.labels:
        metrics = QFontMetricsF(geometry.font_of(label.kind, fonts))
        if metrics.horizontalAdvance(label.text) > label.rect.width() + TOUCH:
            return [f"{label.text!r} is cut"]
    return troubles(inks, QRectF(canvas.rect()))


def compare_troubles(view: Any) -> list[str]:
    """The bars of compared plans with their axis."""
    scene, fonts = view.chart.scene, view.chart.fonts
    inks: dict[str, QRectF] = {}
    for picture in (scene.bars, scene.texts):
        for label in picture.labels:
            width, height = fonts.size(label.kind, label.text)
            ink = QRectF(0, 0, width, height)
            ink.moveCenter(label.rect.center())
            inks[f"{len(inks)} {label.text}"] = ink
    for texts, right in ((scene.axis, True), (scene.devices, False)):
        for text, rect in texts:
            width, height = fonts.size(Kind.CAPTION, text)
            ink = QRectF(rect.left(), rect.center().y() - height / 2, width, height)
            if right:
                ink.moveRight(rect.right())
            inks[f"{len(inks)} {text}"] = ink
    # Columns scroll sideways: one at the right end may be cut there.
    room = QRectF(view.chart.rect())
    room.setRight(TALL)
    return troubles(inks, room)


def derivation_troubles(view: Any) -> list[str]:
    """Lines wrap, or scroll."""
    assert isinstance(view, QPlainTextEdit)
    if view.lineWrapMode() is QPlainTextEdit.LineWrapMode.WidgetWidth:
        return []
    wide = view.document().size().width() > view.viewport().width()
    return ["lines are cut"] if wide and not view.horizontalScrollBar().maximum() else []


def view_troubles(window: MainWindow) -> list[str]:
    """What is wrong in the view at the front."""
    name = window.work.views.current
    view: Any = window.work.views.view(name)
    if name == "stages":
        found = stages_troubles(view)
    elif name == "compare":
        found = compare_troubles(view)
    elif name == "derivation":
        found = derivation_troubles(view)
    elif name == "start":
        found = []  # labels and buttons, as around the views
    else:
        found = canvas_troubles(view, {"scaling": scaling, "ranks": ranks}[name])
    return [f"{name}: {trouble}" for trouble in found]


# The window around them ----------------------------------------------------------------------


def window_troubles(window: QWidget) -> list[str]:
    """Texts of the window that are cut: labels, buttons, tabs, table headings and cells."""
    found = []
    for widget in window.findChildren(QWidget):
        if widget.isVisible():
            found += [f"{_name(widget)}: {trouble}" for trouble in _own_troubles(widget)]
    return found


def _name(widget: QWidget) -> str:
    text = widget.text()[:40] if isinstance(widget, QLabel | QAbstractButton) else ""
    return f"{type(widget).__name__} {widget.objectName()!r} {text!r}"


def _own_troubles(widget: QWidget) -> Iterator[str]:
    if isinstance(widget, QLabel) and widget.text():
        yield from _label_troubles(widget)
        yield from _hidden_parts(widget)
    elif isinstance(widget, QAbstractButton) and widget.text():
        wanted = widget.minimumSizeHint()
        if widget.width() < wanted.width() or widget.height() < wanted.height():
            yield f"{widget.size()} is less than {wanted}"
        yield from _hidden_parts(widget)
    elif isinstance(widget, QStatusBar):
        if widget.height() < widget.fontMetrics().height():
            yield "is cut"
    elif isinstance(widget, QTabBar):
        yield from _tab_troubles(widget)
    elif isinstance(widget, QTableView):
        yield from _table_troubles(widget)


def _label_troubles(label: QLabel) -> Iterator[str]:
    width, height = label.width(), label.height()
    if label.textFormat() is Qt.TextFormat.RichText:
        document = QTextDocument()
        document.setDefaultFont(label.font())
        document.setDocumentMargin(0)
        document.setHtml(label.text())
        document.setTextWidth(width)
        needed = document.size()
    else:
        flags = Qt.TextFlag.TextShowMnemonic if label.buddy() is not None else Qt.TextFlag(0)
        if label.wordWrap():
            flags |= Qt.TextFlag.TextWordWrap
        room = QRectF(0, 0, width, TALL)
        needed = QFontMetricsF(label.font()).boundingRect(room, int(flags), label.text()).size()
    if needed.width() > width + 1 or needed.height() > height + 1:
        yield f"{width} × {height} is less than {needed.width():.0f} × {needed.height():.0f}"


def _hidden_parts(widget: QWidget) -> Iterator[str]:
    """Whether a parent cuts the widget where no scroll bar leads."""
    place, child = QRect(QPoint(0, 0), widget.size()), widget
    parent = child.parentWidget()
    while parent is not None and not child.isWindow():
        place.translate(child.pos())
        area = parent.parentWidget()
        if isinstance(area, QAbstractScrollArea) and parent is area.viewport():
            across, down = area.horizontalScrollBar().maximum(), area.verticalScrollBar().maximum()
            beside = place.left() < 0 or place.right() > parent.width()
            above = place.top() < 0 or place.bottom() > parent.height()
            # Nobody scrolls sideways to read a sentence; only tables may.
            across = across and isinstance(area, QTableView)
            if (beside and not across) or (above and not down):
                yield f"is cut by {_name(area)}"
            return
        if not parent.rect().contains(place) and not isinstance(parent, QToolBar):
            yield f"{place} is cut by {_name(parent)} {parent.size()}"
            return
        child, parent = parent, parent.parentWidget()


def _tab_troubles(tabs: QTabBar) -> Iterator[str]:
    for index in range(tabs.count()):
        text = QFontMetricsF(tabs.font()).size(
            int(Qt.TextFlag.TextShowMnemonic), tabs.tabText(index)
        )
        rect = tabs.tabRect(index)
        if rect.width() < text.width() or rect.height() < text.height():
            yield f"tab {index} is cut"
        if not tabs.rect().contains(rect):
            yield f"tab {index} is beyond the bar"


def _table_troubles(table: QTableView) -> Iterator[str]:
    model, header = table.model(), table.horizontalHeader()
    if table.objectName() == "compare-table":
        return  # it draws its own cells, and has its own tests
    for column in range(model.columnCount()):
        needed = max(table.sizeHintForColumn(column), header.sectionSizeHint(column))
        if table.columnWidth(column) < needed:
            yield f"column {column}: {table.columnWidth(column)} is less than {needed}"
    for row in range(model.rowCount()):
        if table.rowHeight(row) < table.fontMetrics().height():
            yield f"row {row} is cut"
    if header.length() > table.viewport().width() and not table.horizontalScrollBar().maximum():
        yield "columns are out of reach"
    if header.height() < header.sizeHint().height():
        yield "headings are cut"
