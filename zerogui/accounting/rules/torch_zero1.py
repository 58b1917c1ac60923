"""Rule ``torch-zero1``: ZeroRedundancyOptimizer gives whole tensors to the least-loaded rank."""

from heapq import heapreplace
from math import prod

from zerogui.accounting.errors import InputError, shown
from zerogui.accounting.layout import Layout, Piece
from zerogui.accounting.model import Tensor
from zerogui.accounting.rules.base import Part, PartitionRule, Role, Tensors
from zerogui.accounting.sharding import Sharding

WHY = "whole tensors of this rank, of {n} in all"


def assigned(tensors: Tensors, group: int) -> list[tuple[int, Tensor]]:
    """(rank, tensor) of each single tensor: largest first, equal sizes in model order."""
    # A load and its rank in one integer: the smallest is the least-loaded, then lowest, rank.
    shift = group.bit_length()
    mask = (1 << shift) - 1
    loads = list(range(group))  # a heap already
    owners = []
    for size, tensor in tensors.largest_first:
        more = size << shift
        for _ in range(tensor.count):
            least = loads[0]
            heapreplace(loads, least + more)
            owners.append((least & mask, tensor))
    return owners


def loads(tensors: Tensors, group: int) -> list[tuple[int, int]]:
    """(elements, rank) of every rank that owns a tensor, in no order; as ``assigned`` deals."""
    shift = group.bit_length()
    mask = (1 << shift) - 1
    heap = list(range(group))
    for size, tensor in tensors.largest_first:
        more = size << shift
        for _ in range(tensor.count):
            heapreplace(heap, heap[0] + more)
    return [(load >> shift, load & mask) for load in heap if load > mask]


class TorchZero1(PartitionRule):
    """PyTorch 2.13 torch/distributed/optim/zero_redundancy_optimizer.py (_partition_parameters)."""

    name = "torch-zero1"
    title = "PyTorch ZeroRedundancyOptimizer"
    summary = "Whole tensors, largest first, each to the least-loaded rank; ZeRO-1 only."
    source = "PyTorch 2.13 ZeroRedundancyOptimizer, verified against running engines"
    greedy = True

    def not_offered(self, stage: int, known_shapes: bool) -> str | None:
        """Stages 1 (with a tensor list) and 0."""
        if stage > 1:
            return "ZeroRedundancyOptimizer partitions optimizer states only (ZeRO-1)"
        if stage == 1 and not known_shapes:
            return "it gives whole tensors to ranks, so it needs a tensor list"
        return None

    def check(self, sharding: Sharding) -> None:
        """InputError for a group or an offload: the engine has neither."""
        if sharding.group is not None:
            raise InputError(
                "sharding.group",
                f"is {sharding.group:,}, which rule torch-zero1 does not have",
                "set it to null or choose another rule",
            )
        for name in ("offload_optimizer", "offload_weights"):
            tier = getattr(sharding, name)
            if tier != "device":
                raise InputError(
                    f"sharding.{name}",
                    f"is {shown(tier)}, which rule torch-zero1 does not have",
                    'set it to "device" or choose another rule',
                )

    def sharded(self, tensors: Tensors, role: Role, stage: int, group: int) -> Layout:
        """One buffer for each tensor, on its owner."""
        return Layout(
            group,
            lambda: [(rank, 1, prod(t.shape), 1) for rank, t in assigned(tensors, group)],
            tensors.elements,
            True,
            WHY,
            sums=lambda: [(rank, 1, load) for load, rank in loads(tensors, group)],
        )

    def sharded_part(self, tensors: Tensors, part: Part, stage: int, group: int) -> Layout:
        """Each tensor's part lives with its tensor's owner."""
        pieces: list[Piece] = [
            (rank, 1, part(tensor), 1) for rank, tensor in assigned(tensors, group)
        ]
        real = sum(elements for _, _, elements, _ in pieces)
        return Layout.of(group, pieces, real, True, WHY)
