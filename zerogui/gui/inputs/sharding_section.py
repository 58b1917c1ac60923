"""The panel's Sharding section: stage, partition rule, groups and offload."""

from itertools import pairwise
from math import isqrt

from PySide6.QtWidgets import QWidget

from zerogui.accounting.model import MAX_ELEMENTS
from zerogui.accounting.rules import RULES, rule_named
from zerogui.accounting.rules.base import PartitionRule
from zerogui.accounting.scenario import Scenario
from zerogui.accounting.sharding import STAGES, Sharding
from zerogui.gui.inputs.choice import Choice, Option
from zerogui.gui.inputs.field_row import FieldRow
from zerogui.gui.inputs.number_box import NumberBox
from zerogui.gui.inputs.section import Fold, Section
from zerogui.gui.inputs.stage_choice import StageChoice
from zerogui.gui.inputs.steps import step_threshold
from zerogui.planning import edits
from zerogui.planning.quantities import count_text, group_digits, parse_count

STAGE_NAMES = ("DDP", "ZeRO-1", "ZeRO-2", "ZeRO-3")
STAGE_TIPS = (
    "DDP: every worker holds all states.",
    "ZeRO-1: optimizer states are partitioned.",
    "ZeRO-2: optimizer states and gradients are partitioned.",
    "ZeRO-3: optimizer states, gradients and weights are partitioned.",
)
TIER_NAMES = {"device": "device", "host": "host memory", "nvme": "NVMe"}


class ShardingSection(Section):
    """How states are partitioned; controls appear only where they have an effect."""

    def __init__(self) -> None:
        super().__init__("Sharding")
        self._stage = StageChoice(STAGE_NAMES)
        self._rule = Choice()
        self._rule.set_options([Option(r.name, r.title, r.summary) for r in RULES.values()])
        self.add_row(
            FieldRow(
                "stage",
                "ZeRO &stage",
                self._stage,
                "The stage under discussion; all four are always computed.",
            )
        )
        self.add_row(
            FieldRow(
                "rule",
                "Part&ition rule",
                self._rule,
                "How an engine cuts tensors into shards, padding included.",
            )
        )
        self._scenario = Scenario()
        self._fold = self.add_fold(
            Fold(
                "sharding-fold",
                "&Groups and offload",
                "Hybrid sharding, gathered tensors, offload.",
                self._fill,
            )
        )
        self._stage.chosen.connect(lambda s: self.edited.emit(edits.set_stage(s)))
        self._rule.chosen.connect(lambda name: self.edited.emit(edits.choose_rule(name)))

    def _fill(self) -> None:
        self._add_groups()
        self._add_offload()
        # Rows made late come where the eye finds them.
        fields = [self._fold.head, *(self.rows[name].field for name in _SETTINGS)]
        for before, after in pairwise(fields):
            QWidget.setTabOrder(before, after)
        self._show_folded()

    def _add_groups(self) -> None:
        self._group = Choice()
        self._secondary = Choice()
        self._threshold = NumberBox(parse_count, count_text, step_threshold, 0, MAX_ELEMENTS)
        for row in (
            FieldRow(
                "group",
                "Shar&d group",
                self._group,
                "Ranks among which states are partitioned (HSDP, MiCS); a divisor of N.",
            ),
            FieldRow(
                "secondary_group",
                "Secondar&y group",
                self._secondary,
                "ZeRO++ hpZ: ranks that hold a second copy of the weights among them, so"
                " that the backward pass gathers nearby.",
            ),
            FieldRow(
                "persistence_threshold",
                "&Kept whole up to",
                self._threshold,
                "DeepSpeed's persistence threshold, in elements: tensors of at most this"
                " size stay gathered on every rank.",
            ),
        ):
            self.add_row(row, self._fold)
        self._group.chosen.connect(lambda n: self.edited.emit(edits.set_group(n)))
        self._secondary.chosen.connect(lambda n: self.edited.emit(edits.set_secondary_group(n)))
        self._threshold.committed.connect(
            lambda n: self.edited.emit(edits.set_persistence_threshold(n))
        )

    def _add_offload(self) -> None:
        self._offload_optimizer = _tier_choice()
        self._offload_weights = _tier_choice()
        for row in (
            FieldRow(
                "offload_optimizer",
                "&Optimizer on",
                self._offload_optimizer,
                "Where optimizer states live: on the device, in the host's memory, or on NVMe.",
            ),
            FieldRow(
                "offload_weights",
                "&Weights on",
                self._offload_weights,
                "Where weight shards live between uses: on the device, in the host's memory,"
                " or on NVMe.",
            ),
        ):
            self.add_row(row, self._fold)
        self._offload_optimizer.chosen.connect(
            lambda tier: self.edited.emit(edits.set_offload_optimizer(tier))
        )
        self._offload_weights.chosen.connect(
            lambda tier: self.edited.emit(edits.set_offload_weights(tier))
        )

    def inputs(self, scenario: Scenario, unit: str) -> tuple[object, ...]:
        """What the fields show."""
        return (scenario.sharding, scenario.cluster, scenario.model.tensors is None)

    def show_scenario(self, scenario: Scenario, unit: str) -> None:
        """Show ``scenario``; no signal."""
        sharding, rule = scenario.sharding, rule_named(scenario.sharding.rule)
        known = scenario.model.tensors is not None and scenario.cluster.model_parallel == 1
        reasons = tuple(rule.not_offered(stage, known) for stage in STAGES)
        self._stage.set_offered(STAGE_TIPS, reasons)
        self._stage.set_value(sharding.stage)
        self.rows["stage"].set_hint(_stage_hint(sharding.stage, rule, reasons))
        self._rule.set_value(sharding.rule)
        self.rows["rule"].set_hint(rule.summary)
        self._scenario = scenario
        shown = shown_settings(sharding)
        self._fold.setVisible(bool(shown))
        self._fold.set_summary(_summary(sharding, shown))
        if self._fold.filled:
            self._show_folded()

    def _show_folded(self) -> None:
        sharding, workers = self._scenario.sharding, self._scenario.cluster.workers
        self._group.set_options(_group_options(workers, f"all {group_digits(workers)}"))
        self._group.set_value(sharding.group, _ranks(sharding.group))
        self._secondary.set_options(_group_options(workers, "off", whole=True))
        self._secondary.set_value(sharding.secondary_group, _ranks(sharding.secondary_group))
        self._threshold.set_value(sharding.persistence_threshold)
        self._offload_optimizer.set_value(sharding.offload_optimizer)
        self._offload_weights.set_value(sharding.offload_weights)
        shown = shown_settings(sharding)
        for name in _SETTINGS:
            self.rows[name].setVisible(name in shown)


_SETTINGS = (
    "group",
    "secondary_group",
    "persistence_threshold",
    "offload_optimizer",
    "offload_weights",
)


def shown_settings(sharding: Sharding) -> tuple[str, ...]:
    """The settings with an effect: at this stage, or already set and at work in another one."""
    default, stage = Sharding(), sharding.stage
    if sharding.rule == "torch-zero1":
        return ()
    stages = {
        "group": (0, 1, 2, 3),
        "offload_optimizer": (1, 2, 3),
        "offload_weights": (3,),
    }
    if sharding.rule == "deepspeed":
        stages |= {"secondary_group": (3,), "persistence_threshold": (3,)}
    return tuple(
        name
        for name in _SETTINGS
        if name in stages
        and (stage in stages[name] or getattr(sharding, name) != getattr(default, name))
    )


def divisors(n: int) -> list[int]:
    """All divisors of ``n``, the largest first."""
    small = [d for d in range(1, isqrt(n) + 1) if n % d == 0]
    return sorted({*small, *(n // d for d in small)}, reverse=True)


def _group_options(workers: int, nothing: str, whole: bool = False) -> list[Option]:
    sizes = divisors(workers)
    return [Option(None, nothing), *(Option(n, _ranks(n)) for n in sizes[0 if whole else 1 :])]


def _ranks(n: int | None) -> str:
    return "" if n is None else group_digits(n)


def _tier_choice() -> Choice:
    choice = Choice()
    choice.set_options([Option(tier, name) for tier, name in TIER_NAMES.items()])
    return choice


def _stage_hint(stage: int, rule: PartitionRule, reasons: tuple[str | None, ...]) -> str:
    """What the stage partitions, then why others are greyed; equal reasons are said once."""
    name = STAGE_NAMES[stage]
    if rule.name == "fsdp2" and stage == 3:
        name = "ZeRO-3 (FSDP2)"
    lines = []
    if reasons[stage] is None:
        lines.append(name + STAGE_TIPS[stage].removeprefix(STAGE_NAMES[stage]))
    for reason in dict.fromkeys(reasons):
        if reason is not None:
            greyed = [STAGE_NAMES[s] for s in STAGES if reasons[s] == reason]
            lines.append(f"{' and '.join(greyed)} not offered: {reason}.")
    return "\n".join(lines)


def _summary(sharding: Sharding, shown: tuple[str, ...]) -> str:
    """What the fold holds, in a few words: "Whole group, no offload"."""
    parts = []
    if "group" in shown:
        size = sharding.group
        parts.append("whole group" if size is None else f"groups of {_ranks(size)}")
    if "secondary_group" in shown and sharding.secondary_group is not None:
        parts.append(f"secondary groups of {_ranks(sharding.secondary_group)}")
    if "persistence_threshold" in shown and sharding.persistence_threshold:
        parts.append(f"whole up to {group_digits(sharding.persistence_threshold)} elements")
    moved = [
        f"{state} in {TIER_NAMES[tier]}" if tier == "host" else f"{state} on {TIER_NAMES[tier]}"
        for state, tier in (
            ("optimizer", sharding.offload_optimizer),
            ("weights", sharding.offload_weights),
        )
        if f"offload_{state}" in shown and tier != "device"
    ]
    parts += moved or ["no offload"]
    text = ", ".join(parts)
    return text[:1].upper() + text[1:]
