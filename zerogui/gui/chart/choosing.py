"""Which segment of the stage chart is under discussion, and how keys walk through its bar."""

from typing import NamedTuple

from zerogui.planning.chart import ChartModel, Segment


class Choice(NamedTuple):
    """A segment by what it is, so that it stays chosen while its bytes change."""

    stage: int
    state: str
    name: str

    @classmethod
    def of(cls, stage: int, segment: Segment) -> "Choice":
        """The choice of ``segment`` in the bar of ``stage``."""
        return cls(stage, segment.state, segment.name)


def find(model: ChartModel, choice: Choice | None) -> Segment | None:
    """The chosen segment; None where its stage is not under discussion or no longer has it."""
    if choice is None:
        return None
    segments = _walked(model, choice.stage)
    return next((s for s in segments if Choice.of(choice.stage, s) == choice), None)


def walk(model: ChartModel, choice: Choice | None, step: int) -> Choice | None:
    """One segment up (1) or down (-1) in the selected bar, from its foot or its top at first."""
    stage = next((bar.stage for bar in model.bars if bar.selected), None)
    if stage is None:
        return None
    segments = _walked(model, stage)
    if not segments:
        return None
    now = find(model, choice)
    if now is None:
        place = 0 if step > 0 else len(segments) - 1
    else:
        place = min(max(segments.index(now) + step, 0), len(segments) - 1)
    return Choice.of(stage, segments[place])


def _walked(model: ChartModel, stage: int) -> list[Segment]:
    """What can be seen of the bar of ``stage``, if it is the selected one."""
    return [
        segment
        for bar in model.bars
        if bar.selected and bar.stage == stage
        for segment in bar.segments
        if segment.bytes
    ]
