"""Nobody but `clock` asks the system what time it is: days can then be played in minutes."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "src/blogforever"
OTHERS = sorted(path for path in PACKAGE.rglob("*.py") if path != PACKAGE / "clock.py")
ASKING = {
    *(("datetime", name) for name in ("now", "utcnow", "today")),
    ("date", "today"),
    *(("time", name) for name in ("time", "time_ns", "localtime", "gmtime", "ctime", "asctime")),
}
"""What gives this moment; `monotonic` is for delays, and stays."""


def asked(source: str) -> Iterator[str]:
    """Where a file asks the system's clock, or takes the means to."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name | ast.Attribute):
            owner = node.value.id if isinstance(node.value, ast.Name) else node.value.attr
            if (owner, node.attr) in ASKING:
                yield f"line {node.lineno}: {owner}.{node.attr}"
        if isinstance(node, ast.ImportFrom) and node.module == "time":
            yield from (f"line {node.lineno}: {one.name}" for one in node.names if ("time", one.name) in ASKING)


def test_only_the_clock_asks_the_system() -> None:
    found = {str(path.relative_to(PACKAGE)): list(asked(path.read_text(encoding="utf-8"))) for path in OTHERS}
    assert {module: lines for module, lines in found.items() if lines} == {}, "ask blogforever.clock"


@pytest.mark.parametrize(
    "line", ["datetime.now(UTC)", "datetime.datetime.utcnow()", "date.today()", "time.time()", "from time import time"]
)
def test_what_asks_the_system_is_seen(line: str) -> None:
    assert list(asked(line))
