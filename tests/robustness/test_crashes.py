"""The program fails somewhere: the session is saved, it is told, and it goes on if it can."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.robustness.window_child import FAILURES, SECRET
from zerogui.files.crash_log import LARGEST_LOG, append, open_log, traced
from zerogui.files.session_folder import SessionFolder


def environment(home: Path) -> dict[str, str]:
    """A user whose folders are in ``home``."""
    folders = {f"XDG_{name}_HOME": str(home / name.lower()) for name in ("STATE", "CONFIG")}
    return {**os.environ, **folders, "QT_QPA_PLATFORM": "offscreen"}


def child(home: Path, *what: str) -> tuple[int, dict[str, str], str]:
    """The program in which something happens: status, what it told, and stderr."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.robustness.window_child", *what],
        env=environment(home),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    told = dict(line.partition(" ")[::2] for line in done.stdout.splitlines())
    return done.returncode, told, done.stderr


def crash_log(home: Path) -> Path:
    return home / "state" / "zerogui" / "crash.log"


@pytest.mark.parametrize("what", FAILURES)
def test_a_failure_leaves_a_saved_session_and_a_running_program(tmp_path: Path, what: str) -> None:
    status, told, errors = child(tmp_path, what)
    # It went on until it was killed, in less time than an autosave takes.
    assert status == -9, errors
    report, log = told["report"], crash_log(tmp_path).read_text()
    if what != "in_the_dialog":
        assert report.startswith("zerogui ") or "its report failed" in report
    if what not in ("in_the_log", "in_the_report"):
        assert "in fails" in log
        assert "builtins.RuntimeError" in log
        assert "SystemError" not in log
        assert len(log) < 4000
    # Neither repeats what was in the exception's message.
    assert SECRET not in report + log
    found = SessionFolder(str(crash_log(tmp_path).parent)).begin(restore=True)
    assert found.restored is not None
    assert found.restored.scenario.cluster.workers == 48


def test_the_start_after_a_fault_of_the_interpreter_tells_of_it_once(tmp_path: Path) -> None:
    status, _, errors = child(tmp_path, "fault")
    assert status < 0, errors
    assert "Segmentation fault" in crash_log(tmp_path).read_text()
    _, told, errors = child(tmp_path, "shows")
    assert told["workers"] == "48", errors
    assert told["message"].startswith("zerogui ended unexpectedly last time")
    assert str(crash_log(tmp_path)) in told["message"]
    _, told, _ = child(tmp_path, "shows")
    assert (told["workers"], told["message"]) == ("48", "")


def test_a_session_that_ends_the_program_at_its_start_waits_until_it_is_asked_for(
    tmp_path: Path,
) -> None:
    child(tmp_path, "in_a_slot")
    status, _, errors = child(tmp_path, "dies")
    assert status == -9, errors
    _, told, errors = child(tmp_path, "dies")
    assert told["workers"] == "4", errors
    assert told["message"] == (
        "zerogui ended unexpectedly while it brought back the last session, which is kept: File >"
        f" Reopen last session brings it back (crash log: {crash_log(tmp_path)})."
    )
    _, told, errors = child(tmp_path, "dies")
    assert (told["workers"], told["message"]) == ("4", ""), errors
    taken = SessionFolder(str(crash_log(tmp_path).parent)).take()
    assert taken is not None
    assert taken[0].scenario.cluster.workers == 48


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_logout_ends_the_program_in_order_and_keeps_the_session(
    tmp_path: Path, number: signal.Signals
) -> None:
    command = [sys.executable, "-m", "tests.robustness.window_child", "waits"]
    with subprocess.Popen(
        command,
        env=environment(tmp_path),
        stdout=subprocess.PIPE,
        text=True,
        # Whoever runs the tests under nohup hands an ignored signal down; the program respects it.
        preexec_fn=lambda: signal.signal(number, signal.SIG_DFL),
    ) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
            process.send_signal(number)
            assert process.wait(60) == 0
        finally:
            process.kill()
    _, told, errors = child(tmp_path, "shows")
    assert (told["workers"], told["message"]) == ("48", ""), errors


def test_a_smoke_start_touches_no_folder_of_the_user(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "zerogui", "--smoke"],
        env=environment(tmp_path),
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    assert json.loads(done.stdout)
    assert os.listdir(tmp_path) == []


def test_the_log_stays_small_and_keeps_the_newest(tmp_path: Path) -> None:
    path = str(tmp_path / "state" / "crash.log")
    for number in range(40):
        append(path, f"failure {number}\n" + "x" * 20_000)
    assert os.path.getsize(path) < LARGEST_LOG + 25_000
    text = Path(path).read_text()
    assert "failure 39" in text
    assert "failure 0\n" not in text


def test_a_log_that_cannot_be_written_stops_nothing(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("")
    append(str(tmp_path / "state" / "crash.log"), "failure")
    with pytest.raises(OSError, match="state"):
        open_log(str(tmp_path / "state" / "crash.log"))


def test_a_report_names_what_led_to_a_failure_and_quotes_nothing() -> None:
    def deep(level: int) -> None:
        if level:
            deep(level - 1)
        raise KeyError(SECRET)

    try:
        try:
            deep(100)
        except KeyError as error:
            raise ValueError(SECRET) from error
    except ValueError as error:
        text = traced(error)
    assert text.index("builtins.ValueError") < text.index("builtins.KeyError")
    assert "because of:" in text
    assert "more)" in text
    assert SECRET not in text
    assert str(Path.home()) not in text
