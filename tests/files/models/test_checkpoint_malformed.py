"""Wrong safetensors files: one sentence each that says what is wrong and what to do."""

import os
from pathlib import Path

import pytest

from tests.files.models.safetensors_files import entry, file_of
from zerogui.files.errors import FileError
from zerogui.files.models.checkpoint import read_checkpoint
from zerogui.files.models.safetensors_header import parse_header

PICKLE = (
    "is a pickle file, which can run any code when it is loaded;"
    " convert it to safetensors where you trust it and open that."
)
GOOD = entry("F32", [2], 0, 8)
HEAD = '{"a": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}'


def one(header: object, data: int = 8) -> bytes:
    return file_of({"a": header}, data)


BEGINNINGS = [
    (b"", "is empty; choose another file."),
    (b"\x08\x00\x00", "has 3 bytes, too few for a safetensors file; download or save it again."),
    (
        file_of(b"{}", length=9),
        "declares a header of 9 bytes but has 10 in all; download or save it again.",
    ),
    (
        file_of(b"{}", length=100_000_001),
        "declares a header of 100,000,001 bytes, over the format's 100 MB; choose another file.",
    ),
    (
        file_of(b"{}", length=2**63),
        "declares a header of 9,223,372,036,854,775,808 bytes, over the format's 100 MB;"
        " choose another file.",
    ),
    (
        file_of(b"{}", length=2**64 - 1),
        "declares a header of 18,446,744,073,709,551,615 bytes, over the format's 100 MB;"
        " choose another file.",
    ),
    (
        b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 9\n",
        'is a Git LFS pointer, not the file itself; run "git lfs pull".',
    ),
    (b"PK\x03\x04\x00\x00\x08\x08\x00\x00archive/data.pkl", PICKLE),
    (b"\x80\x02}q\x00(X\x05\x00\x00\x00model", PICKLE),
]

TEXTS = [
    (b"\xff{}", "has a header that is not UTF-8 text; download or save it again."),
    (
        b"",
        "has a header that is not JSON (expecting value, character 1); download or save it again.",
    ),
    (
        b"{} {}",
        "has a header that is not JSON (extra data, character 4); download or save it again.",
    ),
    (
        b'{"a',
        "has a header that is not JSON (unterminated string, character 2);"
        " download or save it again.",
    ),
    (b"[" * 200_000, "has a header that is nested too deeply; choose another file."),
    (
        b'{"a": ' + b"9" * 5000 + b"}",
        "has a number of thousands of digits in its header; download or save it again.",
    ),
    (
        b"[1]",
        "has a header that is no object of named tensors; download or save it again.",
    ),
    (
        b'{"dtype": "F32", "shape": [0], "data_offsets": [0, 0]}',
        "has a header that is no object of named tensors; download or save it again.",
    ),
    (f'{HEAD}, "a": 1}}'.encode(), 'has "a" twice in its header; save it again.'),
    (
        b'{"a": {"dtype": "F32", "dtype": "F16"}}',
        'has "dtype" twice in its header; save it again.',
    ),
    (b"{}", "holds no tensors; choose another file."),
    (b'{"__metadata__": {"format": "pt"}}', "holds no tensors; choose another file."),
    (
        b'{"__metadata__": {"format": 1}}',
        "has a __metadata__ that is no object of texts; save it again.",
    ),
    (
        b'{"__metadata__": []}',
        "has a __metadata__ that is no object of texts; save it again.",
    ),
    (
        b'{"\\ud83d": {"dtype": "F32", "shape": [0], "data_offsets": [0, 0]}}',
        'tensor "\\ud83d" has half a character (a lone surrogate) in its name; rename it.',
    ),
]

NO_SHAPE = 'tensor "a" has no shape of whole numbers from 0 to 10^18; save it again.'
NO_OFFSETS = 'tensor "a" has no two whole numbers from 0 as data_offsets; save it again.'

ENTRIES = [
    (one(5), 'tensor "a" is not described by an object; save it again.'),
    (one(["F32", [2], [0, 8]]), 'tensor "a" is not described by an object; save it again.'),
    (one({"shape": [2], "data_offsets": [0, 8]}), 'tensor "a" has no dtype; save it again.'),
    (
        one({"dtype": None, "shape": [], "data_offsets": []}),
        'tensor "a" has a dtype that is no text; save it again.',
    ),
    (
        one(entry("F128", [2], 0, 8)),
        'tensor "a" has the dtype "F128", which is none of safetensors\'; convert it to F32.',
    ),
    (one({"dtype": "F32", "data_offsets": [0, 8]}), NO_SHAPE),
    (one(entry("F32", 2, 0, 8)), NO_SHAPE),
    (one(entry("F32", [-2], 0, 8)), NO_SHAPE),
    (one(entry("F32", [2.0], 0, 8)), NO_SHAPE),
    (one(entry("F32", [True, 2], 0, 8)), NO_SHAPE),
    (one(entry("F32", ["2"], 0, 8)), NO_SHAPE),
    (one(entry("F32", [10**18 + 1, 0], 0, 0)), NO_SHAPE),
    (one(entry("F32", [10**400], 0, 8)), NO_SHAPE),
    (one(entry("F32", [1] * 17, 0, 4)), 'tensor "a" has 17 dimensions; use at most 16.'),
    (one({"dtype": "F32", "shape": [2]}), NO_OFFSETS),
    (one({"dtype": "F32", "shape": [2], "data_offsets": [8]}), NO_OFFSETS),
    (one({"dtype": "F32", "shape": [2], "data_offsets": [0, 8, 9]}), NO_OFFSETS),
    (one(entry("F32", [2], -8, 0)), NO_OFFSETS),
    (one(entry("F32", [2], 0, 8.0)), NO_OFFSETS),
    (one(entry("F32", [2], 0, 10**30)), NO_OFFSETS),
    (
        file_of(b'{"a": {"dtype": "F32", "shape": [0], "data_offsets": [-0, 0]}}'),
        NO_OFFSETS,
    ),
    (
        one(entry("F32", [2], 8, 0)),
        'tensor "a" ends at byte 0, before it begins at 8; save it again.',
    ),
    (
        one(entry("F32", [2, 3], 0, 8)),
        'tensor "a" spans 8 bytes but F32 of shape [2, 3] takes 24; save it again.',
    ),
    (
        one(entry("F4", [3], 0, 1), 1),
        'tensor "a" of dtype F4 and shape [3] ends within a byte; save it again.',
    ),
    (
        one(entry("F4", [4], 0, 1), 1),
        'tensor "a" spans 1 byte but F4 of shape [4] takes 2; save it again.',
    ),
    (
        one(entry("F32", [10**18, 10**18], 0, 8)),
        'tensor "a" spans 8 bytes but F32 of shape [1000000000000000000, 1000000000000000000]'
        " takes too many; save it again.",
    ),
    (
        file_of({"a": GOOD, "b": entry("F32", [2], 4, 12)}, 12),
        'tensor "b" overlaps "a" in the file; save it again.',
    ),
    (
        file_of({"a": GOOD, "b": GOOD}, 8),
        'tensor "b" overlaps "a" in the file; save it again.',
    ),
    (
        file_of({"b": entry("F32", [2], 9, 17), "a": GOOD}, 17),
        'tensor "b" follows 1 byte of nothing; save it again.',
    ),
    (
        one(entry("F32", [2], 4, 12), 12),
        'tensor "a" follows 4 bytes of nothing; save it again.',
    ),
    (one(GOOD, 5), "ends 3 bytes before its last tensor does; download it again."),
    (one(GOOD, 9), "has 1 byte after its last tensor; download or save it again."),
    (file_of({"": GOOD}, 8), 'tensor "" has no name to speak of; give it one.'),
    (
        file_of({"x" * 1001: GOOD}, 8),
        f'tensor "{"x" * 59}…" has a name of 1,001 characters; use at most 1,000.',
    ),
    (
        file_of({"h.{i}.w": GOOD}, 8),
        'tensor "h.{i}.w" has {i} in its name, which stands for a number here; rename it.',
    ),
]

CASES = [*BEGINNINGS, *((file_of(text), sentence) for text, sentence in TEXTS), *ENTRIES]


@pytest.mark.parametrize(("data", "sentence"), CASES, ids=range(len(CASES)))
def test_a_malformed_file_is_refused_in_one_sentence(
    tmp_path: Path, data: bytes, sentence: str
) -> None:
    path = tmp_path / "wrong.safetensors"
    path.write_bytes(data)
    with pytest.raises(FileError) as refusal:
        read_checkpoint(path)
    assert str(refusal.value) == f"wrong.safetensors: {sentence}"


def test_a_name_of_ten_megabytes_is_refused_in_few_words(tmp_path: Path) -> None:
    path = tmp_path / "wrong.safetensors"
    path.write_bytes(file_of({"x" * 10_000_000: GOOD}, 8))
    with pytest.raises(FileError) as refusal:
        read_checkpoint(path)
    assert "has a name of 10,000,000 characters; use at most 1,000." in str(refusal.value)
    assert len(str(refusal.value)) < 200


def test_a_name_that_a_window_could_interpret_is_kept_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "odd.safetensors"
    names = ["<img src=x>", "a\u202eb", "{{7*7}}", "tab\tnew\nline", "x" * 1000, "né", "\0"]
    path.write_bytes(file_of({name: entry("F32", [0], 0, 0) for name in names}))
    tensors = read_checkpoint(path).model.tensors
    assert tensors is not None
    assert [tensor.name for tensor in tensors] == names


def test_more_than_a_million_tensors_are_too_many() -> None:
    # Too many are refused before any of them is looked at.
    header = "{" + ",".join([f'"{number}":0' for number in range(2**20 + 1)]) + "}"
    with pytest.raises(FileError) as refusal:
        parse_header(header.encode(), 0, "many.safetensors")
    assert str(refusal.value) == (
        "many.safetensors: lists 1,048,577 tensors; choose a file with at most 1,048,576."
    )


def test_more_than_ten_to_the_eighteen_elements_are_too_many() -> None:
    end = 10**18
    sizes = f'[0, {end}]}}, "b": {{"dtype": "U8", "shape": [1], "data_offsets": [{end}, {end + 1}]'
    header = f'{{"a": {{"dtype": "U8", "shape": [{end}], "data_offsets": {sizes}}}}}'
    with pytest.raises(FileError, match=r"holds more than 10\^18 elements"):
        parse_header(header.encode(), end + 1, "vast.safetensors")


@pytest.mark.parametrize("name", ["pytorch_model.bin", "a.pt", "a.PTH", "a.ckpt", "a.pkl"])
def test_a_pickle_file_is_refused_with_the_reason_and_the_way_out(
    tmp_path: Path, name: str
) -> None:
    path = tmp_path / name
    path.write_bytes(b"\x80\x02}q\x00.")
    with pytest.raises(FileError) as refusal:
        read_checkpoint(path)
    assert str(refusal.value) == f"{name}: {PICKLE}"


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.safetensors")
    for path, sentence in (
        (tmp_path / "gone.safetensors", "there is no such file; check the name and the folder."),
        (tmp_path / "pipe.safetensors", "is a device or pipe, not a file; choose a file."),
        (Path("/dev/zero"), "is a device or pipe, not a file; choose a file."),
        (f"{tmp_path}/a\0.safetensors", "is no possible file name; check the name."),
    ):
        with pytest.raises(FileError) as refusal:
            read_checkpoint(path)
        assert refusal.value.sentence == sentence
