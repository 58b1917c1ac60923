"""Model configs as the tests hand them over, and the tensors that come of them."""

import json
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from zerogui.accounting.model import Tensor
from zerogui.files.models.model_config import read_model_config
from zerogui.files.opened import OpenedModel
from zerogui.files.reading import parse_json

DATA = Path(__file__).parents[2] / "data"

# GPT-2's published config; 124,439,808 parameters with tied embeddings.
GPT2 = {
    "architectures": ["GPT2LMHeadModel"],
    "model_type": "gpt2",
    "n_embd": 768,
    "n_head": 12,
    "n_layer": 12,
    "n_positions": 1024,
    "vocab_size": 50257,
}

Listed = list[tuple[str, tuple[int, ...]]]


@cache
def records() -> dict[str, Any]:
    """Published configs with their tensors, by name."""
    return {record["name"]: record for record in _read("architectures.jsonl")}


@cache
def variants() -> dict[str, Any]:
    """One small config of each class of each family, with tensors, by class.

    Sizes and flags are arbitrary; the tensors are those of transformers 5.24's own modules.
    """
    return {record["config"]["architectures"][0]: record for record in _read("variants.jsonl")}


def _read(name: str) -> Iterator[Any]:
    return map(json.loads, (DATA / name).read_text(encoding="utf-8").splitlines())


def written(folder: Path, name: str, value: object) -> str:
    """The path of a file of that text, or of the JSON of that value."""
    path = folder / name
    path.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
    return str(path)


def opened(source: str = "model/config.json", **config: Any) -> OpenedModel:
    """The model of a config, written out and read again as a file would be."""
    value = parse_json(json.dumps(config).encode(), source)
    assert isinstance(value, dict)
    return read_model_config(value, source)


def total(**config: Any) -> int:
    """Its parameters."""
    return opened(**config).model.parameters


def every(model: OpenedModel) -> Listed:
    """Name and shape of each tensor, one by one."""
    return [(tensor.name, tensor.shape) for tensor in written_out(model.model.tensors or ())]


def written_out(tensors: Sequence[Tensor]) -> list[Tensor]:
    """Every tensor by itself, under its own name, in order."""
    return [
        tensor._replace(name=tensor.name.replace("{i}", str(i)), count=1)
        for tensor in tensors
        for i in range(tensor.count)
    ]


def of_record(record: Any) -> Listed:
    """Name and shape of each tensor of a record."""
    return [(name, tuple(shape)) for name, shape in record["tensors"]]
