"""Bad files by hand: each gives its one sentence, on the command line and in the window."""

import gc
import os
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.commands import refusal
from tests.gui.conftest import Opener
from tests.gui.hands import said, shown_in, table_texts
from tests.robustness.bad_files import FOLDER, Bad, cases
from zerogui.cli import main
from zerogui.files.models.safetensors_header import PICKLE

CASES = cases()
# Every one as a process of its own takes half a minute.
IN_A_PROCESS = CASES if os.environ.get("HYPOTHESIS_PROFILE") == "ci" else CASES[::16]


def put(bad: Bad, folder: Path) -> Path:
    """The bad file, in ``folder``."""
    path = folder / bad.name
    bad.make(path)
    return path


def test_every_file_of_the_folder_has_its_sentence() -> None:
    names = {path.name for path in FOLDER.iterdir()} - {"sentences.json"}
    assert names == {bad.name for bad in CASES if (FOLDER / bad.name).exists()}
    assert len(CASES) > 100
    for bad in CASES:
        _, _, sentence = bad.sentence.partition(": ")
        assert sentence.endswith((".", "?"))
        assert bad.sentence.isprintable()
        # What is wrong, and what to do.
        assert ";" in sentence or PICKLE in sentence, sentence


@pytest.mark.parametrize("bad", CASES, ids=lambda bad: bad.name[:40])
def test_a_bad_file_gets_its_sentence_and_status_2(
    bad: Bad, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    path = put(bad, tmp_path)
    status = main(["report", str(path)])
    gc.enable()  # which a report turns off, as it is a short run
    out, err = capfdbinary.readouterr()
    assert err.decode() == f"zerogui: {bad.sentence}\n"
    assert (status, out) == (2, b"")


@pytest.mark.parametrize("bad", IN_A_PROCESS, ids=lambda bad: bad.name[:40])
def test_the_program_itself_says_it_too(bad: Bad, tmp_path: Path) -> None:
    assert refusal("report", put(bad, tmp_path)) == f"zerogui: {bad.sentence}"


def test_the_window_says_it_and_changes_nothing_else(
    open_window: Opener, qtbot: QtBot, tmp_path: Path
) -> None:
    window = open_window()

    def state() -> object:
        return (
            window.controller.shown,
            window.windowTitle(),
            table_texts(window),
            [said(window, name) for name in ("arithmetic", "sentence", "verdict")],
            [shown_in(window, name) for name in ("workers", "parameters")],
            window.statusBar().currentMessage(),
        )

    before = state()
    for number, bad in enumerate(CASES):
        folder = tmp_path / str(number)
        folder.mkdir()
        window.work.messages.close_message()
        window.open_file(str(put(bad, folder)))
        # Large ones are read by a process of their own.
        qtbot.waitUntil(lambda: bool(window.work.messages.text()), timeout=20_000)
        assert window.work.messages.text() == bad.sentence
        assert window.work.messages.kind() == "error"
        assert state() == before, bad.name
