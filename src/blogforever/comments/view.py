"""A page while its comments are read: its words, its address, its languages, and one draft for each comment."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from urllib.parse import urljoin

from blogforever.comments.items import CommentItem
from blogforever.comments.systems import RulePlaces
from blogforever.dates import find_dates
from blogforever.learn.pagetree import PageTree
from blogforever.model import Moment

LONGEST_META = 30
"""Words of an element that may be only about a comment."""


@dataclass
class CommentDraft:
    """A comment as read from the page, before dates are decided and threads are tied."""

    item: CommentItem
    name: str = ""
    uri: str | None = None
    avatar: str | None = None
    url: str | None = None
    kind: str = "comment"
    marked_date: Moment | None = None
    date_text: str = ""
    text: str = ""
    html: str = ""
    classes: list[str] = field(default_factory=list)
    name_place: int | None = None
    date_place: int | None = None
    date_text_place: int | None = None


class PageContext:
    """A page and what helps to read it."""

    def __init__(
        self,
        tree: PageTree,
        url: str,
        languages: Sequence[str],
        captured: datetime | None,
        by_rule: RulePlaces | None = None,
    ) -> None:
        self.tree, self.url, self.languages, self.captured = tree, url, languages, captured
        self.by_rule = by_rule or RulePlaces()
        self.first_words = [first for _p, first, _s, _t in tree.texts]

    def texts_of(self, i: int) -> tuple[int, int]:
        """The text nodes of an element, as an interval of the tree's texts."""
        return bisect_left(self.first_words, self.tree.start[i]), bisect_left(self.first_words, self.tree.end[i])

    def own_texts(self, item: CommentItem) -> list[int]:
        """The text nodes of a comment, as places in the tree's texts."""
        nested = [self.texts_of(i) for i in sorted(item.nested)]
        found: list[int] = []
        for top in item.tops:
            first, stop = self.texts_of(top)
            for a, b in nested:
                if first <= a < stop:
                    found.extend(range(first, a))
                    first = max(first, b)
            found.extend(range(first, stop))
        return found

    def dated(self, text: str) -> bool:
        """Whether a date stands in a text."""
        return bool(find_dates(text, self.languages, self.captured, limit=1))

    def absolute(self, href: str) -> str | None:
        """A link of the page as an address, with its fragment."""
        try:
            found = urljoin(self.url, href.strip())
        except ValueError:
            return None
        return found if found.startswith(("http://", "https://")) else None
