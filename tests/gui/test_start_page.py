"""The start page and the examples, as someone meets them who has just installed the program."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QEvent, QPoint, QRect, Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QDialog, QFileDialog, QMenu, QWidget
from pytestqt.qtbot import QtBot

from tests.gui.hands import said, table_bytes, trigger, type_into
from zerogui.accounting.model import Model
from zerogui.accounting.scenario import Scenario
from zerogui.catalog import EXAMPLES, resource_path
from zerogui.files.scenario import load, save
from zerogui.gui.theme import scaled_font, set_font_scale
from zerogui.gui.window import MainWindow
from zerogui.planning.start import seed

Opener = Callable[..., MainWindow]
QLORA = 39_709_980_420  # bytes; derived in tests/catalog/test_examples.py


def start_page(window: MainWindow) -> Any:
    window.work.views.show_view("start")
    QApplication.processEvents()
    return window.work.views.view("start")


def row(window: MainWindow, name: str) -> QWidget:
    found = start_page(window).findChild(QWidget, name)
    assert found is not None, f"no row is called {name}"
    start_page(window).ensureWidgetVisible(found)
    return found


def click(window: MainWindow, name: str) -> None:
    QTest.mouseClick(
        row(window, name), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, QPoint(20, 10)
    )


def text_height(row: QAbstractButton) -> int:
    """What the texts of ``row`` need, broken into lines of its width, in px."""
    parts = [(0, row.accessibleName())]
    if row.objectName() != "start-recent":
        parts.append((-1, row.accessibleDescription().partition(" (")[0]))
    room = QRect(0, 0, row.width(), 10_000)
    wrapped = int(Qt.TextFlag.TextWordWrap)
    heights = [
        QFontMetrics(scaled_font(delta)).boundingRect(room, wrapped, text).height()
        for delta, text in parts
    ]
    return sum(heights)


def test_the_first_start_shows_the_stages_and_builds_no_start_page(window: MainWindow) -> None:
    assert window.work.views.current == "stages"
    assert window.work.views.view("start") is None


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_each_example_opens_from_the_start_page_and_from_the_file_menu(
    window: MainWindow, example: Any
) -> None:
    wanted = load(example.path)
    click(window, f"start-example-{example.name}")
    assert window.controller.scenario == wanted
    assert window.work.views.current == "stages"
    assert said(window, "scenario-title") == example.title
    trigger(window, "undo")
    assert window.controller.scenario == seed()
    menus = window.menuBar().findChildren(QMenu)
    (menu,) = [menu for menu in menus if menu.title().replace("&", "") == "Open example"]
    (action,) = [action for action in menu.actions() if action.text() == example.title]
    action.trigger()
    assert window.controller.scenario == wanted


def test_an_example_is_a_new_plan_that_save_asks_a_place_for(
    open_window: Opener, tmp_path: Path
) -> None:
    mine = tmp_path / "mine.zerogui.json"
    save(Scenario(title="mine", model=Model("", 3_000)), mine)
    before = {p.name: p.read_bytes() for p in (mine, *resource_path("examples").iterdir())}
    window = open_window(load(mine), str(mine))
    assert window.windowTitle().startswith("mine.zerogui.json")
    click(window, "start-example-llama-3-70b-qlora")
    assert window.windowTitle().startswith("Untitled")
    assert [line[3] for line in table_bytes(window)] == [QLORA] * 4
    type_into(window, "workers", "2")
    assert window.isWindowModified()
    trigger(window, "save")
    (dialog,) = window.findChildren(QFileDialog)
    dialog.fileSelected.emit(str(tmp_path / "new.zerogui.json"))
    dialog.close()
    assert window.windowTitle().startswith("new.zerogui.json")
    assert load(tmp_path / "new.zerogui.json").cluster.workers == 2
    for path in (mine, *resource_path("examples").iterdir()):
        assert path.read_bytes() == before[path.name]


def test_an_example_that_was_chosen_in_the_file_dialog_is_not_overwritten_either(
    window: MainWindow,
) -> None:
    window.open_file(str(resource_path("examples", "seed.zerogui.json")))
    assert window.windowTitle().startswith("Untitled")
    trigger(window, "save")
    (dialog,) = window.findChildren(QFileDialog)
    assert dialog.acceptMode() == QFileDialog.AcceptMode.AcceptSave
    dialog.close()


def test_recent_files_stand_on_the_page_and_open_from_it(
    window: MainWindow, tmp_path: Path
) -> None:
    page = start_page(window)
    assert page.findChildren(QWidget, "start-recent") == []
    paths = [tmp_path / f"plan {k}.zerogui.json" for k in range(6)]
    for k, path in enumerate(paths):
        save(Scenario(title=f"plan {k}"), path)
        window.open_file(str(path))
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    start_page(window)
    rows = page.findChildren(QWidget, "start-recent")
    assert sorted(row.accessibleName() for row in rows) == [
        f"plan {k}.zerogui.json" for k in range(2, 6)
    ]
    click(window, "start-recent")
    newest = said(window, "scenario-title")
    assert newest == "plan 5"
    assert window.work.views.current == "stages"


def test_a_recent_file_that_is_gone_is_said_and_the_page_stays(
    window: MainWindow, tmp_path: Path
) -> None:
    path = tmp_path / "gone.zerogui.json"
    save(Scenario(title="gone"), path)
    window.open_file(str(path))
    path.unlink()
    click(window, "start-recent")
    assert window.work.views.current == "start"
    assert "gone.zerogui.json" in window.work.messages.text()


def test_the_page_is_used_with_the_keyboard_alone(window: MainWindow, qtbot: QtBot) -> None:
    trigger(window, "start-page")
    assert window.work.views.current == "start"
    first = row(window, "start-example-seed")
    first.setFocus()
    QTest.keyClick(first, Qt.Key.Key_Down)
    second = QApplication.focusWidget()
    assert second is not None
    assert second.objectName() == "start-example-zero-figure-1"
    QTest.keyClick(second, Qt.Key.Key_Return)
    assert table_bytes(window)[2][3] == 16_640_625_000


def test_every_row_has_a_name_and_says_what_it_does(window: MainWindow) -> None:
    names = [f"start-example-{example.name}" for example in EXAMPLES]
    for name in (*names, "start-open", "start-browse-models", "start-shortcuts"):
        shown = row(window, name)
        assert shown.accessibleName()
        assert shown.accessibleDescription()
        assert shown.focusPolicy() == Qt.FocusPolicy.StrongFocus
    keys = said(window, "start-keys")
    assert all(key in keys for key in ("Ctrl+O", "Ctrl+D", "F5", "F1"))


def test_the_page_opens_files_models_and_shortcuts(window: MainWindow) -> None:
    for name, title in (
        ("start-open", "Open"),
        ("start-browse-models", "Browse models"),
        ("start-shortcuts", "Shortcuts"),
    ):
        click(window, name)
        (dialog,) = [d for d in window.findChildren(QDialog) if d.isVisible()]
        assert dialog.windowTitle() == title
        dialog.close()
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@pytest.mark.parametrize("percent", [100, 150, 250])
@pytest.mark.parametrize("size", [(1024, 640), (1920, 1080), (3840, 2160)])
def test_nothing_is_cut_off_at_any_size(
    window: MainWindow, size: tuple[int, int], percent: int
) -> None:
    window.resize(*size)
    page = start_page(window)
    try:
        set_font_scale(percent / 100)
        QTest.qWait(50)
        rows = page.findChildren(QWidget)
        assert page.widget().width() <= page.viewport().width()
        for shown in rows:
            if isinstance(shown, QAbstractButton):
                assert shown.height() >= text_height(shown), shown.objectName()
    finally:
        set_font_scale(1.0)


def test_presenting_never_comes_by_the_start_page(window: MainWindow) -> None:
    start_page(window)
    trigger(window, "present")
    seen = []
    for _ in range(6):
        seen.append(window.work.views.current)
        QTest.keyClick(window, Qt.Key.Key_Down)
    QTest.keyClick(window, Qt.Key.Key_Escape)
    assert seen == ["stages", "scaling", "ranks", "compare", "derivation", "stages"]
