"""Bad files: those of tests/data/bad, and those made on the spot, with the sentence each gives."""

import json
import os
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "data" / "bad"
HEAD = b'{"format": "zerogui/scenario", "version": 1, '
MODEL = b'"model": {"parameters": 1000}'


@dataclass(frozen=True)
class Bad:
    """What to open in a folder where it has been put, and the whole line that it gives."""

    name: str
    sentence: str
    make: Callable[[Path], None]


def _copied(name: str) -> Callable[[Path], None]:
    def make(path: Path) -> None:
        source = FOLDER / name
        # A folder's shards may lie beside it: ../gap.safetensors is there, and still refused.
        shutil.copy(FOLDER / "gap.safetensors", path.parent)
        if source.is_dir():
            shutil.copytree(source, path)
        else:
            shutil.copy(source, path)

    return make


def _sparse(size: int) -> Callable[[Path], None]:
    def make(path: Path) -> None:
        path.touch()
        os.truncate(path, size)

    return make


def _bytes(data: Callable[[], bytes]) -> Callable[[Path], None]:
    return lambda path: path.write_bytes(data()) and None


def _link(target: str) -> Callable[[Path], None]:
    return lambda path: path.symlink_to(target)


def _index(folder: Path, shard: str) -> None:
    folder.mkdir()
    index = folder / "model.safetensors.index.json"
    index.write_text(json.dumps({"weight_map": {"w": shard}}))


def _looping_shard(path: Path) -> None:
    _index(path, "model.safetensors")
    (path / "model.safetensors").symlink_to("again.safetensors")
    (path / "again.safetensors").symlink_to("model.safetensors")


def _leaving_shard(path: Path) -> None:
    _index(path, "model.safetensors")
    shutil.copy(FOLDER / "gap.safetensors", path.parent / "outside.safetensors")
    (path / "model.safetensors").symlink_to("../outside.safetensors")


def _piped_shard(path: Path) -> None:
    _index(path, "model.safetensors")
    os.mkfifo(path / "model.safetensors")


def _sparse_header(path: Path) -> None:
    """A header of exactly 100 MB, all of it zero bytes."""
    path.write_bytes((100 * 10**6).to_bytes(8, "little"))
    os.truncate(path, 200 * 10**6)


LONG = "x" * 59 + "…"
# Too large for the repository, or nothing that a repository can hold.
MADE = (
    ("huge.zerogui.json", "is larger than 64 MB; choose a smaller file.", _sparse(10**9)),
    ("huge.yaml", "is larger than 16 MB; choose a smaller file.", _sparse(10**9)),
    (
        "large.yaml",
        "is larger than 256 kB, which no config is; choose another file.",
        _bytes(lambda: b"distributed_type: FSDP\n" + b"#" * 300_000),
    ),
    (
        "large-config.json",
        "is larger than 16 MB; choose a config that is smaller.",
        _bytes(lambda: b'{"model_type": "llama", "x": "' + b"x" * 17_000_000 + b'"}'),
    ),
    (
        "title-of-10-MB.zerogui.json",
        "title has 10,000,000 characters; use at most 1,000.",
        _bytes(lambda: HEAD + MODEL + b', "title": "' + b"x" * 10**7 + b'"}'),
    ),
    (
        "field-of-10-MB.zerogui.json",
        f'"{LONG}" is not a field of a scenario; remove it or use format, version, model, title,'
        " recipe, cluster, sharding, device.",
        _bytes(lambda: HEAD + MODEL + b', "' + b"x" * 10**7 + b'": 1}'),
    ),
    (
        "empty-lists.zerogui.json",
        "holds more than 8,388,608 values; choose a smaller file.",
        _bytes(lambda: HEAD + b'"model": [' + b"[]," * 15_000_000 + b"[]]}"),
    ),
    (
        "million-of-keys.zerogui.json",
        "k0 appears twice; keep one of them.",
        _bytes(lambda: b"{" + b",".join(b'"k%d": 1' % (k % 50_000) for k in range(100_000)) + b"}"),
    ),
    (
        "zeros.safetensors",
        "has a header that is not JSON (expecting value, character 1); download or save it again.",
        _sparse_header,
    ),
    (
        "tensor-of-10-MB.safetensors",
        f'tensor "{LONG}" has a name of 10,000,000 characters; use at most 1,000.',
        _bytes(lambda: _header(b'{"' + b"x" * 10**7 + b'": %s}' % _TENSOR) + bytes(4)),
    ),
    (
        "loop.zerogui.json",
        "is a link that leads back to itself; put the file in its place.",
        _link("loop.zerogui.json"),
    ),
    (
        "nowhere.zerogui.json",
        "there is no such file; check the name and the folder.",
        _link("gone.zerogui.json"),
    ),
    (
        "missing.zerogui.json",
        "there is no such file; check the name and the folder.",
        lambda _: None,
    ),
    ("pipe.zerogui.json", "is a device or pipe, not a file; choose a file.", os.mkfifo),
    ("pipe.yaml", "is a device or pipe, not a file; choose a file.", os.mkfifo),
    ("pipe.safetensors", "is a device or pipe, not a file; choose a file.", os.mkfifo),
    ("device.zerogui.json", "is a device or pipe, not a file; choose a file.", _link("/dev/zero")),
    ("empty-folder", "holds no .safetensors file; choose another folder.", Path.mkdir),
    (
        "looping-shard",
        "model.safetensors: is a link that leads back to itself; put the file in its place.",
        _looping_shard,
    ),
    (
        "leaving-shard",
        "model.safetensors: is a link that leaves its folder; put the file in its place or open it"
        " there.",
        _leaving_shard,
    ),
    (
        "piped-shard",
        "model.safetensors: is a device or pipe, not a file; choose a file.",
        _piped_shard,
    ),
    (
        "<img src=x>\u202e{{7*7}}.zerogui.json",
        "there is no such file; check the name and the folder.",
        lambda _: None,
    ),
    (
        "n" * 240 + ".json",
        "there is no such file; check the name and the folder.",
        lambda _: None,
    ),
)
_TENSOR = b'{"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}'
_SHARD_ERRORS = {"looping-shard", "leaving-shard", "piped-shard"}


# Python 3.13 reads deeper lists and objects, and says other words on commas.
_SINCE_3_13 = {
    "header-nested-5000.safetensors": 'tensor "a" is not described by an object; save it again.',
    "nested-5000-lists.zerogui.json": "model is a list; use an object {...}.",
    "nested-5000-objects.zerogui.json": (
        'format is missing; add "format": "zerogui/scenario" or choose another file.'
    ),
    "trailing-comma.zerogui.json": (
        "line 1, column 75 is not JSON (illegal trailing comma before end of object);"
        " correct it there."
    ),
}


def _header(text: bytes) -> bytes:
    return len(text).to_bytes(8, "little") + text


def _shown(name: str) -> str:
    """What a sentence calls the file: controls escaped, long names elided."""
    return name.replace("\u202e", "\\u202e") if len(name) <= 200 else name[:199] + "…"


def cases() -> list[Bad]:
    """Every bad file, in order of name."""
    table: dict[str, str] = json.loads((FOLDER / "sentences.json").read_text(encoding="utf-8"))
    if sys.version_info >= (3, 13):
        table |= {name: f"{name}: {sentence}" for name, sentence in _SINCE_3_13.items()}
    found = [Bad(name, sentence, _copied(name)) for name, sentence in table.items()]
    for name, sentence, make in MADE:
        whole = sentence if name in _SHARD_ERRORS else f"{_shown(name)}: {sentence}"
        found.append(Bad(name, whole, make))
    return found
