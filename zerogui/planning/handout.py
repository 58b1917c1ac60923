"""What a printed page says beside chart and table: inputs, conditions and derivation as lines."""

from collections.abc import Callable, Mapping, Sequence

from zerogui.accounting.errors import printable
from zerogui.accounting.recipe import Recipe
from zerogui.accounting.rules import rule_named
from zerogui.accounting.scenario import Scenario
from zerogui.planning.quantities import NO_BREAK_SPACE, format_count, group_digits
from zerogui.planning.report import Component, NotOffered, Report
from zerogui.planning.sentences import device_label

# Longer names from files are elided; a page has room for so many optimizer tensors by name.
LONGEST_NAME = 40
_TENSORS_NAMED = 6
_WHERE = {"device": "on the device", "host": "in host memory", "nvme": "on NVMe"}


def heading(report: Report) -> str:
    """The plan's title as one line; empty where it has none."""
    return printable(report.scenario.title.strip())


def sentences(report: Report) -> tuple[str, str]:
    """Title sentence and verdict, names in them elided so that what is said of them stays."""
    scenario = report.scenario
    names = [scenario.recipe.name, scenario.device.name if scenario.device else ""]
    return _with_short(report.title, names), _with_short(report.verdict, names)


def _with_short(text: str, names: Sequence[str]) -> str:
    for name in names:
        whole, short = printable(name.strip()), printable(name.strip(), LONGEST_NAME)
        if whole != short:
            # A sentence may have made the first letter a small one.
            text = text.replace(whole[1:], short[1:])
    return text


def inputs(report: Report) -> tuple[tuple[str, str], ...]:
    """(section, everything that it holds in one line) for every section of the panel."""
    scenario = report.scenario
    return (
        ("Model", _model(scenario)),
        ("Recipe", _recipe(scenario.recipe)),
        ("Cluster", _cluster(scenario)),
        ("Sharding", f"{_rule(scenario)}, {report.selected.label} selected, {_sharding(scenario)}"),
        ("Device", _device(report)),
    )


def conditions(report: Report) -> str:
    """What a picture alone would leave open: the rule, its settings, and what is counted."""
    return f"{_rule(report.scenario)}, {_sharding(report.scenario)}; model states only"


def _model(scenario: Scenario) -> str:
    model = scenario.model
    name = printable(model.name.strip(), LONGEST_NAME)
    text = f"{name}: " if name else ""
    text += _counted(model.parameters, "parameter")
    frozen = group_digits(model.frozen_parameters) if model.frozen_parameters else "none"
    text += f", {frozen} frozen"
    if model.tensors is None:
        return f"{text}, given as a count"
    return f"{text}, in {_counted(model.listed, 'tensor')}"


def _recipe(recipe: Recipe) -> str:
    name = printable(recipe.name.strip(), LONGEST_NAME)
    parts = [f"weights {recipe.weights}", f"gradients {recipe.gradients}"]
    if recipe.accumulation is not None:
        parts.append(f"accumulation {recipe.accumulation}")
    named = recipe.optimizer
    if len(named) > _TENSORS_NAMED:
        named = named[: _TENSORS_NAMED - 1]
    parts += [f"{printable(tensor.name, LONGEST_NAME)} {tensor.dtype}" for tensor in named]
    if len(named) < len(recipe.optimizer):
        parts.append(f"{len(recipe.optimizer) - len(named)} more optimizer tensors")
    parts.append(f"frozen weights {recipe.frozen_weights}")
    return (f"{name}: " if name else "") + ", ".join(parts)


def _cluster(scenario: Scenario) -> str:
    cluster = scenario.cluster
    text = _counted(cluster.workers, "worker")
    if cluster.model_parallel > 1:
        gpus = group_digits(cluster.workers * cluster.model_parallel)
        parallel = group_digits(cluster.model_parallel)
        text += f" × {parallel} model parallel = {gpus}{NO_BREAK_SPACE}GPUs"
    return f"{text}, {group_digits(cluster.workers_per_node)} to a node"


def _rule(scenario: Scenario) -> str:
    return rule_named(scenario.sharding.rule).title


def _sharding(scenario: Scenario) -> str:
    sharding = scenario.sharding
    parts = []
    if sharding.group is not None:
        parts.append(f"shard groups of {group_digits(sharding.group)}")
    if sharding.secondary_group is not None:
        parts.append(f"secondary groups of {group_digits(sharding.secondary_group)}")
    if sharding.persistence_threshold:
        most = group_digits(sharding.persistence_threshold)
        parts.append(f"tensors up to {most} elements gathered")
    for what, tier in (
        ("optimizer states", sharding.offload_optimizer),
        ("weights", sharding.offload_weights),
    ):
        if tier != "device":
            parts.append(f"{what} {_WHERE[tier]}")
    return ", ".join(parts) or "one shard group, no offload"


def _device(report: Report) -> str:
    device = report.scenario.device
    label = device_label(device, report.unit)
    if device is None or label is None:
        return "none chosen"
    return _with_short(label, [device.name])


def _counted(n: int, noun: str) -> str:
    return f"{group_digits(n)} {noun}{'' if n == 1 else 's'}"


def derivation(report: Report, at_most: int) -> tuple[str, ...]:
    """The selected stage's component formulas in at most ``at_most`` lines (two or more).

    Components that find no room are added up in the last line; () for a stage not offered.
    """
    stage = report.selected
    if isinstance(stage, NotOffered):
        return ()
    lines = stage.components
    if len(lines) <= at_most:
        return tuple(map(_formula, lines))
    kept = lines[: at_most - 1]
    return (*map(_formula, kept), _rest(lines[at_most - 1 :]))


def _formula(line: Component) -> str:
    name = printable(line.name)
    text = printable(line.name, LONGEST_NAME) + line.shown_formula.removeprefix(name)
    return text if line.tier == "device" else f"{text} ({_WHERE[line.tier]})"


def _rest(lines: Sequence[Component]) -> str:
    together = group_digits(sum(line.bytes for line in lines))
    what = "optimizer tensors" if lines[0].state == "optimizer" else "components"
    return f"{len(lines)} more {what} together: {together}{NO_BREAK_SPACE}B"


def answers(report: Report) -> tuple[str, ...]:
    """Fewest workers and largest model by stage, one line each; () without a device."""
    if report.scenario.device is None:
        return ()
    found = report.answers
    return (
        f"Fewest workers: {_by_stage(report, found.fewest_workers, group_digits)}",
        f"Largest model (parameters): {_by_stage(report, found.largest_model, format_count)}",
    )


def _by_stage(report: Report, values: Mapping[int, int | None], shown: Callable[[int], str]) -> str:
    texts = []
    for stage in report.offered:
        value = values[stage.stage]
        texts.append(f"{stage.label} {'none' if value is None else shown(value)}")
    return ", ".join(texts)


def remarks(report: Report) -> tuple[str, ...]:
    """Why numbers are approximate and stages not offered, one sentence each."""
    texts: dict[str, list[str]] = {}
    for stage in report.stages:
        if isinstance(stage, NotOffered):
            texts.setdefault(stage.reason, []).append(f"{stage.label} (not offered)")
            continue
        label = stage.label if stage.exact else f"{stage.label} (approximate)"
        for note in stage.notes:
            texts.setdefault(note, []).append(label)
    return tuple(f"{', '.join(labels)}: {text}." for text, labels in texts.items())
