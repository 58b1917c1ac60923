"""The frozen answer to one Scenario: every number and every sentence that a view shows."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from zerogui.accounting.budget import RankBytes, Run, StageBudget
from zerogui.accounting.scenario import Scenario
from zerogui.planning.quantities import THIN_SPACE


class Component(NamedTuple):
    """One line of the breakdown of a stage's most loaded rank.

    ``role`` names the colour ("parameters", "gradients", "master", "first", "second", "further");
    ``shown_formula`` is one line of arithmetic for the screen: digits grouped by thin spaces.
    """

    state: str
    name: str
    dtype: str
    elements: int
    bytes: int
    tier: str
    role: str
    shown_formula: str

    @property
    def formula(self) -> str:
        """The line of arithmetic for files: digits grouped by commas."""
        return self.shown_formula.replace(THIN_SPACE, ",")


class Extras(NamedTuple):
    """Three counts by state, in elements."""

    parameters: int
    gradients: int
    optimizer: int


class StageReport(NamedTuple):
    """One stage that the rule offers. Bytes unless said otherwise.

    ``rank`` and ``least`` are the most and least loaded rank on all tiers, ``tiers`` and
    ``components`` those of the most loaded one; ``lacks`` says why the stage is approximate,
    ``remarks`` what else to know, ``places`` what lies off the device (or ""); ``node`` is what a
    node's host and nvme hold;
    ``padding`` and ``communication`` are in elements; ``fits`` and ``free`` None without a device.
    """

    stage: int
    label: str
    caption: str
    exact: bool
    lacks: tuple[str, ...]
    remarks: tuple[str, ...]
    places: str
    rank: RankBytes
    rank_number: int
    least: RankBytes
    components: tuple[Component, ...]
    tiers: Mapping[str, int]
    node: Mapping[str, int]
    padding: Extras
    cluster_total: int
    communication: int
    fits: bool | None
    free: int | None
    arithmetic: str
    budget: StageBudget

    @property
    def notes(self) -> tuple[str, ...]:
        """``lacks``, then ``remarks``."""
        return (*self.lacks, *self.remarks)

    def runs(self) -> Iterator[Run]:
        """Runs of equal ranks over all N ranks, in order."""
        return self.budget.runs()


class NotOffered(NamedTuple):
    """A stage that the rule does not have, and why (a phrase without its full stop)."""

    stage: int
    label: str
    caption: str
    reason: str


class Answers(NamedTuple):
    """Fewest workers and largest model by stage: a number, or None with a phrase in ``reasons``."""

    fewest_workers: Mapping[int, int | None]
    largest_model: Mapping[int, int | None]
    fewest_reasons: Mapping[int, str]
    largest_reasons: Mapping[int, str]


class Report(NamedTuple):
    """Everything that follows from ``scenario``; ``unit`` ("GB", "GiB") is that of sentences."""

    scenario: Scenario
    unit: str
    stages: tuple[StageReport | NotOffered, ...]
    answers: Answers
    title: str
    verdict: str
    device_label: str | None

    @property
    def selected(self) -> StageReport | NotOffered:
        """The stage under discussion."""
        return self.stages[self.scenario.sharding.stage]

    @property
    def offered(self) -> tuple[StageReport, ...]:
        """The stages with numbers."""
        return tuple(stage for stage in self.stages if isinstance(stage, StageReport))
