"""What README and help tell a reader to type works: commands run, JSON opens."""

import json
import re
import shlex
from pathlib import Path

import pytest

from tests.commands import printed
from tests.docs.documents import (
    DOCUMENTS,
    HELP,
    README,
    ROOT,
    Block,
    blocks,
    name_of,
    sections,
    text_of,
)
from zerogui.files.comparison import NamedScenarios
from zerogui.files.opening import open_any

OFFSCREEN: dict[str, str | None] = {"QT_QPA_PLATFORM": "offscreen"}
# Words that stand for a file of the reader's, by what a test puts there.
STAND_INS = ("FILE", "plan.zerogui.json")
# Run by other tests and by CI, since they take long or need a network: only the files are checked.
ELSEWHERE = ("sh", "pip", ".venv/bin/pip", ".venv/bin/python", "python", "python3")
GUIDE = HELP / "contributing.md"


def json_blocks(document: Path) -> list[str]:
    return [
        b.text
        for b in blocks(document)
        if b.text.lstrip().startswith("{") and b.language in ("", "json")
    ]


def command_lines(document: Path) -> list[str]:
    """Lines to type; what stands behind two spaces or more is their explanation."""
    lines = [line for b in blocks(document) if not is_json(b) for line in b.text.splitlines()]
    return [line.split("  ")[0].strip() for line in lines if line.strip()]


def is_json(block: Block) -> bool:
    return block.text.lstrip().startswith("{")


def programs(document: Path) -> list[str]:
    return [line for line in command_lines(document) if line.split()[0] == "zerogui"]


def arguments(line: str) -> tuple[str, ...]:
    """What to call the program with; a line that opens the window leaves after painting it."""
    words = tuple(word.strip("[]") for word in shlex.split(line))[1:]
    opens = not words or (words[0] not in ("report", "render") and words[0][0] != "-")
    return (*words, "--smoke") if opens else words


# Each call once, wherever it stands.
CALLS = dict.fromkeys(
    arguments(line) for document in DOCUMENTS if document != GUIDE for line in programs(document)
)


@pytest.fixture
def example(tmp_path: Path) -> Path:
    """The README's own scenario as a file."""
    path = tmp_path / "plan.zerogui.json"
    path.write_text(json_blocks(README)[0], encoding="utf-8")
    return path


@pytest.mark.parametrize("call", CALLS, ids=" ".join)
def test_a_command_of_the_documents_does_what_it_says(
    call: tuple[str, ...], example: Path, tmp_path: Path
) -> None:
    written = [tmp_path / word for word in call if word.startswith(("chart.", "table."))]
    names = {word: str(example) for word in STAND_INS} | {path.name: str(path) for path in written}
    said = printed(*(names.get(word, word) for word in call), env=OFFSCREEN)
    assert bool(said) != bool(written)
    assert all(path.stat().st_size > 1000 for path in written)
    if "json" in call:
        assert json.loads(said)["stages"][2]["rank"]["total"] == 16_640_625_000


def test_the_readme_tells_every_command() -> None:
    assert {line.split()[1] for line in programs(README) if len(line.split()) > 1} >= {
        "report",
        "render",
        "--version",
        "--smoke",
    }


@pytest.mark.parametrize("document", [d for d in DOCUMENTS if d != GUIDE], ids=name_of)
def test_every_scenario_that_is_printed_opens(document: Path, tmp_path: Path) -> None:
    for number, text in enumerate(json_blocks(document)):
        path = tmp_path / f"{number}.zerogui.json"
        path.write_text(text, encoding="utf-8")
        found = open_any(str(path))
        if isinstance(found, NamedScenarios):
            assert len(found.scenarios) == len(json.loads(text)["pins"])
        else:
            assert json.loads(text)["format"] == "zerogui/scenario"


def test_readme_and_help_print_scenarios() -> None:
    assert len(json_blocks(README)) == 1
    assert len(json_blocks(HELP / "files.md")) == 2


@pytest.mark.parametrize("document", [d for d in DOCUMENTS if d != GUIDE], ids=name_of)
def test_no_command_is_left_that_nothing_tries(document: Path) -> None:
    for line in command_lines(document):
        first = line.split()[0]
        assert first == "zerogui" or first in ELSEWHERE or first.startswith("dist/"), line
        named = [w for w in shlex.split(line) if w.startswith(("resources/", "tests/", ".ci/"))]
        assert [word for word in named if not (ROOT / word).exists()] == [], line


def test_the_system_libraries_of_the_readme_are_those_of_the_install_script() -> None:
    told = re.search(r"`apt-get install (lib[^`]+)`", text_of(README))
    assert told is not None
    script = (ROOT / "resources" / "install.sh").read_text(encoding="utf-8")
    installed = re.search(r"set -- (libegl1(?:.*\\\n)*.*)", script)
    assert installed is not None
    assert sorted(told[1].split()) == sorted(installed[1].replace("\\\n", " ").split())


def test_every_folder_of_the_layout_is_there() -> None:
    text = sections(README)["How the code is laid out"]
    folders = [row.split("`")[1] for row in text.splitlines() if row.startswith("| `")]
    assert len(folders) >= 10
    assert [folder for folder in folders if not (ROOT / folder).is_dir()] == []
