"""The public contract of the report JSON, as a check that every report has to pass."""

from typing import Any

STATES = ("parameters", "gradients", "optimizer")
ALWAYS = {"stage", "offered", "reason"}
NUMBERS = {
    "exact",
    "notes",
    "rank",
    "least",
    "components",
    "tiers",
    "node",
    "ranks",
    "padding",
    "cluster_total",
    "communication",
    "fits",
    "free",
}
COMPONENT = {
    "state": str,
    "name": str,
    "dtype": str,
    "elements": int,
    "bytes": int,
    "tier": str,
    "formula": str,
}


def check_report(report: Any) -> None:
    """Every field of the contract is there, nothing else is, and each has its type."""
    assert set(report) == {"format", "version", "scenario", "stages", "answers"}
    assert (report["format"], report["version"]) == ("zerogui/report", 1)
    assert type(report["version"]) is int
    _check_scenario(report["scenario"])
    assert [stage["stage"] for stage in report["stages"]] == [0, 1, 2, 3]
    for stage in report["stages"]:
        assert set(stage) == ALWAYS | NUMBERS
        assert type(stage["stage"]) is int
        if stage["offered"]:
            _check_stage(stage, report["scenario"]["device"] is not None)
        else:
            assert stage["offered"] is False
            assert isinstance(stage["reason"], str)
            assert stage["reason"]
            assert all(stage[name] is None for name in NUMBERS)
    _check_answers(report["answers"])


def _check_scenario(scenario: Any) -> None:
    assert set(scenario) == {
        *("format", "version", "title", "model", "recipe", "cluster", "sharding", "device")
    }
    assert set(scenario["model"]) == {"name", "parameters", "frozen_parameters", "tensors"}
    assert set(scenario["recipe"]) == {
        *("name", "weights", "gradients", "optimizer", "frozen_weights", "accumulation")
    }
    for tensor in scenario["recipe"]["optimizer"]:
        assert {"name", "dtype"} <= set(tensor) <= {"name", "dtype", "over"}
    assert set(scenario["cluster"]) == {"workers", "workers_per_node", "model_parallel"}
    assert set(scenario["sharding"]) == {
        *("rule", "stage", "group", "secondary_group", "persistence_threshold"),
        *("offload_optimizer", "offload_weights"),
    }
    if scenario["device"] is not None:
        assert set(scenario["device"]) == {"name", "memory", "reserve"}


def _check_counts(counts: Any, *names: str) -> None:
    assert set(counts) == set(names)
    assert all(type(value) is int and value >= 0 for value in counts.values())


def _check_stage(stage: Any, has_device: bool) -> None:
    assert stage["offered"] is True
    assert stage["reason"] is None
    assert type(stage["exact"]) is bool
    assert all(isinstance(note, str) and note for note in stage["notes"])
    assert stage["exact"] or stage["notes"]
    for rank in (stage["rank"], stage["least"]):
        _check_counts(rank, *STATES, "total")
        assert rank["total"] == sum(rank[state] for state in STATES)
    for line in stage["components"]:
        assert {name: type(value) for name, value in line.items()} == COMPONENT
        assert line["state"] in STATES
        assert line["tier"] in ("device", "host", "nvme")
    _check_counts(stage["tiers"], "device", "host", "nvme")
    _check_counts(stage["node"], "host", "nvme")
    for run in stage["ranks"]:
        _check_counts(run, "first", "count", *STATES)
    _check_counts(stage["padding"], *STATES)
    assert type(stage["cluster_total"]) is int
    assert type(stage["communication"]) is int
    if has_device:
        assert type(stage["free"]) is int
        assert stage["fits"] is (stage["free"] >= 0)
    else:
        assert stage["free"] is None
        assert stage["fits"] is None


def _check_answers(answers: Any) -> None:
    assert set(answers) == {"fewest_workers", "largest_model", "reasons"}
    assert set(answers["reasons"]) == {"fewest_workers", "largest_model"}
    for name, reasons in answers["reasons"].items():
        values = answers[name]
        assert list(values) == ["0", "1", "2", "3"]
        assert all(value is None or type(value) is int for value in values.values())
        # Null with a reason, and a reason for null only.
        assert set(reasons) == {stage for stage, value in values.items() if value is None}
        assert all(isinstance(reason, str) and reason for reason in reasons.values())
