"""Which elements an optimizer tensor keeps that does not cover every parameter (``over``)."""

from zerogui.accounting.model import Tensor
from zerogui.accounting.rules.base import Part

# Name parts of embeddings and heads, which Muon leaves to Adam.
_HEADS = frozenset({"wte", "wpe", "lm_head", "embed_out", "output"})


def is_matrix(tensor: Tensor) -> bool:
    """A 2-D tensor that is no embedding or head, judged by the dotted parts of its name."""
    if len(tensor.shape) != 2:
        return False
    return not any(
        part in _HEADS or part.startswith("embed") or "_embed" in part
        for part in tensor.name.split(".")
    )


def _matrices(tensor: Tensor) -> int:
    return tensor.elements if is_matrix(tensor) else 0


def _rest(tensor: Tensor) -> int:
    return 0 if is_matrix(tensor) else tensor.elements


def _factors(tensor: Tensor) -> int:
    """Row and column statistics (Adafactor, arXiv 1804.04235 section 3): n/last + n/second-last."""
    if len(tensor.shape) < 2:
        return tensor.elements
    *lead, rows, columns = tensor.shape
    elements = rows + columns
    for length in lead:
        elements *= length
    return elements


PARTS: dict[str, Part] = {"matrices": _matrices, "rest": _rest, "factors": _factors}
