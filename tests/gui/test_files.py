"""Opening, dropping and exporting, as a user does them in the window."""

import json
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QAction, QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QFileDialog, QLabel, QMessageBox
from pytestqt.qtbot import QtBot

from tests.files.models.configs import GPT2, written
from tests.gui.hands import choose, said, shown_in, table_bytes, trigger, type_into
from zerogui.gui.app import make_window
from zerogui.gui.theme import ThemeManager
from zerogui.gui.window import MainWindow
from zerogui.planning.opening import OpenedPlan
from zerogui.planning.start import seed


def dropped(window: MainWindow, path: str) -> None:
    """Drop ``path`` on the window, as a file manager does."""
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(path)])
    middle = QPoint(400, 300)
    left, none = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    enter = QDragEnterEvent(middle, Qt.DropAction.CopyAction, mime, left, none)
    QApplication.sendEvent(window, enter)
    assert enter.isAccepted()
    drop = QDropEvent(QPointF(middle), Qt.DropAction.CopyAction, mime, left, none)
    QApplication.sendEvent(window, drop)


def card(window: MainWindow) -> str:
    label = window.panel.findChild(QLabel, "model-card")
    assert label is not None
    return label.text() if label.isVisible() else ""


def test_dropping_a_config_fills_the_model_and_keeps_the_plan(
    window: MainWindow, tmp_path: Path
) -> None:
    type_into(window, "workers", "8")
    dropped(window, written(tmp_path, "config.json", GPT2))
    assert shown_in(window, "parameters").replace("\u2009", "") == "124439808"
    assert shown_in(window, "workers") == "8"
    # 2·Ψ replicated; 12·Ψ/8 of optimizer states: Ψ / 8 = 15,554,976.
    assert table_bytes(window)[1][2] == 12 * 15_554_976
    assert "gpt2" in card(window)
    assert "config.json" in card(window)
    assert "lm_head.weight" in card(window)
    assert "148 tensors" in card(window)


def test_typing_a_count_drops_the_tensors_and_their_card_and_undo_brings_both_back(
    window: MainWindow, tmp_path: Path
) -> None:
    window.open_file(written(tmp_path, "config.json", GPT2))
    type_into(window, "parameters", "7B")
    assert card(window) == ""
    assert "tensor" in window.work.messages.text()
    trigger(window, "undo")
    assert "gpt2" in card(window)


def test_a_deepspeed_config_sets_rule_stage_and_threshold(
    window: MainWindow, tmp_path: Path
) -> None:
    config = {
        "bf16": {"enabled": True},
        "zero_optimization": {"stage": 3, "stage3_param_persistence_threshold": 1000},
        "train_batch_size": "auto",
    }
    window.open_file(written(tmp_path, "ds_config.json", config))
    sharding = window.controller.scenario.sharding
    assert (sharding.rule, sharding.stage, sharding.persistence_threshold) == ("deepspeed", 3, 1000)
    assert shown_in(window, "parameters").replace("\u2009", "") == "1000000000"


def test_the_open_dialog_opens_what_is_chosen(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    path = written(tmp_path, "config.json", GPT2)
    trigger(window, "open")
    dialog = window.findChild(QFileDialog)
    assert dialog is not None
    dialog.fileSelected.emit(path)
    dialog.close()
    assert shown_in(window, "parameters").replace("\u2009", "") == "124439808"


def test_recent_files_are_offered_again_at_the_next_start(
    qtbot: QtBot, themes: ThemeManager, tmp_path: Path
) -> None:
    settings = str(tmp_path / "config" / "settings.json")
    path = written(tmp_path, "config.json", GPT2)
    first = make_window(themes, OpenedPlan(seed(), False), None, settings)
    qtbot.addWidget(first)
    first.open_file(path)
    second = make_window(themes, OpenedPlan(seed(), False), None, settings)
    qtbot.addWidget(second)
    second.show()
    offered = [a for a in second.findChildren(QAction) if a.text() == path]
    assert len(offered) == 1
    offered[0].trigger()
    assert shown_in(second, "parameters").replace("\u2009", "") == "124439808"


@pytest.mark.parametrize("content", ["", "{", '{"recent": 3}', '{"recent": [1, 2]}', "[]"])
def test_broken_settings_start_with_defaults(
    qtbot: QtBot, themes: ThemeManager, tmp_path: Path, content: str
) -> None:
    settings = tmp_path / "settings.json"
    settings.write_text(content)
    window = make_window(themes, OpenedPlan(seed(), False), None, str(settings))
    qtbot.addWidget(window)
    assert said(window, "sentence").startswith("1\u00a0B parameters")


def exported(window: MainWindow, form: str, path: Path) -> None:
    trigger(window, f"export-{form}")
    for box in window.findChildren(QMessageBox):
        box.accepted.emit()
        box.close()
    dialog: Any = window.findChildren(QFileDialog)[-1]
    dialog.fileSelected.emit(str(path))
    dialog.close()


def test_the_decision_leaves_as_a_deepspeed_config(window: MainWindow, tmp_path: Path) -> None:
    choose(window, "rule", "DeepSpeed")
    window.findChild(object, "stage-2").click()
    path = tmp_path / "ds_config.json"
    exported(window, "deepspeed", path)
    config = json.loads(path.read_text("utf-8"))
    assert config["zero_optimization"]["stage"] == 2
    assert config["bf16"]["enabled"] is True


def test_even_exports_only_after_an_engine_is_chosen(window: MainWindow) -> None:
    trigger(window, "export-deepspeed")
    assert window.findChild(QFileDialog) is None
    assert window.work.messages.kind() == "error"
    assert "engine" in window.work.messages.text()


def test_the_start_with_an_unknown_model_offers_the_checkpoint_route(
    window: MainWindow, tmp_path: Path
) -> None:
    window.open_file(written(tmp_path, "config.json", {"model_type": "mamba9"}))
    text = window.work.messages.text()
    assert text.startswith("config.json: ")
    assert "mamba9" in text
    assert ".safetensors" in text
    assert shown_in(window, "parameters").replace("\u2009", "") == "1000000000"
