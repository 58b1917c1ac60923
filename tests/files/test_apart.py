"""What another process reads of a file is what would have been read here, errors included."""

import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.files.large import checkpoint, children, plan
from zerogui.accounting.model import Model, Tensor
from zerogui.accounting.scenario import Scenario
from zerogui.files.apart import SMALL, bytes_to_decode, open_apart
from zerogui.files.errors import FileError
from zerogui.files.named_scenarios import NamedScenarios
from zerogui.files.opened import EngineSettings, OpenedModel
from zerogui.files.opening import Opened, open_any
from zerogui.files.transfer import (
    BrokenTransferError,
    Line,
    ReadHereError,
    received,
    sent,
    sent_error,
    sent_progress,
)

TENSORS = (
    Tensor("embed", (50257, 768)),
    Tensor("h.{i}.w", (768, 768), True, 12),
    Tensor("scalar \u202e<b>\ud7ff", ()),
)
MODEL = Model.of("GPT", TENSORS)
SCENARIO = Scenario("title", MODEL)
KINDS: list[Opened] = [
    Scenario(),
    SCENARIO,
    Scenario(model=Model.of("none", ())),
    Scenario(model=Model("count", 10**18, 10**17)),
    NamedScenarios((("a", SCENARIO), ("b", Scenario())), 1),
    OpenedModel(MODEL, "gpt2", "/x/config.json", ("head",), ("n = 1",), ("A note.",), "bf16"),
    OpenedModel(Model.of("m", TENSORS * 1), "checkpoint", "x"),
]


def nothing(*_: object) -> None:
    """For whom nobody waits."""


def replayed(lines: list[str]) -> Opened:
    import json

    left = iter(lines)

    def read() -> Line:
        line = next(left, None)
        if line is None:
            raise BrokenTransferError
        found: Line = json.loads(line)
        return found

    return received(read, nothing)


@pytest.mark.parametrize("opened", KINDS)
def test_what_is_sent_arrives(opened: Opened) -> None:
    assert replayed([sent_progress(0, 3), *sent(opened)]) == opened


@pytest.mark.parametrize("opened", KINDS)
def test_lines_that_end_too_soon_are_never_taken_for_all(opened: Opened) -> None:
    lines = list(sent(opened))
    for count in range(len(lines)):
        with pytest.raises(BrokenTransferError):
            replayed(lines[:count])


def test_an_error_arrives_as_itself() -> None:
    with pytest.raises(FileError) as refused:
        replayed([sent_error(FileError("/a/b.json", "is wrong; mend it."))])
    assert (refused.value.source, str(refused.value)) == ("/a/b.json", "b.json: is wrong; mend it.")


def test_an_engines_config_is_read_on_this_side() -> None:
    settings = EngineSettings("deepspeed", "x", lambda scenario: (scenario, ()))
    with pytest.raises(ReadHereError):
        replayed(list(sent(settings)))


def test_small_files_need_no_other_process(tmp_path: Path) -> None:
    path = plan(tmp_path / "small.zerogui.json", 10)
    assert bytes_to_decode(path) < SMALL
    before = children()
    assert isinstance(open_apart(path, nothing, lambda: None), Scenario)
    assert children() == before


@pytest.fixture
def large(tmp_path: Path) -> Iterator[str]:
    path = plan(tmp_path / "large.zerogui.json", 30_000)
    assert bytes_to_decode(path) > SMALL
    yield path
    assert not children(), "a process is left"


def test_a_large_plan_is_the_same_from_another_process(large: str) -> None:
    assert open_apart(large, nothing, lambda: None) == open_any(large)


def test_a_folder_tells_how_many_of_its_files_are_read(tmp_path: Path) -> None:
    folder = checkpoint(tmp_path / "model", shards=4, tensors=4000)
    told: list[tuple[int, int]] = []
    opened = open_apart(folder, lambda done, of: told.append((done, of)), lambda: None)
    assert told == [(0, 4), (1, 4), (2, 4), (3, 4)]
    assert opened == open_any(folder)
    assert not children()


def test_a_wrong_large_file_gives_its_own_sentence(tmp_path: Path) -> None:
    path = tmp_path / "wrong.zerogui.json"
    path.write_text('{"numbers": [' + "1," * SMALL + "1]}", encoding="utf-8")
    with pytest.raises(FileError, match=r"^wrong.zerogui.json: format is missing"):
        open_apart(str(path), nothing, lambda: None)


def test_whoever_stops_waiting_leaves_no_process(large: str) -> None:
    def enough() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        open_apart(large, nothing, enough)


def test_a_process_that_is_killed_is_no_end_of_the_file(large: str) -> None:
    def kill() -> None:
        while not children():
            time.sleep(0.001)
        for process in children():
            os.kill(process, signal.SIGKILL)

    killer = threading.Thread(target=kill)
    killer.start()
    with pytest.raises(FileError, match="was not read to its end"):
        open_apart(large, nothing, lambda: None)
    killer.join()


def test_no_module_of_the_current_folder_is_run(
    large: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "json.py").write_text("open('run', 'w').close()\n", encoding="utf-8")
    (tmp_path / "zerogui.py").write_text("open('run', 'w').close()\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert isinstance(open_apart("large.zerogui.json", nothing, lambda: None), Scenario)
    assert not (tmp_path / "run").exists()
