"""The Cluster section as a person uses it: workers, and the GPUs that they make."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt

from tests.gui.desk import Desk
from zerogui.accounting.cluster import Cluster


@pytest.mark.parametrize(
    ("cluster", "line"),
    [
        (Cluster(16, 8, 2), "N × M = 32 GPUs on 4 nodes"),
        (Cluster(1, 8, 1), "N × M = 1 GPU on 1 node"),
        (Cluster(12, 8, 1), "N × M = 12 GPUs on 2 nodes, the last with 4"),
        (Cluster(16384, 8, 8), "N × M = 131 072 GPUs on 16 384 nodes"),
    ],
)
def test_the_panel_counts_the_gpus(desk: Desk, cluster: Cluster, line: str) -> None:
    desk.open(replace(desk.scenario, cluster=cluster))
    assert line in desk.texts().split("\n")


def test_the_arrow_and_page_keys_turn_the_workers(desk: Desk) -> None:
    for key in (Qt.Key.Key_PageUp, Qt.Key.Key_PageUp, Qt.Key.Key_Up):
        desk.press("workers", key)
    assert desk.scenario.cluster.workers == 17
    assert desk.titles == ["Change workers to 8", "Change workers to 16", "Change workers to 17"]


def test_zero_workers_are_refused(desk: Desk) -> None:
    desk.type("workers", "0")
    assert desk.error("workers").replace("\u2009", " ") == (
        '"0" is less than 1; write 1 to 1 048 576.'
    )
    assert desk.scenario.cluster.workers == 4
