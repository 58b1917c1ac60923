"""Whatever is done with a plan of a hundred thousand tensors, the window goes on living."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog, QFileDialog, QLineEdit, QMessageBox
from pytestqt.qtbot import QtBot

from tests.files.large import plan
from tests.gui.conftest import Opener
from tests.gui.hands import shown_in, type_into
from tests.gui.heart import longest_pause
from tests.gui.restarts import Desktop
from tests.robustness.test_crashes import child
from zerogui.gui import background
from zerogui.gui.theme import ThemeManager
from zerogui.gui.window import MainWindow
from zerogui.planning.start import starting_plan

MANY = 100_000
ENGINES = ("deepspeed", "accelerate", "pytorch")
TABLES = ("csv", "markdown", "html", "xlsx")
CHARTS = (".png", ".svg", ".pdf")


@pytest.fixture(autouse=True)
def _usual_grace(_what_is_quick_is_done_at_once: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Here the program waits as briefly as it does for users."""
    monkeypatch.setattr(background, "GRACE", 0.03)


def trigger(window: MainWindow, name: str) -> None:
    action = window.findChild(QAction, name)
    assert action is not None, name
    action.trigger()


def asked(window: MainWindow, deed: Callable[[], object]) -> QFileDialog | None:
    """The dialog that a command opens to ask for a file; None where it is refused before."""
    deed()
    for box in window.findChildren(QMessageBox):
        if box.isVisible():
            box.accept()
    QTest.qWait(300)
    dialogs = [each for each in window.findChildren(QFileDialog) if each.isVisible()]
    return dialogs[0] if dialogs else None


def exports(window: MainWindow) -> dict[str, Callable[[], object]]:
    """All that writes a file, by what it is called."""
    return {
        "save as": window.ask_save_as,
        "save comparison": window.ask_save_comparison,
        "report": window.export_report,
        **{form: partial(window.export_engine, form) for form in ENGINES},
        **{form: partial(window.export_table, form) for form in TABLES},
        **{form: partial(window.export_chart, form) for form in CHARTS},
    }


def train_only(window: MainWindow, text: str) -> None:
    window.ask_train_only()
    QTest.qWait(50)
    edit = window.findChild(QLineEdit, "train-only")
    assert edit is not None
    edit.setText(text)
    QTest.keyClick(edit, Qt.Key.Key_Return)


@pytest.fixture
def listed(open_window: Opener, tmp_path: Path) -> MainWindow:
    path = plan(tmp_path / "list.zerogui.json", 30_000)
    return open_window(starting_plan(path).scenario, path)


def test_freezing_a_part_of_a_long_list_goes_on_beside_the_window(
    qtbot: QtBot, listed: MainWindow
) -> None:
    train_only(listed, "l.1.*")
    dialog = listed.findChild(QDialog)
    assert dialog is not None
    assert dialog.isVisible()
    assert listed.background.working
    qtbot.waitUntil(lambda: shown_in(listed, "frozen") != "0", timeout=60_000)
    qtbot.waitUntil(lambda: not listed.findChildren(QDialog))
    # Called l.1 are those with the numbers 1, 98, 195, ...
    trained = sum(8 * (64 + i % 31) for i in range(1, 30_000, 97))
    model = listed.controller.scenario.model
    assert model.trainable_parameters == trained
    assert listed.findChild(QAction, "undo").text().endswith("Train only l.1.*")


def test_a_dialog_that_is_closed_meanwhile_freezes_nothing(
    qtbot: QtBot, listed: MainWindow
) -> None:
    train_only(listed, "l.1.*")
    assert listed.background.working
    dialog = listed.findChild(QDialog)
    assert dialog is not None
    dialog.reject()
    qtbot.waitUntil(lambda: not listed.background.working, timeout=60_000)
    QTest.qWait(50)
    assert listed.controller.scenario.model.frozen_parameters == 0
    assert not listed.isWindowModified()


def test_a_start_on_a_large_file_shows_a_window_first(tmp_path: Path) -> None:
    path = plan(tmp_path / "large.zerogui.json", 30_000)
    status, told, errors = child(tmp_path, "opens", path)
    assert status == 0, errors
    assert told["first"] == "Untitled[*] – zerogui"
    assert told["then"] == "large.zerogui.json[*] – zerogui"
    assert told["message"] == ""


def test_what_is_wrong_with_a_large_file_is_said_in_the_window(tmp_path: Path) -> None:
    path = tmp_path / "wrong.json"
    path.write_text('{"numbers": [' + "1," * 600_000 + "1]}", encoding="utf-8")
    status, told, errors = child(tmp_path, "opens", str(path))
    assert status == 0, errors
    assert told["then"] == "Untitled[*] – zerogui"
    assert told["message"].startswith("wrong.json: holds none of what opens here (")


VIEWS = ("scaling", "ranks", "compare", "derivation", "stages")


class Pauses:
    """Does things in a window and notes how long its thread was kept, by what was done."""

    def __init__(self, qtbot: QtBot, window: MainWindow) -> None:
        self._qtbot, self.window = qtbot, window
        self.found: dict[str, float] = {}
        self.workers = iter(str(n) for n in range(64, 640, 8))

    def of(self, name: str, deed: Callable[[], object]) -> None:
        """Do ``deed``, perhaps several times."""
        self.found[name] = longest_pause(self._qtbot, self.window, deed, rest=1500)
        print(f"{self.found[name] * 1000:6.0f} ms  {name}", flush=True)

    def more_workers(self, name: str) -> None:
        """Another number of workers."""
        self.of(name, lambda: type_into(self.window, "workers", next(self.workers)))

    def close_dialogs(self) -> None:
        """What is open in front of the window goes."""
        for dialog in self.window.findChildren(QDialog):
            dialog.close()


def edits_and_copies(pauses: Pauses) -> None:
    window = pauses.window
    pauses.more_workers("workers, saved in the session")
    titles = iter("abcdefgh")
    pauses.of("title, saved in the session", lambda: type_into(window, "title", next(titles)))
    patterns = iter(("l.1.*", "l.2.*", "l.3.*", "l.4.*"))
    pauses.of("freeze all but a pattern", lambda: train_only(window, next(patterns)))
    pauses.of("freeze nothing", lambda: train_only(window, "100%"))
    pauses.of("freeze a wrong pattern", lambda: train_only(window, "nothing.like.this"))
    pauses.close_dialogs()
    pauses.of("undo", window.undo)
    pauses.of("redo", window.redo)
    pauses.of("pin", lambda: trigger(window, "pin"))
    pauses.of("undo pin", window.undo)
    pauses.of("copy table", window.copy_table)
    pauses.of("copy arithmetic", window.copy_arithmetic)
    pauses.of("browse models", window.browse_models)
    pauses.close_dialogs()


def views(pauses: Pauses) -> None:
    window = pauses.window
    window.pin()
    for view in VIEWS:
        pauses.of(f"first {view}", lambda v=view: window.work.views.show_view(v))
        pauses.more_workers(f"workers in {view}")
    for view in VIEWS:
        pauses.of(f"again {view}", lambda v=view: window.work.views.show_view(v))


def exports_and_switches(pauses: Pauses, folder: Path) -> None:
    window = pauses.window
    for name, deed in exports(window).items():
        path = str(folder / f"{name.replace('.', '')}.zerogui.json")
        dialog = asked(window, deed)
        if dialog is not None:
            pauses.of(f"export {name}", lambda d=dialog, p=path: d.fileSelected.emit(p))
            dialog.close()
    pauses.of("exact bytes", lambda: trigger(window, "exact-bytes"))
    pauses.of("GiB", lambda: trigger(window, "unit-gib"))
    pauses.of("reset", lambda: trigger(window, "reset"))
    pauses.of("undo reset", window.undo)


@pytest.mark.soak
def test_no_deed_on_a_long_list_stops_the_window_for_a_tenth_of_a_second(
    qtbot: QtBot, themes: ThemeManager, tmp_path: Path
) -> None:
    window = Desktop(qtbot, themes, tmp_path).start()
    window.open_file(plan(tmp_path / "plan.zerogui.json", MANY))
    qtbot.waitUntil(lambda: not window.background.working, timeout=60_000)
    QTest.qWait(2500)
    pauses = Pauses(qtbot, window)
    edits_and_copies(pauses)
    views(pauses)
    exports_and_switches(pauses, tmp_path)
    assert {name: pause for name, pause in pauses.found.items() if pause > 0.1} == {}
    window.close_for_good()
