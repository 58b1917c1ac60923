"""The one line that stands for the inputs while presenting."""

from dataclasses import replace

from zerogui.accounting.cluster import Cluster
from zerogui.accounting.sharding import Sharding
from zerogui.planning.inputs import inputs_line
from zerogui.planning.start import seed


def test_a_plain_plan_is_told_by_its_size_recipe_workers_stage_rule_and_device() -> None:
    assert inputs_line(seed(), "GB").replace("\u00a0", " ") == (
        "1 B parameters · Mixed-precision Adam · 4 workers · DDP · Even split (ZeRO paper)"
        " · H100 80GB"
    )


def test_what_is_not_as_usual_is_told_too() -> None:
    sharding = Sharding("deepspeed", 3, group=8, offload_optimizer="host")
    scenario = replace(seed(), cluster=Cluster(16, 8, 2), sharding=sharding, device=None)
    told = inputs_line(scenario, "GB").split(" · ")
    assert told[2:] == [
        "16 workers",
        "model parallel M 2",
        "ZeRO-3",
        "DeepSpeed",
        "shard group 8",
        "optimizer on host",
        "no device",
    ]
