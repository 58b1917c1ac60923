"""Which files a checkpoint consists of: one file, a folder, or what an index names."""

import os
import re
from collections.abc import Collection
from pathlib import PurePosixPath, PureWindowsPath
from typing import NamedTuple

from zerogui.accounting.errors import shown
from zerogui.files.errors import FileError
from zerogui.files.models.safetensors_header import PICKLE
from zerogui.files.reading import parse_json, read_bytes, why_unreadable

SUFFIX = ".safetensors"
INDEX_SUFFIX = ".safetensors.index.json"
ADAPTER_FILE = "adapter_model.safetensors"
PICKLES = (".bin", ".pt", ".pth", ".ckpt", ".pkl", ".pickle")

_SHARD = re.compile(r"(.*)-(\d{5})-of-(\d{5})\.safetensors", re.DOTALL | re.ASCII)


class Checkpoint(NamedTuple):
    """The shards to read; what an index says, where there is one; sentences for the reader.

    ``claimed`` maps each tensor to the path of its shard; ``total_size`` is in bytes.
    """

    shards: tuple[str, ...]
    notes: tuple[str, ...] = ()
    index_file: str = ""
    claimed: dict[str, str] | None = None
    total_size: int | None = None


def find(path: str) -> Checkpoint:
    """The checkpoint that the user means by ``path``. FileError where it is none or incomplete."""
    lowered = path.lower()
    try:
        if os.path.isdir(path):
            return _folder(path)
    except OSError as error:
        raise FileError(path, why_unreadable(error)) from None
    except ValueError:
        raise FileError(path, "is no possible file name; check the name.") from None
    if lowered.endswith(PICKLES):
        raise FileError(path, PICKLE)
    if lowered.endswith(".json"):
        return _index(path)
    return Checkpoint((path,), _notes_on_part(path))


def _notes_on_part(path: str) -> tuple[str, ...]:
    part = _SHARD.fullmatch(os.path.basename(path))
    if part is None or int(part[3]) < 2:
        return ()
    number, total = int(part[2]), int(part[3])
    return (f"This is shard {number:,} of {total:,}; open their folder for the whole model.",)


def _folder(path: str) -> Checkpoint:
    # Names that start with a dot are other programs' rubbish.
    names = sorted(name for name in os.listdir(path) if not name.startswith("."))
    indexes = [name for name in names if name.lower().endswith(INDEX_SUFFIX)]
    if "model" + INDEX_SUFFIX in indexes:
        indexes = ["model" + INDEX_SUFFIX]
    if len(indexes) > 1:
        sentence = f"has {len(indexes)} indexes ({_listed(indexes)}); open one of them."
        raise FileError(path, sentence)
    if indexes:
        return _index(os.path.join(path, indexes[0]))
    shards = [name for name in names if name.lower().endswith(SUFFIX)]
    if not shards:
        _refuse_folder(path, names)
    notes: tuple[str, ...] = ()
    if ADAPTER_FILE in shards and len(shards) > 1:
        shards.remove(ADAPTER_FILE)
        notes = (f"{ADAPTER_FILE} in the same folder is not counted; open it as an adapter.",)
    _check_complete(path, shards)
    paths = tuple(_located(path, name) or os.path.join(path, name) for name in shards)
    return Checkpoint(paths, notes)


def _refuse_folder(path: str, names: list[str]) -> None:
    pickles = [name for name in names if name.lower().endswith(PICKLES)]
    if pickles:
        raise FileError(os.path.join(path, pickles[0]), PICKLE)
    raise FileError(path, f"holds no {SUFFIX} file; choose another folder.")


def _check_complete(path: str, names: list[str]) -> None:
    """FileError where file names count shards (00001-of-00003) and one is not there."""
    wanted: dict[tuple[str, int], set[int]] = {}
    for name in names:
        part = _SHARD.fullmatch(name)
        if part:
            wanted.setdefault((part[1], int(part[3])), set()).add(int(part[2]))
    for (stem, total), present in wanted.items():
        # A few writers count from 0.
        first = 0 if 0 in present else 1
        missing = [
            f"{stem}-{number:05}-of-{total:05}{SUFFIX}"
            for number in range(first, first + total)
            if number not in present
        ]
        if missing:
            _refuse_missing(path, missing, total)


def _refuse_missing(source: str, missing: list[str], total: int) -> None:
    verb = "is" if len(missing) == 1 else "are"
    sentence = f"{len(missing):,} of {total:,} shards {verb} missing ({_listed(missing)})"
    raise FileError(source, f"{sentence}; put them into the folder.")


def _listed(names: Collection[str]) -> str:
    first = ", ".join([shown(name) for name in list(names)[:3]])
    return f"{first} and {len(names) - 3:,} more" if len(names) > 3 else first


def _index(path: str) -> Checkpoint:
    value = parse_json(read_bytes(path), path)
    weight_map = value.get("weight_map") if isinstance(value, dict) else None
    if not isinstance(value, dict) or not isinstance(weight_map, dict) or not weight_map:
        sentence = "has no weight_map, so it is no index of a checkpoint; choose another file."
        raise FileError(path, sentence)
    folder = os.path.dirname(path)
    places: dict[str, str | None] = {}
    claimed: dict[str, str] = {}
    for name, shard in weight_map.items():
        if not isinstance(shard, str):
            sentence = f"weight_map has no file name for {shown(name)}; download it again."
            raise FileError(path, sentence)
        if shard not in places:
            _check_shard_name(shard, path)
            places[shard] = _located(folder, shard)
        claimed[name] = places[shard] or ""
    missing = sorted(shard for shard, place in places.items() if place is None)
    if missing:
        _refuse_missing(path, missing, len(places))
    shards = tuple(dict.fromkeys(claimed.values()))
    return Checkpoint(shards, (), path, claimed, _total_size(value.get("metadata"), path))


def _total_size(metadata: object, source: str) -> int | None:
    size = metadata.get("total_size") if isinstance(metadata, dict) else None
    if size is not None and (type(size) is not int or size < 0):
        raise FileError(source, "metadata.total_size is no whole number; correct or remove it.")
    return size


def _check_shard_name(name: str, source: str) -> None:
    """FileError unless ``name`` is a relative path to a safetensors file, on any system."""
    if name.lower().endswith(PICKLES):
        raise FileError(source, f"names {shown(name)}, which {PICKLE}")
    for path in (PurePosixPath(name), PureWindowsPath(name)):
        if path.is_absolute() or path.drive or path.root or ".." in path.parts:
            raise FileError(
                source, f"names the shard {shown(name)}, which leaves its folder; correct it there."
            )
    if not name.lower().endswith(SUFFIX):
        raise FileError(
            source, f"names {shown(name)}, which is no {SUFFIX} file; correct it there."
        )


def _located(folder: str, name: str) -> str | None:
    """Where the shard ``name`` is; None where it is missing. FileError if it leaves ``folder``.

    Links may stay in the folder, or lead from a snapshot of the Hugging Face cache to its blobs.
    """
    path = os.path.join(folder, name)
    try:
        home = os.path.realpath(folder or os.curdir, strict=True)
        real = os.path.realpath(path, strict=True)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise FileError(path, why_unreadable(error)) from None
    except ValueError:
        raise FileError(path, "is no possible file name; correct it in the index.") from None
    snapshots = os.path.dirname(home)
    roots = [home]
    if os.path.basename(snapshots) == "snapshots":
        roots.append(os.path.join(os.path.dirname(snapshots), "blobs"))
    if not any(real.startswith(os.path.join(root, "")) for root in roots):
        sentence = "is a link that leaves its folder; put the file in its place or open it there."
        raise FileError(path, sentence)
    return path
