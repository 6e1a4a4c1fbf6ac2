"""No regular expression of the package is slow on any text that can be made out of the expression itself."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from importlib import import_module
from itertools import pairwise
from math import log2
from pathlib import Path
from pkgutil import walk_packages
from time import process_time
from typing import Any

import pytest

import blogforever

from .growth import TRIES
from .pumps import hostile_texts

# Sizes tried one after the other, so that the first that shows too much growth ends it, long before the last would.
SIZES = (15, 30, 250, 1_000, 8_000)
GROWTH = 2.9  # for a doubling: a square costs four times as much; short texts are measured roughly
NOTHING = 30e-6  # CPU seconds that no growth can be told from
WAYS = ("match", "fullmatch", "search", "sub", "subn", "split", "findall", "finditer")
# Expressions that look back and forth, whose callers hand them no more than some hundred characters.
SHORT = {
    *(f"blogforever.dates.machine.{name}" for name in ("_ISO", "_BASIC", "_MAIL", "_CTIME", "_SCRIPT")),
    "blogforever.discover.feeddates._ZONE_WORD",
    "blogforever.extract.content._SIZE",
    "blogforever.extract.names._TAIL",
    "blogforever.extract.segment_fields._AFTER_NAME",
    "blogforever.learn.teacher._CUT",
}
SHORT_SIZES, SHORT_GROWTH = SIZES[:2], 30.0  # enough to see a cost that doubles with every character
SOURCE = Path(blogforever.__file__).parent


def _modules() -> list[str]:
    names = [module.name for module in walk_packages(blogforever.__path__, "blogforever.")]
    return [name for name in names if not name.endswith("__main__") and ".migrations" not in name]


def _patterns(value: object) -> Iterator[re.Pattern[Any]]:
    """The expressions in a value of a module: itself, or in rows, tables and records."""
    if isinstance(value, re.Pattern):
        yield value
    elif isinstance(value, tuple | list | set | frozenset):
        for one in value:
            yield from _patterns(one)
    elif isinstance(value, dict):
        for one in (*value, *value.values()):
            yield from _patterns(one)
    elif is_dataclass(value) and not isinstance(value, type):
        for one in fields(value):
            yield from _patterns(getattr(value, one.name))


def _ways(name: str, module: Path) -> set[str]:
    """How the code uses an expression: one that is only matched at the beginning need not be quick to search for."""
    files = [module] if name.startswith("_") else SOURCE.rglob("*.py")
    source = "\n".join(path.read_text(encoding="utf-8") for path in files)
    used = set(re.findall(rf"\b{name}\.({'|'.join(WAYS)})\b", source))
    anchored = used & {"match", "fullmatch"}
    return anchored | ({"search"} if used - anchored or not used else set())


def _cost(work: Callable[[Any], object], text: Any) -> float:
    started = process_time()
    work(text)
    return max(process_time() - started, NOTHING)


def _grows(work: Callable[[Any], object], make: Callable[[int], Any], *, short: bool) -> bool:
    growth = SHORT_GROWTH if short else GROWTH
    for small, large in pairwise(SHORT_SIZES if short else SIZES):
        bound = growth ** log2(large / small)
        before, after = make(small), make(large)
        if all(_cost(work, after) > bound * _cost(work, before) for _ in range(TRIES)):
            return True
    return False


@pytest.mark.parametrize("module", _modules())
def test_no_expression_takes_more_than_its_text_is_long(module: str) -> None:
    loaded = import_module(module)
    slow = set()
    for name, value in vars(loaded).items():
        for pattern in _patterns(value):
            for way in _ways(name, Path(loaded.__file__ or "")):
                short = f"{module}.{name}" in SHORT
                if any(_grows(getattr(pattern, way), make, short=short) for make in hostile_texts(pattern)):
                    slow.add(f"{name}.{way}")
    assert slow == set()
