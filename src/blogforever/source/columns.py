"""The columns of a table of blogs, known by how people call them; the spellings are data."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files

# Longer than any name of a column: what is longer is a text.
LONGEST_NAME = 60
FIELDS = (
    *("url", "blog", "feed", "title", "tags", "language", "location", "topic"),
    *("author", "author_kind", "institution", "notes", "until"),
)


def named_columns(cells: Sequence[str]) -> dict[str, int]:
    """Which column holds what, where these cells are the
    names of columns; the first of two that say the same.
    """
    found: dict[str, int] = {}
    for place, cell in enumerate(cells):
        name = field_named(cell)
        if name:
            found.setdefault(name, place)
    if "blog" in found:
        found.setdefault("title" if "url" in found else "url", found.pop("blog"))
    return found


def field_named(cell: str) -> str:
    """What a column of this name holds; empty where nobody calls a column so."""
    return _spellings().get(_folded(cell), "") if len(cell) <= LONGEST_NAME else ""


def _folded(text: str) -> str:
    """A name without case, accents and punctuation."""
    plain = (mark for mark in unicodedata.normalize("NFKD", text) if not unicodedata.combining(mark))
    return " ".join(re.split(r"[\W_]+", "".join(plain).casefold())).strip()


@cache
def _spellings() -> Mapping[str, str]:
    text = files(__package__).joinpath("data", "columns.toml").read_text(encoding="utf-8")
    lists: dict[str, str] = tomllib.loads(text)
    known: dict[str, str] = {}
    for field in FIELDS:
        for spelling in lists[field].split("|"):
            known.setdefault(_folded(spelling), field)
    return known
