"""Sentences for someone who walks in late: what is planned, whether it fits, and the arithmetic."""

import re
from collections.abc import Mapping, Sequence

from zerogui.accounting.budget import StageBudget
from zerogui.accounting.cluster import Device
from zerogui.accounting.dtype import DTYPES
from zerogui.accounting.errors import printable
from zerogui.accounting.holdings import STATES, Holding, Slice, adds_master
from zerogui.accounting.recipe import Recipe
from zerogui.accounting.scenario import Scenario
from zerogui.planning.quantities import (
    exact_bytes,
    format_bytes,
    format_count,
    group_digits,
    rounded,
)
from zerogui.planning.report import NotOffered, StageReport

# A multiple of every block size, so that bytes per element come out in full.
_SAMPLE = 2**22
_NBSP = "\u00a0"
CUSTOM_DEVICE = "Custom device"
_DETERMINERS = {"a", "an", "the", "one", "my", "our", "your", "this", "that", "any", "every"}


def title(scenario: Scenario, part: Slice) -> str:
    """ "8.03 B parameters on 64 workers, 16 bytes each in mixed-precision Adam"."""
    model, cluster = scenario.model, scenario.cluster
    text = f"{format_count(model.parameters)} parameter{'' if model.parameters == 1 else 's'}"
    if model.frozen_parameters:
        text += f" ({format_count(model.trainable_parameters)} trained)"
    text += f" on {_counted(cluster.workers, 'worker')}"
    if cluster.model_parallel > 1:
        text += f" × {group_digits(cluster.model_parallel)} GPUs"
    each = "each" if not model.frozen_parameters else "for each trained one"
    recipe = _in_recipe(scenario.recipe.name)
    size = bytes_per_parameter(scenario.recipe, adds_master(part, scenario.sharding.stage))
    return f"{text}, {size} byte{'' if size == '1' else 's'} {each}{recipe}"


def _in_recipe(name: str) -> str:
    if not name:
        return ""
    if name == "Custom":
        return " in a recipe of your own"
    # "Mixed-precision Adam" reads as a common noun in mid-sentence, "Muon" is a name.
    first = name.split(" ", 1)[0]
    if first in ("Mixed-precision", "Pure"):
        name = name[0].lower() + name[1:]
    return f" in {printable(name)}"


def bytes_per_parameter(recipe: Recipe, adds_master: bool = False) -> str:
    """Bytes of one trained parameter before any sharding: "16", "10.03".

    "up to" where tensors do not cover every parameter; with an fp32 master copy that the engine
    adds of its own accord.
    """
    plain = [recipe.weights, recipe.gradients, *_covering(recipe, "all")]
    plain += ["fp32"] if adds_master else []
    plain += [recipe.accumulation] if recipe.accumulation is not None else []
    # A parameter is a matrix's or one of the rest, never both.
    either = max(_sample(_covering(recipe, "matrices")), _sample(_covering(recipe, "rest")))
    total = _sample(plain) + either + _sample(_covering(recipe, "factors"))
    hundredths = rounded(total * 100, _SAMPLE)
    whole, rest = divmod(hundredths, 100)
    number = f"{whole}.{rest:02d}".rstrip("0") if rest else f"{whole}"
    partial = any(tensor.over != "all" for tensor in recipe.optimizer)
    return f"up to {number}" if partial else number


def _covering(recipe: Recipe, over: str) -> list[str]:
    return [tensor.dtype for tensor in recipe.optimizer if tensor.over == over]


def _sample(dtypes: Sequence[str]) -> int:
    return sum(DTYPES[dtype].bytes(_SAMPLE) for dtype in dtypes)


def places(found: StageBudget, rank: int, gpus: int, unit: str) -> str:
    """What ``rank`` keeps off the device, and what a node of ``gpus`` GPUs holds; "" if none."""
    held = {tier: found.tiers[tier].at(rank) for tier in ("host", "nvme")}
    parts = [
        f"{_size(held[tier], unit)} of it on {tier} ({_size(found.node(tier, gpus), unit)} a node)"
        for tier in held
        if held[tier]
    ]
    return ", ".join(parts)


def _counted(n: int, noun: str) -> str:
    return f"{group_digits(n)} {noun}{'' if n == 1 else 's'}"


def device_name(device: Device) -> str:
    """The device's name as one line; "Device" where it has none."""
    return printable(device.name.strip()) or "Device"


def device_label(device: Device | None, unit: str) -> str | None:
    """ "H100 80GB · 85.5 GB", less the reserve where there is one."""
    if device is None:
        return None
    size = _size(device.memory, unit)
    name = device_name(device)
    if device.reserve:
        return f"{name} · {size} − {_size(device.reserve, unit)} reserve"
    return f"{name} · {size}"


def verdict(
    scenario: Scenario,
    stages: Sequence[StageReport | NotOffered],
    fewest_workers: Mapping[int, int | None],
    unit: str,
) -> str:
    """Where it fits and what is left at the stage under discussion, as one line."""
    device = scenario.device
    if device is None:
        return "Choose a device to see at which stage it fits"
    name = _with_article(device_name(device) if device.name.strip() else "device")
    offered = [stage for stage in stages if isinstance(stage, StageReport)]
    fitting = [stage for stage in offered if stage.fits]
    selected = stages[scenario.sharding.stage]
    if not fitting:
        closest = max(offered, key=lambda stage: stage.free or 0)
        over = _size(-(closest.free or 0), unit)
        text = f"Does not fit {name} at any stage; {closest.label} is over by {over}"
        return text + _needed(offered, fewest_workers)
    if fitting == [selected] and len(offered) > 1:
        left = _size(fitting[0].free or 0, unit)
        return f"Fits {name} at {selected.label} only, leaving {left} for activations"
    return f"Fits {name} {_where(offered, fitting)}{_left(selected, unit)}"


def _size(n: int, unit: str) -> str:
    return f"{format_bytes(n, unit, 3)}{_NBSP}{unit}"


def _needed(offered: Sequence[StageReport], fewest_workers: Mapping[int, int | None]) -> str:
    """How many workers would do, at the stage that needs the fewest."""
    counts = {stage.label: fewest_workers[stage.stage] for stage in offered}
    enough = {label: count for label, count in counts.items() if count is not None}
    if not enough:
        return ""
    label = min(enough, key=lambda name: (enough[name], name))
    return f"; {label} would fit on {_counted(enough[label], 'worker')}"


def _where(offered: Sequence[StageReport], fitting: Sequence[StageReport]) -> str:
    if len(fitting) == len(offered):
        return "at every stage" if len(offered) > 1 else f"at {fitting[0].label}"
    if list(fitting) == list(offered[-len(fitting) :]) and len(fitting) > 1:
        return f"from {fitting[0].label} on"
    return "at " + " and ".join(stage.label for stage in fitting) + " only"


def _left(selected: StageReport | NotOffered, unit: str) -> str:
    if isinstance(selected, NotOffered):
        return f"; {selected.label} is not offered"
    free = selected.free or 0
    size = _size(abs(free), unit)
    if free < 0:
        return f"; {selected.label} is over by {size}"
    return f"; {selected.label} leaves {size} for activations"


def _with_article(name: str) -> str:
    """ "an H100 80GB", "a Tesla T4": spelled-out names go by how their letter sounds.

    A name that starts with an article or the like of its own is taken as it is.
    """
    word = name.split()[0]
    if name == CUSTOM_DEVICE:
        return f"a {name.lower()}"
    if word.lower() in _DETERMINERS:
        return name
    spelled = len(word) > 1 and (word.isupper() or any(c.isdigit() for c in word[:3]))
    if word[:1] == "8" or re.match(r"(11|18)\D", word):
        return f"an {name}"
    vowel = word[0] in "AEFHILMNORSX" if spelled else word[0] in "AEIOUaeiou"
    return f"{'an' if vowel else 'a'} {name}"


def arithmetic(label: str, found: StageBudget, rank: int, unit: str) -> str:
    """ "ZeRO-2: 2·7.5e9 + (2 + 12)·7.5e9/64 = 16 640 625 000 B = 16.640625 GB".

    The bytes of ``rank``, states that hold the same elements taken together.
    """
    total = found.total.at(rank)
    size, exact = exact_bytes(total, unit)
    terms = " + ".join(_terms(found.lines, rank)) or "0"
    equals = "=" if exact else "≈"
    prefix = "" if found.exact else "≈ "
    return f"{label}: {prefix}{terms} = {group_digits(total)}{_NBSP}B {equals} {size}{_NBSP}{unit}"


def _terms(lines: Sequence[Holding], rank: int) -> list[str]:
    widths: dict[str, dict[str, int]] = {}
    blocks: list[str] = []
    for line in lines:
        if line.dtype.width is None:
            blocks.append(_block_term(line, rank))
            continue
        by_state = widths.setdefault(_elements(line, rank), dict.fromkeys(STATES, 0))
        by_state[line.state] += line.dtype.width
    terms = []
    for elements, by_state in widths.items():
        parts = [str(width) for width in by_state.values() if width]
        coefficient = parts[0] if len(parts) == 1 else f"({' + '.join(parts)})"
        terms.append(f"{coefficient}·{elements}")
    return terms + blocks


def _block_term(line: Holding, rank: int) -> str:
    """One buffer as a function of its elements; several as their bytes, since each is rounded."""
    buffers = line.layout.buffers_at(rank)
    if buffers <= 1:
        return f"{line.dtype.name}({_elements(line, rank)})"
    size = group_digits(line.stored.at(rank))
    return f"{size} ({line.dtype.name}, {group_digits(buffers)} buffers)"


def _elements(line: Holding, rank: int) -> str:
    """The rank's element count, as the quotient that it comes from where that says more."""
    layout, held = line.layout, line.layout.elements.at(rank)
    if not layout.partitioned or layout.ranks == 1 or held * layout.ranks != layout.real:
        return _number(held)
    return f"{_number(layout.real)}/{group_digits(layout.ranks)}"


def _number(n: int) -> str:
    """7.5e9 where that is short, else all digits."""
    text = str(n).rstrip("0")
    exponent = len(str(n)) - 1
    if n < 10**6 or len(text) > 4:
        return group_digits(n)
    return f"{text[0]}.{text[1:]}e{exponent}".replace(".e", "e")
