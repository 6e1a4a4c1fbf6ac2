"""No regular expression of the package is slow on any text that can be made out of the expression itself."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from functools import cache
from importlib import import_module
from itertools import pairwise, product
from math import log2
from pathlib import Path
from pkgutil import walk_packages
from time import process_time
from typing import Any

import pytest

import blogforever
from blogforever.wordlists import LivePattern

from .growth import tries
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
_CALLED = re.compile(rf"\b(\w+)\.({'|'.join(WAYS)})\b")


def _modules() -> dict[str, list[str]]:
    """The modules of each folder of the package."""
    folders: dict[str, list[str]] = {}
    for module in walk_packages(blogforever.__path__, "blogforever."):
        if not module.name.endswith("__main__") and ".migrations" not in module.name:
            folders.setdefault(module.name.split(".")[1], []).append(module.name)
    return folders


def _patterns(value: object) -> Iterator[re.Pattern[Any]]:
    """The expressions in a value of a module: itself, or in rows, tables and records."""
    if isinstance(value, re.Pattern):
        yield value
    elif isinstance(value, LivePattern):
        yield value.compiled
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
    used = _used_in(module) if name.startswith("_") else _used_anywhere()
    ways = used.get(name, set())
    anchored = ways & {"match", "fullmatch"}
    return anchored | ({"search"} if ways - anchored or not ways else set())


@cache
def _used_in(*files: Path) -> dict[str, set[str]]:
    """For each name on which such a method is called in these files, the methods."""
    used: dict[str, set[str]] = {}
    for path in files:
        for name, way in _CALLED.findall(path.read_text(encoding="utf-8")):
            used.setdefault(name, set()).add(way)
    return used


@cache
def _used_anywhere() -> dict[str, set[str]]:
    return _used_in(*SOURCE.rglob("*.py"))


def _cost(work: Callable[[Any], object], text: Any) -> float:
    started = process_time()
    work(text)
    return max(process_time() - started, NOTHING)


def _grows(work: Callable[[Any], object], make: Callable[[int], Any], *, short: bool) -> bool:
    growth = SHORT_GROWTH if short else GROWTH
    for small, large in pairwise(SHORT_SIZES if short else SIZES):
        bound = growth ** log2(large / small)
        before, after = make(small), make(large)
        if all(_cost(work, after) > bound * _cost(work, before) for _ in tries()):
            return True
    return False


@cache
def _is_slow(pattern: re.Pattern[Any], way: str, short: bool) -> bool:
    """Whether a text is slow for it; asked once, however many modules use the expression."""
    return any(_grows(getattr(pattern, way), make, short=short) for make in hostile_texts(pattern))


@pytest.mark.parametrize("modules", _modules().values(), ids=_modules().keys())
def test_no_expression_takes_more_than_its_text_is_long(modules: list[str]) -> None:
    assert [slow for module in modules for slow in _slow(module)] == []


def _slow(module: str) -> Iterator[str]:
    """The expressions of a module that are, with the way they are used in."""
    loaded = import_module(module)
    for name, value in vars(loaded).items():
        for pattern, way in product(_patterns(value), _ways(name, Path(loaded.__file__ or ""))):
            if _is_slow(pattern, way, f"{module}.{name}" in SHORT):
                yield f"{module}.{name}.{way}"
