"""A real window for the tests, with its chart painted, as a user sees it after the start."""

import os
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.gui.hands import in_front
from zerogui.accounting.scenario import Scenario
from zerogui.gui import background
from zerogui.gui.app import make_window, release_clipboard
from zerogui.gui.theme import ThemeManager, set_font_scale
from zerogui.gui.widgets.wheel import WheelGuard
from zerogui.gui.window import MainWindow
from zerogui.planning.opening import OpenedPlan
from zerogui.planning.start import seed

Opener = Callable[..., MainWindow]

PATIENCE = 20  # s

# What every window of these tests shows is compared with its report at once.
os.environ["ZEROGUI_WATCHDOG"] = "1"


@pytest.fixture(autouse=True)
def _what_is_quick_is_done_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """However busy the machine: tests about waiting set the usual grace again."""
    monkeypatch.setattr(background, "GRACE", PATIENCE)


@pytest.fixture(autouse=True)
def _windows_close_without_a_question(qtbot: QtBot) -> Iterator[None]:
    """A test may leave unsaved changes; only tests about closing want to be asked."""
    yield
    for widget in QApplication.topLevelWidgets():
        if isinstance(widget, MainWindow):
            widget.close_for_good()


@pytest.fixture(scope="session")
def themes(qapp: QApplication) -> ThemeManager:
    """The application's theme manager, light whatever the desktop says."""
    WheelGuard.install(qapp)
    manager = ThemeManager(qapp)
    manager.choose("light")
    return manager


@pytest.fixture
def usual_look(themes: ThemeManager) -> Iterator[ThemeManager]:
    """Light, in text of the usual size; afterwards too, whatever the test chooses."""
    themes.choose("light")
    yield themes
    set_font_scale(1.0)
    themes.choose("light")


@pytest.fixture(scope="session", autouse=True)
def _nothing_stays_on_the_clipboard(qapp: QApplication) -> Iterator[None]:
    """What a test has copied goes before Python does."""
    yield
    release_clipboard(qapp)


@pytest.fixture
def open_window(qtbot: QtBot, themes: ThemeManager) -> Opener:
    """Opens a window on a scenario (the seed) and waits for its chart."""

    def opened(scenario: Scenario | None = None, path: str | None = None) -> MainWindow:
        window = make_window(themes, OpenedPlan(scenario or seed(), path is not None), path)
        qtbot.addWidget(window)
        window.show()
        in_front(qtbot, window)

        def painted() -> None:
            chart: Any = window.work.views.view("stages")
            assert chart is not None
            assert chart.picture is not None

        qtbot.waitUntil(painted, timeout=20_000)
        return window

    return opened


@pytest.fixture
def window(open_window: Opener) -> MainWindow:
    """The window of a first start."""
    return open_window()
