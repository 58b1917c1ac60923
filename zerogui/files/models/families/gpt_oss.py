"""gpt-oss, whose experts have biases and lie [in, out]."""

from zerogui.files.models.families.decoder import COMMON, GROUPED, NORMS, SIZES, attention, body
from zerogui.files.models.families.description import (
    Family,
    decoder_heads,
    linear,
    optional,
    tensor,
    token_head,
)

GPT_OSS = Family(
    name="gpt_oss",
    classes=("GptOss",),
    fields=COMMON
    | {
        "vocab_size": 201088,
        "hidden_size": 2880,
        "intermediate_size": 2880,
        "num_hidden_layers": 36,
        "num_attention_heads": 64,
        "num_key_value_heads": optional("num_attention_heads", 8),
        "head_dim": optional("hidden_size / num_attention_heads", 64),
        "num_local_experts": 128,
        "attention_bias": True,
        "tie_word_embeddings": False,
    },
    sizes={**SIZES, "gate_up": "2 * intermediate_size"},
    body=body(
        tensor("self_attn.sinks", "num_attention_heads"),
        attention("attention_bias", "attention_bias"),
        linear("mlp.router", "num_local_experts", "hidden_size", bias=True),
        tensor("mlp.experts.gate_up_proj", "num_local_experts", "hidden_size", "gate_up"),
        tensor("mlp.experts.gate_up_proj_bias", "num_local_experts", "gate_up"),
        tensor("mlp.experts.down_proj", "num_local_experts", "intermediate_size", "hidden_size"),
        tensor("mlp.experts.down_proj_bias", "num_local_experts", "hidden_size"),
        NORMS,
    ),
    heads=decoder_heads() | token_head(),
    divisible=GROUPED,
)
