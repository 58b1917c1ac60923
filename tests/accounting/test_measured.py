"""Every byte that a running engine held equals ours, on every rank (tests/data/measured.jsonl)."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from zerogui.accounting.budget import StageBudget, budget
from zerogui.accounting.cluster import Cluster
from zerogui.accounting.holdings import Slice
from zerogui.accounting.model import Model, Tensor
from zerogui.accounting.recipe import OptimizerTensor, Recipe
from zerogui.accounting.scenario import Scenario
from zerogui.accounting.sharding import Sharding

DATA = Path(__file__).parents[1] / "data" / "measured.jsonl"
RULES = {
    "deepspeed": "deepspeed",
    "fsdp2": "fsdp2",
    "ddp": "fsdp2",
    "zero_redundancy": "torch-zero1",
}
STAGES = {"fsdp2": 3, "ddp": 0, "zero_redundancy": 1}


@cache
def records() -> list[dict[str, Any]]:
    return [json.loads(line) for line in DATA.read_text().splitlines()]


def name(record: dict[str, Any]) -> str:
    options = "-".join(f"{k}={v}" for k, v in record["options"].items())
    stage = "" if record["stage"] is None else f"-z{record['stage']}"
    return (
        f"{record['engine']}{stage}-{record['model']}-{record['world']}-{record['dtype']}-{options}"
    )


def moments(record: dict[str, Any]) -> list[str]:
    options = record["options"]
    kind = options.get("optimizer", "Adam")
    if kind == "SGD" and "momentum" not in options:
        return []
    return ["first moment"] if kind in ("SGD", "SGDm") else ["first moment", "second moment"]


def keeps_master(record: dict[str, Any]) -> bool:
    # DeepSpeed's bf16 and fp16 optimizers keep a master at stage 0 too; PyTorch runs keep none.
    return record["engine"] == "deepspeed" and record["dtype"] != "fp32"


def scenario_of(record: dict[str, Any], **sharding: Any) -> Scenario:
    options = record["options"]
    tensors = tuple(
        Tensor(entry[0], tuple(entry[1]), frozen=len(entry) > 2 and entry[2] == "frozen")
        for entry in record["tensors"]
    )
    dtype = record["dtype"]
    optimizer = [OptimizerTensor("master weights", "fp32")] if keeps_master(record) else []
    moment_dtype = "fp32" if record["engine"] == "deepspeed" else dtype
    optimizer += [OptimizerTensor(moment, moment_dtype) for moment in moments(record)]
    mesh = options.get("mesh")
    rule = RULES[record["engine"]]
    stage = record["stage"] if record["stage"] is not None else STAGES[record["engine"]]
    chosen = {
        "group": mesh[1] if mesh else None,
        "persistence_threshold": options.get("persistence_threshold", 0),
        "secondary_group": options.get("zero", {}).get("zero_hpz_partition_size"),
        **sharding,
    }
    return Scenario(
        model=Model.of(record["model"], tensors),
        recipe=Recipe("", dtype, dtype, tuple(optimizer), dtype, options.get("grad_accum_dtype")),
        cluster=Cluster(workers=record["world"]),
        sharding=Sharding(rule, stage, **chosen),
    )


def budget_of(scenario: Scenario) -> StageBudget:
    return budget(Slice.of(scenario), scenario.sharding.stage)


def line_bytes(found: StageBudget, rank: int, *names: str) -> int:
    return sum(
        line.stored.at(rank % found.group)
        for line in found.lines
        if any(line.name.startswith(wanted) for wanted in names)
    )


def test_the_reference_holds_96_runs_and_293_ranks() -> None:
    assert len(records()) == 96
    assert sum(len(record["ranks"]) for record in records()) == 293


@pytest.mark.parametrize("record", records(), ids=name)
def test_every_rank_holds_the_bytes_that_the_engine_held(record: dict[str, Any]) -> None:
    found = budget_of(scenario_of(record))
    assert found.exact
    for rank, measured in enumerate(record["ranks"]):
        for held in (measured["after_backward"], measured["after_step"]):
            assert line_bytes(found, rank, "weights", "frozen weights") == held["params"]
            assert line_bytes(found, rank, "master weights") == held.get("master", 0)
            assert line_bytes(found, rank, "first moment", "second moment") == held["moments"]
        if "grads" in measured["after_backward"]:
            gradients = line_bytes(found, rank, "gradients")
            assert gradients == measured["after_backward"]["grads"]


def find(**wanted: Any) -> list[dict[str, Any]]:
    return [r for r in records() if all(r[key] == value for key, value in wanted.items())]


def plain_twin(record: dict[str, Any], *options: str) -> dict[str, Any]:
    """The run that differs only by not having ``options``."""
    rest = {k: v for k, v in record["options"].items() if k not in options}
    same = {key: record[key] for key in ("engine", "model", "world", "stage", "dtype")}
    (twin,) = find(**same, options=rest)
    return twin


def live(record: dict[str, Any], rank: int, moment: str) -> int:
    return int(record["ranks"][rank][moment]["live"])


def having(option: str) -> list[dict[str, Any]]:
    return [r for r in records() if option in r["options"]]


@pytest.mark.parametrize(
    "record",
    [r for r in having("persistence_threshold") if "trainable" not in r["options"]],
    ids=name,
)
def test_small_tensors_stay_gathered_by_as_much_as_live_bytes_differ(
    record: dict[str, Any],
) -> None:
    twin = plain_twin(record, "persistence_threshold")
    found = budget_of(scenario_of(record))
    for rank in range(record["world"]):
        gathered = line_bytes(found, rank, "gathered weights")
        assert gathered > 0
        assert gathered == live(record, rank, "after_step") - live(twin, rank, "after_step")


@pytest.mark.parametrize("record", having("zero"), ids=name)
def test_hpz_holds_a_secondary_copy_from_forward_to_step(record: dict[str, Any]) -> None:
    found = budget_of(scenario_of(record))
    for rank in range(record["world"]):
        secondary = line_bytes(found, rank, "secondary weights")
        assert secondary > 0
        assert secondary == live(record, rank, "after_backward") - live(record, rank, "after_step")


@pytest.mark.parametrize("record", having("grad_accum_dtype"), ids=name)
def test_the_accumulation_buffer_shows_in_live_bytes(record: dict[str, Any]) -> None:
    found = budget_of(scenario_of(record))
    stage = record["stage"]
    for rank in range(record["world"]):
        if stage == 1:
            twin = plain_twin(record, "grad_accum_dtype")
            expected = live(record, rank, "after_step") - live(twin, rank, "after_step")
            assert line_bytes(found, rank, "accumulation buffer") == expected
        elif stage == 2:
            expected = live(record, rank, "after_backward") - live(record, rank, "after_step")
            # The engine's step counter is one 4-byte scalar.
            assert line_bytes(found, rank, "accumulated gradients") - expected in (0, 4)
        else:
            twin = plain_twin(record, "grad_accum_dtype")
            plain = budget_of(scenario_of(twin))
            ours = line_bytes(found, rank, "accumulated gradients") - line_bytes(
                plain, rank, "gradients"
            )
            moment = "after_step"
            assert ours == live(record, rank, moment) - live(twin, rank, moment)
