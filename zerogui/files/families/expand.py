"""From a family's description and a config's values to the tensors of the model."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import prod

from zerogui.accounting.model import MAX_ELEMENTS, MAX_TENSORS, Shape, Tensor
from zerogui.files.errors import FileError
from zerogui.files.families.description import Family, Head, Layers, Row, Rows, Sparse
from zerogui.files.families.values import Values


@dataclass(frozen=True)
class _Planned:
    """A row to be listed once for each index; ``layered`` rows have ``{i}`` in their name."""

    name: str
    shape: Shape
    indices: range | Sequence[int]
    copies: int
    layered: bool

    @property
    def count(self) -> int:
        return len(self.indices) * self.copies


def expand(
    family: Family, head: Head, values: Values, source: str
) -> tuple[tuple[Tensor, ...], tuple[str, ...]]:
    """The tensors of ``family`` under ``head``, and the names of those that share storage.

    The list goes through the model in the order of its parameters, but a parameter that the first k
    layers have alike is one entry with count k: the first layer's order, each time for all layers.
    (Among tensors of one size the order matters to ``torch-zero1`` only, and it sees one size.)
    Where only later layers have it each of them is listed. Raises FileError, before any list is
    made, where it would be longer than 2^20 or hold more than 10^18 elements.
    """
    values.check()
    prefix = family.prefix if head.prefix is None else head.prefix
    planned: list[_Planned] = []
    tied: list[str] = []
    for part in (*family.body, head.rows):
        inside = "" if part is head.rows else prefix
        if isinstance(part, Layers):
            planned += _plan_layers(part, inside, values, source)
        else:
            planned += _plan(part, inside, values, tied)
    _check_totals(planned, source)
    tensors = [tensor for row in planned for tensor in _tensors(row)]
    return tuple(tensors), tuple(tied)


def _plan(rows: Rows, prefix: str, values: Values, tied: list[str]) -> Iterable[_Planned]:
    for row in rows:
        if not all(values.holds(condition) for condition in row.when):
            continue
        if row.tied is not None and values.holds(row.tied):
            tied.append(prefix + row.name)
        else:
            yield _Planned(prefix + row.name, _shape(row, values), range(1), 1, False)


def _plan_layers(part: Layers, prefix: str, values: Values, source: str) -> Iterable[_Planned]:
    count = values.size(part.count)
    if count > MAX_TENSORS:
        raise _too_many(values.name_in_file(part.count), count, source)
    sets: dict[str, range | Sequence[int]] = {"all": range(count), "first": range(1)}
    if part.sparse is not None:
        sets["sparse"], sets["dense"] = _kinds(part.sparse, count, values)
    for row in part.rows:
        indices = sets[row.layers]
        if len(indices) and all(values.holds(condition) for condition in row.when):
            copies = values.size(row.each) if row.each else 1
            if copies * count > MAX_TENSORS:
                raise _too_many(values.name_in_file(row.each), copies, source)
            name = f"{prefix}{part.name}.{row.name}"
            yield _Planned(name, _shape(row, values), indices, copies, True)


def _kinds(
    sparse: Sparse, count: int, values: Values
) -> tuple[range | list[int], range | list[int]]:
    """The indices of layers with experts, and of those without."""
    first = values.size(sparse.first) if sparse.first else 0
    step = values.size(sparse.step) if sparse.step else 1
    without = values.indices(sparse.dense) if sparse.dense else frozenset()
    if sparse.experts and not values.holds(sparse.experts):
        return range(0), range(count)
    chosen = {i for i in range(first, count) if (i + 1) % step == 0} - without
    return sorted(chosen), [i for i in range(count) if i not in chosen]


def _shape(row: Row, values: Values) -> Shape:
    return tuple([values.size(size) for size in row.dims])


def _check_totals(planned: list[_Planned], source: str) -> None:
    tensors = sum([row.count for row in planned])
    if tensors > MAX_TENSORS:
        sentence = f"describes {tensors:,} tensors; at most {MAX_TENSORS:,} can be listed."
        raise FileError(source, sentence)
    elements = sum([prod(row.shape) * row.count for row in planned])
    largest = max([size for row in planned for size in row.shape], default=0)
    if max(elements, largest) > MAX_ELEMENTS:
        sentence = "describes more than 10^18 parameters; correct its largest sizes."
        raise FileError(source, sentence)


def _too_many(field: str, count: int, source: str) -> FileError:
    sentence = f"{field} is {count:,}, for more than {MAX_TENSORS:,} tensors; use a smaller number."
    return FileError(source, sentence)


def _tensors(row: _Planned) -> Iterable[Tensor]:
    """The compact form where the layers are the first ones, else one tensor for each."""
    for copy in range(row.copies):
        name = row.name.replace("{j}", str(copy)) if row.copies > 1 else row.name
        name = name.replace("{j}", "0")
        count = len(row.indices)
        if not row.layered:
            yield Tensor(name, row.shape)
        elif count > 1 and row.indices[-1] == count - 1:
            yield Tensor(name, row.shape, count=count)
        else:
            for index in row.indices:
                yield Tensor(name.replace("{i}", str(index)), row.shape)
