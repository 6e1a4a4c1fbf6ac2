"""Nobody but `typedjson` has msgspec work out types: two threads that do so at once end the process."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "src/blogforever"
OTHERS = sorted(path for path in PACKAGE.rglob("*.py") if path != PACKAGE / "typedjson.py")


def read_types(source: str) -> Iterator[str]:
    """Where a file reads values of a type by msgspec."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("msgspec"):
            taken = {one.name for one in node.names} & {"convert", "decode", "Decoder"}
            yield from (f"line {node.lineno}: {name}" for name in taken)
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        called = ast.unparse(node.func)
        has_type = any(given.arg == "type" for given in node.keywords)
        is_typed = called.endswith((".convert", ".Decoder")) or (called.endswith(".decode") and has_type)
        if called.startswith("msgspec.") and is_typed:
            yield f"line {node.lineno}: {called}"


def test_only_one_module_reads_types() -> None:
    found = {str(path.relative_to(PACKAGE)): list(read_types(path.read_text(encoding="utf-8"))) for path in OTHERS}
    assert {module: lines for module, lines in found.items() if lines} == {}, "ask blogforever.typedjson"


@pytest.mark.parametrize(
    "line",
    [
        "msgspec.convert(plain, Kind)",
        "msgspec.json.decode(text, type=Kind)",
        "msgspec.json.Decoder(Kind)",
        "from msgspec import convert",
        "from msgspec.json import Decoder",
    ],
)
def test_what_reads_types_is_seen(line: str) -> None:
    assert list(read_types(line))


def test_plain_objects_need_no_types() -> None:
    assert list(read_types("msgspec.json.decode(text)")) == []
