"""Tensors with ``{i}`` for a running number in the name: lists made compact, names written out."""

import re
from collections.abc import Iterator, Sequence

from zerogui.accounting.errors import MAX_NAME
from zerogui.accounting.model import Tensor

INDEX = "{i}"

# A number as Python prints it: no leading zero, no other digit beside it. Longer ones are no index.
_NUMBER = re.compile(r"(?<![0-9])(0|[1-9][0-9]{0,6})(?![0-9])")
# Numbers of a name that are looked at; the work must not follow a file's wildest name.
_MOST_NUMBERS = 8

Numbers = tuple[int, ...]


def names_of(tensor: Tensor) -> list[str]:
    """The names that one compact ``tensor`` stands for."""
    if INDEX not in tensor.name:
        return [tensor.name]
    return [tensor.name.replace(INDEX, str(index)) for index in range(tensor.count)]


def compact(tensors: Sequence[Tensor]) -> tuple[Tensor, ...]:
    """``tensors`` (written out, names without ``{i}``) with runs of equal ones put together.

    A run differs in one number of the name that goes from 0 to k - 1. Written out again, the
    result has exactly the same names and shapes. The order is that of first appearance.
    """
    alike: dict[tuple[str, tuple[int, ...], bool], dict[Numbers, int]] = {}
    for position, tensor in enumerate(tensors):
        parts = _NUMBER.split(tensor.name, _MOST_NUMBERS)
        key = (INDEX.join(parts[::2]), tensor.shape, tensor.frozen)
        alike.setdefault(key, {})[tuple(map(int, parts[1::2]))] = position
    placed: list[tuple[int, Tensor]] = []
    for (skeleton, shape, frozen), members in alike.items():
        texts = skeleton.split(INDEX)
        for position, name, count in _runs(texts, members):
            placed.append((position, Tensor(name, shape, frozen, count)))
    placed.sort(key=lambda pair: pair[0])
    return tuple([tensor for _, tensor in placed])


def _runs(texts: list[str], members: dict[Numbers, int]) -> Iterator[tuple[int, str, int]]:
    """(first position, name, count) for names that differ in their numbers only."""
    axes = list(range(len(texts) - 1)) if len(members) > 1 else []
    while axes:
        by_axis = {axis: _runs_along(axis, texts, members) for axis in axes}
        # The axis that leaves the fewest entries; the first of equals.
        best = max(axes, key=lambda axis: sum(run[2] - 1 for run in by_axis[axis]))
        if not by_axis[best]:
            break
        for before, after, count in by_axis[best]:
            taken = [members.pop((*before, index, *after)) for index in range(count)]
            yield min(taken), _name(texts, (*before, INDEX, *after)), count
        axes.remove(best)
    for numbers, position in members.items():
        yield position, _name(texts, numbers), 1


def _runs_along(
    axis: int, texts: list[str], members: dict[Numbers, int]
) -> list[tuple[Numbers, Numbers, int]]:
    """(numbers before, numbers after, length) of the runs 0 .. length-1 along ``axis``."""
    values: dict[tuple[Numbers, Numbers], set[int]] = {}
    for numbers in members:
        values.setdefault((numbers[:axis], numbers[axis + 1 :]), set()).add(numbers[axis])
    runs = []
    for (before, after), present in values.items():
        length = next(index for index in range(len(present) + 1) if index not in present)
        if length > 1 and len(_name(texts, (*before, INDEX, *after))) <= MAX_NAME:
            runs.append((before, after, length))
    return runs


def _name(texts: list[str], numbers: Sequence[int | str]) -> str:
    pairs = zip(texts, [*map(str, numbers), ""], strict=True)
    return "".join([text + number for text, number in pairs])
