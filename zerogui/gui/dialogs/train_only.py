"""A small dialog: freeze all of the model but a count, a share or what name patterns choose."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLineEdit, QVBoxLayout, QWidget

from zerogui.accounting.scenario import Scenario
from zerogui.gui.dialogs.standard_buttons import word_buttons
from zerogui.gui.theme import GRID, Ink
from zerogui.gui.widgets.caption import Caption
from zerogui.planning.edits import Edit, freeze_all_but
from zerogui.planning.freezing_apart import freezing_job
from zerogui.planning.work import Runner


class TrainOnly(QDialog):
    """Asks what stays trainable; hands the Edit to ``take`` once it can be applied.

    Whether it can, and what comes of it, is worked out by ``run``: lists are long.
    """

    def __init__(
        self,
        scenario: Scenario,
        take: Callable[[Edit], object],
        run: Runner,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle("Freeze all but…")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._scenario, self._give, self._run = scenario, take, run
        self._asked = 0
        self.text = QLineEdit()
        self.text.setObjectName("train-only")
        self.text.setPlaceholderText("20M, 0.5%, or *.lora_*, lm_head.*")
        self.text.setAccessibleName("Train only")
        self.text.setToolTip("What is trained; everything else of the model is frozen")
        label = Caption("&Train only")
        label.setBuddy(self.text)
        hint = Caption(
            "A count, a share of the parameters, or patterns of tensor names, separated by commas"
            " (patterns need a model with tensors). The rest keeps weights only.",
            ink=Ink.MUTED,
            delta=-1,
            wrap=True,
        )
        self.problem = Caption(ink=Ink.OVER, wrap=True)
        self.problem.setObjectName("train-only-problem")
        buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel
        )
        word_buttons(buttons)
        column = QVBoxLayout(self)
        column.setContentsMargins(2 * GRID, 2 * GRID, 2 * GRID, 2 * GRID)
        column.setSpacing(GRID)
        for widget in (label, self.text, hint, self.problem, buttons):
            column.addWidget(widget)
        column.insertStretch(column.count() - 1, 1)
        self.problem.hide()
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        self.setMinimumWidth(440)

    def accept(self) -> None:
        """Apply it, or say below the field why it can't be."""
        self._asked += 1
        asked = self._asked

        def done(edit: Edit) -> None:
            if asked == self._asked:
                self._asked += 1
                self._give(edit)
                super(TrainOnly, self).accept()

        def failed(error: Exception) -> None:
            if asked == self._asked:
                self._say(str(error))

        self._run(freezing_job(self._scenario, freeze_all_but(self.text.text()), done, failed))

    def done(self, result: int) -> None:
        """Qt's hook: nobody waits any more for what was asked."""
        self._asked += 1
        super().done(result)

    def _say(self, problem: str) -> None:
        self.problem.setText(f"{problem[:1].upper()}{problem[1:]}")
        self.problem.show()
        self.text.selectAll()
        self.text.setFocus()
