"""StableLM, which may normalise the queries and keys of each head by itself."""

from zerogui.files.models.families.decoder import COMMON, GROUPED, attention, body, gated
from zerogui.files.models.families.description import (
    Family,
    decoder_heads,
    each,
    layer_norm,
    norm,
    optional,
    token_head,
    when,
)

STABLELM = Family(
    name="stablelm",
    classes=("StableLm",),
    fields=COMMON
    | {
        "vocab_size": 50304,
        "hidden_size": 2560,
        "intermediate_size": 6912,
        "num_hidden_layers": 32,
        "num_attention_heads": 32,
        "num_key_value_heads": optional("num_attention_heads", 32),
        "use_qkv_bias": False,
        "qk_layernorm": False,
        "use_parallel_residual": False,
        "tie_word_embeddings": False,
    },
    sizes={
        "head_size": "hidden_size / num_attention_heads",
        "queries": "num_attention_heads * head_size",
        "keys": "num_key_value_heads * head_size",
    },
    body=body(
        attention(qkv_bias="use_qkv_bias"),
        when(
            "qk_layernorm",
            each("num_attention_heads", norm("self_attn.q_layernorm.norms.{j}", "head_size")),
            each("num_key_value_heads", norm("self_attn.k_layernorm.norms.{j}", "head_size")),
        ),
        gated("mlp"),
        layer_norm("input_layernorm", "hidden_size"),
        when("not use_parallel_residual", layer_norm("post_attention_layernorm", "hidden_size")),
        last=layer_norm("norm", "hidden_size"),
    ),
    heads=decoder_heads() | token_head(),
    divisible=GROUPED,
)
