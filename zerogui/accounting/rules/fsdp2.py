"""Rule ``fsdp2``: PyTorch's fully_shard cuts each tensor along its first dimension."""

from zerogui.accounting.dtype import ceil_div
from zerogui.accounting.layout import Layout, Piece
from zerogui.accounting.model import Shape
from zerogui.accounting.rules.base import PartitionRule, Role, Tensors, everywhere


def _rows(shape: Shape) -> tuple[int, int]:
    """Rows of the first dimension and elements of a row; a scalar is one row of one element."""
    if not shape:
        return 1, 1
    row = 1
    for length in shape[1:]:
        row *= length
    return shape[0], row


class FSDP2(PartitionRule):
    """PyTorch 2.13 torch/distributed/fsdp/_fully_shard/_fsdp_param.py (chunks of dim 0)."""

    name = "fsdp2"
    title = "PyTorch FSDP2"
    summary = "Rows of each tensor's first dimension in equal chunks; later ranks may hold less."
    source = "PyTorch 2.13 fully_shard, verified against running engines"

    def not_offered(self, stage: int, known_shapes: bool) -> str | None:
        """Stages 3 and 0."""
        if stage in (0, 3):
            return None
        return (
            "FSDP2 shards weights too (ZeRO-3); reshard_after_forward=False keeps the same"
            " persistent states"
        )

    def needs_shapes(self, stage: int) -> bool:
        """Stage 3 cuts each tensor by itself."""
        return stage == 3

    def sharded(self, tensors: Tensors, role: Role, stage: int, group: int) -> Layout:
        """Weights and gradients allocate whole chunks; optimizer tensors hold real rows."""
        chunks = [(shape, count, *_rows(shape)) for shape, count in tensors.shapes]
        if role is not Role.OPTIMIZER:
            pieces: list[Piece] = [
                everywhere(group, ceil_div(rows, group) * row, count)
                for _, count, rows, row in chunks
            ]
            why = "sum of ⌈rows ÷ {g}⌉ × row over the tensors" if tensors.known else "⌈{n} ÷ {g}⌉"
            return Layout(group, pieces, tensors.elements, True, why)
        pieces = []
        for _, count, rows, row in chunks:
            if rows == 0:
                continue
            chunk = ceil_div(rows, group)
            full, rest = divmod(rows, chunk)
            pieces.append((0, full, chunk * row, count))
            if rest:
                pieces.append((full, 1, rest * row, count))
        why = "this rank's rows of every tensor" if tensors.known else "⌈{n} ÷ {g}⌉"
        return Layout(group, pieces, tensors.elements, True, why)
