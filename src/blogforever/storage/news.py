"""What became of posts, one after the other: written with the posts themselves, read by who tells
others of it.

Each reader remembers how far it has come, so that it may be killed at any moment and neither loses
anything nor counts anything twice.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol, get_args

from blogforever.records import PostRecord

NewsKind = Literal["new", "changed", "moved", "commented", "missing", "gone", "back"]
NEWS_KINDS: tuple[NewsKind, ...] = get_args(NewsKind)
"""What can become of a post: found for the first time, edited, at another address, commented
on; not where it was, gone for good, there again.
"""


@dataclass(frozen=True, slots=True)
class NewsRow:
    """One thing that became of a post, and how many comments came with it."""

    number: int
    at: str
    blog: str
    post: str
    kind: NewsKind
    version: int = 1
    comments: int = 0


class NewsTable(Protocol):
    """The news of all blogs; `PostTable.keep` writes them."""

    def after(self, number: int, limit: int) -> list[NewsRow]:
        """What came after that number, oldest first; none is given twice, also when rows were
        forgotten.
        """

    def before(self, moment: str) -> int:
        """The number of the last row that came before that moment; 0 where none did."""

    def last(self) -> int:
        """The number of the newest; 0 where there never was any."""

    def forget(self, before: str) -> int:
        """Drop what is older than that moment; how many."""

    def reached(self, reader: str) -> int:
        """How far a reader has come; 0 where it never began."""

    def reach(self, reader: str, number: int) -> None:
        """It has read all up to there."""

    def leave(self, reader: str) -> None:
        """It reads no more."""


def became(before: PostRecord | None, after: PostRecord) -> tuple[NewsKind | None, int]:
    """What became of a post when this record took the place of that
    one, if anything did; and how many comments are new.
    """
    if before is None:
        return "new", len(after.comments)
    more = max(0, len(after.comments) - len(before.comments))
    if after.status != before.status:
        return _by_status(after.status), more
    if after.version != before.version:
        return "changed", more
    if after.url != before.url:
        return "moved", more
    return ("commented" if more else None), more


def _by_status(status: str) -> NewsKind | None:
    """What its new status says; that somebody hid a post is no news."""
    kinds: dict[str, NewsKind] = {"active": "back", "missing": "missing", "gone": "gone"}
    return kinds.get(status)
