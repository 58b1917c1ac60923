"""Checkpoints: exact names, shapes and dtypes from the headers of files as the world has them."""

import json
import os
import time
from pathlib import Path

import pytest

from tests.files.models.configs import written_out
from tests.files.models.safetensors_files import (
    PACKAGE_NAMES,
    Shapes,
    entry,
    file_of,
    save,
    save_sharded,
    write_index,
)
from zerogui.accounting.model import Tensor
from zerogui.files.models.checkpoint import read_checkpoint

LLAMA: Shapes = {
    "model.embed_tokens.weight": ("BF16", (10, 4)),
    "model.layers.0.self_attn.q_proj.weight": ("BF16", (4, 4)),
    "model.layers.1.self_attn.q_proj.weight": ("BF16", (4, 4)),
    "model.layers.2.self_attn.q_proj.weight": ("BF16", (4, 4)),
    "model.norm.weight": ("BF16", (4,)),
    "lm_head.weight": ("BF16", (10, 4)),
}


def shapes_of(tensors: tuple[Tensor, ...] | None) -> dict[str, tuple[int, ...]]:
    return {tensor.name: tensor.shape for tensor in written_out(tensors or ())}


def only_shapes(tensors: Shapes) -> dict[str, tuple[int, ...]]:
    return {name: shape for name, (_, shape) in tensors.items()}


def test_a_single_file_gives_every_tensor_with_its_shape(tmp_path: Path) -> None:
    path = tmp_path / "tiny.safetensors"
    save(path, LLAMA)
    opened = read_checkpoint(path)
    assert shapes_of(opened.model.tensors) == only_shapes(LLAMA)
    assert (opened.model.parameters, opened.model.frozen_parameters) == (132, 0)
    assert (opened.family, opened.weights, opened.notes) == ("checkpoint", "bf16", ())
    assert (opened.source, opened.model.name) == (str(path), "tiny")


def test_equal_layers_become_one_line_with_a_count(tmp_path: Path) -> None:
    path = tmp_path / "tiny.safetensors"
    save(path, LLAMA)
    tensors = read_checkpoint(path).model.tensors
    assert tensors is not None
    assert Tensor("model.layers.{i}.self_attn.q_proj.weight", (4, 4), False, 3) in tensors
    assert len(tensors) == 4


@pytest.mark.parametrize("opened_by", ["index", "folder", "folder without index"])
def test_shards_add_up_to_one_model(tmp_path: Path, opened_by: str) -> None:
    folder = tmp_path / "Tiny-Llama"
    folder.mkdir()
    items = list(LLAMA.items())
    index = save_sharded(folder, [dict(items[:3]), dict(items[3:])], total_size=264)
    if opened_by == "folder without index":
        index.unlink()
    opened = read_checkpoint(index if opened_by == "index" else f"{folder}/")
    assert shapes_of(opened.model.tensors) == only_shapes(LLAMA)
    assert (opened.model.parameters, opened.notes) == (132, ())
    assert opened.model.name == "Tiny-Llama"


def test_an_index_beside_other_files_decides_what_counts(tmp_path: Path) -> None:
    save_sharded(tmp_path, [LLAMA], total_size=264)
    save(tmp_path / "consolidated.safetensors", {"tok_embeddings.weight": ("F32", (10, 4))})
    write_index(tmp_path, {"a": "a.fp16.safetensors"}, stem="model.fp16")
    assert read_checkpoint(tmp_path).model.parameters == 132


def test_one_shard_of_several_says_that_it_is_a_part(tmp_path: Path) -> None:
    path = tmp_path / "model-00002-of-00003.safetensors"
    save(path, LLAMA)
    assert read_checkpoint(path).notes == (
        "This is shard 2 of 3; open their folder for the whole model.",
    )
    whole = tmp_path / "model-00001-of-00001.safetensors"
    save(whole, LLAMA)
    assert read_checkpoint(whole).notes == ()


def test_a_file_called_model_is_named_after_its_folder(tmp_path: Path) -> None:
    folder = tmp_path / "Qwen3-30B-A3B"
    folder.mkdir()
    save(folder / "model.safetensors", LLAMA)
    assert read_checkpoint(folder / "model.safetensors").model.name == "Qwen3-30B-A3B"


def test_a_snapshot_of_the_hugging_face_cache_opens_by_its_links(tmp_path: Path) -> None:
    repository = tmp_path / "models--meta-llama--Llama-3.1-8B"
    snapshot = repository / "snapshots" / "0e9e39f249a16976918f6564b8830bc894c89659"
    snapshot.mkdir(parents=True)
    index = save_sharded(snapshot, [LLAMA], total_size=264)
    (repository / "blobs").mkdir()
    for number, path in enumerate(list(snapshot.iterdir())):
        path.rename(repository / "blobs" / f"{number:064}")
        path.symlink_to(f"../../blobs/{number:064}")
    for opened in (read_checkpoint(snapshot), read_checkpoint(index)):
        assert opened.model.parameters == 132
        assert opened.model.name == "meta-llama/Llama-3.1-8B"


@pytest.mark.parametrize("dtype", PACKAGE_NAMES)
def test_every_dtype_that_the_package_writes_is_read(tmp_path: Path, dtype: str) -> None:
    path = tmp_path / "a.safetensors"
    save(path, {"a": (dtype, (3, 5)), "b": (dtype, ()), "c": (dtype, (0, 7))})
    opened = read_checkpoint(path)
    assert shapes_of(opened.model.tensors) == {"a": (3, 5), "b": (), "c": (0, 7)}
    assert opened.model.parameters == 16


@pytest.mark.parametrize(
    ("dtype", "bytes_of_16"),
    [("F4", 8), ("F6_E2M3", 12), ("F6_E3M2", 12), ("F8_E8M0", 16), ("F8_E4M3FNUZ", 16)],
)
def test_the_small_dtypes_take_their_bits(tmp_path: Path, dtype: str, bytes_of_16: int) -> None:
    path = tmp_path / "a.safetensors"
    path.write_bytes(file_of({"a": entry(dtype, [16], 0, bytes_of_16)}, bytes_of_16))
    assert read_checkpoint(path).model.parameters == 16


@pytest.mark.parametrize(
    ("dtypes", "weights"),
    [
        (("F32",), "fp32"),
        (("F16",), "fp16"),
        (("F8_E5M2", "F8_E4M3"), "fp8"),
        (("I8",), "int8"),
        (("BF16", "BF16", "F32"), "bf16"),
        (("BF16", "F32"), None),
        (("F64",), None),
        (("U8",), None),
    ],
)
def test_the_weights_dtype_is_that_of_more_than_half_of_the_elements(
    tmp_path: Path, dtypes: tuple[str, ...], weights: str | None
) -> None:
    path = tmp_path / "a.safetensors"
    save(path, {f"t{i}": (dtype, (8,)) for i, dtype in enumerate(dtypes)})
    assert read_checkpoint(path).weights == weights


def test_a_mixture_of_dtypes_is_said(tmp_path: Path) -> None:
    path = tmp_path / "a.safetensors"
    save(path, {"a": ("BF16", (1500, 2)), "b": ("F32", (7,))})
    assert read_checkpoint(path).notes == ("Elements by dtype: BF16 3,000, F32 7.",)


def test_buffers_are_listed_but_frozen_and_said(tmp_path: Path) -> None:
    path = tmp_path / "gpt2.safetensors"
    save(
        path,
        {
            "wte.weight": ("F32", (100, 4)),
            "h.0.attn.bias": ("F32", (1, 1, 3, 3)),
            "h.1.attn.bias": ("F32", (1, 1, 3, 3)),
            "h.0.attn.c_attn.bias": ("F32", (12,)),
            "rotary_emb.inv_freq": ("F32", (2,)),
            "position_ids": ("I64", (1, 5)),
        },
    )
    opened = read_checkpoint(path)
    # 400 + 12 are trained; 2 × 9 + 2 + 5 are not.
    assert (opened.model.parameters, opened.model.frozen_parameters) == (437, 25)
    assert opened.notes == (
        "Elements by dtype: F32 432, I64 5.",
        'Frozen, because integers have no gradients: "position_ids".',
        'Frozen, because buffers are not trained: "h.0.attn.bias" and 2 more.',
    )


def test_a_quantised_checkpoint_warns_that_elements_are_no_weights(tmp_path: Path) -> None:
    path = tmp_path / "gptq.safetensors"
    save(path, {"q_proj.qweight": ("I32", (8, 64)), "q_proj.scales": ("F16", (1, 64))})
    opened = read_checkpoint(path)
    assert (opened.model.parameters, opened.model.frozen_parameters) == (576, 512)
    assert opened.weights is None
    assert opened.notes[-1] == (
        "Many elements are integers, as in a quantised checkpoint, where one element may hold"
        " several weights: the count is that of the elements stored."
    )


def test_tensors_that_the_index_leaves_out_are_counted_and_said(tmp_path: Path) -> None:
    index = save_sharded(tmp_path, [LLAMA], total_size=264)
    value = json.loads(index.read_text())
    del value["weight_map"]["model.norm.weight"], value["weight_map"]["lm_head.weight"]
    for total_size in (264, 176):
        value["metadata"]["total_size"] = total_size
        index.write_text(json.dumps(value))
        opened = read_checkpoint(index)
        assert opened.model.parameters == 132
        [note] = opened.notes
        assert note.startswith("The index leaves out ")
        assert note.endswith(" and 1 more; counted all the same.")


def test_a_100_GB_file_opens_at_once_and_is_read_no_further_than_its_header(
    tmp_path: Path,
) -> None:
    path = tmp_path / "huge.safetensors"
    header = file_of({"a": entry("BF16", [50_000, 1_000_000], 0, 100 * 10**9)})
    path.write_bytes(header)
    os.truncate(path, len(header) + 100 * 10**9)
    read_checkpoint(path)  # so that no import is measured below
    before, start = characters_read(), time.monotonic()
    opened = read_checkpoint(path)
    elapsed, read = time.monotonic() - start, characters_read() - before
    assert opened.model.parameters == 50 * 10**9
    assert elapsed < 0.5
    # Besides the header, the process has read its own statistics.
    assert len(header) <= read < len(header) + 1000


def characters_read() -> int:
    """Bytes that this process has read from files so far."""
    return int(Path("/proc/self/io").read_text().split()[1])


def test_a_hundred_thousand_tensors_open_in_seconds(tmp_path: Path) -> None:
    header = {
        f"model.layers.{layer}.mlp.experts.{expert}.up_proj.weight": entry(
            "BF16", [2], at := 4 * (500 * layer + expert), at + 4
        )
        for layer in range(200)
        for expert in range(500)
    }
    path = tmp_path / "experts.safetensors"
    path.write_bytes(file_of(header, 400_000))
    start = time.monotonic()
    model = read_checkpoint(path).model
    assert time.monotonic() - start < 20
    assert model.parameters == 200_000
    assert model.tensors is not None
    assert len(model.tensors) == 200
