"""A page while its comments are read, and the draft of each comment."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from urllib.parse import urljoin

from blogforever.comments.items import CommentItem
from blogforever.comments.systems import RulePlaces
from blogforever.dates import DateReading, find_dates
from blogforever.model import Moment
from blogforever.page.view import PageView


@dataclass
class CommentDraft:
    """A comment as read from the page, before dates are decided and threads are tied."""

    item: CommentItem
    name: str = ""
    uri: str | None = None  # of the commenter
    avatar: str | None = None
    url: str | None = None  # of the comment
    kind: str = "comment"
    marked_date: Moment | None = None  # written for machines, so it needs no decision
    date_text: str = ""  # what the page shows as the date
    text: str = ""
    html: str = ""
    classes: list[str] = field(default_factory=list)
    name_place: int | None = None  # the element of the name
    date_place: int | None = None  # the element of the date
    date_text_place: int | None = None  # the text of the date, where it has no element of its own


class PageContext:
    """A page and what helps to read it."""

    def __init__(
        self,
        tree: PageView,
        url: str,
        languages: Sequence[str],
        captured: datetime | None,
        by_rule: RulePlaces | None = None,
    ) -> None:
        self.tree = tree
        self.url = url
        self.languages = languages
        self.captured = captured
        self.by_rule = by_rule or RulePlaces()
        self.first_words = [first for _p, first, _s, _t in tree.texts]

    def texts_of(self, i: int) -> tuple[int, int]:
        """The text nodes of an element, as an interval of the tree's texts."""
        first = bisect_left(self.first_words, self.tree.start[i])
        stop = bisect_left(self.first_words, self.tree.end[i])
        return first, stop

    def own_texts(self, item: CommentItem) -> list[int]:
        """The text nodes of a comment, as places in the tree's texts."""
        answers = [self.texts_of(i) for i in sorted(item.nested)]
        own: list[int] = []
        for top in item.tops:
            first, stop = self.texts_of(top)
            for answer_first, answer_stop in answers:
                if first <= answer_first < stop:
                    own.extend(range(first, answer_first))
                    first = max(first, answer_stop)
            own.extend(range(first, stop))
        return own

    def dated(self, text: str) -> bool:
        """Whether a date stands in a text."""
        return self.first_date(text) is not None

    def first_date(self, text: str) -> DateReading | None:
        """The first date in a text, in its likeliest reading."""
        found = find_dates(text, self.languages, self.captured, limit=1)
        return found[0] if found else None

    def absolute(self, href: str) -> str | None:
        """A link of the page as an address, with its fragment."""
        try:
            address = urljoin(self.url, href.strip())
        except ValueError:
            return None
        if not address.startswith(("http://", "https://")):
            return None
        return address
