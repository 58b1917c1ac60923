"""The sheets that calculate: rule ``even`` as spreadsheet formulas, exact up to 2^53."""

from collections.abc import Callable
from dataclasses import dataclass

from zerogui.accounting.cluster import MAX_WORKERS
from zerogui.accounting.dtype import DTYPES
from zerogui.accounting.errors import printable
from zerogui.accounting.holdings import OPTIMIZER, PARAMETERS, STATES, Holding
from zerogui.accounting.rules import rule_named
from zerogui.planning.handout import heading
from zerogui.planning.report import Report, StageReport
from zerogui.planning.sheet import EXACT, TOO_LARGE, Sheet, cell
from zerogui.planning.summary import headings, summary_rows

PLAN = "Plan"
COMPONENTS = "Components"
_TITLE, _HINT, _CHECK, _INPUTS = 0, 1, 2, 4
_FROZEN_WEIGHTS = "frozen weights"
# The components' sheet.
_COLUMNS = (
    *("Stage", "State", "Component", "Dtype", "Where", "Held"),
    *("Elements, fullest rank", "Bytes, fullest rank", "Bytes, whole cluster"),
)
_ELEMENTS, _BYTES, _CLUSTER = 6, 7, 8


def over(numerator: str, denominator: str) -> str:
    """⌈numerator / denominator⌉ as a formula.

    The rounded quotient is corrected by a comparison of whole numbers: a spreadsheet's own
    ROUNDUP and INT mend what they take for rounding errors, and then are one off.
    """
    near = f"ROUND({numerator}/{denominator},0)"
    return f"({near}+IF((({numerator})-{near}*{denominator})>0,1,0))"


def _int4(n: str) -> str:
    return over(n, "2")


def _nf4_double(n: str) -> str:
    blocks = over(n, "64")
    return f"({over(n, '2')}+{blocks}+4*{over(blocks, '256')})"


_BLOCKS: dict[str, Callable[[str], str]] = {
    "int4": _int4,
    "int8-block256": lambda n: f"({n}+4*{over(n, '256')})",
    "nf4-block64": lambda n: f"({over(n, '2')}+4*{over(n, '64')})",
    "nf4-double": _nf4_double,
}


@dataclass(frozen=True)
class Split:
    """Cells that say how T or F elements lie on the ranks of a shard group."""

    whole: str
    most: str
    least: str
    longer: str


@dataclass(frozen=True)
class Names:
    """Where the inputs and what follows from them stand on the sheet of the plan."""

    workers: str
    parallel: str
    group: str
    memory: str
    reserve: str
    widths: dict[str, str]
    trainable: Split
    frozen: Split


def guarded(formula: str) -> str:
    """``formula``, or a text where a spreadsheet cannot hold its value exactly."""
    return f'IF({formula}>2^53,"{TOO_LARGE}",{formula})'


def write_live(plan: Sheet, components: Sheet, report: Report) -> None:
    """Inputs and table on ``plan``, every component of every stage on ``components``."""
    plan.widths(38, *[22] * 6, 31)
    plan.text(_TITLE, 0, heading(report) or "zerogui plan", "title")
    rule = rule_named(report.scenario.sharding.rule).title
    plan.text(
        _HINT,
        0,
        "Change a blue cell and everything follows. Bytes are those of the most loaded rank;"
        f" rule: {rule}; model states only.",
        "muted",
    )
    row, names = _write_inputs(plan, report)
    ranges = _write_components(components, report, names)
    _write_table(plan, row + 1, report, names, ranges)


def _write_inputs(plan: Sheet, report: Report) -> tuple[int, Names]:
    """The blue cells and the counts that follow; returns the next free row."""
    scenario = report.scenario
    model, cluster, device = scenario.model, scenario.cluster, scenario.device
    row = _INPUTS
    plan.text(row, 0, "Inputs", "head")

    def given(label: str, value: int, low: int, high: int, remark: str = "") -> str:
        nonlocal row
        row += 1
        plan.text(row, 0, label)
        plan.integer(row, 1, value, "input")
        plan.whole_numbers(row, 1, low, high)
        if remark:
            plan.text(row, 2, remark, "remark")
        return cell(row, 1, PLAN)

    total = given("Parameters Ψ", model.parameters, 0, EXACT)
    frozen = given("Frozen parameters", model.frozen_parameters, 0, EXACT, "of these")
    workers = given("Workers N", cluster.workers, 1, MAX_WORKERS, "data parallel")
    parallel = given("Model parallel M", cluster.model_parallel, 1, MAX_WORKERS)
    group_size = scenario.sharding.group or cluster.workers
    group = given("Shard group G", group_size, 1, MAX_WORKERS, "a divisor of N")
    if scenario.sharding.group is None:
        plan.formula(row, 1, workers, cluster.workers, "input")
        plan.text(row, 2, "all workers; a number makes it smaller", "remark")
    memory = reserve = ""
    if device is not None:
        memory = given("Device memory (bytes)", device.memory, 0, EXACT, printable(device.name, 80))
        reserve = given("Reserve (bytes)", device.reserve, 0, EXACT)
    widths = {
        name: given(f"Bytes per element of {name}", DTYPES[name].width or 0, 0, 1000)
        for name in _plain_dtypes(report)
    }
    row += 2
    plan.text(row, 0, "What follows", "head")
    agree = _agreement(total, frozen, workers, parallel, group)
    splits = []
    m = cluster.model_parallel
    for what, formula, count in (
        ("Trainable", f"({total}-{frozen})", -(-model.trainable_parameters // m)),
        ("Frozen", frozen, -(-model.frozen_parameters // m)),
    ):
        sliced = f"IF({agree},{over(formula, parallel)},NA())"
        splits.append(_write_split(plan, row + 1, what, sliced, count, group, group_size))
        row += 4
    _write_check(plan, splits[0].whole)
    return row + 1, Names(workers, parallel, group, memory, reserve, widths, *splits)


def _write_check(plan: Sheet, needs: str) -> None:
    """Says whether the inputs agree: else nothing that follows from them is a number."""
    good = "The inputs agree."
    wrong = "Check the inputs: whole numbers, frozen at most all parameters, G a divisor of N."
    plan.formula(_CHECK, 0, f'IF(ISNUMBER({needs}),"{good}","{wrong}")', good, "bold")


def _plain_dtypes(report: Report) -> list[str]:
    recipe = report.scenario.recipe
    used = [recipe.weights, recipe.gradients, recipe.accumulation, recipe.frozen_weights]
    used += [tensor.dtype for tensor in recipe.optimizer]
    return [name for name in dict.fromkeys(used) if name and DTYPES[name].width is not None]


def _agreement(total: str, frozen: str, workers: str, parallel: str, group: str) -> str:
    whole = ",".join(f"INT({x})={x}" for x in (total, frozen, workers, parallel, group))
    return (
        f"AND({whole},{frozen}>=0,{frozen}<={total},{workers}>=1,{parallel}>=1,{group}>=1,"
        f"ROUND({workers}/{group},0)*{group}={workers})"
    )


def _write_split(
    plan: Sheet, row: int, what: str, formula: str, count: int, group: str, ranks: int
) -> Split:
    """Four rows: elements of a slice, on the fullest and the emptiest rank, fuller ranks."""
    split = Split(*(cell(row + line, 1, PLAN) for line in range(4)))
    share, longer = divmod(count, ranks)
    for line, (label, text, value) in enumerate(
        (
            (f"{what} elements", formula, count),
            (f"{what}, split: fullest rank", over(split.whole, group), share + (longer > 0)),
            (
                f"{what}, split: other ranks",
                f"IF({split.most}*{group}>{split.whole},{split.most}-1,{split.most})",
                share,
            ),
            (
                f"{what}, split: fuller ranks of a group",
                f"{split.whole}-{split.least}*{group}",
                longer,
            ),
        )
    ):
        plan.text(row + line, 0, label)
        plan.formula(row + line, 1, text, value)
    return split


def _stored(dtype: str, elements: str, names: Names) -> str:
    """Bytes of one buffer as a formula."""
    if dtype in names.widths:
        return f"{elements}*{names.widths[dtype]}"
    return _BLOCKS[dtype](elements)


@dataclass(frozen=True)
class _Line:
    """One component as the sheet needs it; without ``held`` there is nothing of it now."""

    state: str
    name: str
    dtype: str
    tier: str
    partitioned: bool
    frozen: bool
    held: Holding | None


def _lines(stage: StageReport, report: Report) -> list[_Line]:
    """The stage's components in order; frozen weights always, so that their cell may be changed."""
    sharding, recipe = report.scenario.sharding, report.scenario.recipe
    lines = [
        _Line(
            line.state,
            line.name,
            line.dtype.name,
            line.tier,
            line.layout.partitioned,
            line.state == PARAMETERS and line.name == _FROZEN_WEIGHTS,
            line,
        )
        for line in stage.budget.lines
    ]
    if not any(line.frozen for line in lines):
        tier = sharding.offload_weights if stage.stage == 3 else "device"
        nothing = _Line(
            PARAMETERS, _FROZEN_WEIGHTS, recipe.frozen_weights, tier, stage.stage == 3, True, None
        )
        lines.insert(1, nothing)
    return lines


def _write_components(
    sheet: Sheet, report: Report, names: Names
) -> dict[tuple[int, str], tuple[int, int]]:
    """All components; returns the rows (first, one past the last) of every stage and state."""
    sheet.widths(8, 14, 28, 15, 10, 10, 22, 22, 24)
    for column, name in enumerate(_COLUMNS):
        sheet.text(0, column, name, "head number" if column >= _ELEMENTS else "head")
    ranges = {}
    row = 1
    for stage in report.offered:
        lines = _lines(stage, report)
        for state in STATES:
            first = row
            for line in (line for line in lines if line.state == state):
                _write_component(sheet, row, stage, line, names)
                row += 1
            ranges[stage.stage, state] = (first, row)
    return ranges


def _write_component(sheet: Sheet, row: int, stage: StageReport, line: _Line, names: Names) -> None:
    split = names.frozen if line.frozen else names.trainable
    sheet.integer(row, 0, stage.stage)
    for column, text in enumerate((line.state, printable(line.name), line.dtype, line.tier), 1):
        sheet.text(row, column, text)
    sheet.text(row, 5, "split" if line.partitioned else "whole")
    found, held = stage.budget, line.held
    elements = split.most if line.partitioned else split.whole
    now = held.layout.elements.at(0) if held else 0
    sheet.formula(row, _ELEMENTS, elements, now)
    stored = _stored(line.dtype, cell(row, _ELEMENTS), names)
    sheet.formula(row, _BYTES, guarded(stored), held.stored.at(0) if held else 0)
    if line.partitioned:
        fuller = f"{split.longer}*{_stored(line.dtype, split.most, names)}"
        others = f"({names.group}-{split.longer})*{_stored(line.dtype, split.least, names)}"
        everywhere = f"{names.parallel}*{names.workers}/{names.group}*({fuller}+{others})"
    else:
        everywhere = f"{names.workers}*{names.parallel}*{stored}"
    groups = found.workers // found.group * found.model_parallel
    total = held.stored.total(found.group) * groups if held else 0
    sheet.formula(row, _CLUSTER, guarded(everywhere), total)


def _sum(first: int, end: int, column: int) -> str:
    """The sum of component rows, or a text where it (or one of them) is too large."""
    if first == end:
        return "0"
    cells = f"{cell(first, column, COMPONENTS)}:{cell(end - 1, column)}"
    whole = f'IF(COUNT({cells})<{end - first},"{TOO_LARGE}",{guarded(f"SUM({cells})")})'
    # Errors of the inputs are no numbers either, and must not read as too large.
    return f"IF(ISNUMBER({cell(first, _ELEMENTS, COMPONENTS)}),{whole},NA())"


def _write_table(
    plan: Sheet,
    row: int,
    report: Report,
    names: Names,
    ranges: dict[tuple[int, str], tuple[int, int]],
) -> None:
    for column, name in enumerate(headings(None)):
        plan.text(row, column, name, "head number" if column else "head")
    for line in summary_rows(report):
        row += 1
        plan.text(row, 0, line.label)
        for column, state in enumerate(STATES, 1):
            value = line.values[state] or 0
            plan.formula(row, column, _sum(*ranges[line.stage, state], _BYTES), value)
        first, end = ranges[line.stage, PARAMETERS][0], ranges[line.stage, OPTIMIZER][1]
        plan.formula(row, 4, _sum(first, end, _BYTES), line.values["total"] or 0)
        if names.memory:
            free = _free(first, end, cell(row, 4), names)
            plan.formula(row, 5, free, line.values["free"] or 0)
        cluster = line.values["cluster_total"] or 0
        plan.formula(row, 6, _sum(first, end, _CLUSTER), cluster)
        plan.formula(row, 7, guarded(_moved(line.stage, names)), line.values["communication"] or 0)
    plan.text(
        row + 2,
        0,
        f"Figures are exact whole numbers. A cell that says {TOO_LARGE} has a value that a"
        " spreadsheet would round; the sheet Exported holds it as text.",
        "muted",
    )
    if report.scenario.cluster.model_parallel > 1:
        plan.text(
            row + 3, 0, "Model parallel slices are taken as equal parts, rounded up.", "muted"
        )


def _free(first: int, end: int, total: str, names: Names) -> str:
    """Memory less reserve less what the fullest rank holds on the device."""
    stored = f"{cell(first, _BYTES, COMPONENTS)}:{cell(end - 1, _BYTES)}"
    where = f"{cell(first, 4, COMPONENTS)}:{cell(end - 1, 4)}"
    left = f'{names.memory}-{names.reserve}-SUMIF({where},"device",{stored})'
    return f"IF(ISNUMBER({total}),{left},{total})"


def _moved(stage: int, names: Names) -> str:
    trainable, frozen = names.trainable.whole, names.frozen.whole
    return f"(3*{trainable}+2*{frozen})" if stage == 3 else f"(2*{trainable})"
