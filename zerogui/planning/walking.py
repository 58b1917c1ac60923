"""Walking through the stages: the next one that the rule offers in a direction."""

from zerogui.planning.edits import Edit, set_stage
from zerogui.planning.report import Report


def next_stage(report: Report, step: int) -> Edit | None:
    """The nearest offered stage after (1) or before (-1) the present one; None at an end."""
    selected = report.scenario.sharding.stage
    beyond = [s.stage for s in report.offered if (s.stage - selected) * step > 0]
    return set_stage(min(beyond, key=lambda stage: abs(stage - selected))) if beyond else None
