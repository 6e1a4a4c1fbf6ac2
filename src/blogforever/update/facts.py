"""Who wrote a post, when, and under which words it stands: what an author changes without touching
the text.

Two readings are compared only where the same way led to both: another rule, or a feed in the place
of a page, finds something else without anybody having changed a word.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Protocol

from blogforever.extract.content import letters
from blogforever.model import Moment, Post
from blogforever.records import PostRecord

# The fields of a record, with the words people have for them.
NAMES = {"title": "title", "authors": "authors", "published": "date", "tags": "tags", "categories": "categories"}
LISTS = frozenset({"tags", "categories"})
"""What a post may have got, or lost altogether: that no author or date is found says nothing of the
author's doing.
"""
ON_PAGE = frozenset({"rule", "semantic"})
# The characters of an ISO date that are its day, and its year.
DAY, YEAR = 10, 4


class Way(Protocol):
    """Which way a field came."""

    @property
    def by(self) -> str:
        """By a rule, by the feed, ..."""

    @property
    def rule(self) -> str:
        """The rule itself."""


def changed_on_page(old: Post, new: Post) -> list[str]:
    """The facts that differ between two captures of a page, the title left out: that is content."""
    return [
        name
        for name in NAMES
        if name != "title" and _read_on_page(old, new, name) and said(old, name) != said(new, name)
    ]


def changed_in_feed(old: PostRecord, new: PostRecord) -> list[str]:
    """The facts that the feed tells otherwise than it did, where nothing but the feed told them
    both times.
    """
    return [name for name in NAMES if _told_by_feed(old, new, name) and said(old, name) != said(new, name)]


def in_words(names: Sequence[str]) -> str:
    """What changed, for people."""
    return f"its {' and '.join(NAMES[name] for name in names)} changed"


def _read_on_page(old: Post, new: Post, name: str) -> bool:
    """Whether the same way on the page led to both readings, or to the one that has anything of a
    list.
    """
    ways = [way for way in (_way(old.provenance, name), _way(new.provenance, name)) if way]
    is_alike = len(set(ways)) == 1 and ways[0][0] in ON_PAGE
    return is_alike and (len(ways) > 1 or name in LISTS) and _is_firm(old, name) and _is_firm(new, name)


def _told_by_feed(old: PostRecord, new: PostRecord, name: str) -> bool:
    ways = [way for way in (_way(old.provenance, name), _way(new.provenance, name)) if way]
    is_alike = len(set(ways)) == 1 and ways[0][0] == "feed"
    return is_alike and (len(ways) > 1 or name in LISTS)


def _way(ways: Mapping[str, Way], name: str) -> tuple[str, str] | None:
    way = ways.get(name)
    return (way.by, way.rule) if way else None


def _is_firm(post: Post, name: str) -> bool:
    """Whether a fact does not depend on the day on which the page came: "3 days ago" does, and a
    day without a year.
    """
    moment = post.published
    if name != "published" or moment is None or not moment.raw:
        return True
    return moment.iso[:YEAR] in moment.raw


def said(post: Post | PostRecord, name: str) -> object:
    """What a reading says, in a form in which equal facts are equal."""
    value = getattr(post, name)
    if name == "published":
        return _instant(value.iso if isinstance(value, Moment) else value)
    if name == "title":
        return letters(value or "")
    names = value if name in LISTS else [author.name for author in value]
    return frozenset(letters(one).casefold() for one in names)


def _instant(iso: str | None) -> object:
    """A moment, where an hour and a zone say which; else its day, which no theme changes."""
    try:
        moment = datetime.fromisoformat(iso or "")
    except ValueError:
        return iso
    return moment.timestamp() if moment.tzinfo else (iso or "")[:DAY]
