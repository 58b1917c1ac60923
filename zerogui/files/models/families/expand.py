"""From a family's description and a config's values to the tensors of the model."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import prod

from zerogui.accounting.model import MAX_ELEMENTS, MAX_TENSORS, Shape, Tensor
from zerogui.files.models.families.description import Family, Head, Layers, Row, Rows, Sparse
from zerogui.files.models.families.values import Values

# Entries of the list: layers that differ are listed one by one, which takes time.
_MOST_LISTED = 2**17


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

    @property
    def alike(self) -> bool:
        """Whether one entry can stand for all layers: they are the first ones."""
        count = len(self.indices)
        return not self.layered or (count > 1 and self.indices[-1] == count - 1)

    @property
    def entries(self) -> int:
        return self.copies if self.alike else self.count


def expand(
    family: Family, head: Head, values: Values
) -> tuple[tuple[Tensor, ...], tuple[str, ...]]:
    """The tensors of ``family`` under ``head``, and the names of those that share storage.

    The list follows the order of the model's parameters as far as it can: what the first k layers
    have alike is one entry with count k, at the place where the first of them has it; what only
    some other layers have is listed layer by layer. (Only ``torch-zero1`` asks for the order, among
    tensors of one size: it decides which of them a rank holds, not how much.) Raises FileError,
    before any list is made, where it would be longer than 2^20 or hold more than 10^18 elements.
    """
    values.check()
    prefix = family.prefix if head.prefix is None else head.prefix
    planned: list[list[_Planned]] = []
    tied: list[str] = []
    layers = ""
    for part in (*family.body, head.rows):
        inside = "" if part is head.rows else prefix
        if isinstance(part, Layers):
            planned.append(list(_plan_layers(part, inside, values)))
            layers = part.count
        else:
            planned.append(list(_plan(part, inside, values, tied)))
    rows = [row for group in planned for row in group]
    _check_count(sum([row.count for row in rows]), layers, values)
    _check_count(sum([row.entries for row in rows]), layers, values, _MOST_LISTED)
    _check_elements(rows, values)
    return tuple([tensor for group in planned for tensor in _listed(group)]), tuple(tied)


def _plan(rows: Rows, prefix: str, values: Values, tied: list[str]) -> Iterable[_Planned]:
    for row in rows:
        if not all(values.holds(condition) for condition in row.when):
            continue
        if row.tied is not None and values.holds(row.tied):
            tied.append(prefix + row.name)
        else:
            yield _Planned(prefix + row.name, _shape(row, values), range(1), 1, False)


def _plan_layers(part: Layers, prefix: str, values: Values) -> Iterable[_Planned]:
    count = values.size(part.count)
    _check_count(count, part.count, values)
    sets: dict[str, range | Sequence[int]] = {"all": range(count), "first": range(1)}
    if part.sparse is not None:
        sets["sparse"], sets["dense"] = _kinds(part.sparse, count, values)
    for row in part.rows:
        indices = sets[row.layers]
        if len(indices) and all(values.holds(condition) for condition in row.when):
            copies = values.size(row.each) if row.each else 1
            _check_count(copies * len(indices), row.each, values)
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


def _check_count(tensors: int, field: str, values: Values, most: int = MAX_TENSORS) -> None:
    """FileError, which blames ``field``, where there are too many tensors."""
    if tensors > most:
        kind = "tensors" if most == MAX_TENSORS else "tensors that are not alike"
        many = f"is {values.size(field):,}, which makes more than {most:,} {kind}"
        raise values.error(field, f"{many}; use a smaller number.")


def _check_elements(rows: list[_Planned], values: Values) -> None:
    """FileError, which blames the largest number in the config, where there are too many."""
    elements = sum([prod(row.shape) * row.count for row in rows])
    longest = max([size for row in rows for size in row.shape], default=0)
    if max(elements, longest) > MAX_ELEMENTS:
        field, number = values.largest()
        many = f"is {number:,}, which makes more than 10^18 parameters"
        raise values.error(field, f"{many}; use a smaller number.")


def _listed(group: list[_Planned]) -> list[Tensor]:
    """The tensors of ``group``, each where its first layer has it."""
    placed = [pair for row in group for pair in _tensors(row)]
    placed.sort(key=lambda pair: pair[0])
    return [tensor for _, tensor in placed]


def _tensors(row: _Planned) -> Iterable[tuple[int, Tensor]]:
    """(first layer, tensor): one where the layers are the first ones, else one for each."""
    for copy in range(row.copies):
        name = row.name.replace("{j}", str(copy))
        count = len(row.indices)
        if not row.layered:
            yield 0, Tensor(name, row.shape)
        elif row.alike:
            yield 0, Tensor(name, row.shape, count=count)
        else:
            for index in row.indices:
                yield index, Tensor(name.replace("{i}", str(index)), row.shape)
