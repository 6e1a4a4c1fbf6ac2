"""Whether an element shows a date, as the line about a comment does."""

from __future__ import annotations

from blogforever.dates import find_dates, parse_machine_date
from blogforever.page.view import PageView

LONGEST_LABEL = 30
"""Words of an element that may be a label: a heading, or the line about a comment.

With more, short comments are taken for labels; with fewer, lines with a long name, date and links
are missed.
"""
_TO_THE_DAY = frozenset({"second", "minute", "day"})
# Elements of one comment that are looked through for a mark; it bounds the work on long tables.
_MOST_ELEMENTS = 200
# Characters with which a comment begins or ends that may hold its date: enough for a long name and
# its links. With more, days of which the comment speaks count as its date.
_OPENING = 400
_CLOSING = 200


def has_date(tree: PageView, i: int) -> bool:
    """Whether an element begins or ends with a date, or holds one that is marked."""
    stop = min(tree.last[i], i + _MOST_ELEMENTS)
    if "time" in tree.tags[i:stop]:
        return True
    text = tree.text(i)
    return is_dated(text[:_OPENING]) or is_dated(text[-_CLOSING:])


def is_dated(text: str) -> bool:
    """Whether a day stands in a text; a mere month or year is something to talk about."""
    return any(reading.moment.precision in _TO_THE_DAY for reading in find_dates(text, limit=2))


def is_label(tree: PageView, i: int) -> bool:
    """Whether an element is only the line about a comment: short, and dated in some way."""
    if not 0 < tree.count(i) <= LONGEST_LABEL:
        return False
    return is_dated(tree.text(i)) or _holds_machine_date(tree, i)


def _holds_machine_date(tree: PageView, i: int) -> bool:
    """Whether an element holds a date written for machines."""
    marks = [n for n in range(i, tree.last[i]) if tree.tags[n] == "time"]
    return any(parse_machine_date(tree.attribute(n, "datetime")) for n in marks)
