"""OPT, whose smaller embeddings may be projected."""

from zerogui.files.models.families.description import (
    LABELS,
    Family,
    Field,
    Head,
    Layers,
    answer_head,
    decoder_heads,
    embedding,
    layer_norm,
    linear,
    optional,
    rows,
    when,
)

_PROJECTED = "word_embed_proj_dim != hidden_size"

OPT = Family(
    name="opt",
    classes=("OPT",),
    fields={
        "vocab_size": 50272,
        "hidden_size": 768,
        "num_hidden_layers": 12,
        "ffn_dim": 3072,
        "max_position_embeddings": 2048,
        "num_attention_heads": 12,
        "word_embed_proj_dim": optional("hidden_size"),
        "do_layer_norm_before": True,
        "_remove_final_layer_norm": Field(False, kind="flag", quiet=True),
        "enable_bias": True,
        "layer_norm_elementwise_affine": True,
        "tie_word_embeddings": True,
        "num_labels": LABELS,
    },
    body=(
        embedding("embed_tokens", "vocab_size", "word_embed_proj_dim"),
        # Position 0 is stored in row 2.
        embedding("embed_positions", "max_position_embeddings + 2", "hidden_size"),
        when(
            _PROJECTED,
            linear("project_out", "word_embed_proj_dim", "hidden_size"),
            linear("project_in", "hidden_size", "word_embed_proj_dim"),
        ),
        when(
            "layer_norm_elementwise_affine",
            when(
                "do_layer_norm_before and not _remove_final_layer_norm",
                layer_norm("final_layer_norm", "hidden_size"),
            ),
        ),
        Layers(
            "layers.{i}",
            "num_hidden_layers",
            rows(
                linear("self_attn.k_proj", "hidden_size", "hidden_size", bias="enable_bias"),
                linear("self_attn.v_proj", "hidden_size", "hidden_size", bias="enable_bias"),
                linear("self_attn.q_proj", "hidden_size", "hidden_size", bias="enable_bias"),
                linear("self_attn.out_proj", "hidden_size", "hidden_size", bias="enable_bias"),
                when(
                    "layer_norm_elementwise_affine",
                    layer_norm("self_attn_layer_norm", "hidden_size"),
                ),
                linear("fc1", "ffn_dim", "hidden_size", bias="enable_bias"),
                linear("fc2", "hidden_size", "ffn_dim", bias="enable_bias"),
                when(
                    "layer_norm_elementwise_affine",
                    layer_norm("final_layer_norm", "hidden_size"),
                ),
            ),
        ),
    ),
    heads=decoder_heads("word_embed_proj_dim")
    | answer_head("word_embed_proj_dim")
    | {"Model": Head(prefix="decoder.")},
    prefix="model.decoder.",
    divisible=("hidden_size / num_attention_heads",),
)
