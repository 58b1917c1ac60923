"""Plain rows as text that spreadsheets, chats and documents take: TSV, CSV, Markdown, HTML."""

import re
from dataclasses import dataclass

# Beyond it a spreadsheet's numbers (doubles) are no longer exact.
_EXACT_IN_SPREADSHEETS = 2**53

_NUMBER = re.compile(r"[+\-\u2212]?\d+([ \u2009\u00a0\u202f]\d{3})*(\.\d+)?([eE][+-]?\d+)?")
# An underscore inside a word marks nothing, nor does an & that begins no entity.
_MARKDOWN = re.compile(r"([\\|<`*\[~$]|&(?=#?\w+;)|(?<![^\W_])_|_(?![^\W_]))")
# The wide forms too: spreadsheets in East Asian languages take them for the others.
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")

Cell = str | int


@dataclass(frozen=True)
class Table:
    """Rows of texts and integers under named columns. ValueError where a row has another length."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row) != len(self.columns):
                raise ValueError(f"a row of {len(row)} cells in {len(self.columns)} columns")

    def is_numeric(self, column: int) -> bool:
        """Whether cells of the column are numbers (the rest may say "not offered")."""
        cells = [row[column] for row in self.rows]
        numbers = [cell for cell in cells if _is_number(cell)]
        others = [cell for cell in cells if isinstance(cell, str) and not _is_number(cell)]
        return bool(numbers) and not any(c.isdigit() for cell in others for c in cell)


def _is_number(cell: Cell) -> bool:
    return isinstance(cell, int) or _NUMBER.fullmatch(cell) is not None


def _is_formula(cell: Cell) -> bool:
    """Whether a spreadsheet would run a text as a formula."""
    return isinstance(cell, str) and cell.startswith(_FORMULA_STARTS) and not _is_number(cell)


def _harmless(cell: Cell) -> str:
    """The cell's text; one that a spreadsheet would run begins with an apostrophe instead."""
    return f"'{cell}" if _is_formula(cell) else str(cell)


def _one_line(text: str) -> str:
    return re.sub(r"[\t\r\n\v\f\x1c-\x1e\x85\u2028\u2029]+", " ", text)


def to_tsv(table: Table) -> str:
    """Tab-separated lines, header first; tabs and line ends in cells become spaces."""
    lines = [
        "\t".join(_one_line(_harmless(cell)) for cell in row)
        for row in (table.columns, *table.rows)
    ]
    return "\n".join(lines) + "\n"


def to_csv(table: Table) -> str:
    """RFC 4180 with LF line ends, header first."""
    lines = [
        ",".join(_quoted(_harmless(cell)) for cell in row) for row in (table.columns, *table.rows)
    ]
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    if re.search(r'[",\r\n]', text):
        return '"' + text.replace('"', '""') + '"'
    return text


def to_markdown(table: Table) -> str:
    """A pipe table as GitHub and chats draw it, padded to read well as plain text too."""
    numeric = [table.is_numeric(column) for column in range(len(table.columns))]
    texts = [[_marked_down(cell) for cell in row] for row in (table.columns, *table.rows)]
    widths = [max(3, *(len(row[column]) for row in texts)) for column in range(len(numeric))]
    rules = [
        "-" * (width - right) + ":" * right for width, right in zip(widths, numeric, strict=True)
    ]
    texts.insert(1, rules)
    return "".join(_piped(row, widths, numeric) for row in texts)


def _piped(row: list[str], widths: list[int], numeric: list[bool]) -> str:
    cells = [
        text.rjust(width) if right else text.ljust(width)
        for text, width, right in zip(row, widths, numeric, strict=True)
    ]
    return f"| {' | '.join(cells)} |\n"


def _marked_down(cell: Cell) -> str:
    """The cell's text with everything escaped that Markdown would draw as something else."""
    return _MARKDOWN.sub(r"\\\1", _one_line(str(cell))).strip()


def to_html(table: Table) -> str:
    """A <table>; numbers to the right, integers above 2^53 and would-be formulas marked as text."""
    numeric = [table.is_numeric(column) for column in range(len(table.columns))]
    head = "".join(
        _element("th", name, right) for name, right in zip(table.columns, numeric, strict=True)
    )
    body = "".join(
        "<tr>" + "".join(_element("td", cell, _is_number(cell)) for cell in row) + "</tr>\n"
        for row in table.rows
    )
    return f"<table>\n<thead>\n<tr>{head}</tr>\n</thead>\n<tbody>\n{body}</tbody>\n</table>\n"


def _element(tag: str, cell: Cell, right: bool) -> str:
    styles = ["text-align:right" if right else "text-align:left"]
    number_format = ""
    large = isinstance(cell, int) and abs(cell) > _EXACT_IN_SPREADSHEETS
    if large or _is_formula(cell):
        # The number format "@" is how spreadsheets are told "this is text": Excel by the style,
        # LibreOffice by an attribute of its own.
        styles.append(r"mso-number-format:'\@'")
        number_format = ' sdnum="1033;0;@"'
    # Few runs write HTML.
    from html import escape

    return f'<{tag} style="{";".join(styles)}"{number_format}>{escape(str(cell))}</{tag}>'
