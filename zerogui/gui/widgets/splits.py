"""The two movable borders: between inputs and work area, and between a view and its table."""

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QSplitter, QSplitterHandle, QVBoxLayout, QWidget

from zerogui.gui.theme import GRID, Ink
from zerogui.gui.widgets.stack import Stack

Groups = tuple[tuple[QWidget, ...], ...]  # texts that stand close together


class Handle(QSplitterHandle):
    """A hairline that can be dragged; a double click puts it back to its usual place."""

    def paintEvent(self, event: QPaintEvent) -> None:
        """One pixel in the middle."""
        painter = QPainter(self)
        lying = self.orientation() == Qt.Orientation.Vertical
        middle = (self.height() if lying else self.width()) // 2
        painter.setPen(self.palette().color(Ink.RULE.value))
        if lying:
            painter.drawLine(0, middle, self.width(), middle)
        else:
            painter.drawLine(middle, 0, middle, self.height())
        painter.end()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Qt's hook."""
        splitter = self.splitter()
        if isinstance(splitter, Split):
            splitter.choose(0)
            splitter.moved.emit()


class Split(QSplitter):
    """Two widgets of which one has a wanted size: ``chosen`` px, or what it takes by itself (0).

    ``moved`` tells that the user has chosen another size.
    """

    moved = Signal()

    def __init__(self, orientation: Qt.Orientation) -> None:
        super().__init__(orientation)
        self.chosen = 0
        self.setChildrenCollapsible(False)
        self.setHandleWidth(GRID + 1)
        self.splitterMoved.connect(self._dragged)

    def createHandle(self) -> QSplitterHandle:
        """Qt's hook."""
        return Handle(self.orientation(), self)

    def choose(self, size: int) -> None:
        """From now on the size is ``size`` px, where there is room; 0 for the usual one."""
        self.chosen = size
        self.updateGeometry()
        self.follow()

    def follow(self) -> None:
        """Give both widgets what they are to have in the room that there is."""

    def size_now(self) -> int:
        """The size as it has been dragged, px; 0 for the usual one."""
        return 0

    def _dragged(self) -> None:
        self.chosen = self.size_now()
        self.updateGeometry()
        self.moved.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Qt's hook: more or less room."""
        super().resizeEvent(event)
        self.follow()

    def event(self, event: QEvent) -> bool:
        """Qt's hook: one of the two needs another size."""
        done = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest:
            self.follow()
        return done


class PanelSplit(Split):
    """The panel at the left, as wide as chosen, and the rest."""

    def __init__(self, panel: QWidget, rest: QWidget, usual: int) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self.setObjectName("panel-split")
        self._panel, self._rest, self._usual = panel, rest, usual
        # A hairline costs the chart no room; Qt lets it be taken from a few pixels beside it too.
        self.setHandleWidth(1)
        self.addWidget(panel)
        self.addWidget(rest)

    def follow(self) -> None:
        """The panel keeps its width; the rest takes what is left, but never less than its least."""
        if self._panel.isHidden():
            return
        room = self.width() - self.handleWidth()
        width = min(self.chosen or self._usual, room - self._rest.minimumWidth())
        width = min(max(width, self._panel.minimumWidth()), self._panel.maximumWidth())
        if self.sizes() != [width, room - width]:
            self.setSizes([width, room - width])

    def size_now(self) -> int:
        """The panel's width; 0 for the usual one."""
        width = self._panel.width()
        return 0 if width == self._usual else width


class Below(QWidget):
    """A column of texts with a table at its end, which alone can be made lower."""

    def __init__(self, texts: Groups, table: QWidget) -> None:
        super().__init__()
        self._table = table
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(GRID)
        for group in texts:
            # A text by itself may be hidden, and then takes no room at all.
            self._column.addWidget(Stack(group, GRID // 2) if len(group) > 1 else group[0])
        self._column.addWidget(table)
        self._column.addStretch(1)

    def whole(self, width: int) -> int:
        """The height that shows everything at ``width``, px."""
        return self._column.heightForWidth(width)

    def wanted(self, width: int, table: int) -> int:
        """The height at ``width`` with a table of ``table`` px; 0 for the whole table."""
        whole = self.whole(width)
        if not table or self._table.isHidden():
            return whole
        full = self._table.sizeHint().height()
        return whole - full + min(max(table, self._table.minimumHeight()), full)

    def minimumSizeHint(self) -> QSize:
        """All texts, and the table as low as it gets."""
        return QSize(0, self.wanted(self.width(), 1))


class ViewSplit(Split):
    """The views above, which take what is left, and texts with a table ``below``."""

    def __init__(self, views: QWidget, texts: Groups, table: QWidget) -> None:
        super().__init__(Qt.Orientation.Vertical)
        self.setObjectName("view-split")
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self._views, self._table = views, table
        self._below = Below(texts, table)
        self.addWidget(views)
        self.addWidget(self._below)

    def heightForWidth(self, width: int) -> int:
        """Qt's hook: the least that shows the views and all that is wanted below them."""
        least = self._views.minimumSizeHint().height() + self.handleWidth()
        return least + self._below.wanted(width, self.chosen)

    def follow(self) -> None:
        """What is below keeps its height; the views take the rest."""
        width = self.width()
        room = self.height() - self.handleWidth()
        # Dragging higher than all there is would only make a gap.
        self._below.setMaximumHeight(max(self._below.whole(width), 1))
        least = self._views.minimumSizeHint().height()
        low = min(self._below.wanted(width, self.chosen), room - least)
        if low > 0 and self.sizes() != [room - low, low]:
            self.setSizes([room - low, low])

    def size_now(self) -> int:
        """The table's height; 0 for the whole table, or where none is shown."""
        if self._table.isHidden():
            return self.chosen
        height = self._table.height()
        return 0 if height >= self._table.sizeHint().height() else height
