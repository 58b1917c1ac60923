"""StarCoder 2."""

from zerogui.files.models.families.decoder import COMMON, GROUPED, SIZES, attention, body
from zerogui.files.models.families.description import (
    UNDECLARED_HEAD_DIM,
    Family,
    decoder_heads,
    layer_norm,
    linear,
    optional,
    token_head,
)

STARCODER2 = Family(
    name="starcoder2",
    classes=("Starcoder2",),
    fields=COMMON
    | {
        "vocab_size": 49152,
        "hidden_size": 3072,
        "intermediate_size": 12288,
        "num_hidden_layers": 30,
        "num_attention_heads": 24,
        "num_key_value_heads": optional("num_attention_heads", 2),
        "head_dim": UNDECLARED_HEAD_DIM,
        "use_bias": True,
        "tie_word_embeddings": True,
    },
    sizes=SIZES,
    body=body(
        attention("use_bias", "use_bias"),
        linear("mlp.c_fc", "intermediate_size", "hidden_size", bias="use_bias"),
        linear("mlp.c_proj", "hidden_size", "intermediate_size", bias="use_bias"),
        layer_norm("input_layernorm", "hidden_size"),
        layer_norm("post_attention_layernorm", "hidden_size"),
        last=layer_norm("norm", "hidden_size"),
    ),
    heads=decoder_heads() | token_head(),
    divisible=GROUPED,
)
