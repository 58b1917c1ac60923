"""No link, picture or anchor of README and help is dead; what leads out is well-formed."""

import re
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.docs.documents import DOCUMENTS, HELP, README, ROOT, anchors, links, name_of, text_of
from zerogui.gui.help.pages import ORDER, page_named, picture_file, target_of

PICTURES = (
    "start",
    "does-not-fit",
    "scaling",
    "ranks",
    "compare",
    "present",
    "dark",
    "large-text",
)


def problem(document: Path, link: str) -> str:
    """Why ``link`` in ``document`` is dead; "" where it is alive."""
    parts = urlsplit(link)
    if parts.scheme or parts.netloc:
        good = parts.scheme == "https" and "." in parts.netloc and " " not in link
        return "" if good else "not an https address"
    place = (document.parent / parts.path).resolve() if parts.path else document
    if not place.is_relative_to(ROOT):
        return "leads out of the tree"
    if not place.exists():
        return "no such file"
    if parts.fragment and parts.fragment not in anchors(place):
        return "no such heading"
    return ""


@pytest.mark.parametrize("document", DOCUMENTS, ids=name_of)
def test_no_link_is_dead(document: Path) -> None:
    found = {link: problem(document, link) for link in links(document)}
    assert {link: why for link, why in found.items() if why} == {}


@pytest.mark.parametrize(
    ("link", "why"),
    [
        ("none.md", "no such file"),
        ("rules.md#none", "no such heading"),
        ("#none", "no such heading"),
        ("../../../etc/passwd", "leads out of the tree"),
        ("http://example.org", "not an https address"),
        ("https://", "not an https address"),
        ("rules.md#torch-zero1", ""),
        ("https://arxiv.org/abs/1910.02054", ""),
    ],
)
def test_the_checker_tells_dead_links_from_living_ones(link: str, why: str) -> None:
    assert problem(HELP / "index.md", link) == why


def test_every_picture_of_the_help_is_one_of_the_tested_screenshots() -> None:
    shown = [link for page in ORDER for link in links(HELP / f"{page}.md") if link.endswith("png")]
    assert sorted(shown) == sorted(f"../screenshots/{name}.png" for name in PICTURES)


@pytest.mark.parametrize("name", ORDER)
def test_every_link_of_the_help_works_in_its_window(name: str) -> None:
    for link in links(HELP / f"{name}.md"):
        if link.startswith("https:"):
            continue
        target = target_of(link, name)
        if target is None:
            assert picture_file(link) is not None, link
        elif target.anchor:
            assert target.anchor in {anchor for _, anchor in page_named(target.page).sections}


def test_every_page_is_in_the_contents_and_can_be_reached_from_the_first() -> None:
    assert sorted(ORDER) == sorted(page.stem for page in HELP.glob("*.md"))
    reached, left = set(), ["index"]
    while left:
        name = left.pop()
        reached.add(name)
        targets = [target_of(link, name) for link in links(HELP / f"{name}.md")]
        left += [t.page for t in targets if t is not None and t.page not in reached]
    assert reached == set(ORDER)


def test_no_document_names_a_machine() -> None:
    for document in DOCUMENTS:
        found = re.findall(r"(?<![\w.])/(?:home|root|tmp|work|usr|opt|mnt)/", text_of(document))
        assert found == [], document.name


def test_the_readme_leads_to_the_help() -> None:
    assert {"resources/help/index.md", "resources/help/contributing.md"} <= set(links(README))
