"""Checkpoints: the exact tensors of safetensors files, and adapters on top of a base model."""

import os
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from zerogui.accounting.errors import InputError, shown
from zerogui.accounting.model import MAX_ELEMENTS, MAX_TENSORS, Model, Tensor
from zerogui.files.errors import FileError
from zerogui.files.models.checkpoint_files import (
    ADAPTER_FILE,
    INDEX_SUFFIX,
    SUFFIX,
    Checkpoint,
    find,
)
from zerogui.files.models.safetensors_header import BITS, Stored, read_header
from zerogui.files.models.tensor_names import compact, names_of
from zerogui.files.opened import OpenedModel
from zerogui.files.reading import Progress

CHECKPOINT, ADAPTER = "checkpoint", "adapter"

# The dtypes of which a recipe has an equal; U8 and wider integers are packed or no weights.
_WEIGHTS = {"F32": "fp32", "BF16": "bf16", "F16": "fp16", "I8": "int8"} | {
    dtype: "fp8" for dtype in BITS if dtype.startswith("F8_")
}
_LORA = re.compile(
    r"(^|[._])(lora_(A|B|down|up|embedding_A|embedding_B|magnitude_vector)|lora\.(down|up))([._]|$)"
    r"|\.(alpha|dora_scale)$|(^|\.)modules_to_save\."
)
_BUFFER = re.compile(
    r"(^|\.)(inv_freq|position_ids|masked_bias|running_mean|running_var|num_batches_tracked)$"
)
_CAUSAL_MASK = re.compile(r"(^|\.)(attn|attention)\.bias$")
_USUAL_STEM = re.compile(
    r"(model|adapter_model|pytorch_model(\.bin)?|diffusion_pytorch_model|consolidated)?"
    r"(-\d{5}-of-\d{5})?",
    re.ASCII,
)


def read_checkpoint(path: str | os.PathLike[str], progress: Progress | None = None) -> OpenedModel:
    """The tensors of a ``.safetensors`` file, a folder of them or an ``.index.json``. FileError.

    Only headers are read, and ``progress`` is told how many files are. Tensors that no training
    updates (integers, and buffers by their name) are frozen, and a note says so.
    """
    source = os.fspath(path)
    checkpoint = find(source)
    stored, extra = _all_stored(checkpoint, source, progress)
    if not stored:
        raise FileError(source, "holds no tensors; choose another file.")
    frozen = [_kept_as_buffer(tensor) for tensor in stored]
    tensors = compact([Tensor(t.name, t.shape, f) for t, f in zip(stored, frozen, strict=True)])
    try:
        model = Model.of(_title(source), tensors)
    except InputError as error:
        raise FileError(source, str(error)) from None
    is_lora = all(_LORA.search(t.name) for t in stored) and any("lora" in t.name for t in stored)
    named = os.path.basename(checkpoint.shards[0]) == ADAPTER_FILE
    sizes = _elements_by_dtype(stored)
    return OpenedModel(
        model,
        ADAPTER if is_lora or named else CHECKPOINT,
        source,
        notes=(*checkpoint.notes, *extra, *_notes(sizes, stored, frozen)),
        weights=_majority(sizes),
    )


def as_adapter(base: Model, adapter: OpenedModel) -> OpenedModel:
    """``adapter`` trained on top of ``base``, which is frozen as a whole. FileError (too large).

    The adapter's names get a prefix where they clash. Where one of the two is only a count, so is
    the result, and a note says so.
    """
    added = adapter.model
    name = base.name or added.name
    try:
        if base.tensors is None or added.tensors is None:
            note = (
                "One of base and adapter is only a parameter count, so the shapes of the other"
                " are not kept."
            )
            model = Model(
                name,
                base.parameters + added.parameters,
                base.parameters + added.frozen_parameters,
            )
            return replace(adapter, model=model, family=ADAPTER, notes=(*adapter.notes, note))
        prefix = _free_prefix(base.tensors, added.tensors)
        frozen = [tensor._replace(frozen=True) for tensor in base.tensors]
        renamed = [tensor._replace(name=prefix + tensor.name) for tensor in added.tensors]
        model = Model.of(name, (*frozen, *renamed))
    except InputError as error:
        raise FileError(adapter.source, f"with its base, {error}") from None
    notes = adapter.notes
    if prefix:
        notes += (f'The adapter\'s names begin with "{prefix}", as the base has them too.',)
    return replace(adapter, model=model, family=ADAPTER, notes=notes)


def _free_prefix(base: Sequence[Tensor], added: Sequence[Tensor]) -> str:
    """What to put before the names of ``added`` so that none is in ``base``."""
    taken = {name for tensor in base for name in names_of(tensor)}
    wanted = [name for tensor in added for name in names_of(tensor)]
    prefix, number = "", 1
    while any(prefix + name in taken for name in wanted):
        prefix = "adapter." if number == 1 else f"adapter{number}."
        number += 1
    return prefix


def _all_stored(
    checkpoint: Checkpoint, source: str, progress: Progress | None
) -> tuple[list[Stored], tuple[str, ...]]:
    """The tensors of all shards, and notes where an index leaves some of them out."""
    stored: list[Stored] = []
    shard_of: dict[str, str] = {}
    elements = 0
    for number, shard in enumerate(checkpoint.shards):
        if progress is not None:
            progress(number, len(checkpoint.shards))
        listed = read_header(shard)
        for tensor in listed:
            other = shard_of.setdefault(tensor.name, shard)
            if other != shard:
                sentence = (
                    f"tensor {shown(tensor.name)} is in {shown(os.path.basename(other))} too;"
                    " keep one of the files."
                )
                raise FileError(shard, sentence)
            elements += tensor.elements
        stored += listed
        if len(stored) > MAX_TENSORS:
            raise FileError(source, f"lists more than {MAX_TENSORS:,} tensors; open a part of it.")
        if elements > MAX_ELEMENTS:
            raise FileError(source, "holds more than 10^18 elements; open a part of it.")
    return stored, _index_notes(checkpoint, stored, shard_of)


def _index_notes(
    checkpoint: Checkpoint, stored: list[Stored], shard_of: dict[str, str]
) -> tuple[str, ...]:
    """FileError where the index contradicts the headers; a note on tensors that it leaves out."""
    claimed = checkpoint.claimed
    if claimed is None:
        return ()
    for name, shard in claimed.items():
        if shard_of.get(name) != shard:
            sentence = (
                f"says that {shown(os.path.basename(shard))} holds {shown(name)}, which it does"
                " not; download both again."
            )
            raise FileError(checkpoint.index_file, sentence)
    total = _bytes_of(stored)
    indexed = _bytes_of([tensor for tensor in stored if tensor.name in claimed])
    notes = []
    if checkpoint.total_size not in (None, total, indexed):
        # Loaders go by the shards, and published indexes are wrong now and then.
        notes.append(
            f"The index says {checkpoint.total_size:,} bytes, the shards hold {total:,};"
            " the shards count."
        )
    left_out = [tensor.name for tensor in stored if tensor.name not in claimed]
    if left_out:
        notes.append(f"The index leaves out {_some(left_out)}; counted all the same.")
    return tuple(notes)


def _bytes_of(stored: Iterable[Stored]) -> int:
    return sum(BITS[tensor.dtype] * tensor.elements for tensor in stored) // 8


def _some(names: list[str]) -> str:
    rest = len(names) - 1
    return shown(names[0]) + (f" and {rest:,} more" if rest else "")


def _is_integer(tensor: Stored) -> bool:
    return tensor.dtype[0] in "BIU" and tensor.dtype != "BF16"


def _kept_as_buffer(tensor: Stored) -> bool:
    """Whether no training updates ``tensor``: it has no gradient, or is a buffer by its name."""
    if _is_integer(tensor) or _BUFFER.search(tensor.name):
        return True
    mask = len(tensor.shape) == 4 and tensor.shape[:2] == (1, 1)
    return mask and _CAUSAL_MASK.search(tensor.name) is not None


def _elements_by_dtype(stored: list[Stored]) -> dict[str, int]:
    """Elements of each dtype, the most frequent first."""
    sizes: Counter[str] = Counter()
    for tensor in stored:
        sizes[tensor.dtype] += tensor.elements
    return dict(sizes.most_common())


def _majority(sizes: dict[str, int]) -> str | None:
    """The recipe's name of the dtype that more than half of all elements have."""
    by_name: Counter[str | None] = Counter()
    for dtype, size in sizes.items():
        by_name[_WEIGHTS.get(dtype)] += size
    [(name, most)] = by_name.most_common(1)
    return name if 2 * most > sum(sizes.values()) else None


def _notes(sizes: dict[str, int], stored: list[Stored], frozen: list[bool]) -> tuple[str, ...]:
    """Sentences on what kinds of tensors there are."""
    notes = []
    if len(sizes) > 1 or not _WEIGHTS.keys() >= sizes.keys():
        parts = ", ".join(f"{dtype} {size:,}" for dtype, size in sizes.items())
        notes.append(f"Elements by dtype: {parts}.")
    buffers = [tensor for tensor, kept in zip(stored, frozen, strict=True) if kept]
    for reason, names in (
        ("integers have no gradients", [t.name for t in buffers if _is_integer(t)]),
        ("buffers are not trained", [t.name for t in buffers if not _is_integer(t)]),
    ):
        if names:
            notes.append(f"Frozen, because {reason}: {_some(names)}.")
    integers = sum(tensor.elements for tensor in buffers if _is_integer(tensor))
    if 10 * integers > sum(sizes.values()):
        notes.append(
            "Many elements are integers, as in a quantised checkpoint, where one element may"
            " hold several weights: the count is that of the elements stored."
        )
    return tuple(notes)


def _title(source: str) -> str:
    """A name for the model: of its file, or of its folder where the file is called like all."""
    path = os.path.abspath(source)
    folder, name = os.path.split(path)
    if os.path.isdir(path):
        folder, stem = path, ""
    else:
        suffix = INDEX_SUFFIX if name.lower().endswith(INDEX_SUFFIX) else SUFFIX
        stem = name[: -len(suffix)] if name.lower().endswith(suffix) else name
    if _USUAL_STEM.fullmatch(stem):
        above, last = os.path.split(folder)
        cached = os.path.basename(os.path.dirname(above))
        in_cache = os.path.basename(above) == "snapshots" and cached.startswith("models--")
        stem = cached.removeprefix("models--").replace("--", "/") if in_cache else last
    # A file name may hold bytes that are no text.
    return stem.encode("utf-8", "replace").decode()
