"""Saving as a conversation: where to, what if others changed the file, and what on closing."""

from collections.abc import Callable
from typing import Protocol

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QMainWindow, QMessageBox

from zerogui.files import SUFFIX
from zerogui.files.errors import shown_name
from zerogui.gui.controller import Controller
from zerogui.gui.ledger import Outcome
from zerogui.gui.widgets.plain_text import displayed

Button = QMessageBox.StandardButton
Role = QMessageBox.ButtonRole
Then = Callable[[], object]


class SavingWindow(Protocol):
    """What the conversation needs of the window."""

    controller: Controller

    def file_dialog(self, title: str, filters: str, *, saves: bool = False) -> QFileDialog:
        """A dialog in the plan's folder."""

    def remember(self, path: str) -> None:
        """Put ``path`` on top of the recent files."""

    def open_file(self, path: str) -> None:
        """Open whatever is at ``path``."""

    def close(self) -> bool:
        """Close, with a question if there are changes again."""

    def close_for_good(self) -> None:
        """Close without a question."""


class Saving:
    """Asks by dialogs that are open beside the window; none of them waits in a nested loop."""

    def __init__(self, window: SavingWindow, parent: QMainWindow) -> None:
        self._window = window
        self._parent = parent
        self._question: QMessageBox | None = None

    def save(self, then: Then | None = None) -> None:
        """Save to the plan's file, or ask for one; ``then`` follows once it is written."""
        path = self._window.controller.shown.path
        if path is None:
            self.ask_save_as(then)
        else:
            self._save_to(path, then, careful=True)

    def ask_save_as(self, then: Then | None = None) -> None:
        """Let the user choose where to save."""
        dialog = self._window.file_dialog("Save the scenario", f"Scenarios (*{SUFFIX})", saves=True)
        dialog.setDefaultSuffix(SUFFIX.lstrip("."))
        dialog.fileSelected.connect(lambda path: self.save_to(path, then))
        dialog.open()

    def save_to(self, path: str, then: Then | None = None) -> None:
        """Save to ``path``, which the user has just chosen, whatever is there."""
        self._save_to(path, then, careful=False)

    def _save_to(self, path: str, then: Then | None, *, careful: bool) -> None:
        def ended(outcome: Outcome) -> None:
            if outcome.changed:
                self._ask_over_changes(path, then)
            elif outcome.written is not None:
                self._window.remember(path)
                if then is not None:
                    then()

        self._window.controller.save(path, ended, careful=careful)

    def _ask_over_changes(self, path: str, then: Then | None) -> None:
        box = self._box("changed-on-disk", f"{shown_name(path)} has been changed on disk.")
        box.setInformativeText(
            "Another program has written to it since it was opened or saved here. Overwriting"
            " keeps a copy of what it holds now beside it; reloading drops nothing either, as"
            " Undo brings this plan back."
        )
        overwrite = box.addButton("&Overwrite", Role.AcceptRole)
        save_as = box.addButton("Save &as…", Role.AcceptRole)
        reload = box.addButton("&Reload", Role.DestructiveRole)
        box.setDefaultButton(box.addButton(Button.Cancel))
        for button, does in (
            (overwrite, "Write this plan over it; what it holds now is kept beside it"),
            (save_as, "Write this plan to another file"),
            (reload, "Show what the file holds now; Undo brings this plan back"),
        ):
            button.setToolTip(does)
        _word(box)
        overwrite.clicked.connect(lambda: self._save_to(path, then, careful=False))
        save_as.clicked.connect(lambda: self.ask_save_as(then))
        reload.clicked.connect(lambda: self._window.open_file(path))
        box.open()

    def ask_before_closing(self) -> None:
        """Unsaved changes: save them, discard them, or stay. Asks once, however often called."""
        if self._question is not None:
            self._question.raise_()
            return
        path = self._window.controller.shown.path
        name = shown_name(path) if path else "this plan"
        box = self._box("unsaved-changes", f"Save the changes to {name}?")
        box.setInformativeText("They are not in a file yet.")
        for button in (Button.Save, Button.Discard, Button.Cancel):
            box.addButton(button)
        _word(box)
        box.setDefaultButton(Button.Save)
        window = self._window
        box.button(Button.Save).clicked.connect(lambda: self.save(window.close))
        box.button(Button.Discard).clicked.connect(window.close_for_good)
        box.finished.connect(self._answered)
        self._question = box
        box.open()

    def _answered(self) -> None:
        self._question = None

    def _box(self, name: str, text: str) -> QMessageBox:
        box = QMessageBox(self._parent)
        box.setObjectName(name)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        # Whatever a file is called, it is no markup.
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setIcon(QMessageBox.Icon.Warning)
        box.setWindowTitle("zerogui")
        box.setText(displayed(text))
        return box


def _word(box: QMessageBox) -> None:
    from zerogui.gui.dialogs.standard_buttons import word_buttons

    word_buttons(box)
