"""Scenarios for the configs of engines: any at all, and such as a config can express."""

from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

from tests.accounting.strategies import counts, recipes, scenarios
from zerogui.accounting.cluster import Cluster, Device
from zerogui.accounting.model import Model, Tensor
from zerogui.accounting.recipe import OptimizerTensor, Recipe
from zerogui.accounting.scenario import Scenario
from zerogui.accounting.sharding import Sharding

MODEL = Model.of(
    "toy",
    (
        Tensor("wte", (100, 16)),
        Tensor("h.{i}.fc", (16, 64), False, 3),
        Tensor("h.{i}.norm", (16,), True, 3),
    ),
)


def tensors(*named: str, dtype: str = "fp32") -> tuple[OptimizerTensor, ...]:
    return tuple(OptimizerTensor(name, dtype) for name in named)


MASTER = tensors("master weights")
MOMENTS = tensors("first moment", "second moment")
LOW = tensors("master weights", "first moment", "second moment", dtype="bf16")
MUON = (
    OptimizerTensor("momentum", "fp32", "matrices"),
    OptimizerTensor("first moment", "fp32", "rest"),
    OptimizerTensor("second moment", "fp32", "rest"),
)

# (weights, optimizer tensors, the name under which a DeepSpeed config brings them back).
DEEPSPEED_RECIPES = (
    ("bf16", (*MASTER, *MOMENTS), "Mixed-precision Adam"),
    ("fp16", (*MASTER, *MOMENTS), "Custom"),
    ("fp32", MOMENTS, "fp32 AdamW"),
    ("bf16", (*MASTER, *tensors("momentum")), "SGD with momentum"),
    ("fp32", tensors("momentum"), "Custom"),
    ("bf16", (*MASTER, *tensors("momentum")), "Lion with fp32 momentum"),
    ("bf16", MASTER, "Custom"),
    ("fp32", (), "Custom"),
    ("bf16", (*MASTER, *tensors("sum of squares")), "Custom"),
    ("bf16", (*MASTER, *MUON), "Muon"),
    ("bf16", LOW, "Custom"),
)


def anything(rule: str) -> st.SearchStrategy[Scenario]:
    """Scenarios of ``rule`` at every stage, most of which no config expresses wholly."""
    return st.builds(
        lambda s, stage: replace(s, sharding=replace(s.sharding, stage=stage)),
        scenarios(rules=(rule,), recipe=recipes(partial=False)),
        st.integers(0, 3),
    )


def _divisors(n: int, least: int) -> list[int | None]:
    return [None, *(d for d in range(least, n + 1) if n % d == 0)]


@st.composite
def deepspeed_scenarios(draw: st.DrawFn) -> Scenario:
    """Scenarios that a DeepSpeed config expresses wholly."""
    model = draw(st.one_of(counts(), st.just(MODEL)))
    workers = draw(st.integers(1, 24))
    weights, optimizer, name = draw(st.sampled_from(DEEPSPEED_RECIPES))
    stage = draw(st.integers(1 if optimizer == LOW else 0, 3))
    accumulation = draw(st.sampled_from([None, weights] if stage == 0 else [None, "fp32", "bf16"]))
    if accumulation is not None:
        # The catalogue's recipes accumulate in place, so any other has no name of its own.
        name = name if name.startswith("Lion") else "Custom"
    frozen = weights if model.frozen_parameters else "bf16"
    offloads = {0: ["device"], 1: ["device", "host"], 2: ["device", "host"]}
    sharding = Sharding(
        "deepspeed",
        stage,
        None,
        draw(st.sampled_from(_divisors(workers, 2))),
        draw(st.integers(0, 10**18)),
        draw(st.sampled_from(offloads.get(stage, ["device", "host", "nvme"]))),
        draw(st.sampled_from(["device", "host", "nvme"])),
    )
    recipe = Recipe(name, weights, weights, optimizer, frozen, accumulation)
    return Scenario("a title", model, recipe, Cluster(workers), sharding, Device("gpu", 80))


@st.composite
def fsdp2_scenarios(draw: st.DrawFn) -> Scenario:
    """Scenarios that an Accelerate FSDP2 config expresses wholly."""
    model = draw(st.one_of(counts(), st.just(MODEL)))
    workers = draw(st.integers(1, 24))
    stage = draw(st.sampled_from([0, 3]))
    group = draw(st.sampled_from(_divisors(workers, 2))) if stage else None
    tier = draw(st.sampled_from(["device", "host"])) if stage else "device"
    recipe = Recipe("fp32 AdamW", "fp32", "fp32", MOMENTS)
    sharding = Sharding("fsdp2", stage, group, None, 0, tier, tier)
    return Scenario("", model, recipe, Cluster(workers, draw(st.integers(1, 9))), sharding)


def reset(scenario: Scenario) -> Scenario:
    """``scenario`` with sharding and recipe at their defaults."""
    return replace(scenario, sharding=Sharding(), recipe=Scenario().recipe)


def conforms(value: object, schema: Any) -> bool:
    """Whether ``value`` has only keys of ``schema``, types of its tuples, values of its sets."""
    if isinstance(schema, dict):
        return isinstance(value, dict) and all(
            key in schema and conforms(item, schema[key]) for key, item in value.items()
        )
    if isinstance(schema, set):
        return not isinstance(value, bool) and value in schema
    return type(value) in schema
