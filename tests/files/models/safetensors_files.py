"""Safetensors files for tests: valid ones by the real package, wrong ones by hand."""

import json
from pathlib import Path

from safetensors import TensorSpec, serialize_file

# What the package calls the dtypes that a header writes in capitals, and bits of one element.
PACKAGE_NAMES = {
    "BOOL": ("bool", 8),
    "U8": ("uint8", 8),
    "I8": ("int8", 8),
    "F8_E5M2": ("float8_e5m2", 8),
    "F8_E4M3": ("float8_e4m3fn", 8),
    "I16": ("int16", 16),
    "U16": ("uint16", 16),
    "F16": ("float16", 16),
    "BF16": ("bfloat16", 16),
    "I32": ("int32", 32),
    "U32": ("uint32", 32),
    "F32": ("float32", 32),
    "C64": ("complex64", 64),
    "F64": ("float64", 64),
    "I64": ("int64", 64),
    "U64": ("uint64", 64),
}

Shapes = dict[str, tuple[str, tuple[int, ...]]]


def save(path: Path, tensors: Shapes) -> None:
    """Zeros of the given dtypes and shapes, written by the safetensors package."""
    import numpy as np

    kept, specs = [], {}
    for name, (dtype, shape) in tensors.items():
        called, bits = PACKAGE_NAMES[dtype]
        length = bits // 8
        for size in shape:
            length *= size
        kept.append(np.zeros(max(length, 1), np.uint8))
        specs[name] = TensorSpec(
            dtype=called, shape=shape, data_ptr=kept[-1].ctypes.data, data_len=length
        )
    serialize_file(specs, path, {"format": "pt"})


def save_sharded(folder: Path, shards: list[Shapes], total_size: int) -> Path:
    """Shards and their index, as checkpoints on the hub have them; the index's path."""
    weight_map = {}
    for number, tensors in enumerate(shards, 1):
        name = f"model-{number:05}-of-{len(shards):05}.safetensors"
        save(folder / name, tensors)
        weight_map |= dict.fromkeys(tensors, name)
    return write_index(folder, weight_map, total_size)


def write_index(
    folder: Path, weight_map: dict[str, str], total_size: object = None, stem: str = "model"
) -> Path:
    path = folder / f"{stem}.safetensors.index.json"
    metadata = {} if total_size is None else {"total_size": total_size}
    path.write_text(json.dumps({"metadata": metadata, "weight_map": weight_map}))
    return path


def entry(dtype: object, shape: object, begin: object, end: object) -> dict[str, object]:
    return {"dtype": dtype, "shape": shape, "data_offsets": [begin, end]}


def file_of(header: object, data: int = 0, length: int | None = None) -> bytes:
    """A file with ``header`` (JSON, or bytes as they are) and ``data`` zero bytes after it."""
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return (len(text) if length is None else length).to_bytes(8, "little") + text + bytes(data)
