"""The documents of the help in reading order, with the headings that links lead to."""

import re
from dataclasses import dataclass
from functools import cache

from zerogui.catalog.resources import resource_path

# A new page is a Markdown file in resources/help and a word here.
ORDER = (
    "index",
    "numbers",
    "stages",
    "rules",
    "recipes",
    "placement",
    "reserve",
    "views",
    "files",
    "peers",
    "keyboard",
    "contributing",
)
PICTURES = "screenshots"
_HEADING = re.compile(r"^(#{1,2}) (.+)$", re.MULTILINE)


@dataclass(frozen=True)
class Page:
    """One document: ``sections`` are its second-level headings, each with its anchor."""

    name: str
    title: str
    text: str
    sections: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Target:
    """Where a link inside the help leads: a page and, unless empty, an anchor on it."""

    page: str
    anchor: str = ""


@cache
def page_named(name: str) -> Page:
    """The page ``name``; FileNotFoundError where there is none."""
    text = resource_path("help", f"{name}.md").read_text(encoding="utf-8")
    prose = re.sub(r"^( *)```.*?^\1```$", "", text, flags=re.MULTILINE | re.DOTALL)
    found = _HEADING.findall(prose)
    title = next(words for level, words in found if level == "#")
    sections = tuple((words, anchor_of(words)) for level, words in found if level == "##")
    return Page(name, title, text, sections)


def pages() -> tuple[Page, ...]:
    """All pages in reading order."""
    return tuple(page_named(name) for name in ORDER)


def anchor_of(heading: str) -> str:
    """A heading's anchor as code hosts make it: lower case, hyphens for spaces, no punctuation."""
    kept = re.sub(r"[^\w\- ]", "", heading.strip().lower())
    return kept.replace(" ", "-")


def target_of(link: str, present: str) -> Target | None:
    """Where ``link`` on page ``present`` leads inside the help; None for any other place."""
    name, _, anchor = link.partition("#")
    if not name:
        return Target(present, anchor)
    page = name.removesuffix(".md")
    return Target(page, anchor) if page in ORDER and name.endswith(".md") else None


def picture_file(link: str) -> str | None:
    """The path of a picture that a page may show; None for everything else, any scheme included."""
    found = re.fullmatch(rf"\.\./{PICTURES}/([a-z0-9-]+\.png)", link)
    if found is None:
        return None
    try:
        return str(resource_path(PICTURES, found[1]))
    except FileNotFoundError:
        return None
