"""Words that others add to ours, out of their folders: read, checked, and put into force."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from blogforever.dates.names import NAMED
from blogforever.knowledge import VOCABULARY, Kind, Shape, Wrong, all_files, read_knowledge, read_tables
from blogforever.wordlists import DATES, OPEN, list_names, use_words

# How many names a list of them must have: one for each month, or each weekday.
LENGTHS = {"months": 12, "short": 12, "days": 7, "shortdays": 7}
ORDERS = ("dMy", "Mdy", "yMd")
_LANGUAGE: Shape = {**dict.fromkeys(NAMED, "texts"), "fill": "words", "order": "text"}
# What stands in a line with spaces in it is a text there; all other lists hold single words.
_OF_TEXTS = "counts"


def learn_words() -> None:
    """Let the words of all folders count; UsageError where something in them is wrong."""
    use_words(_read(tuple(all_files(VOCABULARY))))


@cache
def _read(files: tuple[Path, ...]) -> Mapping[str, Mapping[str, Any]]:
    added: dict[str, dict[str, Any]] = {}
    for path in files:
        lists = _languages(path) if path.stem == DATES else _lists(path)
        _join(added.setdefault(path.stem, {}), lists)
    return added


def _lists(path: Path) -> dict[str, Any]:
    """The lists of a file like one of ours."""
    if path.stem not in OPEN:
        raise Wrong(path, "")("", f"there is no vocabulary {path.stem!r}; known are {', '.join((*OPEN, DATES))}.")
    kind: Kind = "texts" if path.stem == _OF_TEXTS else "words"
    return read_knowledge(path, dict.fromkeys(list_names(path.stem), kind))


def _languages(path: Path) -> dict[str, Any]:
    """The names of months and days, by language."""
    languages, wrong = read_tables(path, _LANGUAGE, [])
    for table in languages.values():
        for name, number in LENGTHS.items():
            if name in table and len(table[name]) != number:
                raise wrong(name, f"{name} must have {number} names, not {len(table[name])}.")
        if table.get("order", ORDERS[0]) not in ORDERS:
            raise wrong("order", f"order must be one of {', '.join(ORDERS)}, not {table['order']!r}.")
    return languages


def _join(known: dict[str, Any], more: Mapping[str, Any]) -> None:
    """Add what another folder has: words to words, languages to languages."""
    for name, value in more.items():
        if isinstance(value, list):
            known[name] = [*known.get(name, ()), *value]
        elif isinstance(value, dict):
            _join(known.setdefault(name, {}), value)
        else:
            known[name] = value
