"""The packaging scripts as modules and commands, for the tests that look at what they make."""

import functools
import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).parents[2]
RESOURCES = ROOT / "resources"
PACKAGING = RESOURCES / "packaging"

# A bare system's own folders, and nothing of whoever runs the tests.
BARE = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "LC_ALL": "C.UTF-8"}


def packaging_module(name: str) -> ModuleType:
    """A module beside the spec; they are no package, since PyInstaller runs them as scripts."""
    spec = importlib.util.spec_from_file_location(name, PACKAGING / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def output(*command: str | Path, timeout: int = 120, **options: object) -> str:
    """What a command that works prints."""
    done = subprocess.run(
        list(map(str, command)),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
        **options,
    )
    assert done.returncode == 0, f"{command}:\n{done.stdout}{done.stderr}"
    return str(done.stdout)


def shell(script: str, *arguments: str | Path, env: dict[str, str] | None = None) -> str:
    """What a packaging script prints; it has to succeed."""
    command = ("sh", PACKAGING / script, *arguments)
    return output(*command, env={**os.environ, **(env or {})}, timeout=1500)


@functools.cache
def away_from_python() -> tuple[str, ...]:
    """The start of a command that finds neither this checkout nor the Python of the tests.

    Their folders are covered up for that command alone. Empty where a machine does not allow that.
    """
    folders = {ROOT, Path(sys.prefix).resolve(), Path(sys.base_prefix).resolve()} - {Path("/usr")}
    script = 'for f in $FOLDERS; do /bin/mount -t tmpfs none "$f" || exit 125; done; exec "$@"'
    for options in (["--mount"], ["--mount", "--map-root-user"]):
        hidden = f"FOLDERS={' '.join(map(str, sorted(folders)))}"
        start = ("/usr/bin/unshare", *options, "/usr/bin/env", hidden, "/bin/sh", "-c", script)
        start += ("sh", "/usr/bin/env", "-u", "FOLDERS")
        try:
            done = subprocess.run([*start, "/bin/ls", str(ROOT)], capture_output=True, check=False)
        except FileNotFoundError:
            return ()
        if (done.returncode, done.stdout) == (0, b""):
            return start
    return ()


def totals(line: str) -> dict[str, int]:
    """What ``--smoke`` says that its window shows: bytes on the fullest rank, by stage."""
    found = json.loads(line)["total_bytes"]
    assert isinstance(found, dict)
    return found


# 16 bytes per parameter, 10^9 parameters, 4 workers: 4 + 12/4 GB, 2 + 14/4 GB, 16/4 GB.
SEED_TOTALS = {
    "DDP": 16_000_000_000,
    "ZeRO-1": 7_000_000_000,
    "ZeRO-2": 5_500_000_000,
    "ZeRO-3": 4_000_000_000,
}
# The ZeRO paper's Figure 1: 120, 31.4, 16.6 and 1.9 GB.
FIGURE_1_TOTALS = {
    "DDP": 120_000_000_000,
    "ZeRO-1": 31_406_250_000,
    "ZeRO-2": 16_640_625_000,
    "ZeRO-3": 1_875_000_000,
}
