"""The folder of sessions: who owns which, what is taken over, and what is let go."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from zerogui.accounting.model import Model
from zerogui.accounting.scenario import Scenario
from zerogui.files.errors import FileError
from zerogui.files.locks import FileLock, try_lock
from zerogui.files.session import Session
from zerogui.files.session_folder import Beginning, SessionFolder

SEED = Scenario()


def session(parameters: int, *, unsaved: bool = True) -> Session:
    plan = Scenario(model=Model("", parameters))
    return Session(plan, SEED if unsaved else plan)


def begun(folder: Path, *, restore: bool = True) -> Beginning:
    return SessionFolder(str(folder)).begin(restore=restore)


def names(folder: Path) -> list[str]:
    """The kinds of files that are there, without their ids."""
    return sorted(name.rpartition(".")[2] for name in os.listdir(folder / "sessions"))


@pytest.fixture
def others() -> Iterator[list[subprocess.Popen[str]]]:
    """Other instances; whatever the test does they are gone afterwards."""
    started: list[subprocess.Popen[str]] = []
    yield started
    for process in started:
        process.kill()
        process.wait()
        if process.stdout is not None:
            process.stdout.close()


OTHER = """
import sys, time
from zerogui.accounting.model import Model
from zerogui.accounting.scenario import Scenario
from zerogui.files.session import Session
from zerogui.files.session_folder import SessionFolder
found = SessionFolder(sys.argv[1]).begin(restore=True)
if len(sys.argv) > 2:
    found.own.write(Session(Scenario(model=Model("", int(sys.argv[2]))), Scenario()))
    found.own.proven()
print("ready", flush=True)
time.sleep(600)
"""


def other(folder: Path, others: list[subprocess.Popen[str]], *parameters: int) -> None:
    """Another instance that runs, with a session on so many parameters."""
    process = subprocess.Popen(
        [sys.executable, "-c", OTHER, str(folder), *map(str, parameters)],
        stdout=subprocess.PIPE,
        text=True,
    )
    others.append(process)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"


def test_a_first_start_finds_nothing_and_leaves_nothing(tmp_path: Path) -> None:
    found = begun(tmp_path)
    assert (found.restored, found.crashed, found.waiting, found.notes) == (None, False, False, ())
    found.own.leave()
    assert names(tmp_path) == []


def test_what_one_start_wrote_the_next_one_restores(tmp_path: Path) -> None:
    first = begun(tmp_path)
    assert first.own.write(session(7))
    first.own.leave()
    second = begun(tmp_path)
    assert second.restored == session(7)
    assert not second.crashed
    second.own.leave()
    assert names(tmp_path) == ["json"]


def test_nothing_is_written_twice(tmp_path: Path) -> None:
    own = begun(tmp_path).own
    assert own.write(session(7))
    moment = os.stat(own.path).st_mtime_ns
    assert not own.write(session(7))
    assert os.stat(own.path).st_mtime_ns == moment
    own.leave()
    again = begun(tmp_path)
    assert not again.own.write(session(7))
    again.own.leave()


def test_an_older_moment_does_not_overwrite_a_newer_one(tmp_path: Path) -> None:
    own = begun(tmp_path).own
    earlier = own.ticket()
    assert own.write(session(8))
    assert not own.write(session(7), earlier)
    own.leave()
    assert begun(tmp_path).restored == session(8)


@pytest.mark.parametrize("wrote", [True, False])
def test_a_killed_instance_is_noticed_once(
    tmp_path: Path, others: list[subprocess.Popen[str]], wrote: bool
) -> None:
    other(tmp_path, others, *([7] if wrote else []))
    others[0].send_signal(signal.SIGKILL)
    others[0].wait()
    found = begun(tmp_path)
    assert found.crashed
    assert found.restored == (session(7) if wrote else None)
    found.own.leave()
    assert not begun(tmp_path).crashed


def test_a_second_instance_leaves_the_first_alone(
    tmp_path: Path, others: list[subprocess.Popen[str]]
) -> None:
    other(tmp_path, others, 7)
    second = begun(tmp_path)
    assert (second.restored, second.crashed, second.waiting) == (None, False, False)
    second.own.write(session(8))
    second.own.leave()
    assert names(tmp_path) == ["json", "json", "lock"]
    third = begun(tmp_path)
    assert third.restored == session(8)
    third.own.leave()


def test_the_newest_comes_back_and_older_unsaved_work_waits(
    tmp_path: Path, others: list[subprocess.Popen[str]]
) -> None:
    other(tmp_path, others, 7)
    second = begun(tmp_path)
    second.own.write(session(8))
    second.own.leave()
    others[0].kill()
    others[0].wait()
    folder = SessionFolder(str(tmp_path))
    found = folder.begin(restore=True)
    assert found.restored == session(8)
    assert found.waiting
    assert found.crashed
    taken = folder.take()
    assert taken is not None
    assert taken[0] == session(7)
    assert folder.take() is None
    found.own.leave()
    taken[1].leave()
    assert names(tmp_path) == ["json", "json"]


def test_a_start_on_a_file_takes_nothing_over(tmp_path: Path) -> None:
    first = begun(tmp_path)
    first.own.write(session(7))
    first.own.leave()
    on_file = begun(tmp_path, restore=False)
    assert on_file.restored is None
    assert on_file.waiting
    on_file.own.write(session(9, unsaved=False))
    on_file.own.leave()
    last = begun(tmp_path)
    assert last.restored == session(9, unsaved=False)
    assert not last.waiting  # that has been told
    last.own.leave()


def test_a_session_that_ends_the_program_while_it_is_restored_is_not_restored_again(
    tmp_path: Path, others: list[subprocess.Popen[str]]
) -> None:
    first = begun(tmp_path)
    first.own.write(session(7, unsaved=False))
    first.own.leave()
    other(tmp_path, others)  # restores it, and is gone before any window has shown it
    others[0].kill()
    others[0].wait()
    for told in (True, False):
        found = begun(tmp_path)
        assert (found.restored, found.suspect, found.waiting) == (None, told, False)
        found.own.leave()
    taken = SessionFolder(str(tmp_path)).take()
    assert taken is not None
    assert taken[0] == session(7, unsaved=False)
    taken[1].proven()
    taken[1].leave()
    last = begun(tmp_path)
    assert (last.restored, last.suspect) == (session(7, unsaved=False), False)
    last.own.leave()
    assert names(tmp_path) == ["json"]


def test_a_session_that_was_shown_is_restored_however_the_program_ends(
    tmp_path: Path, others: list[subprocess.Popen[str]]
) -> None:
    first = begun(tmp_path)
    first.own.write(session(7))
    first.own.leave()
    other(tmp_path, others, 7)  # writes, and has shown it
    others[0].kill()
    others[0].wait()
    again = begun(tmp_path)
    assert (again.restored, again.suspect, again.crashed) == (session(7), False, True)
    again.own.leave()


def test_waiting_work_is_told_of_once(tmp_path: Path) -> None:
    first = begun(tmp_path)
    first.own.write(session(7))
    first.own.leave()
    for waiting in (True, False):
        on_file = begun(tmp_path, restore=False)
        assert on_file.waiting == waiting
        on_file.own.leave()
    taken = SessionFolder(str(tmp_path)).take()
    assert taken is not None
    taken[1].write(session(8))
    taken[1].leave()
    # What it holds now has not been told of.
    last = begun(tmp_path, restore=False)
    assert last.waiting
    last.own.leave()


def test_of_many_sessions_with_unsaved_work_the_oldest_go(tmp_path: Path) -> None:
    for parameters in range(1, 31):
        on_file = begun(tmp_path, restore=False)
        on_file.own.write(session(parameters))
        os.utime(on_file.own.path, ns=(parameters, parameters))
        on_file.own.leave()
    found = begun(tmp_path)
    assert found.restored == session(30)
    found.own.leave(forget=True)
    folder = SessionFolder(str(tmp_path))
    left: list[int] = []
    while (taken := folder.take()) is not None:
        left.append(taken[0].scenario.model.parameters)
        taken[1].leave(forget=True)
    assert left == list(range(29, 9, -1))
    assert names(tmp_path) == []


def test_sessions_without_unsaved_work_do_not_pile_up(tmp_path: Path) -> None:
    for parameters in range(1, 30):
        on_file = begun(tmp_path, restore=False)
        on_file.own.write(session(parameters, unsaved=False))
        on_file.own.leave()
    assert len(names(tmp_path)) <= 2
    found = begun(tmp_path)
    assert found.restored == session(29, unsaved=False)
    found.own.leave()
    assert names(tmp_path) == ["json"]


def test_unsaved_work_of_many_sessions_is_all_there(tmp_path: Path) -> None:
    wanted = set(range(1, 8))
    for parameters in wanted:
        on_file = begun(tmp_path, restore=False)
        on_file.own.write(session(parameters))
        on_file.own.leave()
    folder = SessionFolder(str(tmp_path))
    found: set[int] = set()
    while (taken := folder.take()) is not None:
        found.add(taken[0].scenario.model.parameters)
        taken[1].leave(forget=True)
    assert found == wanted


@pytest.mark.parametrize(
    ("data", "kept_as"),
    [
        (b"", "session.corrupt-1.json"),
        (b"\0\xff", "session.corrupt-1.json"),
        (b'{"format": "zerogui/session", "version": 1}', "session.corrupt-1.json"),
        (b'{"format": "zerogui/session", "version": 3}', "session.newer-1.json"),
    ],
)
def test_an_unusable_session_is_moved_aside_and_the_one_before_comes_back(
    tmp_path: Path, data: bytes, kept_as: str
) -> None:
    first = begun(tmp_path, restore=False)
    first.own.write(session(7))
    first.own.leave()
    second = begun(tmp_path, restore=False)
    second.own.write(session(8))
    second.own.leave()
    Path(second.own.path).write_bytes(data)
    found = begun(tmp_path)
    assert found.restored == session(7)
    (note,) = found.notes
    assert str(tmp_path / kept_as) in note
    assert (tmp_path / kept_as).read_bytes() == data
    found.own.leave()
    assert names(tmp_path) == ["json"]


def test_reopening_an_unusable_session_says_where_it_went(tmp_path: Path) -> None:
    first = begun(tmp_path, restore=False)
    first.own.write(session(7))
    first.own.leave()
    Path(first.own.path).write_bytes(b"{")
    with pytest.raises(FileError, match=r"session\.corrupt-1\.json"):
        SessionFolder(str(tmp_path)).take()


def test_a_huge_session_is_moved_aside(tmp_path: Path) -> None:
    first = begun(tmp_path)
    first.own.write(session(7))
    first.own.leave()
    os.truncate(first.own.path, 10**10)
    found = begun(tmp_path)
    assert found.restored is None
    assert "64 MB" in found.notes[0]
    found.own.leave()


def test_half_written_files_of_a_killed_writer_go(tmp_path: Path) -> None:
    first = begun(tmp_path)
    first.own.write(session(7))
    first.own.leave()
    folder, name = os.path.split(first.own.path)
    Path(folder, f".{name[:20]}.0123456789ab").write_text("{")
    found = begun(tmp_path)
    assert found.restored == session(7)
    found.own.leave()
    assert names(tmp_path) == ["json"]


def test_a_file_in_the_place_of_the_folder_is_said(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("")
    with pytest.raises(FileError) as caught:
        begun(tmp_path / "state")
    assert "cannot be used" in str(caught.value)


def test_too_large_a_session_is_refused_and_the_file_stays(tmp_path: Path) -> None:
    from zerogui.accounting.model import Tensor

    own = begun(tmp_path).own
    own.write(session(7))
    tensors = tuple(Tensor(f"{k}{'n' * 900}", (1,)) for k in range(75_000))
    plan = replace(SEED, model=Model.of("", tensors))
    with pytest.raises(FileError, match="64 MB"):
        own.write(Session(plan, plan))
    own.leave()
    assert begun(tmp_path).restored == session(7)


def test_a_lock_is_held_by_one_and_goes_with_it(tmp_path: Path) -> None:
    path = str(tmp_path / "a.lock")
    first = try_lock(path)
    assert isinstance(first, FileLock)
    assert not first.was_left
    assert try_lock(path) is None
    first.release()
    first.release()
    assert not os.path.exists(path)
    second = try_lock(path)
    assert second is not None
    second.release(keep=True)
    third = try_lock(path)
    assert third is not None
    assert third.was_left
    third.release()
