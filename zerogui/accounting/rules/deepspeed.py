"""Rule ``deepspeed``: flat padded groups at stages 1 and 2, tensor by tensor at stage 3."""

from collections.abc import Sequence

from zerogui.accounting.dtype import ceil_div
from zerogui.accounting.layout import Layout
from zerogui.accounting.rules.base import Copy, PartitionRule, Role, Tensors, everywhere
from zerogui.accounting.sharding import Sharding


def _aligned(elements: int, group: int) -> int:
    """A: elements rounded up to a multiple of 2·G (nccl_start_alignment_factor 2)."""
    return ceil_div(elements, 2 * group) * 2 * group


class DeepSpeed(PartitionRule):
    """DeepSpeed 0.19: runtime/zero/stage_1_and_2.py, stage3.py, partition_parameters.py."""

    name = "deepspeed"
    title = "DeepSpeed"
    summary = "Flat buffers padded to 2·G at ZeRO-1 and ZeRO-2; each tensor padded at ZeRO-3."
    source = "DeepSpeed 0.19 runtime/zero, verified against running engines"

    def not_offered(self, stage: int, known_shapes: bool) -> str | None:
        """Every stage is offered."""
        return None

    def needs_shapes(self, stage: int) -> bool:
        """Stage 3 pads each tensor by itself."""
        return stage == 3

    def sharded(self, tensors: Tensors, role: Role, stage: int, group: int) -> Layout:
        """A/G elements at stages 1 and 2; at stage 3 ⌈n_t / G⌉ of every tensor."""
        if stage < 3:
            share = _aligned(tensors.elements, group) // group
            why = "{n} rounded up to a multiple of 2·{g}, ÷ {g}"
            return Layout.of(group, [everywhere(group, share)], tensors.elements, True, why)
        why = "sum of ⌈n ÷ {g}⌉ over the tensors" if tensors.known else "⌈{n} ÷ {g}⌉"
        return Layout(
            group,
            lambda: [(0, group, -(-size // group), count) for size, count in tensors.sizes],
            tensors.elements,
            True,
            why,
            sums=lambda: [(0, group, sum([-(-n // group) * k for n, k in tensors.sizes]))],
        )

    def whole(self, tensors: Tensors, role: Role, stage: int, group: int) -> Layout:
        """Stages 1 and 2 replicate trainable weights and the accumulation buffer as one flat A."""
        if not self._is_flat(tensors, role, stage):
            return super().whole(tensors, role, stage, group)
        padded = _aligned(tensors.elements, group)
        why = "{n} rounded up to a multiple of 2·{g}"
        return Layout.of(
            group, [everywhere(group, padded)], tensors.elements, False, why, grows=True
        )

    def prices_buffers_apart(self, tensors: Tensors, role: Role, stage: int) -> bool:
        """Only the flat group of stages 1 and 2 is one buffer."""
        if stage in (1, 2) and role is Role.OPTIMIZER:
            return False
        if stage == 2 and role is Role.GRADIENTS:
            return False
        return not self._is_flat(tensors, role, stage)

    @staticmethod
    def _is_flat(tensors: Tensors, role: Role, stage: int) -> bool:
        return stage in (1, 2) and not tensors.frozen and role in (Role.WEIGHTS, Role.ACCUMULATION)

    def copies(
        self, tensors: Tensors, sharding: Sharding, stage: int, workers: int, group: int
    ) -> Sequence[Copy]:
        """Stage 3: small tensors stay gathered (threshold); hpZ keeps a secondary copy."""
        if stage != 3:
            return ()
        kept = []
        threshold = sharding.persistence_threshold
        small = [everywhere(group, n, k) for n, k in tensors.sizes if 0 < n <= threshold]
        if small:
            real = sum(n * k for _, _, n, k in small)
            why = f"tensors of at most {threshold:,} elements, gathered on every rank"
            kept.append(Copy("gathered weights", Layout.of(group, small, real, False, why)))
        if sharding.secondary_group is not None:
            h = sharding.secondary_group
            pieces = [
                everywhere(group, workers * ceil_div(n, workers) // h, k) for n, k in tensors.sizes
            ]
            real = tensors.elements // h
            why = f"each tensor padded to {workers:,} workers, ÷ {h:,} (secondary group)"
            kept.append(
                Copy("secondary weights (hpZ)", Layout.of(group, pieces, real, False, why, True))
            )
        return kept

    def adds_fp32_master(self, stage: int) -> bool:
        """Stages 1 to 3 clone a partitioned fp32 master copy even of fp32 weights."""
        return stage >= 1

    def offloads_gradients(self, stage: int) -> bool:
        """Partitioned gradients go to the host with the optimizer."""
        return stage >= 2
