"""A scroll area that comes to rest when its content and its bars cannot agree on a size."""

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QScrollArea

_MOST = 4  # answers to an answer; texts that wrap agree after one or two


class SteadyScroll(QScrollArea):
    """Fits its content to itself, like QScrollArea.

    A content whose height depends on its width may be too high beside a bar and low enough
    without: Qt's would then show and hide the bar until the stack is full.
    """

    _depth = 0

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Qt's hook: the content has another size, and the bars are to follow."""
        if event.type() != QEvent.Type.Resize:
            return super().eventFilter(watched, event)
        if self._depth >= _MOST:
            return False
        self._depth += 1
        done = super().eventFilter(watched, event)
        self._depth -= 1
        return done
