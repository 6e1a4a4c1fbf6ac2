"""The items that a page lists, how many have dates, in which order, how much of the page they are; or its one text."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from itertools import pairwise

from blogforever.dom import tokenise
from blogforever.extract.post import extract_post
from blogforever.extract.segment import segment_page
from blogforever.model import Page, Post
from blogforever.page.view import PageView, view_of

from .values import Answer

# Dated items of a list, and of one whose order can be told.
ITEMS, ORDERED_ITEMS = 2, 3
MANY_ITEMS = 40
# Share of neighbours in a list that stand in the order of time.
IN_ORDER = 0.85
# Share of the items that must have dates, and days on which they were written: news are all of
# today.
MOST_DATED, SEVERAL_DAYS = 0.4, 3
# Dated items of which a rate can be told, and how many a day are more than a few people write.
ENOUGH, FAST = 10, 3
# Words of a text that is no remark, and the way of a date that was found nowhere near a heading.
ARTICLE, GUESSED = 80, "trafilatura"
# Share of a page's words that its items must hold: on a blog's front page they are what there is to
# read.
FILLED = 0.3


def items_of(page: Page) -> dict[str, Answer]:
    """What the items of a page say."""
    posts = segment_page(page)
    days = [post.published.day for post in posts if post.published]
    are_dated = len(days) >= MOST_DATED * len(posts)
    is_ordered = len(days) >= ORDERED_ITEMS
    return {
        "dated items": len(days) >= ITEMS,
        "items dated": are_dated if len(posts) >= ITEMS else None,
        "several days": len(set(days)) >= SEVERAL_DAYS if is_ordered else None,
        "newest first": are_dated and _falls(days) if is_ordered else None,
        "front fast": _is_fast(days) if len(days) >= ENOUGH else None,
        "items fill": _fill(view_of(page), posts) if posts else None,
        "sections": len(posts) > MANY_ITEMS,
    }


def is_article(page: Page) -> bool:
    """Whether one dated text stands on a page; a date that is but guessed from anywhere on it is
    none.
    """
    post = extract_post(page)
    is_dated = post.published is not None and post.provenance["published"].rule != GUESSED
    return is_dated and len(tokenise(post.text)) >= ARTICLE


def _falls(days: list[date]) -> bool:
    pairs = list(pairwise(days))
    return sum(later >= earlier for later, earlier in pairs) >= IN_ORDER * len(pairs)


def _is_fast(days: list[date]) -> bool:
    return len(days) >= FAST * ((max(days) - min(days)).days + 1)


def _fill(view: PageView, posts: Sequence[Post]) -> bool:
    words = sum(len(tokenise(post.title or "")) + len(tokenise(post.text)) for post in posts)
    return words >= FILLED * len(view.words)
