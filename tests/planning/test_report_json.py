"""The report JSON against its public contract, for scenarios of every rule."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.accounting.scenes import keeps, plan
from tests.planning.contract import NUMBERS, STATES, check_report
from tests.planning.plans import CARDS, FIGURE_1, H100, SEED, on, planned
from zerogui.accounting.cluster import Device
from zerogui.accounting.scenario import Scenario
from zerogui.files.scenario import decode
from zerogui.planning.report_json import report_to_plain
from zerogui.planning.resolve import resolve

ANYWHERE = planned(st.none())


def reported(scenario: Scenario) -> Any:
    """The report as someone else's program reads it."""
    return json.loads(json.dumps(report_to_plain(resolve(scenario))))


def numbers(scenario: Scenario) -> list[Any]:
    return [stage for stage in reported(scenario)["stages"] if stage["offered"]]


def floats(value: Any) -> list[float]:
    if isinstance(value, dict):
        return [number for part in value.values() for number in floats(part)]
    if isinstance(value, list):
        return [number for part in value for number in floats(part)]
    return [value] if isinstance(value, float) else []


# --- By hand -------------------------------------------------------------------------------------
def test_figure_1_at_stage_2_is_reported_in_full() -> None:
    stage = reported(on(FIGURE_1, H100))["stages"][2]
    share = {"elements": 117_187_500, "tier": "device"}
    moment = {"state": "optimizer", "dtype": "fp32", "bytes": 468_750_000, **share}
    by_64 = "B × 117,187,500 elements (7,500,000,000 ÷ 64) ="
    held = {"parameters": 15_000_000_000, "gradients": 234_375_000, "optimizer": 1_406_250_000}
    assert stage == {
        "stage": 2,
        "offered": True,
        "reason": None,
        "exact": True,
        "notes": [],
        "rank": {**held, "total": 16_640_625_000},
        "least": {**held, "total": 16_640_625_000},
        "components": [
            {
                "state": "parameters",
                "name": "weights",
                "dtype": "bf16",
                "elements": 7_500_000_000,
                "bytes": 15_000_000_000,
                "tier": "device",
                "formula": "weights: 2 B × 7,500,000,000 elements = 15,000,000,000 B",
            },
            {
                "state": "gradients",
                "name": "gradients",
                "dtype": "bf16",
                "bytes": 234_375_000,
                "formula": f"gradients: 2 {by_64} 234,375,000 B",
                **share,
            },
            *(
                {"name": name, "formula": f"{name}: 4 {by_64} 468,750,000 B", **moment}
                for name in ("master weights", "first moment", "second moment")
            ),
        ],
        "tiers": {"device": 16_640_625_000, "host": 0, "nvme": 0},
        "node": {"host": 0, "nvme": 0},
        "ranks": [{"first": 0, "count": 64, **held}],
        "padding": {"parameters": 0, "gradients": 0, "optimizer": 0},
        "cluster_total": 1_065_000_000_000,
        "communication": 15_000_000_000,
        "fits": True,
        "free": 68_880_184_984,
    }


def test_the_answers_are_keyed_by_stage_with_reasons_for_what_is_null() -> None:
    answers = reported(on(FIGURE_1, H100))["answers"]
    assert answers["fewest_workers"] == {"0": None, "1": 2, "2": 2, "3": 2}
    assert answers["largest_model"]["0"] == 5_345_050_624
    assert answers["largest_model"]["3"] == 342_083_239_936
    assert set(answers["reasons"]["fewest_workers"]) == {"0"}
    assert answers["reasons"]["largest_model"] == {}


def test_without_a_device_fits_free_and_answers_are_null() -> None:
    report = reported(SEED)
    check_report(report)
    assert report["scenario"]["device"] is None
    assert [(stage["fits"], stage["free"]) for stage in report["stages"]] == [(None, None)] * 4
    for name in ("fewest_workers", "largest_model"):
        assert set(report["answers"][name].values()) == {None}


def test_runs_of_equal_ranks_come_in_order() -> None:
    # 10 elements on groups of 4 are 3, 3, 2, 2; two groups.
    stage = numbers(plan(10, workers=8, group=4, recipe=keeps("fp32")))[3]
    more = {"parameters": 6, "gradients": 6, "optimizer": 12}
    less = {"parameters": 4, "gradients": 4, "optimizer": 8}
    assert stage["ranks"] == [
        {"first": 0, "count": 2, **more},
        {"first": 2, "count": 2, **less},
        {"first": 4, "count": 2, **more},
        {"first": 6, "count": 2, **less},
    ]
    assert stage["rank"] == {**more, "total": 24}
    assert stage["least"] == {**less, "total": 16}
    assert stage["cluster_total"] == 160


def test_padding_is_counted_in_elements() -> None:
    # DeepSpeed pads 10 elements on 4 ranks to 16; two tensors in the optimizer.
    stages = numbers(plan(10, "deepspeed", recipe=keeps("fp32", "fp32")))
    assert [list(stage["padding"].values()) for stage in stages] == [
        [0, 0, 0],
        [6, 0, 12],
        [6, 6, 12],
        # ⌈10 / 4⌉ × 4 = 12
        [2, 2, 4],
    ]


def test_what_is_free_is_judged_by_the_device_and_not_by_all_tiers() -> None:
    stage = numbers(on(plan(1_000, offload_optimizer="host"), Device("", 4_500, 500)))[1]
    assert stage["rank"]["total"] == 7_000
    assert stage["tiers"] == {"device": 4_000, "host": 3_000, "nvme": 0}
    assert stage["node"] == {"host": 12_000, "nvme": 0}
    assert (stage["free"], stage["fits"]) == (0, True)


# --- Always --------------------------------------------------------------------------------------
@given(planned(CARDS))
def test_every_report_keeps_the_contract_and_has_no_float(scenario: Scenario) -> None:
    plain = report_to_plain(resolve(scenario))
    assert floats(plain) == []
    report = json.loads(json.dumps(plain))
    assert report == plain
    check_report(report)


@given(ANYWHERE)
def test_a_stage_that_is_not_offered_has_a_reason_and_no_number(scenario: Scenario) -> None:
    kept = {"fsdp2": 2, "torch-zero1": 1}.get(scenario.sharding.rule, 4)
    if scenario.sharding.rule == "torch-zero1":
        kept += scenario.model.tensors is not None and scenario.cluster.model_parallel == 1
    stages = reported(scenario)["stages"]
    refused = [stage for stage in stages if not stage["offered"]]
    assert len(refused) == 4 - kept
    for stage in refused:
        assert stage["reason"]
        assert {stage[name] for name in NUMBERS} == {None}


@given(ANYWHERE)
def test_runs_cover_every_rank_once_and_make_up_the_cluster(scenario: Scenario) -> None:
    n, m = scenario.cluster.workers, scenario.cluster.model_parallel
    for stage in numbers(scenario):
        runs = stage["ranks"]
        assert [run["first"] for run in runs] == [
            sum(run["count"] for run in runs[:k]) for k in range(len(runs))
        ]
        assert all(run["count"] > 0 for run in runs)
        assert sum(run["count"] for run in runs) == n
        totals = [sum(run[state] for state in STATES) for run in runs]
        assert stage["cluster_total"] == m * sum(
            total * run["count"] for total, run in zip(totals, runs, strict=True)
        )
        for name, extreme in (("rank", max(totals)), ("least", min(totals))):
            first = runs[totals.index(extreme)]
            assert stage[name]["total"] == extreme
            assert [stage[name][state] for state in STATES] == [first[state] for state in STATES]


@given(ANYWHERE)
def test_components_tiers_and_states_add_up_to_the_rank(scenario: Scenario) -> None:
    for stage in numbers(scenario):
        rank, lines = stage["rank"], stage["components"]
        assert sum(line["bytes"] for line in lines) == rank["total"]
        assert sum(stage["tiers"].values()) == rank["total"]
        for state in STATES:
            assert sum(x["bytes"] for x in lines if x["state"] == state) == rank[state]
        for tier, held in stage["tiers"].items():
            assert sum(x["bytes"] for x in lines if x["tier"] == tier) == held
        assert len({(line["state"], line["name"]) for line in lines}) == len(lines)


@given(ANYWHERE)
def test_communication_is_two_trained_slices_and_three_plus_two_frozen_at_stage_3(
    scenario: Scenario,
) -> None:
    m = scenario.cluster.model_parallel
    frozen = -(-scenario.model.frozen_parameters // m)
    trained = -(-(scenario.model.parameters - scenario.model.frozen_parameters) // m)
    for stage in numbers(scenario):
        expected = 3 * trained + 2 * frozen if stage["stage"] == 3 else 2 * trained
        assert stage["communication"] == expected


@given(planned(CARDS))
def test_free_is_what_the_fullest_device_leaves(scenario: Scenario) -> None:
    assert scenario.device is not None
    usable = scenario.device.memory - scenario.device.reserve
    for stage in numbers(scenario):
        assert stage["fits"] is (stage["free"] >= 0)
        # The most loaded rank need not be the one with the fullest device.
        assert stage["free"] <= usable - stage["tiers"]["device"]
        if not (stage["tiers"]["host"] or stage["tiers"]["nvme"]):
            assert stage["free"] == usable - stage["rank"]["total"]


@given(planned(CARDS))
def test_the_scenario_in_a_report_opens_as_a_file(scenario: Scenario) -> None:
    inside = reported(scenario)["scenario"]
    assert decode(json.dumps(inside).encode(), "inside.zerogui.json") == scenario
