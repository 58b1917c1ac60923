"""Every command as data, a file for each menu: menus and toolbar are built from this one table."""

from zerogui.gui.commands.command import Command
from zerogui.gui.commands.edit import EDIT
from zerogui.gui.commands.file import FILE
from zerogui.gui.commands.help import HELP
from zerogui.gui.commands.view import VIEW

COMMANDS: tuple[Command, ...] = (*FILE, *EDIT, *VIEW, *HELP)
