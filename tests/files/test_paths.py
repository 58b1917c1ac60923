"""Files that cannot be read or written: one sentence, and nothing is lost."""

import os
import resource
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from zerogui.accounting.model import Model
from zerogui.accounting.scenario import Scenario
from zerogui.files.atomic import unwritable, write_atomically
from zerogui.files.errors import FileError
from zerogui.files.reading import read_bytes
from zerogui.files.scenario import load, save

SMALL = Scenario("small", Model("", 8))


@contextmanager
def unprivileged() -> Iterator[None]:
    """Permissions bind the superuser too: for a while the process acts as another user."""
    before = os.geteuid()
    if before == 0:
        os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(before)


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that every user can reach, unlike pytest's own."""
    with tempfile.TemporaryDirectory(prefix="zerogui-") as name:
        os.chmod(name, 0o755)
        yield Path(name)
        os.chmod(name, 0o755)


def sentence_of(refusal: pytest.ExceptionInfo[FileError]) -> str:
    return str(refusal.value)


def test_a_missing_file_is_said_to_be_missing(tmp_path: Path) -> None:
    with pytest.raises(FileError) as refusal:
        load(tmp_path / "plan.zerogui.json")
    assert sentence_of(refusal) == (
        "plan.zerogui.json: there is no such file; check the name and the folder."
    )
    with pytest.raises(FileError, match=r"^a.json: there is no such file"):
        load(tmp_path / "no folder" / "a.json")


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    folder = tmp_path / "plans"
    folder.mkdir()
    for path in (folder, f"{folder}/"):
        with pytest.raises(FileError) as refusal:
            load(path)
        assert sentence_of(refusal) == "plans: is a folder; choose a file in it."
    with pytest.raises(FileError) as refusal:
        save(SMALL, folder)
    assert sentence_of(refusal) == "plans: is a folder; choose a file name in it."
    assert list(folder.iterdir()) == []


def test_a_file_that_may_not_be_read_says_so(open_folder: Path) -> None:
    path = open_folder / "plan.json"
    path.write_bytes(b"{}")
    path.chmod(0)
    with unprivileged(), pytest.raises(FileError) as refusal:
        load(path)
    assert sentence_of(refusal) == (
        "plan.json: may not be read (permission denied); change its permissions or copy it"
        " elsewhere."
    )


@pytest.mark.parametrize("name", ["a\0b", "half\ud83d.json"])
def test_an_impossible_name_is_refused_for_reading_and_writing(tmp_path: Path, name: str) -> None:
    path = f"{tmp_path}/{name}"
    with pytest.raises(FileError, match="is no possible file name"):
        load(path)
    with pytest.raises(FileError, match="is no possible file name"):
        save(SMALL, path)


def test_a_name_that_is_too_long_says_so(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="the name is too long; choose a shorter one"):
        save(SMALL, tmp_path / ("x" * 300))
    with pytest.raises(FileError, match="cannot be read"):
        load(tmp_path / ("x" * 300))


def test_a_file_over_64_MB_is_not_read_to_its_end(tmp_path: Path) -> None:
    path = tmp_path / "huge.json"
    path.touch()
    os.truncate(path, 10**12)
    with pytest.raises(FileError) as refusal:
        load(path)
    assert sentence_of(refusal) == "huge.json: is larger than 64 MB; choose a smaller file."


def test_a_device_or_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.json")
    for path in ("/dev/zero", tmp_path / "pipe.json"):
        with pytest.raises(FileError, match="is a device or pipe, not a file; choose a file"):
            read_bytes(path)


def test_a_link_that_leads_back_to_itself_says_so(tmp_path: Path) -> None:
    (tmp_path / "loop.json").symlink_to("loop.json")
    with pytest.raises(FileError, match="is a link that leads back to itself; put the file in"):
        load(tmp_path / "loop.json")


def test_saving_into_a_folder_that_is_gone_names_the_folder(tmp_path: Path) -> None:
    with pytest.raises(FileError) as refusal:
        save(SMALL, "gone/plan.json")
    assert sentence_of(refusal) == (
        'plan.json: there is no folder "gone"; make it or choose another.'
    )


def test_saving_into_a_folder_of_others_leaves_it_as_it_was(open_folder: Path) -> None:
    open_folder.chmod(0o555)
    with unprivileged(), pytest.raises(FileError) as refusal:
        save(SMALL, open_folder / "plan.json")
    assert sentence_of(refusal) == (
        "plan.json: may not be written (permission denied); choose another name or folder."
    )
    assert list(open_folder.iterdir()) == []


def test_a_file_that_is_read_only_is_not_replaced(open_folder: Path) -> None:
    path = open_folder / "plan.json"
    path.write_bytes(b"precious")
    path.chmod(0o444)
    open_folder.chmod(0o777)
    with unprivileged(), pytest.raises(FileError, match="may not be written"):
        save(SMALL, path)
    assert path.read_bytes() == b"precious"


def test_a_disk_that_takes_no_more_leaves_the_old_file_and_no_rubbish(tmp_path: Path) -> None:
    path = tmp_path / "plan.json"
    path.write_bytes(b"precious")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, before[1]))
    try:
        with pytest.raises(FileError) as refusal:
            write_atomically(path, b"x" * 1000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert sentence_of(refusal).startswith("plan.json: cannot be written (")
    assert path.read_bytes() == b"precious"
    assert list(tmp_path.iterdir()) == [path]


def test_a_full_disk_is_named_as_such() -> None:
    with (
        open("/dev/full", "wb", buffering=0) as full,
        pytest.raises(OSError, match="No space") as refused,
    ):
        full.write(b"x")
    assert str(unwritable("plans/plan.json", refused.value)) == (
        "plan.json: the disk is full; free some space or choose another folder."
    )


def test_a_new_file_gets_the_permissions_that_new_files_get(tmp_path: Path) -> None:
    ordinary, saved = tmp_path / "ordinary", tmp_path / "saved"
    ordinary.touch()
    save(SMALL, saved)
    assert saved.stat().st_mode == ordinary.stat().st_mode


def test_a_replaced_file_keeps_its_permissions(tmp_path: Path) -> None:
    path = tmp_path / "plan.json"
    path.touch()
    path.chmod(0o640)
    save(SMALL, path)
    assert path.stat().st_mode & 0o777 == 0o640
    assert load(path) == SMALL


def test_saving_through_a_link_replaces_what_it_points_to(tmp_path: Path) -> None:
    target, link = tmp_path / "plan.json", tmp_path / "latest.json"
    target.write_bytes(b"old")
    link.symlink_to(target)
    save(SMALL, link)
    assert link.is_symlink()
    assert load(target) == SMALL


def test_the_longest_possible_name_can_be_saved_to(tmp_path: Path) -> None:
    path = tmp_path / ("x" * 250 + ".json")
    save(SMALL, path)
    assert load(path) == SMALL
    assert list(tmp_path.iterdir()) == [path]
