"""The questions of a planning meeting, answered in words; each answer can be applied."""

from collections.abc import Callable
from typing import NamedTuple

from zerogui.accounting.scenario import Scenario
from zerogui.planning.edits import Changed, Edit, apply, set_parameters, set_stage, set_workers
from zerogui.planning.quantities import format_count, group_digits
from zerogui.planning.report import Report


class Link(NamedTuple):
    """An answer that can be applied: its text, and the step that it stands for."""

    text: str
    edit: Edit


class Question(NamedTuple):
    """A question with its answers; plain text where there is nothing to apply."""

    asked: str
    answers: tuple[Link | str, ...]


def questions(report: Report) -> tuple[Question, ...]:
    """What a meeting asks of ``report``; none without a device."""
    if report.scenario.device is None:
        return ()
    return (_first_fit(report), _fewest(report), _largest(report))


def _first_fit(report: Report) -> Question:
    for stage in report.offered:
        if stage.fits:
            return Question("First fits at", (Link(stage.label, set_stage(stage.stage)),))
    return Question("First fits at", ("no stage",))


def _fewest(report: Report) -> Question:
    links: list[Link | str] = []
    for stage in report.offered:
        workers = report.answers.fewest_workers[stage.stage]
        if workers is not None:
            text = f"{group_digits(workers)} at {stage.label}"
            title = f"Use {group_digits(workers)} workers at {stage.label}"
            links.append(Link(text, _both(title, set_workers(workers), set_stage(stage.stage))))
    return Question("Fewest workers", tuple(links) or ("no number is enough",))


def _largest(report: Report) -> Question:
    links: list[Link | str] = []
    for stage in report.offered:
        parameters = report.answers.largest_model[stage.stage]
        if parameters is not None:
            text = f"{format_count(parameters)} at {stage.label}"
            title = f"Use {format_count(parameters)} parameters at {stage.label}"
            edits = (set_parameters(parameters), set_stage(stage.stage))
            links.append(Link(text, _both(title, *edits)))
    workers = report.scenario.cluster.workers
    asked = f"Largest model on {group_digits(workers)} worker{'' if workers == 1 else 's'}"
    return Question(asked, tuple(links) or ("none",))


def _both(title: str, *edits: Edit) -> Edit:
    """Several edits as one step."""

    def change(scenario: Scenario) -> Changed:
        notes: tuple[str, ...] = ()
        for edit in edits:
            applied = apply(scenario, edit)
            scenario, notes = applied.scenario, (*notes, *applied.notes)
        return scenario, notes

    chained: Callable[[Scenario], Changed] = change
    return Edit(title, "answer", chained)
