"""A view on a desk: its wishes go to a controller, whose reports it shows, without a window."""

from typing import Any

from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from tests.gui.hands import in_front
from tests.planning.plans import plain
from zerogui.accounting.scenario import Scenario
from zerogui.gui.controller import Controller
from zerogui.planning.opening import OpenedPlan


class Ears:
    """A message port that keeps what it is told."""

    def __init__(self) -> None:
        self.heard: list[str] = []

    def info(self, text: str) -> None:
        self.heard.append(text)

    def error(self, text: str) -> None:
        self.heard.append(text)

    def field_error(self, key: str, text: str) -> None:
        self.heard.append(text)

    def clear(self) -> None:
        self.heard.clear()

    def confirm(self, text: str) -> None:
        self.heard.append(text)


class ViewDesk:
    """A view that paints a picture on its canvas, with the controller behind it."""

    def __init__(
        self, qtbot: QtBot, view: QWidget, scenario: Scenario, size: tuple[int, int]
    ) -> None:
        self.view: Any = view
        qtbot.addWidget(view)
        self.view.resize(*size)
        self.controller = Controller(OpenedPlan(scenario, False), Ears())
        self.controller.attach(self.view)
        self.view.edited.connect(self.controller.dispatch)
        self.view.show()
        in_front(qtbot, view)

    @property
    def canvas(self) -> Any:
        return self.view.canvas

    @property
    def picture(self) -> Any:
        assert self.canvas.picture is not None
        return self.canvas.picture

    def labels(self, kind: str) -> list[str]:
        """The picture's labels of one kind, from the left."""
        found = [label for label in self.picture.labels if label.kind.value == kind]
        return [plain(label.text) for label in sorted(found, key=lambda x: x.rect.left())]

    def said(self, name: str) -> str:
        """The text of a label beside the picture."""
        label = self.view.findChild(QLabel, name)
        assert label is not None
        return plain(label.text().replace("\u202f", " "))
