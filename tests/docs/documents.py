"""README and help pages as the tests read them: headings, links, fenced and indented blocks."""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
HELP = ROOT / "resources" / "help"
DOCUMENTS = (README, *sorted(HELP.glob("*.md")))

_FENCE = re.compile(r"^( *)```(\w*)\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Block:
    """A block of code: its language ("" where it says none) and its text, without indentation."""

    language: str
    text: str


@cache
def text_of(document: Path) -> str:
    """The whole document."""
    return document.read_text(encoding="utf-8")


def name_of(document: Path) -> str:
    """What a test calls it."""
    return document.name


def outdented(text: str, indent: str) -> str:
    """``text`` with ``indent`` taken from the front of every line."""
    return re.sub(rf"^{indent}", "", text, flags=re.MULTILINE)


@cache
def blocks(document: Path) -> tuple[Block, ...]:
    """Fenced blocks, then those that are indented by four spaces after an empty line."""
    text = text_of(document)
    fenced = [Block(lang, outdented(body, indent)) for indent, lang, body in _FENCE.findall(text)]
    plain = _FENCE.sub("", text)
    indented = re.findall(r"(?:(?<=\n\n))((?:    .*\n(?:\n(?=    ))?)+)", plain)
    return (*fenced, *(Block("", outdented(body, "    ")) for body in indented))


@cache
def prose(document: Path) -> str:
    """The document without its blocks of code and words in code."""
    return re.sub(r"`[^`\n]*`", "", _FENCE.sub("", text_of(document)))


@cache
def links(document: Path) -> tuple[str, ...]:
    """Where its links and pictures point."""
    return tuple(re.findall(r"\]\(([^)\s]+)\)", prose(document)))


@cache
def anchors(document: Path) -> frozenset[str]:
    """The anchors of its headings, as a code host makes them."""
    found = re.findall(r"^#{1,6} (.+)$", _FENCE.sub("", text_of(document)), re.MULTILINE)
    words = ("".join(c for c in line.lower() if c.isalnum() or c in " -_") for line in found)
    return frozenset("-".join(line.strip().split(" ")) for line in words)


def sections(document: Path) -> dict[str, str]:
    """Text below each second-level heading."""
    parts = re.split(r"^## (.+)$", text_of(document), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))
