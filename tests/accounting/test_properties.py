"""What holds for every scenario, on small random ones."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import is_dataclass, replace
from itertools import pairwise
from typing import Any

from hypothesis import assume, given
from hypothesis import strategies as st

from tests.accounting.reference import Reference, covered
from tests.accounting.scenes import at
from tests.accounting.strategies import LISTS, WIDE, offered, recipes, scenarios
from zerogui.accounting.budget import StageBudget
from zerogui.accounting.cluster import Cluster
from zerogui.accounting.dtype import DTYPES
from zerogui.accounting.holdings import Holding, Slice
from zerogui.accounting.layout import Layout
from zerogui.accounting.model import Model, Tensor
from zerogui.accounting.rules.base import PartitionRule, Tensors
from zerogui.accounting.scenario import Scenario
from zerogui.accounting.sharding import TIERS

STATES = ("parameters", "gradients", "optimizer")
PARTS = (StageBudget, Slice, Holding, Layout, Tensors)


def drawn(data: st.DataObject, scenario: Scenario) -> int:
    return data.draw(st.sampled_from(offered(scenario)), "stage")


def elements(found: StageBudget, rank: int) -> Counter[tuple[str, str, str, bool]]:
    counted: Counter[tuple[str, str, str, bool]] = Counter()
    for entry in found.lines:
        held = entry.layout.elements.at(rank % found.group)
        counted[entry.state, entry.dtype.name, entry.tier, entry.copy] += held
    return +counted


@given(scenarios())
def test_every_rank_holds_what_a_count_rank_by_rank_finds(scenario: Scenario) -> None:
    for stage in offered(scenario):
        found, expected = at(scenario, stage), Reference(scenario, stage)
        for rank in range(scenario.cluster.workers):
            held = found.held(rank)
            for state in STATES:
                assert getattr(held, state) == expected.bytes(rank, state=state)
            for tier in TIERS:
                on_tier = found.tiers[tier].at(rank % found.group)
                assert on_tier == expected.bytes(rank, tier=tier)
            assert elements(found, rank) == expected.elements(rank)


@given(scenarios(), st.data())
def test_totals_extremes_and_nodes_follow_from_the_ranks(
    scenario: Scenario, data: st.DataObject
) -> None:
    stage = drawn(data, scenario)
    found, expected = at(scenario, stage), Reference(scenario, stage)
    ranks = range(scenario.cluster.workers)
    totals = [expected.bytes(rank) for rank in ranks]
    m, gpus = scenario.cluster.model_parallel, scenario.cluster.workers_per_node
    assert found.cluster_total == sum(totals) * m
    assert found.most_loaded == totals.index(max(totals))
    assert found.least_loaded == totals.index(min(totals))
    assert found.device_peak == expected.peak()
    for tier in TIERS:
        on_tier = sorted((expected.bytes(rank, tier=tier) for rank in ranks), reverse=True)
        every_gpu = [size for size in on_tier for _ in range(m)]
        assert found.node(tier, gpus) == sum(every_gpu[:gpus])


@given(scenarios(), st.data())
def test_a_partitioned_state_over_a_shard_group_is_the_state_and_its_padding(
    scenario: Scenario, data: st.DataObject
) -> None:
    stage = drawn(data, scenario)
    found, expected = at(scenario, stage), Reference(scenario, stage)
    overs = {tensor.name: tensor.over for tensor in scenario.recipe.optimizer}
    padding = dict.fromkeys(STATES, 0)
    for entry in found.lines:
        if entry.copy:
            continue
        held = [entry.layout.elements.at(rank) for rank in range(found.group)]
        part = expected.frozen if entry.name == "frozen weights" else expected.trainable
        over = overs.get(entry.name, "all") if entry.state == "optimizer" else "all"
        state = sum(covered(tensor, over) for tensor in part)
        allocated = sum(held) if entry.layout.partitioned else held[0]
        assert allocated == state + entry.layout.padding
        assert entry.layout.padding >= 0
        padding[entry.state] += entry.layout.padding
    assert {state: found.padding(state) for state in STATES} == padding
    if scenario.sharding.rule == "even":
        assert set(padding.values()) == {0}


@given(scenarios(), st.data())
def test_runs_cover_every_rank_once_in_order_and_neighbours_differ(
    scenario: Scenario, data: st.DataObject
) -> None:
    found = at(scenario, drawn(data, scenario))
    runs = list(found.runs())
    covered = [rank for run in runs for rank in range(run.first, run.first + run.count)]
    assert covered == list(range(scenario.cluster.workers))
    for run in runs:
        for rank in range(run.first, run.first + run.count):
            assert found.held(rank) == run.held
    assert all(a.held != b.held for a, b in pairwise(runs))


@given(scenarios(rules=("even",)))
def test_a_higher_stage_never_needs_more_under_an_even_split(scenario: Scenario) -> None:
    peaks = [max(at(scenario, stage).total.values) for stage in range(4)]
    assert peaks == sorted(peaks, reverse=True)


@given(scenarios(rules=("even",)))
def test_doubling_the_workers_never_raises_the_fullest_rank_of_an_even_split(
    scenario: Scenario,
) -> None:
    scenario = replace(scenario, sharding=replace(scenario.sharding, group=None))
    cluster = scenario.cluster
    double = Cluster(2 * cluster.workers, cluster.workers_per_node, cluster.model_parallel)
    for stage in range(4):
        before, after = at(scenario, stage), at(replace(scenario, cluster=double), stage)
        assert max(after.total.values) <= max(before.total.values)


@given(scenarios(recipe=recipes(partial=False, dtypes=st.sampled_from(WIDE))), st.data())
def test_one_rank_to_a_group_is_stage_0_up_to_padding(
    scenario: Scenario, data: st.DataObject
) -> None:
    recipe = replace(scenario.recipe, accumulation=None)
    if scenario.sharding.rule == "deepspeed":
        assume(recipe.weights != "fp32")  # DeepSpeed's added master aside
    cluster = scenario.cluster
    if scenario.sharding.rule == "torch-zero1":
        cluster = replace(cluster, workers=1)  # it has no groups
    sharding = replace(
        scenario.sharding,
        group=None if cluster.workers == 1 else 1,
        secondary_group=None,
        persistence_threshold=0,
    )
    scenario = replace(scenario, recipe=recipe, cluster=cluster, sharding=sharding)
    base, found = at(scenario, 0), at(scenario, drawn(data, scenario))
    for name in {entry.name for entry in base.lines}:
        (whole,) = [e.layout.elements.at(0) for e in base.lines if e.name == name]
        (cut,) = [e.layout for e in found.lines if e.name == name]
        part = cut.elements.at(0) - cut.padding
        assert part == whole
    assert len(base.lines) == len(found.lines)
    # DeepSpeed rounds one rank's flat group up to an even count; nothing else is padded.
    for state in STATES:
        widest = 4 * len([e for e in base.lines if e.state == state])
        extra = getattr(found.held(0), state) - getattr(base.held(0), state)
        assert 0 <= extra <= (widest if scenario.sharding.rule == "deepspeed" else 0)


@given(scenarios(rules=("even", "deepspeed", "fsdp2"), models=LISTS), st.data())
def test_the_order_of_tensors_changes_nothing_at_stage_3(
    scenario: Scenario, data: st.DataObject
) -> None:
    tensors = scenario.model.tensors
    assert tensors is not None
    shuffled = Model.of("", tuple(data.draw(st.permutations(tensors))))
    found, again = at(scenario, 3), at(replace(scenario, model=shuffled), 3)
    assert list(found.runs()) == list(again.runs())
    assert [found.padding(s) for s in STATES] == [again.padding(s) for s in STATES]
    assert {t: found.tiers[t] for t in TIERS} == {t: again.tiers[t] for t in TIERS}


@given(scenarios(models=LISTS), st.data())
def test_a_counted_tensor_is_the_same_as_its_tensors_one_by_one(
    scenario: Scenario, data: st.DataObject
) -> None:
    tensors = scenario.model.tensors
    assert tensors is not None
    single = Model.of(
        "",
        tuple(
            Tensor(t.name.replace("{i}", str(i)), t.shape, t.frozen)
            for t in tensors
            for i in range(t.count)
        ),
    )
    stage = drawn(data, scenario)
    again = at(replace(scenario, model=single), stage)
    assert list(at(scenario, stage).runs()) == list(again.runs())


def numbers(value: Any, seen: set[int]) -> Iterator[Any]:
    """Every leaf of a value: fields, computed properties, items."""
    if id(value) in seen:
        return
    if isinstance(value, dict):
        for item in value.items():
            yield from numbers(item, seen)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from numbers(item, seen)
    elif isinstance(value, PARTS) or (is_dataclass(value) and not isinstance(value, type)):
        seen.add(id(value))
        for held in list(vars(value).values()):
            yield from numbers(held, seen)
        for key, attribute in vars(type(value)).items():
            if isinstance(attribute, property):
                yield from numbers(getattr(value, key), seen)
    else:
        yield value


@given(scenarios(), st.data())
def test_no_number_is_a_float(scenario: Scenario, data: st.DataObject) -> None:
    stage = drawn(data, scenario)
    found = at(scenario, stage)
    values = [found.padding(state) for state in STATES]
    values += [found.node(tier, 3) for tier in TIERS]
    values += [found.most_loaded, found.least_loaded]
    resolved = [found, Slice.of(scenario), list(found.runs()), found.states, found.tiers, values]
    leaves = [leaf for part in resolved for leaf in numbers(part, set())]
    assert len(leaves) > 30
    for leaf in leaves:
        assert leaf is None or isinstance(leaf, (int, str, PartitionRule)) or callable(leaf)


@given(st.sampled_from(sorted(DTYPES)), st.integers(0, 10**18))
def test_storage_is_whole_bytes_and_never_falls_with_more_elements(name: str, n: int) -> None:
    price = DTYPES[name].bytes
    assert type(price(n)) is int
    assert price(n) <= price(n + 1)
