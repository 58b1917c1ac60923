"""The packaging scripts as modules and commands, for the tests that look at what they make."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).parents[2]
PACKAGING = ROOT / "resources" / "packaging"


def packaging_module(name: str) -> ModuleType:
    """A module beside the spec; they are no package, since PyInstaller runs them as scripts."""
    spec = importlib.util.spec_from_file_location(name, PACKAGING / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def shell(script: str, *arguments: str | Path, env: dict[str, str] | None = None) -> str:
    """What a packaging script prints; it has to succeed."""
    done = subprocess.run(
        ["sh", str(PACKAGING / script), *map(str, arguments)],
        env={**os.environ, **(env or {})},
        capture_output=True,
        text=True,
        timeout=1500,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def hidden_python() -> list[str]:
    """The start of a command that runs where this checkout and its Python cannot be found.

    It hides their folders in a mount namespace; empty where the machine does not allow that.
    """
    folders = {ROOT, Path(sys.prefix).resolve(), Path(sys.base_prefix).resolve()}
    hide = "; ".join(f"/bin/mount -t tmpfs none '{path}'" for path in sorted(folders))
    if Path("/usr") in folders:
        hide = "; ".join(f"/bin/mount -t tmpfs none '{path}'" for path in folders - {Path("/usr")})
    return ["/usr/bin/unshare", "--mount", "/bin/sh", "-c", f'set -e; {hide}; exec "$@"', "sh"]
