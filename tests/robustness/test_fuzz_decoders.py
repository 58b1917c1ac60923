"""Whatever comes from outside is read or refused in one sentence: at once, and in little memory.

20,000 mutated files in CI, a tenth of it in a plain run, a million with ``-m soak``. The seed is
fixed, so that a failure comes again; FUZZ_SEED tries others.
"""

import json
import os
import random

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.robustness.decoders import DECODER, DECODERS, Decoder
from tests.robustness.limits import try_one
from tests.robustness.mutations import VALUES, mutated

SEED = os.environ.get("FUZZ_SEED", "0")
CI = os.environ.get("HYPOTHESIS_PROFILE") == "ci"
INPUTS = 20_000 if CI else 2_000
SOAK_INPUTS = 1_000_000


def named(decoder: Decoder) -> str:
    return decoder.name


def fuzz(decoder: Decoder, total: int) -> int:
    """Its share of ``total`` mutated inputs; how many of them were read."""
    rng = random.Random(f"{SEED} {decoder.name}")
    examples = tuple(decoder.examples())
    share = -(-total // len(DECODERS))
    return sum([try_one(decoder, mutated(rng, examples)) for _ in range(share)])


@pytest.mark.parametrize("decoder", DECODERS, ids=named)
def test_the_examples_are_in_order(decoder: Decoder) -> None:
    for data in decoder.examples():
        assert try_one(decoder, data) or decoder.name == "number"


@pytest.mark.parametrize("decoder", DECODERS, ids=named)
def test_a_mutated_file_is_read_or_refused(decoder: Decoder) -> None:
    read = fuzz(decoder, INPUTS)
    # A mutation that always breaks the format would test nothing but its first check.
    assert read > 0


@pytest.mark.soak
@pytest.mark.parametrize("decoder", DECODERS, ids=named)
def test_a_million_mutated_files_are_read_or_refused(decoder: Decoder) -> None:
    assert fuzz(decoder, SOAK_INPUTS) > 0


@pytest.mark.parametrize("decoder", DECODERS, ids=named)
def test_any_bytes_are_read_or_refused(decoder: Decoder) -> None:
    @given(st.one_of(st.binary(max_size=300), st.text(max_size=300).map(str.encode)))
    @settings(max_examples=settings().max_examples // 5)
    def tried(data: bytes) -> None:
        try_one(decoder, data)

    tried()


SCALARS = st.one_of(
    st.sampled_from([value for value in VALUES if not isinstance(value, list | dict)]),
    st.integers(-(2**70), 2**70),
    st.floats(),
    st.text(max_size=6),
)


def spelled(words: list[str]) -> st.SearchStrategy[object]:
    """JSON values whose keys and texts are words that the format knows."""
    known = st.sampled_from(words)
    return st.recursive(
        st.one_of(SCALARS, known),
        lambda inner: st.one_of(
            st.lists(inner, max_size=4), st.dictionaries(known, inner, max_size=4)
        ),
        max_leaves=12,
    )


def changed(words: list[str]) -> st.SearchStrategy[dict[str, object]]:
    """Up to three fields of a file, at its top."""
    return st.dictionaries(st.sampled_from(words), spelled(words), max_size=3)


def _words(value: object) -> set[str]:
    """Every key and text in a JSON value."""
    if isinstance(value, dict):
        return set(value).union(*map(_words, value.values()))
    if isinstance(value, list):
        return set().union(*map(_words, value))
    return {value} if isinstance(value, str) else set()


@pytest.mark.parametrize(
    "name", ["scenario", "comparison", "model config", "DeepSpeed", "index", "settings"]
)
def test_json_of_the_right_words_in_the_wrong_places_is_read_or_refused(name: str) -> None:
    decoder = DECODER[name]
    examples = [json.loads(data) for data in decoder.examples()]
    words = sorted(set().union(*map(_words, examples)))

    @given(st.sampled_from(examples), changed(words))
    @settings(max_examples=settings().max_examples // 5)
    def tried(whole: dict[str, object], changes: dict[str, object]) -> None:
        try_one(decoder, json.dumps({**whole, **changes}).encode())
        try_one(decoder, json.dumps(changes).encode())

    tried()


def test_yaml_of_the_right_words_in_the_wrong_places_is_read_or_refused() -> None:
    decoder = DECODER["Accelerate"]
    examples = [yaml.safe_load(data) for data in decoder.examples()]
    words = sorted(set().union(*map(_words, examples)))

    @given(st.sampled_from(examples), changed(words))
    @settings(max_examples=settings().max_examples // 5)
    def tried(whole: dict[str, object], changes: dict[str, object]) -> None:
        try_one(decoder, yaml.safe_dump({**whole, **changes}, allow_unicode=True).encode())

    tried()
