"""Compares, after each display, what the table shows with what the report says; for tests.

It reads the cells back as a person would and goes by the report itself, not by what the table
was made from. Normal use does without it: see ``wanted``.
"""

import logging
import os
import re
import sys
from typing import Any

from PySide6.QtCore import QAbstractItemModel, Qt
from PySide6.QtWidgets import QTableView

from zerogui.gui.shown import Shown
from zerogui.gui.window import MainWindow
from zerogui.planning.report import NotOffered, Report, StageReport

SWITCH = "ZEROGUI_WATCHDOG"
_UNITS = {"bytes": 1, "GB": 10**9, "GiB": 2**30, "elements/step": 1}
_SPACES = dict.fromkeys(map(ord, " \u2009\u202f\u00a0"))
_STATES = ("parameters", "gradients", "optimizer")
_NUMBER = re.compile(r"(-?[0-9]+)(?:\.([0-9]+))?")


class WrongNumberError(AssertionError):
    """The window shows a number that the report does not have."""


def wanted() -> bool:
    """Whether this run is to be watched: by the environment, or as Python's development mode."""
    said = os.environ.get(SWITCH)
    return sys.flags.dev_mode if said is None else said not in ("", "0")


class Watchdog:
    """A view that shows nothing; attached last, it sees what the others have made of a report."""

    def __init__(self, table: QTableView) -> None:
        self._table = table
        self.displays = 0

    def display(self, shown: Shown) -> None:
        """Look at the table. WrongNumberError, which the log has too, on the first difference."""
        self.displays += 1
        faults = [*faults_of(shown.report), *_differences(self._table.model(), shown)]
        if faults:
            text = f"{len(faults)} wrong numbers: " + "; ".join(faults[:5])
            logging.getLogger("zerogui.watchdog").critical(text)
            raise WrongNumberError(text)


def watch(window: MainWindow) -> None:
    """Look at what ``window`` displays from now on, if this run is to be watched."""
    if wanted():
        window.controller.attach(Watchdog(window.work.table))


def faults_of(report: Report) -> list[str]:
    """What in ``report`` is no whole number, or does not add up."""
    faults = []
    for stage in report.offered:
        rank = stage.rank
        sums = {
            "states": sum(getattr(rank, state) for state in _STATES),
            "components": sum(line.bytes for line in stage.components),
            "tiers": sum(stage.tiers.values()),
        }
        faults += [
            f"{stage.label}: the {name} add up to {total!r}, not to {rank.total!r}"
            for name, total in sums.items()
            if total != rank.total
        ]
        whole = [*_expected(stage).values(), *(line.bytes for line in stage.components)]
        whole += [line.elements for line in stage.components]
        faults += [
            f"{stage.label}: {value!r} is no whole number"
            for value in whole
            if value is not None and type(value) is not int
        ]
    return faults


def _expected(stage: StageReport | NotOffered) -> dict[str, int | None]:
    """What belongs under each heading, straight from the report."""
    if isinstance(stage, NotOffered):
        return {}
    return {
        "Parameters": stage.rank.parameters,
        "Gradients": stage.rank.gradients,
        "Optimizer": stage.rank.optimizer,
        "Total per rank": stage.rank.total,
        "Free on device": stage.free,
        "Whole cluster": stage.cluster_total,
        "Communication": stage.communication,
    }


def _differences(model: QAbstractItemModel, shown: Shown) -> list[str]:
    report = shown.report
    if model.rowCount() != len(report.stages):
        return [f"the table has {model.rowCount()} rows for {len(report.stages)} stages"]
    size = "bytes" if shown.exact_bytes else report.unit
    headings = [_heading(model, column) for column in range(model.columnCount())]
    faults = [
        f"{name} is in {unit or 'no unit'}"
        for name, unit in headings[1:]
        if unit != ("elements/step" if name == "Communication" else size)
    ]
    for row, stage in enumerate(report.stages):
        expected = _expected(stage)
        label = str(model.index(row, 0).data())
        if label.removesuffix(" ≈") != stage.label:
            faults.append(f"row {row} is called {label}, not {stage.label}")
        for column, (name, unit) in enumerate(headings[1:], start=1):
            index = model.index(row, column)
            # Asked directly: on the way through Qt an integer of over 64 bits would be lost.
            value: Any = model.data(index, Qt.ItemDataRole.UserRole)
            text = str(model.data(index, Qt.ItemDataRole.DisplayRole))
            fault = _fault(text, value, expected.get(name), _UNITS.get(unit, 0))
            if fault:
                faults.append(f"{stage.label}, {name}: {fault}")
    return faults


def _heading(model: QAbstractItemModel, column: int) -> tuple[str, str]:
    """("Total per rank", "GB")."""
    text = str(model.headerData(column, Qt.Orientation.Horizontal)).replace("\n", " ")
    name, _, unit = text.partition(" (")
    return name, unit.removesuffix(")")


def _fault(text: str, value: object, expected: int | None, unit: int) -> str:
    """What is wrong with one cell: its ``text``, and the integer ``value`` behind it."""
    if expected is None:
        wrong = value is not None or any(character.isdigit() for character in text)
        return f"shows {text} ({value!r}) where there is no number" if wrong else ""
    if type(value) is not int or value != expected:
        return f"holds {value!r}, the report says {expected}"
    read = _NUMBER.fullmatch(text.translate(_SPACES).replace("\u2212", "-"))
    if read is None:
        return f"shows {text!r}, which is no number"
    decimals = len(read[2] or "")
    shown = int(read[1] + (read[2] or "")) * unit
    # Both sides times 2·10^decimals, in integers: at most half of the last digit may be rounded.
    if 2 * abs(shown - expected * 10**decimals) > unit:
        return f"shows {text}, the report says {expected}"
    return ""
