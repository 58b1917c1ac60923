"""BERT."""

from zerogui.files.models.families.description import (
    LABELS,
    TIED_EMBEDDINGS,
    Family,
    Head,
    Layers,
    Rows,
    embedding,
    layer_norm,
    linear,
    rows,
    tensor,
    tied,
    token_head,
    when,
)


def _attention(name: str) -> Rows:
    return rows(
        linear(f"{name}.self.query", "hidden_size", "hidden_size", bias=True),
        linear(f"{name}.self.key", "hidden_size", "hidden_size", bias=True),
        linear(f"{name}.self.value", "hidden_size", "hidden_size", bias=True),
        linear(f"{name}.output.dense", "hidden_size", "hidden_size", bias=True),
        layer_norm(f"{name}.output.LayerNorm", "hidden_size"),
    )


_POOLED = frozenset({"pooler"})

_PREDICTIONS = rows(
    tensor("cls.predictions.bias", "vocab_size"),
    linear("cls.predictions.transform.dense", "hidden_size", "hidden_size", bias=True),
    layer_norm("cls.predictions.transform.LayerNorm", "hidden_size"),
    tied(
        TIED_EMBEDDINGS,
        linear("cls.predictions.decoder", "vocab_size", "hidden_size", bias=True),
    ),
)

_NEXT_SENTENCE = linear("cls.seq_relationship", "2", "hidden_size", bias=True)

BERT = Family(
    name="bert",
    classes=("Bert",),
    fields={
        "vocab_size": 30522,
        "hidden_size": 768,
        "num_hidden_layers": 12,
        "num_attention_heads": 12,
        "intermediate_size": 3072,
        "max_position_embeddings": 512,
        "type_vocab_size": 2,
        "add_cross_attention": False,
        "tie_word_embeddings": True,
        "num_labels": LABELS,
    },
    body=(
        embedding("embeddings.word_embeddings", "vocab_size", "hidden_size"),
        embedding("embeddings.position_embeddings", "max_position_embeddings", "hidden_size"),
        embedding("embeddings.token_type_embeddings", "type_vocab_size", "hidden_size"),
        layer_norm("embeddings.LayerNorm", "hidden_size"),
        Layers(
            "encoder.layer.{i}",
            "num_hidden_layers",
            rows(
                _attention("attention"),
                when("add_cross_attention", _attention("crossattention")),
                linear("intermediate.dense", "intermediate_size", "hidden_size", bias=True),
                linear("output.dense", "hidden_size", "intermediate_size", bias=True),
                layer_norm("output.LayerNorm", "hidden_size"),
            ),
        ),
        when("+pooler", linear("pooler.dense", "hidden_size", "hidden_size", bias=True)),
    ),
    heads={
        "ForMaskedLM": Head(_PREDICTIONS),
        "LMHeadModel": Head(_PREDICTIONS),
        "ForPreTraining": Head(rows(_PREDICTIONS, _NEXT_SENTENCE), features=_POOLED),
        "ForNextSentencePrediction": Head(_NEXT_SENTENCE, features=_POOLED),
        "Model": Head(prefix="", features=_POOLED),
        "ForSequenceClassification": Head(
            linear("classifier", "num_labels", "hidden_size", bias=True), features=_POOLED
        ),
        "ForMultipleChoice": Head(
            linear("classifier", "1", "hidden_size", bias=True), features=_POOLED
        ),
        "ForQuestionAnswering": Head(linear("qa_outputs", "num_labels", "hidden_size", bias=True)),
    }
    | token_head("classifier"),
    default_head="ForMaskedLM",
    prefix="bert.",
    divisible=("hidden_size / num_attention_heads",),
    # Relative positions would have a table in each layer.
    only={"position_embedding_type": "absolute"},
)
