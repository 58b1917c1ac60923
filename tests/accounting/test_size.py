"""Large models on many workers: cost follows distinct shapes, not tensors times workers."""

from collections.abc import Iterator
from functools import cache

import pytest

from tests.accounting.scenes import at, keeps, plan
from zerogui.accounting.budget import StageBudget
from zerogui.accounting.model import Model, Tensor
from zerogui.accounting.scenario import Scenario

TENSORS, WORKERS = 100_000, 16_384
STAGES = {"even": 3, "deepspeed": 3, "fsdp2": 3, "torch-zero1": 1}
# Every rank's chunk is at least a row; a rank's rows end at one place in each tensor.
MOST_RUNS = {"even": 2, "deepspeed": 1, "fsdp2": WORKERS, "torch-zero1": WORKERS}


@pytest.fixture(autouse=True, scope="module")
def _nothing_large_stays() -> Iterator[None]:
    yield
    for kept in (shapes, large, resolved):
        kept.cache_clear()


@cache
def shapes() -> tuple[tuple[int, int], ...]:
    """100,000 different shapes, 1 to 1,000 rows of 1 to 100 elements, none sorted."""
    mixed = [(k * 7_919) % TENSORS for k in range(TENSORS)]
    return tuple((1 + k % 1000, 1 + k // 1000) for k in mixed)


# Rows 1 .. 1000 and widths 1 .. 100 all meet once: 500,500 · 5,050 elements.
ELEMENTS = 2_527_525_000


@cache
def large(rule: str, workers: int) -> Scenario:
    return plan(shapes(), rule, workers)


@cache
def resolved(rule: str, workers: int = WORKERS) -> StageBudget:
    return at(large(rule, workers), STAGES[rule])


def buffers(found: StageBudget) -> int:
    """How many buffers its lines list, equal ones and equal ranks together."""
    return max(len(entry.layout.pieces) for entry in found.lines)


def test_the_model_is_as_large_as_it_says() -> None:
    assert len(set(shapes())) == TENSORS
    assert large("even", WORKERS).model.parameters == ELEMENTS


@pytest.mark.parametrize("rule", STAGES)
def test_100000_tensors_on_16384_workers_have_few_runs(rule: str) -> None:
    found = resolved(rule)
    runs = list(found.runs())
    assert 1 <= len(runs) <= MOST_RUNS[rule]
    assert sum(run.count for run in runs) == WORKERS
    assert len(found.total.starts) == len(runs)


def test_nothing_of_a_large_model_is_lost() -> None:
    # 16 bytes for each element: the even split and whole tensors add up exactly.
    assert resolved("even").cluster_total == 16 * ELEMENTS
    assert sum(resolved("torch-zero1").states["optimizer"].at(r) for r in range(WORKERS)) == (
        12 * ELEMENTS
    )
    # DeepSpeed holds ⌈n/16,384⌉ of each tensor, up to 7 for 1000 · 100: Σ over the shapes.
    share = sum(-(-rows * width // WORKERS) for rows, width in shapes())
    assert resolved("deepspeed").held(0).total == 16 * share
    # FSDP2 has one row for each of 16,384 ranks, in weights and gradients; moments of 12 bytes on
    # as many ranks as there are rows.
    widths = sum(width for _, width in shapes())
    assert resolved("fsdp2").held(WORKERS - 1).total == 4 * widths
    assert resolved("fsdp2").held(0).total == 16 * widths
    assert resolved("fsdp2").padding("optimizer") == 0


@pytest.mark.parametrize(
    ("rule", "most"), [("even", 2), ("deepspeed", TENSORS), ("fsdp2", 2 * TENSORS)]
)
def test_more_workers_list_no_more_buffers(rule: str, most: int) -> None:
    # Of each shape full chunks and at most one shorter one, however many ranks there are.
    assert buffers(resolved(rule, 8)) <= most
    assert buffers(resolved(rule, 2**20)) <= most


def test_a_greedy_split_lists_each_tensor_once() -> None:
    assert buffers(resolved("torch-zero1", 8)) == buffers(resolved("torch-zero1")) == TENSORS


@pytest.mark.parametrize("rule", ["even", "deepspeed", "fsdp2"])
def test_equal_tensors_are_counted_not_listed(rule: str) -> None:
    tensors = (Tensor("layer{i}.weight", (64, 64), count=TENSORS), Tensor("head", (7,)))
    model = Model.of("", tensors)
    for stage in (0, 3):
        found = at(plan(tensors, rule, WORKERS, recipe=keeps("int8-block256")), stage)
        assert found.held(0).total > 0
        # Two distinct shapes, cut at most in two kinds of ranks each.
        assert buffers(found) <= 4
    assert model.parameters == 4096 * TENSORS + 7


def test_a_million_equal_shard_groups_are_one_run() -> None:
    found = at(plan(2**30, workers=2**20, group=2**10), 3)
    assert [(run.first, run.count) for run in found.runs()] == [(0, 2**20)]
    assert found.cluster_total == 16 * 2**30 * 2**10
