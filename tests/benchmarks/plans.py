"""The plans that the benchmarks edit."""

import json
from dataclasses import replace
from pathlib import Path

from zerogui.accounting.cluster import Cluster
from zerogui.accounting.scenario import Scenario
from zerogui.accounting.sharding import Sharding
from zerogui.files.models.model_config import read_model_config
from zerogui.planning.start import seed

DATA = Path(__file__).parents[1] / "data" / "architectures.jsonl"


def plan(kind: str) -> Scenario:
    """ "count": the seed on 64 workers; "405b": Llama-3.1 405B's tensors under fsdp2 on 4,096."""
    if kind == "count":
        return replace(seed(), cluster=Cluster(64))
    records = map(json.loads, DATA.read_text().splitlines())
    config = next(record["config"] for record in records if record["name"] == "llama-3.1-405b")
    return replace(
        seed(),
        model=read_model_config(config, "config.json").model,
        cluster=Cluster(4096),
        sharding=Sharding("fsdp2", 3),
    )
