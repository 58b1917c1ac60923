"""The present plan beside pinned ones: bars, differences from a baseline, which inputs differ."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from zerogui.accounting.errors import MAX_NAME, printable
from zerogui.accounting.scenario import Scenario
from zerogui.files.tables import Table
from zerogui.planning.chart import FARTHEST_LINE, Bar, ChartModel, DeviceLine, chart_model, ticks
from zerogui.planning.inputs import Difference, Input, differences, inputs_of
from zerogui.planning.pins import Pins
from zerogui.planning.quantities import (
    MINUS,
    NO_BREAK_SPACE,
    format_bytes,
    group_digits,
    rounded,
)
from zerogui.planning.report import Report
from zerogui.planning.resolve import LABELS, resolve
from zerogui.planning.summary import (
    NO_VALUE,
    NOT_OFFERED,
    SummaryRow,
    decimals_for,
    size_text,
    summary_rows,
)

PRESENT = "Present plan"
BASELINE = "baseline"
SAME = "same"


class Stages(Enum):
    """Which stages stand side by side."""

    OWN = "own"  # of every plan the one that it chooses
    CHOSEN = "chosen"  # of every plan the one that the present plan chooses
    ALL = "all"


class Group(Enum):
    """What a row of the table tells."""

    TOTALS = "totals"
    HEADING = "heading"
    INPUTS = "inputs"
    DETAILS = "details"


# (key, heading) of the figures of one stage; those in front stand above the inputs.
_TOTALS = (("total", "Total per rank"), ("free", "Free on device"))
_DETAILS = (
    ("parameters", "Parameters"),
    ("gradients", "Gradients"),
    ("optimizer", "Optimizer"),
    ("cluster_total", "Whole cluster"),
)
FIRST_DETAIL = _DETAILS[0][0]
# Twice the room on a device is no figure of merit, and it may be negative.
_WITHOUT_FACTOR = ("free",)


@dataclass(frozen=True)
class Row:
    """A row of the table; ``place`` is that of its bar among a column's bars."""

    group: Group
    key: str
    label: str
    place: int = 0


@dataclass(frozen=True)
class Cell:
    """``text`` with a muted second line; ``value`` in bytes where it is a figure.

    ``marked``: an input that differs; ``over``: it does not fit.
    """

    text: str
    second: str = ""
    value: int | None = None
    marked: bool = False
    over: bool = False


@dataclass(frozen=True)
class Column:
    """One plan: ``pin`` is its place among the pins, None for the present plan."""

    name: str
    pin: int | None
    caption: str
    bars: tuple[Bar, ...]
    figures: tuple[SummaryRow, ...]
    device: DeviceLine | None
    inputs: Mapping[str, Input]
    differs: Mapping[str, Difference]


@dataclass(frozen=True)
class Comparison:
    """Everything that the Compare view shows; ``top`` is the largest value on the axis, bytes.

    ``unit`` None shows whole bytes in the table; bars are always in ``bar_unit``.
    """

    columns: tuple[Column, ...]
    baseline: int
    stages: Stages
    rows: tuple[Row, ...]
    unit: str | None
    bar_unit: str
    decimals: int
    top: int
    ticks: tuple[tuple[float, str], ...]
    legend: tuple[tuple[str, str], ...]
    description: str

    def cell(self, row: Row, column: int) -> Cell:
        """What the table says of plan ``column`` in ``row``."""
        here, base = self.columns[column], self.columns[self.baseline]
        if row.group is Group.HEADING:
            return Cell("")
        if row.group is Group.INPUTS:
            return _input_cell(row.key, here, base)
        figures = here.figures[row.place]
        value, before = figures.values[row.key], base.figures[row.place].values[row.key]
        if value is None:
            missing = NOT_OFFERED if figures.reason and row.key == "total" else NO_VALUE
            return Cell(missing)
        text = self._size(value)
        if not figures.exact and row.key == "total":
            text = f"≈{NO_BREAK_SPACE}{text}"
        over = row.key == "free" and value < 0
        return Cell(text, self._second(row, column, value, before), value, over=over)

    def _size(self, value: int) -> str:
        if self.unit is None:
            return group_digits(value)
        return size_text(value, self.unit, self.decimals)

    def _second(self, row: Row, column: int, value: int, before: int | None) -> str:
        if column == self.baseline:
            return BASELINE
        if before is None:
            return ""
        return difference_text(value, before, self.unit, row.key not in _WITHOUT_FACTOR)


def _input_cell(key: str, here: Column, base: Column) -> Cell:
    found = here.differs.get(key)
    if found is not None:
        return Cell(found.text, marked=True)
    same = base.inputs.get(key)
    return Cell(same.text if same is not None else NO_VALUE)


def difference_text(value: int, before: int, unit: str | None, factor: bool = True) -> str:
    """ "−103.4 · ×0.139": from ``before`` to ``value`` bytes in ``unit`` (None: whole bytes)."""
    if value == before:
        return SAME
    size = abs(value - before)
    sign = "+" if value > before else MINUS
    text = sign + (group_digits(size) if unit is None else format_bytes(size, unit))
    if factor and before > 0:
        text += f" · ×{factor_text(value, before)}"
    return text


def factor_text(value: int, before: int) -> str:
    """value / before (not negative) in three significant digits, halves to even: "0.139", "16"."""
    if value == 0:
        return "0"
    decimals = max(0, 3 - len(str(value // before)))
    if value < before:
        decimals = 3
        while value * 10 ** (decimals - 2) < before:
            decimals += 1
    whole, rest = divmod(rounded(value * 10**decimals, before), 10**decimals)
    fraction = f"{rest:0{decimals}d}".rstrip("0") if rest else ""
    if fraction:
        return f"{group_digits(whole)}.{fraction}"
    # A difference that the digits do not show is one all the same.
    return "1.00" if whole == 1 and value != before else group_digits(whole)


@dataclass(frozen=True)
class _Plan:
    """What one scenario adds to any comparison; kept for the pins."""

    report: Report
    chart: ChartModel
    figures: tuple[SummaryRow, ...]
    inputs: Mapping[str, Input]

    @classmethod
    def of(cls, report: Report) -> "_Plan":
        inputs = inputs_of(report.scenario, report.unit)
        return cls(report, chart_model(report), summary_rows(report), inputs)

    def stages(self, stages: Stages, chosen: int) -> tuple[int, ...]:
        if stages is Stages.ALL:
            return (0, 1, 2, 3)
        return (chosen if stages is Stages.CHOSEN else self.report.scenario.sharding.stage,)


class Comparer:
    """Makes comparisons; what follows from a pin alone is worked out once."""

    def __init__(self) -> None:
        # By the identity of the scenario, which the report keeps alive.
        self._plans: dict[int, _Plan] = {}

    def compare(
        self, report: Report, pins: Pins, stages: Stages = Stages.OWN, exact_bytes: bool = False
    ) -> Comparison:
        """``report`` of the present plan beside ``pins``, in the report's unit."""
        present = _Plan.of(report)
        plans = [present, *self._pinned(pins, present)]
        base = 0 if pins.baseline is None else pins.baseline + 1
        names = [PRESENT, *(pin.name for pin in pins.items)]
        chosen = report.scenario.sharding.stage
        columns = tuple(
            _column(name, number, plan, plans[base], plan.stages(stages, chosen))
            for number, (name, plan) in enumerate(zip(names, plans, strict=True))
        )
        return _comparison(columns, base, stages, report.unit, exact_bytes)

    def _pinned(self, pins: Pins, present: _Plan) -> list[_Plan]:
        """The plans of the pins; those no longer pinned are forgotten."""
        known, self._plans = self._plans, {}
        for pin in pins.items:
            scenario = pin.scenario
            self._plans[id(scenario)] = self._plan(scenario, known.get(id(scenario)), present)
        return [self._plans[id(pin.scenario)] for pin in pins.items]

    @staticmethod
    def _plan(scenario: Scenario, known: _Plan | None, present: _Plan) -> _Plan:
        if scenario is present.report.scenario:
            return present
        unit = present.report.unit
        if known is None:
            return _Plan.of(resolve(scenario, unit))
        if known.report.unit == unit:
            return known
        # A unit touches texts only, and no sentence of the report is shown here.
        return _Plan.of(known.report._replace(unit=unit))


def _column(name: str, number: int, plan: _Plan, base: _Plan, stages: tuple[int, ...]) -> Column:
    differs = () if plan is base else differences(base.inputs, plan.inputs)
    single = len(stages) == 1
    return Column(
        name=name,
        pin=number - 1 if number else None,
        caption=plan.chart.bars[stages[0]].label if single else "",
        bars=tuple(plan.chart.bars[stage] for stage in stages),
        figures=tuple(plan.figures[stage] for stage in stages),
        device=plan.chart.device,
        inputs=plan.inputs,
        differs={difference.key: difference for difference in differs},
    )


def _comparison(
    columns: tuple[Column, ...], base: int, stages: Stages, unit: str, exact_bytes: bool
) -> Comparison:
    tallest = max((bar.total for column in columns for bar in column.bars), default=0)
    farthest = FARTHEST_LINE * max(tallest, 1)
    lines = [c.device.usable for c in columns if c.device is not None]
    top = max(tallest, 1, *(usable for usable in lines if usable <= farthest))
    decimals = 0
    if not exact_bytes:
        decimals = decimals_for([row for column in columns for row in column.figures], unit)
    return Comparison(
        columns=columns,
        baseline=base,
        stages=stages,
        rows=_rows(columns, stages, "bytes" if exact_bytes else unit),
        unit=None if exact_bytes else unit,
        bar_unit=unit,
        decimals=decimals,
        top=top,
        ticks=ticks(top, unit),
        legend=_legend(columns),
        description=_description(columns, base, unit),
    )


def _rows(columns: tuple[Column, ...], stages: Stages, unit: str) -> tuple[Row, ...]:
    """Totals first, then what differs, then the rest, so that the top of it tells the most."""
    labels: dict[str, str] = {}
    for column in columns:
        labels |= {key: found.label for key, found in column.differs.items()}
    heading = Row(Group.HEADING, "inputs", "What differs" if labels else "No input differs")
    inputs = [Row(Group.INPUTS, key, labels[key]) for key in _in_order(labels, columns)]
    inputs.insert(0, heading)
    if stages is Stages.ALL:
        totals = [
            Row(Group.TOTALS, "total", f"{label} ({unit})", stage)
            for stage, label in enumerate(LABELS)
        ]
        return (*totals, *inputs)
    # Without any device there is nothing to be free on.
    has_device = any(column.device is not None for column in columns)
    return (
        *(
            Row(Group.TOTALS, key, f"{label} ({unit})")
            for key, label in _TOTALS
            if key != "free" or has_device
        ),
        *inputs,
        *(Row(Group.DETAILS, key, f"{label} ({unit})") for key, label in _DETAILS),
    )


def _in_order(keys: Mapping[str, str], columns: Sequence[Column]) -> list[str]:
    """The differing ``keys`` as the scenario file has them."""
    order: dict[str, None] = {}
    for column in columns:
        if not column.inputs.keys() <= order.keys():
            order |= dict.fromkeys(column.inputs)
    return [key for key in order if key in keys]


def _legend(columns: tuple[Column, ...]) -> tuple[tuple[str, str], ...]:
    """(role, name) of every component in some bar, in stacking order."""
    names: dict[str, dict[str, None]] = {}
    for column in columns:
        for bar in column.bars:
            for segment in bar.segments:
                names.setdefault(segment.role, {})[segment.name] = None
    roles = ("parameters", "gradients", "master", "first", "second", "further")
    return tuple(
        (role, role if role in roles[:2] else printable(", ".join(names[role]), 40))
        for role in roles
        if role in names
    )


def _description(columns: tuple[Column, ...], base: int, unit: str) -> str:
    """What is read aloud: the present plan against the baseline."""
    if len(columns) == 1:
        return "No plan is pinned yet."
    count = f"The present plan beside {len(columns) - 1} pinned"
    now, before = columns[0], columns[base]
    if base == 0:
        return f"{count}; it is the baseline."
    sentences = [
        f"{bar.label}: {bar.figure}{NO_BREAK_SPACE}{unit}"
        f" ({difference_text(bar.total, other.total, unit)})"
        for bar, other in zip(now.bars, before.bars, strict=True)
        if bar.reason is None and other.reason is None
    ]
    against = f"against “{printable(before.name, 60)}”"
    changed = "; ".join(f"{d.label} {d.baseline} → {d.text}" for d in now.differs.values())
    return f"{count}. {'; '.join(sentences)} {against}. {changed or 'No input differs'}."


def comparison_table(comparison: Comparison, exact: bool) -> Table:
    """The table to copy: plain integers in bytes where ``exact``, else texts as shown."""
    rows: list[tuple[str | int, ...]] = []
    every = range(len(comparison.columns))
    size = comparison.unit or "bytes"
    for row in comparison.rows:
        if row.group is Group.HEADING:
            continue
        cells = [comparison.cell(row, column) for column in every]
        if row.group is Group.INPUTS:
            rows.append((row.label, *(cell.text for cell in cells)))
            continue
        label = row.label.replace(f"({size})", "(bytes)") if exact else row.label
        values = [c.value if exact and c.value is not None else c.text for c in cells]
        rows.append((label, *values))
        if exact:
            before = cells[comparison.baseline].value
            rows.append((f"{label}: difference", *(_less(c.value, before) for c in cells)))
        else:
            rows.append((f"{row.label}: difference", *(cell.second for cell in cells)))
    names = (printable(column.name, MAX_NAME) for column in comparison.columns)
    return Table(("", *names), tuple(rows))


def _less(value: int | None, before: int | None) -> int | str:
    return "" if value is None or before is None else value - before
