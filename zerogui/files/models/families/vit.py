"""The Vision Transformer."""

from zerogui.files.models.families.description import (
    LABELS,
    UNDECLARED_HEAD_DIM,
    Family,
    Field,
    Head,
    Layers,
    layer_norm,
    linear,
    optional,
    rows,
    tensor,
    when,
)

VIT = Family(
    name="vit",
    classes=("ViT",),
    fields={
        "hidden_size": 768,
        "num_hidden_layers": 12,
        "num_attention_heads": 12,
        "head_dim": UNDECLARED_HEAD_DIM,
        "intermediate_size": 3072,
        "image_size": Field(224, kind="pair"),
        "patch_size": Field(16, kind="pair"),
        "num_channels": 3,
        "qkv_bias": True,
        "encoder_stride": 16,
        "pooler_output_size": optional("hidden_size"),
        "num_labels": LABELS,
    },
    sizes={
        "inner": "num_attention_heads * head_dim",
        "rows": "image_size[0] // patch_size[0]",
        "columns": "image_size[1] // patch_size[1]",
        "pixels": "encoder_stride * encoder_stride * num_channels",
    },
    body=(
        tensor("embeddings.cls_token", "1", "1", "hidden_size"),
        when("+mask", tensor("embeddings.mask_token", "1", "1", "hidden_size")),
        tensor("embeddings.position_embeddings", "1", "rows * columns + 1", "hidden_size"),
        tensor(
            "embeddings.patch_embeddings.projection.weight",
            "hidden_size",
            "num_channels",
            "patch_size[0]",
            "patch_size[1]",
        ),
        tensor("embeddings.patch_embeddings.projection.bias", "hidden_size"),
        Layers(
            "layers.{i}",
            "num_hidden_layers",
            rows(
                linear("attention.q_proj", "inner", "hidden_size", bias="qkv_bias"),
                linear("attention.k_proj", "inner", "hidden_size", bias="qkv_bias"),
                linear("attention.v_proj", "inner", "hidden_size", bias="qkv_bias"),
                linear("attention.o_proj", "hidden_size", "inner", bias=True),
                layer_norm("layernorm_before", "hidden_size"),
                layer_norm("layernorm_after", "hidden_size"),
                linear("mlp.fc1", "intermediate_size", "hidden_size", bias=True),
                linear("mlp.fc2", "hidden_size", "intermediate_size", bias=True),
            ),
        ),
        layer_norm("layernorm", "hidden_size"),
        when("+pooler", linear("pooler.dense", "pooler_output_size", "hidden_size", bias=True)),
    ),
    heads={
        "ForImageClassification": Head(
            when("num_labels", linear("classifier", "num_labels", "hidden_size", bias=True))
        ),
        "ForMaskedImageModeling": Head(
            rows(
                tensor("decoder.0.weight", "pixels", "hidden_size", "1", "1"),
                tensor("decoder.0.bias", "pixels"),
            ),
            features=frozenset({"mask"}),
        ),
        "Model": Head(prefix="", features=frozenset({"pooler"})),
    },
    default_head="ForImageClassification",
    prefix="vit.",
)
