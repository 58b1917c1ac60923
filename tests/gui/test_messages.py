"""The message bar: says what happened in plain text, and goes when it is closed."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QToolButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from tests.gui.hands import in_front
from zerogui.gui.messages import MessageBar
from zerogui.gui.theme import LIGHT, apply_theme

LONG = (
    "plan.zerogui.json: model.parameters is 7.5e9; write a whole number such as 7500000000."
    " The plan that was open stays as it was."
)


@pytest.fixture
def bar(qtbot: QtBot, qapp: QApplication) -> Iterator[MessageBar]:
    """A bar above an empty work area."""
    apply_theme(qapp, LIGHT)
    window = QWidget()
    layout = QVBoxLayout(window)
    layout.setContentsMargins(0, 0, 0, 0)
    bar = MessageBar()
    layout.addWidget(bar)
    layout.addWidget(QWidget(), 1)
    window.resize(400, 300)
    qtbot.addWidget(window)
    window.show()
    in_front(qtbot, window)
    yield bar
    window.close()


def _seen(bar: MessageBar) -> str:
    return bar.findChild(QLabel, "message-text").text()


def test_nothing_is_shown_until_there_is_something_to_say(bar: MessageBar) -> None:
    assert not bar.isVisible()
    assert bar.text() == ""


def test_a_message_shows_and_goes_when_closed(bar: MessageBar, qtbot: QtBot) -> None:
    bar.show_message("The shard group was reset.", "info")
    assert bar.isVisible()
    assert _seen(bar) == "The shard group was reset."
    with qtbot.waitSignal(bar.closed):
        QTest.mouseClick(bar.findChild(QToolButton, "message-close"), Qt.MouseButton.LeftButton)
    assert not bar.isVisible()


def test_text_from_a_file_is_never_read_as_markup(bar: MessageBar) -> None:
    bar.show_message("<b>bold</b>\nand more", "error")
    label = bar.findChild(QLabel, "message-text")
    assert label.textFormat() == Qt.TextFormat.PlainText
    assert _seen(bar) == "<b>bold</b> and more"


def test_a_long_message_wraps_inside_the_bar(bar: MessageBar, qtbot: QtBot) -> None:
    bar.show_message("short", "error")
    qtbot.wait(10)
    one_line = bar.height()
    bar.show_message(LONG, "error")
    qtbot.wait(10)
    assert bar.width() == 400
    assert bar.height() >= one_line + bar.fontMetrics().height()
    label = bar.findChild(QLabel, "message-text")
    assert label.heightForWidth(label.width()) <= label.height()


def test_an_error_is_marked_by_more_than_its_words(bar: MessageBar, qtbot: QtBot) -> None:
    bar.show_message("Something failed.", "error")
    qtbot.wait(10)
    picture = bar.grab().toImage()
    assert picture.pixelColor(1, 5).name() == LIGHT.over.lower()
    bar.show_message("Something was done.", "info")
    qtbot.wait(10)
    assert bar.grab().toImage().pixelColor(1, 5).name() == LIGHT.accent.lower()
    assert bar.kind() == "info"


def test_a_screen_reader_is_told(bar: MessageBar) -> None:
    bar.show_message("Something failed.", "error")
    assert bar.accessibleName() == "Error"
    assert bar.accessibleDescription() == "Something failed."
    assert bar.findChild(QToolButton, "message-close").accessibleName() == "Close this message"


def test_another_kind_of_message_does_not_exist(bar: MessageBar) -> None:
    with pytest.raises(ValueError, match="shout"):
        bar.show_message("hello", "shout")
