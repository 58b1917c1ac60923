"""QActions, menus and the toolbar, built from the table of commands."""

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QActionGroup, QIcon, QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenu, QToolBar, QWidget

from zerogui.accounting.errors import printable
from zerogui.gui.commands import COMMANDS
from zerogui.gui.commands.command import Command
from zerogui.gui.deeds import Deeds
from zerogui.gui.shown import Shown
from zerogui.gui.theme import Theme
from zerogui.gui.widgets.icons import BAR_SIZE, Mode, icon
from zerogui.gui.widgets.plain_text import tip


class Actions:
    """The window's actions by command id; ``render`` keeps titles, switches and enablement."""

    def __init__(self, window: QMainWindow, deeds: Deeds) -> None:
        self._actions: dict[str, QAction] = {}
        self._on_bar: dict[str, QAction] = {}
        self._groups: dict[str, QActionGroup] = {}
        self._menus: dict[str, QMenu] = {}
        self.toolbar = QToolBar("Toolbar", window)
        self.toolbar.setObjectName("toolbar")
        self.toolbar.setMovable(False)
        self.toolbar.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.toolbar.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        for command in COMMANDS:
            self._add(window, deeds, command)
        window.addToolBar(self.toolbar)

    def __getitem__(self, name: str) -> QAction:
        return self._actions[name]

    def _add(self, window: QMainWindow, deeds: Deeds, command: Command) -> None:
        action = QAction(command.title, window)
        action.setObjectName(command.id)
        keys = QKeySequence(command.shortcut) if command.shortcut is not None else QKeySequence()
        action.setShortcuts([keys, *map(QKeySequence, command.other_keys)])
        hint = f" ({keys.toString(QKeySequence.SequenceFormat.NativeText)})"
        action.setToolTip(command.tip + (hint if not keys.isEmpty() else ""))
        action.setStatusTip(command.tip)
        if command.label is not None:
            action.setIconText(command.label)
        run: Callable[[Deeds], None] = command.run
        action.triggered.connect(partial(_run, run, deeds))
        if command.checked is not None or command.choice is not None:
            action.setCheckable(True)
        if command.choice is not None:
            group = self._groups.setdefault(command.choice, QActionGroup(window))
            group.addAction(action)
        # Keys go on working while the bars are folded away for presenting.
        window.addAction(action)
        self._place(window, command, action)
        self._actions[command.id] = action

    def _place(self, window: QMainWindow, command: Command, action: QAction) -> None:
        menu = self._menus.get(command.menu)
        if menu is None:
            menu = self._menus[command.menu] = window.menuBar().addMenu(command.menu)
        elif command.separate:
            menu.addSeparator()
        if command.submenu is not None:
            below = self._menus.get(command.submenu)
            if below is None:
                below = self._menus[command.submenu] = menu.addMenu(command.submenu)
            menu = below
        menu.addAction(action)
        if command.id == "open":
            self.recent = menu.addMenu("Open &recent")
        if command.bar:
            if command.separate and self.toolbar.actions():
                self.toolbar.addSeparator()
            self.toolbar.addAction(self._bar_action(window, command, action))

    def _bar_action(self, window: QMainWindow, command: Command, action: QAction) -> QAction:
        """What stands for ``action`` on the toolbar.

        A title that follows the plan is for the menu: the bar would be laid out at every edit.
        """
        if command.title_of is None:
            return action
        button = QAction(command.label or command.title, window)
        button.setToolTip(action.toolTip())
        button.setStatusTip(command.tip)
        button.triggered.connect(action.trigger)
        action.enabledChanged.connect(button.setEnabled)
        self._on_bar[command.id] = button
        return button

    def display(self, shown: Shown) -> None:
        """Titles, switches and enablement of ``shown``."""
        for command in COMMANDS:
            action = self._actions[command.id]
            action.setEnabled(command.enabled(shown))
            if command.checked is not None:
                action.setChecked(command.checked(shown))
            if command.title_of is not None:
                action.setText(command.title_of(shown))

    def fill_context(self, place: str, widget: QWidget) -> None:
        """Give ``widget`` the context menu of ``place``."""
        widget.addActions([self._actions[c.id] for c in COMMANDS if place in c.context])
        widget.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)

    def show_recent(self, paths: Sequence[str], open_file: Callable[[str], object]) -> None:
        """The menu of recently opened files; greyed where there are none."""
        self.recent.clear()
        for path in paths:
            action = self.recent.addAction(printable(path).replace("&", "&&"))
            # Left alone it would be the text, and read as markup where it looks like some.
            action.setToolTip(tip(printable(path)))
            action.triggered.connect(partial(_run_with, open_file, path))
        self.recent.setEnabled(bool(paths))

    def use_icons(self, theme: Theme) -> None:
        """Icons in the theme's colours."""
        for command in COMMANDS:
            if command.icon is not None:
                self._set_icon(command.id, icon(command.icon, theme))

    def use_first_icons(self, theme: Theme) -> None:
        """Those that a first paint shows: on the toolbar, in its size, as the actions are now."""
        for command in COMMANDS:
            if command.bar and command.icon is not None:
                enabled = self._actions[command.id].isEnabled()
                mode = Mode.Normal if enabled else Mode.Disabled
                self._set_icon(command.id, icon(command.icon, theme, (BAR_SIZE,), (mode,)))

    def _set_icon(self, name: str, picture: QIcon) -> None:
        self._actions[name].setIcon(picture)
        if name in self._on_bar:
            self._on_bar[name].setIcon(picture)


def _run_with(run: Callable[[str], object], path: str, _checked: bool = False) -> None:
    run(path)


def _run(run: Callable[[Deeds], None], deeds: Deeds, _checked: bool = False) -> None:
    run(deeds)
