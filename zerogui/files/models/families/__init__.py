"""The model families whose parameters follow from a config, each a short description."""

from importlib import import_module

from zerogui.files.models.families.description import Family

# Model type -> module and name of its description; only what is asked for is loaded.
_INDEX = {
    "bert": ("bert", "BERT"),
    "bloom": ("bloom", "BLOOM"),
    "deepseek_v2": ("deepseek", "DEEPSEEK_V2"),
    "deepseek_v3": ("deepseek", "DEEPSEEK_V3"),
    "falcon": ("falcon", "FALCON"),
    "RefinedWeb": ("falcon", "REFINED_WEB"),
    "RefinedWebModel": ("falcon", "FALCON"),
    "gemma": ("gemma", "GEMMA"),
    "gemma2": ("gemma", "GEMMA2"),
    "gemma3_text": ("gemma", "GEMMA3_TEXT"),
    "gpt2": ("gpt", "GPT2"),
    "gpt_neo": ("gpt", "GPT_NEO"),
    "gpt_neox": ("gpt_neox", "GPT_NEOX"),
    "gpt_oss": ("gpt_oss", "GPT_OSS"),
    "gptj": ("gpt", "GPTJ"),
    "llama": ("llama", "LLAMA"),
    "mistral": ("llama", "MISTRAL"),
    "mixtral": ("llama", "MIXTRAL"),
    "olmo": ("olmo", "OLMO"),
    "olmo2": ("olmo", "OLMO2"),
    "opt": ("opt", "OPT"),
    "phi": ("phi", "PHI"),
    "phi3": ("phi", "PHI3"),
    "qwen2": ("qwen", "QWEN2"),
    "qwen2_moe": ("qwen", "QWEN2_MOE"),
    "qwen3": ("qwen", "QWEN3"),
    "qwen3_moe": ("qwen", "QWEN3_MOE"),
    "stablelm": ("stablelm", "STABLELM"),
    "starcoder2": ("starcoder2", "STARCODER2"),
    "t5": ("t5", "T5"),
    "vit": ("vit", "VIT"),
}


def model_types() -> tuple[str, ...]:
    """The model types that are known."""
    return tuple(_INDEX)


def family_named(model_type: str) -> Family:
    """The family of a model type. KeyError when it is not known."""
    module, name = _INDEX[model_type]
    family = getattr(import_module(f"zerogui.files.models.families.{module}"), name)
    assert isinstance(family, Family)
    return family
