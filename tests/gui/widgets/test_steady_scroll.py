"""A content that is too high beside a scroll bar, and low enough without one."""

from PySide6.QtCore import QSize
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFrame, QWidget
from pytestqt.qtbot import QtBot

from tests.gui.hands import in_front
from zerogui.gui.widgets.steady_scroll import SteadyScroll


class Contrary(QWidget):
    """Wants a bar when there is none, and none when there is one."""

    def minimumSizeHint(self) -> QSize:
        return QSize(50, 500 if self.width() > 190 else 100)


def test_a_content_that_never_agrees_with_its_bar_comes_to_rest(qtbot: QtBot) -> None:
    area = SteadyScroll()
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setWidgetResizable(True)
    content = Contrary()
    area.setWidget(content)
    qtbot.addWidget(area)
    area.resize(200, 300)
    area.show()
    in_front(qtbot, area)
    for width in range(180, 230, 5):
        area.resize(width, 300)
        QTest.qWait(5)
    assert content.width() > 150
    assert content.height() >= 300
