"""How a config's keys are read: heads, other names, nulls, ties, and what the card then says."""

from collections import Counter

import pytest

from tests.files.models.configs import every, opened, records, total

LLAMA_BODY = 6_738_415_616 - 32_000 * 4096
HEADS = [
    ("LlamaForCausalLM", LLAMA_BODY + 32_000 * 4096),
    ("LLaMAForCausalLM", LLAMA_BODY + 32_000 * 4096),
    ("LlamaModel", LLAMA_BODY),
    ("LlamaForSequenceClassification", LLAMA_BODY + 2 * 4096),
    ("LlamaForTokenClassification", LLAMA_BODY + 2 * 4096 + 2),
    ("LlamaForQuestionAnswering", LLAMA_BODY + 2 * 4096 + 2),
]


@pytest.mark.parametrize(("architecture", "parameters"), HEADS)
def test_the_head_follows_the_architecture(architecture: str, parameters: int) -> None:
    assert total(model_type="llama", architectures=[architecture]) == parameters


def test_a_classifier_has_as_many_rows_as_the_config_has_labels() -> None:
    config = {"model_type": "llama", "architectures": ["LlamaForSequenceClassification"]}
    assert total(**config, id2label={"0": "no", "1": "yes", "2": "maybe"}) == LLAMA_BODY + 3 * 4096
    assert total(**config, num_labels=7) == LLAMA_BODY + 7 * 4096
    assert total(**config, num_labels=None, id2label=None) == LLAMA_BODY + 2 * 4096
    assert "num_labels = 2" in opened(**config).assumed


# bigscience/bloom-7b1, tiiuae/falcon-40b and falcon-7b, EleutherAI/gpt-neo: keys of their time.
OLD_NAMES = [
    (
        7_069_016_064,
        {"model_type": "bloom", "n_embed": 4096, "n_layer": 30, "num_attention_heads": 32},
    ),
    (
        41_303_293_952,
        {
            "model_type": "RefinedWeb",
            "architectures": ["RWForCausalLM"],
            "hidden_size": 8192,
            "n_layer": 60,
            "n_head": 128,
            "n_head_kv": 8,
            "parallel_attn": True,
            "vocab_size": 65024,
        },
    ),
    (
        41_303_293_952,
        {
            "model_type": "falcon",
            "hidden_size": 8192,
            "num_hidden_layers": 60,
            "num_attention_heads": 128,
            "num_kv_heads": 8,
            "new_decoder_architecture": True,
        },
    ),
    (
        6_921_720_704,
        {
            "model_type": "RefinedWebModel",
            "architectures": ["RWForCausalLM"],
            "hidden_size": 4544,
            "n_layer": 32,
            "n_head": 71,
            "multi_query": True,
        },
    ),
    (
        2_651_307_520,
        {
            "model_type": "gpt_neo",
            "hidden_size": 2560,
            "num_hidden_layers": 32,
            "num_attention_heads": 20,
        },
    ),
    (124_439_808, {"model_type": "gpt2", "hidden_size": 768, "max_position_embeddings": 1024}),
    (30_532_122_624, {"model_type": "qwen3_moe", "num_hidden_layers": 48, "head_dim": 128}),
]


@pytest.mark.parametrize(("parameters", "config"), OLD_NAMES)
def test_other_names_for_a_key_count(parameters: int, config: dict[str, object]) -> None:
    assert total(**config) == parameters


@pytest.mark.parametrize("name", ["num_experts", "num_local_experts"])
def test_experts_are_counted_under_either_name(name: str) -> None:
    whole = records()["qwen3-30b-a3b"]["config"]
    config = {key: value for key, value in whole.items() if "experts" not in key}
    # Per layer and expert: 2·768·2048 up and gate, 768·2048 down, one row of 2048 in the router.
    expert = 48 * (3 * 768 * 2048 + 2048)
    assert total(**config, **{name: 127}) == 30_532_122_624 - expert
    assert "num_experts = 128" in opened(**config).assumed


def test_the_same_key_twice_under_equal_names_is_one() -> None:
    assert total(model_type="bloom", hidden_size=64, n_embed=64) == total(model_type="bloom")
    assert total(model_type="bloom", hidden_size=64, n_embed=None) == total(model_type="bloom")


def test_a_null_is_a_value_and_no_assumption() -> None:
    # DeepSeek-V2-Lite's queries have no low rank; the default rank would be 1536.
    config = {"model_type": "deepseek_v2", "num_hidden_layers": 1}
    plain = opened(**config, q_lora_rank=None)
    names = {name for name, _ in every(plain)}
    assert "model.layers.0.self_attn.q_proj.weight" in names
    assert "model.layers.0.self_attn.q_a_proj.weight" not in names
    assert not [line for line in plain.assumed if line.startswith("q_lora_rank")]
    ranked = opened(**config)
    assert "q_lora_rank = 1536" in ranked.assumed
    assert ("model.layers.0.self_attn.q_a_proj.weight", (1536, 4096)) in every(ranked)


def test_null_heads_are_as_many_and_as_wide_as_the_queries() -> None:
    config = {"model_type": "mistral", "num_attention_heads": 16}
    shapes = dict(every(opened(**config, num_key_value_heads=None, head_dim=None)))
    assert shapes["model.layers.31.self_attn.k_proj.weight"] == (4096, 4096)
    shapes = dict(every(opened(**config)))  # the default is 8 heads
    assert shapes["model.layers.31.self_attn.k_proj.weight"] == (2048, 4096)


def test_only_keys_that_a_family_declares_are_assumed() -> None:
    assert "head_dim = 128" in opened(model_type="llama").assumed
    assert not [line for line in opened(model_type="qwen2").assumed if "head_dim" in line]
    shapes = dict(every(opened(model_type="qwen2", head_dim=64)))
    assert shapes["model.layers.0.self_attn.q_proj.weight"] == (32 * 64, 4096)


def test_null_turns_a_flag_off() -> None:
    untied = total(model_type="gpt2", tie_word_embeddings=None)
    assert untied == 124_439_808 + 50_257 * 768


def test_tied_weights_count_once_and_are_named() -> None:
    tied = opened(model_type="qwen2", tie_word_embeddings=True)
    untied = opened(model_type="qwen2", tie_word_embeddings=False)
    assert tied.tied == ("lm_head.weight",)
    assert untied.tied == ()
    assert untied.model.parameters - tied.model.parameters == 151_936 * 4096
    assert opened(model_type="bert").tied == (
        "cls.predictions.decoder.weight",
        "cls.predictions.decoder.bias",
    )
    assert opened(model_type="t5").tied == (
        "encoder.embed_tokens.weight",
        "decoder.embed_tokens.weight",
        "lm_head.weight",
    )


def test_only_some_layers_have_experts() -> None:
    config = {"model_type": "qwen3_moe", "num_hidden_layers": 6, "decoder_sparse_step": 2}
    names = {name for name, _ in every(opened(**config, mlp_only_layers=[3]))}
    sparse = [i for i in range(6) if f"model.layers.{i}.mlp.gate.weight" in names]
    dense = [i for i in range(6) if f"model.layers.{i}.mlp.gate_proj.weight" in names]
    assert (sparse, dense) == ([1, 5], [0, 2, 3, 4])
    none = {name for name, _ in every(opened(**config, num_experts=0))}
    assert not [name for name in none if "experts" in name]


def test_the_text_model_of_a_multimodal_one_is_counted_and_the_rest_named() -> None:
    # google/gemma-3-4b: 34 layers; its text_config leaves heads and vocabulary to the defaults.
    text = {
        "model_type": "gemma3_text",
        "hidden_size": 2560,
        "intermediate_size": 10240,
        "num_hidden_layers": 34,
    }
    whole = opened(
        model_type="gemma3",
        architectures=["Gemma3ForConditionalGeneration"],
        text_config=text,
        vision_config={"hidden_size": 1152, "model_type": "siglip_vision_model"},
    )
    assert whole.model.parameters == 3_880_263_168
    assert whole.family == "gemma3_text"
    assert whole.notes == (
        "Only the text model (text_config) is counted, not the rest of the model.",
    )
    alone = opened(**text)
    assert Counter(every(alone)) == Counter(every(whole))
    assert alone.notes == ()


def test_a_text_model_takes_what_it_leaves_out_from_the_whole() -> None:
    whole = opened(
        model_type="llava", tie_word_embeddings=True, torch_dtype="float16", text_config={}
    )
    assert whole.family == "llama"
    assert "model_type = llama" in whole.assumed
    assert whole.tied == ("lm_head.weight",)
    assert whole.weights == "fp16"


def test_layers_that_predict_further_tokens_are_said_not_to_be_counted() -> None:
    note = "Layers that predict further tokens (num_nextn_predict_layers) are not counted."
    assert opened(model_type="deepseek_v3", num_nextn_predict_layers=1).notes == (note,)
    assert opened(model_type="deepseek_v3", num_nextn_predict_layers=0).notes == ()


def test_a_quantized_config_is_counted_without_quantization_and_says_so() -> None:
    model = opened(
        model_type="llama", torch_dtype="bfloat16", quantization_config={"quant_method": "fp8"}
    )
    assert model.model.parameters == 6_738_415_616
    assert model.weights is None
    assert model.notes == (
        "Tensors are counted as they are without quantization (quantization_config).",
    )


def test_the_first_of_several_architectures_counts() -> None:
    model = opened(model_type="gpt2", architectures=["GPT2Model", "GPT2LMHeadModel"])
    assert model.notes == ("Of 2 architectures the first counts, GPT2Model.",)
    assert model.tied == ()


DTYPES = [
    ({"torch_dtype": "bfloat16"}, "bf16"),
    ({"dtype": "float16"}, "fp16"),
    ({"dtype": "torch.float32"}, "fp32"),
    ({"dtype": "float8_e4m3fn"}, None),
    ({"torch_dtype": 16}, None),
    ({}, None),
]


@pytest.mark.parametrize(("said", "dtype"), DTYPES)
def test_the_dtype_of_the_weights_is_read(said: dict[str, object], dtype: str | None) -> None:
    assert opened(model_type="gpt2", **said).weights == dtype


CACHE = "hub/models--meta-llama--Llama-2-7b-hf/snapshots/01c7f73d771d/config.json"
NAMES = [
    ("models/Llama-2-7b/config.json", {}, "Llama-2-7b"),
    (CACHE, {}, "meta-llama/Llama-2-7b-hf"),
    ("llama.json", {}, "llama"),
    ("my-model.json", {"_name_or_path": "somewhere/else"}, "my-model"),
    ("config.json", {"_name_or_path": "org/Llama-2-7b/"}, "Llama-2-7b"),
    ("config.json", {}, "llama"),
    ("./config.json", {"_name_or_path": 7}, "llama"),
    ("bad\udcff/config.json", {}, "llama"),
]


@pytest.mark.parametrize(("source", "said", "name"), NAMES)
def test_the_model_is_named_by_its_folder_file_or_config(
    source: str, said: dict[str, object], name: str
) -> None:
    model = opened(source, model_type="llama", **said)
    assert model.model.name == name
    assert model.source == source
