"""The report on one page of paper: inputs, chart, table and derivation, whatever their length."""

import datetime
from dataclasses import dataclass

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QLineF, QRectF
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPageSize, QPainter, QPen

from zerogui import __version__
from zerogui.gui.chart.paper import (
    PAPER,
    Align,
    Chart,
    Text,
    bottom_of,
    footer,
    headings,
    lay_out_chart,
    line_height,
    paint_chart,
    paint_texts,
    stacked,
    type_of,
)
from zerogui.gui.exporting.pictures import DOTS, document_title, pdf_painter, pdf_writer
from zerogui.gui.widgets.wrapping import elided, wrapped
from zerogui.planning.handout import answers, derivation, inputs, remarks
from zerogui.planning.report import NotOffered, Report
from zerogui.planning.summary import text_table

# A4 in px of 1/96 inch.
PAGE = QRectF(0, 0, 210 / 25.4 * DOTS, 297 / 25.4 * DOTS)
MARGIN = 52.0
_GAP = 14.0
_CHART_HEIGHTS = (240.0, 430.0)
_INPUT_LABEL = 76.0
_CELL_GAP = 10.0
_FORMULAS_AT_MOST = 14
_BODY, _TABLE, _SMALL = 12.0, 11.5, 11.0


@dataclass(frozen=True)
class Page:
    """The page laid out; ``rules`` are thin lines, ``mark`` stands beside the selected row."""

    texts: tuple[Text, ...]
    chart: Chart
    rules: tuple[QLineF, ...]
    mark: QRectF


def report_pdf(report: Report, date: datetime.date) -> bytes:
    """A PDF file of one A4 page, dated ``date``: vectors, and text as text."""
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = pdf_writer(buffer, QPageSize(QPageSize.PageSizeId.A4), document_title(report))
    painter = pdf_painter(writer)
    _paint(painter, lay_out_page(report, date))
    painter.end()
    buffer.close()
    return bytes(data.data())


def lay_out_page(report: Report, date: datetime.date) -> Page:
    """Everything in its place; the chart takes what the texts leave, within bounds."""
    width = PAGE.width() - 2 * MARGIN
    small = type_of(_SMALL)
    foot = PAGE.height() - MARGIN - line_height(small)
    head = headings(report, MARGIN, MARGIN - 8, width, 13)
    given, rules = _inputs(report, bottom_of(head, MARGIN) + _GAP, width)
    chart_top = bottom_of(given, MARGIN) + _GAP
    room = foot - _GAP - chart_top - _CHART_HEIGHTS[0] - 3 * _GAP
    # Texts are laid out from 0 first: their height says how high the chart can be.
    table, table_rules, mark, table_height = _table(report, width)
    derived = _derivation(report, width, room - table_height)
    texts_height = table_height + _GAP + bottom_of(derived, 0.0)
    free = foot - _GAP - chart_top - texts_height - _GAP
    height = min(max(free, _CHART_HEIGHTS[0]), _CHART_HEIGHTS[1])
    area = QRectF(MARGIN, chart_top, width, height)
    below = area.bottom() + _GAP
    texts = [
        *head,
        *given,
        *_moved(table, below),
        *_moved(derived, below + table_height + _GAP),
        *footer(
            f"{date.isoformat()} · zerogui {__version__}",
            "model states of the most loaded rank; activations and buffers are not counted",
            MARGIN,
            foot,
            width,
            small,
        ),
    ]
    return Page(
        tuple(texts),
        lay_out_chart(report, area, 13),
        (*rules, *(rule.translated(MARGIN, below) for rule in table_rules)),
        mark.translated(MARGIN, below),
    )


def _moved(texts: list[Text], down: float) -> list[Text]:
    return [Text(t.text, t.rect.translated(MARGIN, down), t.font, t.ink, t.align) for t in texts]


def _inputs(report: Report, top: float, width: float) -> tuple[list[Text], tuple[QLineF, ...]]:
    """A line or two for each section, its name before it, between thin rules."""
    label, body = type_of(_BODY, bold=True), type_of(_BODY)
    rules = [QLineF(MARGIN, top, MARGIN + width, top)]
    texts: list[Text] = []
    y = top + 5
    for section, text in inputs(report):
        texts += stacked([section], MARGIN, y, _INPUT_LABEL, label)
        lines = wrapped(text, body, width - _INPUT_LABEL, 2)
        texts += stacked(lines, MARGIN + _INPUT_LABEL, y, width - _INPUT_LABEL, body)
        y = bottom_of(texts, y) + 2
    rules.append(QLineF(MARGIN, y + 3, MARGIN + width, y + 3))
    return texts, tuple(rules)


def _table(report: Report, width: float) -> tuple[list[Text], tuple[QLineF, ...], QRectF, float]:
    """Cells, rules, the selected row's mark and the height, from (0, 0) on."""
    table = text_table(report, report.unit)
    heads = [_two_lines(name) for name in table.columns]
    rows = [[str(cell) for cell in row] for row in table.rows]
    size = _TABLE
    while size > 3 and sum(_columns(heads, rows, size)) > width:
        size -= 0.5
    columns = _columns(heads, rows, size)
    spare = (width - sum(columns)) / len(columns)
    columns = [column + spare for column in columns]
    head_font, body = type_of(size * 0.92), type_of(size)
    bold = type_of(size, bold=True)
    texts: list[Text] = []
    for line in (0, 1):
        cells = [head[line] for head in heads]
        texts += _row(cells, columns, line * line_height(head_font), head_font, "muted")
    y = 2 * line_height(head_font) + 3
    rules = [QLineF(0, y, width, y)]
    y += 3
    mark = QRectF()
    for stage, cells in zip(report.stages, rows, strict=True):
        selected = stage is report.selected
        if selected:
            mark = QRectF(-8, y, 3, line_height(bold))
        texts += _row(cells, columns, y, bold if selected else body, "text")
        y += line_height(bold) + 3
    rules.append(QLineF(0, y, width, y))
    return texts, tuple(rules), mark, y


def _two_lines(heading: str) -> tuple[str, str]:
    name, _, unit = heading.partition(" (")
    return name, unit.rstrip(")")


def _columns(heads: list[tuple[str, str]], rows: list[list[str]], size: float) -> list[float]:
    """What each column needs at a type size of ``size`` px."""
    head, body = QFontMetricsF(type_of(size * 0.92)), QFontMetricsF(type_of(size, bold=True))
    return [
        max(
            *(head.horizontalAdvance(text) for text in lines),
            *(body.horizontalAdvance(row[index]) for row in rows),
        )
        + _CELL_GAP
        for index, lines in enumerate(heads)
    ]


def _row(cells: list[str], columns: list[float], y: float, font: QFont, ink: str) -> list[Text]:
    """The first cell to the left, numbers to the right."""
    texts, left = [], 0.0
    for index, (cell, column) in enumerate(zip(cells, columns, strict=True)):
        rect = QRectF(left, y, column, line_height(font))
        negative = cell.startswith("\u2212")
        align = Align.RIGHT if index else Align.LEFT
        if cell:
            texts.append(Text(cell, rect, font, "over" if negative else ink, align))
        left += column
    return texts


def _derivation(report: Report, width: float, room: float) -> list[Text]:
    """The selected stage's arithmetic, its components, answers and remarks, in ``room`` px."""
    bold, body, small = type_of(_BODY, bold=True), type_of(_BODY), type_of(_SMALL)
    stage = report.selected
    line = line_height(small)
    title = f"{stage.label} step by step"
    if isinstance(stage, NotOffered):
        title = f"{stage.label} is not offered: {stage.reason}"
    texts = stacked(wrapped(title, bold, width, 2), 0, 0, width, bold)
    if not isinstance(stage, NotOffered):
        lines = wrapped(stage.arithmetic, body, width, 3, middle=True)
        texts += stacked(lines, 0, bottom_of(texts, 0) + 3, width, body)
    answered = [text for answer in answers(report) for text in wrapped(answer, small, width, 2)]
    said = [text for remark in remarks(report) for text in wrapped(remark, small, width, 2)]
    left = room - bottom_of(texts, 0) - 15 - len(answered) * line
    # Formulas come first; remarks get at most a third of what is left.
    said = said[: max(1, int(left / 3 / line))]
    count = int(left / line) - len(said)
    formulas = [
        elided(text, small, width, middle=True)
        for text in derivation(report, max(2, min(count, _FORMULAS_AT_MOST)))
    ]
    texts += stacked(formulas, 0, bottom_of(texts, 0) + 3, width, small)
    texts += stacked(answered, 0, bottom_of(texts, 0) + 6, width, small)
    return texts + stacked(said, 0, bottom_of(texts, 0) + 6, width, small, "muted")


def _paint(painter: QPainter, page: Page) -> None:
    paint_chart(painter, page.chart, PAPER)
    painter.setPen(QPen(QColor(PAPER.rule), 1))
    for rule in page.rules:
        painter.drawLine(rule)
    painter.fillRect(page.mark, QColor(PAPER.accent))
    paint_texts(painter, page.texts, PAPER)
