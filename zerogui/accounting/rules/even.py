"""Rule ``even``: the ZeRO paper's own cut, one flat buffer per state split evenly."""

from zerogui.accounting.layout import Layout
from zerogui.accounting.rules.base import WHOLE, Part, PartitionRule, Role, Tensors, everywhere


def _split(elements: int, group: int) -> Layout:
    share, longer = divmod(elements, group)
    if longer == 0:
        return Layout.of(group, [everywhere(group, share)], elements, True, "{n} ÷ {g}")
    pieces = [(0, longer, share + 1, 1), (longer, group - longer, share, 1)]
    return Layout.of(group, pieces, elements, True, "{n} ÷ {g}, rounded up or down")


def _flat(elements: int, group: int) -> Layout:
    return Layout.of(group, [everywhere(group, elements)], elements, False, WHOLE)


class Even(PartitionRule):
    """T split over G ranks, the first T mod G ranks one element more (ZeRO paper section 5)."""

    name = "even"
    title = "Even split (ZeRO paper)"
    summary = "One flat buffer per state, split as evenly as whole elements allow; no padding."
    source = "ZeRO paper (arXiv 1910.02054) section 5"

    def not_offered(self, stage: int, known_shapes: bool) -> str | None:
        """Every stage is offered."""
        return None

    def sharded(self, tensors: Tensors, role: Role, stage: int, group: int) -> Layout:
        """⌈n / G⌉ elements on the first n mod G ranks, ⌊n / G⌋ on the rest."""
        return _split(tensors.elements, group)

    def sharded_part(self, tensors: Tensors, part: Part, stage: int, group: int) -> Layout:
        """The sum over the tensors, split likewise."""
        return _split(sum(part(t) * t.count for t in tensors.listed), group)

    def whole(self, tensors: Tensors, role: Role, stage: int, group: int) -> Layout:
        """One flat buffer on every rank."""
        return _flat(tensors.elements, group)

    def whole_part(self, tensors: Tensors, part: Part, group: int) -> Layout:
        """One flat buffer of the sum on every rank."""
        return _flat(sum(part(t) * t.count for t in tensors.listed), group)

    def prices_buffers_apart(self, tensors: Tensors, role: Role, stage: int) -> bool:
        """Never: buffers are flat."""
        return False
