"""Scenario -> Report: resolves every stage once, and puts the numbers into words."""

import threading
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple

from zerogui.accounting.budget import StageBudget, budget
from zerogui.accounting.capacity import Answer, fewest_workers, largest_model
from zerogui.accounting.explain import formula
from zerogui.accounting.holdings import GRADIENTS, OPTIMIZER, PARAMETERS, Slice
from zerogui.accounting.model import Model
from zerogui.accounting.recipe import Recipe
from zerogui.accounting.rules import rule_named
from zerogui.accounting.scenario import Scenario
from zerogui.accounting.sharding import STAGES, Sharding
from zerogui.planning import sentences
from zerogui.planning.quantities import THIN_SPACE
from zerogui.planning.report import Answers, Component, Extras, NotOffered, Report, StageReport
from zerogui.planning.roles import optimizer_roles

NO_DEVICE = "no device is chosen"
LABELS = ("DDP", "ZeRO-1", "ZeRO-2", "ZeRO-3")
CAPTIONS = (
    "nothing partitioned",
    "optimizer states partitioned",
    "+ gradients partitioned",
    "+ parameters partitioned",
)


# A list of so many entries, or of tensors that a greedy rule deals out one by one, takes a while.
_MANY = 5_000


def _go_on() -> None:
    """What ``resolve`` asks now and then; it may raise to stop it."""


def takes_long(scenario: Scenario) -> bool:
    """Whether ``resolve`` may take longer than somebody who edits would wait."""
    model = scenario.model
    deals = rule_named(scenario.sharding.rule).greedy
    return (model.listed if deals else len(model.tensors or ())) > _MANY


# What this thread's search asks now and then; it is no part of what is remembered.
_asked = threading.local()


class _Same:
    """A model by identity: comparing long tensor lists would cost more than what is remembered."""

    def __init__(self, model: Model) -> None:
        self.model = model

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.model is other.model

    def __hash__(self) -> int:
        return id(self.model)


class _Cut(NamedTuple):
    """All that shards depend on, of a scenario: the device, names and the stage are not in it."""

    model: _Same
    recipe: Recipe
    sharding: Sharding
    workers: int
    model_parallel: int

    @classmethod
    def of(cls, scenario: Scenario) -> "_Cut":
        sharding, cluster = scenario.sharding, scenario.cluster
        return cls(
            _Same(scenario.model),
            scenario.recipe,
            replace(sharding, stage=0) if sharding.stage else sharding,
            cluster.workers,
            cluster.model_parallel,
        )


# What the last few plans came to: choosing a stage or a device cuts nothing anew, and walking
# back and forth between two values neither. Few, since each keeps its model's tensors.


@lru_cache(maxsize=8)
def _slice(cut: _Cut) -> Slice:
    return Slice.cut(cut.model.model, cut.recipe, cut.sharding, cut.workers, cut.model_parallel)


@lru_cache(maxsize=32)
def _budget(cut: _Cut, stage: int) -> StageBudget:
    return budget(_slice(cut), stage)


@lru_cache(maxsize=32)
def _fewest(cut: _Cut, stage: int, usable: int) -> Answer:
    """``cut`` has one worker: how many there are now does not matter to the answer."""
    return fewest_workers(_slice(cut), stage, usable, getattr(_asked, "check", _go_on))


@lru_cache(maxsize=32)
def _largest(cut: _Cut, stage: int, usable: int) -> Answer:
    return largest_model(_slice(cut), stage, usable)


def resolve(scenario: Scenario, unit: str = "GB", check: Callable[[], None] = _go_on) -> Report:
    """The whole report; ``unit`` is "GB" or "GiB" and touches sentences only.

    ``check`` is called now and then where that takes long, and may raise to stop it.
    """
    _asked.check = check
    cut = _Cut.of(scenario)
    part = _slice(cut)
    stages = tuple(_stage(scenario, cut, stage, unit) for stage in STAGES)
    answers = _answers(scenario, cut)
    return Report(
        scenario=scenario,
        unit=unit,
        stages=stages,
        answers=answers,
        title=sentences.title(scenario, part),
        verdict=sentences.verdict(scenario, stages, answers.fewest_workers, unit),
        device_label=sentences.device_label(scenario.device, unit),
    )


def stage_label(rule: str, stage: int) -> str:
    """What a stage is called: "ZeRO-3 (FSDP2)" under rule fsdp2."""
    return "ZeRO-3 (FSDP2)" if (rule, stage) == ("fsdp2", 3) else LABELS[stage]


def _stage(scenario: Scenario, cut: _Cut, stage: int, unit: str) -> StageReport | NotOffered:
    part = _slice(cut)
    label = stage_label(part.rule.name, stage)
    reason = part.rule.not_offered(stage, part.known_shapes)
    if reason is not None:
        return NotOffered(stage, label, CAPTIONS[stage], reason)
    found = _budget(cut, stage)
    rank = found.most_loaded
    device = scenario.device
    free = None if device is None else device.usable - found.device_peak
    gpus = scenario.cluster.workers_per_node
    return StageReport(
        stage=stage,
        label=label,
        caption=CAPTIONS[stage],
        exact=found.exact,
        lacks=found.lacks,
        remarks=found.remarks,
        places=sentences.places(found, rank, gpus, unit),
        rank=found.held(rank),
        rank_number=rank,
        least=found.held(found.least_loaded),
        components=_components(found, rank),
        tiers=MappingProxyType({t: steps.at(rank) for t, steps in found.tiers.items()}),
        node=MappingProxyType({tier: found.node(tier, gpus) for tier in ("host", "nvme")}),
        padding=Extras(*(found.padding(s) for s in (PARAMETERS, GRADIENTS, OPTIMIZER))),
        cluster_total=found.cluster_total,
        communication=found.communication,
        fits=None if free is None else free >= 0,
        free=free,
        arithmetic=sentences.arithmetic(label, found, rank, unit),
        budget=found,
    )


def _components(found: StageBudget, rank: int) -> tuple[Component, ...]:
    optimizer = [line.name for line in found.lines if line.state == OPTIMIZER]
    roles = dict(zip(optimizer, optimizer_roles(optimizer), strict=True))
    return tuple(
        Component(
            state=line.state,
            name=line.name,
            dtype=line.dtype.name,
            elements=line.layout.elements.at(rank),
            bytes=line.stored.at(rank),
            tier=line.tier,
            role=roles[line.name] if line.state == OPTIMIZER else line.state,
            shown_formula=formula(line, rank, THIN_SPACE),
        )
        for line in found.lines
    )


def _answers(scenario: Scenario, cut: _Cut) -> Answers:
    device = scenario.device
    fewest: dict[int, Answer] = {}
    largest: dict[int, Answer] = {}
    for stage in STAGES:
        if device is None:
            fewest[stage] = largest[stage] = Answer(None, NO_DEVICE)
        else:
            alone = cut._replace(workers=1)
            fewest[stage] = _fewest(alone, stage, device.usable)
            # At stage 0 every rank holds everything, however many there are.
            largest[stage] = _largest(alone if stage == 0 else cut, stage, device.usable)

    def reasons(answers: dict[int, Answer]) -> Mapping[int, str]:
        return MappingProxyType({s: a.reason for s, a in answers.items() if a.reason})

    def values(answers: dict[int, Answer]) -> Mapping[int, int | None]:
        return MappingProxyType({s: a.value for s, a in answers.items()})

    return Answers(values(fewest), values(largest), reasons(fewest), reasons(largest))
