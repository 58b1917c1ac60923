"""Versions and paths, as they are copied into a bug report."""

from PySide6.QtWidgets import QApplication, QPushButton

from tests.gui.hands import trigger
from zerogui.gui.window import MainWindow


def test_the_details_can_be_copied_for_a_bug_report(window: MainWindow) -> None:
    trigger(window, "about")
    copy = window.findChild(QPushButton, "about-copy")
    assert copy is not None
    copy.click()
    copied = QApplication.clipboard().text()
    for name in ("zerogui:", "Python:", "Qt:", "PySide6-Essentials:", "screen:", "settings:"):
        assert name in copied
    copy.window().close()
