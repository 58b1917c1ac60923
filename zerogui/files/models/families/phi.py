"""Phi (1, 1.5 and 2) and Phi 3."""

from zerogui.files.models.families.decoder import COMMON, GROUPED, NORMS, SIZES, body
from zerogui.files.models.families.description import (
    KEY_VALUE_HEADS,
    UNDECLARED_HEAD_DIM,
    Family,
    Fields,
    decoder_heads,
    layer_norm,
    linear,
    rows,
    token_head,
    when,
)

_HEADS: Fields = {
    "num_attention_heads": 32,
    "num_key_value_heads": KEY_VALUE_HEADS,
    "head_dim": UNDECLARED_HEAD_DIM,
    "tie_word_embeddings": False,
}

PHI = Family(
    name="phi",
    classes=("Phi",),
    fields=COMMON
    | _HEADS
    | {
        "vocab_size": 51200,
        "hidden_size": 2048,
        "intermediate_size": 8192,
        "num_hidden_layers": 24,
        "qk_layernorm": False,
    },
    sizes={**SIZES, "head_size": "hidden_size / num_attention_heads"},
    body=body(
        linear("self_attn.q_proj", "queries", "hidden_size", bias=True),
        linear("self_attn.k_proj", "keys", "hidden_size", bias=True),
        linear("self_attn.v_proj", "keys", "hidden_size", bias=True),
        linear("self_attn.dense", "hidden_size", "queries", bias=True),
        when(
            "qk_layernorm",
            layer_norm("self_attn.q_layernorm", "head_size"),
            layer_norm("self_attn.k_layernorm", "head_size"),
        ),
        linear("mlp.fc1", "intermediate_size", "hidden_size", bias=True),
        linear("mlp.fc2", "hidden_size", "intermediate_size", bias=True),
        layer_norm("input_layernorm", "hidden_size"),
        last=layer_norm("final_layernorm", "hidden_size"),
    ),
    heads=decoder_heads(bias=True) | token_head(),
    divisible=GROUPED,
)

PHI3 = Family(
    name="phi3",
    classes=("Phi3",),
    fields=COMMON
    | _HEADS
    | {
        "vocab_size": 32064,
        "hidden_size": 3072,
        "intermediate_size": 8192,
        "num_hidden_layers": 32,
    },
    sizes=SIZES,
    body=body(
        rows(
            linear("self_attn.o_proj", "hidden_size", "queries"),
            linear("self_attn.qkv_proj", "queries + 2 * keys", "hidden_size"),
            linear("mlp.gate_up_proj", "2 * intermediate_size", "hidden_size"),
            linear("mlp.down_proj", "hidden_size", "intermediate_size"),
        ),
        NORMS,
    ),
    heads=decoder_heads() | token_head(),
    divisible=GROUPED,
)
