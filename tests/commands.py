"""The program as a process, for the tests of the command line."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

MODULE = (sys.executable, "-m", "zerogui")
SCRIPT = Path(sys.executable).with_name("zerogui")
# The console script belongs to an installation; a checkout alone has the module only.
PROGRAMS = [MODULE, *([(str(SCRIPT),)] if SCRIPT.exists() else [])]

H100 = '"device": {"name": "H100 80GB", "memory": 85520809984}'
SEED = '"model": {"parameters": 1000000000}'
FIGURE_1 = (
    '"title": "7.5B on 64 GPUs", "model": {"name": "7.5B", "parameters": 7500000000},'
    f' "cluster": {{"workers": 64}}, "sharding": {{"stage": 2}}, {H100}'
)
HEAD = '{"format": "zerogui/scenario", "version": 1, '


def named(program: tuple[str, ...]) -> str:
    """What a test calls ``program``."""
    return Path(program[0]).name


def run(
    *arguments: str | Path,
    program: tuple[str, ...] = MODULE,
    env: dict[str, str | None] | None = None,
    stdout: Any = subprocess.PIPE,
) -> subprocess.CompletedProcess[bytes]:
    """The finished process; ``env`` sets variables, and takes away those that are None."""
    changed = {**os.environ, **(env or {})}
    return subprocess.run(
        [*program, *map(str, arguments)],
        env={name: value for name, value in changed.items() if value is not None},
        stdin=subprocess.DEVNULL,
        stdout=stdout,
        stderr=subprocess.PIPE,
        timeout=120,
        check=False,
    )


def printed(*arguments: str | Path, **options: Any) -> str:
    """What a command that works prints; it says nothing else."""
    done = run(*arguments, **options)
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout.decode("utf-8")


def refusal(*arguments: str | Path, **options: Any) -> str:
    """The one line that a command that does not work says instead."""
    done = run(*arguments, **options)
    said = done.stderr.decode("utf-8")
    assert done.returncode == 2, said
    assert not done.stdout
    assert said.endswith("\n")
    assert len(said.splitlines()) == 1, said
    assert "Traceback" not in said
    return said.rstrip("\n")


def written(folder: Path, fields: str) -> Path:
    """A scenario of these fields, as a file in ``folder``."""
    path = folder / "plan.zerogui.json"
    path.write_text(f"{HEAD}{fields}}}", encoding="utf-8")
    return path
