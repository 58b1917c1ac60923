"""OLMo, whose norms have no parameters, and OLMo 2."""

from zerogui.files.models.families.decoder import COMMON, GROUPED, SIZES, attention, body, gated
from zerogui.files.models.families.description import (
    KEY_VALUE_HEADS,
    UNDECLARED_HEAD_DIM,
    Family,
    Fields,
    decoder_heads,
    norm,
)

_FIELDS: Fields = COMMON | {
    "vocab_size": 50304,
    "hidden_size": 4096,
    "intermediate_size": 11008,
    "num_hidden_layers": 32,
    "num_attention_heads": 32,
    "num_key_value_heads": KEY_VALUE_HEADS,
    "head_dim": UNDECLARED_HEAD_DIM,
    "attention_bias": False,
    "tie_word_embeddings": False,
}

_ATTENTION = attention("attention_bias", "attention_bias")

OLMO = Family(
    name="olmo",
    classes=("Olmo",),
    fields=_FIELDS,
    sizes=SIZES,
    body=body(_ATTENTION, gated("mlp"), last=()),
    heads=decoder_heads(),
    divisible=GROUPED,
)

OLMO2 = Family(
    name="olmo2",
    classes=("Olmo2",),
    fields=_FIELDS,
    sizes=SIZES,
    body=body(
        _ATTENTION,
        norm("self_attn.q_norm", "queries"),
        norm("self_attn.k_norm", "keys"),
        gated("mlp"),
        norm("post_attention_layernorm", "hidden_size"),
        norm("post_feedforward_layernorm", "hidden_size"),
    ),
    heads=decoder_heads(),
    divisible=GROUPED,
)
