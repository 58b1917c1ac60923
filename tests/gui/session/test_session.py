"""The session, as a user meets it: the next start looks like the last moment."""

import os
import time
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMessageBox
from pytestqt.qtbot import QtBot

from tests.files.models.configs import GPT2
from tests.gui.hands import said, shown_in, trigger, type_into
from tests.gui.restarts import Desktop
from zerogui.accounting.model import Model
from zerogui.accounting.scenario import Scenario
from zerogui.files.scenario import save
from zerogui.gui.theme import ThemeManager
from zerogui.gui.window import MainWindow


@pytest.fixture
def desktop(qtbot: QtBot, themes: ThemeManager, tmp_path: Path) -> Desktop:
    return Desktop(qtbot, themes, tmp_path)


def digits(window: MainWindow, name: str) -> str:
    return shown_in(window, name).replace("\u2009", "")


def message(window: MainWindow) -> str:
    return window.work.messages.text()


def pinned(window: MainWindow) -> list[str]:
    return [pin.name for pin in window.controller.board.pins.items]


def a_file(folder: Path, parameters: int = 7 * 10**9) -> Path:
    path = folder / "plan.zerogui.json"
    save(Scenario(model=Model("", parameters)), path)
    return path


def test_a_first_start_shows_the_seed_and_says_nothing(desktop: Desktop) -> None:
    window = desktop.start()
    assert said(window, "sentence").startswith("1\u00a0B parameters")
    assert message(window) == ""
    desktop.wait_for_autosave()
    window.close_for_good()
    assert desktop.sessions() == []


def test_a_change_is_on_disk_within_a_second_and_written_once(desktop: Desktop) -> None:
    window = desktop.start()
    type_into(window, "workers", "48")
    desktop.wait_for_autosave()
    (session,) = desktop.sessions()
    before = os.stat(session)
    desktop.wait_for_autosave()
    window.close_for_good()
    after = os.stat(session)
    assert (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns)


def test_the_next_start_looks_like_the_last_moment(desktop: Desktop, tmp_path: Path) -> None:
    window = desktop.start(a_file(tmp_path))
    type_into(window, "workers", "48")
    trigger(window, "pin")
    type_into(window, "workers", "96")
    QTest.keyClick(window.work.views.tabs, Qt.Key.Key_Right)
    trigger(window, "exact-bytes")
    title = window.windowTitle()
    view = window.work.views.current
    window.close_for_good()

    again = desktop.start()
    assert (again.windowTitle(), again.isWindowModified()) == (title, True)
    assert title == "plan.zerogui.json[*] – zerogui"
    assert digits(again, "parameters") == "7000000000"
    assert shown_in(again, "workers") == "96"
    assert pinned(again) == pinned(window)
    assert len(pinned(again)) == 1
    assert again.controller.board.pins.baseline == 0
    assert again.work.views.current == view == "scaling"
    assert message(again) == ""
    again.close_for_good()


def test_changes_that_are_discarded_at_closing_are_in_the_session_anyway(desktop: Desktop) -> None:
    window = desktop.start()
    type_into(window, "workers", "48")
    window.close()
    question = window.findChild(QMessageBox, "unsaved-changes")
    assert question is not None
    question.button(QMessageBox.StandardButton.Discard).click()
    assert not window.isVisible()
    again = desktop.start()
    assert shown_in(again, "workers") == "48"
    assert again.isWindowModified()
    again.close_for_good()


def test_changed_is_right_after_a_restart(desktop: Desktop, tmp_path: Path) -> None:
    path = a_file(tmp_path)
    window = desktop.start(path)
    window.close_for_good()
    again = desktop.start()
    assert not again.isWindowModified()
    type_into(again, "workers", "48")
    again.close_for_good()
    third = desktop.start()
    assert third.isWindowModified()
    type_into(third, "workers", "4")
    assert not third.isWindowModified()
    type_into(third, "workers", "12")
    trigger(third, "save")
    third.close_for_good()
    last = desktop.start()
    assert not last.isWindowModified()
    assert shown_in(last, "workers") == "12"
    last.close_for_good()


def test_a_file_that_changed_between_two_starts_is_not_overwritten_unasked(
    desktop: Desktop, tmp_path: Path
) -> None:
    path = a_file(tmp_path)
    window = desktop.start(path)
    type_into(window, "workers", "48")
    window.close_for_good()
    theirs = path.read_bytes().replace(b"7000000000", b"6000000000")
    path.write_bytes(theirs)
    again = desktop.start()
    trigger(again, "save")
    [box] = [box for box in again.findChildren(QMessageBox) if box.isVisible()]
    assert box.text() == "plan.zerogui.json has been changed on disk."
    QTest.keyClick(box, Qt.Key.Key_Escape)
    assert path.read_bytes() == theirs
    assert again.isWindowModified()
    again.close_for_good()


def test_the_card_of_a_model_comes_back_too(desktop: Desktop, tmp_path: Path) -> None:
    import json

    path = tmp_path / "config.json"
    path.write_text(json.dumps(GPT2))
    window = desktop.start(path)
    card = window.controller.shown.card
    assert card[0] == "gpt2, from config.json"
    window.close_for_good()
    again = desktop.start()
    assert again.controller.shown.card == card
    assert again.windowTitle().startswith("Untitled")
    again.close_for_good()


def test_a_file_opens_as_itself_and_the_last_session_can_be_reopened(
    desktop: Desktop, tmp_path: Path
) -> None:
    first = desktop.start()
    type_into(first, "workers", "48")
    first.close_for_good()

    window = desktop.start(a_file(tmp_path))
    assert digits(window, "parameters") == "7000000000"
    assert "Reopen last session" in message(window)
    type_into(window, "workers", "96")
    trigger(window, "reopen-session")
    assert (digits(window, "parameters"), shown_in(window, "workers")) == ("1000000000", "48")
    assert window.windowTitle().startswith("Untitled")
    # The work that was left for it waits in turn.
    trigger(window, "reopen-session")
    assert (digits(window, "parameters"), shown_in(window, "workers")) == ("7000000000", "96")
    assert window.windowTitle().startswith("plan.zerogui.json")
    window.close_for_good()
    assert len(desktop.sessions()) == 2


def test_work_that_waits_is_told_of_at_one_start_only(desktop: Desktop, tmp_path: Path) -> None:
    first = desktop.start()
    type_into(first, "workers", "48")
    first.close_for_good()
    for said_now in (True, False):
        window = desktop.start(a_file(tmp_path))
        assert ("Reopen last session" in message(window)) == said_now
        window.close_for_good()


def test_a_session_on_screen_is_no_suspect(desktop: Desktop) -> None:
    first = desktop.start()
    type_into(first, "workers", "48")
    first.close_for_good()
    window = desktop.start()
    desktop.wait_for_autosave()
    assert not list(desktop.state.glob("sessions/*.trying"))
    window.close_for_good()


def test_reopening_is_one_step_that_undo_takes_back(desktop: Desktop, tmp_path: Path) -> None:
    first = desktop.start()
    type_into(first, "workers", "48")
    first.close_for_good()
    window = desktop.start(a_file(tmp_path))
    trigger(window, "reopen-session")
    trigger(window, "undo")
    assert digits(window, "parameters") == "7000000000"
    window.close_for_good()


def test_without_another_session_reopening_says_so(desktop: Desktop) -> None:
    window = desktop.start()
    trigger(window, "reopen-session")
    assert "No other session" in window.statusBar().currentMessage()
    window.close_for_good()


def test_two_windows_at_once_keep_a_session_each(desktop: Desktop) -> None:
    one = desktop.start()
    type_into(one, "workers", "48")
    two = desktop.start()
    assert shown_in(two, "workers") == "4"
    assert message(two) == ""
    type_into(two, "workers", "96")
    desktop.wait_for_autosave()
    assert len(desktop.sessions()) == 2
    one.close_for_good()
    time.sleep(0.01)
    two.close_for_good()
    again = desktop.start()
    assert "Reopen last session" in message(again)
    seen = {shown_in(again, "workers")}
    trigger(again, "reopen-session")
    seen.add(shown_in(again, "workers"))
    assert seen == {"48", "96"}
    again.close_for_good()


@pytest.mark.parametrize(
    ("content", "kept_as"),
    [
        (b"", "session.corrupt-1.json"),
        (b"\x7fELF\0\0", "session.corrupt-1.json"),
        (b'{"format": "zerogui/session", "version": 99}', "session.newer-1.json"),
    ],
)
def test_a_session_that_cannot_be_read_is_moved_aside_and_the_seed_is_shown(
    desktop: Desktop, content: bytes, kept_as: str
) -> None:
    window = desktop.start()
    type_into(window, "workers", "48")
    window.close_for_good()
    (session,) = desktop.sessions()
    session.write_bytes(content)
    again = desktop.start()
    assert shown_in(again, "workers") == "4"
    assert str(desktop.state / kept_as) in message(again)
    assert (desktop.state / kept_as).read_bytes() == content
    again.close_for_good()


def test_settings_that_cannot_be_read_are_moved_aside_and_said(desktop: Desktop) -> None:
    desktop.settings.parent.mkdir()
    desktop.settings.write_text("{")
    window = desktop.start()
    assert "settings.corrupt-1.json" in message(window)
    assert desktop.settings.with_name("settings.corrupt-1.json").read_text() == "{"
    window.close_for_good()


def test_where_nothing_can_be_kept_the_window_works_and_says_so_once(desktop: Desktop) -> None:
    for folder in (desktop.state, desktop.settings.parent):
        folder.write_text("")
    window = desktop.start()
    assert message(window).count("will not be kept") == 1
    type_into(window, "workers", "48")
    assert message(window) == ""
    desktop.wait_for_autosave()
    assert message(window) == ""
    assert shown_in(window, "workers") == "48"
    trigger(window, "unit-gib")
    trigger(window, "reopen-session")
    window.close_for_good()


def test_a_session_that_can_no_longer_be_written_is_said_once(desktop: Desktop) -> None:
    window = desktop.start()
    folder = desktop.state / "sessions"
    folder.rename(desktop.state / "gone")
    type_into(window, "workers", "48")
    desktop.wait_for_autosave()
    assert "This session is not kept" in message(window)
    window.work.messages.close_message()
    type_into(window, "workers", "96")
    desktop.wait_for_autosave()
    assert message(window) == ""
    (desktop.state / "gone").rename(folder)
    type_into(window, "workers", "12")
    window.close_for_good()
    again = desktop.start()
    assert shown_in(again, "workers") == "12"
    again.close_for_good()
