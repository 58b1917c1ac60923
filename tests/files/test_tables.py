"""Tables as they are pasted into spreadsheets, chats and documents."""

import csv
import io
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zerogui.files.tables import Table, to_csv, to_html, to_markdown, to_tsv

STAGES = Table(
    ("stage", "total", "free"),
    (("DDP", 120_000_000_000, "\u221234.48"), ("ZeRO-3", 1_875_000_000, "83.65")),
)


def _one(cell: str | int) -> Table:
    return Table(("name",), ((cell,),))


def test_a_table_is_pasted_into_a_spreadsheet_with_plain_integers() -> None:
    assert to_tsv(STAGES) == (
        "stage\ttotal\tfree\nDDP\t120000000000\t\u221234.48\nZeRO-3\t1875000000\t83.65\n"
    )
    assert to_csv(STAGES) == (
        "stage,total,free\nDDP,120000000000,\u221234.48\nZeRO-3,1875000000,83.65\n"
    )


def test_a_table_is_pasted_into_a_chat_as_aligned_markdown() -> None:
    assert to_markdown(STAGES) == (
        "| stage  |        total |   free |\n"
        "| ------ | -----------: | -----: |\n"
        "| DDP    | 120000000000 | \u221234.48 |\n"
        "| ZeRO-3 |   1875000000 |  83.65 |\n"
    )


def test_a_table_is_pasted_into_a_document_as_html() -> None:
    assert to_html(Table(("stage", "total"), (("DDP", 120),))) == (
        "<table>\n"
        "<thead>\n"
        '<tr><th style="text-align:left">stage</th><th style="text-align:right">total</th></tr>\n'
        "</thead>\n"
        "<tbody>\n"
        '<tr><td style="text-align:left">DDP</td><td style="text-align:right">120</td></tr>\n'
        "</tbody>\n"
        "</table>\n"
    )


@pytest.mark.parametrize(
    ("cell", "in_tsv", "in_csv"),
    [
        ("a\tb", "a b", "a\tb"),
        ("a\r\nb", "a b", '"a\r\nb"'),
        ("a, b", "a, b", '"a, b"'),
        ('7" disk', '7" disk', '"7"" disk"'),
        ("=1+1", "'=1+1", "'=1+1"),
        ("+cmd|' /C calc'!A0", "'+cmd|' /C calc'!A0", "'+cmd|' /C calc'!A0"),
        ("@SUM(A1)", "'@SUM(A1)", "'@SUM(A1)"),
        ("-A1", "'-A1", "'-A1"),
        ("-", "'-", "'-"),
        ("\t=1", "' =1", "'\t=1"),
        ("-5", "-5", "-5"),
        ("-5.25", "-5.25", "-5.25"),
        ("+1e9", "+1e9", "+1e9"),
        (-5, "-5", "-5"),
        (9_007_199_254_740_993, "9007199254740993", "9007199254740993"),
        ("", "", ""),
    ],
)
def test_a_cell_from_a_file_cannot_break_the_rows_or_run_as_a_formula(
    cell: str | int, in_tsv: str, in_csv: str
) -> None:
    assert to_tsv(_one(cell)) == f"name\n{in_tsv}\n"
    assert to_csv(_one(cell)) == f"name\n{in_csv}\n"


def test_a_column_name_cannot_run_as_a_formula_either() -> None:
    table = Table(("=A1", "b\tc"), (("x", "y"),))
    assert to_tsv(table) == "'=A1\tb c\nx\ty\n"
    assert """mso-number-format:'\\@'" sdnum="1033;0;@">=A1</th>""" in to_html(table)


@pytest.mark.parametrize(
    ("cell", "escaped"),
    [
        ("a|b", r"a\|b"),
        ("a\\|b", r"a\\\|b"),
        ("<b>", r"\<b>"),
        ("2 * 3", r"2 \* 3"),
        ("[link](x)", r"\[link](x)"),
        ("`x`", r"\`x\`"),
        ("_x_ in a_b", r"\_x\_ in a_b"),
        ("~~x~~ $x$", r"\~\~x\~\~ \$x\$"),
        ("&lt;b> R&D", r"\&lt;b> R&D"),
        ("two\nlines", "two lines"),
        ("ZeRO-3 (FSDP2)", "ZeRO-3 (FSDP2)"),
    ],
)
def test_markdown_shows_a_cell_as_it_is_written(cell: str, escaped: str) -> None:
    width = max(4, len(escaped))
    assert to_markdown(_one(cell)).splitlines()[2] == f"| {escaped.ljust(width)} |"


def test_markup_in_a_cell_stays_text_in_html() -> None:
    cell = '<script>alert("x")</script> & more'
    row = to_html(_one(cell)).splitlines()[5]
    assert row == (
        '<tr><td style="text-align:left">'
        "&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt; &amp; more</td></tr>"
    )


@pytest.mark.parametrize(
    ("cell", "is_text"),
    [
        (2**53, False),
        (2**53 + 1, True),
        (-(2**53) - 1, True),
        ("=1+1", True),
        ("16.0", False),
        ("stage", False),
    ],
)
def test_what_a_spreadsheet_would_change_goes_there_as_text(cell: str | int, is_text: bool) -> None:
    # Excel's way to say it, and LibreOffice's.
    for mark in (r"mso-number-format:'\@'", 'sdnum="1033;0;@"'):
        assert (mark in to_html(_one(cell))) == is_text


def test_a_column_of_numbers_stays_to_the_right_with_a_gap_in_it() -> None:
    table = Table(("total",), (("16.0",), ("16\u2009000",), ("not offered",)))
    assert table.is_numeric(0)
    assert not Table(("stage",), (("DDP",), ("ZeRO-1",))).is_numeric(0)
    assert not Table(("empty",), ()).is_numeric(0)


def test_a_table_without_rows_has_its_header() -> None:
    empty = Table(("a", "b"), ())
    assert to_csv(empty) == "a,b\n"
    assert to_markdown(empty) == "| a   | b   |\n| --- | --- |\n"


def test_a_row_of_another_length_is_a_mistake() -> None:
    with pytest.raises(ValueError, match="a row of 1 cells in 2 columns"):
        Table(("a", "b"), (("x",),))


CELLS = st.text(st.characters(exclude_categories=["Cs"])) | st.integers()
TABLES = st.integers(1, 4).flatmap(
    lambda width: st.builds(
        Table,
        st.tuples(*[st.text(st.characters(exclude_categories=["Cs"]))] * width),
        st.lists(st.tuples(*[CELLS] * width), max_size=4).map(tuple),
    )
)


@given(TABLES)
def test_a_csv_reader_gets_every_cell_back(table: Table) -> None:
    rows = list(csv.reader(io.StringIO(to_csv(table), newline="")))
    written = [table.columns, *table.rows]
    # A line without any text reads as a row without cells.
    for read, row in zip(rows, written, strict=True):
        assert [cell.removeprefix("'") for cell in read or [""]] == [
            str(cell).removeprefix("'") for cell in row
        ]


@given(TABLES)
def test_tsv_and_markdown_have_one_line_a_row(table: Table) -> None:
    tsv, markdown = to_tsv(table), to_markdown(table)
    assert [line.count("\t") for line in tsv.removesuffix("\n").split("\n")] == [
        len(table.columns) - 1
    ] * (len(table.rows) + 1)
    assert len(markdown.splitlines()) == len(table.rows) + 2


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.cells: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in ("table", "thead", "tbody", "tr", "th", "td")
        if tag in ("th", "td"):
            self.cells.append("")

    def handle_data(self, data: str) -> None:
        if self.cells and data.strip("\n"):
            self.cells[-1] += data


@given(TABLES)
def test_an_html_reader_gets_every_cell_back(table: Table) -> None:
    reader = _Reader()
    reader.feed(to_html(table))
    reader.close()
    written = [str(cell) for row in (table.columns, *table.rows) for cell in row]
    assert [cell.strip() for cell in reader.cells] == [cell.strip() for cell in written]
