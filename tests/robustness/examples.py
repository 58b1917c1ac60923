"""Valid examples of every format that the program reads."""

import json
from functools import cache
from pathlib import Path

from tests.files.models.safetensors_files import entry, file_of
from zerogui.accounting.cluster import Cluster, Device
from zerogui.accounting.model import Model, Tensor
from zerogui.accounting.recipe import OptimizerTensor, Recipe
from zerogui.accounting.scenario import Scenario
from zerogui.accounting.sharding import Sharding
from zerogui.files.comparison import NamedScenarios
from zerogui.files.comparison import encode as encode_comparison
from zerogui.files.scenario import encode

DATA = Path(__file__).parents[1] / "data"

_H100 = Device("H100 80GB", 85_520_809_984, 2 * 10**9)
LISTED = Model.of(
    "listed",
    (
        Tensor("embed.weight", (1000, 64)),
        Tensor("layers.{i}.w", (64, 64), count=4),
        Tensor("layers.{i}.b", (64,), True, 4),
        Tensor("scale", ()),
    ),
)
_MUON = Recipe(
    "Muon",
    "bf16",
    "bf16",
    (OptimizerTensor("momentum", "fp32", "matrices"), OptimizerTensor("m", "int8-block256")),
    "nf4-double",
    "fp32",
)
_PLANS = (
    Scenario(),
    Scenario("7.5B on 64", Model("7.5B", 7_500_000_000), cluster=Cluster(64), device=_H100),
    Scenario("listed", LISTED, _MUON, Cluster(8, 8, 2), Sharding("deepspeed", 3, 4, 2, 1000)),
    Scenario("fsdp", LISTED, cluster=Cluster(6), sharding=Sharding("fsdp2", 3), device=_H100),
    Scenario("torch", LISTED, _MUON, Cluster(5), Sharding("torch-zero1", 1)),
    Scenario(
        "offload",
        Model("big", 10**12, 10**11),
        cluster=Cluster(1024),
        sharding=Sharding("deepspeed", 2, None, None, 0, "host", "device"),
        device=_H100,
    ),
)
SCENARIOS = (
    *(encode(plan) for plan in _PLANS),
    b'{"format": "zerogui/scenario", "version": 1, "model": {"parameters": 8}}',
)
COMPARISONS = (
    encode_comparison(NamedScenarios()),
    encode_comparison(NamedScenarios((("a", _PLANS[1]), ("b", _PLANS[2])), 1)),
)


@cache
def model_configs() -> tuple[bytes, ...]:
    """The configs of published models of every known family."""
    lines = (DATA / "architectures.jsonl").read_text(encoding="utf-8").splitlines()
    return tuple(json.dumps(json.loads(line)["config"]).encode() for line in lines)


DEEPSPEED = (
    b"""{"bf16": {"enabled": true}, "train_micro_batch_size_per_gpu": 4,
"optimizer": {"type": "AdamW", "params": {"lr": 3e-5, "betas": [0.9, 0.95]}},
"zero_optimization": {"stage": 3, "overlap_comm": true,
"offload_optimizer": {"device": "cpu", "pin_memory": true},
"offload_param": {"device": "nvme", "nvme_path": "/nvme", "max_in_cpu": 1e9},
"stage3_param_persistence_threshold": 1e6, "zero_hpz_partition_size": 4}}""",
    b'{"train_batch_size": "auto", "fp16": {"enabled": "auto"}, "zero_optimization": true}',
    b'{"zero_optimization": {"stage": 2, "cpu_offload": true, "mics_shard_size": 2},'
    b' "data_types": {"grad_accum_dtype": "fp32"}, "optimizer": {"type": "SGD", "params":'
    b' {"momentum": 0.9}}, "gradient_accumulation_steps": 1, "fp16": {"enabled": true}}',
)
ACCELERATE = (
    b"""compute_environment: LOCAL_MACHINE
debug: false
distributed_type: FSDP
downcast_bf16: 'no'
fsdp_config:
  fsdp_activation_checkpointing: true
  fsdp_offload_params: true
  fsdp_reshard_after_forward: true
  fsdp_version: 2
mixed_precision: bf16
num_machines: 2
num_processes: 16
""",
    b"""distributed_type: DEEPSPEED
deepspeed_config:
  gradient_accumulation_steps: 1
  offload_optimizer_device: cpu
  offload_param_device: nvme
  zero3_init_flag: true
  zero_stage: 3
mixed_precision: fp16
num_processes: 8
""",
    b"distributed_type: MULTI_GPU\nnum_processes: 4\nmixed_precision: 'no'\n",
    b"""distributed_type: FSDP
fsdp_config: {fsdp_version: 2, fsdp_sharding_strategy: HYBRID_SHARD}
parallelism_config:
  parallelism_config_dp_replicate_size: 2
  parallelism_config_dp_shard_size: 4
  parallelism_config_tp_size: 1
num_processes: 8
""",
)
_HEADER = {
    "__metadata__": {"format": "pt"},
    "model.layers.0.w": entry("BF16", [2, 3], 0, 12),
    "model.layers.1.w": entry("BF16", [2, 3], 12, 24),
    "lm_head.weight": entry("F32", [2], 24, 32),
    "position_ids": entry("I64", [1], 32, 40),
}
HEADERS = (file_of(_HEADER, 40), file_of({"a": entry("F4", [4], 0, 2)}, 2))
ADAPTER = (
    file_of({"w1.lora_A": entry("F32", [2], 0, 8), "w1": entry("F32", [1], 8, 12)}, 12),
    file_of({"layers.0.w": entry("F32", [2], 0, 8)}, 8),
)
INDEX = (
    json.dumps(
        {
            "metadata": {"total_size": 48},
            "weight_map": {f"w{k}": f"model-0000{k}-of-00002.safetensors" for k in (1, 2)},
        }
    ).encode(),
)
SETTINGS = (
    json.dumps(
        {
            "format": "zerogui/settings",
            "version": 1,
            "recent": ["/a/plan.zerogui.json", "/b"],
            "theme": "dark",
            "text_percent": 120,
            "unit": "GiB",
        }
    ).encode(),
)
TEXTS = tuple(
    text.encode()
    for text in ("7B", "7.5e9", "7,000,000,000", "80 GiB", "1\u202f000", "-3", "0.5 TB", "7,5")
)
PATTERNS = tuple(text.encode() for text in ("20K", "0.5%", "*.w, scale", "layers.[0-2].?"))
ARGUMENTS = (b"plan.json\n--unit\nGiB", b"--format\ncsv\nx", b"--help")
