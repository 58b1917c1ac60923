"""The panel on a desk, and a small window for single fields."""

import pytest
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from tests.gui.desk import Desk
from tests.gui.hands import in_front


@pytest.fixture
def desk(qtbot: QtBot) -> Desk:
    """The seed plan on an H100."""
    return Desk(qtbot)


@pytest.fixture
def window(qtbot: QtBot) -> QWidget:
    """A window whose first field has the focus."""
    window = QWidget()
    QVBoxLayout(window).addWidget(QLineEdit("first"))
    qtbot.addWidget(window)
    window.show()
    in_front(qtbot, window)
    return window
