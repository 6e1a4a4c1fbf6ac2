"""A page while its comments are read, and the draft of each comment."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from urllib.parse import urljoin

from blogforever.comments.items import CommentItem
from blogforever.comments.systems import RulePlaces
from blogforever.comments.words import ANSWERING, LABELS, UNTITLED, letters
from blogforever.comments.yearless import find_days
from blogforever.dates import DateReading
from blogforever.dom import tokenise
from blogforever.elements import HEADINGS
from blogforever.model import Moment
from blogforever.page.view import PageView

_BETWEEN_TITLES = re.compile(r"\s[-–—|:·•»«]\s")
# A place on the page, by a name that means what it says.
_PLAIN_MARK = re.compile(r"#[\w-]+")
# Characters of a line that may repeat the title of a post.
_LONGEST_SUBJECT = 200
# Words among which "Re" stands: a number may be before it.
_LEADING_WORDS = 2
# Words of the title that are surely it: fewer may be a name that stands in the title, too.
_TELLING_SUBJECT = 3


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
    name_text_place: int | None = None  # the text of the name, where it has no element of its own
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
        self._absolute: dict[str, str | None] = {}

    def texts_of(self, i: int) -> tuple[int, int]:
        """The text nodes of an element, as an interval of the tree's texts."""
        first = bisect_left(self.tree.first_words, self.tree.start[i])
        stop = bisect_left(self.tree.first_words, self.tree.end[i])
        return first, stop

    def own_texts(self, item: CommentItem) -> list[int]:
        """The text nodes of a comment, as places in the tree's texts."""
        if not item.nested and len(item.tops) == 1:
            return list(range(*self.texts_of(item.tops[0])))
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

    @cached_property
    def _title(self) -> str:
        """The words of the page's title, with a space around each."""
        node = self.tree.tree.css_first("title")
        return f" {' '.join(tokenise(node.text()))} " if node else ""

    @cached_property
    def _titles(self) -> list[list[str]]:
        """The words of each part of the page's title: what the post is called, and the blog, or its author."""
        node = self.tree.tree.css_first("title")
        return [tokenise(part) for part in _BETWEEN_TITLES.split(node.text())] if node else []

    @cached_property
    def _heading(self) -> list[str]:
        """The part of the title that a heading of the page shows; else the first one."""
        tree = self.tree
        headings = (i for i, tag in enumerate(tree.tags) if tag in HEADINGS and not self._leads_home(i))
        shown = {tuple(tree.words_of(i)) for i in headings if tree.count(i) <= _LONGEST_SUBJECT}
        return next((part for part in self._titles if tuple(part) in shown), [*self._titles, []][0])

    def _leads_home(self, i: int) -> bool:
        """Whether a link in or around an element leads to a folder that the page lies in: such a
        heading names the blog.
        """
        near = (*range(i, self.tree.last[i]), self.tree.parents[i])
        hrefs = [self.tree.attribute(n, "href") for n in near if n >= 0 and self.tree.tags[n] == "a"]
        places = [self.absolute(href) or "" for href in hrefs if href]
        return any(place.endswith("/") and self.url.startswith(place) and place != self.url for place in places)

    def is_subject(self, text: str) -> bool:
        """Whether a text only repeats the title of the page, or says that there is no other, as
        systems write above each comment: "Re: The gate".
        """
        if letters(text[:_LONGEST_SUBJECT]) in UNTITLED:
            return True
        words = tokenise(text[:_LONGEST_SUBJECT])
        said = [word for word in words if word not in ANSWERING and not word.isdecimal()]
        fewest = 1 if ANSWERING.intersection(words[:_LEADING_WORDS]) else _TELLING_SUBJECT
        if said in self._titles and said != self._heading:
            return False  # the name of the blog, which may be its author's
        is_in_title = len(said) >= fewest and f" {' '.join(said)} " in self._title
        return is_in_title or (bool(said) and said == self._heading)

    def dated(self, text: str) -> bool:
        """Whether a date stands in a text."""
        return self.first_date(text) is not None

    def first_date(self, text: str) -> DateReading | None:
        """The first date in a text, in its likeliest reading."""
        found = find_days(text, self.languages, self.captured)
        return found[0] if found else None

    def tells_only_when(self, text: str) -> bool:
        """Whether a text is a date, and what usually stands around one."""
        found = self.first_date(text)
        if found is None:
            return False
        left = tokenise(text[: found.start] + " " + text[found.end :])
        return all(word in LABELS or word.isdigit() for word in left)

    def absolute(self, href: str) -> str | None:
        """A link of the page as an address, with its fragment."""
        if href not in self._absolute:
            self._absolute[href] = self._joined(href)
        return self._absolute[href]

    @cached_property
    def _here(self) -> str | None:
        """The address of the page, to set a mark behind."""
        page = self._joined("#")
        return page and f"{page}#"

    def _joined(self, href: str) -> str | None:
        if _PLAIN_MARK.fullmatch(href):
            # Each comment has such a link of its own, and to read it by the book costs many times as much.
            return self._here and self._here + href[1:]
        try:
            address = urljoin(self.url, href.strip())
        except ValueError:
            return None
        if not address.startswith(("http://", "https://")):
            return None
        return address
