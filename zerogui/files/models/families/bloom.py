"""BLOOM."""

from zerogui.files.models.families.description import (
    LABELS,
    Family,
    Layers,
    answer_head,
    decoder_heads,
    embedding,
    layer_norm,
    linear,
    rows,
    token_head,
)

BLOOM = Family(
    name="bloom",
    classes=("Bloom",),
    fields={
        "vocab_size": 250880,
        "hidden_size": 64,
        "n_layer": 2,
        "n_head": 8,
        "tie_word_embeddings": True,
        "num_labels": LABELS,
    },
    body=(
        embedding("word_embeddings", "vocab_size", "hidden_size"),
        layer_norm("word_embeddings_layernorm", "hidden_size"),
        Layers(
            "h.{i}",
            "n_layer",
            rows(
                layer_norm("input_layernorm", "hidden_size"),
                linear(
                    "self_attention.query_key_value", "3 * hidden_size", "hidden_size", bias=True
                ),
                linear("self_attention.dense", "hidden_size", "hidden_size", bias=True),
                layer_norm("post_attention_layernorm", "hidden_size"),
                linear("mlp.dense_h_to_4h", "4 * hidden_size", "hidden_size", bias=True),
                linear("mlp.dense_4h_to_h", "hidden_size", "4 * hidden_size", bias=True),
            ),
        ),
        layer_norm("ln_f", "hidden_size"),
    ),
    heads=decoder_heads() | token_head("classifier") | answer_head(),
    prefix="transformer.",
    divisible=("hidden_size / n_head",),
)
