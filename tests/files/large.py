"""Large files for the tests: plans and checkpoints with many different tensors."""

import json
import os
import struct
from pathlib import Path


def plan(path: Path, tensors: int, title: str = "large") -> str:
    """A scenario of ``tensors`` entries with 8 · (64 + i mod 31) elements each."""
    listed = [{"name": f"l.{i % 97}.e.{i}.w", "shape": [64 + i % 31, 8]} for i in range(tensors)]
    value = {
        "format": "zerogui/scenario",
        "version": 1,
        "title": title,
        "model": {"name": "big", "tensors": listed},
        "device": {"memory": 85_520_809_984},
    }
    path.write_text(json.dumps(value, separators=(",", ":")), encoding="utf-8")
    return str(path)


def checkpoint(folder: Path, shards: int, tensors: int) -> str:
    """A folder of ``shards`` files with ``tensors`` tensors each, of (64 + i mod 31) · 8 bf16."""
    folder.mkdir()
    for shard in range(shards):
        header, end = {}, 0
        for i in range(tensors):
            size = 2 * 8 * (64 + i % 31)
            header[f"l.{shard}.e.{i}.w{i % 7}"] = {
                "dtype": "BF16",
                "shape": [64 + i % 31, 8],
                "data_offsets": [end, end + size],
            }
            end += size
        text = json.dumps(header, separators=(",", ":")).encode()
        path = folder / f"model-{shard + 1:05}-of-{shards:05}.safetensors"
        path.write_bytes(struct.pack("<Q", len(text)) + text)
        os.truncate(path, 8 + len(text) + end)
    return str(folder)


def children() -> list[int]:
    """The processes that this one has started and that still run."""
    found = []
    for task in Path("/proc/self/task").iterdir():
        try:
            found += [int(pid) for pid in (task / "children").read_text().split()]
        except FileNotFoundError:
            continue
    return found
