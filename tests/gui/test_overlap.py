"""From 1024 × 640 to 4K, at 100 to 250 %, no text of the window is cut or stands on another."""

import os
from dataclasses import replace

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.accounting.scenes import plan
from tests.gui.conftest import Opener
from tests.gui.legible import view_troubles, window_troubles
from tests.gui.printed_plans import PLANS as PRINTED
from tests.planning.plans import H100, SEED, on
from zerogui.accounting.cluster import Device
from zerogui.accounting.scenario import Scenario
from zerogui.gui.theme import set_font_scale
from zerogui.planning.edits import set_workers

pytestmark = pytest.mark.usefixtures("usual_look")

SIZES = ((1024, 640), (1280, 800), (1920, 1080), (3840, 2160))
SCALES = (1.0, 1.5, 2.0, 2.5)
VIEWS = ("stages", "scaling", "ranks", "compare", "derivation", "start")

PLANS: dict[str, Scenario] = {
    "the first start": on(SEED, H100),
    "does not fit": on(plan(70_000_000_000, workers=64, stage=2), H100),
    "a long device name": on(
        plan(7_500_000_000, workers=64, stage=1),
        Device("NVIDIA H100 80GB HBM3 in the second rack", 85_520_809_984, 10**10),
    ),
    "huge": on(plan(10**18, workers=1024, stage=3), H100),
    "offload": on(
        plan(7_500_000_000, "deepspeed", workers=7, stage=3, offload_optimizer="host"), H100
    ),
    "not offered": PRINTED["not offered"],
    "a long title": replace(
        on(plan(8_030_261_248, "deepspeed", workers=7, stage=2), H100),
        title="Pre-training of the second model of the spring, as discussed in the last meeting",
    ),
    "extreme": PRINTED["extreme"],
}
COMBINATIONS = [(size, scale) for size in SIZES for scale in SCALES]
# Plain runs take another few for each plan; together they take all.
EVERY = 1 if os.environ.get("HYPOTHESIS_PROFILE") == "ci" else 8
CHOSEN = [
    pytest.param(PLANS[name], size, scale, id=f"{name}, {size[0]} at {scale:.0%}")
    for number, name in enumerate(PLANS)
    for place, (size, scale) in enumerate(COMBINATIONS)
    if (place + place // 4 + 3 * number) % EVERY == 0
]


@pytest.mark.parametrize(("scenario", "size", "scale"), CHOSEN)
def test_no_text_is_cut_or_stands_on_another(
    open_window: Opener,
    qtbot: QtBot,
    scenario: Scenario,
    size: tuple[int, int],
    scale: float,
) -> None:
    window = open_window(scenario)
    set_font_scale(scale)
    window.resize(*size)
    qtbot.waitUntil(lambda: (window.width(), window.height()) == size)
    for workers in (scenario.cluster.workers * 2, scenario.cluster.workers * 4):
        window.pin()
        window.controller.dispatch(set_workers(workers))
    window.pin()
    found = []
    for view in VIEWS:
        window.work.views.show_view(view)
        for _ in range(3):
            QApplication.processEvents()
        found += view_troubles(window)
        found += [f"{view}: {trouble}" for trouble in window_troubles(window)]
    assert found == []
