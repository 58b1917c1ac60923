"""Whatever a header says, it is read as the safetensors package reads it, or refused."""

import json
import tempfile
from collections.abc import Callable
from pathlib import Path

from hypothesis import example, given
from hypothesis import strategies as st
from safetensors import SafetensorError, deserialize

from tests.files.models.safetensors_files import entry, file_of
from zerogui.files.errors import FileError
from zerogui.files.models.checkpoint import read_checkpoint
from zerogui.files.models.safetensors_header import BITS, parse_header

JSON = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.floats(),
        st.text(max_size=8),
        st.sampled_from(["F32", "BF16", "dtype", "shape", "data_offsets", 0, 4, 8, 2**64]),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(
            st.one_of(
                st.sampled_from(["dtype", "shape", "data_offsets", "__metadata__", "a"]),
                st.text(max_size=4),
            ),
            inner,
            max_size=4,
        ),
    ),
    max_leaves=20,
)


@st.composite
def sound(draw: st.DrawFn) -> tuple[dict[str, object], int]:
    """A header in order, in any order of its tensors, and the bytes of data after it."""
    header: dict[str, object] = {}
    at = 0
    for name in draw(st.lists(st.sampled_from("abcdefgh"), unique=True, max_size=6)):
        dtype = draw(st.sampled_from(sorted(BITS)))
        shape = [*draw(st.lists(st.integers(0, 3), max_size=3)), draw(st.sampled_from([0, 4, 8]))]
        bits = BITS[dtype]
        for length in shape:
            bits *= length
        header[name] = entry(dtype, shape, at, at + bits // 8)
        at += bits // 8
    if draw(st.booleans()):
        header["__metadata__"] = draw(st.sampled_from([None, {}, {"format": "pt"}]))
    names = draw(st.permutations(sorted(header)))
    return {name: header[name] for name in names}, at


def answers(header: bytes, data_bytes: int) -> tuple[object, object, str]:
    """What the package finds, what we find (None where refused), and our sentence."""
    theirs: object = None
    ours: object = None
    sentence = ""
    try:
        listed = deserialize(file_of(header, data_bytes))
        theirs = sorted((name, t["dtype"], tuple(t["shape"])) for name, t in listed)
    except SafetensorError:
        pass
    try:
        ours = sorted((t.name, t.dtype, t.shape) for t in parse_header(header, data_bytes, "f"))
    except FileError as error:
        sentence = error.sentence
    return theirs, ours, sentence


@given(sound())
def test_what_the_package_accepts_is_read_alike(made: tuple[dict[str, object], int]) -> None:
    header, data_bytes = made
    theirs, ours, _ = answers(json.dumps(header).encode(), data_bytes)
    assert theirs is not None
    assert ours == theirs


@given(sound(), st.integers(0, 40), st.integers(-2, 2), st.integers(-2, 2))
def test_shifted_tensors_are_accepted_just_when_the_package_accepts_them(
    made: tuple[dict[str, object], int], first: int, shift: int, more: int
) -> None:
    header, data_bytes = made
    for name, value in header.items():
        if name != "__metadata__" and isinstance(value, dict):
            begin, end = value["data_offsets"]
            if begin >= first:
                value["data_offsets"] = [begin + shift, end + shift]
    data_bytes = max(0, data_bytes + shift + more)
    theirs, ours, sentence = answers(json.dumps(header).encode(), data_bytes)
    assert ours == theirs, sentence


@given(sound(), st.data())
def test_a_changed_field_is_accepted_just_when_the_package_accepts_it(
    made: tuple[dict[str, object], int], data: st.DataObject
) -> None:
    header, data_bytes = made
    tensors = [value for value in header.values() if isinstance(value, dict) and "shape" in value]
    if tensors:
        tensor = data.draw(st.sampled_from(tensors))
        key = data.draw(st.sampled_from(["dtype", "shape", "data_offsets"]))
        change = st.one_of(
            st.sampled_from(sorted(BITS)),
            st.lists(st.integers(-1, 40), max_size=3),
            st.sampled_from([None, True, 0, 1.5, "f32", [True], [0, 1.0], {}, [None], 2**64]),
        )
        tensor[key] = data.draw(change)
    theirs, ours, sentence = answers(json.dumps(header).encode(), data_bytes)
    assert ours == theirs, sentence


@given(sound(), st.data())
def test_changed_bytes_never_pass_where_the_package_refuses(
    made: tuple[dict[str, object], int], data: st.DataObject
) -> None:
    text = bytearray(json.dumps(made[0]).encode())
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(text) - 1))
        replacement = data.draw(st.one_of(st.binary(max_size=2), st.sampled_from([b"-0", b"[{"])))
        text[at : at + data.draw(st.integers(0, 2))] = replacement
        text = text or bytearray(b"{")
    theirs, ours, sentence = answers(bytes(text), made[1])
    # Stricter than the package in two points only: nothing twice, and a name to every tensor.
    if ours is not None or not (" twice " in sentence or " name" in sentence):
        assert ours == theirs, sentence


def refusal_of(read: Callable[[], object]) -> str | None:
    """What is said when ``read`` is refused; any other error is the test's failure."""
    try:
        read()
    except FileError as error:
        return str(error)
    return None


@given(JSON)
@example({"a": {"dtype": {"dtype": "F32"}, "shape": [], "data_offsets": [0, 4]}})
def test_any_json_is_read_or_refused_in_a_short_sentence(value: object) -> None:
    header = json.dumps(value).encode()
    for text in (header, b'{"a": ' + header + b"}"):
        sentence = refusal_of(lambda text=text: parse_header(text, 8, "f"))
        assert len(sentence or "") < 1000


@given(st.one_of(st.binary(max_size=200), st.binary(max_size=200).map(file_of)))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "any.safetensors")
        path.write_bytes(data)
        sentence = refusal_of(lambda: read_checkpoint(path))
    assert sentence is None or sentence.startswith("any.safetensors: ")


@given(JSON)
def test_any_index_is_read_or_refused(value: object) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "model.safetensors.index.json")
        for index in (value, {"weight_map": value}, {"weight_map": {"a": value}}):
            path.write_text(json.dumps(index))
            # None of them has a shard beside it.
            assert refusal_of(lambda: read_checkpoint(path))
