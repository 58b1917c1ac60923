"""Names from files are text and nothing else, wherever the window shows them."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtGui import QAction, Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QComboBox,
    QDialog,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QTabBar,
    QWidget,
)
from pytestqt.qtbot import QtBot

from tests.gui.conftest import Opener
from zerogui.accounting.cluster import Cluster, Device
from zerogui.accounting.model import Model, Tensor
from zerogui.accounting.recipe import OptimizerTensor, Recipe
from zerogui.accounting.scenario import Scenario
from zerogui.accounting.sharding import Sharding
from zerogui.files import comparison, scenario
from zerogui.files.comparison import NamedScenarios
from zerogui.gui.window import MainWindow
from zerogui.planning.edits import set_title

MARKS = {
    "markup": "<img src='file:///x.png'><b>bold</b> &amp; &lt; <a href='x'>",
    "override": "safe\u202egnp.exe\u2066",
    "controls": "a\nb\tc\x07d\x1b[31m\u2028e\x00f".replace("\x00", ""),
    "braces": "{{7*7}} {0} %s %1 ${x} [*]",
    "mnemonic": "R&D && more",
    "long": "x" * 1000,
}


def hostile(name: str) -> Scenario:
    """A plan that says ``name`` wherever a file may say a name."""
    tensors = (Tensor(name[:990] + ".w", (64, 8)), Tensor("{i}" + name[:990], (8,), True, 3))
    recipe = Recipe(
        name, "bf16", "bf16", (OptimizerTensor(name, "fp32"), OptimizerTensor("m", "fp32"))
    )
    return Scenario(
        name,
        Model.of(name, tensors),
        recipe,
        Cluster(8),
        Sharding("fsdp2", 3),
        Device(name, 10**9),
    )


def texts(top: QWidget) -> Iterator[tuple[str, str]]:
    """(where, text) of all that ``top`` shows or tells; editable fields apart."""
    for widget in [top, *top.findChildren(QWidget)]:
        where = f"{type(widget).__name__} {widget.objectName()}"
        yield f"tooltip of {where}", widget.toolTip()
        yield f"status tip of {where}", widget.statusTip()
        yield f"title of {where}", widget.windowTitle()
        if isinstance(widget, QLabel | QAbstractButton):
            yield where, widget.text()
        if isinstance(widget, QComboBox):
            for index in range(widget.count()):
                yield where, widget.itemText(index)
        if isinstance(widget, QTabBar):
            for index in range(widget.count()):
                yield where, widget.tabText(index)
                yield f"tooltip of {where}", widget.tabToolTip(index)
        model: Any = getattr(widget, "model", lambda: None)()
        if model is not None and hasattr(model, "rowCount"):
            yield from _cells(where, model)
    for action in top.findChildren(QAction):
        yield f"action {action.objectName()}", action.text()
        yield f"tooltip of action {action.objectName()}", action.toolTip()


def _cells(where: str, model: Any) -> Iterator[tuple[str, str]]:
    roles = (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole)
    for row in range(min(model.rowCount(), 50)):
        for column in range(model.columnCount()):
            for role in roles:
                yield f"{role.name} in {where}", str(model.index(row, column).data(role) or "")
    lengths = {
        Qt.Orientation.Horizontal: model.columnCount(),
        Qt.Orientation.Vertical: min(model.rowCount(), 50),
    }
    for across, length in lengths.items():
        for section in range(length):
            for role in roles:
                yield f"header of {where}", str(model.headerData(section, across, role) or "")


def faults(top: QWidget) -> list[str]:
    """Every place where a name is more than text, or longer than a line."""
    found = []
    for where, text in texts(top):
        rich = Qt.mightBeRichText(text) or text.startswith("<qt>")
        if "tooltip" in where.lower() and rich and ("<img" in text or "<b>" in text):
            found.append(f"{where} reads markup: {text[:80]!r}")
        bare = "".join(c for c in text if c not in "\n\u2009\u00a0\u202f\u2060\u200b")
        if not bare.isprintable():
            found.append(f"{where} has controls: {text[:80]!r}")
        if "x" * 201 in text:
            found.append(f"{where} is not elided: {len(text)} characters")
    for label in top.findChildren(QLabel):
        plain = label.textFormat() == Qt.TextFormat.PlainText
        if not plain and ("<img" in label.text() or "<b>" in label.text()):
            found.append(f"label {label.objectName()} reads markup")
    for edit in top.findChildren(QLineEdit):
        if not edit.text().replace("\u2009", "").replace("\u00a0", "").isprintable():
            found.append(f"edit {edit.objectName()} has controls")
    for page in top.findChildren(QPlainTextEdit):
        if not page.toPlainText().replace("\n", "").replace("\u2009", "").isprintable():
            found.append(f"page {page.objectName()} has controls")
    return found


@pytest.mark.parametrize("mark", MARKS)
def test_a_name_from_a_file_is_text_everywhere(
    mark: str,
    open_window: Opener,
    qtbot: QtBot,
    tmp_path: Path,
) -> None:
    name = MARKS[mark]
    window: MainWindow = open_window()
    short = name.replace("/", "∕")[:60]
    path = tmp_path / f"{short}.zerogui.json"
    scenario.save(hostile(name), path)
    window.open_file(str(path))
    assert not window.work.messages.text(), window.work.messages.text()
    assert not faults(window), "\n".join(faults(window))
    other = replace(hostile(name), title="other", device=None)
    pins = NamedScenarios(((name, hostile(name)), ("second", other)), 0)
    path = tmp_path / f"pins {short}.zerogui.json"
    comparison.save(pins, path)
    window.open_file(str(path))
    for view in ("stages", "scaling", "ranks", "compare", "derivation", "start"):
        window.work.views.show_view(view)
        qtbot.wait(30)
        assert not faults(window), "\n".join(faults(window))
    window.undo()
    window.undo()
    assert not faults(window), "\n".join(faults(window))


@pytest.mark.parametrize("mark", MARKS)
def test_a_name_from_a_file_is_text_in_every_dialog(
    mark: str, open_window: Opener, tmp_path: Path
) -> None:
    name = MARKS[mark]
    window: MainWindow = open_window()
    short = name.replace("/", "∕").encode()[:240].decode("utf-8", "ignore")
    path = tmp_path / f"{short}.zerogui.json"
    scenario.save(hostile(name), path)
    window.open_file(str(path))
    window.controller.dispatch(set_title("!" + name[1:]))
    window.undo()
    window.redo()
    path.write_bytes(path.read_bytes() + b" ")
    asked = {
        "changed on disk": window.save,
        "before closing": window.close,
        "train only": window.ask_train_only,
        "lost on export": partial(window.export_engine, "accelerate"),
        "about": window.show_about,
    }
    for what, ask in asked.items():
        ask()
        dialogs = [each for each in window.findChildren(QDialog) if each.isVisible()]
        assert dialogs or what == "lost on export", what
        for dialog in dialogs:
            assert not faults(dialog), f"{what}: " + "\n".join(faults(dialog))
            dialog.reject()
    assert not faults(window), "\n".join(faults(window))
    path.write_text("{", encoding="utf-8")
    window.open_file(str(path))
    assert window.work.messages.kind() == "error"
    assert not faults(window), "\n".join(faults(window))
