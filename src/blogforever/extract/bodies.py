"""When a reading of an article is no reading: it is empty, or next to nothing of the element it was
cut out of.

Rules and finders can be wrong for a whole blog, and an empty text looks like any other to who
counts posts. So every way to a text is asked what it left of what it found; where that is next to
nothing the next best way is taken, and where there is none, the reading says of itself that it is
not to be believed.
"""

from __future__ import annotations

from dataclasses import replace

from selectolax.lexbor import LexborNode

from blogforever.dom import tokenise
from blogforever.extract.clean import CleanArticle
from blogforever.model import Provenance
from blogforever.page.view import PageView

DOUBTFUL = 0.3
"""A reading that is less sure than this is not to be believed."""
ENOUGH_WORDS = 100
"""A text in the place of an empty one must be a text.

Beside a post that is but a title stand menus and notices.
"""
# What a reading is worth at most that left next to nothing.
_NOT_BELIEVED = 0.2
# Words that no furniture of an article has: such an element is the article, or holds it.
_HUNDREDS = 200
# Posts keep far more of their element than this; measured on rules that are right.
_SMALL_PART = 0.1
# Characters that hardly any word has: in so many times this, enough words stand.
_LONG_WORD = 20


def is_small_part(left: int, whole: int) -> bool:
    """Whether next to nothing is left of an element with hundreds of words.

    Words in links and in comments do not count.
    """
    return whole >= _HUNDREDS and left < _SMALL_PART * whole


def is_empty(article: CleanArticle) -> bool:
    """Whether an article shows nothing; a picture alone is an article."""
    return not article.text.strip() and not article.media


def is_thin(article: CleanArticle, whole: int) -> bool:
    """Whether an article is empty, or a small part of an element with so many words.

    Pictures are what many post.
    """
    if is_empty(article):
        return True
    return not article.media and is_small_part(len(tokenise(article.text)), whole)


def may_be_thin(article: CleanArticle) -> bool:
    """Whether it is worth counting what an article was cut out of.

    A text of many words is one, whatever was cut.
    """
    if article.media:
        return False
    opening = article.text[: ENOUGH_WORDS * _LONG_WORD]
    # Words without any sign are counted much faster than told from signs, and most texts have
    # enough of them among the first.
    if sum(map(str.isalnum, opening.split(None, 2 * ENOUGH_WORDS))) >= ENOUGH_WORDS:
        return False
    return len(tokenise(opening)) < ENOUGH_WORDS


def own_words(page: PageView, node: LexborNode, left: int = 0) -> int:
    """The words of a node of the page that are neither links nor written by readers.

    Only where `left` words are next to nothing of all it holds: of fewer words they are no smaller
    a part.
    """
    rough = len(tokenise(node.text(separator=" ")))
    if not is_small_part(left, rough):
        return rough  # too few to be told apart, and most short posts have no more
    place = page.place(node)
    if place is None:
        return 0  # an element that is never shown
    comments = {i for i in range(place + 1, page.last[place]) if page.kinds[i] == "comment"}
    return page.own_words(place) - page.own_words_of(comments)


def doubted(came: Provenance) -> Provenance:
    """The way a text came that is not to be believed, whatever the rule was worth elsewhere."""
    return replace(came, confidence=min(came.confidence, _NOT_BELIEVED))
