"""Tells of a failure of the program itself, with a report to copy."""

from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QApplication, QDialogButtonBox, QPlainTextEdit, QWidget

from zerogui.gui.dialogs.about import SmallDialog
from zerogui.gui.theme import Ink
from zerogui.gui.widgets.caption import Caption

KEPT = (
    "Something in zerogui went wrong. Your plan is kept in the session, and you can go on; if"
    " what you see looks odd, save and start again."
)
NOT_KEPT = (
    "Something in zerogui went wrong, and the session could not be kept. You can go on; save your"
    " plan and start again."
)


class CrashDialog(SmallDialog):
    """The report holds versions and places in the program, nothing of the plan."""

    def __init__(self, report: str, log: str, kept: bool, parent: QWidget | None) -> None:
        super().__init__("Something went wrong", parent)
        self.setObjectName("crash")
        self._report = report
        self.column.addWidget(Caption(KEPT if kept else NOT_KEPT, wrap=True))
        text = QPlainTextEdit(report)
        text.setObjectName("crash-report")
        text.setAccessibleName("Report")
        text.setToolTip("What went wrong, for a bug report; nothing of the plan is in it")
        text.setReadOnly(True)
        text.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.column.addWidget(text, 1)
        where = f"Nothing of your plan is in this report. It is also in {log}"
        self.column.addWidget(Caption(where, ink=Ink.MUTED, delta=-1, wrap=True))
        copy = self.buttons.addButton("&Copy report", QDialogButtonBox.ButtonRole.ActionRole)
        copy.setObjectName("crash-copy")
        copy.setToolTip("Copy the report, to send it to whoever maintains zerogui")
        copy.clicked.connect(lambda: QApplication.clipboard().setText(self._report))
        self.column.addWidget(self.buttons)
        self.resize(720, 420)
