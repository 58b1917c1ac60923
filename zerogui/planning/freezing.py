"""Freezing all of a model but a count, a share, or the tensors that name patterns choose."""

import re
from collections.abc import Sequence
from dataclasses import replace
from fnmatch import translate

from zerogui.accounting.errors import InputError, check_name, shown
from zerogui.accounting.model import Model, Tensor
from zerogui.files.models.tensor_names import compact, names_of
from zerogui.planning.quantities import parse_count


def freeze_all_but_count(model: Model, trainable: int) -> Model:
    """``model`` with ``trainable`` elements to train. InputError outside 0 .. all of them.

    A tensor list is kept where that count says which tensors are meant: none, all, or those that
    are trained already. Otherwise the result is a count.
    """
    if not 0 <= trainable <= model.parameters:
        problem = f"{trainable:,} trainable parameters are not possible"
        raise InputError("", problem, f"use a whole number from 0 to {model.parameters:,}")
    if trainable == model.trainable_parameters:
        return model
    frozen = model.parameters - trainable
    if model.tensors is None or 0 < trainable < model.parameters:
        return replace(model, frozen_parameters=frozen, tensors=None)
    tensors = tuple([tensor._replace(frozen=trainable == 0) for tensor in model.tensors])
    return Model.of(model.name, tensors)


def freeze_all_but_share(model: Model, numerator: int, denominator: int) -> Model:
    """``model`` with numerator / denominator of its elements to train, rounded down. InputError."""
    if not 0 <= numerator <= denominator or denominator == 0:
        problem = f"{numerator:,} / {denominator:,} is no share"
        raise InputError("", problem, "use one from 0 to 1")
    return freeze_all_but_count(model, model.parameters * numerator // denominator)


def freeze_all_but_patterns(model: Model, patterns: Sequence[str]) -> Model:
    """``model`` with the tensors to train whose full name a pattern matches (``*.lora_*``).

    ``*``, ``?`` and ``[abc]`` work as in a shell, upper and lower case differ, and ``{i}`` is
    written out before names are compared. InputError where a pattern matches nothing, or where
    there is no tensor list.
    """
    if model.tensors is None:
        problem = "name patterns need a tensor list, and this model is a parameter count"
        raise InputError("", problem, "open its config.json or checkpoint, or give a count")
    if not patterns:
        raise InputError("", "there is no pattern", "write one, such as *.lora_*")
    for pattern in patterns:
        check_name("the pattern", pattern, needed=True)
    choice = _Choice(patterns)
    tensors: list[Tensor] = []
    for tensor in model.tensors:
        names = names_of(tensor)
        chosen = [choice.has(name) for name in names]
        if all(chosen) or not any(chosen):
            tensors.append(tensor._replace(frozen=not chosen[0]))
            continue
        pairs = zip(names, chosen, strict=True)
        tensors += compact([Tensor(name, tensor.shape, not hit) for name, hit in pairs])
    for pattern in choice.unused:
        problem = f"{shown(pattern)} matches no tensor"
        raise InputError(
            "", problem, f"compare it with names like {shown(_example(model.tensors))}"
        )
    return Model.of(model.name, tuple(tensors))


def _example(tensors: tuple[Tensor, ...]) -> str:
    return names_of(tensors[0])[0] if tensors else ""


class _Choice:
    """Name patterns, and which of them matched nothing so far."""

    def __init__(self, patterns: Sequence[str]) -> None:
        self._matches = {pattern: re.compile(translate(pattern)).match for pattern in patterns}
        self.unused = dict.fromkeys(patterns)

    def has(self, name: str) -> bool:
        """Whether a pattern matches ``name``."""
        chosen = False
        for pattern, match in self._matches.items():
            if match(name):
                self.unused.pop(pattern, None)
                chosen = True
        return chosen


def train_only(model: Model, text: str) -> Model:
    """Freeze all but what ``text`` says: "20M", "0.5%", or patterns such as "*.lora_*, lm_head.*".

    InputError quoting the text where it can't be read.
    """
    words = text.strip()
    if words.endswith("%"):
        numerator, denominator = parse_percent(words)
        return freeze_all_but_share(model, numerator, denominator)
    if words[:1].isdigit() and not re.search(r"[*?\[]", words):
        return freeze_all_but_count(model, parse_count(words))
    patterns = [part.strip() for part in words.split(",")]
    return freeze_all_but_patterns(model, [pattern for pattern in patterns if pattern])


def parse_percent(text: str) -> tuple[int, int]:
    """ "12.5%" as the fraction 125 / 1000, exactly. InputError for anything else."""
    match = re.fullmatch(r"(\d{1,3})(?:\.(\d{1,12}))? ?%", text.strip(), re.ASCII)
    if match is None or int(match[1]) > 100:
        raise InputError("", f"{shown(text)} is not a share", "write one such as 0.5%")
    fraction = match[2] or ""
    return int(match[1] + fraction), 100 * 10 ** len(fraction)
