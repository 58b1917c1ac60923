"""GPT-2, GPT-Neo and GPT-J."""

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
    transposed,
    when,
)

GPT2 = Family(
    name="gpt2",
    classes=("GPT2",),
    fields={
        "vocab_size": 50257,
        "n_positions": 1024,
        "n_embd": 768,
        "n_layer": 12,
        "n_head": 12,
        "n_inner": optional("4 * n_embd"),
        "add_cross_attention": False,
        "tie_word_embeddings": True,
        "num_labels": LABELS,
    },
    body=(
        embedding("wte", "vocab_size", "n_embd"),
        embedding("wpe", "n_positions", "n_embd"),
        Layers(
            "h.{i}",
            "n_layer",
            rows(
                layer_norm("ln_1", "n_embd"),
                transposed("attn.c_attn", "n_embd", "3 * n_embd"),
                transposed("attn.c_proj", "n_embd", "n_embd"),
                layer_norm("ln_2", "n_embd"),
                when(
                    "add_cross_attention",
                    transposed("crossattention.c_attn", "n_embd", "2 * n_embd"),
                    transposed("crossattention.q_attn", "n_embd", "n_embd"),
                    transposed("crossattention.c_proj", "n_embd", "n_embd"),
                    layer_norm("ln_cross_attn", "n_embd"),
                ),
                transposed("mlp.c_fc", "n_embd", "n_inner"),
                transposed("mlp.c_proj", "n_inner", "n_embd"),
            ),
        ),
        layer_norm("ln_f", "n_embd"),
    ),
    heads=decoder_heads("n_embd", language="LMHeadModel")
    | token_head("classifier", "n_embd")
    | answer_head("n_embd"),
    default_head="LMHeadModel",
    prefix="transformer.",
    divisible=("n_embd / n_head",),
)

GPT_NEO = Family(
    name="gpt_neo",
    classes=("GPTNeo",),
    fields={
        "vocab_size": 50257,
        "max_position_embeddings": 2048,
        "hidden_size": 2048,
        "num_layers": 24,
        "num_heads": 16,
        "intermediate_size": optional("4 * hidden_size"),
        "tie_word_embeddings": True,
        "num_labels": LABELS,
    },
    body=(
        embedding("wte", "vocab_size", "hidden_size"),
        embedding("wpe", "max_position_embeddings", "hidden_size"),
        Layers(
            "h.{i}",
            "num_layers",
            rows(
                layer_norm("ln_1", "hidden_size"),
                linear("attn.attention.k_proj", "hidden_size", "hidden_size"),
                linear("attn.attention.v_proj", "hidden_size", "hidden_size"),
                linear("attn.attention.q_proj", "hidden_size", "hidden_size"),
                linear("attn.attention.out_proj", "hidden_size", "hidden_size", bias=True),
                layer_norm("ln_2", "hidden_size"),
                linear("mlp.c_fc", "intermediate_size", "hidden_size", bias=True),
                linear("mlp.c_proj", "hidden_size", "intermediate_size", bias=True),
            ),
        ),
        layer_norm("ln_f", "hidden_size"),
    ),
    heads=decoder_heads() | token_head("classifier") | answer_head(),
    prefix="transformer.",
    divisible=("hidden_size / num_heads",),
)

GPTJ = Family(
    name="gptj",
    classes=("GPTJ",),
    fields={
        "vocab_size": 50400,
        "n_embd": 4096,
        "n_layer": 28,
        "n_head": 16,
        "n_inner": optional("4 * n_embd"),
        "tie_word_embeddings": False,
        "num_labels": LABELS,
    },
    body=(
        embedding("wte", "vocab_size", "n_embd"),
        Layers(
            "h.{i}",
            "n_layer",
            rows(
                layer_norm("ln_1", "n_embd"),
                linear("attn.k_proj", "n_embd", "n_embd"),
                linear("attn.v_proj", "n_embd", "n_embd"),
                linear("attn.q_proj", "n_embd", "n_embd"),
                linear("attn.out_proj", "n_embd", "n_embd"),
                linear("mlp.fc_in", "n_inner", "n_embd", bias=True),
                linear("mlp.fc_out", "n_embd", "n_inner", bias=True),
            ),
        ),
        layer_norm("ln_f", "n_embd"),
    ),
    heads=decoder_heads("n_embd", bias=True) | answer_head("n_embd"),
    prefix="transformer.",
    divisible=("n_embd / n_head",),
)
