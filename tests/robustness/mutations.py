"""A seeded mutation fuzzer: valid files with bytes, values, keys and structure changed."""

import copy
import json
import random
from collections.abc import Sequence

# What has broken readers before: limits, half-numbers, markup, controls, other encodings.
TOKENS = (
    *(b"0", b"-0", b"-1", b"1e400", b"1E-400", b"NaN", b"Infinity", b"-Infinity", b"1.0", b"7.5e9"),
    *(
        b"1048576",
        b"1048577",
        b"1000000000000000000",
        b"1000000000000000001",
        b"9223372036854775808",
    ),
    *(b"18446744073709551616", b"1" * 41, b"9" * 400, b"1" + b"0" * 5000, b"null", b"true", b"{}"),
    *(b"[]", b'""', b"[[", b"{" * 50, b"[" * 3000, b'{"a":' * 2000, b"\xef\xbb\xbf", b"\xff\xfe"),
    *(
        b"\x00",
        b"\n",
        b"\r",
        b"\t",
        b'"',
        b"\\",
        b"\\u0000",
        b"\\ud800",
        b"\\u202e",
        b"\xc3",
        b"{i}",
    ),
    *(b"<img src=x>", "\u202egnp".encode(), b"{{7*7}}", b"=HYPERLINK(1)", b"x" * 1001, b"auto"),
    *(b"&a ", b"*a", b"<<: ", b"!!python/object:os.system ", b"!!binary ", b"---\n", b"? ", b"- "),
    *(b"1:1:1", b"0x10", b"0b1", b".inf", b".nan", b"2001-01-01", b"~", b"'", b": ", b"  ", b"#"),
)
VALUES: tuple[object, ...] = (
    *(None, True, False, 0, -1, 1, 2, 3, 5, 7, 64, 1024, 4096, 2**20, 2**20 + 1, 10**9, 10**18),
    *(10**18 + 1, 2**63, 2**64, 10**40, -(10**30), 0.5, 1e9, 1e308, "", "auto", "cpu", "nvme", "x"),
    *(
        "bf16",
        "fp32",
        "nf4-double",
        "int8-block256",
        "matrices",
        "factors",
        "even",
        "fsdp2",
        "host",
    ),
    *("deepspeed", "torch-zero1", "<b>x</b>", "\u202e", "a{i}", "=1+1", "n" * 1001, "7B", "1e9"),
    *([], {}, [1], [0], [[]], {"a": 1}, [1, 2, 3], [2**20] * 3, [10**9, 10**9], [None], ["*"]),
)


def mutated(rng: random.Random, examples: Sequence[bytes]) -> bytes:
    """A changed example; the same ``rng`` state gives the same bytes."""
    data = rng.choice(examples)
    if rng.random() < 0.6:
        changed = _structural(rng, data)
        if changed is not None:
            data = changed
            if rng.random() < 0.7:
                return data
    for _ in range(rng.choice((1, 1, 1, 2, 3, 8))):
        data = _bytewise(rng, data, examples)
    return data


def _bytewise(rng: random.Random, data: bytes, examples: Sequence[bytes]) -> bytes:
    at = rng.randrange(len(data) + 1)
    end = min(len(data), at + rng.choice((1, 1, 2, 4, 16, 64)))
    match rng.randrange(8):
        case 0:
            return data[:at] + bytes([rng.randrange(256)]) + data[at + 1 :]
        case 1:
            return data[:at] + bytes([rng.randrange(256)]) + data[at:]
        case 2:
            return data[:at] + data[end:]
        case 3:
            return data[:at] + rng.choice(TOKENS) + data[at:]
        case 4:
            return data[:at] + rng.choice(TOKENS) + data[end:]
        case 5:
            return data[:at] + data[at:end] * rng.choice((2, 3, 50)) + data[end:]
        case 6:
            other = rng.choice(examples)
            return data[:at] + other[rng.randrange(len(other) + 1) :]
        case _:
            return _digits(rng, data)


def _digits(rng: random.Random, data: bytes) -> bytes:
    """Another number where there is one, so that the rest stays well formed."""
    places = [at for at, byte in enumerate(data) if 48 <= byte <= 57]
    if not places:
        return data
    at = rng.choice(places)
    end = at
    while end < len(data) and 48 <= data[end] <= 57:
        end += 1
    number = rng.choice(VALUES[3:23])
    return data[:at] + str(number).encode() + data[end:]


def _structural(rng: random.Random, data: bytes) -> bytes | None:
    """A JSON file with one value exchanged, or a key repeated, lost or renamed; None for others."""
    start = data.find(b"{")
    head = data[:start] if start in (0, 8) else b""
    tail = b""
    text = data[len(head) :]
    if len(head) == 8:
        length = int.from_bytes(head, "little")
        text, tail = text[:length], text[length:]
    try:
        value = json.loads(text)
    except ValueError:
        return None
    if not isinstance(value, dict):
        return None
    for _ in range(rng.choice((1, 1, 2, 4))):
        _change(rng, value)
    new = json.dumps(value).encode()
    if rng.random() < 0.1:
        new = _repeated(rng, new)
    return (len(new).to_bytes(8, "little") if head else b"") + new + tail


def _change(rng: random.Random, value: object) -> None:
    holders = [value]
    for holder in holders:
        inner = holder.values() if isinstance(holder, dict) else holder
        holders += [item for item in inner if isinstance(item, dict | list) and item]
    holder = rng.choice(holders)
    if isinstance(holder, dict):
        keys = sorted(holder)
        key = rng.choice(keys) if keys else "a"
        kind = rng.randrange(6)
        if kind == 0:
            holder.pop(key, None)
        elif kind == 1:
            holder[rng.choice(("x", "", "n" * 1001, "<b>", "a\nb", "{i}"))] = holder.get(key)
        else:
            holder[key] = copy.deepcopy(rng.choice(VALUES if kind < 5 else holders))
    elif isinstance(holder, list):
        at = rng.randrange(len(holder) + 1)
        holder[at : at + rng.randrange(2)] = [copy.deepcopy(rng.choice((*VALUES, *holder)))]


def _repeated(rng: random.Random, text: bytes) -> bytes:
    """The first key of some object twice."""
    places = [at for at in range(len(text) - 1) if text[at : at + 2] == b'{"']
    if not places:
        return text
    at = rng.choice(places)
    end = text.index(b":", at) if b":" in text[at:] else at + 1
    return text[: at + 1] + text[at + 1 : end] + b": 1, " + text[at + 1 :]
