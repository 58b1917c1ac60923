"""The input panel: every input of a plan, one edit out for each change, one scenario in."""

import re

from PySide6.QtCore import QEvent, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QFrame,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from zerogui.accounting.scenario import Scenario
from zerogui.gui.inputs.cluster_section import ClusterSection
from zerogui.gui.inputs.device_section import DeviceSection
from zerogui.gui.inputs.field_row import FieldRow
from zerogui.gui.inputs.model_section import ModelSection
from zerogui.gui.inputs.recipe_section import RecipeSection
from zerogui.gui.inputs.section import Fold
from zerogui.gui.inputs.sharding_section import ShardingSection
from zerogui.gui.theme import GRID, Ink

MIN_WIDTH, WIDTH, MAX_WIDTH = 320, 352, 560


class InputPanel(QScrollArea):
    """Signals out, ``display`` in; it holds no copy of an input and computes no bytes."""

    edited = Signal(object)  # Edit

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("panel")
        self.setAccessibleName("Inputs")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setMinimumWidth(MIN_WIDTH)
        self.setMaximumWidth(MAX_WIDTH)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._labels: list[str] = []
        self._told: FieldRow | None = None
        self._reveal = QTimer(self)
        self._reveal.setSingleShot(True)
        self._reveal.timeout.connect(self._show_told)
        self._model = ModelSection()
        self._sections = (
            self._model,
            RecipeSection(),
            ClusterSection(),
            ShardingSection(),
            DeviceSection(),
        )
        content = QWidget()
        column = QVBoxLayout(content)
        column.setContentsMargins(GRID * 2, GRID * 2, GRID * 2, GRID * 2)
        column.setSpacing(GRID * 2 + GRID // 2)
        for section in self._sections:
            column.addWidget(section)
            section.edited.connect(self.edited)
        column.addStretch(1)
        # A viewport of our own: asking Qt for its one loads every kind of widget first.
        ground = QWidget()
        self.setViewport(ground)
        for widget in (ground, content):
            widget.setBackgroundRole(Ink.PANEL.value)
        self.setWidget(content)

    def display(self, scenario: Scenario, unit: str, card: tuple[str, ...] = ()) -> None:
        """Show ``scenario``, sizes in ``unit`` ("GB" or "GiB"); emits nothing.

        ``card`` has lines on a model that came from a file.

        A text being typed stays where its field's value did not change.
        """
        for section in self._sections:
            section.display(scenario, unit)
        self._model.show_card(card)
        labels = [row.label for section in self._sections for row in section.rows.values()]
        if labels != self._labels:
            self._labels = labels
            self._fit_labels()

    def show_error(self, key: str, sentence: str) -> bool:
        """Say under the field of an Edit's ``key`` why it was refused; False if there is none.

        Call it after ``display`` has shown the old value again.
        """
        row = self.row(key)
        if row is None:
            return False
        fold = row.parent()
        while fold is not None and not isinstance(fold, Fold):
            fold = fold.parent()
        if isinstance(fold, Fold):
            fold.open()
        row.show_error(sentence)
        # The line below has its height only after the layout ran.
        self._told = row
        self._reveal.start()
        return True

    def _show_told(self) -> None:
        if self._told is not None:
            self.ensureWidgetVisible(self._told, 0, GRID)

    def label(self, key: str) -> str:
        """What the field of an Edit's key is called, without its mnemonic; "" without a field."""
        row = self.row(key)
        return row.field.accessibleName() if row is not None else ""

    def turn(self, key: str, step: int) -> None:
        """One step up (1) or down (-1) in the field of an Edit's key, as its arrow keys would."""
        row = self.row(key)
        field = row.field if row is not None else None
        if isinstance(field, QAbstractSpinBox):
            field.stepBy(step)
        elif isinstance(field, QComboBox):
            index = field.currentIndex() - step
            if 0 <= index < field.count():
                field.setCurrentIndex(index)
                field.activated.emit(index)

    def clear_errors(self) -> None:
        """Forget all refusals, as when another file is opened."""
        for section in self._sections:
            for row in section.rows.values():
                row.clear_error()

    def commit_pending(self) -> None:
        """Take what is being typed, as Return would, before saving or copying."""
        field = QApplication.focusWidget()
        while field is not None and field is not self:
            commit = getattr(field, "commit", None)
            if commit is not None:
                commit()
                return
            field = field.parentWidget()

    def row(self, key: str) -> FieldRow | None:
        """The row of an Edit's key, of a field path or of a field's object name."""
        name = field_name(key)
        for section in self._sections:
            if name not in section.rows:
                section.complete()
            if name in section.rows:
                return section.rows[name]
        return None

    def complete(self) -> None:
        """Make what a first paint does without: the rows that are folded away."""
        for section in self._sections:
            section.complete()
        self._fit_labels()

    def sizeHint(self) -> QSize:
        """The usual width; as high as there is room."""
        return QSize(WIDTH, 640)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Qt's hook: labels stand beside their fields where there is room."""
        super().resizeEvent(event)
        self._fit_labels()

    def changeEvent(self, event: QEvent) -> None:
        """Qt's hook: another text size changes what labels need."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fit_labels()

    def _fit_labels(self) -> None:
        rows = [row for section in self._sections for row in section.rows.values()]
        label = max(row.label_width() for row in rows)
        field = self.fontMetrics().horizontalAdvance("000 000 000 000") + 4 * GRID
        room = self.viewport().width() - 4 * GRID
        stacked = label + GRID + field > room
        for row in rows:
            row.set_stacked(stacked)
            if not stacked:
                row.set_label_width(label)


def field_name(key: str) -> str:
    """The object name of the field that an Edit's key or a contract path speaks of."""
    tensor = re.fullmatch(r"(?:recipe\.)?optimizer\[(\d+)\](?:\.(\w+))?", key)
    if tensor is not None:
        part = "optimizer-name" if tensor[2] == "name" else "optimizer"
        return f"{part}-{tensor[1]}"
    last = key.rpartition(".")[2]
    return {"frozen_parameters": "frozen", "name": "model"}.get(last, last)
