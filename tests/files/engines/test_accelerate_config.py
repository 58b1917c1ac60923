"""Accelerate configs: what they make of a scenario."""

import contextlib
import subprocess
import sys
from dataclasses import replace

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from tests.files.engines.engine_scenes import tensors
from zerogui.accounting.cluster import Cluster
from zerogui.accounting.recipe import Recipe
from zerogui.accounting.scenario import Scenario
from zerogui.accounting.sharding import Sharding
from zerogui.catalog import recipe_named
from zerogui.files.engines.accelerate_config import read_accelerate
from zerogui.files.errors import FileError

EIGHT = Scenario(cluster=Cluster(8))
FP32 = recipe_named("fp32 AdamW").recipe


def _opened(text: str | bytes, onto: Scenario = EIGHT) -> tuple[Scenario, tuple[str, ...]]:
    return read_accelerate(text, "fsdp.yaml").apply(onto)


def _fsdp(*lines: str, top: str = "") -> str:
    inner = "".join(f"  {line}\n" for line in lines) or "  fsdp_version: 2\n"
    return f"distributed_type: FSDP\n{top}\nfsdp_config:\n{inner}"


FSDP2 = """
compute_environment: LOCAL_MACHINE
debug: false
distributed_type: FSDP
downcast_bf16: 'no'
fsdp_config:
  fsdp_activation_checkpointing: true
  fsdp_auto_wrap_policy: TRANSFORMER_BASED_WRAP
  fsdp_cpu_ram_efficient_loading: true
  fsdp_offload_params: true
  fsdp_reshard_after_forward: true
  fsdp_state_dict_type: SHARDED_STATE_DICT
  fsdp_version: 2
mixed_precision: bf16
num_machines: 2
num_processes: 16
rdzv_backend: static
"""


def test_a_published_fsdp2_config_gives_its_sharding_and_workers() -> None:
    scenario, notes = _opened(FSDP2)
    assert scenario.sharding == Sharding("fsdp2", 3, None, None, 0, "host", "host")
    assert scenario.cluster == Cluster(16)
    assert scenario.recipe == FP32
    assert (
        "With mixed_precision bf16 Accelerate keeps trainable weights and gradients in fp32 and"
        " casts for compute."
    ) in notes
    assert not any(note.startswith("Not honoured") for note in notes)


def test_version_1_is_read_as_fsdp2_with_a_note() -> None:
    scenario, notes = _opened(_fsdp("fsdp_sharding_strategy: FULL_SHARD"))
    assert scenario.sharding == Sharding("fsdp2", 3)
    assert notes[0].startswith("FSDP version 1 is read as fsdp2;")
    assert not any("version 1" in note for note in _opened(_fsdp("fsdp_version: 2"))[1])


@pytest.mark.parametrize(
    ("line", "stage", "residual"),
    [
        ("fsdp_sharding_strategy: FULL_SHARD", 3, False),
        ("fsdp_sharding_strategy: SHARD_GRAD_OP", 3, True),
        ("fsdp_sharding_strategy: shard_grad_op", 3, True),
        ("fsdp_sharding_strategy: NO_SHARD", 0, False),
        ("fsdp_sharding_strategy: 1", 3, False),
        ("fsdp_sharding_strategy: '3'", 0, False),
        ("fsdp_reshard_after_forward: SHARD_GRAD_OP", 3, True),
        ("fsdp_reshard_after_forward: FULL_SHARD", 3, False),
    ],
)
def test_strategies_of_version_1(line: str, stage: int, residual: bool) -> None:
    scenario, notes = _opened(_fsdp("fsdp_version: 1", line))
    assert (scenario.sharding.rule, scenario.sharding.stage) == ("fsdp2", stage)
    assert any("changes residual states only" in note for note in notes) is residual


@pytest.mark.parametrize(
    ("value", "residual"),
    [("true", False), ("false", True), ("FULL_SHARD", False), ("SHARD_GRAD_OP", True)],
)
def test_reshard_after_forward_false_is_stage_3_and_said(value: str, residual: bool) -> None:
    scenario, notes = _opened(_fsdp("fsdp_version: 2", f"fsdp_reshard_after_forward: {value}"))
    assert scenario.sharding.stage == 3
    assert any("changes residual states only" in note for note in notes) is residual


def test_a_strategy_beside_version_2_is_not_honoured() -> None:
    _, notes = _opened(_fsdp("fsdp_version: 2", "fsdp_sharding_strategy: NO_SHARD"))
    assert any("fsdp_config.fsdp_sharding_strategy" in n for n in notes if n.startswith("Not hon"))


@pytest.mark.parametrize(("machines", "per_node", "group"), [(1, 4, 4), (4, 8, 2), (1, 8, None)])
def test_hybrid_shard_of_version_1_shards_inside_a_node(
    machines: int, per_node: int, group: int | None
) -> None:
    text = _fsdp(
        "fsdp_sharding_strategy: HYBRID_SHARD",
        top=f"num_processes: 8\nnum_machines: {machines}",
    )
    assert _opened(text, Scenario(cluster=Cluster(2, per_node)))[0].sharding.group == group


def test_hybrid_shard_over_uneven_nodes_is_left_out_and_said() -> None:
    scenario, notes = _opened(
        _fsdp("fsdp_sharding_strategy: HYBRID_SHARD", top="num_processes: 12")
    )
    assert scenario.sharding.group is None
    assert notes[0] == "HYBRID_SHARD is left out, because nodes do not divide the 12 workers."


def _mesh(**sizes: int) -> str:
    lines = "".join(f"\n  parallelism_config_{name}_size: {size}" for name, size in sizes.items())
    return f"num_processes: 8\nparallelism_config:{lines}"


def test_the_mesh_of_version_2_gives_the_shard_group() -> None:
    scenario, notes = _opened(_fsdp(top=_mesh(dp_replicate=2, dp_shard=4)))
    assert scenario.sharding.group == 4
    assert not any("replica" in note for note in notes)


@pytest.mark.parametrize(
    ("sizes", "group", "words"),
    [
        ({"dp_shard": 3}, None, "dp_shard_size 3 does not divide the 8 workers"),
        ({"dp_shard": 4}, 4, "dp_replicate_size is 1, but 8 workers in shard groups of 4"),
        ({"dp_replicate": 8}, None, "dp_replicate_size without a dp_shard_size"),
        ({"dp_shard": 8, "cp": 2}, 8, "parallelism_config.parallelism_config_cp_size"),
    ],
)
def test_a_mesh_that_does_not_fit_is_mended_and_said(
    sizes: dict[str, int], group: int | None, words: str
) -> None:
    scenario, notes = _opened(_fsdp(top=_mesh(**sizes)))
    assert scenario.sharding.group == group
    assert any(words in note for note in notes)


def test_tensor_parallel_processes_are_no_workers() -> None:
    scenario, notes = _opened(_fsdp(top=_mesh(dp_shard=4, tp=2)))
    assert (scenario.cluster.workers, scenario.cluster.model_parallel) == (4, 2)
    assert "Model parallel becomes 2, as the config has it." in notes
    scenario, notes = _opened(_fsdp(top=_mesh(tp=3)))
    assert (scenario.cluster.workers, scenario.cluster.model_parallel) == (8, 1)
    assert "8 processes are no multiple of tp_size 3" in notes[0]


def test_without_a_number_of_processes_the_workers_stay() -> None:
    for line in ("", "num_processes: -1"):
        assert _opened(_fsdp(top=line))[0].cluster.workers == 8


@pytest.mark.parametrize("line", ["", "mixed_precision: no", "mixed_precision: 'no'"])
def test_without_mixed_precision_weights_are_pytorchs_default(line: str) -> None:
    scenario, notes = _opened(_fsdp(top=line))
    assert (scenario.recipe.weights, scenario.recipe.gradients) == ("fp32", "fp32")
    assert any("The script decides in which dtype weights are loaded" in note for note in notes)


def test_the_scripts_optimizer_stays_without_its_master_copy() -> None:
    eight = recipe_named("8-bit Adam").recipe
    after = _opened(_fsdp(), replace(EIGHT, recipe=eight))[0].recipe
    moments = tensors("first moment", "second moment", dtype="int8-block256")
    assert after == Recipe("Custom", "fp32", "fp32", moments)
    low = recipe_named("Pure bf16 AdamW").recipe
    assert _opened(_fsdp(), replace(EIGHT, recipe=low))[0].recipe == FP32


def test_auto_keeps_the_current_values_and_is_listed() -> None:
    before = replace(EIGHT, sharding=Sharding("fsdp2", 3, None, None, 0, "host", "device"))
    lines = ("fsdp_version: 2", "fsdp_reshard_after_forward: auto", "fsdp_offload_params: auto")
    after, notes = _opened(_fsdp(*lines, top="mixed_precision: auto"), before)
    assert after == before
    assert notes == (
        'Kept as they were, because the file says "auto": mixed_precision,'
        " fsdp_config.fsdp_reshard_after_forward, fsdp_config.fsdp_offload_params.",
    )


def test_ddp_configs_are_stage_0() -> None:
    scenario, notes = _opened("distributed_type: MULTI_GPU\nnum_processes: 4\n")
    assert scenario.sharding == Sharding("fsdp2", 0)
    assert scenario.cluster.workers == 4
    assert notes[0].startswith("Without FSDP nothing is sharded")


def test_an_accelerate_deepspeed_config_is_read_as_deepspeed() -> None:
    before = replace(EIGHT, sharding=Sharding("deepspeed", 1, 8, 8))
    scenario, notes = _opened(
        "distributed_type: DEEPSPEED\nmixed_precision: bf16\nnum_processes: 6\n"
        "deepspeed_config:\n  zero_stage: 3\n  offload_optimizer_device: cpu\n"
        "  offload_param_device: none\n  zero3_init_flag: true\n  odd: 1\n",
        before,
    )
    assert scenario.sharding == Sharding("deepspeed", 3, None, None, 100_000, "host", "device")
    assert scenario.recipe == recipe_named("Mixed-precision Adam").recipe
    assert scenario.cluster.workers == 6
    assert any("Not honoured" in note and "deepspeed_config.odd" in note for note in notes)
    default = _opened("distributed_type: DEEPSPEED\ndeepspeed_config: {}\n")[0]
    assert (default.sharding.stage, default.recipe.weights) == (2, "fp32")


def test_keys_of_other_engines_and_unknown_ones_are_not_honoured() -> None:
    _, notes = _opened(
        _fsdp("fsdp_version: 2", "ignored_modules: head", top="deepspeed_config: {a: 1}\nodd: 1")
    )
    assert (
        "Not honoured, although model states may depend on it: fsdp_config.fsdp_ignored_modules,"
        " deepspeed_config, odd."
    ) in notes


BOMB = "a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\ndistributed_type: FSDP\n"
WRONG: list[tuple[str | bytes, str]] = [
    ("", "is empty; choose another file."),
    ("# nothing\n", "is empty; choose another file."),
    ("- 1\n", "the file is a list, which is no config; choose another file."),
    ("FSDP", 'the file is "FSDP", which is no config; choose another file.'),
    (
        "num_processes: 8\n",
        "distributed_type is missing, so it is no Accelerate config; choose another.",
    ),
    (
        "distributed_type: MEGATRON_LM\n",
        'distributed_type is "MEGATRON_LM"; use FSDP, DEEPSPEED or MULTI_GPU.',
    ),
    ("distributed_type: [FSDP]\n", "distributed_type is a list; use FSDP, DEEPSPEED or MULTI_GPU."),
    (BOMB, "b[0] is an alias (*); write the value out."),
    ("a: &a\n  b: *a\n", "a.b is an alias (*); write the value out."),
    ("a: 1\na: 2\n", "a appears twice; keep one of them."),
    ("? [a]\n: 1\n", "the file has a key that is no text; correct it."),
    (
        "a: !!python/object:os.system {}\n",
        'a has the tag "tag:yaml.org,2002:python/object:os.system"; remove it.',
    ),
    ("a: b: c\n", "line 1, column 5 is not YAML (mapping values are not allowed here)"),
    ("a: 1\n--- \nb: 1\n", "line 2, column 1 is not YAML (but found another document)"),
    ("a: \x00\n", "line 1 is not YAML (a character that text does not have)"),
    ("a: !!python/name:os.system\n", 'a has the tag "tag:yaml.org,2002:python/name:os.system"'),
    (b"a: \xff\n", "is not UTF-8 text; save it as UTF-8."),
    ("a: 1\n".encode("utf-16"), "is not UTF-8 text; save it as UTF-8."),
    ("a: " + "[" * 20_000, "is nested too deeply; choose another file."),
    ("a: " + "9" * 5_000, "a is a number of 5,000 characters; correct it."),
    ("a: " + ":".join(["1"] * 100_000), "a is a number of 199,999 characters"),
    ("a: " + ":".join(["1"] * 100_000) + ".5", "a is a number of 200,001 characters"),
    ("fp16: 0x" + "f" * 200_000, "fp16 is a number of 200,002 characters"),
    ("a: " + "[" * 200_000, "is nested too deeply"),
    ("<<: {num_processes: 3}", "the file has a merge (<<); write its keys out."),
    ("#" * 256_001, "is larger than 256 kB, which no config is; choose another file."),
    (_fsdp("fsdp_version: 3"), 'fsdp_config.fsdp_version is "3"; use 1 or 2.'),
    (
        _fsdp("fsdp_version: 2", "fsdp_offload_params: maybe"),
        'fsdp_config.fsdp_offload_params is "maybe"; use true or false.',
    ),
    (
        _fsdp("fsdp_sharding_strategy: HALF_SHARD"),
        'fsdp_config.fsdp_sharding_strategy is "HALF_SHARD"; use true or false, or FULL_SHARD,'
        " SHARD_GRAD_OP, NO_SHARD or HYBRID_SHARD.",
    ),
    (_fsdp("fsdp_version: 2", "version: 1"), "fsdp_config has a key with and without fsdp_"),
    (_fsdp(top="mixed_precision: int8"), 'mixed_precision is "int8"; use no, bf16, fp16 or fp8.'),
    (_fsdp(top="num_processes: 0"), "num_processes is 0; use a whole number from 1 to 1,048,576."),
    (
        _fsdp(top="num_processes: 4.5"),
        "num_processes is 4.5; use a whole number from -1 to 1,048,576.",
    ),
    (_fsdp(top="num_processes: .inf"), "num_processes is inf; use a whole number from -1"),
    (_fsdp(top="num_processes: 2001-01-01"), 'num_processes is "2001-01-01"; use a whole number'),
    (_fsdp(top="parallelism_config: 4"), "parallelism_config is 4; use an object {...}."),
    (
        _fsdp(top="parallelism_config: {parallelism_config_dp_shard_size: 0}"),
        "parallelism_config.parallelism_config_dp_shard_size is 0; use a whole number from 1",
    ),
    ("distributed_type: FSDP\nfsdp_config: []\n", "fsdp_config is a list; use an object {...}."),
    (
        "distributed_type: DEEPSPEED\ndeepspeed_config: {deepspeed_config_file: ds.json}\n",
        'deepspeed_config.deepspeed_config_file is "ds.json"; open that file instead',
    ),
    (
        "distributed_type: DEEPSPEED\ndeepspeed_config: {zero_stage: 4}\n",
        'deepspeed_config.zero_stage is "4"; use 0, 1, 2 or 3.',
    ),
]


@pytest.mark.parametrize(("text", "sentence"), WRONG, ids=[words[:50] for _, words in WRONG])
def test_a_wrong_config_is_refused_in_one_sentence(text: str | bytes, sentence: str) -> None:
    with pytest.raises(FileError) as refusal:
        _opened(text)
    assert str(refusal.value).startswith(f"fsdp.yaml: {sentence}")
    assert len(str(refusal.value)) < 300


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=5,
)
KEYS = st.sampled_from(
    [
        *("num_processes", "num_machines", "mixed_precision", "fp16", "fsdp_config"),
        *("parallelism_config", "deepspeed_config", "other"),
    ]
)


@given(st.sampled_from(["FSDP", "DEEPSPEED", "NO"]), st.dictionaries(KEYS, VALUES))
def test_any_values_are_read_or_refused(kind: str, values: dict[str, object]) -> None:
    text = yaml.safe_dump({"distributed_type": kind, **values}, allow_unicode=False)
    with contextlib.suppress(FileError):
        _, notes = _opened(text)
        assert all(note.endswith(".") and "\n" not in note for note in notes)


def test_without_pyyaml_one_sentence_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "yaml", None)
    with pytest.raises(FileError, match="needs PyYAML to be read; install it with"):
        _opened(FSDP2)


def test_pyyaml_is_loaded_only_when_a_yaml_file_is_read() -> None:
    program = "import sys, zerogui.files.engines.accelerate_config; print('yaml' in sys.modules)"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert ran.stdout.strip() == b"False"
