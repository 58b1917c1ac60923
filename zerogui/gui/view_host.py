"""The views of a report behind tabs; each is built when it is first shown, and only one works."""

from collections.abc import Callable
from typing import NamedTuple, Protocol, cast

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QStackedLayout, QTabBar, QVBoxLayout, QWidget

from zerogui.gui.recent_files import RecentFiles
from zerogui.gui.shown import Shown
from zerogui.gui.theme import GRID, font_scale, scaled_font, text_scale
from zerogui.planning.pins import PinBoard


class ReportView(Protocol):
    """What a view behind a tab offers besides being a widget with a signal ``edited``."""

    def display(self, shown: Shown) -> None:
        """Show ``shown``; called only while the view is visible."""


class ViewEntry(NamedTuple):
    """One tab. ``make`` imports what the view needs and builds it.

    ``presented`` tells that walking through the views comes by it.
    """

    id: str
    title: str
    tip: str
    make: Callable[[], QWidget]
    presented: bool = True


def report_views(board: PinBoard, recent: RecentFiles) -> tuple[ViewEntry, ...]:
    """The views in tab order; ``board`` holds what the Compare view compares."""

    def stages() -> QWidget:
        from zerogui.gui.chart.view import StageChart

        return cast(QWidget, StageChart())

    def scaling() -> QWidget:
        from zerogui.gui.scaling.view import ScalingView

        return cast(QWidget, ScalingView())

    def ranks() -> QWidget:
        from zerogui.gui.ranks.view import RanksView

        return cast(QWidget, RanksView())

    def compare() -> QWidget:
        from zerogui.gui.compare.view import CompareView

        return CompareView(board)

    def derivation() -> QWidget:
        from zerogui.gui.derivation_view import DerivationView

        return DerivationView()

    def start() -> QWidget:
        from zerogui.gui.start_page import StartPage

        return StartPage(recent)

    return (
        ViewEntry("stages", "Stages", "Bytes per rank at each ZeRO stage (Alt+1)", stages),
        ViewEntry("scaling", "Scaling", "Bytes per rank against workers (Alt+2)", scaling),
        ViewEntry("ranks", "Ranks", "What each rank holds at the stage chosen (Alt+3)", ranks),
        ViewEntry("compare", "Compare", "Pinned plans side by side (Alt+4)", compare),
        ViewEntry(
            "derivation", "Derivation", "The arithmetic of the stage chosen (Alt+5)", derivation
        ),
        ViewEntry("start", "Start", "Examples and recent files (Alt+6)", start, presented=False),
    )


LEAST_HEIGHT = 220  # px at the usual text size
_STEP = 0.95
_SMALLEST_TAB = 6.0  # pt


class FittingTabs(QTabBar):
    """Tabs in type small enough for all of them to be seen at once."""

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        text_scale.changed.connect(self._fit)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Qt's hook: another width has room for other type."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._fit()

    def _fit(self) -> None:
        font = scaled_font()
        while True:
            self.setFont(font)
            if self.sizeHint().width() <= self.width() or font.pointSizeF() <= _SMALLEST_TAB:
                return
            font.setPointSizeF(font.pointSizeF() * _STEP)


class ViewHost(QWidget):
    """Keeps the views' place until they may be built (pyqtgraph loads after the first paint)."""

    edited = Signal(object)  # Edit
    pins_changed = Signal(object)  # PinStep
    copied = Signal(str)  # what was copied, in words
    explained = Signal(str)  # the formula of what is chosen in the view, or an empty text
    asked = Signal(object)  # Callable[[Deeds], None]: what a view asks the window for
    built = Signal()
    changed = Signal(str)  # the id of the view that came to the front

    def __init__(self, entries: tuple[ViewEntry, ...]) -> None:
        super().__init__()
        self._entries = entries
        self._views: dict[str, QWidget] = {}
        self._shown: Shown | None = None
        self._may_build = False
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        text_scale.changed.connect(self.updateGeometry)
        self.tabs = FittingTabs()
        self.tabs.setObjectName("views")
        self.tabs.setAccessibleName("Views")
        self.tabs.setDrawBase(False)
        self.tabs.setExpanding(False)
        for entry in entries:
            index = self.tabs.addTab(entry.title)
            self.tabs.setTabToolTip(index, entry.tip)
        self.tabs.setVisible(len(entries) > 1)
        self._stack = QStackedLayout()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GRID)
        column.addWidget(self.tabs)
        column.addLayout(self._stack, 1)
        self.tabs.currentChanged.connect(self._changed)

    def minimumSizeHint(self) -> QSize:
        """As its views need, and higher for large text."""
        least = super().minimumSizeHint()
        return QSize(least.width(), max(least.height(), round(LEAST_HEIGHT * font_scale())))

    def sizeHint(self) -> QSize:
        """No more than it needs: what is left of the window comes by stretching."""
        return QSize(400, self.minimumSizeHint().height())

    def build(self) -> None:
        """From now on views may be built; the current one is."""
        if not self._may_build:
            self._may_build = True
            self._changed(self.tabs.currentIndex())
            self.built.emit()

    @property
    def current(self) -> str:
        """The id of the view that is shown."""
        return self._entries[self.tabs.currentIndex()].id

    def show_view(self, name: str) -> None:
        """Bring the view ``name`` to the front; an unknown one changes nothing."""
        names = [entry.id for entry in self._entries]
        if name in names:
            self.tabs.setCurrentIndex(names.index(name))

    def walk(self, step: int) -> None:
        """To the next (1) or previous (-1) view that is presented, around the end."""
        presented = [k for k, entry in enumerate(self._entries) if entry.presented]
        index = (self.tabs.currentIndex() + step) % self.tabs.count()
        while index not in presented:
            index = (index + step) % self.tabs.count()
        self.tabs.setCurrentIndex(index)

    def leave(self, name: str) -> None:
        """To the first view, if ``name`` is the one that is shown."""
        if self.current == name:
            self.tabs.setCurrentIndex(0)

    def view(self, name: str) -> QWidget | None:
        """The view ``name``, None before it is first shown."""
        return self._views.get(name)

    def display(self, shown: Shown) -> None:
        """Let the visible view show ``shown``; the others will when they come to the front."""
        self._shown = shown
        view = self._views.get(self.current)
        if view is not None:
            cast(ReportView, view).display(shown)

    def _changed(self, index: int) -> None:
        if not self._may_build:
            return
        entry = self._entries[index]
        view = self._views.get(entry.id)
        if view is None:
            view = self._views[entry.id] = entry.make()
            for name in ("edited", "pins_changed", "copied", "explained", "asked"):
                signal = getattr(view, name, None)
                if signal is not None:
                    signal.connect(getattr(self, name))
            if not view.accessibleName():
                view.setAccessibleName(entry.title)
            self._stack.addWidget(view)
            _after(self.tabs, view)
        self._stack.setCurrentWidget(view)
        self.changed.emit(entry.id)
        if self._shown is not None:
            cast(ReportView, view).display(self._shown)


def _after(tabs: QWidget, view: QWidget) -> None:
    """Let Tab go from the tabs into ``view``, which was built later than what stands below it."""
    before = tabs
    for widget in (view, *view.findChildren(QWidget)):
        if widget.focusPolicy() & Qt.FocusPolicy.TabFocus and widget.focusProxy() is None:
            QWidget.setTabOrder(before, widget)
            before = widget
