"""Tooltips of plain text: Qt would read text from a file that looks like markup as markup."""


def escape(text: str) -> str:
    """``text`` as markup that shows it as it is (html.escape, whose module a start can spare)."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def tip(text: str) -> str:
    """``text`` as a tooltip that shows it as it is, line by line; "" for none."""
    return f"<qt>{'<br>'.join(map(escape, text.splitlines()))}</qt>" if text else ""
