"""Large files open, and long lists are worked out, while the window goes on living."""

import json
import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QMessageBox, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from tests.files.large import checkpoint, children, plan
from tests.gui.conftest import Opener
from tests.gui.hands import choose, said, shown_in, table_bytes, type_into
from tests.gui.heart import Heart, longest_pause
from zerogui.gui import background
from zerogui.gui.window import MainWindow
from zerogui.planning.start import starting_plan

PATIENCE = 60_000  # ms
MANY = 30_000
# 8 · (64 + i mod 31) summed over i < 30,000: 967 rounds of 31 and 23 more.
ELEMENTS = 8 * (967 * (31 * 64 + 465) + 23 * 64 + 253)


@pytest.fixture(autouse=True)
def _usual_grace(
    _what_is_quick_is_done_at_once: None, monkeypatch: pytest.MonkeyPatch
) -> Iterator[None]:
    """Here the program waits as briefly as it does for users, and leaves no process."""
    monkeypatch.setattr(background, "GRACE", 0.03)
    yield
    assert not children(), "a process is left"


@pytest.fixture
def large(tmp_path: Path) -> str:
    return plan(tmp_path / "large.zerogui.json", MANY)


def digits(text: str) -> int:
    return int(text.replace("\u2009", ""))


def parameters(window: MainWindow) -> int:
    return digits(shown_in(window, "parameters"))


def progress(window: MainWindow) -> QWidget:
    found = window.findChild(QWidget, "progress")
    assert found is not None
    return found


def progress_text(window: MainWindow) -> str:
    label = progress(window).findChild(QLabel, "progress-text")
    assert label is not None
    return label.text()


def busy(window: MainWindow) -> bool:
    return progress(window).isVisible()


def wait_for(qtbot: QtBot, what: Callable[[], bool]) -> None:
    qtbot.waitUntil(what, timeout=PATIENCE)


def open_and_see_progress(qtbot: QtBot, window: MainWindow, path: str) -> None:
    window.open_file(path)
    wait_for(qtbot, lambda: busy(window))


def cancel(window: MainWindow) -> None:
    button = progress(window).findChild(QPushButton, "progress-cancel")
    assert button is not None
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def test_a_large_plan_opens_while_the_window_lives(
    qtbot: QtBot, window: MainWindow, large: str
) -> None:
    heart = Heart()
    open_and_see_progress(qtbot, window, large)
    assert progress_text(window) == "Opening large.zerogui.json …"
    assert parameters(window) == 10**9
    wait_for(qtbot, lambda: not busy(window))
    heart.stop()
    assert heart.beats > 10
    assert parameters(window) == ELEMENTS
    assert window.statusBar().currentMessage() == "Opened large.zerogui.json"
    assert window.windowTitle().startswith("large.zerogui.json")
    assert not window.isWindowModified()


def test_a_small_file_shows_no_progress(window: MainWindow, tmp_path: Path) -> None:
    seen: list[bool] = []
    window.background.changed.connect(lambda: seen.append(busy(window)))
    window.open_file(plan(tmp_path / "small.zerogui.json", 3))
    QTest.qWait(300)
    assert parameters(window) == 8 * (64 + 65 + 66)
    assert not any(seen)


def test_the_shards_of_a_folder_are_counted(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    seen: set[str] = set()
    window.background.changed.connect(lambda: seen.add(progress_text(window)))
    folder = checkpoint(tmp_path / "model", shards=12, tensors=3000)
    open_and_see_progress(qtbot, window, folder)
    wait_for(qtbot, lambda: not busy(window))
    assert any(text.startswith("Opening model (") and "of 12 files" in text for text in seen)
    # 3,000 tensors are 96 rounds of 31 and 24 more.
    assert parameters(window) == 12 * 8 * (96 * (31 * 64 + 465) + 24 * 64 + 276)


def test_cancel_leaves_everything_as_it_was(qtbot: QtBot, window: MainWindow, large: str) -> None:
    open_and_see_progress(qtbot, window, large)
    cancel(window)
    assert not busy(window)
    assert window.statusBar().currentMessage() == "Cancelled: Opening large.zerogui.json"
    wait_for(qtbot, lambda: not children())
    QTest.qWait(200)
    assert parameters(window) == 10**9
    undo = window.findChild(QAction, "undo")
    assert undo is not None
    assert not undo.isEnabled()


def test_a_plan_that_is_edited_meanwhile_keeps_the_edit(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    folder = checkpoint(tmp_path / "model", shards=1, tensors=MANY)
    open_and_see_progress(qtbot, window, folder)
    type_into(window, "workers", "16")
    assert shown_in(window, "workers") == "16"
    wait_for(qtbot, lambda: not busy(window) and parameters(window) == ELEMENTS)
    # The checkpoint brought its model; the workers are those typed while it was read.
    assert shown_in(window, "workers") == "16"
    window.undo()
    wait_for(qtbot, lambda: parameters(window) == 10**9)
    assert shown_in(window, "workers") == "16"


def test_of_two_files_the_later_one_counts(
    qtbot: QtBot, window: MainWindow, large: str, tmp_path: Path
) -> None:
    open_and_see_progress(qtbot, window, large)
    window.open_file(plan(tmp_path / "small.zerogui.json", 3, title="the later one"))
    wait_for(qtbot, lambda: shown_in(window, "title") == "the later one")
    wait_for(qtbot, lambda: not children())
    QTest.qWait(200)
    assert shown_in(window, "title") == "the later one"
    assert not busy(window)


def test_closing_drops_what_is_being_opened(qtbot: QtBot, window: MainWindow, large: str) -> None:
    open_and_see_progress(qtbot, window, large)
    window.close()
    assert not window.isVisible()
    wait_for(qtbot, lambda: not children())


def test_a_large_file_that_is_wrong_says_so(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    path = tmp_path / "wrong.json"
    path.write_text('{"numbers": [' + "1," * 2_000_000 + "1]}", encoding="utf-8")
    window.open_file(str(path))
    wait_for(qtbot, lambda: window.work.messages.kind() == "error")
    assert window.work.messages.text().startswith("wrong.json: holds none of what opens here ")
    assert parameters(window) == 10**9


def test_a_reader_that_dies_is_an_error_and_no_end(
    qtbot: QtBot, window: MainWindow, large: str
) -> None:
    open_and_see_progress(qtbot, window, large)
    for process in children():
        os.kill(process, signal.SIGKILL)
    wait_for(qtbot, lambda: not busy(window))
    assert "was not read to its end" in window.work.messages.text()
    assert parameters(window) == 10**9


def test_a_large_plan_is_saved_on_closing(qtbot: QtBot, open_window: Opener, large: str) -> None:
    window = open_window(starting_plan(large).scenario, large)
    type_into(window, "workers", "16")
    wait_for(qtbot, lambda: window.isWindowModified())
    window.close()
    [box] = window.findChildren(QMessageBox)
    with qtbot.waitSignal(window.closing, timeout=PATIENCE):
        save: Any = box.button(QMessageBox.StandardButton.Save)
        QTest.mouseClick(save, Qt.MouseButton.LeftButton)
    assert not window.isVisible()
    saved = json.loads(Path(large).read_bytes())
    assert saved["cluster"]["workers"] == 16
    assert len(saved["model"]["tensors"]) == MANY


def test_closing_while_saving_closes_when_it_is_saved_and_asks_nothing(
    qtbot: QtBot, open_window: Opener, large: str
) -> None:
    window = open_window(starting_plan(large).scenario, large)
    type_into(window, "workers", "16")
    wait_for(qtbot, lambda: window.isWindowModified())
    window.save()
    assert window.background.saving
    window.close()
    assert window.isVisible()
    assert not window.findChildren(QMessageBox)
    wait_for(qtbot, lambda: not window.isVisible())
    assert json.loads(Path(large).read_bytes())["cluster"]["workers"] == 16


def test_edits_of_a_long_list_are_worked_out_in_the_background(
    qtbot: QtBot, open_window: Opener, tmp_path: Path
) -> None:
    path = plan(tmp_path / "list.zerogui.json", 40_000)
    window = open_window(starting_plan(path).scenario, path)
    choose(window, "rule", "PyTorch Zero")
    wait_for(qtbot, lambda: not window.background.working)
    heart = Heart()
    # Whole tensors in a format with blocks: their ranks take seconds to find.
    choose(window, "optimizer-1", "int8-block256")
    wait_for(qtbot, lambda: busy(window))
    assert progress_text(window) == "Working out the plan …"
    wait_for(qtbot, lambda: heart.beats > 10)
    assert busy(window)
    # On second thoughts: what is not wanted any more is dropped.
    type_into(window, "workers", "8000")
    choose(window, "rule", "Even")
    wait_for(qtbot, lambda: not window.background.working)
    heart.stop()
    assert shown_in(window, "workers").replace("\u2009", "") == "8000"
    # bf16 weights: 8 · (64 + i mod 31) summed over 40,000 (1,290 rounds of 31 and 10 more), 2 B.
    assert table_bytes(window)[0][0] == 2 * 8 * (1290 * (31 * 64 + 465) + 10 * 64 + 45)
    assert "8\u2009000 workers" in said(window, "sentence")


@pytest.mark.soak
def test_nothing_stops_the_window_for_a_tenth_of_a_second(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    from PySide6.QtWidgets import QComboBox

    QTest.qWait(500)
    files = {
        "plan": plan(tmp_path / "plan.zerogui.json", 100_000),
        "folder": checkpoint(tmp_path / "model", shards=20, tensors=5000),
        "most": plan(tmp_path / "most.zerogui.json", 2**20),
    }
    numbers = tmp_path / "numbers.json"
    numbers.write_text('{"numbers": [' + "1," * 30_000_000 + "1]}", encoding="utf-8")
    files["numbers"] = str(numbers)
    pauses: dict[str, float] = {}
    for name, path in files.items():
        pauses[f"open {name}"] = longest_pause(qtbot, window, lambda p=path: window.open_file(p))
        workers = iter(("64", "128", "256", "512"))
        pauses[f"workers of {name}"] = longest_pause(
            qtbot, window, lambda w=workers: type_into(window, "workers", next(w))
        )
        pauses[f"undo {name}"] = longest_pause(
            qtbot, window, lambda: (window.undo(), window.undo(), window.redo())
        )
    window.open_file(files["plan"])
    wait_for(qtbot, lambda: not window.background.working)
    saved = str(tmp_path / "saved.zerogui.json")
    pauses["save"] = longest_pause(qtbot, window, lambda: window.save_to(saved))
    for view in ("scaling", "ranks", "compare", "derivation", "stages"):
        window.work.views.show_view(view)  # which loads it the first time, whatever the model
        QTest.qWait(500)
        workers = iter(("64", "128", "256", "512"))
        pauses[view] = longest_pause(
            qtbot, window, lambda w=workers: type_into(window, "workers", next(w))
        )
    rules = window.panel.findChild(QComboBox, "rule")
    assert rules is not None
    for index in range(rules.count()):
        name = rules.itemText(index)
        pauses[name] = longest_pause(qtbot, window, lambda n=name: choose(window, "rule", n))
    for name, pause in pauses.items():
        print(f"{pause * 1000:6.0f} ms  {name}")
    slow = {name: pause for name, pause in pauses.items() if pause > 0.1}
    assert not slow
