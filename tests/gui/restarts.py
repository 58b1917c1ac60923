"""Starts and ends of the program in one process, for the tests of what is remembered."""

from pathlib import Path
from typing import Any

from pytestqt.qtbot import QtBot

from zerogui.gui.app import make_window
from zerogui.gui.session.keeper import begin
from zerogui.gui.theme import ThemeManager
from zerogui.gui.window import MainWindow
from zerogui.planning.start import starting_plan


class Desktop:
    """A user's desktop: windows are started and closed on the folders of one user."""

    def __init__(self, qtbot: QtBot, themes: ThemeManager, folder: Path) -> None:
        self._qtbot, self._themes = qtbot, themes
        self.state = folder / "state"
        self.settings = folder / "config" / "settings.json"
        self.log = self.state / "crash.log"

    def start(self, path: Path | None = None) -> MainWindow:
        """Start the program, with a file or without, and wait until all is painted."""
        file = None if path is None else str(path)
        session = begin(str(self.state), str(self.log), restore=file is None)
        window = make_window(self._themes, starting_plan(file), file, str(self.settings), session)
        self._qtbot.addWidget(window)
        window.show()
        self._qtbot.waitExposed(window)

        def painted() -> None:
            view: Any = window.work.views.view(window.work.views.current)
            assert view is not None

        self._qtbot.waitUntil(painted, timeout=20_000)
        return window

    def sessions(self) -> list[Path]:
        """The session files there are."""
        return sorted((self.state / "sessions").glob("*.json"))

    def wait_for_autosave(self) -> None:
        """The second within which a change is on disk, and no more."""
        self._qtbot.wait(1000)
