"""Folders and indexes that are incomplete, contradict themselves or lead elsewhere."""

import json
import os
import tempfile
from pathlib import Path

import pytest

from tests.files.models.safetensors_files import Shapes, save, save_sharded, write_index
from zerogui.files.errors import FileError
from zerogui.files.models.checkpoint import read_checkpoint

FIRST: Shapes = {"a": ("F32", (2,)), "b": ("F32", (3,))}
SECOND: Shapes = {"c": ("F32", (4,))}
SHARDS = [f"model-0000{number}-of-00002.safetensors" for number in (1, 2)]
PICKLE = (
    "is a pickle file, which can run any code when it is loaded;"
    " convert it to safetensors where you trust it and open that."
)


def refusal_of(path: Path) -> str:
    with pytest.raises(FileError) as refusal:
        read_checkpoint(path)
    return str(refusal.value)


@pytest.fixture
def index(tmp_path: Path) -> Path:
    """A sound checkpoint of two shards."""
    folder = tmp_path / "model"
    folder.mkdir()
    return save_sharded(folder, [FIRST, SECOND], total_size=36)


def with_shard(index: Path, name: str) -> Path:
    """``index`` with tensor c in the shard called ``name``."""
    value = json.loads(index.read_text())
    value["weight_map"]["c"] = name
    index.write_text(json.dumps(value))
    return index


def test_a_missing_shard_is_named(index: Path) -> None:
    (index.parent / SHARDS[1]).unlink()
    sentence = f'1 of 2 shards is missing ("{SHARDS[1]}"); put them into the folder.'
    assert refusal_of(index) == f"{index.name}: {sentence}"
    index.unlink()
    assert refusal_of(index.parent) == f"model: {sentence}"


def test_of_many_missing_shards_the_first_are_named(tmp_path: Path) -> None:
    save(tmp_path / "m-00003-of-00009.safetensors", FIRST)
    assert refusal_of(tmp_path).endswith(
        ': 8 of 9 shards are missing ("m-00001-of-00009.safetensors",'
        ' "m-00002-of-00009.safetensors", "m-00004-of-00009.safetensors" and 5 more);'
        " put them into the folder."
    )


def test_shards_that_are_counted_from_zero_are_complete(tmp_path: Path) -> None:
    save(tmp_path / "m-00000-of-00002.safetensors", FIRST)
    save(tmp_path / "m-00001-of-00002.safetensors", SECOND)
    assert read_checkpoint(tmp_path).model.parameters == 9


def test_a_link_to_nothing_is_a_missing_shard(index: Path) -> None:
    (index.parent / SHARDS[1]).unlink()
    (index.parent / SHARDS[1]).symlink_to("gone")
    assert "1 of 2 shards is missing" in refusal_of(index)


@pytest.mark.parametrize(
    "name",
    [
        "../secret.safetensors",
        "sub/../../secret.safetensors",
        "/etc/secret.safetensors",
        "..\\secret.safetensors",
        "C:\\secret.safetensors",
        "C:secret.safetensors",
        "\\\\server\\share\\secret.safetensors",
    ],
)
def test_a_shard_that_leaves_the_folder_is_refused_before_it_is_looked_at(
    index: Path, name: str
) -> None:
    save(index.parent.parent / "secret.safetensors", SECOND)
    assert refusal_of(with_shard(index, name)) == (
        f'{index.name}: names the shard "{name}", which leaves its folder; correct it there.'
    )


@pytest.mark.parametrize("opened_by", ["index", "folder"])
def test_a_link_that_leads_out_of_the_folder_is_refused(index: Path, opened_by: str) -> None:
    secret = index.parent.parent / "secret.safetensors"
    save(secret, SECOND)
    shard = index.parent / SHARDS[1]
    shard.unlink()
    shard.symlink_to(secret)
    if opened_by == "folder":
        index.unlink()
    assert refusal_of(index if opened_by == "index" else index.parent) == (
        f"{SHARDS[1]}: is a link that leaves its folder;"
        " put the file in its place or open it there."
    )


def test_a_folder_whose_name_begins_like_the_folder_is_outside(index: Path) -> None:
    other = index.parent.parent / "model-other"
    other.mkdir()
    save(other / "c.safetensors", SECOND)
    (index.parent / "c.safetensors").symlink_to(other / "c.safetensors")
    assert "is a link that leaves its folder" in refusal_of(with_shard(index, "c.safetensors"))


def test_links_and_folders_within_the_folder_are_fine(index: Path) -> None:
    (index.parent / "parts").mkdir()
    (index.parent / SHARDS[1]).rename(index.parent / "parts" / "c.safetensors")
    assert read_checkpoint(with_shard(index, "parts/c.safetensors")).model.parameters == 9
    (index.parent / "link.safetensors").symlink_to("parts/c.safetensors")
    assert read_checkpoint(with_shard(index, "link.safetensors")).model.parameters == 9


def test_a_folder_that_is_itself_a_link_opens(index: Path) -> None:
    link = index.parent.parent / "latest"
    link.symlink_to(index.parent)
    assert read_checkpoint(link).model.parameters == 9


def test_the_current_folder_opens(index: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(index.parent)
    assert read_checkpoint(index.name).model.name == "model"
    assert read_checkpoint(".").model.name == "model"


@pytest.mark.parametrize("opened_by", ["index", "folder"])
def test_a_loop_of_links_is_refused(index: Path, opened_by: str) -> None:
    shard, back = index.parent / SHARDS[1], index.parent / "back"
    shard.unlink()
    shard.symlink_to(back)
    back.symlink_to(shard)
    if opened_by == "folder":
        index.unlink()
    assert refusal_of(index if opened_by == "index" else index.parent) == (
        f"{SHARDS[1]}: is a link that leads back to itself; put the file in its place."
    )


@pytest.mark.parametrize("opened_by", ["index", "folder"])
def test_a_shard_that_is_a_folder_is_refused(index: Path, opened_by: str) -> None:
    (index.parent / SHARDS[1]).unlink()
    (index.parent / SHARDS[1]).mkdir()
    if opened_by == "folder":
        index.unlink()
    assert refusal_of(index if opened_by == "index" else index.parent) == (
        f"{SHARDS[1]}: is a folder, not a safetensors file; choose a file in it."
    )


def test_a_wrong_shard_is_refused_under_its_own_name(index: Path) -> None:
    (index.parent / SHARDS[1]).write_bytes(b"")
    assert refusal_of(index) == f"{SHARDS[1]}: is empty; choose another file."


def test_a_tensor_in_two_shards_is_refused(index: Path) -> None:
    save(index.parent / SHARDS[1], SECOND | {"a": ("F32", (2,))})
    sentence = f'{SHARDS[1]}: tensor "a" is in "{SHARDS[0]}" too; keep one of the files.'
    assert refusal_of(index) == sentence
    index.unlink()
    assert refusal_of(index.parent) == sentence


def test_one_shard_under_two_names_is_refused(index: Path) -> None:
    assert f'is in "{SHARDS[0]}" too' in refusal_of(with_shard(index, f"./{SHARDS[0]}"))


def test_an_index_that_puts_a_tensor_into_the_wrong_shard_is_refused(index: Path) -> None:
    value = json.loads(index.read_text())
    value["weight_map"]["b"] = SHARDS[1]
    index.write_text(json.dumps(value))
    assert refusal_of(index) == (
        f'{index.name}: says that "{SHARDS[1]}" holds "b", which it does not; download both again.'
    )


def test_an_index_that_names_a_tensor_which_is_nowhere_is_refused(index: Path) -> None:
    value = json.loads(index.read_text())
    value["weight_map"]["mtp.fc.weight"] = SHARDS[1]
    index.write_text(json.dumps(value))
    assert 'holds "mtp.fc.weight", which it does not' in refusal_of(index)


def test_a_total_size_that_the_shards_do_not_have_is_said(index: Path) -> None:
    value = json.loads(index.read_text())
    value["metadata"]["total_size"] = 40
    index.write_text(json.dumps(value))
    notes = read_checkpoint(index).notes
    assert "The index says 40 bytes, the shards hold 36; the shards count." in notes


@pytest.mark.parametrize("size", ["36", -1, 36.0, True, [], {}])
def test_a_total_size_that_is_no_count_is_refused(index: Path, size: object) -> None:
    value = json.loads(index.read_text())
    value["metadata"]["total_size"] = size
    index.write_text(json.dumps(value))
    assert refusal_of(index) == (
        f"{index.name}: metadata.total_size is no whole number; correct or remove it."
    )


def test_an_index_without_metadata_is_fine(index: Path) -> None:
    value = json.loads(index.read_text())
    del value["metadata"]
    index.write_text(json.dumps(value))
    assert read_checkpoint(index).model.parameters == 9


@pytest.mark.parametrize(
    "text", ["[]", "{}", '{"weight_map": []}', '{"weight_map": {}}', '{"model_type": "llama"}']
)
def test_a_json_file_that_is_no_index_says_so(tmp_path: Path, text: str) -> None:
    path = tmp_path / "model.safetensors.index.json"
    path.write_text(text)
    assert refusal_of(path) == (
        f"{path.name}: has no weight_map, so it is no index of a checkpoint; choose another file."
    )


@pytest.mark.parametrize(
    ("shard", "sentence"),
    [
        (5, 'weight_map has no file name for "a"; download it again.'),
        (None, 'weight_map has no file name for "a"; download it again.'),
        ("config.json", 'names "config.json", which is no .safetensors file; correct it there.'),
        ("", 'names "", which is no .safetensors file; correct it there.'),
        ("a.bin", f'names "a.bin", which {PICKLE}'),
    ],
)
def test_an_index_names_safetensors_files_only(
    tmp_path: Path, shard: object, sentence: str
) -> None:
    path = write_index(tmp_path, {"a": shard})
    assert refusal_of(path) == f"{path.name}: {sentence}"


def test_an_impossible_shard_name_is_refused(tmp_path: Path) -> None:
    path = write_index(tmp_path, {"a": "a\0.safetensors"})
    assert refusal_of(path).endswith("is no possible file name; correct it in the index.")
    path = write_index(tmp_path, {"a": "a" * 300 + ".safetensors"})
    assert "cannot be read" in refusal_of(path)


def test_an_index_with_a_repeated_tensor_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "model.safetensors.index.json"
    path.write_text('{"weight_map": {"a": "a.safetensors", "a": "b.safetensors"}}')
    assert refusal_of(path) == f"{path.name}: weight_map.a appears twice; keep one of them."


def test_the_index_of_pickle_files_is_refused_with_the_reason(tmp_path: Path) -> None:
    path = tmp_path / "pytorch_model.bin.index.json"
    path.write_text('{"weight_map": {"a": "pytorch_model-00001-of-00001.bin"}}')
    assert refusal_of(path).endswith(f'"pytorch_model-00001-of-00001.bin", which {PICKLE}')


def test_a_folder_without_a_checkpoint_says_so(tmp_path: Path) -> None:
    folder = tmp_path / "empty"
    folder.mkdir()
    (folder / "config.json").write_text("{}")
    (folder / "._model.safetensors").write_bytes(b"\0\5\x16\7")
    assert refusal_of(folder) == "empty: holds no .safetensors file; choose another folder."


def test_a_folder_of_pickle_files_names_the_first(tmp_path: Path) -> None:
    for name in ("optimizer.pt", "a.bin", "config.json"):
        (tmp_path / name).touch()
    assert refusal_of(tmp_path) == f"a.bin: {PICKLE}"


def test_a_folder_with_several_indexes_asks_for_one(tmp_path: Path) -> None:
    for stem in ("a", "b"):
        write_index(tmp_path, {"a": "a.safetensors"}, stem=stem)
    assert refusal_of(tmp_path).endswith(
        ': has 2 indexes ("a.safetensors.index.json", "b.safetensors.index.json");'
        " open one of them."
    )


def test_a_folder_that_may_not_be_read_says_so() -> None:
    # In a folder of its own: pytest's folders are closed to other users anyway.
    with tempfile.TemporaryDirectory(prefix="zerogui-") as name:
        os.chmod(name, 0)
        before = os.geteuid()
        os.seteuid(65534 if before == 0 else before)
        try:
            sentence = refusal_of(Path(name))
        finally:
            os.seteuid(before)
    assert "may not be read (permission denied)" in sentence
