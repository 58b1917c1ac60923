"""DeepSeek V2 and V3: low-rank attention, and experts after the first layers."""

from zerogui.files.models.families.decoder import (
    COMMON,
    NORMS,
    body,
    experts,
    gated,
    mixture,
    router,
)
from zerogui.files.models.families.description import (
    Family,
    Field,
    Fields,
    Rows,
    Sparse,
    decoder_heads,
    linear,
    norm,
    optional,
    rows,
    token_head,
    when,
)

_FIELDS: Fields = COMMON | {
    "kv_lora_rank": 512,
    "q_lora_rank": optional(default=1536),
    "qk_nope_head_dim": 128,
    "qk_rope_head_dim": 64,
    "v_head_dim": 128,
    "attention_bias": False,
    "tie_word_embeddings": False,
}

_SIZES = {
    "queries": "num_attention_heads * qk_nope_head_dim + num_attention_heads * qk_rope_head_dim",
    "keys_values": "num_attention_heads * qk_nope_head_dim + num_attention_heads * v_head_dim",
    "values": "num_attention_heads * v_head_dim",
    "shared_size": "n_shared_experts * moe_intermediate_size",
}

_ATTENTION = rows(
    when("not q_lora_rank", linear("self_attn.q_proj", "queries", "hidden_size")),
    when(
        "q_lora_rank",
        linear("self_attn.q_a_proj", "q_lora_rank", "hidden_size", bias="attention_bias"),
        norm("self_attn.q_a_layernorm", "q_lora_rank"),
        linear("self_attn.q_b_proj", "queries", "q_lora_rank"),
    ),
    linear(
        "self_attn.kv_a_proj_with_mqa",
        "kv_lora_rank + qk_rope_head_dim",
        "hidden_size",
        bias="attention_bias",
    ),
    norm("self_attn.kv_a_layernorm", "kv_lora_rank"),
    linear("self_attn.kv_b_proj", "keys_values", "kv_lora_rank"),
    linear("self_attn.o_proj", "hidden_size", "values", bias="attention_bias"),
)

_EXPERTS = rows(experts("n_routed_experts", "moe_intermediate_size"), router("n_routed_experts"))


def _shared(bias: str | bool) -> Rows:
    return when("n_shared_experts", gated("mlp.shared_experts", "shared_size", bias=bias))


_LAYERS = Sparse(first="first_k_dense_replace")

DEEPSEEK_V2 = Family(
    name="deepseek_v2",
    classes=("DeepseekV2",),
    fields=_FIELDS
    | {
        "vocab_size": 102400,
        "hidden_size": 4096,
        "intermediate_size": 11008,
        "num_hidden_layers": 32,
        "num_attention_heads": 32,
        "moe_intermediate_size": 1407,
        "n_routed_experts": 64,
        "n_shared_experts": optional(default=2, least=0),
        "first_k_dense_replace": Field(0, least=0),
        "mlp_bias": False,
    },
    sizes=_SIZES,
    body=body(
        _ATTENTION,
        mixture(_EXPERTS, _shared("mlp_bias"), bias="mlp_bias"),
        NORMS,
        sparse=_LAYERS,
    ),
    heads=decoder_heads(),
    only={"moe_layer_freq": 1},
)

DEEPSEEK_V3 = Family(
    name="deepseek_v3",
    classes=("DeepseekV3",),
    fields=_FIELDS
    | {
        "vocab_size": 129280,
        "hidden_size": 7168,
        "intermediate_size": 18432,
        "num_hidden_layers": 61,
        "num_attention_heads": 128,
        "moe_intermediate_size": 2048,
        "n_routed_experts": 256,
        "n_shared_experts": optional(default=1, least=0),
        "first_k_dense_replace": Field(3, least=0),
    },
    sizes=_SIZES,
    body=body(_ATTENTION, mixture(_EXPERTS, _shared(False)), NORMS, sparse=_LAYERS),
    heads=decoder_heads() | token_head(),
    only={"moe_layer_freq": 1},
)
