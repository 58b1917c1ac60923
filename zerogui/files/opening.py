"""Recognises what a path holds: a scenario, a model's config, a checkpoint, an engine's config."""

import os

from zerogui.accounting.scenario import Scenario
from zerogui.files import SUFFIX, comparison
from zerogui.files.errors import FileError
from zerogui.files.named_scenarios import NamedScenarios
from zerogui.files.opened import EngineSettings, OpenedModel
from zerogui.files.reading import LARGEST_CONFIG, Progress, parse_json, read_bytes
from zerogui.files.scenario import from_plain

Opened = Scenario | OpenedModel | EngineSettings | NamedScenarios

# Pickles too: the checkpoint reader says why they are not opened.
_CHECKPOINTS = (
    ".safetensors",
    ".safetensors.index.json",
    ".bin.index.json",
    ".bin",
    ".pt",
    ".pth",
    ".ckpt",
    ".pkl",
    ".pickle",
)
_YAML = (".yaml", ".yml")
# Keys that only one kind of JSON file has, at its top.
_MODEL_KEYS = {"model_type", "text_config", "architectures"}
_DEEPSPEED_KEYS = {
    "zero_optimization",
    "train_batch_size",
    "train_micro_batch_size_per_gpu",
    "gradient_accumulation_steps",
    "bf16",
    "fp16",
    "data_types",
}
_SCENARIO_KEYS = {"version", "model", "recipe", "cluster", "sharding", "device"}


def open_any(path: str, progress: Progress | None = None) -> Opened:
    """What the file or folder at ``path`` holds. FileError where it is none of these kinds.

    ``progress`` is told how many of a checkpoint's files have been read.
    """
    name = os.path.basename(path.rstrip("/" + os.sep)).lower()
    if is_checkpoint(path):
        from zerogui.files.models.checkpoint import read_checkpoint

        return read_checkpoint(path, progress)
    if name.endswith(_YAML):
        from zerogui.files.engines.accelerate_config import read_accelerate

        return read_accelerate(read_bytes(path, LARGEST_CONFIG), path)
    if os.path.isdir(path):
        path = os.path.join(path, "config.json")
    return _open_json(path)


def is_checkpoint(path: str) -> bool:
    """Whether ``path`` is read as a checkpoint, by its name and what a folder holds."""
    name = os.path.basename(path.rstrip("/" + os.sep)).lower()
    return name.endswith(_CHECKPOINTS) or _is_checkpoint_folder(path)


def _is_checkpoint_folder(path: str) -> bool:
    """A folder counts as a checkpoint unless a config is all that it has."""
    if not os.path.isdir(path):
        return False
    try:
        names = os.listdir(path)
    except OSError:
        return True
    return "config.json" not in names or any(name.endswith(".safetensors") for name in names)


def _open_json(path: str) -> Opened:
    data = read_bytes(path)
    value = parse_json(data, path)
    keys = set(value) if isinstance(value, dict) else set()
    if isinstance(value, dict) and "format" not in keys:
        if keys & (_DEEPSPEED_KEYS | _MODEL_KEYS) and len(data) > LARGEST_CONFIG:
            raise FileError(path, "is larger than 16 MB; choose a config that is smaller.")
        if keys & _DEEPSPEED_KEYS and not keys & _MODEL_KEYS:
            from zerogui.files.engines.deepspeed_config import read_deepspeed

            return read_deepspeed(value, path)
        if keys & _MODEL_KEYS:
            from zerogui.files.models.model_config import read_model_config

            return read_model_config(value, path)
        _check_scenario_like(keys, path)
    if isinstance(value, dict) and value.get("format") == comparison.FORMAT:
        return comparison.from_plain(value, path)
    return from_plain(value, path)


def _check_scenario_like(keys: set[str], path: str) -> None:
    """FileError where a JSON object without a format is not even the beginning of a scenario.

    Telling its reader to add a format would lead them astray.
    """
    if "peft_type" in keys:
        sentence = "describes an adapter without its tensors; open adapter_model.safetensors"
        raise FileError(path, f"{sentence} beside it.")
    if not keys & _SCENARIO_KEYS and not path.lower().endswith(SUFFIX):
        raise FileError(
            path,
            "holds none of what opens here (a scenario, a model's config, a DeepSpeed config);"
            " choose another file.",
        )
