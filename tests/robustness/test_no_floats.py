"""Bytes are whole numbers on their whole way: where they are worked out, nothing makes a float."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import zerogui

SOURCE = Path(zerogui.__file__).parent
# Places on an axis, which are drawn and never printed: the only floats before the window.
DRAWN = {"planning/chart.py": ["/"], "planning/scaling.py": ["float()", "10.0 ** k"]}
# What the window prints bytes with.
TABLES = (
    "gui/summary_table.py",
    "gui/compare/table.py",
    "gui/ranks/table.py",
    "gui/work_area.py",
    "gui/derivation_view.py",
    "gui/questions_line.py",
)


def floats(tree: ast.AST) -> Iterator[str]:
    """What in a module makes a float out of whole numbers."""
    for node in ast.walk(tree):
        match node:
            case ast.BinOp(op=ast.Div()) | ast.AugAssign(op=ast.Div()):
                yield "/"
            case ast.Call(func=ast.Name(id="float" | "round" as name)):
                yield f"{name}()"
            case (
                ast.BinOp(left=ast.Constant(value=float()))
                | ast.BinOp(right=ast.Constant(value=float()))
            ):
                yield ast.unparse(node)
            case ast.ImportFrom(module="math", names=names):
                yield from (a.name for a in names if a.name not in ("prod", "gcd", "lcm", "isqrt"))
            case ast.Import(names=names):
                yield from (a.name for a in names if a.name in ("math", "numpy", "statistics"))


@pytest.mark.parametrize("layer", ["accounting", "files", "planning"])
def test_no_module_that_counts_bytes_makes_a_float(layer: str) -> None:
    modules = sorted((SOURCE / layer).rglob("*.py"))
    assert len(modules) > 3
    found = {
        path.relative_to(SOURCE).as_posix(): list(floats(ast.parse(path.read_bytes())))
        for path in modules
    }
    drawn = {name: made for name, made in DRAWN.items() if name.startswith(layer)}
    assert {name: made for name, made in found.items() if made} == drawn


@pytest.mark.parametrize("name", TABLES)
def test_what_prints_bytes_in_the_window_makes_no_float(name: str) -> None:
    assert list(floats(ast.parse((SOURCE / name).read_bytes()))) == []


@pytest.mark.parametrize(
    "text", ["a / b", "a /= b", "float(n)", "round(n)", "n * 1e9", "import math"]
)
def test_the_scan_sees_it(text: str) -> None:
    assert list(floats(ast.parse(text)))
