"""The interface of a partition rule: what each rank of a shard group holds of a set of tensors."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from enum import Enum
from functools import cached_property
from math import prod
from typing import NamedTuple

from zerogui.accounting.layout import Layout, Piece
from zerogui.accounting.model import Model, Shape, Tensor
from zerogui.accounting.sharding import Sharding

# How a replicated element count comes about (Layout.why).
WHOLE = "{n}, whole on every rank"

# How many elements an optimizer tensor holds for one parameter tensor.
Part = Callable[[Tensor], int]


class Role(Enum):
    """What a buffer is for; rules may cut roles differently."""

    WEIGHTS = "weights"
    GRADIENTS = "gradients"
    ACCUMULATION = "accumulation"
    OPTIMIZER = "optimizer"


class Tensors:
    """The trainable or the frozen tensors of one model-parallel slice.

    ``known`` is False where only a count is known; the set is then one flat tensor.
    """

    def __init__(
        self,
        elements: int,
        shapes: tuple[tuple[Shape, int], ...],
        known: bool,
        frozen: bool = False,
        listed: tuple[Tensor, ...] = (),
    ) -> None:
        self.elements = elements
        self.shapes = shapes
        self.known = known
        self.frozen = frozen
        self.listed = listed

    @classmethod
    def flat(cls, elements: int, frozen: bool) -> "Tensors":
        """One tensor of ``elements`` elements (none where that is 0), shapes unknown."""
        if not elements:
            return cls(0, (), False, frozen)
        return cls(elements, (((elements,), 1),), False, frozen, (Tensor("", (elements,), frozen),))

    @classmethod
    def of(cls, model: Model, model_parallel: int, frozen: bool) -> "Tensors":
        """One part of ``model``: split by M > 1 it loses its shapes (⌈elements / M⌉ remain)."""
        elements = model.frozen_parameters if frozen else model.trainable_parameters
        if model.tensors is None or model_parallel > 1:
            return cls.flat(-(-elements // model_parallel), frozen)
        found: Tensors | None = model.derived.get(frozen)
        if found is None:
            listed = tuple(t for t in model.tensors if t.frozen == frozen)
            found = cls(elements, model.shapes[frozen], True, frozen, listed)
            # Everything cached in it serves the next edit of a plan with this model too.
            model.derived[frozen] = found
        return found

    @cached_property
    def sizes(self) -> tuple[tuple[int, int], ...]:
        """Distinct element counts with how many tensors have each."""
        counts: dict[int, int] = {}
        for shape, count in self.shapes:
            size = prod(shape)
            counts[size] = counts.get(size, 0) + count
        return tuple(counts.items())

    @cached_property
    def largest_first(self) -> list[tuple[int, Tensor]]:
        """(elements, tensor), the largest first, equal ones in model order."""
        sized = [(prod(tensor.shape), tensor) for tensor in self.listed]
        return sorted(sized, key=lambda pair: pair[0], reverse=True)

    @cached_property
    def rows(self) -> tuple[tuple[int, int], ...]:
        """Distinct lengths of the first dimension with the elements of one row of all of them.

        A scalar counts as one row of one element.
        """
        widths: dict[int, int] = {}
        for shape, count in self.shapes:
            length, row = rows_of(shape)
            widths[length] = widths.get(length, 0) + row * count
        return tuple(widths.items())


def rows_of(shape: Shape) -> tuple[int, int]:
    """Rows of the first dimension and elements of a row; a scalar is one row of one element."""
    return (shape[0], prod(shape[1:])) if shape else (1, 1)


class Copy(NamedTuple):
    """Weights kept beside a rank's shard (gathered, secondary): ``layout`` in their own dtype."""

    name: str
    layout: Layout


class PartitionRule(ABC):
    """How one engine cuts tensors into shards, padding included. Stateless.

    A new rule is one new file with a subclass, and one line in ``rules/__init__.py``.
    """

    name: str
    title: str
    summary: str
    source: str
    # Balances element counts by whole tensors: the fullest rank's bytes may rise with N.
    greedy = False

    @abstractmethod
    def not_offered(self, stage: int, known_shapes: bool) -> str | None:
        """Why the rule has no such ``stage``, as a phrase; None where it has."""

    @abstractmethod
    def sharded(self, tensors: Tensors, role: Role, stage: int, group: int) -> Layout:
        """What each of the ``group`` ranks holds of a partitioned state."""

    def sharded_part(self, tensors: Tensors, part: Part, stage: int, group: int) -> Layout | None:
        """An optimizer tensor that holds ``part(t)`` elements of each tensor t.

        None where the engine's cut is not modelled: it is then priced in proportion.
        """
        return None

    def whole(self, tensors: Tensors, role: Role, stage: int, group: int) -> Layout:
        """What each rank holds of a replicated state: every tensor, unpadded."""
        return Layout(
            group,
            lambda: [(0, group, size, count) for size, count in tensors.sizes],
            tensors.elements,
            False,
            WHOLE,
            sums=lambda: [(0, group, tensors.elements)],
        )

    def whole_part(self, tensors: Tensors, part: Part, group: int) -> Layout:
        """A replicated optimizer tensor that holds ``part(t)`` elements of each tensor t."""
        pieces = [(0, group, part(t), t.count) for t in tensors.listed]
        real = sum(elements * count for _, _, elements, count in pieces)
        return Layout.of(group, pieces, real, False, WHOLE)

    def needs_shapes(self, stage: int) -> bool:
        """Whether ``stage`` is exact only for a tensor list."""
        return False

    def prices_buffers_apart(self, tensors: Tensors, role: Role, stage: int) -> bool:
        """Whether ``role`` is stored tensor by tensor, so that block formats need shapes."""
        return True

    def check(self, sharding: Sharding) -> None:
        """InputError where ``sharding`` has a setting that this rule refuses."""
        return

    def copies(
        self, tensors: Tensors, sharding: Sharding, stage: int, workers: int, group: int
    ) -> Sequence[Copy]:
        """Copies of weights that stay on the device beside the shards."""
        return ()

    def adds_fp32_master(self, stage: int) -> bool:
        """Whether the engine clones an fp32 master copy of fp32 weights that the recipe lacks."""
        return False

    def offloads_gradients(self, stage: int) -> bool:
        """Whether gradients follow an offloaded optimizer to the host."""
        return False


def everywhere(group: int, elements: int, count: int = 1) -> Piece:
    """``count`` buffers of ``elements`` elements on each of the group's ranks."""
    return (0, group, elements, count)
