"""Workbooks as a spreadsheet program sees them: cells read, inputs changed, formulas run."""

import csv
import io
import re
import subprocess
import zipfile
from pathlib import Path
from xml.etree import ElementTree

_NS = {"m": "http://schemas.openxmlformats.org/spreadsheetml/2006/main"}
# LibreOffice believes stored results unless told to calculate whatever it opens.
_ALWAYS_CALCULATE = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry">
<item oor:path="/org.openoffice.Office.Calc/Formula/Load">
<prop oor:name="OOXMLRecalcMode" oor:op="fuse"><value>0</value></prop></item>
</oor:items>
"""
# Comma, double quotes, UTF-8, from row 1, no formats, numbers as stored, every sheet by itself.
_AS_CSV = "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,false,false,false,false,-1"


def _part(book: bytes, name: str) -> ElementTree.Element:
    with zipfile.ZipFile(io.BytesIO(book)) as archive:
        return ElementTree.fromstring(archive.read(f"xl/{name}.xml"))


def formulas(book: bytes, sheet: int = 1) -> dict[str, tuple[str, str]]:
    """Every formula of a sheet with the result that is stored for it, by cell ("A1")."""
    root = _part(book, f"worksheets/sheet{sheet}")
    return {
        cell.attrib["r"]: (cell.findtext("m:f", "", _NS), cell.findtext("m:v", "", _NS))
        for cell in root.iterfind(".//m:c", _NS)
        if cell.find("m:f", _NS) is not None
    }


def quoted(book: bytes, sheet: int = 1) -> set[str]:
    """Cells that stay text when somebody edits them."""
    styles = [
        how.get("quotePrefix") for how in _part(book, "styles").iterfind("m:cellXfs/m:xf", _NS)
    ]
    root = _part(book, f"worksheets/sheet{sheet}")
    found = root.iterfind(".//m:c", _NS)
    return {cell.attrib["r"] for cell in found if styles[int(cell.get("s", "0"))] == "1"}


def cells(book: bytes, sheet: int = 1) -> dict[str, str]:
    """What the cells of a sheet hold but formulas: text or digits, by cell ("A1")."""
    shared = _part(book, "sharedStrings")
    strings = ["".join(t.text or "" for t in e.iterfind(".//m:t", _NS)) for e in shared]
    root = _part(book, f"worksheets/sheet{sheet}")
    held = {}
    for cell in root.iterfind(".//m:c", _NS):
        formula, value = cell.find("m:f", _NS), cell.find("m:v", _NS)
        if formula is None and value is not None and value.text is not None:
            text = strings[int(value.text)] if cell.get("t") == "s" else value.text
            held[cell.attrib["r"]] = text
    return held


def changed(book: bytes, inputs: dict[str, int]) -> bytes:
    """``book`` after typing numbers into the cells beside these labels of its first sheet."""
    held = cells(book)
    typed = {}
    for label, value in inputs.items():
        (name,) = [name for name, text in held.items() if text == label]
        typed[f"B{name[1:]}"] = value
    result = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(book)) as source, zipfile.ZipFile(result, "w") as target:
        for item in source.infolist():
            data = source.read(item)
            if item.filename == "xl/worksheets/sheet1.xml":
                for name, value in typed.items():
                    data = _typed(data, name, value)
            target.writestr(item, data)
    return result.getvalue()


def _typed(sheet: bytes, name: str, value: int) -> bytes:
    pattern = rf'(<c r="{name}"[^>]*>).*?(</c>)'.encode()
    new, count = re.subn(pattern, rf"\g<1><v>{value}</v>\g<2>".encode(), sheet)
    assert count == 1, f"the sheet has no cell {name}"
    return new


def calculated(books: dict[str, bytes], folder: Path) -> dict[str, dict[str, list[list[str]]]]:
    """What LibreOffice makes of the books: rows of texts by book and sheet."""
    profile = folder / "profile"
    (profile / "user").mkdir(parents=True)
    (profile / "user" / "registrymodifications.xcu").write_text(_ALWAYS_CALCULATE)
    for name, book in books.items():
        (folder / f"{name}.xlsx").write_bytes(book)
    subprocess.run(
        [
            *("soffice", f"-env:UserInstallation={profile.as_uri()}", "--headless"),
            *("--convert-to", _AS_CSV, "--outdir", str(folder)),
            *(str(folder / f"{name}.xlsx") for name in books),
        ],
        check=True,
        capture_output=True,
        timeout=300,
    )
    return {
        name: {
            path.stem.removeprefix(f"{name}-"): list(
                csv.reader(path.read_text(encoding="utf-8").splitlines())
            )
            for path in folder.glob(f"{name}-*.csv")
        }
        for name in books
    }
