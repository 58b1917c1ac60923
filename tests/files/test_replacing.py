"""Saving over what others wrote: kept beside it, never lost in silence; full disks for real."""

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from zerogui.files.atomic import write_atomically
from zerogui.files.errors import FileError
from zerogui.files.replacing import Changed, Written, digest, digest_of, replace_file


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_new_file_is_written_and_nothing_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "plan.json"
    assert replace_file(str(path), b"mine") == Written(digest(b"mine"))
    assert names(tmp_path) == ["plan.json"]


def test_what_another_wrote_is_kept_with_its_permissions(tmp_path: Path) -> None:
    path = tmp_path / "plan.json"
    path.write_bytes(b"theirs")
    path.chmod(0o600)
    written = replace_file(str(path), b"mine")
    assert written == Written(digest(b"mine"), kept="plan.json.bak")
    assert path.read_bytes() == b"mine"
    assert (tmp_path / "plan.json.bak").read_bytes() == b"theirs"
    assert (tmp_path / "plan.json.bak").stat().st_mode & 0o777 == 0o600


def test_what_this_window_wrote_is_not_kept(tmp_path: Path) -> None:
    path = tmp_path / "plan.json"
    path.write_bytes(b"mine before")
    replace_file(str(path), b"mine", own=frozenset({digest(b"mine before")}))
    assert names(tmp_path) == ["plan.json"]


def test_an_older_kept_version_stays_and_the_same_is_kept_once(tmp_path: Path) -> None:
    path = tmp_path / "plan.json"
    for contents in (b"first", b"second", b"first"):
        path.write_bytes(contents)
        assert isinstance(replace_file(str(path), b"mine"), Written)
    assert names(tmp_path) == ["plan.json", "plan.json.bak", "plan.json.bak2"]
    assert (tmp_path / "plan.json.bak").read_bytes() == b"first"
    assert (tmp_path / "plan.json.bak2").read_bytes() == b"second"


def test_of_nine_kept_versions_the_oldest_goes_and_that_is_told(tmp_path: Path) -> None:
    path = tmp_path / "plan.json"
    for number in range(9):
        path.write_bytes(b"version %d" % number)
        written = replace_file(str(path), b"mine")
        assert isinstance(written, Written)
        assert not written.dropped
        os.utime(tmp_path / str(written.kept), (1000 + number, 1000 + number))
    path.write_bytes(b"version 9")
    assert replace_file(str(path), b"mine") == Written(digest(b"mine"), "plan.json.bak", True)
    kept = [p.read_bytes() for p in tmp_path.glob("*.bak*")]
    assert sorted(kept) == [b"version %d" % number for number in range(1, 10)]


def test_a_file_that_others_changed_is_not_touched_when_careful(tmp_path: Path) -> None:
    path = tmp_path / "plan.json"
    path.write_bytes(b"theirs")
    expected = digest(b"as opened")
    assert replace_file(str(path), b"mine", expected, careful=True) == Changed(str(path))
    assert path.read_bytes() == b"theirs"
    # Somebody else has saved the very same: there is nothing to ask.
    assert isinstance(replace_file(str(path), b"theirs", expected, careful=True), Written)
    assert names(tmp_path) == ["plan.json"]


def test_a_change_of_the_same_size_at_the_same_time_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "plan.json"
    path.write_bytes(b"aaaa")
    expected, status = digest_of(str(path)), path.stat()
    path.write_bytes(b"bbbb")
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert isinstance(replace_file(str(path), b"mine", expected, careful=True), Changed)


def test_a_deleted_file_is_written_again_and_said(tmp_path: Path) -> None:
    path = tmp_path / "plan.json"
    written = replace_file(str(path), b"mine", digest(b"mine before"), careful=True)
    assert written == Written(digest(b"mine"), was_gone=True)
    assert path.read_bytes() == b"mine"


def test_pipes_devices_and_large_files_are_never_replaced(tmp_path: Path) -> None:
    pipe, huge = tmp_path / "pipe", tmp_path / "model.safetensors"
    os.mkfifo(pipe)
    huge.touch()
    os.truncate(huge, 10**11)
    for write in (lambda p: write_atomically(p, b"x"), lambda p: replace_file(str(p), b"x")):
        with pytest.raises(FileError, match=r"^pipe: is a device or pipe, not a file"):
            write(pipe)
    with pytest.raises(FileError, match="larger than 64 MB, so no scenario"):
        replace_file(str(huge), b"x")
    assert pipe.is_fifo()
    assert huge.stat().st_size == 10**11


FULL = """
import ctypes, errno, os, sys
from zerogui.files.errors import FileError
from zerogui.files.replacing import replace_file

folder = sys.argv[1]
libc = ctypes.CDLL(None, use_errno=True)
if libc.mount(b"none", folder.encode(), b"tmpfs", 0, b"size=16k"):
    sys.exit("no tmpfs: " + os.strerror(ctypes.get_errno()))
plan = os.path.join(folder, "plan.json")
with open(plan, "wb") as file:
    file.write(b"precious")
for contents in (b"x" * 100_000, b"y"):
    if len(contents) == 1:
        ballast = os.open(os.path.join(folder, "ballast"), os.O_WRONLY | os.O_CREAT)
        try:
            while True:
                os.write(ballast, b"z" * 4096)
        except OSError as error:
            assert error.errno == errno.ENOSPC
    try:
        replace_file(plan, contents)
    except FileError as error:
        print(error)
    with open(plan, "rb") as file:
        print(file.read().decode(), sorted(os.listdir(folder)))
"""


def test_a_disk_that_is_really_full_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    # In a mount namespace of its own, so that the little disk goes with the process.
    wrapped = ["unshare", "--mount", *([] if os.geteuid() == 0 else ["--user", "--map-root-user"])]
    ran = subprocess.run(
        [*wrapped, sys.executable, "-c", FULL, str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
    )
    full = "the disk is full; free some space or choose another folder."
    said = [line for line in ran.stdout.splitlines() if full in line]
    assert len(said) == 2, ran.stderr
    # Once the new file is too large for the disk, once not a byte is left.
    kept = [line for line in ran.stdout.splitlines() if line.startswith("precious")]
    assert [line.split(" ", 1)[1] for line in kept] == [
        "['plan.json', 'plan.json.bak']",
        "['ballast', 'plan.json', 'plan.json.bak']",
    ]


def test_a_reader_never_sees_half_a_file(tmp_path: Path) -> None:
    path = tmp_path / "plan.json"
    versions = [bytes([letter]) * 200_000 for letter in b"ab"]
    path.write_bytes(versions[0])
    seen: set[bytes] = set()
    stop = threading.Event()

    def read() -> None:
        while not stop.is_set():
            seen.add(path.read_bytes())

    reader = threading.Thread(target=read)
    reader.start()
    for turn in range(40):
        write_atomically(path, versions[turn % 2])
    stop.set()
    reader.join()
    assert seen <= set(versions)
