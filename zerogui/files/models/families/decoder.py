"""What most decoders since Llama have in common."""

from zerogui.files.models.families.description import (
    LABELS,
    Fields,
    Layers,
    Rows,
    Sparse,
    embedding,
    linear,
    norm,
    on,
    rows,
    tensor,
)

SIZES = {
    "queries": "num_attention_heads * head_dim",
    "keys": "num_key_value_heads * head_dim",
}

# Each key and value head serves as many query heads.
GROUPED = ("num_attention_heads / num_key_value_heads",)

COMMON: Fields = {"num_labels": LABELS}


def attention(qkv_bias: str | bool = False, out_bias: str | bool = False) -> Rows:
    """Queries, keys, values and output."""
    return rows(
        linear("self_attn.q_proj", "queries", "hidden_size", bias=qkv_bias),
        linear("self_attn.k_proj", "keys", "hidden_size", bias=qkv_bias),
        linear("self_attn.v_proj", "keys", "hidden_size", bias=qkv_bias),
        linear("self_attn.o_proj", "hidden_size", "queries", bias=out_bias),
    )


def gated(name: str, size: str = "intermediate_size", *, bias: str | bool = False) -> Rows:
    """A feed-forward network with a gate, ``size`` wide inside."""
    return rows(
        linear(f"{name}.gate_proj", size, "hidden_size", bias=bias),
        linear(f"{name}.up_proj", size, "hidden_size", bias=bias),
        linear(f"{name}.down_proj", "hidden_size", size, bias=bias),
    )


def experts(count: str, size: str) -> Rows:
    """The fused weights of ``count`` gated experts, each ``size`` wide inside."""
    return rows(
        tensor("mlp.experts.gate_up_proj", count, f"2 * {size}", "hidden_size"),
        tensor("mlp.experts.down_proj", count, "hidden_size", size),
    )


def router(count: str) -> Rows:
    """What chooses among ``count`` experts."""
    return tensor("mlp.gate.weight", count, "hidden_size")


def mixture(*sparse: Rows, bias: str | bool = False) -> Rows:
    """Experts in the sparse layers; in the others a plain gated network, with a ``bias`` or not."""
    return rows(on("sparse", *sparse), on("dense", gated("mlp", bias=bias)))


NORMS = rows(
    norm("input_layernorm", "hidden_size"),
    norm("post_attention_layernorm", "hidden_size"),
)

FINAL_NORM = norm("norm", "hidden_size")


def body(
    *layer: Rows, last: Rows = FINAL_NORM, sparse: Sparse | None = None
) -> tuple[Rows | Layers, ...]:
    """Embeddings, layers, and the ``last`` norm."""
    return (
        embedding("embed_tokens", "vocab_size", "hidden_size"),
        Layers("layers.{i}", "num_hidden_layers", rows(*layer), sparse),
        last,
    )
