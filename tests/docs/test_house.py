"""The house is as the README draws it, and every module can be read in one go."""

import ast
import re
from pathlib import Path

from tests.docs.documents import README, ROOT, sections

PACKAGES = sorted(p.parent.relative_to(ROOT) for p in (ROOT / "zerogui").rglob("__init__.py"))
MODULES = sorted(p for folder in ("zerogui", "tests") for p in (ROOT / folder).rglob("*.py"))
LONGEST_FILE, LONGEST_FUNCTION = 400, 50  # lines


def test_every_folder_of_code_has_its_row_in_the_readme_and_every_row_a_folder() -> None:
    text = sections(README)["How the code is laid out"]
    told = re.findall(r"^\| `(zerogui/[^`]*)/` \|", text, re.MULTILINE)
    assert sorted(told) == sorted(p.as_posix() for p in PACKAGES if p != Path("zerogui"))


def test_every_module_says_first_what_it_is_for() -> None:
    told = {path: ast.get_docstring(ast.parse(path.read_bytes())) for path in MODULES}
    assert [path for path, text in told.items() if not text or text.split("\n")[0][-1] != "."] == []


def test_no_module_and_no_function_is_longer_than_a_reader_likes() -> None:
    long = []
    for path in MODULES:
        source = path.read_text(encoding="utf-8")
        if len(source.splitlines()) > LONGEST_FILE:
            long.append(str(path))
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.FunctionDef):
                assert node.end_lineno is not None
                if node.end_lineno - node.lineno >= LONGEST_FUNCTION:
                    long.append(f"{path}: {node.name}")
    assert long == []


def test_every_folder_of_code_has_its_tests_in_the_same_place() -> None:
    without = []
    for package in PACKAGES:
        beside = ROOT / "tests" / package.relative_to("zerogui")
        if (
            not any(beside.glob("test_*.py"))
            and not beside.with_name(f"test_{beside.name}.py").exists()
        ):
            without.append(package.as_posix())
    assert without == []
