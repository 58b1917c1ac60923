"""``zerogui report -o``: any format into a file, a workbook among them, whole or not at all."""

from pathlib import Path

import pytest

from tests.commands import FIGURE_1, SEED, printed, refusal, written
from tests.planning.spreadsheets import cells


@pytest.mark.parametrize("form", ["text", "json", "csv", "tsv", "markdown", "html"])
def test_a_file_holds_what_would_have_been_printed(tmp_path: Path, form: str) -> None:
    path = written(tmp_path, f'"title": "Größe 7·10⁹", {SEED}')
    wanted = printed("report", path, "--format", form)
    output = tmp_path / "out"
    assert printed("report", path, "--format", form, "-o", output) == ""
    assert output.read_bytes().decode("utf-8") == wanted


def test_a_workbook_is_written_without_a_window(tmp_path: Path) -> None:
    output = tmp_path / "table.xlsx"
    path = written(tmp_path, FIGURE_1)
    assert printed("report", path, "--format", "xlsx", "--output", output) == ""
    # The third sheet holds values as exported; 16.640625 GB is Figure 1's ZeRO-2.
    assert "16640625000" in cells(output.read_bytes(), 3).values()


def test_a_workbook_cannot_be_printed(tmp_path: Path) -> None:
    said = refusal("report", written(tmp_path, SEED), "--format", "xlsx")
    assert "add -o OUT.xlsx" in said


@pytest.mark.parametrize("form", ["json", "xlsx"])
def test_where_nothing_can_be_written_one_line_says_so(tmp_path: Path, form: str) -> None:
    path = written(tmp_path, SEED)
    output = tmp_path / "nowhere" / "out.xlsx"
    said = refusal("report", path, "--format", form, "-o", output)
    assert said.startswith("zerogui: out.xlsx: ")
    assert not output.parent.exists()


@pytest.mark.parametrize("form", ["json", "xlsx"])
def test_wrong_input_leaves_the_file_as_it_was(tmp_path: Path, form: str) -> None:
    path = written(tmp_path, '"model": {}')
    output = tmp_path / "out.xlsx"
    output.write_bytes(b"before")
    assert "model" in refusal("report", path, "--format", form, "-o", output)
    assert output.read_bytes() == b"before"
