"""Llama, Mistral and Mixtral."""

from zerogui.files.models.families.decoder import (
    COMMON,
    GROUPED,
    NORMS,
    SIZES,
    attention,
    body,
    experts,
    gated,
    router,
)
from zerogui.files.models.families.description import (
    HEAD_DIM,
    KEY_VALUE_HEADS,
    Family,
    answer_head,
    decoder_heads,
    optional,
    token_head,
)

LLAMA = Family(
    name="llama",
    classes=("Llama", "LLaMA"),
    fields=COMMON
    | {
        "vocab_size": 32000,
        "hidden_size": 4096,
        "intermediate_size": 11008,
        "num_hidden_layers": 32,
        "num_attention_heads": 32,
        "num_key_value_heads": KEY_VALUE_HEADS,
        "head_dim": HEAD_DIM,
        "attention_bias": False,
        "mlp_bias": False,
        "tie_word_embeddings": False,
    },
    sizes=SIZES,
    body=body(attention("attention_bias", "attention_bias"), gated("mlp", bias="mlp_bias"), NORMS),
    heads=decoder_heads() | token_head() | answer_head(prefix="transformer."),
    divisible=GROUPED,
)

MISTRAL = Family(
    name="mistral",
    classes=("Mistral",),
    fields=COMMON
    | {
        "vocab_size": 32000,
        "hidden_size": 4096,
        "intermediate_size": 14336,
        "num_hidden_layers": 32,
        "num_attention_heads": 32,
        "num_key_value_heads": optional("num_attention_heads", 8),
        "head_dim": HEAD_DIM,
        "tie_word_embeddings": False,
    },
    sizes=SIZES,
    body=body(attention(), gated("mlp"), NORMS),
    heads=decoder_heads() | token_head() | answer_head(),
    divisible=GROUPED,
)

MIXTRAL = Family(
    name="mixtral",
    classes=("Mixtral",),
    fields={**MISTRAL.fields, "num_local_experts": 8},
    sizes=SIZES,
    body=body(
        attention(),
        router("num_local_experts"),
        experts("num_local_experts", "intermediate_size"),
        NORMS,
    ),
    heads=MISTRAL.heads,
    divisible=GROUPED,
)
