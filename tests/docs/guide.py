"""Follows the contributing guide's numbered steps literally, in a copy of the tree."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from tests.docs.documents import HELP, ROOT, outdented, sections

GUIDE = HELP / "contributing.md"
COPIED = ("zerogui", "resources", "tests", "pyproject.toml", "README.md")

_STEP = re.compile(r"^\d+\. (?P<told>.+?):\n\n(?P<code>   ```.*?^   ```)\n?", re.M | re.S)
_NUMBERED = re.compile(r"^\d+\. ", re.M)
_MAKE = re.compile(r"Make the file `(?P<path>[^`]+)`")
_BESIDE = re.compile(
    r"In `(?P<path>[^`]+)`.*?, (?P<where>above|below) the line with `(?P<line>[^`]+)`, add\b.*"
)
_END = re.compile(r"At the end of `(?P<path>[^`]+)`, add\b.*")


@dataclass(frozen=True)
class Step:
    """What to do, in the guide's words, and the code to do it with."""

    told: str
    code: str


def tasks() -> list[str]:
    """The headings with numbered steps below."""
    return [title for title, text in sections(GUIDE).items() if _NUMBERED.search(text)]


def steps(task: str) -> list[Step]:
    """The steps of a task. AssertionError where one has no code to follow."""
    text = sections(GUIDE)[task]
    found = [
        Step(" ".join(told.split()), outdented(code, "   ").split("\n", 1)[1].rsplit("```", 1)[0])
        for told, code in _STEP.findall(text)
    ]
    assert len(found) == len(_NUMBERED.findall(text)), f"a step of {task!r} has no code"
    return found


def copy_tree(place: Path) -> None:
    """What the steps need of the tree, at ``place``."""
    leave = shutil.ignore_patterns("__pycache__", "benchmarks", ".hypothesis")
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, place / name, ignore=leave)
        else:
            shutil.copy(source, place / name)


def follow(step: Step, tree: Path) -> None:
    """Do ``step`` in ``tree``. AssertionError where the guide is wrong."""
    if made := _MAKE.fullmatch(step.told):
        path = tree / made["path"]
        assert not path.exists(), f"{path} is there already"
        path.write_text(step.code, encoding="utf-8")
    elif beside := _BESIDE.fullmatch(step.told):
        _add_beside(tree / beside["path"], beside["line"], beside["where"] == "below", step.code)
    elif end := _END.fullmatch(step.told):
        with open(tree / end["path"], "a", encoding="utf-8") as file:
            file.write(step.code)
    else:
        assert step.told == "Run", f"nobody can follow: {step.told}"
        for line in step.code.splitlines():
            _run(line, tree)


def _add_beside(path: Path, line: str, below: bool, code: str) -> None:
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    places = [k for k, text in enumerate(lines) if line in text]
    assert len(places) == 1, f"{len(places)} lines of {path.name} have {line}"
    at = places[0] + below
    path.write_text("".join([*lines[:at], code, *lines[at:]]), encoding="utf-8")


def _run(line: str, tree: Path) -> None:
    program, *arguments = shlex.split(line)
    assert program == ".venv/bin/pytest", f"a step runs {program}"
    # The copy's own modules, whatever is installed; its caches stay in it.
    env = {**os.environ, "PYTHONPATH": str(tree), "QT_QPA_PLATFORM": "offscreen"}
    # These examples have their full run elsewhere.
    thorough = os.environ.get("HYPOTHESIS_PROFILE") == "ci"
    env["HYPOTHESIS_PROFILE"] = "default" if thorough else "quick"
    command = [sys.executable, "-m", "pytest", "-q", *arguments]
    done = subprocess.run(
        command, cwd=tree, env=env, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, f"{line}\n{done.stdout[-4000:]}\n{done.stderr[-2000:]}"


def imported_from(tree: Path) -> Path:
    """Where Python finds zerogui when it works in ``tree``."""
    code = "import zerogui; print(zerogui.__file__)"
    env = {**os.environ, "PYTHONPATH": str(tree)}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tree, env=env, capture_output=True, text=True, check=True
    )
    return Path(done.stdout.strip())
