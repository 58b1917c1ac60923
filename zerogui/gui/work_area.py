"""The right-hand side: message bar, sentences, chart, arithmetic, table."""

import re

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QLabel, QScrollArea, QVBoxLayout, QWidget

from zerogui.accounting.errors import printable
from zerogui.gui.messages import MessageBar
from zerogui.gui.questions_line import QuestionsLine
from zerogui.gui.recent_files import RecentFiles
from zerogui.gui.shown import Shown
from zerogui.gui.summary_table import SummaryTable
from zerogui.gui.theme import GRID, Ink
from zerogui.gui.view_host import ViewHost, report_views
from zerogui.gui.widgets.caption import Caption
from zerogui.gui.widgets.plain_text import tip
from zerogui.gui.widgets.splits import ViewSplit
from zerogui.gui.widgets.stack import Stack
from zerogui.gui.widgets.wrapping import MAY_BREAK, breakable
from zerogui.planning.pins import PinBoard
from zerogui.planning.quantities import THIN_SPACE
from zerogui.planning.report import NotOffered, Report, StageReport

SEGMENT_HINT = "Click a segment of a bar, or press ↑ in the chart, for its formula"
PRESENT_HINT = "+ − change {input}   ← → {walk}   0–3 stage   ↑ ↓ views   Esc leaves"


class WorkArea(QWidget):
    """Renders one report in words, as bars and as a table."""

    edited = Signal(object)  # Edit

    def __init__(self, board: PinBoard) -> None:
        super().__init__()
        self._area: QScrollArea | None = None
        self.messages = MessageBar()
        self.title = Caption(bold=True, wrap=True)
        self.title.setObjectName("scenario-title")
        self.title.setForegroundRole(Ink.MUTED.value)
        self.sentence = Caption(bold=True, delta=4, wrap=True)
        self.sentence.setObjectName("sentence")
        self.verdict = Caption(wrap=True, delta=1)
        self.verdict.setObjectName("verdict")
        self.questions = QuestionsLine()
        self.recent = RecentFiles()
        self.views = ViewHost(report_views(board, self.recent))
        self.arithmetic = Caption(wrap=True)
        self.arithmetic.setObjectName("arithmetic")
        self.formula = Caption(wrap=True)
        self.formula.setObjectName("segment-formula")
        self.notes = Caption(wrap=True, ink=Ink.MUTED, delta=-1)
        self.notes.setObjectName("notes")
        self.table = SummaryTable()
        self.hint = Caption(ink=Ink.MUTED, delta=-2, wrap=True)
        self.hint.setObjectName("present-hint")
        self.folded = Caption(ink=Ink.MUTED, delta=-1, wrap=True)
        self.folded.setObjectName("present-inputs")
        self._turned = ""
        self._report: Report | None = None
        self.folded.hide()
        self.hint.hide()
        self.explain("")
        self.set_turned("workers")
        for label in (self.sentence, self.verdict, self.arithmetic, self.formula):
            _make_selectable(label)
        self.views.edited.connect(self.edited)
        self.questions.edited.connect(self.edited)
        self.views.changed.connect(self._make_room)
        self.views.explained.connect(self.explain)
        self.table.edited.connect(self.edited)
        self._arrange()

    def _arrange(self) -> None:
        column = self._column = QVBoxLayout(self)
        column.setContentsMargins(3 * GRID, 2 * GRID, 3 * GRID, GRID)
        column.setSpacing(GRID)
        column.addWidget(self.messages)
        heading = (self.title, self.sentence, self.verdict, self.questions)
        column.addWidget(Stack(heading, GRID // 2))
        texts = ((self.arithmetic, self.formula), (self.notes,))
        self.split = ViewSplit(self.views, texts, self.table)
        column.addWidget(self.split, 1)
        column.addWidget(self.folded)
        column.addWidget(self.hint)

    def _make_room(self, view: str) -> None:
        """Compare has a table of its own, and the start page is about other plans."""
        self.table.setVisible(view not in ("compare", "start"))
        self._fit_formula()
        self.show_note("")

    def explain(self, formula: str) -> None:
        """The line below the arithmetic: a segment's formula, or how to get one."""
        text = breakable(formula) or SEGMENT_HINT
        if text != self.formula.text():
            self.formula.setForegroundRole((Ink.TEXT if formula else Ink.MUTED).value)
            self.formula.setText(text)
            self._fit_formula()

    def _fit_formula(self) -> None:
        """While presenting every line counts, and the keys of the hint walk through views."""
        presenting = not self.folded.isHidden()
        told = self.formula.text() != SEGMENT_HINT or not presenting
        self.formula.setVisible(self.views.current == "stages" and told)

    def worked_out(self) -> str:
        """The arithmetic of the stage, and of the segment under discussion, to be copied."""
        lines = [self.arithmetic.text()]
        if self.formula.isVisible() and self.formula.text() != SEGMENT_HINT:
            lines.append(self.formula.text())
        return "\n".join(lines).replace(MAY_BREAK, "")

    def set_presenting(self, on: bool) -> None:
        """In present mode one line stands for the folded inputs, and one says what keys do."""
        self.folded.setVisible(on)
        self.hint.setVisible(on)
        self._fit_formula()
        self._show_folded()

    def _show_folded(self) -> None:
        if self._report is not None and not self.folded.isHidden():
            from zerogui.planning.inputs import inputs_line

            self.folded.setText(breakable(inputs_line(self._report.scenario, self._report.unit)))

    def set_turned(self, label: str) -> None:
        """Name the input that plus and minus turn in present mode."""
        self._turned = label or "the last input"
        self.show_note("")

    def show_note(self, note: str) -> None:
        """In present mode, without a status bar, a short note takes the place of the hint."""
        walk = "plans" if self.views.current == "compare" else "stages"
        self.hint.setText(note or PRESENT_HINT.format(input=self._turned, walk=walk))

    def minimumSizeHint(self) -> QSize:
        """As high as its texts are at the width it has, not at the narrowest that it could have."""
        width = super().minimumSizeHint().width()
        return QSize(width, self._column.heightForWidth(max(self._room(), width)))

    def scroll_in(self, area: QScrollArea) -> None:
        """Be what ``area`` shows."""
        area.setWidget(self)
        self._area = area

    def _room(self) -> int:
        """The width beside a scroll bar, be one there or not.

        If the height followed a bar that comes and goes, the bar would go and come without end.
        """
        if self._area is None:
            return self.width()
        return self._area.width() - self._area.verticalScrollBar().sizeHint().width()

    def display(self, shown: Shown) -> None:
        """Show ``shown`` everywhere."""
        report = self._report = shown.report
        self._show_folded()
        self.title.setText(breakable(printable(report.scenario.title)))
        self.title.setVisible(bool(report.scenario.title))
        self.sentence.setText(breakable(report.title))
        self.verdict.setText(breakable(report.verdict))
        self.questions.show_report(report)
        selected = report.selected
        if isinstance(selected, NotOffered):
            self.arithmetic.setText(f"{selected.label} is not offered: {selected.reason}")
            notes: tuple[str, ...] = ()
            self.arithmetic.setToolTip("")
        else:
            self.arithmetic.setText(breakable(selected.arithmetic))
            notes = _notes(selected)
            formulas = "\n".join(line.shown_formula for line in selected.components)
            self.arithmetic.setToolTip(tip(formulas))
        self.notes.setText(breakable("\n".join(notes)))
        self.notes.setVisible(bool(notes))
        self.views.display(shown)
        self.table.display(shown)


def _notes(stage: StageReport) -> tuple[str, ...]:
    """Lines under the arithmetic: what lies off the device, why ≈, what else to know."""
    lines = [f"Off the device: {stage.places}."] if stage.places else []
    if stage.lacks:
        lines.append(f"Approximate: {'; '.join(stage.lacks)}.")
    lines += [f"{remark}." for remark in stage.remarks]
    return tuple(re.sub(r"(?<=\d),(?=\d{3})", THIN_SPACE, line) for line in lines)


def _make_selectable(label: QLabel) -> None:
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    label.setCursor(Qt.CursorShape.IBeamCursor)
