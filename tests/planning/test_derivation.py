"""The derivation: readable lines from the inputs to the bytes, in the paper's symbols."""

from zerogui.accounting.cluster import Cluster, Device
from zerogui.accounting.model import Model
from zerogui.accounting.recipe import OptimizerTensor, Recipe
from zerogui.accounting.scenario import Scenario
from zerogui.accounting.sharding import Sharding
from zerogui.planning.derivation import derivation
from zerogui.planning.resolve import resolve

FIGURE_1 = Model("7.5B", 7_500_000_000)


def lines(scenario: Scenario) -> list[str]:
    spaces = str.maketrans({"\u2009": ",", "\u00a0": " "})
    return [line.translate(spaces) for line in derivation(resolve(scenario))]


def test_figure_1_at_stage_2_reads_as_in_the_paper() -> None:
    plan = Scenario(
        model=FIGURE_1,
        cluster=Cluster(workers=64),
        sharding=Sharding(stage=2),
        device=Device("H100 80GB", 85_520_809_984, 20_000_000_000),
    )
    assert lines(plan) == [
        "Ψ = 7,500,000,000 parameters",
        "N_d = 64 workers",
        "K = 12 bytes: 4 master weights + 4 first moment + 4 second moment",
        "",
        "ZeRO-2 is the paper's P_os+g: 2·Ψ + (2 + K)·Ψ / N_d",
        "",
        "Rank 0 holds the most:",
        "  weights: 2 B × 7,500,000,000 elements = 15,000,000,000 B",
        "  = 15,000,000,000 B of parameters",
        "  gradients: 2 B × 117,187,500 elements (7,500,000,000 ÷ 64) = 234,375,000 B",
        "  = 234,375,000 B of gradients",
        "  master weights: 4 B × 117,187,500 elements (7,500,000,000 ÷ 64) = 468,750,000 B",
        "  first moment: 4 B × 117,187,500 elements (7,500,000,000 ÷ 64) = 468,750,000 B",
        "  second moment: 4 B × 117,187,500 elements (7,500,000,000 ÷ 64) = 468,750,000 B",
        "  = 1,406,250,000 B of optimizer",
        "",
        "Total: 16,640,625,000 B = 16.640625 GB",
        "Free: 85,520,809,984 − 20,000,000,000 reserve − 16,640,625,000 = 48,880,184,984 B",
        "Whole cluster: 1,065,000,000,000 B",
        "Sent by each rank in a step: 15,000,000,000 elements",
    ]


def test_the_paper_names_each_stage() -> None:
    names = ["baseline", "P_os", "P_os+g", "P_os+g+p"]
    for stage, name in enumerate(names):
        found = lines(Scenario(model=FIGURE_1, sharding=Sharding(stage=stage)))
        assert any(f"is the paper's {name}:" in line for line in found)


def test_other_widths_stand_in_the_papers_formula() -> None:
    recipe = Recipe("fp32", "fp32", "fp32", (OptimizerTensor("momentum", "fp32"),))
    found = lines(Scenario(model=FIGURE_1, recipe=recipe, sharding=Sharding(stage=1)))
    assert "K = 4 bytes: 4 momentum" in found
    assert "ZeRO-1 is the paper's P_os: (4 + 4)·Ψ + K·Ψ / N_d" in found


def test_padding_groups_tiers_and_model_parallel_are_told() -> None:
    plan = Scenario(
        model=Model("", 1_000_003),
        cluster=Cluster(workers=8, model_parallel=2),
        sharding=Sharding("deepspeed", 1, group=4, offload_optimizer="host"),
    )
    found = lines(plan)
    assert "N_d = 8 workers in shard groups of 4" in found
    assert "MP = 2: each GPU holds one part in 2 of the model, rounded up" in found
    # ⌈1,000,003 / 2⌉ = 500,002, rounded up to a multiple of 8: 500,008; 6 elements of padding a
    # tensor: once in the weights, three times in the optimizer.
    assert "Padding: 6 + 0 + 18 elements of parameters, gradients, optimizer" in found
    # 12 · 500,008 / 4 on the host; 2 · 500,008 + 2 · 500,002 on the device.
    assert "  of it 1,500,024 B on host" in found
    assert "  of it 2,000,020 B on device" in found


def test_a_stage_that_is_not_offered_says_why() -> None:
    plan = Scenario(model=FIGURE_1, sharding=Sharding("fsdp2", 2))
    assert lines(plan)[0].startswith("ZeRO-2 is not offered: ")
