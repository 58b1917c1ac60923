"""The report as text: for a terminal, a spreadsheet, a chat or a web page."""

from collections.abc import Mapping

import msgspec

from zerogui.accounting.errors import printable
from zerogui.files.tables import Table, to_csv, to_html, to_markdown, to_tsv
from zerogui.planning.quantities import NO_BREAK_SPACE, THIN_SPACE
from zerogui.planning.report import NotOffered, Report
from zerogui.planning.report_json import report_to_plain
from zerogui.planning.summary import integer_table, text_table


def render(report: Report, form: str) -> str:
    """``report`` as ``form``: text, json, csv, tsv, markdown or html; ends with a line feed."""
    if form == "json":
        return _json(report)
    if form == "csv":
        return to_csv(integer_table(report))
    if form == "tsv":
        return to_tsv(integer_table(report))
    table = text_table(report, report.unit)
    if form == "markdown":
        return to_markdown(table)
    if form == "html":
        return to_html(table)
    return _plain_text(report, table)


def _json(report: Report) -> str:
    # msgspec writes a hundred thousand tensors in the time that json takes for five thousand.
    encoded = msgspec.json.encode(report_to_plain(report))
    return msgspec.json.format(encoded, indent=2).decode() + "\n"


def _plain_text(report: Report, table: Table) -> str:
    title = report.scenario.title
    heading = [printable(title)] if title else []
    lines = [*heading, report.title, report.verdict, "", *_aligned(table), ""]
    for stage in report.stages:
        if isinstance(stage, NotOffered):
            lines += [f"{stage.label}: not offered, {stage.reason}", ""]
            continue
        lines.append(stage.arithmetic)
        lines += [f"  {line.formula}{_tier(line.tier)}" for line in stage.components]
        lines += [f"  {stage.places}"] if stage.places else []
        lines += [f"  approximate: {note}" for note in stage.lacks]
        lines += [f"  {note}" for note in stage.remarks]
        lines.append("")
    if report.scenario.device is not None:
        answers = report.answers
        lines += _answer("Fewest workers", answers.fewest_workers, answers.fewest_reasons, report)
        lines += _answer("Largest model", answers.largest_model, answers.largest_reasons, report)
    text = "\n".join(lines).rstrip() + "\n"
    # A terminal's columns are one cell wide; commas group digits there.
    return text.replace(THIN_SPACE, ",").replace(NO_BREAK_SPACE, " ")


def _tier(tier: str) -> str:
    return "" if tier == "device" else f" ({tier})"


def _answer(
    heading: str, values: Mapping[int, int | None], reasons: Mapping[int, str], report: Report
) -> list[str]:
    lines = [f"{heading}:"]
    for stage in report.stages:
        value = values[stage.stage]
        shown = reasons[stage.stage] if value is None else f"{value:,}"
        lines.append(f"  {stage.label}: {shown}")
    return [*lines, ""]


def _aligned(table: Table) -> list[str]:
    rows = [table.columns, *(tuple(str(cell) for cell in row) for row in table.rows)]
    widths = [max(len(row[k]) for row in rows) for k in range(len(table.columns))]
    return [
        "  ".join(
            cell.ljust(width) if k == 0 else cell.rjust(width)
            for k, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
