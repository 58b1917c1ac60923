"""How many bytes a buffer of n elements takes in each storage format, exactly."""

from collections.abc import Callable
from typing import NamedTuple

from zerogui.accounting.errors import InputError, shown


def ceil_div(numerator: int, denominator: int) -> int:
    """Smallest integer not below numerator / denominator (both non-negative)."""
    return -(-numerator // denominator)


class Dtype(NamedTuple):
    """A storage format.

    ``storage`` maps an element count to bytes of one buffer. ``width`` is the bytes per element
    of a format without rounding or block constants, whose buffers may be added up before they
    are priced; it is None for the others (int4 and the block-quantised ones), which are priced
    buffer by buffer. ``arithmetic`` is that price as text, with ``n`` for the element count.
    """

    name: str
    width: int | None
    storage: Callable[[int], int]
    arithmetic: str

    def bytes(self, elements: int) -> int:
        """Bytes of one buffer of ``elements`` elements."""
        return self.storage(elements)


def _plain(name: str, width: int) -> Dtype:
    return Dtype(name, width, lambda n: width * n, f"{width} B × n")


def _nf4_double(n: int) -> int:
    blocks = ceil_div(n, 64)
    return ceil_div(n, 2) + blocks + 4 * ceil_div(blocks, 256)


# Block sizes and constants: bitsandbytes (optimizers in blocks of 256 with one fp32 scale; NF4 in
# blocks of 64, whose scales "double" quantisation stores as one byte each in blocks of 256).
DTYPES: dict[str, Dtype] = {
    dtype.name: dtype
    for dtype in (
        _plain("fp32", 4),
        _plain("bf16", 2),
        _plain("fp16", 2),
        _plain("fp8", 1),
        _plain("int8", 1),
        Dtype("int4", None, lambda n: ceil_div(n, 2), "⌈n / 2⌉ B"),
        Dtype("int8-block256", None, lambda n: n + 4 * ceil_div(n, 256), "n + 4·⌈n / 256⌉ B"),
        Dtype(
            "nf4-block64",
            None,
            lambda n: ceil_div(n, 2) + 4 * ceil_div(n, 64),
            "⌈n / 2⌉ + 4·⌈n / 64⌉ B",
        ),
        Dtype("nf4-double", None, _nf4_double, "⌈n / 2⌉ + ⌈n / 64⌉ + 4·⌈⌈n / 64⌉ / 256⌉ B"),
    )
}


def dtype_named(name: str, field: str) -> Dtype:
    """The format called ``name``; InputError at ``field`` where there is none."""
    try:
        return DTYPES[name]
    except KeyError:
        raise InputError(field, f"is {shown(name)}", f"use one of {', '.join(DTYPES)}") from None
