"""Saving and closing as a person does: questions are answered by clicking their buttons."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QLineEdit, QMessageBox
from pytestqt.qtbot import QtBot

from tests.files.test_paths import unprivileged
from tests.gui.conftest import Opener
from tests.gui.hands import shown_in, trigger, type_into
from zerogui.gui.window import MainWindow
from zerogui.planning.start import starting_plan

PLAN = {"format": "zerogui/scenario", "version": 1, "model": {"parameters": 8_000_000_000}}


def parameters_in(path: Path) -> int:
    return int(json.loads(path.read_bytes())["model"]["parameters"])


def question(window: MainWindow, name: str) -> QMessageBox:
    found = [box for box in window.findChildren(QMessageBox, name) if box.isVisible()]
    assert len(found) == 1, f"{len(found)} questions are open ({name})"
    return found[0]


def answer(box: QMessageBox, text: str) -> None:
    """Click the button with this text."""
    [button] = [b for b in box.buttons() if b.text().replace("&", "") == text]
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def choose_file(window: MainWindow, path: Path) -> None:
    """Type a name into the file dialog that is open, and press Return."""
    dialog = next(d for d in window.findChildren(QFileDialog) if d.isVisible())
    edit: Any = dialog.findChild(QLineEdit, "fileNameEdit")
    edit.setText(str(path))
    QTest.keyClick(edit, Qt.Key.Key_Return)


def told(window: MainWindow) -> str:
    return window.statusBar().currentMessage()


@pytest.fixture
def plan(tmp_path: Path) -> Path:
    path = tmp_path / "plan.zerogui.json"
    path.write_text(json.dumps(PLAN), encoding="utf-8")
    return path


@pytest.fixture
def opened(open_window: Opener, plan: Path) -> MainWindow:
    """A window started on a file that somebody wrote by hand."""
    return open_window(starting_plan(str(plan)).scenario, str(plan))


def test_the_first_save_keeps_what_another_program_wrote(opened: MainWindow, plan: Path) -> None:
    before = plan.read_bytes()
    type_into(opened, "parameters", "7B")
    trigger(opened, "save")
    assert parameters_in(plan) == 7_000_000_000
    kept = plan.with_name("plan.zerogui.json.bak")
    assert kept.read_bytes() == before
    assert "what it held before is kept as plan.zerogui.json.bak" in told(opened)
    type_into(opened, "parameters", "6B")
    trigger(opened, "save")
    assert told(opened) == "Saved plan.zerogui.json"
    assert sorted(os.listdir(plan.parent)) == [plan.name, kept.name]


def changed_by_another(window: MainWindow, plan: Path) -> None:
    """The plan is saved, then another program writes the file, and the user changes the plan."""
    window.open_file(str(plan))
    plan.write_text(json.dumps(PLAN | {"title": "theirs"}), encoding="utf-8")
    type_into(window, "parameters", "7B")
    trigger(window, "save")


def test_a_file_that_changed_on_disk_is_not_overwritten_unasked(
    window: MainWindow, plan: Path
) -> None:
    changed_by_another(window, plan)
    box = question(window, "changed-on-disk")
    assert box.text() == "plan.zerogui.json has been changed on disk."
    answer(box, "Cancel")
    assert json.loads(plan.read_bytes())["title"] == "theirs"
    assert window.isWindowModified()


def test_overwriting_keeps_the_other_version(window: MainWindow, plan: Path) -> None:
    changed_by_another(window, plan)
    answer(question(window, "changed-on-disk"), "Overwrite")
    assert parameters_in(plan) == 7_000_000_000
    kept = json.loads(plan.with_name("plan.zerogui.json.bak").read_bytes())
    assert kept["title"] == "theirs"
    assert not window.isWindowModified()


def test_reloading_takes_the_other_version_and_undo_brings_mine_back(
    window: MainWindow, plan: Path
) -> None:
    changed_by_another(window, plan)
    answer(question(window, "changed-on-disk"), "Reload")
    assert shown_in(window, "title") == "theirs"
    assert not window.isWindowModified()
    trigger(window, "undo")
    assert shown_in(window, "parameters").replace("\u2009", "") == "7000000000"


def test_saving_elsewhere_leaves_the_other_version(window: MainWindow, plan: Path) -> None:
    changed_by_another(window, plan)
    answer(question(window, "changed-on-disk"), "Save as…")
    other = plan.with_name("mine.zerogui.json")
    choose_file(window, other)
    assert parameters_in(other) == 7_000_000_000
    assert json.loads(plan.read_bytes())["title"] == "theirs"
    assert window.windowTitle().startswith("mine.zerogui.json")


def test_a_deleted_file_is_written_again(window: MainWindow, plan: Path) -> None:
    window.open_file(str(plan))
    plan.unlink()
    type_into(window, "parameters", "7B")
    trigger(window, "save")
    assert parameters_in(plan) == 7_000_000_000
    assert told(window) == "Saved plan.zerogui.json again: it had been deleted meanwhile"


def test_closing_an_unchanged_plan_asks_nothing(window: MainWindow) -> None:
    window.close()
    assert not window.isVisible()


def test_a_pin_alone_is_kept_by_the_session_and_asks_nothing(window: MainWindow) -> None:
    trigger(window, "pin")
    window.close()
    assert not window.isVisible()


def test_closing_with_changes_asks_once_and_cancel_stays(window: MainWindow) -> None:
    type_into(window, "workers", "8")
    window.close()
    window.close()
    assert window.isVisible()
    answer(question(window, "unsaved-changes"), "Cancel")
    assert window.isVisible()
    assert shown_in(window, "workers") == "8"
    window.close()
    assert question(window, "unsaved-changes").text() == "Save the changes to this plan?"


def test_what_is_being_typed_counts_as_a_change(window: MainWindow) -> None:
    box: Any = window.panel.findChild(QLineEdit, "title")
    box.setFocus()
    QTest.keyClicks(box, "Half typed")
    window.close()
    assert question(window, "unsaved-changes").isVisible()


def test_discarding_closes_and_writes_nothing(qtbot: QtBot, opened: MainWindow, plan: Path) -> None:
    before = plan.read_bytes()
    type_into(opened, "workers", "8")
    opened.close()
    with qtbot.waitSignal(opened.closing):
        answer(question(opened, "unsaved-changes"), "Discard")
    assert not opened.isVisible()
    assert plan.read_bytes() == before
    assert os.listdir(plan.parent) == [plan.name]


def test_saving_on_closing_saves_and_closes(opened: MainWindow, plan: Path) -> None:
    type_into(opened, "parameters", "7B")
    opened.close()
    box = question(opened, "unsaved-changes")
    assert box.text() == "Save the changes to plan.zerogui.json?"
    answer(box, "Save")
    assert not opened.isVisible()
    assert parameters_in(plan) == 7_000_000_000


def test_a_new_plan_is_named_before_the_window_closes(window: MainWindow, tmp_path: Path) -> None:
    type_into(window, "parameters", "7B")
    window.close()
    answer(question(window, "unsaved-changes"), "Save")
    assert window.isVisible()
    choose_file(window, tmp_path / "new.zerogui.json")
    assert parameters_in(tmp_path / "new.zerogui.json") == 7_000_000_000
    assert not window.isVisible()


def test_a_save_that_fails_keeps_the_window_open(opened: MainWindow, plan: Path) -> None:
    before = plan.read_bytes()
    # pytest's folders are for their owner alone.
    for folder in (plan.parent, *plan.parent.parents[:3]):
        if folder.name.startswith("pytest"):
            folder.chmod(0o755)
    plan.parent.chmod(0o555)
    type_into(opened, "parameters", "7B")
    opened.close()
    with unprivileged():
        answer(question(opened, "unsaved-changes"), "Save")
    plan.parent.chmod(0o755)
    assert opened.isVisible()
    assert opened.work.messages.kind() == "error"
    assert "permission denied" in opened.work.messages.text()
    assert plan.read_bytes() == before
    assert opened.isWindowModified()


def test_a_file_changed_on_disk_is_asked_about_on_closing_too(
    opened: MainWindow, plan: Path
) -> None:
    type_into(opened, "parameters", "7B")
    trigger(opened, "save")
    plan.write_text(json.dumps(PLAN | {"title": "theirs"}), encoding="utf-8")
    type_into(opened, "parameters", "6B")
    opened.close()
    answer(question(opened, "unsaved-changes"), "Save")
    assert opened.isVisible()
    answer(question(opened, "changed-on-disk"), "Overwrite")
    assert parameters_in(plan) == 6_000_000_000
    assert not opened.isVisible()


def test_opening_another_file_and_reset_ask_nothing_as_undo_brings_all_back(
    window: MainWindow, plan: Path
) -> None:
    type_into(window, "workers", "16")
    window.open_file(str(plan))
    assert window.findChild(QMessageBox) is None
    trigger(window, "reset")
    assert window.findChild(QMessageBox) is None
    trigger(window, "undo")
    trigger(window, "undo")
    assert shown_in(window, "workers") == "16"
