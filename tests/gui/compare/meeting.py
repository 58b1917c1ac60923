"""A meeting that compares plans: the Compare view with wishes that come true at once."""

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QLineEdit
from pytestqt.qtbot import QtBot

from tests.gui.hands import in_front
from tests.planning.plans import FIGURE_1, H100, on
from zerogui.accounting.scenario import Scenario
from zerogui.gui.chart.geometry import Kind
from zerogui.gui.compare.view import CompareView
from zerogui.gui.shown import Shown
from zerogui.planning.edits import Edit, apply
from zerogui.planning.pins import PinBoard, Pins, PinStep
from zerogui.planning.resolve import resolve

LEFT = Qt.MouseButton.LeftButton
NO_KEYS = Qt.KeyboardModifier.NoModifier
PRESENT = on(FIGURE_1, H100, 3)


class Meeting:
    """A view whose wishes come true at once, as in the program, with their titles noted."""

    def __init__(self, qtbot: QtBot, *pinned: Scenario, present: Scenario = PRESENT) -> None:
        self.present, self.titles, self.unit = present, list[str](), "GB"
        pins = Pins()
        for number, scenario in enumerate(pinned):
            pins = pins.add(scenario, chr(ord("A") + number) if number < 26 else str(number))
        self.board = PinBoard(pins)
        self.view = CompareView(self.board)
        qtbot.addWidget(self.view)
        self.view.pins_changed.connect(self._take)
        self.view.edited.connect(self.edit)
        self.view.resize(900, 600)
        self.show()
        self.view.show()
        in_front(qtbot, self.view)
        self.table, self.names = self.view.table, self.view.table.names

    def _take(self, step: PinStep) -> None:
        self.titles.append(step.title)
        self.board.take(step.pins)

    def edit(self, edit: Edit) -> None:
        self.titles.append(edit.title)
        self.present = apply(self.present, edit).scenario
        self.show()

    def show(self) -> None:
        report = resolve(self.present, self.unit)
        self.view.display(Shown(report, False, None, False, None, None))

    @property
    def order(self) -> list[str]:
        """The names over the columns, as shown."""
        model = self.table.model()
        across = Qt.Orientation.Horizontal
        return [model.headerData(k, across) for k in range(model.columnCount())]

    def row(self, label: str) -> list[str]:
        """The cells of a row, line breaks as " | "."""
        model = self.table.model()
        down = Qt.Orientation.Vertical
        labels = [model.headerData(k, down) for k in range(model.rowCount())]
        row = labels.index(label)
        cells = [model.index(row, k).data() for k in range(model.columnCount())]
        return [cell.replace("\n", " | ").replace("\u2009", " ") for cell in cells]

    def labels(self, kind: Kind) -> list[str]:
        """The chart's labels of one kind, from the left."""
        scene = self.view.chart.scene
        assert scene is not None
        return [label.text for label in scene.texts.labels if label.kind is kind]

    def name_at(self, column: int) -> QPoint:
        """A point on a name, beside its mark."""
        x = self.names.sectionViewportPosition(column) + self.names.sectionSize(column) // 2
        return QPoint(x, self.names.height() // 3)

    def click_name(self, column: int) -> None:
        QTest.mouseClick(self.names.viewport(), LEFT, NO_KEYS, self.name_at(column))

    def key(self, key: Qt.Key, keys: Qt.KeyboardModifier = NO_KEYS) -> None:
        QTest.keyClick(self.table, key, keys)

    def editor(self) -> QLineEdit:
        found = [e for e in self.names.findChildren(QLineEdit, "pin-name") if e.isVisible()]
        assert len(found) == 1
        return found[0]

    def stages(self, name: str) -> None:
        button = self.view.findChild(QAbstractButton, f"compare-{name}")
        assert button is not None
        QTest.mouseClick(button, LEFT)
