"""What is trained: an element count, or a list of named tensors with shapes."""

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Any, NamedTuple

from zerogui.accounting.errors import MAX_NAME, InputError, check_name, shown, within

MAX_ELEMENTS = 10**18
MAX_TENSORS = 2**20
# Names are written out to compare them; a checkpoint's header has no room for more either.
_MAX_LETTERS = 10**8

Shape = tuple[int, ...]


class Tensor(NamedTuple):
    """``count`` equal parameter tensors; ``{i}`` in the name stands for the index 0 .. count-1."""

    name: str
    shape: Shape
    frozen: bool = False
    count: int = 1  # type: ignore[assignment]  # hides tuple.count, which nobody calls

    @property
    def elements(self) -> int:
        """Elements of one of them; a scalar (shape ()) is one element."""
        return prod(self.shape)


@dataclass(frozen=True)
class Model:
    """Ψ = ``parameters`` elements, of which ``frozen_parameters`` are not trained.

    With ``tensors`` the two counts equal the list's sums (use ``Model.of``). Raises InputError.
    """

    name: str = ""
    parameters: int = 0
    frozen_parameters: int = 0
    tensors: tuple[Tensor, ...] | None = None

    def __post_init__(self) -> None:
        within("model.parameters", self.parameters, 0, MAX_ELEMENTS)
        within("model.frozen_parameters", self.frozen_parameters, 0, MAX_ELEMENTS)
        check_name("model.name", self.name)
        if self.tensors is not None:
            self._check_tensors(self.tensors)
        if self.frozen_parameters > self.parameters:
            raise InputError(
                "model.frozen_parameters",
                f"is {self.frozen_parameters:,}, more than all {self.parameters:,} parameters",
                "use at most model.parameters",
            )

    @classmethod
    def of(cls, name: str, tensors: tuple[Tensor, ...]) -> "Model":
        """The model that consists of ``tensors``, with its counts added up."""
        return cls(name, *counted(tensors), tensors)

    @property
    def trainable_parameters(self) -> int:
        """T, elements."""
        return self.parameters - self.frozen_parameters

    @cached_property
    def derived(self) -> dict[bool, Any]:
        """Room for what others work out of the trainable (False) or frozen tensors, once."""
        return {}

    @cached_property
    def listed(self) -> int:
        """How many tensors the list stands for."""
        return sum([tensor.count for tensor in self.tensors or ()])

    @cached_property
    def largest(self) -> Tensor | None:
        """The tensor with the most elements, the first of equals; None without any."""
        return max(self.tensors or (), key=lambda tensor: tensor.elements, default=None)

    @cached_property
    def shapes(self) -> dict[bool, tuple[tuple[Shape, int], ...]]:
        """Distinct shapes with how often each occurs, by ``frozen``, in model order."""
        counts: dict[bool, Counter[Shape]] = {False: Counter(), True: Counter()}
        for tensor in self.tensors or ():
            counts[tensor.frozen][tensor.shape] += tensor.count
        return {frozen: tuple(counter.items()) for frozen, counter in counts.items()}

    def _check_tensors(self, tensors: tuple[Tensor, ...]) -> None:
        for index, tensor in enumerate(tensors):
            if not _is_plain(tensor):
                _check_tensor(f"model.tensors[{index}]", tensor)
        listed = sum([t.count for t in tensors])
        if listed > MAX_TENSORS:
            raise InputError(
                "model.tensors", f"stands for {listed:,} tensors", f"list at most {MAX_TENSORS:,}"
            )
        letters = sum([len(t.name) * t.count for t in tensors])
        if letters > _MAX_LETTERS:
            raise InputError(
                "model.tensors", f"has names of {letters:,} characters in all", "use shorter names"
            )
        _check_names(tensors)
        sums = zip(("parameters", "frozen_parameters"), counted(tensors), strict=True)
        for key, total in sums:
            if getattr(self, key) != total:
                raise InputError(
                    f"model.{key}",
                    f"is {getattr(self, key):,} but the tensors add up to {total:,}",
                    "correct it or leave it out",
                )


def counted(tensors: tuple[Tensor, ...]) -> tuple[int, int]:
    """Elements of all ``tensors``, and of the frozen ones among them."""
    sizes = [prod(t.shape) * t.count for t in tensors]
    return sum(sizes), sum([size for size, t in zip(sizes, tensors, strict=True) if t.frozen])


def _is_plain(tensor: Tensor) -> bool:
    """Whether a glance shows that ``tensor`` is in order; lists are long."""
    name, shape, _, count = tensor
    return (
        0 < len(name) <= MAX_NAME
        and not name.isspace()
        and count >= 1
        and 0 < len(shape) <= 16
        and min(shape) >= 0
        and max(shape) <= MAX_ELEMENTS
    )


def _check_tensor(path: str, tensor: Tensor) -> None:
    check_name(f"{path}.name", tensor.name, needed=True)
    if tensor.count < 1:
        raise InputError(f"{path}.count", f"is {tensor.count:,}", "use a whole number from 1")
    if len(tensor.shape) > 16:
        raise InputError(f"{path}.shape", f"has {len(tensor.shape)} dimensions", "use at most 16")
    for axis, size in enumerate(tensor.shape):
        within(f"{path}.shape[{axis}]", size, 0, MAX_ELEMENTS)


def _check_names(tensors: tuple[Tensor, ...]) -> None:
    """Names are unique after expansion of ``{i}``."""
    if len({t.name for t in tensors if t.count == 1 and "{i}" not in t.name}) == len(tensors):
        return
    seen: set[str] = set()
    for index, tensor in enumerate(tensors):
        repeated = tensor.count > 1 and "{i}" not in tensor.name
        names = (
            [tensor.name.replace("{i}", str(i)) for i in range(tensor.count)]
            if "{i}" in tensor.name
            else [tensor.name]
        )
        before = len(seen)
        seen.update(names)
        if repeated or len(seen) != before + len(names):
            raise InputError(
                f"model.tensors[{index}].name",
                f"is {shown(tensor.name)}, which names more than one tensor",
                "give each tensor a name of its own (with {i} for the index of equal ones)",
            )
