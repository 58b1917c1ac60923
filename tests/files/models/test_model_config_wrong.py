"""A config that describes no model: one sentence that names the field, and no work done for it."""

import json
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.files.models.configs import every, opened
from zerogui.accounting.model import MAX_ELEMENTS, MAX_TENSORS
from zerogui.files.errors import FileError
from zerogui.files.models.families import family_named, model_types
from zerogui.files.models.model_config import read_model_config
from zerogui.files.opened import OpenedModel
from zerogui.files.reading import parse_json

ROUTE = "open the model's .safetensors file or folder instead."
TOO_DEEP = "which makes more than 1,048,576 tensors; use a smaller number."

WRONG = [
    # No family
    ("{}", f"model_type is missing, so the model's family is unknown; {ROUTE}"),
    ('{"model_type": "mamba"}', f'model_type is "mamba", which is not a known family; {ROUTE}'),
    ('{"model_type": "Llama"}', f'model_type is "Llama", which is not a known family; {ROUTE}'),
    ('{"model_type": null}', f"model_type is null, which is not a known family; {ROUTE}"),
    ('{"model_type": ["gpt2"]}', f"model_type is a list, which is not a known family; {ROUTE}"),
    ('{"text_config": 7}', "text_config is 7; use an object {...}."),
    (
        '{"model_type": "gemma3", "text_config": {"model_type": "x"}}',
        f'text_config.model_type is "x", which is not a known family; {ROUTE}',
    ),
    (
        '{"model_type": "idefics", "text_config": {}}',
        f"text_config.model_type is missing, so the model's family is unknown; {ROUTE}",
    ),
    # No head
    (
        '{"model_type": "llama", "architectures": ["LlamaForSomething"]}',
        'architectures[0] is "LlamaForSomething", which is not a known class of the llama family;'
        f" {ROUTE}",
    ),
    (
        '{"model_type": "llama", "architectures": ["MistralForCausalLM"]}',
        'architectures[0] is "MistralForCausalLM", which is not a known class of the llama family;'
        f" {ROUTE}",
    ),
    (
        '{"model_type": "llama", "architectures": ["ForCausalLM"]}',
        'architectures[0] is "ForCausalLM", which is not a known class of the llama family;'
        f" {ROUTE}",
    ),
    (
        '{"model_type": "llama", "architectures": [7]}',
        f"architectures[0] is 7, which is not a known class of the llama family; {ROUTE}",
    ),
    (
        '{"model_type": "llama", "architectures": "LlamaModel"}',
        'architectures is "LlamaModel"; use a list of class names.',
    ),
    # No number
    (
        '{"model_type": "llama", "hidden_size": "4096"}',
        'hidden_size is "4096"; use a whole number from 1.',
    ),
    (
        '{"model_type": "llama", "hidden_size": 4096.0}',
        "hidden_size is 4096.0; use a whole number from 1.",
    ),
    (
        '{"model_type": "llama", "hidden_size": NaN}',
        "hidden_size is NaN; use a whole number from 1.",
    ),
    (
        '{"model_type": "llama", "hidden_size": true}',
        "hidden_size is true; use a whole number from 1.",
    ),
    (
        '{"model_type": "llama", "hidden_size": null}',
        "hidden_size is null; use a whole number from 1.",
    ),
    (
        '{"model_type": "llama", "vocab_size": 0}',
        "vocab_size is 0; use a whole number from 1.",
    ),
    (
        '{"model_type": "llama", "num_hidden_layers": -1}',
        "num_hidden_layers is -1; use a whole number from 1.",
    ),
    (
        '{"model_type": "gpt2", "n_inner": "big"}',
        'n_inner is "big"; use a whole number from 1 or null.',
    ),
    (
        '{"model_type": "bloom", "n_embed": []}',
        "n_embed is a list; use a whole number from 1.",
    ),
    (
        '{"model_type": "gemma3", "text_config": {"model_type": "gemma3_text", "head_dim": 0}}',
        "text_config.head_dim is 0; use a whole number from 1 or null.",
    ),
    # No flag, list, pair or activation
    (
        '{"model_type": "llama", "tie_word_embeddings": 1}',
        "tie_word_embeddings is 1; use true or false.",
    ),
    (
        '{"model_type": "qwen3_moe", "mlp_only_layers": 3}',
        "mlp_only_layers is 3; use a list of layer numbers.",
    ),
    (
        '{"model_type": "qwen3_moe", "mlp_only_layers": [0, -3]}',
        "mlp_only_layers[1] is -3; use a whole number from 0.",
    ),
    (
        '{"model_type": "vit", "image_size": [224, 224, 3]}',
        "image_size has 3 items; use one whole number or a list of two.",
    ),
    (
        '{"model_type": "vit", "patch_size": [16, 0]}',
        "patch_size[1] is 0; use a whole number from 1.",
    ),
    (
        '{"model_type": "vit", "patch_size": "16"}',
        'patch_size is "16"; use a whole number from 1 or a list of two.',
    ),
    (
        '{"model_type": "t5", "feed_forward_proj": "gated-silu-x"}',
        'feed_forward_proj is "gated-silu-x"; use an activation such as "relu" or "gated-gelu".',
    ),
    (
        '{"model_type": "vit", "id2label": ["cat", "dog"]}',
        "id2label is a list; use an object of labels.",
    ),
    # Numbers that do not go together
    (
        '{"model_type": "llama", "hidden_size": 4097}',
        "hidden_size is 4,097, which is no multiple of num_attention_heads (32);"
        " correct one of them.",
    ),
    (
        '{"model_type": "gpt2", "hidden_size": 770}',
        "hidden_size is 770, which is no multiple of n_head (12); correct one of them.",
    ),
    (
        '{"model_type": "llama", "num_key_value_heads": 5}',
        "num_attention_heads is 32, which is no multiple of num_key_value_heads (5);"
        " correct one of them.",
    ),
    (
        '{"model_type": "falcon", "num_attention_heads": 71, "n_head": 128}',
        "n_head is 128 but num_attention_heads is 71; correct one of them.",
    ),
    # Layers unlike the family's
    (
        '{"model_type": "bert", "pruned_heads": {"0": [1, 2]}}',
        f"pruned_heads makes its layers differ from one another; {ROUTE}",
    ),
    (
        '{"model_type": "deepseek_v3", "moe_layer_freq": 2}',
        f"moe_layer_freq is 2 and only 1 is known; {ROUTE}",
    ),
    (
        '{"model_type": "bert", "position_embedding_type": "relative_key"}',
        f'position_embedding_type is "relative_key" and only "absolute" is known; {ROUTE}',
    ),
    # Too much
    (
        '{"model_type": "llama", "num_hidden_layers": 1000000000}',
        f"num_hidden_layers is 1,000,000,000, {TOO_DEEP}",
    ),
    (
        '{"model_type": "llama", "num_hidden_layers": 200000}',
        f"num_hidden_layers is 200,000, {TOO_DEEP}",
    ),
    (
        '{"model_type": "deepseek_v3", "num_hidden_layers": 1048576}',
        f"num_hidden_layers is 1,048,576, {TOO_DEEP}",
    ),
    (
        '{"model_type": "deepseek_v3", "num_hidden_layers": 50000}',
        "num_hidden_layers is 50,000, which makes more than 131,072 tensors that are not alike;"
        " use a smaller number.",
    ),
    (
        '{"model_type": "stablelm", "qk_layernorm": true, "num_attention_heads": 1048576,'
        ' "hidden_size": 1048576}',
        f"num_attention_heads is 1,048,576, {TOO_DEEP}",
    ),
    (
        '{"model_type": "t5", "num_layers": 70000, "num_decoder_layers": 70000}',
        f"num_decoder_layers is 70,000, {TOO_DEEP}",
    ),
    (
        '{"model_type": "llama", "vocab_size": 1000000000000000000}',
        "vocab_size is 1,000,000,000,000,000,000, which makes more than 10^18 parameters;"
        " use a smaller number.",
    ),
    (
        '{"model_type": "vit", "image_size": [100000000000, 100000000000]}',
        "image_size is 100,000,000,000, which makes more than 10^18 parameters;"
        " use a smaller number.",
    ),
    (
        '{"model_type": "llama", "vocab_size": 1000000000000000000000}',
        "vocab_size is 1,000,000,000,000,000,000,000; use a whole number up to 10^18.",
    ),
]


@pytest.mark.parametrize(("text", "sentence"), WRONG)
def test_a_wrong_config_gets_one_sentence_at_once(text: str, sentence: str) -> None:
    value = parse_json(text.encode(), "model/config.json")
    assert isinstance(value, dict)
    start = time.perf_counter()
    with pytest.raises(FileError) as caught:
        read_model_config(value, "model/config.json")
    assert time.perf_counter() - start < 5
    assert str(caught.value) == f"config.json: {sentence}"


def test_a_key_that_the_model_does_not_use_may_hold_anything() -> None:
    # Falcon 7B shares one key head, so that their number says nothing.
    plain = opened(model_type="falcon")
    assert opened(model_type="falcon", num_kv_heads="?", rope_theta="?").model == plain.model


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inside: st.lists(inside, max_size=3) | st.dictionaries(st.text(max_size=4), inside),
    max_leaves=5,
)
# Sizes with many divisors, so that models come out too; none that would list a million tensors.
SIZES = st.sampled_from([0, 1, 2, 4, 8, 16, 64, 96, 10**7, 10**18])
OTHER_KEYS = {
    *("architectures", "id2label", "num_labels", "text_config", "pruned_heads", "dtype"),
    *("n_embd", "n_embed", "n_layer", "n_head", "n_head_kv", "d_model", "num_layers", "num_heads"),
    *("n_positions", "num_experts", "_name_or_path"),
}
CLASSES = ("ForCausalLM", "Model", "ForSequenceClassification", "ForMaskedLM", "EncoderModel")


@st.composite
def configs(draw: st.DrawFn) -> dict[str, Any]:
    """A family's keys with sizes, flags, or anything else."""
    model_type = draw(st.sampled_from(model_types()))
    family = family_named(model_type)
    keys = st.sampled_from(sorted({*family.fields, *OTHER_KEYS}))
    values = st.one_of(SIZES, SIZES, st.booleans(), st.none(), ANYTHING)
    config = draw(st.dictionaries(keys, values, max_size=12))
    if draw(st.booleans()):
        config["architectures"] = [family.classes[0] + draw(st.sampled_from(CLASSES))]
    return {"model_type": model_type, **config}


def attempt(config: dict[str, Any]) -> OpenedModel | str:
    """The model, or why there is none."""
    try:
        return opened(**config)
    except FileError as error:
        return str(error)


@given(configs())
def test_whatever_the_keys_hold_a_config_gives_a_model_or_a_sentence(
    config: dict[str, Any],
) -> None:
    model = attempt(config)
    if isinstance(model, str):
        assert model.startswith("config.json: ")
        assert len(model.splitlines()) == 1
        assert model.endswith(".")
        return
    tensors = every(model)
    assert 0 < len(tensors) <= MAX_TENSORS
    assert len({name for name, _ in tensors}) == len(tensors)
    assert 0 < model.model.parameters <= MAX_ELEMENTS
    assert not {name for name, _ in tensors} & set(model.tied)
    assert not [name for name, _ in tensors if "{" in name]


@given(configs())
def test_what_is_assumed_can_be_written_into_the_config(config: dict[str, Any]) -> None:
    config.pop("text_config", None)
    model = attempt(config)
    if isinstance(model, str):
        return
    said = dict(line.split(" = ", 1) for line in model.assumed)
    said.pop("architectures", None)
    explicit = {**config, **{key: json.loads(value) for key, value in said.items()}}
    again = opened(**explicit)
    assert again.model == model.model
    assert [line for line in again.assumed if not line.startswith("architectures")] == []


@given(
    st.sampled_from(sorted(set(model_types()) - {"t5"})),
    st.integers(1, 6),
    st.integers(1, 6),
    st.integers(1, 12),
)
def test_every_layer_of_a_dense_model_costs_the_same(
    model_type: str, few: int, more: int, heads: int
) -> None:
    family = family_named(model_type)
    sizes = {"num_attention_heads": heads, "hidden_size": 8 * heads, "num_key_value_heads": heads}
    sizes |= {"first_k_dense_replace": 0}
    key = "n_layer" if "n_layer" in family.fields else "num_hidden_layers"

    def parameters(layers: int) -> int:
        return opened(model_type=model_type, **sizes, **{key: layers}).model.parameters

    layer = parameters(2) - parameters(1)
    assert parameters(few + more) - parameters(few) == more * layer
    assert layer > 0
