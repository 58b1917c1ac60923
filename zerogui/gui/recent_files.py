"""The recently opened files, for whoever shows them."""

from PySide6.QtCore import QObject, Signal


class RecentFiles(QObject):
    """``paths``, the newest first; ``changed`` tells of others."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.paths: tuple[str, ...] = ()

    def show(self, paths: tuple[str, ...]) -> None:
        """From now on these."""
        if paths != self.paths:
            self.paths = paths
            self.changed.emit()
