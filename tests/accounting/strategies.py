"""Small random scenarios of every kind, for hypothesis."""

from typing import Any

from hypothesis import strategies as st

from zerogui.accounting.cluster import Cluster
from zerogui.accounting.holdings import Slice
from zerogui.accounting.model import Model, Tensor
from zerogui.accounting.recipe import COVERAGES, OptimizerTensor, Recipe
from zerogui.accounting.rules import RULES
from zerogui.accounting.scenario import Scenario
from zerogui.accounting.sharding import STAGES, TIERS, Sharding

WIDE = ("fp32", "bf16", "fp16", "fp8", "int8")
BLOCKED = ("int4", "int8-block256", "nf4-block64", "nf4-double")
DTYPES = st.sampled_from(WIDE + BLOCKED)
# Long tensors end in the middle of blocks of 64 and 256; lengths of 1 and 0 are edges.
SHAPES = st.one_of(
    st.lists(st.integers(1, 9), max_size=3).map(tuple),
    st.tuples(st.integers(0, 700)),
    st.tuples(st.integers(1, 40), st.integers(1, 30)),
)

# Shape, frozen, count.
TENSORS = st.tuples(SHAPES, st.sampled_from([False, False, True]), st.integers(1, 3))


@st.composite
def tensors(draw: st.DrawFn) -> tuple[Tensor, ...]:
    names = st.sampled_from(["fc", "wte", "lm_head", "embed", "norm"])
    return tuple(
        Tensor(f"{i}.{{i}}.{draw(names)}", shape, frozen, count)
        for i, (shape, frozen, count) in enumerate(
            draw(st.lists(TENSORS, min_size=draw(st.sampled_from([0, 1, 3])), max_size=6))
        )
    )


@st.composite
def counts(draw: st.DrawFn) -> Model:
    frozen = draw(st.integers(0, 300))
    return Model("", frozen + draw(st.integers(0, 900)), frozen)


LISTS = tensors().map(lambda listed: Model.of("", listed))


@st.composite
def recipes(draw: st.DrawFn, partial: bool, dtypes: st.SearchStrategy[str] = DTYPES) -> Recipe:
    overs = st.sampled_from(COVERAGES if partial else ("all",))
    names = st.sampled_from(["master weights", "a", "b", "c"])
    fewest = draw(st.sampled_from([1, 1, 0]))
    named = draw(st.lists(names, unique=True, min_size=fewest, max_size=3))
    optimizer = tuple(OptimizerTensor(name, draw(dtypes), draw(overs)) for name in named)
    weights = draw(st.one_of(st.just("fp32"), dtypes))
    accumulation = draw(st.one_of(st.none(), dtypes))
    return Recipe("", weights, draw(dtypes), optimizer, draw(dtypes), accumulation)


def divisors(n: int) -> st.SearchStrategy[int | None]:
    return st.one_of(st.none(), st.sampled_from([d for d in range(1, n + 1) if n % d == 0]))


@st.composite
def shardings(draw: st.DrawFn, workers: int, rules: tuple[str, ...]) -> Sharding:
    rule = draw(st.sampled_from(rules))
    options: dict[str, Any] = {}
    if rule != "torch-zero1":
        options["group"] = draw(divisors(workers))
        options["offload_optimizer"] = draw(st.sampled_from(TIERS))
        options["offload_weights"] = draw(st.sampled_from(TIERS))
    options["secondary_group"] = draw(divisors(workers))
    options["persistence_threshold"] = draw(st.integers(0, 60))
    return Sharding(rule, **options)


@st.composite
def scenarios(
    draw: st.DrawFn,
    *,
    rules: tuple[str, ...] = tuple(RULES),
    models: st.SearchStrategy[Model] | None = None,
    recipe: st.SearchStrategy[Recipe] | None = None,
    workers: st.SearchStrategy[int] = st.integers(1, 13),  # noqa: B008 (a strategy is a value)
) -> Scenario:
    model = draw(models if models is not None else st.one_of(LISTS, counts()))
    m = draw(st.sampled_from([1, 1, 1, 1, 1, 2, 3]))
    # What a partial state covers is defined by shapes only.
    partial = model.tensors is not None and m == 1
    n = draw(workers)
    return Scenario(
        "",
        model,
        draw(recipe if recipe is not None else recipes(partial)),
        Cluster(n, draw(st.integers(1, 30)), m),
        draw(shardings(n, rules)),
    )


def offered(scenario: Scenario) -> list[int]:
    """Stages that the scenario's rule has."""
    part = Slice.of(scenario)
    return [s for s in STAGES if part.rule.not_offered(s, part.known_shapes) is None]
