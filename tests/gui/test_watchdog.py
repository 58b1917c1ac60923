"""The watchdog barks at every wrong number, and is quiet otherwise."""

import logging
from collections.abc import Iterator
from typing import Any

import pytest
from PySide6.QtCore import QIdentityProxyModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtWidgets import QTableView

from tests.gui.conftest import Opener
from tests.gui.hands import type_into
from zerogui.gui import watchdog
from zerogui.gui.shown import Shown
from zerogui.gui.watchdog import SWITCH, Watchdog, WrongNumberError, faults_of, wanted
from zerogui.gui.window import MainWindow
from zerogui.planning.start import seed

# The seed at stage 0: 2, 2 and 12 bytes for each of 10^9 parameters; 4 workers; an H100 80GB.
TOTAL, FREE = 16_000_000_000, 85_520_809_984 - 16_000_000_000


class Broken(QIdentityProxyModel):
    """The table's model with one thing wrong: (row, column, role) -> what is given instead."""

    def __init__(self, table: QTableView) -> None:
        super().__init__()
        self.instead: dict[tuple[int, int, int], Any] = {}
        self.heading: str | None = None
        self.setSourceModel(table.model())

    def data(
        self,
        index: QModelIndex | QPersistentModelIndex,
        role: int = Qt.ItemDataRole.DisplayRole,
    ) -> Any:
        key = (index.row(), index.column(), int(role))
        return self.instead[key] if key in self.instead else super().data(index, role)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if section == 4 and self.heading is not None:
            return self.heading
        return super().headerData(section, orientation, role)


class Seen:
    """A window's table through a model that can be broken, and a watchdog that looks at it."""

    def __init__(self, window: MainWindow) -> None:
        self.shown: Shown = window.controller.shown
        self.table = QTableView()
        self.model = Broken(window.work.table)
        self.table.setModel(self.model)
        self.dog = Watchdog(self.table)

    def bark(self) -> str:
        with pytest.raises(WrongNumberError) as barked:
            self.dog.display(self.shown)
        return str(barked.value)


@pytest.fixture
def seen(window: MainWindow) -> Iterator[Seen]:
    found = Seen(window)
    found.dog.display(found.shown)
    yield found
    found.table.deleteLater()


TEXT, EXACT = int(Qt.ItemDataRole.DisplayRole), int(Qt.ItemDataRole.UserRole)


@pytest.mark.parametrize(
    ("column", "role", "wrong"),
    [
        (4, TEXT, "16.001"),
        (4, TEXT, "15.999"),
        (4, TEXT, "1.600"),
        (4, TEXT, "16,000"),
        (4, TEXT, "nan"),
        (4, TEXT, "–"),
        (4, EXACT, TOTAL + 1),
        (4, EXACT, float(TOTAL)),
        (4, EXACT, None),
        (5, TEXT, "−69.521"),
        (5, EXACT, -FREE),
        (1, TEXT, "0.000"),
        (7, EXACT, 0),
        (0, TEXT, "ZeRO-1"),
    ],
)
def test_it_barks_at_a_wrong_cell(
    seen: Seen, column: int, role: int, wrong: object, caplog: pytest.LogCaptureFixture
) -> None:
    seen.model.instead[0, column, role] = wrong
    with caplog.at_level(logging.CRITICAL, "zerogui.watchdog"):
        assert "1 wrong numbers" in seen.bark()
    assert [record.levelname for record in caplog.records] == ["CRITICAL"]


def test_it_barks_at_a_wrong_unit_and_at_another_plans_table(
    seen: Seen, window: MainWindow
) -> None:
    seen.model.heading = "Total per rank\n(GiB)"
    assert "Total per rank is in GiB" in seen.bark()
    seen.model.heading = None
    type_into(window, "parameters", "2B")
    assert "DDP, Parameters: holds 4000000000, the report says 2000000000" in seen.bark()


def test_it_barks_at_floats_and_sums_of_the_report_itself(window: MainWindow) -> None:
    report = window.controller.shown.report
    assert faults_of(report) == []
    first = report.offered[0]
    as_float = first._replace(cluster_total=float(first.cluster_total))
    [fault] = faults_of(report._replace(stages=(as_float, *report.stages[1:])))
    assert fault == "DDP: 64000000000.0 is no whole number"
    fewer = first._replace(components=first.components[1:])
    [fault] = faults_of(report._replace(stages=(fewer, *report.stages[1:])))
    assert fault == "DDP: the components add up to 14000000000, not to 16000000000"


def test_it_watches_every_display_of_the_tests_windows(
    window: MainWindow, open_window: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    dogs: list[Watchdog] = []

    class Kept(Watchdog):
        def __init__(self, table: QTableView) -> None:
            super().__init__(table)
            dogs.append(self)

    monkeypatch.setattr(watchdog, "Watchdog", Kept)
    watched = open_window(seed())
    before = dogs[0].displays
    type_into(watched, "workers", "8")
    watched.show_unit("GiB")
    watched.toggle_exact()
    assert dogs[0].displays == before + 3


def test_normal_use_does_without_it(monkeypatch: pytest.MonkeyPatch) -> None:
    assert wanted()
    monkeypatch.setenv(SWITCH, "0")
    assert not wanted()
    monkeypatch.delenv(SWITCH)
    assert not wanted()


@pytest.mark.parametrize("parameters", ["1", "999,999,999,999,999,999", "123456789", "10^18"])
def test_it_is_quiet_from_one_parameter_to_the_most(window: MainWindow, parameters: str) -> None:
    type_into(window, "parameters", parameters.replace("10^18", "1" + "0" * 18))
    window.show_unit("GiB")
    window.toggle_exact()
    type_into(window, "workers", "1048576")
