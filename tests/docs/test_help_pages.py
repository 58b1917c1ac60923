"""The help says everything there is: rules, formats, views, keys, figures; none is stale."""

import json
import re
from pathlib import Path

import pytest
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QApplication

from tests.docs.documents import HELP, sections, text_of
from zerogui.accounting.dtype import DTYPES
from zerogui.accounting.rules import RULES
from zerogui.catalog import recipes
from zerogui.gui.commands import COMMANDS
from zerogui.gui.recent_files import RecentFiles
from zerogui.gui.view_host import report_views
from zerogui.planning.pins import PinBoard
from zerogui.planning.resolve import resolve
from zerogui.planning.start import plan_of

PUBLISHED = Path(__file__).parents[1] / "data" / "published.json"

ADAM = [{"name": n, "dtype": "fp32"} for n in ("master weights", "first moment", "second moment")]
COUNTED = {
    "16: gradients in bf16": {"gradients": "bf16"},
    "18: gradients in fp32": {"gradients": "fp32"},
    "20: bf16, accumulated in fp32": {"gradients": "bf16", "accumulation": "fp32"},
}


def page(name: str) -> str:
    return text_of(HELP / f"{name}.md")


def rows(text: str) -> list[list[str]]:
    """The cells of every table row."""
    lines = re.findall(r"^\| (.+) \|$", text, re.MULTILINE)
    return [[cell.strip() for cell in line.split(" | ")] for line in lines]


def test_every_rule_has_its_section_and_its_source() -> None:
    found = sections(HELP / "rules.md")
    assert set(RULES) <= set(found)
    for name, source in {
        "even": "split as evenly as whole elements allow",
        "deepspeed": "stage_1_and_2.py",
        "fsdp2": "_fsdp_param.py",
        "torch-zero1": "zero_redundancy_optimizer.py",
    }.items():
        assert source in found[name]


def test_every_number_format_is_told_with_its_bytes() -> None:
    told = " ".join(row[0] for row in rows(sections(HELP / "recipes.md")["Formats"]))
    assert set(re.findall(r"`([^`]+)`", told)) == set(DTYPES)


def test_recipes_that_the_help_names_are_offered() -> None:
    names = {entry.recipe.name for entry in recipes()}
    assert {"Mixed-precision Adam", "bf16 with fp32 gradients", "fp32 AdamW"} <= names
    assert "*bf16 with fp32 gradients*" in page("peers")


def test_every_view_has_its_section() -> None:
    titles = [entry.title.replace("&", "") for entry in report_views(PinBoard(), RecentFiles())]
    assert [title for title in titles if title not in sections(HELP / "views.md")] == []


def test_every_key_of_a_command_is_on_the_page_of_keys(qapp: QApplication) -> None:
    assert qapp is not None  # the desktop's own keys are known to it only
    told = {key for row in rows(page("keyboard")) for key in row[0].split(", ")}
    keyed = [c for c in COMMANDS if c.shortcut is not None]
    keys = {QKeySequence(c.shortcut).toString() for c in keyed if c.shortcut is not None}
    assert keys - told == set()


def test_figure_1_is_the_papers() -> None:
    cells = {cell["id"]: cell for cell in json.loads(PUBLISHED.read_text(encoding="utf-8"))}
    told = {row[0]: row[1:] for row in rows(sections(HELP / "stages.md")["Figure 1 of the paper"])}
    for stage in range(4):
        cell = cells[f"zero-fig1-z{stage}"]
        assert told[str(stage)] == [f"{cell['published']} GB", f"{cell['exact_bytes']:,} B"]


@pytest.mark.parametrize("counted", COUNTED)
def test_the_calculators_side_by_side_are_what_the_program_counts(
    counted: str, tmp_path: Path
) -> None:
    told = next(row for row in rows(page("peers")) if row[0] == counted)

    def totals(workers: int) -> list[float]:
        recipe = {"weights": "bf16", "optimizer": ADAM, **COUNTED[counted]}
        plan = {"format": "zerogui/scenario", "version": 1, "model": {"parameters": 7 * 10**9}}
        plan |= {"recipe": recipe, "cluster": {"workers": workers}}
        path = tmp_path / "plan.zerogui.json"
        path.write_text(json.dumps(plan), encoding="utf-8")
        report = resolve(plan_of(str(path)).scenario, "GB")
        return [stage.rank.total / 10**9 for stage in report.offered]

    assert [float(cell) for cell in told[1:]] == [totals(1)[0], *totals(8)]


def test_the_published_bytes_per_parameter_are_those_of_the_page() -> None:
    cells = json.loads(PUBLISHED.read_text(encoding="utf-8"))
    published = {c["source"]["title"]: c["published"] for c in cells if c["unit"] == "B/param"}
    assert published["Megatron-Turing NLG 530B 2201.11990 (quoted in maxtext #606)"] == 20
    assert published["ZeRO-Infinity"] == 20
    assert published["DeepSpeed estimator ZeRO-3"] == 18
    told = [(row[0], row[-1]) for row in rows(page("peers"))[:7]]
    assert any(b == "20" and "Megatron-Turing NLG 530B" in who for b, who in told)
    assert any(b == "20" and "ZeRO-Infinity" in who for b, who in told)
    assert any(b == "18" and "DeepSpeed's ZeRO-3 estimator" in who for b, who in told)


def test_the_sums_that_the_help_writes_out_are_right() -> None:
    reserve, peers = page("reserve"), page("peers")
    for text, number in (
        (reserve, 32 * 2 * 8192 * 4096),
        (reserve, 34 * 8192 * 4096),
        (reserve, 4 * 8192 * 128_256),
        (peers, 18 * 2_851_598_336 // 8 + 4 * 32_899_072),
        (peers, 16 * 2_851_598_336 // 8),
    ):
        assert f"{number:,}" in text
