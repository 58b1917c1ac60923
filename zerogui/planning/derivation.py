"""The full arithmetic of the selected stage as lines to read and copy, in the paper's symbols."""

from zerogui.accounting.dtype import DTYPES
from zerogui.accounting.errors import printable
from zerogui.accounting.recipe import Recipe
from zerogui.planning.quantities import NO_BREAK_SPACE, exact_bytes, group_digits
from zerogui.planning.report import NotOffered, Report, StageReport

# ZeRO paper (arXiv 1910.02054) section 5 and Figure 1.
_PAPER = {
    0: ("baseline", "(2 + 2 + K)·Ψ"),
    1: ("P_os", "(2 + 2)·Ψ + K·Ψ / N_d"),
    2: ("P_os+g", "2·Ψ + (2 + K)·Ψ / N_d"),
    3: ("P_os+g+p", "(2 + 2 + K)·Ψ / N_d"),
}
_STATES = ("parameters", "gradients", "optimizer")


def derivation(report: Report) -> tuple[str, ...]:
    """Lines from the inputs to the bytes of the most loaded rank."""
    stage = report.selected
    if isinstance(stage, NotOffered):
        return (f"{stage.label} is not offered: {stage.reason}.",)
    lines = [*_inputs(report), "", *_paper(report, stage), ""]
    lines += [f"Rank {group_digits(stage.rank_number)} holds the most:"]
    for state in _STATES:
        held = [line for line in stage.components if line.state == state]
        lines += [f"  {line.shown_formula}{_tier(line.tier)}" for line in held]
        total = group_digits(getattr(stage.rank, state))
        lines.append(f"  = {total}{NO_BREAK_SPACE}B of {state}")
    lines += ["", *_sum(report, stage), *_rest(report, stage)]
    return tuple(lines)


def _inputs(report: Report) -> list[str]:
    scenario = report.scenario
    model, cluster = scenario.model, scenario.cluster
    psi = f"Ψ = {group_digits(model.parameters)} parameters"
    if model.frozen_parameters:
        psi += f", of which {group_digits(model.frozen_parameters)} are frozen"
    workers = f"N_d = {group_digits(cluster.workers)} workers"
    if scenario.group != cluster.workers:
        workers += f" in shard groups of {group_digits(scenario.group)}"
    lines = [psi, workers]
    if cluster.model_parallel > 1:
        m = group_digits(cluster.model_parallel)
        lines.append(f"MP = {m}: each GPU holds one part in {m} of the model, rounded up")
    lines.append(_optimizer(scenario.recipe))
    return lines


def _optimizer(recipe: Recipe) -> str:
    widths = [DTYPES[tensor.dtype].width for tensor in recipe.optimizer]
    names = " + ".join(
        f"{width} {printable(tensor.name)}"
        if width is not None
        else f"{printable(tensor.name)} in {tensor.dtype}"
        for width, tensor in zip(widths, recipe.optimizer, strict=True)
    )
    if not recipe.optimizer:
        return "K = 0: the optimizer keeps nothing"
    if any(width is None for width in widths):
        return f"K: {names}"
    return f"K = {sum(width for width in widths if width is not None)} bytes: {names}"


def _paper(report: Report, stage: StageReport) -> list[str]:
    name, formula = _PAPER[stage.stage]
    recipe = report.scenario.recipe
    weights, gradients = DTYPES[recipe.weights].width, DTYPES[recipe.gradients].width
    if weights is None or gradients is None:
        return [f"{stage.label} is the paper's {name}"]
    formula = formula.replace("2 + 2", f"{weights} + {gradients}").replace("2·Ψ", f"{weights}·Ψ")
    formula = formula.replace("(2 + K)", f"({gradients} + K)")
    return [f"{stage.label} is the paper's {name}: {formula}"]


def _sum(report: Report, stage: StageReport) -> list[str]:
    size, exact = exact_bytes(stage.rank.total, report.unit)
    total = f"{group_digits(stage.rank.total)}{NO_BREAK_SPACE}B"
    equals = "=" if exact else "≈"
    lines = [f"Total: {total} {equals} {size}{NO_BREAK_SPACE}{report.unit}"]
    if stage.tiers["device"] != stage.rank.total:
        lines += [
            f"  of it {group_digits(stage.tiers[tier])}{NO_BREAK_SPACE}B on {tier}"
            for tier in ("device", "host", "nvme")
            if stage.tiers[tier]
        ]
    lines += [f"Approximate: {note}" for note in stage.lacks]
    lines += stage.remarks
    return lines


def _rest(report: Report, stage: StageReport) -> list[str]:
    lines = []
    device = report.scenario.device
    if device is not None and stage.free is not None:
        memory, reserve = group_digits(device.memory), group_digits(device.reserve)
        lines.append(
            f"Free: {memory} − {reserve} reserve − {group_digits(device.usable - stage.free)}"
            f" = {group_digits(stage.free)}{NO_BREAK_SPACE}B"
        )
    padding = stage.padding
    if padding.parameters or padding.gradients or padding.optimizer:
        lines.append(
            f"Padding: {group_digits(padding.parameters)} + {group_digits(padding.gradients)} +"
            f" {group_digits(padding.optimizer)} elements of parameters, gradients, optimizer"
        )
    cluster = f"{group_digits(stage.cluster_total)}{NO_BREAK_SPACE}B"
    lines.append(f"Whole cluster: {cluster}")
    lines.append(f"Sent by each rank in a step: {group_digits(stage.communication)} elements")
    return lines


def _tier(tier: str) -> str:
    return "" if tier == "device" else f" ({tier})"
