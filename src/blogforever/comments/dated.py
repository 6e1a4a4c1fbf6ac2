"""Whether an element shows a date, as the line about a comment does."""

from __future__ import annotations

import re

from blogforever.comments.words import LABELS
from blogforever.comments.yearless import has_yearless_day
from blogforever.dates import find_dates, is_age, parse_machine_date
from blogforever.dom import tokenise
from blogforever.page.view import PageView

LONGEST_LABEL = 30
"""Words of an element that may be a label: a heading, or the line about a comment.

With more, short comments are taken for labels; with fewer, lines with a long name, date and links
are missed.
"""
TO_THE_DAY = frozenset({"second", "minute", "day"})
# Elements of one comment that are looked through for a mark; it bounds the work on long tables.
_MOST_ELEMENTS = 200
# Characters with which a comment begins or ends that may hold its date: enough for a long name and
# its links. With more, days of which the comment speaks count as its date.
_OPENING = 400
# Characters in which it usually stands: the fewer are looked through, the sooner it is found.
_LEAD = 80
_CLOSING = 200
LONGEST_AGE = 6
"""Words of "about 3 months ago"."""
# Words of a name and an age, and characters of both.
_LONGEST_AGED = 12
_LONGEST_AGED_TEXT = 120
_SIGNS = re.compile(r"\s[·•|｜–—-]\s")
# Elements at the head of a comment among which its age stands.
_NEAR_HEAD = 20


def has_date(tree: PageView, i: int) -> bool:
    """Whether an element begins or ends with a date, or holds one that is marked."""
    stop = min(tree.last[i], i + _MOST_ELEMENTS)
    if "time" in tree.tags[i:stop]:
        return True
    text = tree.text(i)
    lead = text[:_LEAD].rpartition(" ")[0]
    return is_dated(lead) or is_dated(text[:_OPENING]) or is_dated(text[-_CLOSING:]) or _holds_age(tree, i)


def is_dated(text: str) -> bool:
    """Whether a day stands in a text; a mere month or year is something to talk about."""
    has_year = any(reading.moment.precision in TO_THE_DAY for reading in find_dates(text, limit=2))
    return has_year or has_yearless_day(text)


def is_bare_date(text: str) -> bool:
    """Whether a text is a date and no other word."""
    found = find_dates(text, limit=1)
    return bool(found) and not any(c.isalpha() for c in text[: found[0].start] + text[found[0].end :])


def tells_only_day(text: str) -> bool:
    """Whether a text is a day, and what usually stands around one: "Date: 2 May 2013"."""
    found = find_dates(text, limit=1)
    left = tokenise(text[: found[0].start] + " " + text[found[0].end :]) if found else ["no day"]
    return all(word in LABELS or word.isdigit() for word in left)


def is_label(tree: PageView, i: int) -> bool:
    """Whether an element is only the line about a comment: short, and dated in some way."""
    if not 0 < tree.count(i) <= LONGEST_LABEL:
        return False
    return is_dated(tree.text(i)) or _holds_machine_date(tree, i) or _holds_age(tree, i)


def _holds_age(tree: PageView, i: int) -> bool:
    """Whether an element says in one of its own how long ago something was: "3 days ago"."""
    inside = range(i, min(tree.last[i], i + _NEAR_HEAD))
    return any(tells_age(tree.text(n)) for n in inside if 0 < tree.count(n) <= _LONGEST_AGED)


def tells_age(text: str) -> bool:
    """Whether a text says how long ago something was, and else but a name before a sign: "Ann · 3 days ago"."""
    return any(map(is_age, _SIGNS.split(text))) if len(text) <= _LONGEST_AGED_TEXT else False


def _holds_machine_date(tree: PageView, i: int) -> bool:
    """Whether an element holds a date written for machines."""
    marks = [n for n in range(i, tree.last[i]) if tree.tags[n] == "time"]
    return any(parse_machine_date(tree.attribute(n, "datetime")) for n in marks)
