"""What a command is: one row of the table that menus, toolbar and shortcuts are built from."""

from collections.abc import Callable
from typing import NamedTuple

from PySide6.QtGui import QKeySequence

from zerogui.gui.deeds import Deeds
from zerogui.gui.shown import Shown


def _always(_: Shown) -> bool:
    return True


class Command(NamedTuple):
    """One command; ``menu`` and ``group`` place it, ``checked`` makes it a switch.

    ``choice`` names the set of switches of which one is on; ``bar`` puts it on the toolbar.
    ``context`` names the places ("table", "views") whose context menu has it too.
    ``title_of`` gives a title that follows what is shown ("Undo: Change workers to 128").
    """

    id: str
    title: str
    tip: str
    menu: str
    run: Callable[[Deeds], None]
    shortcut: QKeySequence.StandardKey | str | None = None
    icon: str | None = None
    bar: bool = False
    label: str | None = None
    separate: bool = False
    enabled: Callable[[Shown], bool] = _always
    checked: Callable[[Shown], bool] | None = None
    choice: str | None = None
    submenu: str | None = None
    other_keys: tuple[str, ...] = ()
    context: tuple[str, ...] = ()
    title_of: Callable[[Shown], str] | None = None
