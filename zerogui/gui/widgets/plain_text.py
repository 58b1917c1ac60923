"""Text from files shown as it is: on one line, or as a tooltip that Qt does not read as markup."""

from zerogui.planning.quantities import NO_BREAK_SPACE, THIN_SPACE

_NARROW_SPACE = "\u202f"  # a thin space where no line breaks
_OWN_SPACES = THIN_SPACE + NO_BREAK_SPACE + _NARROW_SPACE  # between the digits of our own numbers


def displayed(text: str) -> str:
    """``text`` on one line: a file may hold control characters, which no field can show."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in _OWN_SPACES else " " for c in text)


def escape(text: str) -> str:
    """``text`` as markup that shows it as it is (html.escape, whose module a start can spare)."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def tip(text: str) -> str:
    """``text`` as a tooltip that shows it as it is, line by line; "" for none."""
    return f"<qt>{'<br>'.join(map(escape, text.splitlines()))}</qt>" if text else ""
