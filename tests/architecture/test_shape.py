"""The shape of the code: sizes, docstrings, and a printed tree that tells the truth."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from statistics import median

ROOT = Path(__file__).parents[2]
SOURCES = sorted((ROOT / "src/blogforever").rglob("*.py"))
MODULE_LINES, FUNCTION_LINES, USUAL_FUNCTION = 500, 60, 12
# Ways through a function that a reader can still hold in mind; a packed expression has as many as a row of ifs.
BRANCHES = 12
BRANCHING = (ast.If, ast.For, ast.AsyncFor, ast.While, ast.ExceptHandler, ast.IfExp, ast.match_case)
MANY_BRANCHES: dict[str, str] = {}
"""Functions that may have more, each with the reason."""

Function = ast.FunctionDef | ast.AsyncFunctionDef


def name(path: Path) -> str:
    return str(path.relative_to(ROOT / "src"))


@cache
def tree_of(path: Path) -> ast.Module:
    """A module as Python reads it; each is asked for by several tests."""
    return ast.parse(path.read_text(encoding="utf-8"))


def functions(path: Path) -> Iterator[tuple[str, int]]:
    """Each function of a file with its length."""
    for node in ast.walk(tree_of(path)):
        if isinstance(node, Function) and node.end_lineno:
            yield f"{name(path)}:{node.name}", node.end_lineno - node.lineno + 1


def test_a_module_can_be_read_in_one_sitting() -> None:
    lines = {name(path): len(path.read_text(encoding="utf-8").splitlines()) for path in SOURCES}
    assert {module: count for module, count in lines.items() if count >= MODULE_LINES} == {}


def test_a_module_says_what_it_is_for() -> None:
    silent = [name(path) for path in SOURCES if not ast.get_docstring(tree_of(path))]
    assert silent == [], "its first words go into the tree of docs/reference/code.md"


def test_no_function_is_long_and_most_are_short() -> None:
    sizes = dict(pair for path in SOURCES for pair in functions(path))
    assert {function: size for function, size in sizes.items() if size >= FUNCTION_LINES} == {}
    assert median(sizes.values()) <= USUAL_FUNCTION


def branches(function: ast.AST) -> int:
    """The ways through a function, those inside expressions counted, too."""
    ways = 1
    for node in ast.walk(function):
        if isinstance(node, ast.BoolOp):
            ways += len(node.values) - 1
        elif isinstance(node, ast.comprehension):
            ways += 1 + len(node.ifs)
        else:
            ways += isinstance(node, BRANCHING)
    return ways


def test_no_function_has_more_branches_than_can_be_read_aloud() -> None:
    many = set()
    for path in SOURCES:
        for node in ast.walk(tree_of(path)):
            if isinstance(node, Function) and branches(node) > BRANCHES:
                many.add(f"{name(path)}:{node.name}")
    assert many == set(MANY_BRANCHES)


def test_nothing_is_left_undone() -> None:
    words = ("TO" + "DO", "FIX" + "ME", "XX" + "X")
    found = [name(path) for path in SOURCES if any(word in path.read_text(encoding="utf-8") for word in words)]
    assert found == []


def test_the_tree_in_the_docs_is_current() -> None:
    tree = subprocess.run(
        [sys.executable, ROOT / "tools/tree.py"], capture_output=True, encoding="utf-8", check=True
    ).stdout
    page = (ROOT / "docs/reference/code.md").read_text(encoding="utf-8")
    assert tree.strip() in page, "run: make docs"


def test_a_class_is_known_by_its_name() -> None:
    places: dict[str, list[str]] = {}
    for path in SOURCES:
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.ClassDef):
                places.setdefault(node.name, []).append(path.name)
    assert {name: where for name, where in places.items() if len(where) > 1} == {}
