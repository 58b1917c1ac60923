"""Wrong input on the command line: one line on stderr, exit status 2, nothing else."""

import os
from pathlib import Path

import pytest

from tests.commands import PROGRAMS, named, refusal

HEAD = '{"format": "zerogui/scenario", "version": 1, "model": '
WRONG = [
    ("hello", ["line 1", "not JSON"]),
    ("", ["empty"]),
    (f'{HEAD}{{"parameters": 7.5e9}}}}', ["model.parameters is 7.5e9", "write 7500000000"]),
    (f'{HEAD}{{"parameters": true}}}}', ["model.parameters is true", "use a whole number"]),
    (f'{HEAD}{{"parameters": "7B"}}}}', ['model.parameters is "7B"', "use a whole number"]),
    (f'{HEAD}{{"parameters": -8}}}}', ["model.parameters is -8", "use a whole number from 0"]),
    (f'{HEAD}{{"parameter": 8}}}}', ["model.parameter ", "parameters"]),
    (f'{HEAD}{{"parameters": 8}}, "sharding": {{"foo": 1}}}}', ["sharding.foo", "remove it"]),
    (
        f'{HEAD}{{"parameters": 8}}, "cluster": {{"workers": 0}}}}',
        ["cluster.workers is 0", "use a whole number from 1 to 1,048,576"],
    ),
    (
        '{"format": "zerogui/scenario", "version": 2, "model": {"parameters": 8}}',
        ["version is 2", "reads version 1"],
    ),
    ('{"format": "zerogui/report", "version": 1}', ['format is "zerogui/report"']),
    (f'{HEAD}{{"parameters": 8}}, "title": "a\x00"}}', ["NUL"]),
]


@pytest.mark.parametrize("program", PROGRAMS, ids=named)
@pytest.mark.parametrize(("text", "parts"), WRONG, ids=[parts[0] for _, parts in WRONG])
def test_a_wrong_file_gets_one_line_with_file_field_and_remedy(
    tmp_path: Path, text: str, parts: list[str], program: tuple[str, ...]
) -> None:
    path = tmp_path / "plan.zerogui.json"
    path.write_text(text, encoding="utf-8")
    said = refusal("report", path, "--format", "json", program=program)
    assert said.startswith("zerogui: plan.zerogui.json: ")
    assert said.endswith((".", "?"))
    for part in parts:
        assert part in said
    assert os.listdir(tmp_path) == ["plan.zerogui.json"]


def test_a_missing_file_and_a_folder_get_one_line(tmp_path: Path) -> None:
    said = refusal("report", tmp_path / "plans.json")
    assert said.startswith("zerogui: plans.json: there is no such file")
    said = refusal("report", tmp_path / "nowhere" / "plans.json")
    assert said.startswith("zerogui: plans.json: there is no such file")
    empty = tmp_path / "empty"
    empty.mkdir()
    said = refusal("report", empty)
    assert said == "zerogui: empty: holds no .safetensors file; choose another folder."


def test_a_name_that_the_locale_cannot_write_still_gets_one_line(tmp_path: Path) -> None:
    bare = {"LC_ALL": "C", "LANG": None, "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    assert "there is no such file" in refusal("report", tmp_path / "Größe.json", env=bare)


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (["report"], ["FILE"]),
        (["report", "plan.json", "--format", "xml"], ["--format", "'xml'", "markdown"]),
        (["report", "plan.json", "--unit", "TB"], ["--unit", "'TB'", "GiB"]),
        (["report", "plan.json", "--frobnicate"], ["--frobnicate"]),
        (["report", "plan.json", "other.json"], ["other.json"]),
        (["report", "plan.json", "other\n.json"], ["other"]),
        (["--frobnicate"], ["--frobnicate"]),
        (["plan.json", "other.json"], ["other.json"]),
    ],
)
def test_wrong_options_get_one_line(arguments: list[str], parts: list[str]) -> None:
    said = refusal(*arguments)
    assert said.startswith("zerogui")
    assert "--help" in said
    for part in parts:
        assert part in said
