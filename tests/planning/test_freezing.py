"""Freezing all but a count, a share, or the tensors that patterns choose."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.files.models.configs import written_out
from zerogui.accounting.errors import InputError
from zerogui.accounting.model import Model, Tensor
from zerogui.planning.freezing import (
    freeze_all_but_count,
    freeze_all_but_patterns,
    freeze_all_but_share,
)

TENSORS = (
    Tensor("embed.weight", (10, 4)),
    Tensor("layers.{i}.q.weight", (4, 4), False, 12),
    Tensor("layers.{i}.q.lora_A", (2, 4), False, 12),
    Tensor("lm_head.weight", (10, 4), True),
)
MODEL = Model.of("tiny", TENSORS)


def trained(model: Model) -> set[str]:
    return {tensor.name for tensor in written_out(model.tensors or ()) if not tensor.frozen}


def refusal_of(model: Model, *patterns: str) -> str:
    with pytest.raises(InputError) as refusal:
        freeze_all_but_patterns(model, patterns)
    return str(refusal.value)


def test_a_pattern_chooses_the_lora_tensors_of_every_layer() -> None:
    model = freeze_all_but_patterns(MODEL, ["*.lora_*"])
    assert model.tensors == (
        Tensor("embed.weight", (10, 4), True),
        Tensor("layers.{i}.q.weight", (4, 4), True, 12),
        Tensor("layers.{i}.q.lora_A", (2, 4), False, 12),
        Tensor("lm_head.weight", (10, 4), True),
    )
    assert (model.name, model.trainable_parameters) == ("tiny", 96)


def test_a_tensor_that_was_frozen_is_trained_when_a_pattern_chooses_it() -> None:
    model = freeze_all_but_patterns(MODEL, ["lm_head.*", "embed.*"])
    assert trained(model) == {"lm_head.weight", "embed.weight"}


def test_layers_that_match_in_part_are_split() -> None:
    model = freeze_all_but_patterns(MODEL, ["layers.1.q.weight", "layers.1[01].q.weight"])
    assert model.tensors is not None
    assert trained(model) == {"layers.1.q.weight", "layers.10.q.weight", "layers.11.q.weight"}
    assert model.tensors[0] == Tensor("embed.weight", (10, 4), True)
    assert model.tensors[1:3] == (
        Tensor("layers.0.q.weight", (4, 4), True),
        Tensor("layers.1.q.weight", (4, 4), False),
    )
    assert model.tensors[-2:] == (
        Tensor("layers.{i}.q.lora_A", (2, 4), True, 12),
        Tensor("lm_head.weight", (10, 4), True),
    )


def test_the_last_layers_leave_the_first_ones_in_one_line() -> None:
    model = freeze_all_but_patterns(MODEL, ["layers.1?.q.weight"])
    assert model.tensors is not None
    assert model.tensors[1:4] == (
        Tensor("layers.{i}.q.weight", (4, 4), True, 10),
        Tensor("layers.10.q.weight", (4, 4), False),
        Tensor("layers.11.q.weight", (4, 4), False),
    )


def test_patterns_match_whole_names_and_their_case() -> None:
    for pattern in ("embed", "lm_head", "*.LORA_*", "layers.{i}.q.weight"):
        assert "matches no tensor" in refusal_of(MODEL, pattern)


def test_a_pattern_that_matches_nothing_is_named_even_beside_one_that_does() -> None:
    assert refusal_of(MODEL, "*.lora_*", "classifier.*") == (
        '"classifier.*" matches no tensor; compare it with names like "embed.weight".'
    )


def test_patterns_without_a_tensor_list_say_what_to_open() -> None:
    assert refusal_of(Model("", 8), "*") == (
        "name patterns need a tensor list, and this model is a parameter count;"
        " open its config.json or checkpoint, or give a count."
    )


def test_no_pattern_or_an_empty_or_endless_one_is_refused() -> None:
    assert refusal_of(MODEL) == "there is no pattern; write one, such as *.lora_*."
    assert refusal_of(MODEL, "*", " ") == "the pattern is empty; write a name."
    assert refusal_of(MODEL, "x" * 1001) == "the pattern has 1,001 characters; use at most 1,000."
    assert "matches no tensor" in refusal_of(Model.of("", ()), "*")


def test_a_pattern_of_many_stars_is_answered_at_once() -> None:
    model = Model.of("", (Tensor("a" * 1000, (1,)),))
    assert "matches no tensor" in refusal_of(model, "*a" * 400 + "b")


@given(st.lists(st.integers(0, 39), min_size=1, max_size=5), st.integers(1, 40))
def test_splitting_keeps_every_tensor_and_trains_the_chosen_ones(
    chosen: list[int], count: int
) -> None:
    chosen = [number % count for number in chosen]
    model = Model.of("", (Tensor("h.{i}", (3,), False, count), Tensor("norm", (2,))))
    split = freeze_all_but_patterns(model, [f"h.{number}" for number in chosen])
    assert split.tensors is not None
    assert Counter(tensor.name for tensor in written_out(split.tensors)) == Counter(
        [*(f"h.{number}" for number in range(count)), "norm"]
    )
    assert trained(split) == {f"h.{number}" for number in chosen}
    assert split.parameters == model.parameters


def test_a_count_is_trained_and_the_rest_is_frozen() -> None:
    assert freeze_all_but_count(Model("7B", 7_000, 100), 40) == Model("7B", 7_000, 6_960)
    # Which tensors 40 elements are, nobody knows: 40 + 12 · 16 + 12 · 8 + 40 in all.
    assert freeze_all_but_count(MODEL, 50) == Model("tiny", 368, 318)


def test_a_count_that_says_which_tensors_are_meant_keeps_them() -> None:
    nothing, everything = freeze_all_but_count(MODEL, 0), freeze_all_but_count(MODEL, 368)
    assert nothing.tensors == tuple(tensor._replace(frozen=True) for tensor in TENSORS)
    assert everything.tensors == tuple(tensor._replace(frozen=False) for tensor in TENSORS)
    assert freeze_all_but_count(MODEL, 328) is MODEL


@pytest.mark.parametrize("count", [-1, 7_001])
def test_a_count_that_the_model_does_not_have_is_refused(count: int) -> None:
    with pytest.raises(InputError) as refusal:
        freeze_all_but_count(Model("", 7_000), count)
    assert str(refusal.value) == (
        f"{count:,} trainable parameters are not possible; use a whole number from 0 to 7,000."
    )


def test_a_share_is_exact_and_rounded_down() -> None:
    assert freeze_all_but_share(Model("", 10**18 - 1), 1, 3).trainable_parameters == (
        333_333_333_333_333_333
    )
    assert freeze_all_but_share(Model("", 1000), 1, 3).trainable_parameters == 333
    assert freeze_all_but_share(Model("", 1000), 2, 3).trainable_parameters == 666
    assert freeze_all_but_share(MODEL, 0, 5).trainable_parameters == 0
    assert freeze_all_but_share(MODEL, 5, 5).trainable_parameters == 368


@pytest.mark.parametrize(
    ("numerator", "denominator", "typed"),
    [(3, 2, "3 / 2"), (-1, 2, "-1 / 2"), (0, 0, "0 / 0"), (-2, -1, "-2 / -1")],
)
def test_what_is_no_share_is_refused(numerator: int, denominator: int, typed: str) -> None:
    with pytest.raises(InputError) as refusal:
        freeze_all_but_share(MODEL, numerator, denominator)
    assert str(refusal.value) == f"{typed} is no share; use one from 0 to 1."
