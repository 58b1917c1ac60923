"""A config.json of any known family gives the exact tensors of its model."""

import subprocess
import sys
from collections import Counter

import pytest

from tests.files.models.configs import every, of_record, opened, records, total, variants

GROUPS = {str(label): f"LABEL_{label}" for label in range(1000)}

# What each published config must say, because its family's default is another.
NEEDED = {
    "gpt2": "",
    "gpt-neo-2.7B": "hidden_size num_heads num_layers",
    "gpt-j-6b": "",
    "pythia-6.9b": "hidden_size intermediate_size num_hidden_layers",
    "opt-6.7b": "hidden_size ffn_dim num_hidden_layers num_attention_heads",
    "bloom-7b1": "hidden_size n_layer",
    "falcon-7b": "",
    "llama-2-7b": "",
    "llama-3-8b": "vocab_size intermediate_size num_key_value_heads",
    "llama-3.1-405b": "vocab_size hidden_size intermediate_size num_hidden_layers"
    " num_attention_heads num_key_value_heads",
    "mistral-7b": "",
    "mixtral-8x7b": "",
    "qwen2.5-0.5b": "hidden_size intermediate_size num_hidden_layers num_attention_heads"
    " num_key_value_heads tie_word_embeddings",
    "qwen2.5-7b": "vocab_size hidden_size intermediate_size num_hidden_layers"
    " num_attention_heads num_key_value_heads",
    "qwen1.5-moe-a2.7b": "",
    "qwen3-8b": "intermediate_size num_hidden_layers num_key_value_heads",
    "qwen3-30b-a3b": "num_hidden_layers head_dim",
    "gemma-2b": "hidden_size intermediate_size num_hidden_layers num_attention_heads"
    " num_key_value_heads",
    "gemma-3-1b": "vocab_size hidden_size intermediate_size num_attention_heads"
    " num_key_value_heads",
    "phi-2": "hidden_size intermediate_size num_hidden_layers",
    "phi-3-mini": "",
    "stablelm-3b": "",
    "olmo-7b": "",
    "deepseek-v3": "",
    "gpt-oss-20b": "num_hidden_layers num_local_experts",
    "bert-base-uncased": "",
    "t5-3b": "d_model d_kv d_ff num_layers num_heads",
    "vit-l-16": "hidden_size intermediate_size num_hidden_layers num_attention_heads",
}


@pytest.mark.parametrize("name", NEEDED)
def test_a_published_config_gives_every_tensor_of_its_model(name: str) -> None:
    record = records()[name]
    model = opened(**record["config"])
    assert Counter(every(model)) == Counter(of_record(record))
    assert model.model.parameters == record["parameters"]
    assert model.model.frozen_parameters == 0
    assert model.family == record["config"]["model_type"]


def test_every_record_is_tried() -> None:
    assert set(NEEDED) == set(records())


@pytest.mark.parametrize("name", NEEDED)
def test_a_config_that_says_only_what_differs_gives_the_same_tensors(name: str) -> None:
    record = records()[name]
    config = record["config"]
    said = {key: config[key] for key in ("model_type", *NEEDED[name].split())}
    model = opened(**said)
    assert Counter(every(model)) == Counter(of_record(record))
    assumed = dict(line.split(" = ") for line in model.assumed)
    assert assumed.pop("architectures") == config["architectures"][0]
    assert not set(assumed) & set(said)


@pytest.mark.parametrize("name", NEEDED)
def test_the_list_is_short_and_follows_the_model(name: str) -> None:
    tensors = opened(**records()[name]["config"]).model.tensors
    assert tensors is not None
    # DeepSeek's experts begin in layer 3, which a count cannot say.
    assert len(tensors) <= (400 if name == "deepseek-v3" else 40)
    firsts = [t.name.replace("{i}", "0") for t in tensors]
    order = [tensor for tensor, _ in of_record(records()[name])]
    assert firsts == sorted(firsts, key=order.index)


@pytest.mark.parametrize("name", variants())
def test_every_class_of_every_family_has_its_tensors_under_odd_settings(name: str) -> None:
    record = variants()[name]
    model = opened(**record["config"])
    assert Counter(every(model)) == Counter(of_record(record))
    assert model.model.parameters == record["parameters"]
    assert sorted(model.tied) == sorted(record["tied"])


PUBLISHED = [
    ("Llama-3.1 405B", 405_853_388_800, "llama-3.1-405b"),
    ("Mixtral 8x7B", 46_702_792_704, "mixtral-8x7b"),
    ("DeepSeek-V3", 671_026_404_352, "deepseek-v3"),
    ("Qwen3-30B-A3B", 30_532_122_624, "qwen3-30b-a3b"),
    ("GPT-2", 124_439_808, "gpt2"),
    ("T5 3B", 2_851_598_336, "t5-3b"),
    ("BERT base", 109_514_298, "bert-base-uncased"),
]


@pytest.mark.parametrize(("called", "parameters", "name"), PUBLISHED)
def test_known_models_have_their_published_counts(called: str, parameters: int, name: str) -> None:
    assert total(**records()[name]["config"]) == parameters


def test_bert_without_a_head_has_a_pooler_instead() -> None:
    model = opened(model_type="bert", architectures=["BertModel"])
    assert model.model.parameters == 109_482_240
    assert ("pooler.dense.weight", (768, 768)) in every(model)


# Totals of published checkpoints that the records lack, with what their configs say.
OTHERS = [
    (2_614_341_888, {"model_type": "gemma2"}),  # Gemma 2 2B
    (7_298_617_344, {"model_type": "olmo2", "vocab_size": 100352}),  # OLMo 2 7B
    (3_030_371_328, {"model_type": "starcoder2"}),  # StarCoder2 3B
    (116_829_156_672, {"model_type": "gpt_oss"}),  # gpt-oss 120b
    (109_483_778, {"model_type": "bert", "architectures": ["BertForSequenceClassification"]}),
    (86_567_656, {"model_type": "vit", "id2label": GROUPS}),  # ViT B/16 on ImageNet
    (86_389_248, {"model_type": "vit", "architectures": ["ViTModel"]}),  # its body
    (
        15_706_484_224,  # DeepSeek-V2-Lite
        {
            "model_type": "deepseek_v2",
            "hidden_size": 2048,
            "intermediate_size": 10944,
            "moe_intermediate_size": 1408,
            "num_hidden_layers": 27,
            "num_attention_heads": 16,
            "first_k_dense_replace": 1,
            "moe_layer_freq": 1,
            "q_lora_rank": None,
        },
    ),
    (
        235_741_434_880,  # DeepSeek-V2
        {
            "model_type": "deepseek_v2",
            "hidden_size": 5120,
            "intermediate_size": 12288,
            "moe_intermediate_size": 1536,
            "num_hidden_layers": 60,
            "num_attention_heads": 128,
            "first_k_dense_replace": 1,
            "n_routed_experts": 160,
        },
    ),
    (
        331_196_416,  # OPT 350M: smaller embeddings, no last norm
        {
            "model_type": "opt",
            "hidden_size": 1024,
            "ffn_dim": 4096,
            "num_hidden_layers": 24,
            "num_attention_heads": 16,
            "word_embed_proj_dim": 512,
            "do_layer_norm_before": False,
        },
    ),
    (
        12_247_782_400,  # Mistral NeMo: heads narrower than hidden / heads
        {
            "model_type": "mistral",
            "vocab_size": 131072,
            "hidden_size": 5120,
            "num_hidden_layers": 40,
            "head_dim": 128,
        },
    ),
    (
        12_143_185_920,  # StableLM 2 12B: norms of single heads
        {
            "model_type": "stablelm",
            "vocab_size": 100352,
            "hidden_size": 5120,
            "intermediate_size": 13824,
            "num_hidden_layers": 40,
            "num_key_value_heads": 8,
            "qk_layernorm": True,
            "use_parallel_residual": True,
        },
    ),
    (
        2_849_757_184,  # Flan-T5 XL: version 1.1 has a head of its own
        {
            "model_type": "t5",
            "d_model": 2048,
            "d_ff": 5120,
            "num_layers": 24,
            "num_heads": 32,
            "feed_forward_proj": "gated-gelu",
            "tie_word_embeddings": False,
        },
    ),
]


@pytest.mark.parametrize(("parameters", "config"), OTHERS)
def test_other_published_models_have_their_counts(
    parameters: int, config: dict[str, object]
) -> None:
    assert total(**config) == parameters


def test_a_small_model_is_counted_as_by_hand() -> None:
    # Embeddings 10·8 and head 10·8; two layers of: q 8·8, k and v 4·8, o 8·8, three of 6·8 in the
    # feed-forward network, two norms of 8; a last norm of 8.
    config = {
        "model_type": "llama",
        "vocab_size": 10,
        "hidden_size": 8,
        "intermediate_size": 6,
        "num_hidden_layers": 2,
        "num_attention_heads": 2,
        "num_key_value_heads": 1,
    }
    layer = 64 + 32 + 32 + 64 + 3 * 48 + 2 * 8
    assert total(**config) == 80 + 2 * layer + 8 + 80
    biases = (8 + 4 + 4 + 8) + (6 + 6 + 8)
    assert total(**config, attention_bias=True, mlp_bias=True) == 168 + 2 * (layer + biases)


def test_reading_a_scenario_loads_no_family() -> None:
    script = (
        "import sys, zerogui.cli, zerogui.files.scenario, zerogui.planning.resolve;"
        "print(*[m for m in sys.modules if 'families' in m or 'model_config' in m])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)
    assert done.stdout.strip() == b""


def test_opening_a_config_loads_its_family_alone() -> None:
    script = (
        "import sys;"
        "from zerogui.files.models.model_config import read_model_config;"
        "read_model_config({'model_type': 'bert'}, 'config.json');"
        "print(*sorted(m.rpartition('.')[2] for m in sys.modules if 'families.' in m))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)
    assert done.stdout.split() == [b"bert", b"description", b"expand", b"kinds", b"values"]
