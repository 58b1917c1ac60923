"""Tooltips of plain text: Qt would read text from a file that looks like markup as markup."""

from html import escape


def tip(text: str) -> str:
    """``text`` as a tooltip that shows it as it is, line by line; "" for none."""
    return f"<qt>{'<br>'.join(map(escape, text.splitlines()))}</qt>" if text else ""
