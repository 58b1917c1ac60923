"""One sheet of a workbook: texts that stay texts, integers that stay exact, formulas."""

from typing import Any

# The largest whole number up to which a spreadsheet's doubles have no gaps.
EXACT = 2**53
TOO_LARGE = "above 2^53"
_FORMULA_STARTS = ("=", "+", "-", "@", "＝", "＋", "－", "＠")
_NUMBER_FORMAT = "#,##0"

_LOOKS: dict[str, dict[str, Any]] = {
    "title": {"bold": True, "font_size": 14},
    "bold": {"bold": True},
    "head": {"bold": True, "bottom": 1, "text_wrap": True, "valign": "top"},
    "head number": {"bold": True, "bottom": 1, "align": "right"},
    "muted": {"font_color": "#57606A"},
    "remark": {"font_color": "#57606A", "indent": 1},
    "input": {"font_color": "#0B5CAD", "bg_color": "#E8F1FA", "num_format": _NUMBER_FORMAT},
    "number": {"num_format": _NUMBER_FORMAT, "align": "right"},
    "quoted": {"quote_prefix": True},
    "quoted title": {"bold": True, "font_size": 14, "quote_prefix": True},
}


class Sheet:
    """Writes cells by (row, column) from 0; looks are named in one place.

    ``book`` is an xlsxwriter workbook (its library is loaded only where a workbook is written).
    """

    def __init__(self, book: Any, name: str) -> None:
        self.name = name
        self._sheet = book.add_worksheet(name)
        self._sheet.set_landscape()
        self._sheet.set_paper(9)  # A4
        self._sheet.fit_to_pages(1, 0)
        known = getattr(book, "zerogui_looks", None)
        if known is None:
            known = {look: book.add_format(how) for look, how in _LOOKS.items()}
            book.zerogui_looks = known
        self._looks: dict[str, Any] = known

    def widths(self, *characters: int) -> None:
        """Widths of the first columns."""
        for column, width in enumerate(characters):
            self._sheet.set_column(column, column, width)

    def text(self, row: int, column: int, text: str, look: str | None = None) -> None:
        """A text, whatever it begins with; it stays one when somebody edits the cell.

        Names from files have to be made printable first.
        """
        if text.startswith(_FORMULA_STARTS):
            look = "quoted title" if look == "title" else "quoted"
        self._sheet.write_string(row, column, text, self._looks[look] if look else None)

    def integer(self, row: int, column: int, value: int, look: str = "number") -> None:
        """A number, or its digits as text where a spreadsheet would round it."""
        if abs(value) > EXACT:
            self._sheet.write_string(row, column, str(value), self._looks[look])
        else:
            self._sheet.write_number(row, column, value, self._looks[look])

    def formula(
        self, row: int, column: int, formula: str, value: int | str, look: str = "number"
    ) -> None:
        """A formula, with the value that it has now for programs that do not calculate."""
        if isinstance(value, int) and abs(value) > EXACT:
            value = TOO_LARGE
        self._sheet.write_formula(row, column, f"={formula}", self._looks[look], value)

    def whole_numbers(self, row: int, column: int, low: int, high: int) -> None:
        """Let a cell take whole numbers from ``low`` to ``high`` only."""
        self._sheet.data_validation(
            row,
            column,
            row,
            column,
            {
                "validate": "integer",
                "criteria": "between",
                "minimum": low,
                "maximum": high,
                "error_title": "zerogui",
                "error_message": f"Use a whole number from {low:,} to {high:,}.",
            },
        )


def cell(row: int, column: int, sheet: str = "") -> str:
    """The absolute name of a cell ("$B$7", "Plan!$B$7"), row and column from 0; A to Z only."""
    name = f"${chr(ord('A') + column)}${row + 1}"
    return f"{sheet}!{name}" if sheet else name
