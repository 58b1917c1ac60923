"""The start page: examples, files to open, recent ones, help, and the keys that matter."""

import os
from collections.abc import Callable
from functools import partial
from itertools import pairwise
from operator import methodcaller

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from zerogui.accounting.errors import printable
from zerogui.gui.commands import COMMANDS
from zerogui.gui.commands.command import Command
from zerogui.gui.deeds import Deeds
from zerogui.gui.recent_files import RecentFiles
from zerogui.gui.shown import Shown
from zerogui.gui.theme import GRID, Ink, font_scale, text_scale
from zerogui.gui.widgets.caption import Caption, Rule
from zerogui.gui.widgets.link_row import LinkRow

TWO_COLUMNS = 620  # px at the usual text size from which two columns stand side by side
WIDEST = 1040  # px at the usual text size; wider lines are hard to read
FEW = 4  # recent files that stand here; the menu has all
KEYS = (
    ("open", "opens a file"),
    ("pin", "pins the plan"),
    ("present", "presents"),
    ("shortcuts", "lists all keys"),
)
HELP = tuple(command.id for command in COMMANDS if command.id in ("help", "shortcuts"))
NO_RECENT = "None yet: what you open or save is listed here."


class _Part(QWidget):
    """A heading with a thin rule, and rows below it."""

    def __init__(self, title: str) -> None:
        super().__init__()
        self.setAccessibleName(title)
        self.rows = QVBoxLayout(self)
        self.rows.setContentsMargins(0, 0, 0, 0)
        self.rows.setSpacing(0)
        heading = QHBoxLayout()
        heading.setContentsMargins(GRID, 0, GRID, GRID // 2)
        heading.setSpacing(GRID)
        heading.addWidget(Caption(title, bold=True))
        heading.addWidget(Rule(), 1)
        self.rows.addLayout(heading)


class StartPage(QScrollArea):
    """Rows to choose from; ``asked`` carries what the window shall do."""

    asked = Signal(object)  # Callable[[Deeds], None]

    def __init__(self, recent: RecentFiles) -> None:
        super().__init__()
        self._recent = recent
        self._listed: list[LinkRow] = []
        self.setObjectName("start")
        self.setAccessibleName("Start")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._page = page = QWidget()
        self._across = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._across.setSpacing(3 * GRID)
        self._across.addWidget(self._examples(), 3)
        self._across.addLayout(self._others(), 2)
        self._centre = QVBoxLayout(page)
        self._centre.setContentsMargins(0, GRID, GRID, GRID)
        self._centre.addLayout(self._across)
        self._centre.addStretch(1)
        self.setWidget(page)
        recent.changed.connect(self._list_recent)
        text_scale.changed.connect(self._fit)
        self._list_recent()

    def display(self, shown: Shown) -> None:
        """Nothing here depends on the plan."""

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Qt's hook: two columns where there is room for them."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        wide = self.viewport().width() >= TWO_COLUMNS * font_scale()
        way = QBoxLayout.Direction.LeftToRight if wide else QBoxLayout.Direction.TopToBottom
        self._across.setDirection(way)
        self._page.setMaximumWidth(round(WIDEST * font_scale()))

    def _examples(self) -> QWidget:
        part = _Part("Examples")
        for command in COMMANDS:
            if command.id.startswith("example-"):
                part.rows.addWidget(self._row(command, command.title))
        part.rows.addStretch(1)
        return part

    def _others(self) -> QVBoxLayout:
        """Files, recent files, help."""
        column = QVBoxLayout()
        column.setSpacing(2 * GRID)
        files = _Part("Your own")
        files.rows.addWidget(self._row(_command("open"), "Open a file…"))
        self._before_recent = self._row(_command("browse-models"), "Browse models…")
        files.rows.addWidget(self._before_recent)
        self._files = _Part("Recent files")
        self._none = Caption(NO_RECENT, ink=Ink.MUTED, delta=-1, wrap=True)
        self._none.setContentsMargins(GRID, 0, GRID, 0)
        self._files.rows.addWidget(self._none)
        aid = _Part("Help")
        for name in HELP:
            aid.rows.addWidget(self._row(_command(name), _plain(_command(name).title)))
        keys = ", ".join(f"{_keys(_command(name))} {does}" for name, does in KEYS)
        hint = Caption(f"{keys}.", ink=Ink.MUTED, delta=-1, wrap=True)
        hint.setObjectName("start-keys")
        hint.setContentsMargins(GRID, GRID // 2, GRID, 0)
        aid.rows.addWidget(hint)
        for part in (files, self._files, aid):
            column.addWidget(part)
        column.addStretch(1)
        return column

    def _row(self, command: Command, title: str) -> LinkRow:
        row = LinkRow(title, command.tip, _keys(command))
        row.setObjectName(f"start-{command.id}")
        row.clicked.connect(partial(self._ask, command.run))
        return row

    def _ask(self, run: Callable[[Deeds], None], _checked: bool = False) -> None:
        self.asked.emit(run)

    def _list_recent(self) -> None:
        for row in self._listed:
            self._files.rows.removeWidget(row)
            row.hide()
            row.deleteLater()
        self._listed = [self._recent_row(path) for path in self._recent.paths[:FEW]]
        for row in self._listed:
            self._files.rows.addWidget(row)
        self._none.setVisible(not self._listed)
        # What is added late would be reached last by Tab.
        for before, after in pairwise((self._before_recent, *self._listed)):
            QWidget.setTabOrder(before, after)

    def _recent_row(self, path: str) -> LinkRow:
        folder, name = os.path.split(path)
        row = LinkRow(printable(name), printable(folder), elided=True)
        row.setObjectName("start-recent")
        row.clicked.connect(partial(self._ask, methodcaller("open_file", path)))
        return row


def _command(name: str) -> Command:
    return next(command for command in COMMANDS if command.id == name)


def _plain(title: str) -> str:
    return title.replace("&", "")


def _keys(command: Command) -> str:
    sequence = QKeySequence(command.shortcut) if command.shortcut is not None else QKeySequence()
    return sequence.toString(QKeySequence.SequenceFormat.NativeText)
