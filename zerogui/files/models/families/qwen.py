"""Qwen 2 and 3, dense and with experts."""

from zerogui.files.models.families.decoder import (
    COMMON,
    GROUPED,
    NORMS,
    SIZES,
    attention,
    body,
    experts,
    gated,
    mixture,
    router,
)
from zerogui.files.models.families.description import (
    UNDECLARED_HEAD_DIM,
    Family,
    Field,
    Fields,
    Sparse,
    answer_head,
    decoder_heads,
    linear,
    norm,
    optional,
    rows,
    token_head,
)

_QUERY_AND_KEY_NORMS = rows(
    norm("self_attn.q_norm", "head_dim"), norm("self_attn.k_norm", "head_dim")
)

_DENSE: Fields = COMMON | {
    "vocab_size": 151936,
    "hidden_size": 4096,
    "intermediate_size": 22016,
    "num_hidden_layers": 32,
    "num_attention_heads": 32,
    "num_key_value_heads": optional("num_attention_heads", 32),
    "tie_word_embeddings": False,
}

_MIXED: Fields = COMMON | {
    "vocab_size": 151936,
    "hidden_size": 2048,
    "num_hidden_layers": 24,
    "head_dim": UNDECLARED_HEAD_DIM,
    "tie_word_embeddings": False,
    "decoder_sparse_step": 1,
    "mlp_only_layers": Field(None, kind="indices"),
}


def _sparse(experts: str) -> Sparse:
    return Sparse(step="decoder_sparse_step", dense="mlp_only_layers", experts=experts)


QWEN2 = Family(
    name="qwen2",
    classes=("Qwen2",),
    fields=_DENSE | {"head_dim": UNDECLARED_HEAD_DIM},
    sizes=SIZES,
    body=body(attention(qkv_bias=True), gated("mlp"), NORMS),
    heads=decoder_heads() | token_head() | answer_head(prefix="transformer."),
    divisible=GROUPED,
)

QWEN3 = Family(
    name="qwen3",
    classes=("Qwen3",),
    fields=_DENSE
    | {
        "head_dim": optional("hidden_size / num_attention_heads", 128),
        "attention_bias": False,
    },
    sizes=SIZES,
    body=body(
        attention("attention_bias", "attention_bias"), _QUERY_AND_KEY_NORMS, gated("mlp"), NORMS
    ),
    heads=QWEN2.heads,
    divisible=GROUPED,
)

QWEN2_MOE = Family(
    name="qwen2_moe",
    classes=("Qwen2Moe",),
    fields=_MIXED
    | {
        "intermediate_size": 5632,
        "num_attention_heads": 16,
        "num_key_value_heads": optional("num_attention_heads", 16),
        "num_experts": Field(60, least=0),
        "moe_intermediate_size": 1408,
        "shared_expert_intermediate_size": 5632,
        "qkv_bias": True,
    },
    sizes=SIZES,
    body=body(
        attention(qkv_bias="qkv_bias"),
        mixture(
            router("num_experts"),
            experts("num_experts", "moe_intermediate_size"),
            gated("mlp.shared_expert", "shared_expert_intermediate_size"),
            linear("mlp.shared_expert_gate", "1", "hidden_size"),
        ),
        NORMS,
        sparse=_sparse("num_experts"),
    ),
    heads=decoder_heads() | token_head() | answer_head(),
    divisible=GROUPED,
)

QWEN3_MOE = Family(
    name="qwen3_moe",
    classes=("Qwen3Moe",),
    fields=_MIXED
    | {
        "intermediate_size": 6144,
        "num_attention_heads": 32,
        "num_key_value_heads": optional("num_attention_heads", 4),
        "num_experts": Field(128, least=0),
        "moe_intermediate_size": 768,
        "attention_bias": False,
    },
    sizes=SIZES,
    body=body(
        attention("attention_bias", "attention_bias"),
        _QUERY_AND_KEY_NORMS,
        mixture(experts("num_experts", "moe_intermediate_size"), router("num_experts")),
        NORMS,
        sparse=_sparse("num_experts"),
    ),
    heads=QWEN2.heads,
    divisible=GROUPED,
)
