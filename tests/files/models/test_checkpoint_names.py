"""Tensor lists are made compact and written out again without any loss."""

from collections import Counter
from math import prod

from hypothesis import given
from hypothesis import strategies as st

from tests.files.models.configs import written_out
from zerogui.accounting.model import Model, Tensor
from zerogui.files.models.tensor_names import compact

# Few letters and short numbers, so that runs, clashes and near misses come up all the time.
NUMBERS = st.sampled_from(["0", "1", "2", "3", "4", "00", "01", "10", "10000000", "²"])
PIECES = st.sampled_from([".", "h", "w", "{", "}", "{i", "i}", "", "-"])
NAMES = (
    st.lists(st.one_of(NUMBERS, PIECES), min_size=1, max_size=8)
    .map("".join)
    .filter(lambda name: name.strip() and "{i}" not in name)
)
LISTS = st.lists(
    st.builds(Tensor, NAMES, st.sampled_from([(), (2,), (2, 3)]), st.booleans(), st.just(1)),
    unique_by=lambda tensor: tensor.name,
    max_size=40,
)


def tensors(*names: str) -> list[Tensor]:
    return [Tensor(name, (2,)) for name in names]


def lines(*names: str) -> list[tuple[str, int]]:
    return [(tensor.name, tensor.count) for tensor in compact(tensors(*names))]


@given(LISTS)
def test_writing_out_gives_exactly_the_tensors_that_were_made_compact(
    given_tensors: list[Tensor],
) -> None:
    packed = compact(given_tensors)
    assert Counter(written_out(packed)) == Counter(given_tensors)
    model = Model.of("", packed)
    assert model.parameters == sum(prod(tensor.shape) for tensor in given_tensors)


@given(st.integers(1, 9), st.integers(1, 9), st.lists(st.integers(0, 9), unique=True, max_size=10))
def test_a_grid_of_experts_is_never_longer_than_its_shorter_side(
    layers: int, experts: int, others: list[int]
) -> None:
    grid = [f"l.{layer}.e.{expert}.w" for layer in range(layers) for expert in range(experts)]
    packed = compact(tensors(*grid, *(f"other{number}" for number in others)))
    assert len(packed) <= min(layers, experts) + len(others)


def test_layers_in_any_order_become_one_line() -> None:
    assert lines("h.10.w", "h.2.w", *(f"h.{i}.w" for i in (0, 1, 3, 4, 5, 6, 7, 8, 9))) == [
        ("h.{i}.w", 11)
    ]


def test_the_longer_axis_of_two_is_counted() -> None:
    names = [f"l.{layer}.e.{expert}" for layer in range(2) for expert in range(3)]
    assert lines(*names) == [("l.0.e.{i}", 3), ("l.1.e.{i}", 3)]
    names = [f"l.{layer}.e.{expert}" for layer in range(3) for expert in range(2)]
    assert lines(*names) == [("l.{i}.e.0", 3), ("l.{i}.e.1", 3)]


def test_layers_that_do_not_start_at_zero_are_counted_by_their_experts() -> None:
    names = [f"l.{layer}.e.{expert}" for layer in range(3, 7) for expert in range(2)]
    assert lines(*names) == [(f"l.{layer}.e.{{i}}", 2) for layer in range(3, 7)]


def test_a_gap_ends_the_run_and_the_rest_keep_their_names() -> None:
    assert lines("h.0", "h.1", "h.3", "norm") == [("h.{i}", 2), ("h.3", 1), ("norm", 1)]
    assert lines("h.1", "h.2") == [("h.1", 1), ("h.2", 1)]


def test_shapes_and_frozen_tensors_are_kept_apart() -> None:
    given_tensors = [Tensor("h.0", (2,)), Tensor("h.1", (3,)), Tensor("h.2", (2,), True)]
    assert compact(given_tensors) == tuple(given_tensors)


def test_a_name_at_the_limit_is_not_made_longer() -> None:
    at_limit = ["x" * 999 + digit for digit in "01"]
    assert lines(*at_limit) == [(name, 1) for name in at_limit]
    below = ["x" * 997 + digit for digit in "01"]
    assert lines(*below) == [("x" * 997 + "{i}", 2)]


def test_a_name_of_many_numbers_costs_no_more_than_others() -> None:
    names = [".".join(["7"] * 400) + f".{number}" for number in range(1000)]
    assert len(compact(tensors(*names))) == 1000
