"""A panel on a desk: edits are applied and shown again, as the program does, without its window."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QComboBox, QLabel, QWidget
from pytestqt.qtbot import QtBot

from tests.gui.hands import in_front
from zerogui.accounting.cluster import Device
from zerogui.accounting.errors import InputError
from zerogui.accounting.scenario import Scenario
from zerogui.gui.inputs.panel import InputPanel
from zerogui.planning.edits import Edit, apply

H100 = Device("H100 80GB", 85_520_809_984)


class Desk:
    """Works the panel as a person does: clicks, keys, and reading what is shown."""

    def __init__(self, qtbot: QtBot, scenario: Scenario | None = None, unit: str = "GB") -> None:
        self.scenario = scenario or Scenario(device=H100)
        self.unit = unit
        self.titles: list[str] = []
        self.panel = InputPanel()
        qtbot.addWidget(self.panel)
        self.panel.edited.connect(self._take)
        self.panel.display(self.scenario, unit)
        self.panel.resize(352, 1400)
        self.panel.show()
        in_front(qtbot, self.panel)
        self.panel.complete()  # as the window does after its first paint

    def _take(self, edit: Edit) -> None:
        refusal = ""
        try:
            self.scenario = apply(self.scenario, edit).scenario
            self.titles.append(edit.title)
        except InputError as error:
            refusal = str(error)
        self.panel.display(self.scenario, self.unit)
        if refusal:
            self.panel.show_error(edit.key, refusal)

    def open(self, scenario: Scenario) -> None:
        """Show another plan, as after opening a file."""
        self.scenario = scenario
        self.panel.display(scenario, self.unit)

    def field(self, name: str) -> QWidget:
        """The input of that name."""
        found = self.panel.findChild(QWidget, name)
        assert found is not None, f"no field is called {name}"
        return found

    def is_shown(self, name: str) -> bool:
        """Whether the input is to be seen."""
        return self.field(name).isVisible()

    def shown(self, name: str) -> str:
        """The text in the field; digits grouped by plain spaces to be easily written in a test."""
        field = self.field(name)
        text = field.currentText() if isinstance(field, QComboBox) else field.text()
        return str(text).replace("\u2009", " ")

    def type(self, name: str, text: str, end: Qt.Key | None = Qt.Key.Key_Return) -> None:
        """Click into the field, type, and end with a key."""
        field = self.field(name)
        self.click_into(name)
        QTest.keyClick(field, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
        QTest.keyClicks(field, text)
        if end is not None:
            QTest.keyClick(field, end)

    def paste(self, name: str, text: str) -> None:
        """Click into the field, paste from the clipboard, and leave with Tab."""
        QGuiApplication.clipboard().setText(text)
        self.click_into(name)
        QTest.keyClick(self.field(name), Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
        QTest.keyClick(self.field(name), Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
        QTest.keyClick(self.field(name), Qt.Key.Key_Tab)

    def click_into(self, name: str) -> None:
        """Click on the text of a field."""
        field = self.field(name)
        edit = getattr(field, "lineEdit", lambda: field)() or field
        QTest.mouseClick(edit, Qt.MouseButton.LeftButton)

    def click(self, name: str) -> None:
        """Click a button."""
        button = self.field(name)
        assert isinstance(button, QAbstractButton)
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)

    def choose(self, name: str, text: str) -> None:
        """Open a combo box and take the first entry that starts with ``text``, by the keyboard."""
        combo = self.field(name)
        assert isinstance(combo, QComboBox)
        entries = [combo.itemText(i) for i in range(combo.count())]
        target = next(i for i, entry in enumerate(entries) if entry.startswith(text))
        combo.setFocus()
        QTest.keyClick(combo, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
        view = combo.view()
        steps = target - view.currentIndex().row()
        for _ in range(abs(steps)):
            QTest.keyClick(view, Qt.Key.Key_Down if steps > 0 else Qt.Key.Key_Up)
        QTest.keyClick(view, Qt.Key.Key_Return)

    def press(self, name: str, key: Qt.Key) -> None:
        """Press one key in the field that is clicked first."""
        self.click_into(name)
        QTest.keyClick(self.field(name), key)

    def error(self, name: str) -> str:
        """The sentence under the field."""
        row = self.panel.row(name)
        assert row is not None
        return row.error()

    def texts(self) -> str:
        """All plain text that is to be seen on the panel."""
        labels = self.panel.findChildren(QLabel)
        lines = "\n".join(label.text() for label in labels if label.isVisible())
        return lines.replace("\u2009", " ").replace("\u00a0", " ")
