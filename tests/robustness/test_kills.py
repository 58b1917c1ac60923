"""Kill -9 while saving and autosaving: what is on disk is always one whole version."""

import os
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import settings

from tests.robustness.test_crashes import child, environment
from tests.robustness.versions import number_of, version
from zerogui.files.scenario import load, save
from zerogui.files.session_folder import SessionFolder

FULL = settings().max_examples >= 2000  # the profile of CI
KILLS = 480 if FULL else 22
WINDOW_KILLS = 20 if FULL else 3
SEED = 20_240_229


def killed_after(process: subprocess.Popen[str], seconds: float) -> dict[str, int]:
    """Kill it so long after it is ready: the last version that it said was saved, by kind."""
    assert process.stdout is not None
    with process, process.stdout:
        assert process.stdout.readline() == "ready\n"
        time.sleep(seconds)
        process.kill()
        lines = process.stdout.read().splitlines(keepends=True)
    said = [line.split() for line in lines if line.endswith("\n")]
    return {kind: int(number) for kind, number in said}


def test_a_killed_saver_leaves_a_whole_file_and_a_whole_session(tmp_path: Path) -> None:
    path, state = tmp_path / "plan.zerogui.json", tmp_path / "state"
    save(version(1), path)
    moments = random.Random(SEED)
    number, files, sessions = 1, set(), set()
    for _ in range(KILLS):
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.robustness.endless_saver", path, state, str(number + 1)],
            stdout=subprocess.PIPE,
            text=True,
        )
        said = killed_after(process, moments.uniform(0, 0.06))
        on_disk = number_of(load(path))
        saved = said.get("file", number)
        assert saved <= on_disk <= saved + 1
        found = SessionFolder(str(state)).begin(restore=True)
        assert found.crashed
        assert found.notes == ()
        if found.restored is not None:
            kept = number_of(found.restored.scenario)
            assert said.get("session", kept) <= kept <= on_disk + 1
            assert found.restored.path == str(path)
            sessions.add(kept)
        else:
            assert not sessions
            assert "session" not in said
        found.own.leave()
        files.add(on_disk)
        number = max(number, on_disk)
    # The moments were not all before the first save.
    assert len(files) > KILLS // 3
    # Nothing piles up: one session, without its lock or half-written neighbours.
    assert len(os.listdir(state / "sessions")) == 1


@pytest.mark.parametrize("restored", [False, True], ids=["on a file", "restored"])
def test_a_killed_window_leaves_a_whole_file_and_comes_back(tmp_path: Path, restored: bool) -> None:
    path = tmp_path / "plan.zerogui.json"
    save(version(1), path)
    state = str(tmp_path / "state" / "zerogui")
    moments = random.Random(SEED + restored)
    kept = 0
    for kill in range((WINDOW_KILLS + restored) // 2):
        process = subprocess.Popen(
            [
                *(sys.executable, "-m", "tests.robustness.window_child", "saves", str(path)),
                *(["again"] if restored and kill else []),
            ],
            env=environment(tmp_path),
            stdout=subprocess.PIPE,
            text=True,
        )
        before = number_of(load(path))
        # Past the first autosave, so that there is a session of this run.
        said = killed_after(process, moments.uniform(1.0, 1.5))
        on_disk = number_of(load(path))
        saved = said.get("file", before)
        # Every third version is left unsaved.
        assert saved <= on_disk <= saved + 2
        found = SessionFolder(state).begin(restore=True)
        assert found.crashed
        assert found.notes == ()
        assert found.restored is not None
        # At most a second's edits, one every 20 ms, are not in the session.
        kept = number_of(found.restored.scenario)
        assert on_disk - 50 <= kept <= on_disk + 2
        found.own.leave()
    assert kept > 1
    status, told, errors = child(tmp_path, "shows")
    assert (status, told["workers"]) == (0, str(kept)), errors
