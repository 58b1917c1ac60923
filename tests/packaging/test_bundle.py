"""The frozen program on a machine that has no Python: every kind of work it does."""

import json
import os
import re
import subprocess
import time
import zipfile
from collections.abc import Iterator
from io import BytesIO
from math import prod
from pathlib import Path

import pytest
from PySide6.QtGui import QImage

from tests.commands import FIGURE_1, SEED, written
from tests.files.models.configs import of_record, variants
from tests.gui.printed import text_of
from tests.packaging.recipes import (
    FIGURE_1_TOTALS,
    RESOURCES,
    SEED_TOTALS,
    away_from_python,
    totals,
)
from tests.planning.spreadsheets import cells
from zerogui import __version__

pytestmark = pytest.mark.bundle

# Bytes: what fits on a small stick and through a slow line.
UNPACKED, PACKED = 200_000_000, 80_000_000


class Frozen:
    """The bundled program, started with nothing around it."""

    def __init__(self, bundled: Path, home: Path) -> None:
        self.folder = bundled / "zerogui"
        self._home = home

    def command(self, *arguments: str | Path) -> list[str]:
        """The command line that starts it."""
        return [*away_from_python(), str(self.folder / "zerogui"), *map(str, arguments)]

    def environment(self, **more: str) -> dict[str, str]:
        """No PATH, no PYTHONPATH, no settings: only what is named here."""
        return {"LC_ALL": "C.UTF-8", "HOME": str(self._home), "PATH": "", **more}

    def prints(self, *arguments: str | Path, **more: str) -> str:
        """What it prints; it succeeds and complains of nothing."""
        done = self.run(*arguments, **more)
        assert (done.returncode, done.stderr.decode()) == (0, "")
        return done.stdout.decode()

    def run(self, *arguments: str | Path, **more: str) -> subprocess.CompletedProcess[bytes]:
        """The finished process, run from the user's own folder."""
        return subprocess.run(
            self.command(*arguments),
            env=self.environment(**more),
            cwd=self._home,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=120,
            check=False,
        )


@pytest.fixture
def frozen(bundled: Path, tmp_path: Path) -> Frozen:
    """The program of the bundle, and a user who has nothing yet."""
    home = tmp_path / "home"
    home.mkdir()
    return Frozen(bundled, home)


@pytest.fixture
def display() -> Iterator[str]:
    """An X server of its own, as the value of DISPLAY."""
    reading, writing = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1920x1080x24", "-nolisten", "tcp"],
        pass_fds=[writing],
        stderr=subprocess.DEVNULL,
    )
    os.close(writing)
    with os.fdopen(reading) as number:
        name = f":{number.readline().strip()}"
    yield name
    server.terminate()
    server.wait(30)


# --- The bundle itself ---------------------------------------------------------------------------
def test_it_is_small_enough_to_carry(bundled: Path) -> None:
    files = [path for path in (bundled / "zerogui").rglob("*") if not path.is_symlink()]
    assert sum(path.stat().st_size for path in files if path.is_file()) < UNPACKED
    (archive,) = bundled.glob("zerogui-*.tar.xz")
    assert archive.name.startswith(f"zerogui-{__version__}-Linux-")
    assert archive.stat().st_size < PACKED


def test_the_readme_tells_its_size_to_within_a_few_percent(bundled: Path) -> None:
    section = (RESOURCES.parent / "README.md").read_text("utf-8").partition("### Bundles")[2]
    told = [int(size) * 10**6 for size in re.findall(r"\((\d+) MB\)", section)]
    files = [path for path in (bundled / "zerogui").rglob("*") if not path.is_symlink()]
    (archive,) = bundled.glob("zerogui-*.tar.xz")
    unpacked = sum(path.stat().st_size for path in files if path.is_file())
    assert told == pytest.approx([unpacked, archive.stat().st_size], rel=0.05)


def test_the_archive_unpacks_to_a_program_that_starts(bundled: Path, tmp_path: Path) -> None:
    (archive,) = bundled.glob("zerogui-*.tar.xz")
    subprocess.run(["tar", "-xJf", archive, "-C", tmp_path], check=True, timeout=300)
    home = tmp_path / "home"
    home.mkdir()
    assert Frozen(tmp_path, home).prints("--version") == f"zerogui {__version__}\n"


def test_every_resource_is_in_it(frozen: Frozen) -> None:
    inside = frozen.folder / "_internal" / "zerogui" / "resources"
    for path in RESOURCES.rglob("*"):
        name = path.relative_to(RESOURCES)
        if path.is_dir() or name.parts[0] in ("packaging", "install.sh"):
            continue
        assert (inside / name).read_bytes() == path.read_bytes(), name
    for name in ("zerogui-mime.xml", "org.zerogui.zerogui.metainfo.xml"):
        assert (inside / "packaging" / name).is_file()
    assert (frozen.folder / "desktop.sh").is_file()


def test_the_licences_of_all_that_is_in_it_are_in_it(frozen: Frozen) -> None:
    assert "MIT" in (frozen.folder / "LICENSE").read_text("utf-8")
    kept = {path.name.split("-")[0] for path in frozen.folder.glob("_internal/*.dist-info")}
    assert kept >= {
        "numpy",
        "pyqtgraph",
        "msgspec",
        "pyside6_essentials",
        "shiboken6",
        "xlsxwriter",
    }


# --- The window ----------------------------------------------------------------------------------
def test_the_window_is_painted_without_a_screen(frozen: Frozen) -> None:
    assert totals(frozen.prints("--smoke", QT_QPA_PLATFORM="offscreen")) == SEED_TOTALS


def test_a_scenario_opens_in_a_real_window(frozen: Frozen, tmp_path: Path, display: str) -> None:
    line = frozen.prints(written(tmp_path, FIGURE_1), "--smoke", DISPLAY=display)
    assert json.loads(line)["platform"] == "xcb"
    assert totals(line) == FIGURE_1_TOTALS


def test_started_as_users_start_it_the_window_stays_open(
    frozen: Frozen, tmp_path: Path, display: str
) -> None:
    path = written(tmp_path, FIGURE_1)
    window = subprocess.Popen(
        frozen.command(path),
        env=frozen.environment(DISPLAY=display),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    try:
        # The chart comes last, and numpy with it.
        maps = Path(f"/proc/{window.pid}/maps")
        end = time.monotonic() + 60
        while "numpy" not in maps.read_text() and time.monotonic() < end:
            time.sleep(0.1)
        time.sleep(1)
        libraries = maps.read_text()
    finally:
        window.terminate()
        said, _ = window.communicate(timeout=60)
    assert said == b""
    assert "numpy" in libraries
    # Whatever is Python comes from the bundle.
    python = [line.split()[-1] for line in libraries.splitlines() if "python" in line.casefold()]
    assert python
    assert {line for line in python if not line.startswith(str(frozen.folder))} == set()


def test_it_can_tell_what_it_is_made_of(frozen: Frozen) -> None:
    text = frozen.prints("--diagnose", QT_QPA_PLATFORM="offscreen")
    for library in ("PySide6-Essentials", "shiboken6", "pyqtgraph", "numpy", "msgspec"):
        assert re.search(rf"\b{library}:? +\d+\.\d+", text), library
    assert "Traceback" not in text


def test_its_own_helper_process_reads_a_file(frozen: Frozen, tmp_path: Path) -> None:
    done = frozen.run("--read-apart", written(tmp_path, SEED))
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"1000000000" in done.stdout


# --- The command line ----------------------------------------------------------------------------
def test_a_report_is_printed_with_the_numbers_of_the_seed(frozen: Frozen, tmp_path: Path) -> None:
    report = json.loads(frozen.prints("report", written(tmp_path, SEED), "--format", "json"))
    found = [stage["rank"]["total"] for stage in report["stages"]]
    assert found == [16_000_000_000, 7_000_000_000, 5_500_000_000, 4_000_000_000]


def test_the_chart_is_drawn_as_png_svg_and_pdf(frozen: Frozen, tmp_path: Path) -> None:
    path = written(tmp_path, FIGURE_1)
    for suffix in ("png", "svg", "pdf"):
        assert frozen.prints("render", path, "-o", tmp_path / f"chart.{suffix}") == ""
    picture = QImage(str(tmp_path / "chart.png"))
    assert (picture.width(), picture.height()) == (960, 540)
    assert "ZeRO-3" in (tmp_path / "chart.svg").read_text("utf-8")
    assert "ZeRO-3" in text_of((tmp_path / "chart.pdf").read_bytes())


def test_the_table_is_written_as_a_workbook(frozen: Frozen, tmp_path: Path) -> None:
    book = tmp_path / "table.xlsx"
    path = written(tmp_path, FIGURE_1)
    assert frozen.prints("report", path, "--format", "xlsx", "-o", book) == ""
    assert zipfile.ZipFile(BytesIO(book.read_bytes())).testzip() is None
    assert "16640625000" in cells(book.read_bytes(), 3).values()


def test_every_family_of_models_is_known(frozen: Frozen, tmp_path: Path) -> None:
    families = {record["config"]["model_type"]: record for record in variants().values()}
    assert len(families) > 20
    path = tmp_path / "config.json"
    for model_type, record in families.items():
        path.write_text(json.dumps(record["config"]), encoding="utf-8")
        done = frozen.run("report", path, "--format", "json")
        assert done.returncode == 0, (model_type, done.stderr)
        counted = json.loads(done.stdout)["scenario"]["model"]["parameters"]
        assert counted == sum(prod(shape) for _, shape in of_record(record)), model_type


def test_a_config_in_yaml_is_read(frozen: Frozen, tmp_path: Path) -> None:
    path = tmp_path / "fsdp.yaml"
    path.write_text(
        "distributed_type: FSDP\nmixed_precision: bf16\nnum_processes: 8\n"
        "fsdp_config:\n  fsdp_version: 2\n  fsdp_reshard_after_forward: true\n"
    )
    done = frozen.run("report", path, "--format", "json")
    assert done.returncode == 0, done.stderr
    scenario = json.loads(done.stdout)["scenario"]
    assert (scenario["cluster"]["workers"], scenario["sharding"]["rule"]) == (8, "fsdp2")


def test_wrong_input_gets_one_line(frozen: Frozen) -> None:
    done = frozen.run("report", "missing.zerogui.json")
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.decode().startswith("zerogui: missing.zerogui.json: ")
    assert len(done.stderr.splitlines()) == 1
