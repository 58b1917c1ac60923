"""What the core costs: pytest tests/benchmarks (not part of the default run)."""

from collections.abc import Callable
from dataclasses import replace
from itertools import count
from typing import Any

import pytest

from tests.benchmarks.plans import plan
from zerogui.accounting.capacity import fewest_workers, largest_model
from zerogui.accounting.cluster import Cluster
from zerogui.accounting.holdings import Slice
from zerogui.accounting.model import Model, Tensor
from zerogui.accounting.scenario import Scenario
from zerogui.accounting.sharding import Sharding
from zerogui.planning.resolve import resolve
from zerogui.planning.scaling import scaling_model
from zerogui.planning.start import seed

Benchmark = Callable[..., Any]
H100 = 85_520_809_984


def wide(rule: str) -> Scenario:
    """100,000 tensors of 1,000 shapes on 16,384 workers."""
    tensors = [Tensor(f"t{k}", (1000 + k % 1000, 1024), False) for k in range(100_000)]
    elements = sum(tensor.elements for tensor in tensors)
    model = Model("wide", elements, 0, tuple(tensors))
    return replace(
        seed(),
        model=model,
        cluster=Cluster(16_384),
        sharding=Sharding(rule, 0 if "torch" in rule else 3),
    )


def ever_wider(scenario: Scenario) -> Callable[[], Scenario]:
    """The scenario with another worker count at each call, so that nothing is known already."""
    more = count(1)

    def next_one() -> Scenario:
        return replace(scenario, cluster=Cluster(scenario.cluster.workers + next(more)))

    return next_one


@pytest.mark.parametrize("kind", ["count", "405b"])
def test_a_report_of_one_more_worker(benchmark: Benchmark, kind: str) -> None:
    wider = ever_wider(plan(kind))
    report = benchmark(lambda: resolve(wider()))
    assert len(report.stages) == 4


def test_a_report_for_another_device(benchmark: Benchmark) -> None:
    known = plan("405b")
    assert known.device is not None
    memories = count(H100)

    def another() -> Scenario:
        assert known.device is not None
        return replace(known, device=replace(known.device, memory=next(memories)))

    report = benchmark(lambda: resolve(another()))
    assert report.device_label


@pytest.mark.parametrize("rule", ["even", "deepspeed", "fsdp2", "torch-zero1"])
def test_a_report_of_a_hundred_thousand_tensors(benchmark: Benchmark, rule: str) -> None:
    wider = ever_wider(wide(rule))
    report = benchmark.pedantic(lambda: resolve(wider()), rounds=5)
    assert report.offered


@pytest.mark.parametrize("stage", [1, 3])
def test_the_answers_of_a_meeting(benchmark: Benchmark, stage: int) -> None:
    part = Slice.of(plan("count"))

    def both() -> tuple[int | None, int | None]:
        fewest = fewest_workers(part, stage, H100)
        return fewest.value, largest_model(part, stage, H100).value

    fewest, largest = benchmark(both)
    assert fewest is not None
    assert largest is not None


def test_the_scaling_view_of_405b(benchmark: Benchmark) -> None:
    report = resolve(plan("405b"))
    model = benchmark(lambda: scaling_model(report))
    assert model.lines
