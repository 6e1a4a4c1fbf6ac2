"""A second opinion on where a page's article stands, and which of two opinions to follow.

Another reader (trafilatura) is never believed word for word: the words it took for the article
point at an element of the page, and that one is read as every other is. Of short posts it reads too
much, menus and comments along with them; so it is followed only where what our own finder read is
nothing, or a small part that neither a name nor the page's heading speaks for, or where the page's
own description speaks against it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from blogforever.dom import parse, tokenise
from blogforever.extract.prune import Cut
from blogforever.page.view import PageView
from blogforever.similarity import shingle_marks

# An element that holds so much of what the other reader took is the one it means.
_NEARLY_ALL = 0.97
# Less of the other's words on the page as we read it: it read what is never shown.
_SHOWN = 0.6
# Words from which on a text is one, so that nobody else needs to be asked where a name speaks for
# it.
ENOUGH = 120
# What the other read must have at least to be an article that was missed, and how many times the
# words.
_MISSED, _TIMES = 100, 2
# The same where it holds what our finder read: a longer text around it may be menus and comments.
_MISSED_AROUND, _TIMES_AROUND = 150, 4
# The same where what our finder read is no longer than a line, as that of a date and a few labels.
_LINE, _MISSED_LINE = 12, 40
# Share of the other's words in what our finder read from which on the two agree.
_AGREED = 0.5
# Words of a description that tell of what it speaks, and the share of them that a text has or has
# not.
_TELLING, _HAS, _LACKS = 8, 0.8, 0.5


@dataclass(frozen=True)
class FoundBody:
    """An element taken for the article's, the heading it goes with, and what of it is the article."""

    container: int
    heading: int | None
    cut: Cut
    is_named: bool
    fits_heading: bool
    """Whether the heading says what the page's title says."""

    @property
    def is_nothing(self) -> bool:
        """Whether next to nothing was read."""
        return self.cut.failed or (not self.cut.left and not self.cut.shows_picture)

    @property
    def needs_none(self) -> bool:
        """Whether it is so sure that nobody else needs to be asked."""
        return self.is_named and self.cut.left >= ENOUGH


class SecondOpinion:
    """The words that another reader took for the article, and where on the page they stand."""

    def __init__(self, page: PageView, html: str) -> None:
        self.page = page
        body = parse(html).body if html else None
        self.words = tokenise(body.text(separator=" ")) if body is not None else []
        marks = shingle_marks(page.words, self.words) if self.words else [0.0] * len(page.words)
        self._hits = list(accumulate(marks, initial=0.0))

    def hits(self, start: int, stop: int) -> float:
        """How many words between two places of the page the other reader took."""
        return self._hits[stop] - self._hits[start]

    def element(self) -> int | None:
        """The innermost element with nearly all the words; None where the page does not show them."""
        page = self.page
        if not page.nodes or not self.words:
            return None
        total = self.hits(0, len(page.words))
        if total < _SHOWN * len(self.words):
            return None
        found = 0
        while (inner := self._child_with(found, _NEARLY_ALL * total)) is not None:
            found = inner
        return found

    def _child_with(self, i: int, enough: float) -> int | None:
        page = self.page
        holders = (child for child in page.children(i) if self.hits(page.start[child], page.end[child]) >= enough)
        return next(holders, None)

    def agrees(self, body: FoundBody) -> bool:
        """Whether what was read is what the other took, too."""
        in_both = self.hits(body.cut.start, body.cut.stop)
        return in_both >= _AGREED * max(len(self.words), body.cut.left)

    def is_followed(self, own: FoundBody | None, other: FoundBody, description: Sequence[str]) -> bool:
        """Whether the element that the other reader means is the article's rather than our own
        finder's.
        """
        if other.is_nothing:
            return False
        if own is None or own.is_nothing:
            return True
        is_around = self.page.inside(own.container, other.container)
        missed, times = (_MISSED_AROUND, _TIMES_AROUND) if is_around else (_MISSED, _TIMES)
        if own.cut.left < _LINE:
            missed = _MISSED_LINE
        if other.cut.left < max(missed, times * own.cut.left):
            return False
        if own.is_named or own.fits_heading:
            return self._is_described(other, own, description)
        return not self._is_described(own, other, description)

    def _is_described(self, body: FoundBody, rather_than: FoundBody, description: Sequence[str]) -> bool:
        """Whether the page's own description speaks of the one text, and not of the other."""
        wanted = set(description)
        if len(wanted) < _TELLING:
            return False
        has, lacks = (len(wanted & self._words_of(one)) / len(wanted) for one in (body, rather_than))
        return has >= _HAS and lacks < _LACKS

    def _words_of(self, body: FoundBody) -> set[str]:
        return set(self.page.words[body.cut.start : body.cut.stop])
