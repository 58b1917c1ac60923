"""The help's window: contents at the left, the page at the right, back, forward and find."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QLineEdit,
    QSplitter,
    QTreeWidget,
    QTreeWidgetItem,
    QTreeWidgetItemIterator,
    QVBoxLayout,
    QWidget,
)

from zerogui.gui.help.browser import HelpBrowser
from zerogui.gui.help.pages import ORDER, Target, page_named, pages
from zerogui.gui.theme import GRID, Ink, font_scale, scaled_font, text_scale
from zerogui.gui.widgets.caption import Caption
from zerogui.gui.widgets.icon_button import IconButton

FIRST = Target(ORDER[0])
_TARGET = Qt.ItemDataRole.UserRole


def show_help(parent: QWidget, scale_text: Callable[[int], object]) -> None:
    """Open the help of ``parent``, or bring it to the front; text keys go to ``scale_text``."""
    window = parent.findChild(HelpWindow)
    if window is None:
        window = HelpWindow(parent)
        window.text_scaled.connect(scale_text)
    window.show()
    window.raise_()
    window.activateWindow()


@dataclass(frozen=True)
class _Visit:
    """A place in the history, with how far the page was scrolled when it was left."""

    target: Target
    scrolled: float | None = None


class HelpWindow(QDialog):
    """Beside the main window, not over its work; Esc closes it."""

    text_scaled = Signal(int)  # 1 larger, -1 smaller, 0 the usual size

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("zerogui help")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowFlag(Qt.WindowType.WindowMaximizeButtonHint)
        self._visits: list[_Visit] = []
        self._at = -1
        self.text = HelpBrowser()
        self.contents = _contents()
        self.finder = QLineEdit()
        self.finder.setObjectName("help-find")
        self.finder.setPlaceholderText("Find in all pages")
        self.finder.setAccessibleName("Find in help")
        self.finder.setToolTip("Return finds the next place, Shift+Return the one before (Ctrl+F)")
        self.finder.setClearButtonEnabled(True)
        self.note = Caption(ink=Ink.MUTED, wrap=True)
        self.note.setObjectName("help-note")
        self.note.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.note.hide()
        self._back = self._button("back", "Back (Alt+Left)", partial(self._walk, -1))
        self._forward = self._button("forward", "Forward (Alt+Right)", partial(self._walk, 1))
        self._arrange()
        self._connect()
        self._fit_screen()
        self.go(FIRST)
        self.text.setFocus()

    @staticmethod
    def _button(name: str, tip: str, run: Callable[[], object]) -> IconButton:
        button = IconButton(name, tip)
        button.setObjectName(f"help-{name}")
        button.setAccessibleName(name.capitalize())
        button.clicked.connect(run)
        return button

    def _arrange(self) -> None:
        bar = QHBoxLayout()
        bar.setContentsMargins(2 * GRID, GRID, 2 * GRID, 0)
        for widget in (self._back, self._forward):
            bar.addWidget(widget)
        bar.addStretch(1)
        bar.addWidget(self.finder, 1)
        both = self._both = QSplitter()
        both.setChildrenCollapsible(False)
        both.addWidget(self.contents)
        both.addWidget(self.text)
        both.setStretchFactor(1, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, GRID)
        column.setSpacing(GRID)
        column.addLayout(bar)
        column.addWidget(both, 1)
        foot = QHBoxLayout()
        foot.setContentsMargins(2 * GRID, 0, 2 * GRID, 0)
        foot.addWidget(self.note)
        column.addLayout(foot)
        self._fit_contents()
        # From the contents to the page, then to what stands above.
        order = (self.contents, self.text, self.finder, self._back, self._forward)
        for one, other in pairwise(order):
            QWidget.setTabOrder(one, other)

    def _connect(self) -> None:
        self.text.followed.connect(self.go)
        self.text.refused.connect(self._refuse)
        self.contents.currentItemChanged.connect(self._chosen)
        self.finder.returnPressed.connect(self._find)
        text_scale.changed.connect(self._fit_contents)
        keys: dict[str, Callable[[], object]] = {
            "Alt+Left": partial(self._walk, -1),
            "Alt+Right": partial(self._walk, 1),
            "Ctrl+F": self._to_finder,
            "F3": self._find,
            "Shift+F3": partial(self._find, True),
            "Ctrl++": partial(self.text_scaled.emit, 1),
            "Ctrl+=": partial(self.text_scaled.emit, 1),
            "Ctrl+-": partial(self.text_scaled.emit, -1),
            "Ctrl+0": partial(self.text_scaled.emit, 0),
        }
        for key, run in keys.items():
            QShortcut(QKeySequence(key), self).activated.connect(run)
        before = QShortcut(QKeySequence("Shift+Return"), self.finder)
        before.setContext(Qt.ShortcutContext.WidgetShortcut)
        before.activated.connect(partial(self._find, True))

    def _fit_screen(self) -> None:
        """As large as the text asks for and the screen has; the contents take a third at most."""
        room = self.screen().availableSize() * 0.9
        size = (QSize(1000, 720) * font_scale()).boundedTo(room)
        beside = min(round(230 * font_scale()), size.width() // 3)
        self.resize(size)
        self._both.setSizes([beside, size.width() - beside])

    def _fit_contents(self) -> None:
        self.contents.setFont(scaled_font())
        row = QSize(0, self.contents.fontMetrics().height() + GRID)
        entries = QTreeWidgetItemIterator(self.contents)
        while (entry := entries.value()) is not None:
            entry.setSizeHint(0, row)
            entries += 1

    def go(self, target: Target) -> None:
        """Show ``target`` as a new step: what lay ahead is forgotten."""
        self._remember_place()
        if self._at < 0 or self._visits[self._at].target != target:
            self._visits[self._at + 1 :] = [_Visit(target)]
            self._at += 1
        self._show(_Visit(target))

    def _walk(self, step: int) -> None:
        if 0 <= self._at + step < len(self._visits):
            self._remember_place()
            self._at += step
            self._show(self._visits[self._at])

    def _remember_place(self) -> None:
        if self._at >= 0:
            self._visits[self._at] = replace(self._visits[self._at], scrolled=self.text.scrolled())

    def _show(self, visit: _Visit) -> None:
        self.note.hide()
        self.text.show_target(visit.target, visit.scrolled)
        self._back.setEnabled(self._at > 0)
        self._forward.setEnabled(self._at + 1 < len(self._visits))
        self._mark(visit.target)

    def _mark(self, target: Target) -> None:
        """Choose the entry of ``target`` in the contents, without going there again."""
        self.contents.blockSignals(True)
        for row in range(self.contents.topLevelItemCount()):
            entry = self.contents.topLevelItem(row)
            if entry is None or entry.data(0, _TARGET).page != target.page:
                continue
            parts = [entry.child(k) for k in range(entry.childCount())]
            part = next((p for p in parts if p.data(0, _TARGET) == target), entry)
            self.contents.setCurrentItem(part)
            self.contents.scrollToItem(part)
        self.contents.blockSignals(False)
        self.setWindowTitle(f"{page_named(target.page).title} – zerogui help")

    def _chosen(self, entry: QTreeWidgetItem | None) -> None:
        if entry is not None:
            self.go(entry.data(0, _TARGET))

    def _refuse(self, link: str) -> None:
        self._say(f"The help stays offline. The address to open elsewhere: {link}")

    def _say(self, text: str) -> None:
        self.note.setText(text)
        self.note.show()

    def _to_finder(self) -> None:
        self.finder.setFocus()
        self.finder.selectAll()

    def _find(self, backward: bool = False) -> None:
        """To the next place with the words, on this page or, around the end, on another."""
        words = self.finder.text().strip()
        if not words:
            self._to_finder()
            return
        if self.text.find_next(words, backward):
            self.note.hide()
            return
        start, step = ORDER.index(self.text.page), -1 if backward else 1
        for distance in range(1, len(ORDER) + 1):
            page = page_named(ORDER[(start + step * distance) % len(ORDER)])
            if words.lower() not in page.text.lower():
                continue
            if page.name != self.text.page:
                self.go(Target(page.name))
            self.text.to_edge(end=backward)
            if self.text.find_next(words, backward):
                self.note.hide()
                return
        self._say(f"No page has “{words}”.")


def _contents() -> QTreeWidget:
    """Every page with its sections."""
    tree = QTreeWidget()
    tree.setObjectName("help-contents")
    tree.setAccessibleName("Contents")
    tree.setHeaderHidden(True)
    tree.setFrameShape(QTreeWidget.Shape.NoFrame)
    tree.setExpandsOnDoubleClick(False)
    for page in pages():
        entry = QTreeWidgetItem(tree, [page.title])
        entry.setData(0, _TARGET, Target(page.name))
        for words, anchor in page.sections:
            part = QTreeWidgetItem(entry, [words.replace("`", "")])
            part.setData(0, _TARGET, Target(page.name, anchor))
    return tree
