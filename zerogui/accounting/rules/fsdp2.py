"""Rule ``fsdp2``: PyTorch's fully_shard cuts each tensor along its first dimension."""

from zerogui.accounting.dtype import ceil_div
from zerogui.accounting.layout import Layout, Piece
from zerogui.accounting.rules.base import PartitionRule, Role, Tensors, everywhere, rows_of


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
        if role is not Role.OPTIMIZER:
            why = "sum of ⌈rows ÷ {g}⌉ × row over the tensors" if tensors.known else "⌈{n} ÷ {g}⌉"
            return Layout(
                group,
                lambda: _chunks(tensors, group),
                tensors.elements,
                True,
                why,
                sums=lambda: [
                    (0, group, sum([-(-length // group) * row for length, row in tensors.rows]))
                ],
            )
        why = "this rank's rows of every tensor" if tensors.known else "⌈{n} ÷ {g}⌉"
        return Layout(
            group,
            lambda: _real_rows([(*rows_of(s), k) for s, k in tensors.shapes], group),
            tensors.elements,
            True,
            why,
            sums=lambda: [
                (first, count, n * k)
                for first, count, n, k in _real_rows([(*r, 1) for r in tensors.rows], group)
            ],
        )


def _chunks(tensors: Tensors, group: int) -> list[Piece]:
    """A whole chunk of each tensor on every rank."""
    cut = [(*rows_of(shape), count) for shape, count in tensors.shapes]
    return [everywhere(group, ceil_div(rows, group) * row, count) for rows, row, count in cut]


def _real_rows(cut: list[tuple[int, int, int]], group: int) -> list[Piece]:
    """Of (rows, row, count): full chunks on the first ranks, the rest on the next, then nothing."""
    pieces: list[Piece] = []
    for rows, row, count in cut:
        if rows == 0:
            continue
        chunk = ceil_div(rows, group)
        full, rest = divmod(rows, chunk)
        pieces.append((0, full, chunk * row, count))
        if rest:
            pieces.append((full, 1, rest * row, count))
    return pieces
