"""Scenario files: what loads, what is written, and that both agree."""

import json
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from zerogui.accounting.cluster import Cluster, Device
from zerogui.accounting.dtype import DTYPES
from zerogui.accounting.model import Model, Tensor
from zerogui.accounting.recipe import MIXED_PRECISION_ADAM, OptimizerTensor, Recipe
from zerogui.accounting.scenario import Scenario
from zerogui.accounting.sharding import Sharding
from zerogui.files.errors import FileError
from zerogui.files.scenario import decode, encode, load, save, to_plain

EXAMPLE = b"""{"format": "zerogui/scenario", "version": 1, "title": "7.5B on 64 GPUs",
 "model": {"name": "7.5B", "parameters": 7500000000, "frozen_parameters": 0, "tensors": null},
 "recipe": {"name": "Mixed-precision Adam", "weights": "bf16", "gradients": "bf16",
            "optimizer": [{"name": "master weights", "dtype": "fp32"},
                          {"name": "first moment", "dtype": "fp32"},
                          {"name": "second moment", "dtype": "fp32"}],
            "frozen_weights": "bf16", "accumulation": null},
 "cluster": {"workers": 64, "workers_per_node": 8, "model_parallel": 1},
 "sharding": {"rule": "even", "stage": 2, "group": null, "secondary_group": null,
              "persistence_threshold": 0,
              "offload_optimizer": "device", "offload_weights": "device"},
 "device": {"name": "H100 80GB", "memory": 85520809984, "reserve": 0}}
"""

FIGURE_1 = Scenario(
    "7.5B on 64 GPUs",
    Model("7.5B", 7_500_000_000),
    MIXED_PRECISION_ADAM,
    Cluster(64, 8, 1),
    Sharding("even", 2),
    Device("H100 80GB", 85_520_809_984, 0),
)

TENSORS = (
    Tensor("wte", (50257, 768)),
    Tensor("h.{i}.attn", (768, 2304), False, 12),
    Tensor("scale", (), True),
)


def test_the_example_of_the_contract_loads_exactly() -> None:
    assert decode(EXAMPLE, "plan.zerogui.json") == FIGURE_1


def test_a_file_with_nothing_but_a_parameter_count_gets_every_default() -> None:
    data = b'{"format":"zerogui/scenario","version":1,"model":{"parameters":1000000000}}'
    assert decode(data, "plan.zerogui.json") == Scenario(
        "",
        Model("", 1_000_000_000, 0, None),
        MIXED_PRECISION_ADAM,
        Cluster(4, 8, 1),
        Sharding("even", 0, None, None, 0, "device", "device"),
        None,
    )


def test_a_given_recipe_starts_without_optimizer_tensors() -> None:
    data = (
        b'{"format":"zerogui/scenario","version":1,"model":{"parameters":8},'
        b'"recipe":{"weights":"fp32","gradients":"fp32"},"device":{"memory":16}}'
    )
    scenario = decode(data, "plan.zerogui.json")
    assert scenario.recipe == Recipe("", "fp32", "fp32", (), "bf16", None)
    assert scenario.device == Device("", 16, 0)


def test_a_tensor_list_gives_the_counts() -> None:
    data = (
        b'{"format":"zerogui/scenario","version":1,"model":{"tensors":['
        b'{"name":"wte","shape":[50257,768]},'
        b'{"name":"h.{i}.attn","shape":[768,2304],"count":12},'
        b'{"name":"scale","shape":[],"frozen":true}]}}'
    )
    model = decode(data, "plan.zerogui.json").model
    # 50,257 · 768 + 12 · 768 · 2,304 + 1
    assert (model.parameters, model.frozen_parameters) == (59_831_041, 1)
    assert model.tensors == TENSORS


def test_counts_that_agree_with_the_tensor_list_are_welcome() -> None:
    data = (
        b'{"format":"zerogui/scenario","version":1,"model":{"parameters":12,'
        b'"frozen_parameters":4,"tensors":[{"name":"a","shape":[8]},'
        b'{"name":"b","shape":[2,2],"frozen":true}]}}'
    )
    model = decode(data, "plan.zerogui.json").model
    assert (model.parameters, model.frozen_parameters) == (12, 4)


def test_optimizer_tensors_may_cover_a_part() -> None:
    data = (
        b'{"format":"zerogui/scenario","version":1,"model":{"parameters":8},"recipe":'
        b'{"optimizer":[{"name":"momentum","dtype":"bf16","over":"matrices"}]}}'
    )
    momentum = OptimizerTensor("momentum", "bf16", "matrices")
    assert decode(data, "plan.zerogui.json").recipe.optimizer == (momentum,)


def test_a_stage_that_the_rule_lacks_is_no_error_in_a_file() -> None:
    data = (
        b'{"format":"zerogui/scenario","version":1,"model":{"parameters":8},'
        b'"sharding":{"rule":"fsdp2","stage":2}}'
    )
    assert decode(data, "plan.zerogui.json").sharding == Sharding("fsdp2", 2)


def test_a_saved_file_reads_like_the_contract() -> None:
    scenario = Scenario(
        "Prüfung",
        Model.of("small", (Tensor("a{i}", (2, 3), False, 2), Tensor("b", (), True))),
        Recipe("Mine", "bf16", "bf16", (OptimizerTensor("m", "fp32", "matrices"),)),
        device=None,
    )
    assert encode(scenario).decode() == (
        "{\n"
        '  "format": "zerogui/scenario",\n'
        '  "version": 1,\n'
        '  "title": "Prüfung",\n'
        '  "model": {\n'
        '    "name": "small",\n'
        '    "parameters": 13,\n'
        '    "frozen_parameters": 1,\n'
        '    "tensors": [\n'
        '      {"name": "a{i}", "shape": [2, 3], "frozen": false, "count": 2},\n'
        '      {"name": "b", "shape": [], "frozen": true, "count": 1}\n'
        "    ]\n"
        "  },\n"
        '  "recipe": {\n'
        '    "name": "Mine",\n'
        '    "weights": "bf16",\n'
        '    "gradients": "bf16",\n'
        '    "optimizer": [\n'
        '      {"name": "m", "dtype": "fp32", "over": "matrices"}\n'
        "    ],\n"
        '    "frozen_weights": "bf16",\n'
        '    "accumulation": null\n'
        "  },\n"
        '  "cluster": {\n'
        '    "workers": 4,\n'
        '    "workers_per_node": 8,\n'
        '    "model_parallel": 1\n'
        "  },\n"
        '  "sharding": {\n'
        '    "rule": "even",\n'
        '    "stage": 0,\n'
        '    "group": null,\n'
        '    "secondary_group": null,\n'
        '    "persistence_threshold": 0,\n'
        '    "offload_optimizer": "device",\n'
        '    "offload_weights": "device"\n'
        "  },\n"
        '  "device": null\n'
        "}\n"
    )


def test_the_example_of_the_contract_comes_back_field_by_field() -> None:
    written = json.loads(encode(FIGURE_1))
    assert json.dumps(written) == json.dumps(json.loads(EXAMPLE))
    assert json.dumps(written) == json.dumps(to_plain(FIGURE_1))


def test_half_a_character_does_not_keep_a_scenario_from_being_saved() -> None:
    scenario = Scenario("half \ud83d of it", Model("", 8))
    assert decode(encode(scenario), "plan").title == "half ? of it"


def test_a_scenario_that_was_saved_opens_again_tomorrow(tmp_path: Path) -> None:
    path = tmp_path / "plan.zerogui.json"
    save(FIGURE_1, path)
    assert load(path) == FIGURE_1
    assert load(str(path)) == FIGURE_1


def test_a_scenario_too_large_to_be_opened_again_is_not_written(tmp_path: Path) -> None:
    tensors = tuple(Tensor(f"{i}{'x' * 990}", (1,)) for i in range(64_000))
    path = tmp_path / "plan.zerogui.json"
    with pytest.raises(FileError, match="would be larger than 64 MB"):
        save(Scenario("", Model.of("", tensors)), path)
    assert not path.exists()


# Random scenarios, valid by construction.

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
NAME = TEXT.filter(lambda text: bool(text.strip()) and "{i}" not in text)
DTYPE = st.sampled_from(sorted(DTYPES))
TIER = st.sampled_from(["device", "host", "nvme"])


@st.composite
def tensor_lists(draw: st.DrawFn) -> tuple[Tensor, ...]:
    names = draw(st.lists(NAME, max_size=4, unique=True))
    tensors = []
    for number, name in enumerate(names):
        shape = tuple(draw(st.lists(st.integers(0, 4096), max_size=4)))
        count = draw(st.integers(1, 3))
        numbered = f"{number}.{name}.{{i}}" if count > 1 else f"{number}.{name}"
        tensors.append(Tensor(numbered, shape, draw(st.booleans()), count))
    return tuple(tensors)


@st.composite
def models(draw: st.DrawFn) -> Model:
    if draw(st.booleans()):
        return Model.of(draw(TEXT), draw(tensor_lists()))
    parameters = draw(st.integers(0, 10**18))
    return Model(draw(TEXT), parameters, draw(st.integers(0, parameters)))


@st.composite
def shardings(draw: st.DrawFn, workers: int) -> Sharding:
    divisors = [n for n in (1, 2, 3, 4, 8, 12) if workers % n == 0]
    group = st.none() | st.sampled_from(divisors)
    stage, threshold = draw(st.integers(0, 3)), draw(st.integers(0, 10**18))
    if draw(st.booleans()):
        secondary = draw(group)
        return Sharding("torch-zero1", stage, None, secondary, threshold)
    rule = draw(st.sampled_from(["even", "deepspeed", "fsdp2"]))
    return Sharding(rule, stage, draw(group), draw(group), threshold, draw(TIER), draw(TIER))


COMPONENTS = st.lists(
    st.builds(
        OptimizerTensor, NAME, DTYPE, st.sampled_from(["all", "matrices", "rest", "factors"])
    ),
    max_size=4,
    unique_by=lambda tensor: tensor.name,
)


@st.composite
def scenarios(draw: st.DrawFn) -> Scenario:
    cluster = draw(
        st.builds(Cluster, st.integers(1, 2**20), st.integers(1, 2**20), st.integers(1, 2**20))
    )
    recipe = st.builds(Recipe, TEXT, DTYPE, DTYPE, COMPONENTS.map(tuple), DTYPE, st.none() | DTYPE)
    sizes = st.integers(0, 10**18)
    device = st.none() | st.builds(Device, TEXT, sizes, sizes)
    return Scenario(
        draw(TEXT),
        draw(models()),
        draw(recipe),
        cluster,
        draw(shardings(cluster.workers)),
        draw(device),
    )


@given(scenarios())
def test_every_scenario_survives_being_saved_and_opened(scenario: Scenario) -> None:
    assert decode(encode(scenario), "plan.zerogui.json") == scenario


@given(scenarios())
def test_a_saved_file_has_every_field_once_and_ends_in_a_line_end(scenario: Scenario) -> None:
    data = encode(scenario)
    assert data.endswith(b"}\n")
    assert json.loads(data) == to_plain(scenario)


@given(scenarios(), st.data())
def test_a_damaged_file_is_refused_with_one_line_or_is_a_scenario(
    scenario: Scenario, data: st.DataObject
) -> None:
    whole = encode(scenario)
    start = data.draw(st.integers(0, len(whole)))
    end = data.draw(st.integers(start, min(len(whole), start + 40)))
    patch = data.draw(
        st.binary(max_size=20)
        | st.sampled_from([b"-0", b"1e9", b"NaN", b"null", b"true", b'"', b"{}", b"[]", b"\\ud800"])
    )
    _decode_or_refuse(whole[:start] + patch + whole[end:])


FRAGMENTS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=5,
)


@given(scenarios(), FRAGMENTS, st.data())
def test_a_wrong_value_anywhere_is_refused_with_one_line(
    scenario: Scenario, fragment: object, data: st.DataObject
) -> None:
    plain = to_plain(scenario)
    place: dict[str, object] = plain
    section = data.draw(st.sampled_from(["", "model", "recipe", "cluster", "sharding"]))
    if section:
        inner = place[section]
        assert isinstance(inner, dict)
        place = inner
    place[data.draw(st.sampled_from(sorted(place)) | TEXT)] = fragment
    _decode_or_refuse(json.dumps(plain).encode())


@given(st.binary(max_size=200))
@example(b"[" * 100_000)
@example(b'{"a":' * 100_000)
@example(b"\xef\xbb\xbf{}")
def test_any_bytes_are_refused_with_one_line(data: bytes) -> None:
    with pytest.raises(FileError) as refusal:
        decode(data, "plan.zerogui.json")
    assert str(refusal.value).isprintable()


def _decode_or_refuse(data: bytes) -> None:
    sentence = ""
    try:
        decode(data, "plan.zerogui.json")
    except FileError as refusal:
        sentence = str(refusal)
    if sentence:
        assert sentence.startswith("plan.zerogui.json: ")
        assert sentence.endswith((".", "?"))
        assert sentence.isprintable()
