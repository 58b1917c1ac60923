"""The scenario contract, version 1, as types, and what to say of a file that departs from it."""

import re
from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType, ValidationError, convert

from zerogui.accounting.errors import shown
from zerogui.files.reading import Written, child

FORMAT = "zerogui/scenario"
VERSION = 1

Length = Annotated[int, Meta(ge=0)]


class TensorEntry(Struct, forbid_unknown_fields=True, frozen=True):
    """``count`` equal tensors."""

    name: str
    # Bounded here, because the elements are multiplied before accounting looks at them.
    shape: Annotated[tuple[Length, ...], Meta(max_length=16)]
    frozen: bool = False
    count: Annotated[int, Meta(ge=1)] = 1


class ModelEntry(Struct, forbid_unknown_fields=True, frozen=True):
    """A count, or tensors, or both in agreement."""

    name: str = ""
    parameters: int | UnsetType = UNSET
    frozen_parameters: int | UnsetType = UNSET
    tensors: tuple[TensorEntry, ...] | None = None


class OptimizerEntry(Struct, forbid_unknown_fields=True, frozen=True):
    """One optimizer tensor."""

    name: str
    dtype: str
    over: str = "all"


class RecipeEntry(Struct, forbid_unknown_fields=True, frozen=True):
    """Dtypes by role; a recipe that is not given at all is mixed-precision Adam instead."""

    name: str = ""
    weights: str = "bf16"
    gradients: str = "bf16"
    optimizer: tuple[OptimizerEntry, ...] = ()
    frozen_weights: str = "bf16"
    accumulation: str | None = None


class ClusterEntry(Struct, forbid_unknown_fields=True, frozen=True):
    """Workers and GPUs."""

    workers: int = 4
    workers_per_node: int = 8
    model_parallel: int = 1


class ShardingEntry(Struct, forbid_unknown_fields=True, frozen=True):
    """Rule, stage and what goes with them."""

    rule: str = "even"
    stage: int = 0
    group: int | None = None
    secondary_group: int | None = None
    persistence_threshold: int = 0
    offload_optimizer: str = "device"
    offload_weights: str = "device"


class DeviceEntry(Struct, forbid_unknown_fields=True, frozen=True):
    """Bytes of one accelerator."""

    memory: int
    name: str = ""
    reserve: int = 0


class ScenarioEntry(Struct, forbid_unknown_fields=True, frozen=True):
    """The whole file."""

    format: str
    version: int
    model: ModelEntry
    title: str = ""
    recipe: RecipeEntry | UnsetType = UNSET
    cluster: ClusterEntry = ClusterEntry()
    sharding: ShardingEntry = ShardingEntry()
    device: DeviceEntry | None = None


_BY_PATH: dict[str, type[Struct]] = {
    "": ScenarioEntry,
    "model": ModelEntry,
    "model.tensors[]": TensorEntry,
    "recipe": RecipeEntry,
    "recipe.optimizer[]": OptimizerEntry,
    "cluster": ClusterEntry,
    "sharding": ShardingEntry,
    "device": DeviceEntry,
}

_TO_ADD = {
    "format": '"format": "zerogui/scenario"',
    "version": '"version": 1',
    "model": '"model": {"parameters": 7500000000}',
    "name": "a name",
    "shape": "a list of lengths",
    "dtype": "a dtype",
    "memory": "a whole number of bytes",
}

_TO_USE = {
    "int": "use a whole number with all its digits",
    "str": "use text in quotes",
    "bool": "use true or false",
    "object": "use an object {...}",
    "array": "use a list [...]",
}


def read_entry(plain: object) -> ScenarioEntry | str:
    """The typed contents of a parsed file, or the sentence that says why it is no scenario."""
    sentence = _header_fault(plain)
    if sentence:
        return sentence
    try:
        return convert(plain, ScenarioEntry)
    except ValidationError as error:
        return _fault(str(error), plain)


def _header_fault(plain: object) -> str:
    """What is wrong with format and version, which come first: other versions have other fields."""
    if not isinstance(plain, dict):
        return f"the file is {_found(plain)}, which is no scenario; choose another file."
    for key, right in (("format", FORMAT), ("version", VERSION)):
        if key not in plain:
            return f"{key} is missing; add {_TO_ADD[key]} or choose another file."
        found = plain[key]
        if type(found) is type(right) and found == right:
            continue
        if key == "format":
            return f'format is {_found(found)}; choose a file with "{FORMAT}".'
        if type(found) is int and found > VERSION:
            return f"version is {found:,}; this zerogui reads version 1, so use a newer one."
        return f"version is {_found(found)}; this zerogui reads version 1."
    return ""


def _fault(message: str, plain: object) -> str:
    """One sentence for the user from msgspec's message: field, what was found, what to do."""
    at = re.search(r" - at `\$([^`]*)`\Z", message)
    path = at[1].removeprefix(".") if at else ""
    if message.startswith("Object contains unknown field"):
        return _unknown_field(path, plain) or _unknown_field("", plain) or "has an unknown field."
    missing = re.match(r"Object missing required field `(\w+)`", message)
    if missing:
        return f"{child(path, missing[1])} is missing; add {_TO_ADD[missing[1]]}."
    value = _lookup(plain, path)
    return f"{path or 'the file'} is {_found(value)}; {_remedy(message, value, path)}."


def _unknown_field(path: str, plain: object) -> str:
    """The sentence for a field that the object at ``path`` has and the contract has not."""
    struct = _BY_PATH.get(re.sub(r"\d+", "", path))
    value = _lookup(plain, path)
    if struct is None or not isinstance(value, dict):
        return ""
    known = struct.__struct_fields__
    unknown = next((key for key in value if key not in known), None)
    if unknown is None:
        return ""
    from difflib import get_close_matches

    close = get_close_matches(unknown[:60], known, n=1)
    remedy = f"did you mean {close[0]}?" if close else f"remove it or use {', '.join(known)}."
    return f"{child(path, unknown)} is not a field of a scenario; {remedy}"


def _lookup(plain: object, path: str) -> object:
    value = plain
    for key, index in re.findall(r"(\w+)|\[(\d+)\]", re.sub(r"\[(\d+)\]", r".[\1]", path)):
        if key and isinstance(value, dict):
            value = value.get(key)
        elif index and isinstance(value, list) and int(index) < len(value):
            value = value[int(index)]
        else:
            return None
    return value


def _found(value: object) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case int():
            return f"{value:,}"
        case str():
            return shown(value)
        case Written() if len(value.text) > 40:
            return f"a number of {len(value.text):,} characters"
        case Written():
            return value.text
        case dict():
            return "an object"
        case _:
            return "a list"


def _remedy(message: str, value: object, path: str) -> str:
    bound = re.match(r"Expected `int` >= (\d+)", message)
    if bound:
        return f"use a whole number from {bound[1]}"
    if message.startswith("Expected `array` of length"):
        return "use at most 16 lengths"
    wanted = re.match(r"Expected `(\w+)( \| null)?`", message)
    if wanted is None or wanted[1] not in _TO_USE:
        return "correct it"
    kind = wanted[1]
    digits = _as_digits(value) if kind == "int" else ""
    remedy = f"write {digits}" if digits else _TO_USE[kind]
    if kind == "int" and path.startswith("device.") and not digits:
        remedy = "use a whole number of bytes"
    if kind == "int" and isinstance(value, Written) and _is_huge(value.text):
        remedy = "use a whole number up to 10^18"
    return remedy + (" or null" if wanted[2] and not digits else "")


def _is_huge(text: str) -> bool:
    """Whether a number is beyond every limit, as it is written: 10^400, 1e400."""
    return re.fullmatch(r"[1-9]\d{40,}|[1-9][\d.]*[eE]\+?\d{2,}", text, re.ASCII) is not None


def _as_digits(value: object) -> str:
    """The digits of a whole number that was written as 7.5e9, 64.0 or "64"; else nothing."""
    text = value.text if isinstance(value, Written) else value if isinstance(value, str) else ""
    number = re.fullmatch(r"(\d{1,20})(?:\.(\d{1,20}))?(?:[eE]\+?(\d{1,2}))?", text, re.ASCII)
    if number is None:
        return ""
    fraction = (number[2] or "").rstrip("0")
    power = int(number[3] or 0) - len(fraction)
    return str(int(number[1] + fraction) * 10**power) if 0 <= power <= 18 else ""
