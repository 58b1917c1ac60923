"""Falcon, also under its first names RefinedWeb (40B) and RefinedWebModel (7B)."""

from dataclasses import replace

from zerogui.files.models.families.description import (
    LABELS,
    Family,
    Layers,
    answer_head,
    decoder_heads,
    embedding,
    layer_norm,
    linear,
    optional,
    rows,
    token_head,
    when,
)

FALCON = Family(
    name="falcon",
    classes=("Falcon", "RW"),
    fields={
        "vocab_size": 65024,
        "hidden_size": 4544,
        "num_hidden_layers": 32,
        "num_attention_heads": 71,
        "num_kv_heads": optional("num_attention_heads"),
        "ffn_hidden_size": optional("4 * hidden_size"),
        "num_ln_in_parallel_attn": optional("usual_norms"),
        "new_decoder_architecture": False,
        "multi_query": True,
        "parallel_attn": True,
        "bias": False,
        "tie_word_embeddings": True,
        "num_labels": LABELS,
    },
    sizes={
        "head_dim": "hidden_size / num_attention_heads",
        "two_norms": (("parallel_attn and num_ln_in_parallel_attn == 2", "1"), ("", "0")),
        "usual_norms": (("new_decoder_architecture", "2"), ("", "1")),
        "queries_keys_values": (
            ("new_decoder_architecture", "hidden_size + 2 * num_kv_heads * head_dim"),
            ("multi_query", "hidden_size + 2 * head_dim"),
            ("", "3 * hidden_size"),
        ),
    },
    body=(
        embedding("word_embeddings", "vocab_size", "hidden_size"),
        Layers(
            "h.{i}",
            "num_hidden_layers",
            rows(
                linear(
                    "self_attention.query_key_value",
                    "queries_keys_values",
                    "hidden_size",
                    bias="bias",
                ),
                linear("self_attention.dense", "hidden_size", "hidden_size", bias="bias"),
                linear("mlp.dense_h_to_4h", "ffn_hidden_size", "hidden_size", bias="bias"),
                linear("mlp.dense_4h_to_h", "hidden_size", "ffn_hidden_size", bias="bias"),
                when(
                    "two_norms",
                    layer_norm("ln_attn", "hidden_size"),
                    layer_norm("ln_mlp", "hidden_size"),
                ),
                when("not parallel_attn", layer_norm("post_attention_layernorm", "hidden_size")),
                when("not two_norms", layer_norm("input_layernorm", "hidden_size")),
            ),
        ),
        layer_norm("ln_f", "hidden_size"),
    ),
    heads=decoder_heads() | token_head("classifier") | answer_head(),
    prefix="transformer.",
    divisible=("hidden_size / num_attention_heads",),
)

REFINED_WEB = replace(FALCON, fields={**FALCON.fields, "new_decoder_architecture": True})
