"""One way to open anything: what each kind of file does to the plan at hand."""

import json
import struct
from dataclasses import replace
from pathlib import Path

import pytest

from tests.files.models.configs import GPT2, written
from zerogui.accounting.cluster import Cluster
from zerogui.accounting.scenario import Scenario
from zerogui.files.errors import FileError
from zerogui.planning.opening import found_in, model_card, open_onto, put_adapter_onto
from zerogui.planning.start import plan_of, seed

PLAN = replace(seed(), cluster=Cluster(workers=8))


def checkpoint(folder: Path, name: str, **shapes: tuple[int, ...]) -> str:
    """A bf16 safetensors file, written by hand to the format."""
    header: dict[str, object] = {}
    end = 0
    for key, shape in shapes.items():
        size = 2
        for length in shape:
            size *= length
        header[key.replace("__", ".")] = {
            "dtype": "BF16",
            "shape": list(shape),
            "data_offsets": [end, end + size],
        }
        end += size
    text = json.dumps(header).encode()
    path = folder / name
    path.write_bytes(struct.pack("<Q", len(text)) + text + bytes(end))
    return str(path)


def test_a_scenario_replaces_the_plan_and_is_its_file(tmp_path: Path) -> None:
    value = {"format": "zerogui/scenario", "version": 1, "model": {"parameters": 7}}
    opened = open_onto(PLAN, written(tmp_path, "a.zerogui.json", value))
    assert opened.is_scenario
    assert opened.scenario.model.parameters == 7
    assert opened.scenario.cluster.workers == 4
    assert opened.scenario.device is None


def test_a_config_fills_the_model_and_keeps_the_rest(tmp_path: Path) -> None:
    opened = open_onto(PLAN, written(tmp_path, "config.json", GPT2))
    assert not opened.is_scenario
    assert opened.scenario.model.parameters == 124_439_808
    assert opened.scenario == replace(PLAN, model=opened.scenario.model)
    card = model_card(opened.scenario.model, opened.origin)
    assert card[0] == "gpt2, from config.json"
    assert card[1] == "124\u2009439\u2009808 parameters in 148 tensors"
    assert card[2] == "Largest: transformer.wte.weight, 50\u2009257 × 768"
    assert card[3] == "Tied, counted once: lm_head.weight"


def test_a_folder_with_only_a_config_opens_its_config(tmp_path: Path) -> None:
    written(tmp_path, "config.json", GPT2)
    assert open_onto(PLAN, str(tmp_path)).scenario.model.parameters == 124_439_808


def test_a_checkpoint_gives_exact_tensors(tmp_path: Path) -> None:
    path = checkpoint(tmp_path, "model.safetensors", a__weight=(4, 3), b__bias=(5,))
    opened = open_onto(PLAN, path)
    assert opened.scenario.model.parameters == 17
    # A folder that has one is opened as the checkpoint, beside its config too.
    written(tmp_path, "config.json", GPT2)
    assert open_onto(PLAN, str(tmp_path)).scenario.model.parameters == 17


def test_an_adapter_freezes_the_model_at_hand_and_is_trained(tmp_path: Path) -> None:
    base = open_onto(PLAN, written(tmp_path, "config.json", GPT2)).scenario
    path = checkpoint(
        tmp_path,
        "adapter_model.safetensors",
        h__0__attn__lora_A__weight=(8, 768),
        h__0__attn__lora_B__weight=(2304, 8),
    )
    opened = open_onto(base, path)
    assert opened.scenario.model.frozen_parameters == 124_439_808
    assert opened.scenario.model.trainable_parameters == 8 * 768 + 2304 * 8


def test_any_checkpoint_can_be_opened_as_an_adapter_of_a_count(tmp_path: Path) -> None:
    path = checkpoint(tmp_path, "head.safetensors", head__weight=(10, 10))
    opened = put_adapter_onto(PLAN, found_in(path))
    assert opened.scenario.model.frozen_parameters == 10**9
    assert opened.scenario.model.trainable_parameters == 100


def test_a_deepspeed_config_sets_the_sharding_and_keeps_the_model(tmp_path: Path) -> None:
    value = {"bf16": {"enabled": True}, "zero_optimization": {"stage": 2}}
    opened = open_onto(PLAN, written(tmp_path, "ds.json", value))
    assert opened.scenario.sharding.rule == "deepspeed"
    assert opened.scenario.sharding.stage == 2
    assert opened.scenario.model == PLAN.model


def test_an_accelerate_config_sets_rule_and_workers(tmp_path: Path) -> None:
    text = (
        "distributed_type: FSDP\nnum_processes: 16\nmixed_precision: bf16\n"
        "fsdp_config:\n  fsdp_version: 2\n  fsdp_reshard_after_forward: true\n"
    )
    opened = open_onto(PLAN, written(tmp_path, "accelerate.yaml", text))
    assert opened.scenario.sharding.rule == "fsdp2"
    assert opened.scenario.sharding.stage == 3
    assert opened.scenario.cluster.workers == 16


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("weights.bin", "x", "safetensors"),
        ("pytorch_model.bin.index.json", '{"weight_map": {"a": "a.bin"}}', "safetensors"),
        ("model.pkl", "", "safetensors"),
        ("model.pt", "x", "safetensors"),
        ("other.json", '{"a": 1}', "holds none of what opens here"),
        ("plan.json", '{"version": 1}', 'add "format": "zerogui/scenario"'),
        ("plan.zerogui.json", "{}", 'add "format": "zerogui/scenario"'),
        ("adapter_config.json", '{"peft_type": "LORA"}', "open adapter_model.safetensors beside"),
        ("list.json", "[1, 2]", "list.json"),
        ("config.json", '{"model_type": "mamba9"}', "mamba9"),
        ("text.yaml", "just words", "text.yaml"),
    ],
)
def test_what_is_none_of_these_gets_one_sentence(
    tmp_path: Path, name: str, content: str, says: str
) -> None:
    with pytest.raises(FileError) as refused:
        open_onto(PLAN, written(tmp_path, name, content))
    sentence = str(refused.value)
    assert sentence.startswith(f"{name}: ")
    assert says in sentence
    assert "\n" not in sentence


def test_a_report_on_a_config_keeps_the_formats_defaults_for_the_rest(tmp_path: Path) -> None:
    plan = plan_of(written(tmp_path, "config.json", GPT2)).scenario
    assert plan == replace(Scenario(), model=plan.model)


def test_an_adapter_alone_is_a_model_of_its_own(tmp_path: Path) -> None:
    path = checkpoint(tmp_path, "adapter_model.safetensors", a__lora_A__weight=(8, 16))
    plan = plan_of(path)
    assert plan.scenario.model.parameters == 128
    assert plan.scenario.model.frozen_parameters == 0
    assert plan.notes == (
        "An adapter by itself; the weights of its base model are not in the numbers.",
    )


def test_a_report_on_an_engines_config_says_whose_numbers_it_prints(tmp_path: Path) -> None:
    notes = plan_of(written(tmp_path, "ds.json", {"zero_optimization": {"stage": 2}})).notes
    assert notes[0] == (
        "The file names no model; the numbers are those of 1,000,000,000 parameters."
    )


def test_a_report_on_a_comparison_says_which_plan_it_is_about(tmp_path: Path) -> None:
    head = {"format": "zerogui/comparison", "version": 1}
    one = {"format": "zerogui/scenario", "version": 1, "model": {"parameters": 10}}
    pins = [{"name": "Ten", "scenario": one}, {"name": "Again", "scenario": one}]
    plan = plan_of(written(tmp_path, "two.zerogui.json", head | {"pins": pins}))
    assert plan.scenario.model.parameters == 10
    assert plan.notes == ('A comparison of 2 plans; the numbers are those of "Ten".',)


def test_a_report_on_a_comparison_without_plans_is_refused(tmp_path: Path) -> None:
    path = written(
        tmp_path, "none.zerogui.json", {"format": "zerogui/comparison", "version": 1, "pins": []}
    )
    with pytest.raises(FileError) as refused:
        plan_of(path)
    assert str(refused.value) == (
        "none.zerogui.json: holds no plan; choose a comparison with pins, or a scenario."
    )
