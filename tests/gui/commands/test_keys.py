"""Keys of the commands: each belongs to one, and the sheet of shortcuts has them all."""

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QLabel, QWidget

from tests.gui.hands import trigger
from zerogui.gui.commands import COMMANDS
from zerogui.gui.window import MainWindow


def test_no_two_commands_share_a_key(window: MainWindow) -> None:
    keys = [
        key.toString()
        for action in window.findChildren(QAction)
        for key in action.shortcuts()
        if not key.isEmpty()
    ]
    assert len(keys) == len(set(keys))


def test_the_shortcut_sheet_lists_every_command_with_a_key(window: MainWindow) -> None:
    trigger(window, "shortcuts")
    sheet = window.findChild(QWidget, "shortcut-sheet")
    assert sheet is not None
    texts = [label.text() for label in sheet.findChildren(QLabel)]
    keyed = [command for command in COMMANDS if command.shortcut is not None]
    assert len(keyed) >= 10
    for command in keyed:
        assert command.tip in texts
    assert "F5, F11" in texts
    sheet.window().close()
