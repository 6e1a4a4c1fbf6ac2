"""Whether an element shows a date, as the line about a comment does."""

from __future__ import annotations

from blogforever.dates import find_dates, parse_machine_date
from blogforever.learn.pagetree import PageTree

LONGEST_LABEL = 30
"""Words of an element that may be a label: a heading, or the line about a comment."""
_DAY = frozenset({"second", "minute", "day"})
_MOST = 200  # elements of one comment that are asked for a date


def has_date(tree: PageTree, i: int) -> bool:
    """Whether an element begins or ends with a date, or holds one that is marked."""
    if any(tree.tags[n] == "time" for n in range(i, min(tree.last[i], i + _MOST))):
        return True
    shown = tree.text(i)
    return is_dated(shown[:400]) or is_dated(shown[-200:])


def is_dated(text: str) -> bool:
    """Whether a day stands in a text; a mere month or year is something to talk about."""
    return any(reading.moment.precision in _DAY for reading in find_dates(text, limit=2))


def is_label(tree: PageTree, i: int) -> bool:
    """Whether an element is only the line about a comment: short, and dated by its words or by a mark."""
    if not 0 < tree.count(i) <= LONGEST_LABEL:
        return False
    marks = (tree.attributes(n).get("datetime") for n in range(i, tree.last[i]) if tree.tags[n] == "time")
    return is_dated(tree.text(i)) or any(mark and parse_machine_date(mark) for mark in marks)
