"""Storage of each format, worked out by hand where its blocks begin and end."""

import pytest

from tests.accounting.scenes import at, by_rank, keeps, plan
from zerogui.accounting.dtype import DTYPES, dtype_named
from zerogui.accounting.errors import InputError

LLAMA_3_8B = 8_030_261_248

# fmt: off
BYTES = {
    "fp32": {0: 0, 1: 4, 63: 252, 64: 256, 65: 260, 255: 1020, 256: 1024, 257: 1028,
             LLAMA_3_8B: 32_121_044_992},
    "bf16": {0: 0, 1: 2, 63: 126, 64: 128, 65: 130, 255: 510, 256: 512, 257: 514,
             LLAMA_3_8B: 16_060_522_496},
    "fp16": {0: 0, 1: 2, 63: 126, 64: 128, 65: 130, 255: 510, 256: 512, 257: 514,
             LLAMA_3_8B: 16_060_522_496},
    "fp8": {0: 0, 1: 1, 63: 63, 64: 64, 65: 65, 255: 255, 256: 256, 257: 257,
            LLAMA_3_8B: 8_030_261_248},
    "int8": {0: 0, 1: 1, 63: 63, 64: 64, 65: 65, 255: 255, 256: 256, 257: 257,
             LLAMA_3_8B: 8_030_261_248},
    "int4": {0: 0, 1: 1, 2: 1, 63: 32, 64: 32, 65: 33, 255: 128, 256: 128, 257: 129,
             LLAMA_3_8B: 4_015_130_624},
    # One fp32 scale for each block of 256: 8,030,261,248 elements are 31,368,208 whole blocks.
    "int8-block256": {0: 0, 1: 5, 63: 67, 64: 68, 65: 69, 255: 259, 256: 260, 257: 265,
                      511: 519, 512: 520, 513: 525, LLAMA_3_8B: 8_155_734_080},
    # One fp32 scale for each block of 64: 125,472,832 whole blocks.
    "nf4-block64": {0: 0, 1: 5, 63: 36, 64: 36, 65: 41, 127: 72, 128: 72, 129: 77,
                    255: 144, 256: 144, 257: 149, LLAMA_3_8B: 4_517_021_952},
    # One byte for each of those blocks, and an fp32 for each 256 of these: 490,128.25 of them.
    "nf4-double": {0: 0, 1: 6, 63: 37, 64: 37, 65: 39, 127: 70, 128: 70, 129: 72,
                   255: 136, 256: 136, 257: 138, 16_384: 8_452, 16_385: 8_458,
                   LLAMA_3_8B: 4_142_563_972},
}
# fmt: on
CASES = [(name, n, size) for name, sizes in BYTES.items() for n, size in sizes.items()]
ROLES = ("weights", "gradients", "optimizer", "frozen_weights", "accumulation")


def test_the_formats_are_those_of_the_contract() -> None:
    assert set(DTYPES) == set(BYTES)


@pytest.mark.parametrize(("name", "n", "size"), CASES)
def test_a_buffer_takes_the_bytes_counted_by_hand(name: str, n: int, size: int) -> None:
    found = DTYPES[name].bytes(n)
    assert type(found) is int
    assert found == size


@pytest.mark.parametrize("name", BYTES)
def test_formats_priced_by_width_have_neither_rounding_nor_blocks(name: str) -> None:
    width = DTYPES[name].width
    if width is None:
        assert BYTES[name][1] * 257 != BYTES[name][257]
    else:
        assert all(size == width * n for n, size in BYTES[name].items())


@pytest.mark.parametrize("n", [0, 1, 65, 257])
@pytest.mark.parametrize("name", BYTES)
@pytest.mark.parametrize("role", ROLES)
def test_any_format_stands_in_any_role(role: str, name: str, n: int) -> None:
    bf16 = BYTES["bf16"][n]
    if role == "optimizer":
        found = at(plan(n, recipe=keeps(name)), 0)
        assert found.held(0).optimizer == BYTES[name][n]
    elif role == "frozen_weights":
        found = at(plan(0, frozen=n, recipe=keeps(frozen_weights=name)), 0)
        assert found.held(0).total == found.held(0).parameters == BYTES[name][n]
    elif role == "accumulation":
        found = at(plan(n, recipe=keeps(accumulation=name)), 0)
        assert found.held(0).gradients == bf16 + BYTES[name][n]
    else:
        found = at(plan(n, recipe=keeps(**{role: name})), 0)
        assert found.held(0).total == bf16 + BYTES[name][n]


def test_two_tensors_of_65_take_one_flat_buffer_under_even_and_two_under_an_engine() -> None:
    recipe = keeps(weights="nf4-block64")
    shapes = [(65,), (13, 5)]
    # 130 elements: 65 + 4·3 bytes in one buffer; 33 + 4·2 for each of two.
    assert by_rank(at(plan(shapes, "even", recipe=recipe), 0), "parameters") == [77] * 4
    for engine in ("deepspeed", "fsdp2", "torch-zero1"):
        found = at(plan(shapes, engine, recipe=recipe), 0)
        assert by_rank(found, "parameters") == [82] * 4


def test_int4_rounds_up_in_each_shard() -> None:
    # 5 elements on 2 ranks are 3 and 2, that is 2 bytes and 1.
    found = at(plan(5, workers=2, recipe=keeps(weights="int4")), 3)
    assert by_rank(found, "parameters") == [2, 1]


def test_an_unknown_format_is_refused_with_the_known_ones() -> None:
    with pytest.raises(InputError) as refused:
        dtype_named("fp64", "recipe.weights")
    assert str(refused.value).startswith('recipe.weights is "fp64"; use one of fp32, bf16, fp16')
