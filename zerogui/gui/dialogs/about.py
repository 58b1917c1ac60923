"""Small windows about the program itself: versions to copy, and all shortcuts."""

import platform

from PySide6 import __version__ as pyside_version
from PySide6.QtCore import QSize, Qt, qVersion
from PySide6.QtGui import QGuiApplication, QKeySequence
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QDialogButtonBox,
    QGridLayout,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from zerogui import __version__
from zerogui.gui.commands import COMMANDS
from zerogui.gui.commands.command import Command
from zerogui.gui.dialogs.standard_buttons import word_buttons
from zerogui.gui.startup.diagnose import diagnosis
from zerogui.gui.theme import GRID, Ink, font_scale
from zerogui.gui.widgets.caption import Caption

# Keys that are no command's: what they do depends on where the keyboard is.
SINGLE_KEYS = (
    ("Alt + letter", "Go to what has that letter underlined"),
    ("0 1 2 3", "Choose the stage (in a view, or while presenting)"),
    ("← →", "Walk through stages, numbers of workers, blocks of ranks or plans, as the view shows"),
    ("↑ ↓", "Walk through the segments of a bar; through the views while presenting"),
    ("+ −", "Change the input used last while presenting"),
    ("Esc", "Leave the segment, or present mode"),
)


def _system() -> str:
    """The operating system, without the process that platform.platform() starts to ask for it."""
    system = platform.uname()
    return f"{system.system} {system.release} {system.machine}"


def versions() -> str:
    """Versions as one would paste them into a bug report."""
    return "\n".join(
        (
            f"zerogui {__version__}",
            f"Python {platform.python_version()} on {_system()}",
            f"Qt {qVersion()}, PySide6 {pyside_version}, {QGuiApplication.platformName()}",
        )
    )


class SmallDialog(QDialog):
    """A dialog with a column of widgets and a row of buttons; Esc closes it."""

    def __init__(self, title: str, parent: QWidget | None) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(3 * GRID, 2 * GRID, 3 * GRID, 2 * GRID)
        self.column.setSpacing(GRID)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        word_buttons(self.buttons)
        self.buttons.rejected.connect(self.reject)


class About(SmallDialog):
    """What this is, with its versions and a button that copies them."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__("About zerogui", parent)
        text = Caption(versions())
        text.setObjectName("about-versions")
        text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.column.addWidget(Caption("zerogui", bold=True, delta=4))
        self.column.addWidget(Caption("What every rank of a training run stores, byte by byte."))
        self.column.addWidget(text)
        copy = self.buttons.addButton("&Copy details", QDialogButtonBox.ButtonRole.ActionRole)
        copy.setObjectName("about-copy")
        copy.setToolTip("Versions, libraries, screens, fonts and paths, for a bug report")
        copy.clicked.connect(lambda: QApplication.clipboard().setText(diagnosis()))
        self.column.addWidget(self.buttons)


class Shortcuts(SmallDialog):
    """Every command that has a key, from the one table of commands."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__("Shortcuts", parent)
        sheet = QWidget()
        sheet.setObjectName("shortcut-sheet")
        grid = QGridLayout(sheet)
        grid.setHorizontalSpacing(3 * GRID)
        keyed = [command for command in COMMANDS if command.shortcut is not None]
        rows = [(_all_keys(command), command.tip) for command in keyed]
        for row, (keys, tip) in enumerate((*rows, *SINGLE_KEYS)):
            grid.addWidget(Caption(keys, bold=True), row, 0, Qt.AlignmentFlag.AlignTop)
            does = Caption(tip, ink=Ink.MUTED)
            does.setWordWrap(True)
            does.setAlignment(Qt.AlignmentFlag.AlignTop)
            grid.addWidget(does, row, 1)
        grid.setColumnStretch(1, 1)
        grid.setRowStretch(grid.rowCount(), 1)
        scroll = QScrollArea()
        scroll.setObjectName("shortcut-list")
        scroll.setAccessibleName("All keys")
        scroll.setToolTip("Arrow keys and Page Down scroll")
        scroll.setFrameShape(QScrollArea.Shape.NoFrame)
        scroll.setWidgetResizable(True)
        scroll.setWidget(sheet)
        self.column.addWidget(scroll, 1)
        self.column.addWidget(self.buttons)
        wanted = QSize(round(680 * font_scale()), round(620 * font_scale()))
        self.resize(wanted.boundedTo(parent.size()))


def _all_keys(command: Command) -> str:
    """The keys of ``command`` as the keyboard names them: "F5, F11"."""
    found = [command.shortcut] if command.shortcut is not None else []
    keys = [QKeySequence(key) for key in (*found, *command.other_keys)]
    return ", ".join(key.toString(QKeySequence.SequenceFormat.NativeText) for key in keys)
