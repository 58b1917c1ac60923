"""T5, first version and 1.1."""

from zerogui.files.models.families.description import (
    LABELS,
    TIED_EMBEDDINGS,
    Family,
    Field,
    Head,
    Layers,
    Rows,
    embedding,
    linear,
    norm,
    on,
    optional,
    rows,
    tied,
    when,
)


def _attention(layer: int, name: str, extra: Rows = ()) -> Rows:
    inside = f"layer.{layer}.{name}"
    return rows(
        linear(f"{inside}.q", "inner", "d_model"),
        linear(f"{inside}.k", "inner", "d_model"),
        linear(f"{inside}.v", "inner", "d_model"),
        linear(f"{inside}.o", "d_model", "inner"),
        extra,
        norm(f"layer.{layer}.layer_norm", "d_model"),
    )


def _self_attention() -> Rows:
    # All layers use the distances of the first.
    distances = embedding(
        "layer.0.SelfAttention.relative_attention_bias",
        "relative_attention_num_buckets",
        "num_heads",
    )
    return _attention(0, "SelfAttention", on("first", distances))


def _feed_forward(layer: int) -> Rows:
    inside = f"layer.{layer}.DenseReluDense"
    return rows(
        when("not feed_forward_proj", linear(f"{inside}.wi", "d_ff", "d_model")),
        when(
            "feed_forward_proj",
            linear(f"{inside}.wi_0", "d_ff", "d_model"),
            linear(f"{inside}.wi_1", "d_ff", "d_model"),
        ),
        linear(f"{inside}.wo", "d_model", "d_ff"),
        norm(f"layer.{layer}.layer_norm", "d_model"),
    )


_BOTH = frozenset({"decoder"})

T5 = Family(
    name="t5",
    classes=("T5",),
    fields={
        "vocab_size": 32128,
        "d_model": 512,
        "d_kv": 64,
        "d_ff": 2048,
        "num_layers": 6,
        "num_decoder_layers": optional("num_layers"),
        "num_heads": 8,
        "relative_attention_num_buckets": 32,
        "feed_forward_proj": Field("relu", kind="gated"),
        "tie_word_embeddings": True,
        "num_labels": LABELS,
    },
    sizes={"inner": "num_heads * d_kv"},
    body=(
        embedding("shared", "vocab_size", "d_model"),
        tied("", embedding("encoder.embed_tokens", "vocab_size", "d_model")),
        Layers("encoder.block.{i}", "num_layers", rows(_self_attention(), _feed_forward(1))),
        norm("encoder.final_layer_norm", "d_model"),
        when("+decoder", tied("", embedding("decoder.embed_tokens", "vocab_size", "d_model"))),
        Layers(
            "decoder.block.{i}",
            "num_decoder_layers",
            when(
                "+decoder",
                _self_attention(),
                _attention(1, "EncDecAttention"),
                _feed_forward(2),
            ),
        ),
        when("+decoder", norm("decoder.final_layer_norm", "d_model")),
    ),
    heads={
        "ForConditionalGeneration": Head(
            # Version 1.1 has a head of its own, and says so.
            tied(TIED_EMBEDDINGS, linear("lm_head", "vocab_size", "d_model")),
            features=_BOTH,
        ),
        "Model": Head(features=_BOTH),
        "EncoderModel": Head(),
        "ForQuestionAnswering": Head(
            linear("qa_outputs", "num_labels", "d_model", bias=True), features=_BOTH
        ),
        "ForSequenceClassification": Head(
            rows(
                linear("classification_head.dense", "d_model", "d_model", bias=True),
                linear("classification_head.out_proj", "num_labels", "d_model", bias=True),
            ),
            prefix="transformer.",
            features=_BOTH,
        ),
        "ForTokenClassification": Head(
            linear("classifier", "num_labels", "d_model", bias=True), prefix="transformer."
        ),
    },
    default_head="ForConditionalGeneration",
    prefix="",
)
