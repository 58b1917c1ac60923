"""Texts below each other that move nothing else while they stay as high as they are."""

from PySide6.QtCore import QEvent, QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget


class Stack(QWidget):
    """A column of widgets, each as high as it needs at the width there is.

    A layout would have the whole window laid out anew whenever one of the texts changes.
    """

    def __init__(self, items: tuple[QWidget, ...], spacing: int) -> None:
        super().__init__()
        self._items, self._spacing = items, spacing
        for item in items:
            item.setParent(self)
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self._placed = 0  # px of height that the items were last given

    def _heights(self, width: int) -> list[tuple[QWidget, int]]:
        """The items that are shown, with the height that each needs at ``width``."""
        return [
            (item, item.heightForWidth(width) if item.hasHeightForWidth() else _usual(item))
            for item in self._items
            if not item.isHidden()
        ]

    def heightForWidth(self, width: int) -> int:
        """Qt's hook: all that is shown, with the distances between."""
        heights = [height for _, height in self._heights(width)]
        return sum(heights) + self._spacing * max(len(heights) - 1, 0)

    def sizeHint(self) -> QSize:
        """Qt's hook: as high as the texts are at the width at hand."""
        return QSize(0, self.heightForWidth(self.width()))

    def minimumSizeHint(self) -> QSize:
        """Qt's hook."""
        return self.sizeHint()

    def event(self, event: QEvent) -> bool:
        """Qt's hook: an item has another text, or came or went."""
        if event.type() == QEvent.Type.LayoutRequest:
            self._place()
            return True
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Qt's hook: another width may need other heights."""
        super().resizeEvent(event)
        self._place()

    def _place(self) -> None:
        top, width = 0, self.width()
        heights = self._heights(width)
        for item, height in heights:
            item.setGeometry(0, top, width, height)
            top += height + self._spacing
        total = top - self._spacing if heights else 0
        if total != self._placed:
            self._placed = total
            self.updateGeometry()


def _usual(item: QWidget) -> int:
    return item.sizeHint().height()
