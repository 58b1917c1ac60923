"""On a Debian that holds nothing yet the bundle runs, and the install script sets all up.

Runs as root where debootstrap is installed: pytest -m bundle tests/packaging/test_bare_debian.py
"""

import os
import platform
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.commands import SEED, written
from tests.packaging.recipes import ROOT, SEED_TOTALS, output, totals
from zerogui import __version__

# Processes and mounts in it end with the command that it starts.
_APART = ("unshare", "--mount", "--pid", "--fork", "--kill-child")
# Whom this machine trusts; inside at another place, which no package of its own overwrites.
_CERTIFICATES = Path("/etc/ssl/certs/ca-certificates.crt")
_INSIDE = "/etc/trusted-outside.crt"
_SOURCES = (Path("/etc/apt/sources.list"), *Path("/etc/apt/sources.list.d").glob("*"))


def _allowed() -> bool:
    if shutil.which("debootstrap") is None or shutil.which("unshare") is None:
        return False
    return subprocess.run([*_APART, "chroot", "/", "true"], check=False).returncode == 0


pytestmark = [
    pytest.mark.bundle,
    pytest.mark.skipif(not _allowed(), reason="needs root, debootstrap and chroot"),
]


class Bare:
    """A bare root file system."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def run(self, script: str, timeout: int = 900) -> subprocess.CompletedProcess[str]:
        """A shell script, run inside."""
        inside = 'mount -t proc proc "$1/proc" && exec chroot "$1" /bin/sh -c "$2"'
        # How this machine reaches a package index holds inside too.
        network = {
            name: text
            for name, text in os.environ.items()
            if name in ("PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL", "PIP_DEFAULT_TIMEOUT")
            or name.casefold().endswith("_proxy")
        }
        if _CERTIFICATES.is_file():
            network["PIP_CERT"] = _INSIDE
        path = "/usr/sbin:/usr/bin:/sbin:/bin"
        return subprocess.run(
            [*_APART, "sh", "-c", inside, "sh", str(self.root), script],
            env={"PATH": path, "HOME": "/root", "LC_ALL": "C.UTF-8", **network},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=timeout,
            check=False,
        )

    def prints(self, script: str, timeout: int = 900) -> str:
        """What a script that works prints."""
        done = self.run(script, timeout)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout


def _suite_and_mirror() -> tuple[str, str]:
    """This machine's own where it is a Debian."""
    system = platform.freedesktop_os_release()
    suite = system["VERSION_CODENAME"] if system["ID"] == "debian" else "bookworm"
    text = "\n".join(path.read_text("utf-8") for path in _SOURCES if path.is_file())
    found = re.search(r"https?://\S+/debian/?(?=\s)", text)
    return suite, found[0] if found else "http://deb.debian.org/debian"


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bare]:
    """A minimal Debian, with this machine's way to its mirror."""
    root = tmp_path_factory.mktemp("bare") / "root"
    output(
        "debootstrap",
        "--variant=minbase",
        _suite_and_mirror()[0],
        root,
        _suite_and_mirror()[1],
        timeout=900,
    )
    for path in Path("/etc/apt/apt.conf.d").iterdir():
        if "Acquire::" in path.read_text("utf-8"):
            shutil.copy(path, root / "etc/apt/apt.conf.d")
    if _CERTIFICATES.is_file():
        shutil.copy(_CERTIFICATES, root / _INSIDE.lstrip("/"))
    yield Bare(root)
    shutil.rmtree(root)


def _named_in_the_readme() -> str:
    """What the README tells a bare Debian to install for the bundle."""
    section = (ROOT / "README.md").read_text("utf-8").partition("### Bundles and wheelhouse")[2]
    found = re.search(r"`(apt-get install [^`]+)`", section)
    assert found is not None
    return found[1]


def test_the_bundle_runs_where_there_is_no_python(bare: Bare, bundled: Path) -> None:
    assert bare.run("command -v python3 || command -v python").stdout == ""
    shutil.copytree(bundled / "zerogui", bare.root / "opt" / "zerogui", symlinks=True)
    assert bare.prints("/opt/zerogui/zerogui --version") == f"zerogui {__version__}\n"
    written(bare.root / "root", SEED)
    text = bare.prints("/opt/zerogui/zerogui report /root/plan.zerogui.json")
    assert "16,000,000,000 B = 16 GB" in text
    # The window needs what every desktop has, and says so where it is missing.
    smoke = "QT_QPA_PLATFORM=offscreen /opt/zerogui/zerogui --smoke"
    done = bare.run(smoke)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert "missing here: " in done.stderr
    install = _named_in_the_readme().replace("install", "install -qq -y --no-install-recommends")
    bare.prints(f"export DEBIAN_FRONTEND=noninteractive; apt-get -qq update && {install}")
    assert totals(bare.prints(smoke)) == SEED_TOTALS
    assert bare.run("command -v python3 || command -v python").stdout == ""


def test_the_install_script_sets_a_bare_system_up(bare: Bare) -> None:
    checkout = bare.root / "srv" / "zerogui"
    for name in output("git", "-C", ROOT, "ls-files", "-z").rstrip("\0").split("\0"):
        (checkout / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, checkout / name)
    said = bare.prints("cd /srv/zerogui && sh resources/install.sh")
    assert said.splitlines()[-1] == "zerogui: ready: .venv/bin/zerogui"
    program = "/srv/zerogui/.venv/bin/zerogui"
    assert bare.prints(f"{program} --version") == f"zerogui {__version__}\n"
    line = bare.prints(f"QT_QPA_PLATFORM=offscreen {program} --smoke")
    assert totals(line) == SEED_TOTALS
    # A second run finds all that it needs.
    assert "is up to date" in bare.prints("cd /srv/zerogui && sh resources/install.sh")
