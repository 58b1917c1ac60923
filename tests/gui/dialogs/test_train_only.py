"""The dialog that freezes all of a model but a count, a share or what patterns choose."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QLineEdit

from tests.files.models.configs import GPT2, written
from tests.gui.hands import trigger
from zerogui.gui.window import MainWindow


@pytest.mark.parametrize(
    ("typed", "trained"),
    [
        ("20M", 20_000_000),
        # 124,439,808 · 0.005 = 622,199.04, rounded down
        ("0.5%", 622_199),
        # A layer's attention: 768·2304 + 2304 + 768·768 + 768 = 2,362,368; the last norm 1,536.
        ("transformer.h.*.attn.*, transformer.ln_f.*", 12 * 2_362_368 + 1_536),
    ],
)
def test_freezing_all_but_a_count_a_share_or_patterns(
    window: MainWindow, tmp_path: Path, typed: str, trained: int
) -> None:
    window.open_file(written(tmp_path, "config.json", GPT2))
    trigger(window, "train-only")
    field = window.findChild(QLineEdit, "train-only")
    assert field is not None
    QTest.keyClicks(field, typed)
    QTest.keyClick(field, Qt.Key.Key_Return)
    model = window.controller.scenario.model
    assert model.trainable_parameters == trained
    assert model.parameters == 124_439_808


def test_a_pattern_that_matches_nothing_is_said_in_the_dialog(
    window: MainWindow, tmp_path: Path
) -> None:
    window.open_file(written(tmp_path, "config.json", GPT2))
    trigger(window, "train-only")
    field = window.findChild(QLineEdit, "train-only")
    assert field is not None
    QTest.keyClicks(field, "*.lora_*")
    QTest.keyClick(field, Qt.Key.Key_Return)
    problem = window.findChild(QLabel, "train-only-problem")
    assert problem is not None
    assert problem.isVisible()
    assert "*.lora_*" in problem.text()
    assert window.controller.scenario.model.frozen_parameters == 0
    field.window().close()
