"""Breaks painted texts into lines, and shortens what has no room."""

import re

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QFontMetricsF

MAY_BREAK = "\u200b"  # takes no room
_LONGEST_WORD = 18


def breakable(text: str) -> str:
    """``text`` whose words of more than 18 letters may be broken by a label."""
    return re.sub(rf"\S{{{_LONGEST_WORD}}}(?=\S)", rf"\g<0>{MAY_BREAK}", text)


def text_size(text: str, font: QFont) -> tuple[float, float]:
    """Width and height of ``text`` in one line, px."""
    metrics = QFontMetricsF(font)
    return metrics.horizontalAdvance(text), metrics.height()


def elided(text: str, font: QFont, width: float, middle: bool = False) -> str:
    """``text`` with an ellipsis at its end (or in its middle) where it is wider than ``width``."""
    mode = Qt.TextElideMode.ElideMiddle if middle else Qt.TextElideMode.ElideRight
    return QFontMetricsF(font).elidedText(text, mode, width)


def wrapped(text: str, font: QFont, width: float, at_most: int, middle: bool = False) -> list[str]:
    """``text`` broken between words into lines of ``width`` px.

    What the last of ``at_most`` lines has no room for is elided at its end, or in its middle so
    that the result of an equation stays.
    """
    metrics = QFontMetricsF(font)
    lines: list[str] = []
    words = text.split(" ")
    while words and len(lines) < at_most - 1:
        taken = 1
        while (
            taken < len(words) and metrics.horizontalAdvance(" ".join(words[: taken + 1])) <= width
        ):
            taken += 1
        lines.append(elided(" ".join(words[:taken]), font, width))
        words = words[taken:]
    if words:
        lines.append(elided(" ".join(words), font, width, middle))
    return lines
