"""The meeting's questions with their answers as links, in one wrapped line."""

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QWidget

from zerogui.gui.theme import Ink
from zerogui.gui.widgets.caption import Caption
from zerogui.gui.widgets.plain_text import escape
from zerogui.planning.edits import Edit
from zerogui.planning.questions import Link, questions
from zerogui.planning.report import Report


class QuestionsLine(Caption):
    """``edited`` carries the step of the answer that was clicked (or chosen by Tab and Return)."""

    edited = Signal(object)  # Edit

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(wrap=True, ink=Ink.MUTED)
        if parent is not None:
            self.setParent(parent)
        self._edits: list[Edit] = []
        self.setObjectName("questions")
        self.setAccessibleName("Answers")
        self.setToolTip("Each answer is a link that applies it; Undo brings the plan back")
        # Rich text of our own making only: numbers and stage names, all escaped.
        self.setTextFormat(Qt.TextFormat.RichText)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.LinksAccessibleByMouse
            | Qt.TextInteractionFlag.LinksAccessibleByKeyboard
        )
        self.linkActivated.connect(self._follow)

    def show_report(self, report: Report) -> None:
        """Show the questions of ``report``; hidden where there are none."""
        asked = questions(report)
        self._edits = []
        sentences = []
        for question in asked:
            answers = [
                self._link(answer) if isinstance(answer, Link) else escape(answer)
                for answer in question.answers
            ]
            sentences.append(f"{escape(question.asked)}: {'&nbsp;· '.join(answers)}")
        *few, last = sentences or [""]
        self.setText("<br>".join(["&nbsp;&nbsp; ".join(few), last]))
        self.setVisible(bool(asked))

    def changeEvent(self, event: QEvent) -> None:
        """Qt's hook: links take the palette's colour when their text is set."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            text = self.text()
            self.setText("")
            self.setText(text)

    def _link(self, answer: Link) -> str:
        self._edits.append(answer.edit)
        # An answer stays on one line.
        text = escape(answer.text).replace(" ", "&nbsp;")
        return f'<a href="{len(self._edits) - 1}">{text}</a>'

    def _follow(self, href: str) -> None:
        self.edited.emit(self._edits[int(href)])
