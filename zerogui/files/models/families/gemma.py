"""Gemma, Gemma 2 and the text part of Gemma 3."""

from zerogui.files.models.families.decoder import (
    COMMON,
    GROUPED,
    NORMS,
    SIZES,
    attention,
    body,
    gated,
)
from zerogui.files.models.families.description import (
    Family,
    Fields,
    decoder_heads,
    norm,
    optional,
    rows,
    token_head,
)

_HEADS: Fields = {
    "head_dim": optional("hidden_size / num_attention_heads", 256),
    "attention_bias": False,
    "tie_word_embeddings": True,
}

_ATTENTION = attention("attention_bias", "attention_bias")

_FOUR_NORMS = rows(
    NORMS,
    norm("pre_feedforward_layernorm", "hidden_size"),
    norm("post_feedforward_layernorm", "hidden_size"),
)

GEMMA = Family(
    name="gemma",
    classes=("Gemma",),
    fields=COMMON
    | _HEADS
    | {
        "vocab_size": 256000,
        "hidden_size": 3072,
        "intermediate_size": 24576,
        "num_hidden_layers": 28,
        "num_attention_heads": 16,
        "num_key_value_heads": optional("num_attention_heads", 16),
    },
    sizes=SIZES,
    body=body(_ATTENTION, gated("mlp"), NORMS),
    heads=decoder_heads() | token_head(),
    divisible=GROUPED,
)

GEMMA2 = Family(
    name="gemma2",
    classes=("Gemma2",),
    fields=COMMON
    | _HEADS
    | {
        "vocab_size": 256000,
        "hidden_size": 2304,
        "intermediate_size": 9216,
        "num_hidden_layers": 26,
        "num_attention_heads": 8,
        "num_key_value_heads": optional("num_attention_heads", 4),
    },
    sizes=SIZES,
    body=body(_ATTENTION, gated("mlp"), _FOUR_NORMS),
    heads=decoder_heads() | token_head(),
    divisible=GROUPED,
)

GEMMA3_TEXT = Family(
    name="gemma3_text",
    classes=("Gemma3", "Gemma3Text"),
    fields={**GEMMA2.fields, "vocab_size": 262208},
    sizes=SIZES,
    body=body(
        _ATTENTION,
        norm("self_attn.q_norm", "head_dim"),
        norm("self_attn.k_norm", "head_dim"),
        gated("mlp"),
        _FOUR_NORMS,
    ),
    heads=decoder_heads(),
    divisible=GROUPED,
)
