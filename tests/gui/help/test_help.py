"""The help as its reader uses it: opened by menu, walked by links, searched, enlarged, closed."""

import re

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QAction, QTextCursor, QTextDocument
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QDialog,
    QLabel,
    QLineEdit,
    QTextBrowser,
    QTreeWidget,
    QWidget,
)
from pytestqt.qtbot import QtBot

from tests.gui.hands import said, type_into
from zerogui.gui.theme import DARK, LIGHT
from zerogui.gui.window import MainWindow


class Reader:
    """Opens the help and works it with mouse and keys."""

    def __init__(self, qtbot: QtBot, window: MainWindow) -> None:
        self.qtbot, self.window = qtbot, window
        self.open_by_menu()

    def open_by_menu(self) -> None:
        """Open the Help menu and click its entry."""
        bar = self.window.menuBar()
        entry = next(a for a in bar.actions() if a.text().replace("&", "") == "Help")
        QTest.mouseClick(bar, Qt.MouseButton.LeftButton, pos=bar.actionGeometry(entry).center())
        menu = QApplication.activePopupWidget()
        assert menu is not None
        action = self.window.findChild(QAction, "help")
        assert action is not None
        place = menu.actionGeometry(action).center()
        QTest.mouseClick(menu, Qt.MouseButton.LeftButton, pos=place)
        self.settle()

    def settle(self) -> None:
        QApplication.processEvents()
        QTest.qWait(10)

    def helps(self) -> list[QDialog]:
        """The help windows that are open."""
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
        dialogs = self.window.findChildren(QDialog)
        return [d for d in dialogs if d.isVisible() and "help" in d.windowTitle()]

    @property
    def dialog(self) -> QDialog:
        (found,) = self.helps()
        return found

    @property
    def text(self) -> QTextBrowser:
        found = self.dialog.findChild(QTextBrowser, "help-text")
        assert found is not None
        return found

    def part(self, kind: type[QWidget], name: str) -> QWidget:
        found = self.dialog.findChild(kind, name)
        assert found is not None, name
        return found

    def title(self) -> str:
        """The first line of the page that is shown."""
        return self.text.toPlainText().splitlines()[0]

    def first_line(self) -> str:
        """The line at the upper edge of what can be seen."""
        return self.text.cursorForPosition(QPoint(60, 8)).block().text()

    def click_link(self, words: str) -> None:
        """Scroll to the link with these words and click it."""
        document = self.text.document()
        cursor = QTextCursor(document)
        while True:
            cursor = document.find(words, cursor)
            assert not cursor.isNull(), f"no link says {words}"
            inside = QTextCursor(document)
            inside.setPosition(cursor.selectionStart() + 1)
            if inside.charFormat().anchorHref():
                break
        self.text.setTextCursor(inside)
        self.text.ensureCursorVisible()
        self.settle()
        place = self.text.cursorRect(inside).center() + QPoint(3, 0)
        viewport = self.text.viewport()
        QTest.mouseMove(viewport, place)
        QTest.mouseClick(viewport, Qt.MouseButton.LeftButton, pos=place)
        self.settle()

    def press(self, keys: str) -> None:
        QTest.keySequence(QApplication.focusWidget() or self.dialog, keys)
        self.settle()

    def click(self, name: str) -> None:
        button = self.part(QAbstractButton, name)
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
        self.settle()

    def search(self, words: str) -> None:
        self.press("Ctrl+F")
        finder = self.part(QLineEdit, "help-find")
        assert finder.hasFocus()
        QTest.keyClicks(finder, words)
        QTest.keyClick(finder, Qt.Key.Key_Return)
        self.settle()

    def note(self) -> str:
        label = self.part(QLabel, "help-note")
        assert isinstance(label, QLabel)
        return label.text() if label.isVisible() else ""


@pytest.fixture
def reader(qtbot: QtBot, window: MainWindow) -> Reader:
    return Reader(qtbot, window)


def test_the_menu_opens_the_help_once_and_escape_closes_it(reader: Reader) -> None:
    assert reader.title() == "Start here"
    reader.open_by_menu()
    assert len(reader.helps()) == 1
    QTest.keyClick(reader.text, Qt.Key.Key_Escape)
    assert reader.helps() == []


def test_shift_f1_opens_it_too_and_f1_stays_the_sheet_of_keys(
    qtbot: QtBot, window: MainWindow
) -> None:
    QTest.keySequence(window, "Shift+F1")
    titles = [d.windowTitle() for d in window.findChildren(QDialog) if d.isVisible()]
    assert titles == ["Start here – zerogui help"]
    QTest.keySequence(window, "F1")
    shown = {d.windowTitle() for d in window.findChildren(QDialog) if d.isVisible()}
    assert shown == {"Start here – zerogui help", "Shortcuts"}
    for dialog in window.findChildren(QDialog):
        dialog.close()


def test_a_link_is_followed_and_back_returns_to_where_one_was(reader: Reader) -> None:
    reader.click_link("What is left out")
    assert reader.title() == "What is left out, and the reserve"
    reader.click("help-back")
    assert reader.title() == "Start here"
    reader.press("Alt+Right")
    assert reader.title() == "What is left out, and the reserve"
    reader.press("Alt+Left")
    assert reader.title() == "Start here"
    back, forward = (reader.part(QAbstractButton, f"help-{n}") for n in ("back", "forward"))
    assert not back.isEnabled()
    assert forward.isEnabled()


def test_a_link_to_a_section_scrolls_to_it(reader: Reader) -> None:
    reader.click_link("Where states live")
    reader.press("Alt+Left")
    reader.click_link("Partition rules")
    reader.click_link("hybrid sharding")
    assert reader.title() == "Where states live"
    tree = reader.part(QTreeWidget, "help-contents")
    assert isinstance(tree, QTreeWidget)
    current = tree.currentItem()
    assert current is not None
    assert current.text(0) == "Groups"


def test_the_contents_lead_to_pages_and_sections_by_keyboard(reader: Reader) -> None:
    tree = reader.part(QTreeWidget, "help-contents")
    tree.setFocus()
    QTest.keyClick(tree, Qt.Key.Key_Down)
    assert reader.title() == "What the numbers mean"
    QTest.keyClick(tree, Qt.Key.Key_Right)
    QTest.keyClick(tree, Qt.Key.Key_Down)
    QTest.keyClick(tree, Qt.Key.Key_Down)
    reader.settle()
    assert reader.first_line() == "Units"


def test_the_links_of_a_page_are_reached_with_tab_and_followed_with_return(
    reader: Reader,
) -> None:
    reader.text.setFocus()
    QTest.keyClick(reader.text, Qt.Key.Key_Tab)
    QTest.keyClick(reader.text, Qt.Key.Key_Return)
    assert reader.title() == "What is left out, and the reserve"


def test_a_search_walks_through_all_pages_and_around_their_end(reader: Reader) -> None:
    reader.search("bitsandbytes")
    assert reader.title() == "Recipes and number formats"
    assert reader.text.textCursor().selectedText() == "bitsandbytes"
    first = reader.text.textCursor().position()
    reader.press("F3")
    second = reader.text.textCursor().position()
    assert second > first
    reader.press("Shift+F3")
    assert reader.text.textCursor().position() == first
    met = set()
    for _ in range(4):
        reader.press("F3")
        met.add(reader.text.textCursor().position())
    assert {first, second} <= met
    assert reader.title() == "Recipes and number formats"


def test_a_search_for_what_is_nowhere_says_so_and_stays(reader: Reader) -> None:
    reader.search("zebra")
    assert reader.note() == "No page has “zebra”."
    assert reader.title() == "Start here"


def test_a_link_that_leads_out_is_shown_and_not_opened(reader: Reader) -> None:
    reader.click_link("What the numbers mean")
    reader.click_link("arXiv 1910.02054")
    assert "https://arxiv.org/abs/1910.02054" in reader.note()
    assert reader.title() == "What the numbers mean"


def test_the_page_and_its_words_follow_the_theme(reader: Reader) -> None:
    def inks() -> tuple[str, str]:
        link = reader.text.document().find("reserve")
        link.setPosition(link.selectionStart() + 1)
        ground = reader.text.grab().toImage().pixelColor(4, 4).name()
        return ground.upper(), link.charFormat().foreground().color().name().upper()

    assert inks() == (LIGHT.field, LIGHT.accent)
    for name, theme in (("dark", DARK), ("light", LIGHT)):
        action = reader.window.findChild(QAction, f"theme-{name}")
        assert action is not None
        action.trigger()
        reader.qtbot.waitUntil(lambda theme=theme: inks() == (theme.field, theme.accent))


def test_the_text_grows_with_the_programs_and_from_within_the_help(reader: Reader) -> None:
    def heights() -> tuple[float, int]:
        block = reader.text.document().firstBlock().next()
        return (
            reader.text.document().documentLayout().blockBoundingRect(block).height(),
            reader.dialog.fontMetrics().height(),
        )

    before = heights()
    for _ in range(5):
        reader.press("Ctrl++")
    reader.qtbot.waitUntil(lambda: heights()[0] > 1.3 * before[0])
    assert heights()[1] > before[1]
    assert reader.window.statusBar().currentMessage() == "Text at 150 %"
    reader.press("Ctrl+0")
    reader.qtbot.waitUntil(lambda: heights() == before)


def test_pictures_are_shown_and_fit_the_page(reader: Reader) -> None:
    document = reader.text.document()
    kind = QTextDocument.ResourceType.ImageResource.value
    (link,) = re.findall(r'<img src="([^"]+)"', document.toHtml())
    picture = reader.text.loadResource(kind, link)
    assert picture.width() / picture.devicePixelRatio() <= reader.text.viewport().width()
    assert picture.width() > 400
    assert reader.text.horizontalScrollBar().maximum() == 0
    blocks = (document.findBlockByNumber(n) for n in range(document.blockCount()))
    shown = next(block for block in blocks if "\ufffc" in block.text())
    height = document.documentLayout().blockBoundingRect(shown).height()
    assert height < picture.height() / picture.devicePixelRatio() + 40


FOREIGN = (
    "https://example.org/a.png",
    "file:///etc/passwd",
    "/etc/passwd",
    "../../README.md",
    "../screenshots/../../README.md",
    "../screenshots/none.png",
    "data:image/png;base64,iVBORw0KGgo=",
    "//example.org/share/a.png",
)


def test_nothing_but_the_programs_own_pictures_is_loaded(reader: Reader) -> None:
    for name in FOREIGN:
        for kind in QTextDocument.ResourceType:
            assert reader.text.loadResource(kind.value, name) is None, name


def test_everything_in_the_help_has_a_name_and_tab_goes_through_it(reader: Reader) -> None:
    names = ("help-contents", "help-text", "help-find", "help-back", "help-forward")
    parts = [reader.part(QWidget, name) for name in names]
    assert all(part.accessibleName() for part in parts)
    follower = [parts[0]]
    while len(follower) < 60:
        follower.append(follower[-1].nextInFocusChain())
    met = [part for part in follower if part in parts]
    assert met[:5] == parts


def test_the_help_leaves_the_window_at_work(reader: Reader) -> None:
    assert not reader.dialog.isModal()
    type_into(reader.window, "workers", "64")
    assert "on 64 workers" in said(reader.window, "sentence")
    assert reader.title() == "Start here"
