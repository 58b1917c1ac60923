"""A Hugging Face model's config.json: the exact tensors of the model that it describes."""

import os
import re
from collections.abc import Mapping

from zerogui.accounting.model import Model
from zerogui.files.errors import FileError
from zerogui.files.fields import described
from zerogui.files.models.families import family_named, model_types
from zerogui.files.models.families.description import Family, Head
from zerogui.files.models.families.expand import expand
from zerogui.files.models.families.values import ROUTE, Values
from zerogui.files.opened import OpenedModel
from zerogui.files.reading import child

# The text model of a multimodal one whose text_config leaves its type to the default.
_TEXT_TYPES = {
    "gemma3": "gemma3_text",
    "llava": "llama",
    "llava_next": "llama",
    "mistral3": "mistral",
    "paligemma": "gemma",
}
_DTYPES = {"float32": "fp32", "bfloat16": "bf16", "float16": "fp16"}
# Fields that make single layers differ from the family's description.
_IRREGULAR = ("pruned_heads", "per_layer_config")
_LONGEST_NAME = 200


def read_model_config(value: dict[str, object], source: str) -> OpenedModel:
    """The model that the parsed config ``value`` describes; ``source`` is its path, for messages.

    Raises FileError where the family is not known (the checkpoint can be opened instead), a field
    has no possible value, or the model would be larger than 2^20 tensors or 10^18 elements.
    """
    assumed: list[str] = []
    notes: list[str] = []
    config, path = _language_part(value, source, assumed, notes)
    family = _family(config, source, path)
    head = _head(family, config, source, path, assumed, notes)
    for key in _IRREGULAR:
        if config.get(key):
            sentence = f"{child(path, key)} makes its layers differ from one another; {ROUTE}"
            raise FileError(source, sentence)
    values = Values(family, head.features, config, source, path)
    tensors, tied = expand(family, head, values)
    notes += _not_counted(config)
    return OpenedModel(
        model=Model.of(_name(value, family, source), tensors),
        family=family.name,
        source=source,
        tied=tied,
        assumed=(*assumed, *values.assumed),
        notes=tuple(notes),
        weights=_weights({**value, **config}),
    )


def _language_part(
    value: dict[str, object], source: str, assumed: list[str], notes: list[str]
) -> tuple[Mapping[str, object], str]:
    """The text model's config in a multimodal one, with its path in the file; else ``value``."""
    inner = value.get("text_config")
    if inner is None:
        return value, ""
    if not isinstance(inner, dict):
        raise FileError(source, f"text_config is {described(inner)}; use an object {{...}}.")
    notes.append("Only the text model (text_config) is counted, not the rest of the model.")
    config: dict[str, object] = dict(inner)
    if config.get("tie_word_embeddings") is None and "tie_word_embeddings" in value:
        config["tie_word_embeddings"] = value["tie_word_embeddings"]
    outer = value.get("model_type")
    if "model_type" not in config and isinstance(outer, str) and outer in _TEXT_TYPES:
        config["model_type"] = _TEXT_TYPES[outer]
        assumed.append(f"model_type = {_TEXT_TYPES[outer]}")
    return config, "text_config"


def _family(config: Mapping[str, object], source: str, path: str) -> Family:
    key = child(path, "model_type")
    if "model_type" not in config:
        raise FileError(source, f"{key} is missing, so the model's family is unknown; {ROUTE}")
    found = config["model_type"]
    if not isinstance(found, str) or found not in model_types():
        raise FileError(
            source, f"{key} is {described(found)}, which is not a known family; {ROUTE}"
        )
    return family_named(found)


def _head(
    family: Family,
    config: Mapping[str, object],
    source: str,
    path: str,
    assumed: list[str],
    notes: list[str],
) -> Head:
    """What the first of the config's ``architectures`` puts onto the body, or the usual head."""
    key = child(path, "architectures")
    found = config.get("architectures")
    if found is None or found == []:
        assumed.append(f"architectures = {family.classes[0]}{family.default_head}")
        return family.heads[family.default_head]
    if not isinstance(found, list):
        raise FileError(source, f"{key} is {described(found)}; use a list of class names.")
    first = found[0]
    for name in family.classes if isinstance(first, str) else ():
        if first.startswith(name) and first.removeprefix(name) in family.heads:
            if len(found) > 1:
                notes.append(f"Of {len(found):,} architectures the first counts, {first}.")
            return family.heads[first.removeprefix(name)]
    problem = f"is {described(first)}, which is not a known class of the {family.name} family"
    raise FileError(source, f"{key}[0] {problem}; {ROUTE}")


def _not_counted(config: Mapping[str, object]) -> list[str]:
    notes = []
    further = config.get("num_nextn_predict_layers")
    if type(further) is int and further > 0:
        notes.append(
            "Layers that predict further tokens (num_nextn_predict_layers) are not counted."
        )
    if config.get("quantization_config"):
        notes.append("Tensors are counted as they are without quantization (quantization_config).")
    return notes


def _weights(config: Mapping[str, object]) -> str | None:
    """The dtype of the weights, where the config tells and no quantization overrides it."""
    if config.get("quantization_config"):
        return None
    found = config.get("dtype") or config.get("torch_dtype")
    return _DTYPES.get(found.removeprefix("torch.")) if isinstance(found, str) else None


def _name(value: Mapping[str, object], family: Family, source: str) -> str:
    """What to call the model: by its folder, its file, or what the config says, in this order."""
    folders, file = os.path.split(source.replace("\\", "/"))
    cached = re.search(r"models--([^/]+)/snapshots/[^/]+\Z", folders)
    called = value.get("_name_or_path")
    candidates = (
        cached[1].replace("--", "/") if cached else "",
        os.path.basename(folders) if file == "config.json" else file.removesuffix(".json"),
        os.path.basename(called.rstrip("/")) if isinstance(called, str) else "",
    )
    usable = (name for name in candidates if name.strip(". ") and _is_text(name))
    return next(usable, family.name)


def _is_text(name: str) -> bool:
    """Whether ``name`` is short and can be written as UTF-8 (a file's name may hold any bytes)."""
    return len(name) <= _LONGEST_NAME and not re.search("[\ud800-\udfff]", name)
