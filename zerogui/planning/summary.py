"""The summary table: one row a stage, as exact integers and as text in the unit chosen."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from zerogui.planning.quantities import MINUS, UNITS, group_digits, rounded
from zerogui.planning.report import NotOffered, Report, StageReport

if TYPE_CHECKING:
    from zerogui.files.tables import Table

# (key, heading, whether it is bytes); communication is in elements a step.
COLUMNS = (
    ("parameters", "Parameters", True),
    ("gradients", "Gradients", True),
    ("optimizer", "Optimizer", True),
    ("total", "Total per rank", True),
    ("free", "Free on device", True),
    ("cluster_total", "Whole cluster", True),
    ("communication", "Communication", False),
)
STAGE_HEADING = "Stage"
NOT_OFFERED = "not offered"
NO_VALUE = "–"
COMMUNICATION_UNIT = "elements/step"


class SummaryRow(NamedTuple):
    """One stage: ``values`` by column key, None where there is none; ``reason`` why not offered."""

    stage: int
    label: str
    caption: str
    values: dict[str, int | None]
    reason: str | None
    fits: bool | None
    exact: bool


def summary_rows(report: Report) -> tuple[SummaryRow, ...]:
    """The four stages in order, as integers."""
    return tuple(_row(stage) for stage in report.stages)


def _row(stage: StageReport | NotOffered) -> SummaryRow:
    if isinstance(stage, NotOffered):
        empty: dict[str, int | None] = {key: None for key, _, _ in COLUMNS}
        return SummaryRow(stage.stage, stage.label, stage.caption, empty, stage.reason, None, True)
    values: dict[str, int | None] = {
        "parameters": stage.rank.parameters,
        "gradients": stage.rank.gradients,
        "optimizer": stage.rank.optimizer,
        "total": stage.rank.total,
        "free": stage.free,
        "cluster_total": stage.cluster_total,
        "communication": stage.communication,
    }
    return SummaryRow(
        stage.stage, stage.label, stage.caption, values, None, stage.fits, stage.exact
    )


def headings(unit: str | None) -> tuple[str, ...]:
    """Column headings with their units; ``unit`` None stands for plain bytes."""
    size = unit or "bytes"
    texts = [
        f"{heading} ({size if is_bytes else COMMUNICATION_UNIT})"
        for _, heading, is_bytes in COLUMNS
    ]
    return (STAGE_HEADING, *texts)


def decimals_for(rows: Iterable[SummaryRow], unit: str) -> int:
    """Decimals that the whole table shares: three, more (up to nine) where numbers are small."""
    sizes = [
        abs(value)
        for row in rows
        for key, value in row.values.items()
        if value and key != "communication"
    ]
    smallest = min(sizes, default=UNITS[unit])
    decimals = 3
    while decimals < 9 and smallest * 10**decimals < 1000 * UNITS[unit] // 10:
        decimals += 1
    return decimals


def size_text(value: int, unit: str, decimals: int) -> str:
    """``value`` bytes in ``unit`` with exactly ``decimals`` decimals, digits grouped."""
    whole, rest = divmod(rounded(abs(value) * 10**decimals, UNITS[unit]), 10**decimals)
    sign = MINUS if value < 0 else ""
    return f"{sign}{group_digits(whole)}.{rest:0{decimals}d}"


def cell_text(row: SummaryRow, key: str, unit: str | None, decimals: int) -> str:
    """What a table shows in column ``key``; ``unit`` None stands for plain bytes."""
    value = row.values[key]
    if value is None:
        return NOT_OFFERED if row.reason and key == COLUMNS[0][0] else NO_VALUE
    if key == "communication" or unit is None:
        return group_digits(value)
    return size_text(value, unit, decimals)


def marked_label(row: SummaryRow) -> str:
    """The stage's name, with ≈ where its numbers are approximate."""
    return row.label if row.exact else f"{row.label} ≈"


def text_table(report: Report, unit: str | None) -> "Table":
    """The table for reading: text in ``unit`` (None: bytes), digits grouped by thin spaces."""
    rows = summary_rows(report)
    decimals = decimals_for(rows, unit) if unit else 0
    from zerogui.files.tables import Table

    return Table(
        headings(unit),
        tuple(
            (marked_label(row), *(cell_text(row, key, unit, decimals) for key, _, _ in COLUMNS))
            for row in rows
        ),
    )


def integer_table(report: Report) -> "Table":
    """The table for spreadsheets: plain integers in bytes and elements."""
    from zerogui.files.tables import Table

    return Table(
        headings(None),
        tuple((marked_label(row), *_integers(row)) for row in summary_rows(report)),
    )


def _integers(row: SummaryRow) -> tuple[str | int, ...]:
    cells: list[str | int] = []
    for key, _, _ in COLUMNS:
        value = row.values[key]
        missing = NOT_OFFERED if row.reason and key == COLUMNS[0][0] else ""
        cells.append(missing if value is None else value)
    return tuple(cells)
