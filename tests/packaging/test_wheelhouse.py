"""From the collected wheels the program installs and works without a network."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.commands import FIGURE_1, SEED, written
from tests.packaging.recipes import ROOT, SEED_TOTALS, shell, totals
from tests.planning.spreadsheets import cells
from zerogui import __version__

pytestmark = pytest.mark.bundle

# Whoever asks an index gets no answer.
OFFLINE = {
    "PIP_NO_INDEX": "1",
    "PIP_INDEX_URL": "http://127.0.0.1:9/simple",
    "PIP_CONFIG_FILE": os.devnull,
    "PIP_DISABLE_PIP_VERSION_CHECK": "1",
}


def _without_a_network() -> list[str]:
    """The start of a command that has no network; empty where a machine does not allow that."""
    for start in (["unshare", "--net"], ["unshare", "--net", "--map-root-user"]):
        try:
            if subprocess.run([*start, "true"], capture_output=True, check=False).returncode == 0:
                return start
        except FileNotFoundError:
            break
    return []


def _run(*command: str | Path, **more: str) -> str:
    kept = {name: text for name, text in os.environ.items() if not name.startswith(("PIP_", "PY"))}
    done = subprocess.run(
        [*_without_a_network(), *map(str, command)],
        env={**kept, **OFFLINE, **more},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def installed(
    wheelhouse: tuple[Path, str], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Path]:
    """The scripts of a new environment, installed by the command that was printed."""
    folder = tmp_path_factory.mktemp("offline")
    _run(sys.executable, "-m", "venv", folder / "venv")
    scripts = folder / "venv" / "bin"
    command = shlex.split(wheelhouse[1].splitlines()[-1].removeprefix("zerogui: "))
    assert command[:4] == ["python3", "-m", "pip", "install"]
    assert "--no-index" in command
    _run(scripts / "python", *command[1:])
    yield scripts
    shutil.rmtree(folder)


def test_only_wheels_are_collected_and_zerogui_is_one_of_them(
    wheelhouse: tuple[Path, str],
) -> None:
    names = sorted(path.name for path in wheelhouse[0].iterdir())
    assert all(name.endswith(".whl") for name in names)
    held = {re.split(r"-\d", name)[0].casefold() for name in names}
    assert held >= {"numpy", "pyqtgraph", "msgspec", "pyside6_essentials", "pyyaml", "xlsxwriter"}
    assert f"zerogui-{__version__}-py3-none-any.whl" in names


def test_for_another_machine_its_python_is_named_and_its_wheels_are_collected(
    tmp_path: Path,
) -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    options = re.search(r"`(--python-version [^`]+)`", readme)
    assert options is not None
    said = shell("wheelhouse.sh", tmp_path, *options[1].split())
    assert "on a machine with Python 3.12 run:" in said
    tags = {path.name.split("-")[2] for path in tmp_path.glob("*.whl")}
    assert "cp312" in tags
    assert tags <= {"cp312", "cp39", "py3", "py2.py3"}


def test_what_is_installed_offline_tells_its_version(installed: Path) -> None:
    assert _run(installed / "zerogui", "--version") == f"zerogui {__version__}\n"


def test_what_is_installed_offline_paints_its_window(installed: Path) -> None:
    line = _run(installed / "zerogui", "--smoke", QT_QPA_PLATFORM="offscreen")
    assert totals(line) == SEED_TOTALS


def test_what_is_installed_offline_reports_and_writes_workbooks(
    installed: Path, tmp_path: Path
) -> None:
    text = _run(installed / "zerogui", "report", written(tmp_path, SEED), "--format", "json")
    found = [stage["rank"]["total"] for stage in json.loads(text)["stages"]]
    assert found == [16_000_000_000, 7_000_000_000, 5_500_000_000, 4_000_000_000]
    book = tmp_path / "table.xlsx"
    path = written(tmp_path, FIGURE_1)
    _run(installed / "zerogui", "report", path, "--format", "xlsx", "-o", book)
    assert "16640625000" in cells(book.read_bytes(), 3).values()
