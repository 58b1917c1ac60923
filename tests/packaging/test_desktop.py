"""On a Linux desktop the program is in the menu and opens its files."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.packaging.recipes import PACKAGING, ROOT, shell

MIME_TYPE = "application/vnd.zerogui+json"


def _run(*command: str, env: dict[str, str] | None = None) -> str:
    done = subprocess.run(
        command,
        env={**os.environ, **(env or {})},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.fixture
def home(tmp_path: Path) -> dict[str, str]:
    """The folders of a user who has nothing yet, as variables."""
    return {"XDG_DATA_HOME": str(tmp_path / "data"), "XDG_CONFIG_HOME": str(tmp_path / "config")}


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """A program at a place that needs care: spaces, quotes, and what a shell would replace."""
    path = tmp_path / 'my "own" $HOME `\\' / "zerogui"
    path.parent.mkdir()
    path.write_text('#!/bin/sh\nprintf "opened %s\\n" "$1"\n')
    path.chmod(0o755)
    return path


def test_the_desktop_entry_is_valid() -> None:
    assert _run("desktop-file-validate", str(ROOT / "resources" / "zerogui.desktop")) == ""


def test_the_description_for_software_centres_is_valid() -> None:
    path = PACKAGING / "org.zerogui.zerogui.metainfo.xml"
    said = _run("appstreamcli", "validate", "--no-net", "--no-color", str(path))
    assert "Validation was successful" in said


def test_a_scenario_is_known_by_its_name_and_opens_in_the_program(
    home: dict[str, str], program: Path, tmp_path: Path
) -> None:
    shell("desktop.sh", program, env=home)
    scenario = tmp_path / "plan.zerogui.json"
    scenario.write_text("{}")
    other = tmp_path / "config.json"
    other.write_text("{}")
    kind = ("gio", "info", "-a", "standard::content-type")
    assert f"standard::content-type: {MIME_TYPE}\n" in _run(*kind, str(scenario), env=home)
    assert "standard::content-type: application/json\n" in _run(*kind, str(other), env=home)
    opener = _run("xdg-mime", "query", "default", MIME_TYPE, env=home)
    assert opener.strip() == "zerogui.desktop"
    data = Path(home["XDG_DATA_HOME"])
    _run("desktop-file-validate", str(data / "applications" / "zerogui.desktop"))
    assert (data / "icons/hicolor/scalable/apps/zerogui.svg").read_text().startswith("<svg")


def test_the_menu_starts_the_program_wherever_it_is(
    home: dict[str, str], program: Path, tmp_path: Path
) -> None:
    shell("desktop.sh", program, env=home)
    entry = Path(home["XDG_DATA_HOME"], "applications", "zerogui.desktop")
    # GLib reads and starts the entry as a desktop does.
    said = _run("gio", "launch", str(entry), str(tmp_path / "a b.zerogui.json"), env=home)
    assert said == f"opened {tmp_path / 'a b.zerogui.json'}\n"


def test_removing_leaves_no_file_of_the_program(home: dict[str, str], program: Path) -> None:
    shell("desktop.sh", program, env=home)
    shell("desktop.sh", "--remove", env=home)
    left = [path for path in Path(home["XDG_DATA_HOME"]).rglob("*") if "zerogui" in path.name]
    assert left == []
    assert _run("xdg-mime", "query", "default", MIME_TYPE, env=home) == ""


def test_from_an_unpacked_bundle_the_program_beside_the_script_is_started(
    home: dict[str, str], tmp_path: Path
) -> None:
    bundle = tmp_path / "zerogui"
    shutil.copytree(ROOT / "resources", bundle / "_internal" / "zerogui" / "resources")
    shutil.copy(PACKAGING / "desktop.sh", bundle)
    (bundle / "zerogui").write_text("#!/bin/sh\n")
    (bundle / "zerogui").chmod(0o755)
    _run("sh", str(bundle / "desktop.sh"), env=home)
    entry = Path(home["XDG_DATA_HOME"], "applications", "zerogui.desktop").read_text()
    assert f'Exec="{bundle}/zerogui" %f' in entry.splitlines()


def test_without_a_program_one_sentence_says_what_to_do(
    home: dict[str, str], tmp_path: Path
) -> None:
    done = subprocess.run(
        ["sh", str(PACKAGING / "desktop.sh"), str(tmp_path / "nothing")],
        env={**os.environ, **home},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr == (
        "zerogui: there is no program to start; name it: sh desktop.sh PROGRAM\n"
    )
    assert not Path(home["XDG_DATA_HOME"]).exists()
