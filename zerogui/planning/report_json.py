"""The report as plain JSON values, to the public contract ``zerogui/report`` version 1."""

from collections.abc import Mapping
from typing import Any

from zerogui.accounting.budget import RankBytes
from zerogui.files.scenario import to_plain
from zerogui.planning.report import Answers, Extras, NotOffered, Report, StageReport

_STAGE_FIELDS = (
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
)


def report_to_plain(report: Report) -> dict[str, Any]:
    """Dictionaries, lists, strings and integers in the order of the contract."""
    return {
        "format": "zerogui/report",
        "version": 1,
        "scenario": to_plain(report.scenario),
        "stages": [_stage(stage) for stage in report.stages],
        "answers": _answers(report.answers),
    }


def _stage(stage: StageReport | NotOffered) -> dict[str, Any]:
    if isinstance(stage, NotOffered):
        head = {"stage": stage.stage, "offered": False, "reason": stage.reason}
        return {**head, **dict.fromkeys(_STAGE_FIELDS)}
    return {
        "stage": stage.stage,
        "offered": True,
        "reason": None,
        "exact": stage.exact,
        "notes": list(stage.notes),
        "rank": _rank(stage.rank),
        "least": _rank(stage.least),
        "components": [
            {
                "state": line.state,
                "name": line.name,
                "dtype": line.dtype,
                "elements": line.elements,
                "bytes": line.bytes,
                "tier": line.tier,
                "formula": line.formula,
            }
            for line in stage.components
        ],
        "tiers": dict(stage.tiers),
        "node": dict(stage.node),
        "ranks": [
            {"first": run.first, "count": run.count, **_states(run.held)} for run in stage.runs()
        ],
        "padding": _states(stage.padding),
        "cluster_total": stage.cluster_total,
        "communication": stage.communication,
        "fits": stage.fits,
        "free": stage.free,
    }


def _states(held: RankBytes | Extras) -> dict[str, int]:
    return {
        "parameters": held.parameters,
        "gradients": held.gradients,
        "optimizer": held.optimizer,
    }


def _rank(held: RankBytes) -> dict[str, int]:
    return {**_states(held), "total": held.total}


def _answers(answers: Answers) -> dict[str, Any]:
    def keyed(values: Mapping[int, Any]) -> dict[str, Any]:
        return {str(stage): value for stage, value in values.items()}

    return {
        "fewest_workers": keyed(answers.fewest_workers),
        "largest_model": keyed(answers.largest_model),
        "reasons": {
            "fewest_workers": keyed(answers.fewest_reasons),
            "largest_model": keyed(answers.largest_reasons),
        },
    }
