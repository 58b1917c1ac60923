"""What a user finds in the catalog, against numbers written down by hand."""

import json
from dataclasses import fields

import pytest

from zerogui.accounting.dtype import DTYPES
from zerogui.accounting.recipe import MIXED_PRECISION_ADAM, OptimizerTensor, Recipe
from zerogui.catalog import (
    device_named,
    devices,
    model_named,
    models,
    recipe_named,
    recipes,
    resource_path,
)

# Elements that fill every block of every format, so that bytes per parameter come out exactly.
BLOCKS = 64 * 256 * 100


@pytest.mark.parametrize(
    ("name", "memory"),
    [
        ("H100 80GB", 85_520_809_984),
        ("A100-SXM4/PCIe 40GB", 42_949_672_960),
        ("Tesla V100-SXM3 32GB", 34_057_748_480),
        ("B300 SXM6 288GB", 288_400_343_040),
        ("MI350X / MI355X", 309_220_868_096),
        ("MI250X (one GCD)", 68_702_699_520),
        ("RTX 4090 24GB", 25_757_220_864),
        ("TPU v6e (Trillium)", 33_554_432_000),
        ("Gaudi3 (HL-325L)", 137_438_953_472),
    ],
)
def test_a_device_has_the_bytes_that_its_driver_reports(name: str, memory: int) -> None:
    assert device_named(name).memory == memory


@pytest.mark.parametrize(
    "name",
    [
        "MI325X",
        "TPU v5p",
        "MI250X (whole card, 2 GCDs)",
        "GH200 144GB HBM3e",
        "GB300 288GB",
        "TPU7x (Ironwood)",
        "Trainium2",
    ],
)
def test_a_device_whose_memory_nobody_has_read_is_not_offered(name: str) -> None:
    with pytest.raises(KeyError):
        device_named(name)


def test_no_device_is_inferred_and_each_says_where_its_number_is_from() -> None:
    assert len(devices()) >= 31
    for device in devices():
        assert device.source
        assert "inferred" not in device.source.lower()
        # Drivers count in KiB at the finest; the label is never off by more than a tenth.
        assert device.memory % 1024 == 0
        assert 0.99 < device.memory / (device.marketed_gb * 10**9) < 1.1


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("Llama-3 8B", 8_030_261_248),
        ("Llama-3.1 8B", 8_030_261_248),
        ("Llama-3/3.1 8B", 8_030_261_248),
        ("Llama-3 70B", 70_553_706_496),
        ("Llama-3.1 405B", 405_853_388_800),
        ("GPT-2 XL", 1_557_611_200),
        ("GPT-3 175B", 174_604_259_328),
        ("Mixtral 8x7B", 46_702_792_704),
        ("DeepSeek-V3", 671_026_404_352),
        ("BLOOM 176B", 176_247_271_424),
        ("Pythia 12B", 11_846_072_320),
    ],
)
def test_a_model_is_found_by_the_name_people_type(name: str, parameters: int) -> None:
    assert model_named(name).parameters == parameters


def test_there_are_at_least_40_models_and_none_is_an_approximation() -> None:
    assert len(models()) >= 40
    for model in models():
        assert "12*nl*hd^2" not in model.name
        assert "Megatron 1T" not in model.name
        assert model.source


def test_a_family_stands_together_with_its_smallest_model_first() -> None:
    seen: list[str] = []
    for model in models():
        if model.family not in seen:
            seen.append(model.family)
        assert seen[-1] == model.family
    for family in seen:
        sizes = [model.parameters for model in models() if model.family == family]
        assert sizes == sorted(sizes)


def test_no_two_entries_answer_to_the_same_name() -> None:
    model_names = [name for model in models() for name in (model.name, *model.aliases)]
    for names in (
        [device.name for device in devices()],
        [entry.recipe.name for entry in recipes()],
        model_names,
    ):
        assert len(names) == len(set(names))


# Weights, gradients and each optimizer tensor in bytes per parameter, counted by hand; the order is
# that of the list that a user chooses from.
KEPT: dict[str, tuple[float, float, list[float]]] = {
    "Mixed-precision Adam": (2, 2, [4, 4, 4]),
    "bf16 with fp32 gradients": (2, 4, [4, 4, 4]),
    "fp32 AdamW": (4, 4, [4, 4]),
    "Pure bf16 AdamW": (2, 2, [2, 2]),
    "bf16 with fp32 moments": (2, 2, [4, 4]),
    "SGD with momentum": (2, 2, [4, 4]),
    "8-bit Adam": (2, 2, [4, 1 + 4 / 256, 1 + 4 / 256]),
    "Lion": (2, 2, [4, 2]),
    "Adafactor": (2, 2, [4, 4]),
    "Muon": (2, 2, [4, 4, 4, 4]),
    "QLoRA (nf4 base)": (2, 2, [4, 4, 4]),
    "Custom": (2, 2, [4, 4, 4]),
}


@pytest.mark.parametrize("name", KEPT)
def test_a_recipe_keeps_the_bytes_per_parameter_that_its_users_count(name: str) -> None:
    weights, gradients, optimizer = KEPT[name]
    recipe = recipe_named(name).recipe
    assert _per_parameter(recipe.weights) == weights
    assert _per_parameter(recipe.gradients) == gradients
    assert [_per_parameter(tensor.dtype) for tensor in recipe.optimizer] == optimizer
    assert recipe.accumulation is None


def test_the_recipes_are_offered_from_the_papers_own_to_custom() -> None:
    assert [entry.recipe.name for entry in recipes()] == list(KEPT)


def test_the_catalogs_first_recipe_is_the_default_of_a_scenario() -> None:
    assert recipes()[0].recipe == MIXED_PRECISION_ADAM


def test_a_qlora_base_takes_a_little_more_than_four_bits() -> None:
    # Half a byte, one byte of scale for 64 elements, and 4 bytes for 256 of those scales.
    base = recipe_named("QLoRA (nf4 base)").recipe.frozen_weights
    assert _per_parameter(base) == 0.5 + 1 / 64 + 4 / (64 * 256)


def test_muon_and_adafactor_say_which_tensors_their_states_cover() -> None:
    muon = {tensor.name: tensor.over for tensor in recipe_named("Muon").recipe.optimizer}
    assert muon == {
        "master weights": "all",
        "momentum": "matrices",
        "first moment": "rest",
        "second moment": "rest",
    }
    adafactor = {tensor.name: tensor.over for tensor in recipe_named("Adafactor").recipe.optimizer}
    assert adafactor == {"master weights": "all", "second moment": "factors"}


def test_the_8_bit_recipe_says_what_it_leaves_out() -> None:
    explanation = recipe_named("8-bit Adam").explanation
    assert "minimum tensor size" in explanation
    assert "32-bit embeddings" in explanation


def test_every_recipe_is_explained_in_one_line() -> None:
    for entry in recipes():
        assert entry.explanation.endswith(".")
        assert "\n" not in entry.explanation
        assert len(entry.explanation) <= 160


def test_no_recipe_in_the_file_has_a_field_that_would_be_passed_over() -> None:
    text = resource_path("catalog", "recipes.json").read_text(encoding="utf-8")
    for row in json.loads(text):
        assert set(row["recipe"]) == {field.name for field in fields(Recipe)}
        for tensor in row["recipe"]["optimizer"]:
            assert set(tensor) <= {field.name for field in fields(OptimizerTensor)}


def test_a_missing_resource_is_named() -> None:
    with pytest.raises(FileNotFoundError, match=r"unheard-of\.svg is missing"):
        resource_path("icons", "unheard-of.svg")


def _per_parameter(dtype: str) -> float:
    return DTYPES[dtype].bytes(BLOCKS) / BLOCKS
