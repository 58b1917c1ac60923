"""Plans whose pictures and pages have to stay readable, ordinary and extreme ones."""

from dataclasses import replace

from tests.accounting.scenes import plan
from tests.planning.plans import FIGURE_1, H100, SEED, on
from zerogui.accounting.cluster import Cluster, Device
from zerogui.accounting.recipe import OptimizerTensor, Recipe
from zerogui.accounting.scenario import Scenario

TITLED = replace(on(FIGURE_1, H100), title="7.5B on 64 GPUs")

_MANY = Recipe(
    "R" * 1000,
    "fp32",
    "bf16",
    tuple(OptimizerTensor(f"tensor {i} {'x' * 900}", "int8-block256") for i in range(64)),
    accumulation="fp32",
)
_EXTREME = plan(10**18 - 3, "deepspeed", recipe=_MANY, frozen=3, stage=3, offload_optimizer="host")

PLANS: dict[str, Scenario] = {
    "seed": on(SEED, H100),
    "figure 1": TITLED,
    "no device": SEED,
    "FSDP2": on(plan(8_000_000_000, "fsdp2", 16, stage=3), H100),
    "not offered": on(plan(8_000_000_000, "fsdp2", 16, stage=1), H100),
    "groups": on(plan(8_030_261_248, workers=64, group=8, stage=3), H100),
    "nothing": plan(0),
    "one byte": on(plan(1), 3),
    "long names": replace(
        on(plan(70_000_000_000, stage=1, m=2, frozen=7), Device("W" * 1000, 24 * 10**9, 10**9)),
        title="A long title " * 70,
    ),
    "extreme": replace(
        _EXTREME,
        title="T" * 1000,
        cluster=Cluster(2**20, 8),
        device=Device("card " * 190, 10**18),
        model=replace(_EXTREME.model, name="m" * 1000),
    ),
    "markup": replace(TITLED, title="<b>&amp;</title><script>\x07\u202e"),
}
