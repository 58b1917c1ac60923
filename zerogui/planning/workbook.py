"""The table as an XLSX workbook: with live formulas where a sheet can follow the arithmetic."""

import importlib
import io
from typing import Any

from zerogui.accounting.errors import printable
from zerogui.accounting.rules import rule_named
from zerogui.accounting.scenario import Scenario
from zerogui.files.errors import FileError
from zerogui.planning.handout import heading, inputs
from zerogui.planning.live_sheets import COMPONENTS, PLAN, write_live
from zerogui.planning.report import Report
from zerogui.planning.sheet import EXACT, Sheet
from zerogui.planning.summary import integer_table

EXPORTED = "Exported"
_LARGE = "Whole numbers above 2^53 are written as text: a spreadsheet would round them."


def workbook(report: Report, source: str = "workbook.xlsx") -> bytes:
    """The XLSX file of ``report``, in bytes and elements.

    FileError that names ``source`` where the library that writes workbooks is not installed.
    """
    data = io.BytesIO()
    # Nothing that comes from a file is ever taken for a formula, a link or a number.
    options = {
        "in_memory": True,
        "strings_to_formulas": False,
        "strings_to_urls": False,
        "strings_to_numbers": False,
    }
    book = _library(source).Workbook(data, options)
    book.set_properties({"title": heading(report) or report.title, "author": "zerogui"})
    reason = why_not_live(report.scenario)
    if reason is None:
        write_live(Sheet(book, PLAN), Sheet(book, COMPONENTS), report)
    _write_values(Sheet(book, PLAN if reason else EXPORTED), report, reason)
    book.close()
    return data.getvalue()


def _library(source: str) -> Any:
    """xlsxwriter: loaded when it is needed, since it is an optional extra."""
    try:
        return importlib.import_module("xlsxwriter")
    except ImportError:
        sentence = "needs xlsxwriter to be written; run: pip install xlsxwriter."
        raise FileError(source, sentence) from None


def why_not_live(scenario: Scenario) -> str | None:
    """Why the workbook of ``scenario`` holds values only, as a phrase; None where it is live."""
    rule = rule_named(scenario.sharding.rule)
    if rule.name != "even":
        return f"only the rule even is simple enough for formulas, and this plan uses {rule.title}"
    if any(tensor.over != "all" for tensor in scenario.recipe.optimizer):
        return "an optimizer tensor does not cover every parameter"
    device = scenario.device
    given = [scenario.model.parameters]
    if device is not None:
        given += [device.memory, device.reserve]
    if max(given) > EXACT:
        return "an input is above 2^53, which a spreadsheet cannot hold exactly"
    return None


def _write_values(sheet: Sheet, report: Report, reason: str | None) -> None:
    """Sentences, inputs and the table as plain values."""
    sheet.widths(24, *[22] * 6, 31)
    row = 0
    for text in filter(None, (heading(report), report.title, report.verdict)):
        sheet.text(row, 0, text, "title" if row == 0 else None)
        row += 1
    said = f"Values, not formulas: {reason}." if reason else "Values as they were exported."
    sheet.text(row, 0, said, "muted")
    row += 2
    for section, text in inputs(report):
        sheet.text(row, 0, section, "bold")
        sheet.text(row, 1, text)
        row += 1
    table = integer_table(report)
    row = _write_rows(sheet, row + 1, table.columns, table.rows)
    selected = report.selected
    row = _write_rows(
        sheet,
        row + 1,
        (f"Component at {selected.label}", "Dtype", "Where", "Elements", "Bytes"),
        tuple(
            (printable(line.name), line.dtype, line.tier, line.elements, line.bytes)
            for line in getattr(selected, "components", ())
        ),
    )
    sheet.text(row + 1, 0, _LARGE, "muted")


def _write_rows(
    sheet: Sheet, row: int, columns: tuple[str, ...], rows: tuple[tuple[str | int, ...], ...]
) -> int:
    """A table from ``row`` on; returns the row below it."""
    for column, name in enumerate(columns):
        numeric = any(isinstance(cells[column], int) for cells in rows)
        sheet.text(row, column, name, "head number" if numeric else "head")
    for cells in rows:
        row += 1
        for column, cell in enumerate(cells):
            if isinstance(cell, int):
                sheet.integer(row, column, cell)
            else:
                sheet.text(row, column, cell)
    return row + 1
