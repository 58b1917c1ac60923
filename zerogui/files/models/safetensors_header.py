"""The header of a safetensors file: names, dtypes and shapes, without a look at the data."""

import json
import os
import stat
from collections import Counter
from math import prod
from typing import Any, NamedTuple, NoReturn

from zerogui.accounting.errors import MAX_NAME, shown
from zerogui.accounting.model import MAX_ELEMENTS, MAX_TENSORS, Shape
from zerogui.files.errors import FileError
from zerogui.files.reading import Written, check_regular, check_values, why_unreadable

LARGEST_HEADER = 100 * 10**6
MOST_DIMENSIONS = 16
# A million tensors of four dimensions have ten million.
_MOST_VALUES = 12 * 10**6
_LENGTH_BYTES = 8
_METADATA = "__metadata__"
_FIELDS = ("dtype", "shape", "data_offsets")

# Bits of one element, for every dtype that safetensors 0.8 defines.
BITS = {
    "BOOL": 8,
    "F4": 4,
    "F6_E2M3": 6,
    "F6_E3M2": 6,
    "U8": 8,
    "I8": 8,
    "F8_E5M2": 8,
    "F8_E4M3": 8,
    "F8_E8M0": 8,
    "F8_E4M3FNUZ": 8,
    "F8_E5M2FNUZ": 8,
    "I16": 16,
    "U16": 16,
    "F16": 16,
    "BF16": 16,
    "I32": 32,
    "U32": 32,
    "F32": 32,
    "C64": 64,
    "F64": 64,
    "I64": 64,
    "U64": 64,
}

PICKLE = (
    "is a pickle file, which can run any code when it is loaded;"
    " convert it to safetensors where you trust it and open that."
)
AGAIN = "download or save it again."


class Stored(NamedTuple):
    """One tensor as a header lists it."""

    name: str
    dtype: str
    shape: Shape
    elements: int


class _Span(NamedTuple):
    """What a header says of one tensor besides its name, with offsets in bytes."""

    begin: int
    end: int
    dtype: str
    shape: Shape
    elements: int


class _Wrong:
    """What is wrong with one tensor; ``problem`` continues its name."""

    def __init__(self, problem: str) -> None:
        self.problem = problem


class _RepeatedKeyError(Exception):
    """A key that appears twice in one object."""


def read_header(path: str) -> list[Stored]:
    """The tensors of the safetensors file at ``path``, in the header's order.

    Reads the header and nothing beyond it. FileError where the file is no complete and
    well-formed safetensors file, as the format's own reader would judge it.
    """
    try:
        status = os.stat(path)
        if stat.S_ISDIR(status.st_mode):
            raise FileError(path, "is a folder, not a safetensors file; choose a file in it.")
        check_regular(status, path)
        # Unbuffered: a buffer would read on into the data.
        with open(path, "rb", buffering=0) as file:
            first = file.read(_LENGTH_BYTES)
            length = _header_length(first, status.st_size, path)
            header = file.read(length)
    except OSError as error:
        raise FileError(path, why_unreadable(error)) from None
    except ValueError:
        raise FileError(path, "is no possible file name; check the name.") from None
    if len(header) != length:
        raise FileError(path, f"ended while its header was read; {AGAIN}")
    return parse_header(header, status.st_size - _LENGTH_BYTES - length, path)


def _header_length(first: bytes, size: int, source: str) -> int:
    """Bytes of the header, from the ``first`` eight bytes of a file of ``size`` bytes."""
    if size == 0:
        raise FileError(source, "is empty; choose another file.")
    if len(first) < _LENGTH_BYTES:
        raise FileError(source, f"has {size} bytes, too few for a safetensors file; {AGAIN}")
    length = int.from_bytes(first, "little")
    if length <= min(LARGEST_HEADER, size - _LENGTH_BYTES):
        return length
    if first == b"version ":
        raise FileError(source, 'is a Git LFS pointer, not the file itself; run "git lfs pull".')
    if first.startswith((b"PK\x03\x04", b"\x80\x02", b"\x80\x03", b"\x80\x04", b"\x80\x05")):
        raise FileError(source, PICKLE)
    declared = f"declares a header of {length:,} bytes"
    if length > LARGEST_HEADER:
        raise FileError(source, f"{declared}, over the format's 100 MB; choose another file.")
    raise FileError(source, f"{declared} but has {size:,} in all; {AGAIN}")


def parse_header(header: bytes, data_bytes: int, source: str) -> list[Stored]:
    """The tensors that ``header`` lists for a file with ``data_bytes`` bytes after it. FileError.

    The tensors must cover those bytes without overlap or gap, each as long as its dtype and
    shape say.
    """
    entries = _objects(header, source)
    _check_metadata(entries.pop(_METADATA, None), source)
    if len(entries) > MAX_TENSORS:
        sentence = f"lists {len(entries):,} tensors; choose a file with at most {MAX_TENSORS:,}."
        raise FileError(source, sentence)
    spans: dict[str, _Span] = {}
    for name, value in entries.items():
        if isinstance(value, _Span):
            spans[name] = value
        else:
            _refuse(name, _problem_of(value), source)
    for name in spans:
        if len(name) > MAX_NAME or "{i}" in name or not name.strip() or not _is_text(name):
            _refuse_name(name, source)
    _check_cover(spans, data_bytes, source)
    if sum(span.elements for span in spans.values()) > MAX_ELEMENTS:
        raise FileError(source, "holds more than 10^18 elements; choose a smaller file.")
    return [Stored(name, s.dtype, s.shape, s.elements) for name, s in spans.items()]


def _objects(header: bytes, source: str) -> dict[str, object]:
    """The header's JSON object, its entries as _Span where they are in order."""
    check_values(header, _MOST_VALUES, source)
    shapes: dict[Shape, Shape] = {}

    def collect(pairs: list[tuple[str, object]]) -> object:
        fields = dict(pairs)
        if len(fields) < len(pairs):
            [(key, _)] = Counter(key for key, _ in pairs).most_common(1)
            raise _RepeatedKeyError(key)
        # Turned at once into something small: a header may list a million tensors.
        return _span(fields, shapes) if isinstance(fields.get("dtype"), str) else fields

    try:
        text = header.decode("utf-8")
        value: object = json.loads(
            text,
            object_pairs_hook=collect,
            parse_int=_integer if "-0" in text else None,
            parse_float=Written,
            parse_constant=Written,
        )
    except UnicodeDecodeError:
        raise FileError(source, f"has a header that is not UTF-8 text; {AGAIN}") from None
    except _RepeatedKeyError as repeated:
        key = shown(repeated.args[0])
        raise FileError(source, f"has {key} twice in its header; save it again.") from None
    except json.JSONDecodeError as error:
        what = error.msg.removesuffix(" at").removesuffix(" starting")
        what = what[0].lower() + what[1:]
        sentence = f"has a header that is not JSON ({what}, character {error.pos + 1:,}); {AGAIN}"
        raise FileError(source, sentence) from None
    except RecursionError:
        sentence = "has a header that is nested too deeply; choose another file."
        raise FileError(source, sentence) from None
    except ValueError:
        # Python's limit on the digits of an integer.
        sentence = f"has a number of thousands of digits in its header; {AGAIN}"
        raise FileError(source, sentence) from None
    if not isinstance(value, dict):
        raise FileError(source, f"has a header that is no object of named tensors; {AGAIN}")
    return value


def _integer(text: str) -> int | Written:
    return Written(text) if text == "-0" else int(text)


def _span(fields: dict[str, object], shapes: dict[Shape, Shape]) -> _Span | _Wrong:
    """One entry, checked by itself; equal shapes become one object in ``shapes``."""
    dtype, lengths, offsets = fields["dtype"], fields.get("shape"), fields.get("data_offsets")
    bits = BITS.get(dtype) if isinstance(dtype, str) else None
    if bits is None:
        text = shown(str(dtype))
        return _Wrong(f"has the dtype {text}, which is none of safetensors'; convert it to F32")
    if not isinstance(lengths, list) or not _are_counts(lengths, MAX_ELEMENTS):
        return _Wrong("has no shape of whole numbers from 0 to 10^18; save it again")
    if len(lengths) > MOST_DIMENSIONS:
        return _Wrong(f"has {len(lengths):,} dimensions; use at most {MOST_DIMENSIONS}")
    if not isinstance(offsets, list) or len(offsets) != 2 or not _are_counts(offsets, 2**63):
        return _Wrong("has no two whole numbers from 0 as data_offsets; save it again")
    begin, end = offsets
    if end < begin:
        return _Wrong(f"ends at byte {end:,}, before it begins at {begin:,}; save it again")
    shape: Shape = tuple(lengths)
    shape = shapes.setdefault(shape, shape)
    elements = prod(shape)
    if bits * elements % 8 and elements <= MAX_ELEMENTS:
        return _Wrong(f"of dtype {dtype} and shape {list(shape)} ends within a byte; save it again")
    if 8 * (end - begin) != bits * elements:
        takes = f"{bits * elements // 8:,}" if elements <= MAX_ELEMENTS else "too many"
        kind = f"{dtype} of shape {list(shape)}"
        return _Wrong(f"spans {_bytes(end - begin)} but {kind} takes {takes}; save it again")
    return _Span(begin, end, str(dtype), shape, elements)


def _are_counts(values: list[Any], limit: int) -> bool:
    # By exact type, as a bool is an int to isinstance.
    kinds = {*map(type, values)}
    return not kinds or (kinds == {int} and min(values) >= 0 and max(values) <= limit)


def _problem_of(value: object) -> str:
    """What is wrong with an entry that did not become a _Span."""
    if isinstance(value, _Wrong):
        return value.problem
    if not isinstance(value, dict):
        return "is not described by an object; save it again"
    missing = [key for key in _FIELDS if key not in value]
    return (
        f"has no {missing[0]}; save it again"
        if missing
        else "has a dtype that is no text; save it again"
    )


def _refuse(name: str, problem: str, source: str) -> NoReturn:
    raise FileError(source, f"tensor {shown(name)} {problem}.")


def _refuse_name(name: str, source: str) -> NoReturn:
    if len(name) > MAX_NAME:
        _refuse(name, f"has a name of {len(name):,} characters; use at most {MAX_NAME:,}", source)
    if not name.strip():
        _refuse(name, "has no name to speak of; give it one", source)
    if "{i}" in name:
        _refuse(name, "has {i} in its name, which stands for a number here; rename it", source)
    _refuse(name, "has half a character (a lone surrogate) in its name; rename it", source)


def _is_text(name: str) -> bool:
    return name.isascii() or not any("\ud800" <= character <= "\udfff" for character in name)


def _check_metadata(value: object, source: str) -> None:
    texts = value.values() if isinstance(value, dict) else [] if value is None else [value]
    if not all(isinstance(text, str) for text in texts):
        raise FileError(source, f"has a {_METADATA} that is no object of texts; save it again.")


def _check_cover(spans: dict[str, _Span], data_bytes: int, source: str) -> None:
    """FileError unless the tensors, by offset, follow each other from byte 0 to the last one."""
    covered, before = 0, ""
    for name in sorted(spans, key=lambda name: spans[name][:2]):
        begin, end = spans[name][:2]
        if begin < covered:
            _refuse(name, f"overlaps {shown(before)} in the file; save it again", source)
        if begin > covered:
            _refuse(name, f"follows {_bytes(begin - covered)} of nothing; save it again", source)
        covered, before = end, name
    if covered > data_bytes:
        short = _bytes(covered - data_bytes)
        raise FileError(source, f"ends {short} before its last tensor does; download it again.")
    if covered < data_bytes:
        rest = _bytes(data_bytes - covered)
        raise FileError(source, f"has {rest} after its last tensor; {AGAIN}")


def _bytes(count: int) -> str:
    return "1 byte" if count == 1 else f"{count:,} bytes"
