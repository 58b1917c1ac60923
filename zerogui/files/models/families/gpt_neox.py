"""GPT-NeoX and Pythia."""

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

GPT_NEOX = Family(
    name="gpt_neox",
    classes=("GPTNeoX",),
    fields={
        "vocab_size": 50432,
        "hidden_size": 6144,
        "intermediate_size": 24576,
        "num_hidden_layers": 44,
        "num_attention_heads": 64,
        "attention_bias": True,
        "tie_word_embeddings": False,
        "num_labels": LABELS,
    },
    body=(
        embedding("embed_in", "vocab_size", "hidden_size"),
        Layers(
            "layers.{i}",
            "num_hidden_layers",
            rows(
                layer_norm("input_layernorm", "hidden_size"),
                layer_norm("post_attention_layernorm", "hidden_size"),
                linear(
                    "attention.query_key_value",
                    "3 * hidden_size",
                    "hidden_size",
                    bias="attention_bias",
                ),
                linear("attention.dense", "hidden_size", "hidden_size", bias="attention_bias"),
                linear("mlp.dense_h_to_4h", "intermediate_size", "hidden_size", bias=True),
                linear("mlp.dense_4h_to_h", "hidden_size", "intermediate_size", bias=True),
            ),
        ),
        layer_norm("final_layer_norm", "hidden_size"),
    ),
    heads=decoder_heads() | token_head("classifier") | answer_head(),
    prefix="gpt_neox.",
    divisible=("hidden_size / num_attention_heads",),
)
