"""The command line as people use it: real processes, real files, real pipes."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.commands import FIGURE_1, H100, MODULE, PROGRAMS, SEED, named, printed, run, written
from tests.planning.contract import check_report

COLUMNS = (
    *("Parameters", "Gradients", "Optimizer", "Total per rank", "Free on device", "Whole cluster"),
)
CELLS = [
    "DDP,15000000000,15000000000,90000000000,120000000000,-34479190016,7680000000000,15000000000",
    "ZeRO-1,15000000000,15000000000,1406250000,31406250000,54114559984,2010000000000,15000000000",
    "ZeRO-2,15000000000,234375000,1406250000,16640625000,68880184984,1065000000000,15000000000",
    "ZeRO-3,234375000,234375000,1406250000,1875000000,83645809984,120000000000,22500000000",
]
FORMATS = ("text", "json", "csv", "tsv", "markdown", "html")


# --- report --------------------------------------------------------------------------------------
@pytest.mark.parametrize("program", PROGRAMS, ids=named)
def test_the_seed_is_reported_as_json_to_the_contract(
    tmp_path: Path, program: tuple[str, ...]
) -> None:
    text = printed("report", written(tmp_path, SEED), "--format", "json", program=program)
    report = json.loads(text, parse_float=lambda number: pytest.fail(f"{number} is a float"))
    check_report(report)
    assert [stage["rank"]["total"] for stage in report["stages"]] == [
        16_000_000_000,
        7_000_000_000,
        5_500_000_000,
        4_000_000_000,
    ]
    assert report["scenario"] == {
        "format": "zerogui/scenario",
        "version": 1,
        "title": "",
        "model": {
            "name": "",
            "parameters": 1_000_000_000,
            "frozen_parameters": 0,
            "tensors": None,
        },
        "recipe": {
            "name": "Mixed-precision Adam",
            "weights": "bf16",
            "gradients": "bf16",
            "optimizer": [
                {"name": "master weights", "dtype": "fp32"},
                {"name": "first moment", "dtype": "fp32"},
                {"name": "second moment", "dtype": "fp32"},
            ],
            "frozen_weights": "bf16",
            "accumulation": None,
        },
        "cluster": {"workers": 4, "workers_per_node": 8, "model_parallel": 1},
        "sharding": {
            "rule": "even",
            "stage": 0,
            "group": None,
            "secondary_group": None,
            "persistence_threshold": 0,
            "offload_optimizer": "device",
            "offload_weights": "device",
        },
        "device": None,
    }


def test_figure_1_is_reported_as_json_to_the_byte(tmp_path: Path) -> None:
    report = json.loads(printed("report", written(tmp_path, FIGURE_1), "--format", "json"))
    check_report(report)
    stages = report["stages"]
    assert [stage["rank"]["total"] for stage in stages] == [
        120_000_000_000,
        31_406_250_000,
        16_640_625_000,
        1_875_000_000,
    ]
    assert [stage["fits"] for stage in stages] == [False, True, True, True]
    assert stages[2]["free"] == 68_880_184_984
    assert report["answers"]["fewest_workers"] == {"0": None, "1": 2, "2": 2, "3": 2}


def test_a_stage_that_is_not_offered_is_null_in_the_json(tmp_path: Path) -> None:
    path = written(
        tmp_path, '"model": {"parameters": 8}, "sharding": {"rule": "fsdp2", "stage": 1}'
    )
    report = json.loads(printed("report", path, "--format", "json"))
    check_report(report)
    assert [stage["offered"] for stage in report["stages"]] == [True, False, False, True]


@pytest.mark.parametrize("program", PROGRAMS, ids=named)
def test_text_is_what_report_prints_by_itself(tmp_path: Path, program: tuple[str, ...]) -> None:
    text = printed("report", written(tmp_path, FIGURE_1), program=program)
    lines = text.splitlines()
    assert lines[:3] == [
        "7.5B on 64 GPUs",
        "7.5 B parameters on 64 workers, 16 bytes each in mixed-precision Adam",
        "Fits an H100 80GB from ZeRO-1 on; ZeRO-2 leaves 68.9 GB for activations",
    ]
    assert "ZeRO-2: 2·7.5e9 + (2 + 12)·7.5e9/64 = 16,640,625,000 B = 16.640625 GB" in lines
    assert (
        "  master weights: 4 B × 117,187,500 elements (7,500,000,000 ÷ 64) = 468,750,000 B" in lines
    )
    assert "  ZeRO-3: 342,083,239,936" in lines
    assert text == printed("report", written(tmp_path, FIGURE_1), "--format", "text")
    assert not set(text) & set("\u2009\u00a0")


@pytest.mark.parametrize("unit", ["GB", "GiB"])
def test_csv_and_tsv_carry_plain_bytes_in_any_unit(tmp_path: Path, unit: str) -> None:
    path = written(tmp_path, FIGURE_1)
    heading = ",".join(("Stage", *(f"{name} (bytes)" for name in COLUMNS)))
    expected = [f"{heading},Communication (elements/step)", *CELLS]
    assert printed("report", path, "--format", "csv", "--unit", unit).splitlines() == expected
    tabbed = printed("report", path, "--format", "tsv", "--unit", unit).splitlines()
    assert tabbed == [line.replace(",", "\t") for line in expected]


def test_markdown_is_a_table_in_gb(tmp_path: Path) -> None:
    lines = printed("report", written(tmp_path, FIGURE_1), "--format", "markdown").splitlines()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    assert rows[0][1:7] == [f"{name} (GB)" for name in COLUMNS]
    assert rows[4][:5] == ["ZeRO-2", "15.000", "0.234", "1.406", "16.641"]
    assert len(rows) == 6


def test_html_is_a_table_in_gb(tmp_path: Path) -> None:
    text = printed("report", written(tmp_path, FIGURE_1), "--format", "html")
    assert text.startswith("<table>")
    assert text.endswith("</table>\n")
    assert text.count("<tr>") == 5
    assert ">Total per rank (GB)</th>" in text
    assert ">16.641</td>" in text


def test_with_unit_gib_every_size_is_in_gib(tmp_path: Path) -> None:
    path = written(tmp_path, FIGURE_1)
    text = printed("report", path, "--unit", "GiB")
    # 16,640,625,000 / 2^30 = 15.497789718...
    assert "16,640,625,000 B ≈ 15.49779 GiB" in text
    assert "ZeRO-2 leaves 64.1 GiB for activations" in text
    for form in ("markdown", "html"):
        table = printed("report", path, "--unit", "GiB", "--format", form)
        assert "Total per rank (GiB)" in table
        assert "15.498" in table
        assert "(GB)" not in table
    assert "GB" not in text.replace("80GB", "")


@pytest.mark.parametrize("form", FORMATS)
def test_the_output_is_utf_8_in_a_c_locale_too(tmp_path: Path, form: str) -> None:
    path = written(tmp_path, f'"title": "Größe 7·10⁹", {SEED}, {H100}')
    bare = {"LC_ALL": "C", "LANG": None, "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    text = printed("report", path, "--format", form, env=bare)
    assert text == printed("report", path, "--format", form)
    assert ("Größe 7·10⁹" in text) == (form in ("text", "json"))


def test_names_with_control_characters_cannot_forge_lines_of_a_report(tmp_path: Path) -> None:
    def text(name: str) -> str:
        return printed(
            "report",
            written(
                tmp_path,
                f'"title": "{name}", "model": {{"parameters": 8}},'
                f' "recipe": {{"name": "{name}", "optimizer": [{{"name": "{name}",'
                f' "dtype": "fp32"}}]}}, "device": {{"name": "{name}", "memory": 99}}',
            ),
        )

    forged = text(r"a\u001b[2J\nb\u2028c\u0085d")
    assert len(forged.splitlines()) == len(text("plain").splitlines())
    assert "\x1b" not in forged


# --- What report leaves alone --------------------------------------------------------------------
HEAVY = {"PySide6", "shiboken6", "pyqtgraph", "numpy", "xlsxwriter"}


@pytest.mark.parametrize("form", ["text", "json"])
def test_report_imports_no_qt(tmp_path: Path, form: str) -> None:
    program = (sys.executable, "-X", "importtime", "-m", "zerogui")
    done = run("report", written(tmp_path, FIGURE_1), "--format", form, program=program)
    assert done.returncode == 0
    lines = done.stderr.decode().splitlines()
    imported = {line.rpartition("|")[2].strip() for line in lines}
    assert "zerogui.planning.resolve" in imported
    assert not {name.partition(".")[0] for name in imported} & HEAVY
    assert not [name for name in imported if name.startswith("zerogui.gui")]


def test_no_format_imports_qt_numpy_or_a_spreadsheet_writer(tmp_path: Path) -> None:
    script = (
        "import sys; from zerogui.cli import main\n"
        f"for form in {FORMATS}: assert main(['report', sys.argv[1], '--format', form]) == 0\n"
        "print(*sorted(sys.modules), file=sys.stderr)"
    )
    done = run(written(tmp_path, FIGURE_1), program=(sys.executable, "-c", script))
    assert done.returncode == 0
    imported = done.stderr.decode().split()
    assert "zerogui.files.tables" in imported
    assert not {name.partition(".")[0] for name in imported} & HEAVY
    assert not [name for name in imported if name.startswith("zerogui.gui")]


# --- Pipes ---------------------------------------------------------------------------------------
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_reader_that_has_seen_enough_ends_the_report_quietly(
    tmp_path: Path, unbuffered: str
) -> None:
    # 4096 runs of equal ranks at each of three stages: far more than a pipe holds.
    path = written(
        tmp_path,
        '"model": {"parameters": 10000001}, "cluster": {"workers": 4096}, "sharding": {"group": 2}',
    )
    command = [*MODULE, "report", str(path), "--format", "json"]
    with subprocess.Popen(
        command,
        env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == b"{\n"
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(timeout=60) == 0


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="a device of Linux")
def test_a_full_disk_gets_one_line_and_no_success(tmp_path: Path) -> None:
    with open("/dev/full", "wb") as full:
        done = run("report", written(tmp_path, FIGURE_1), stdout=full)
    said = done.stderr.decode()
    assert done.returncode != 0
    assert len(said.splitlines()) == 1, said
    assert "No space left" in said


# --- The window ----------------------------------------------------------------------------------
@pytest.mark.parametrize("program", PROGRAMS, ids=named)
def test_the_version_is_that_of_the_package(program: tuple[str, ...]) -> None:
    from zerogui import __version__

    assert printed("--version", program=program) == f"zerogui {__version__}\n"


def test_help_lists_what_there_is() -> None:
    text = printed("--help")
    for word in ("report", "FILE", "--smoke", "--version"):
        assert word in text
    text = printed("report", "--help")
    for word in (*FORMATS, "GiB", "--unit"):
        assert word in text
