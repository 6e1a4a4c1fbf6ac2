"""Comments that a page shows of other posts: each links to itself, and they lead to different pages."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence

from blogforever.comments.words import FRAGMENT
from blogforever.page.view import PageView

_DIGITS = re.compile(r"\d+")
_PART_OF_COMMENTS = re.compile(r"page[-=/]?\d+", re.IGNORECASE)
"""How addresses count the pages of one post's comments: "comment-page-2", "cpage=2"."""
# One alone may lead to its own page, however that is called.
_FEW = 2


def are_elsewhere(tree: PageView, groups: Sequence[Sequence[int]]) -> bool:
    """Whether all of several comments link to comments, on more pages than one."""
    if len(groups) < _FEW:
        return False
    pages = [_page_of(tree, group) for group in groups]
    return all(pages) and len(set(pages)) > 1


def without_elsewhere(tree: PageView, single: dict[int, str | None]) -> dict[int, str | None]:
    """The comments without those in boxes of which all lead elsewhere; one with a number is the page's own."""
    beside: defaultdict[int, list[int]] = defaultdict(list)
    for i in single:
        beside[tree.parents[i]].append(i)
    gone: set[int] = set()
    for places in beside.values():
        if not any(single[i] for i in places) and are_elsewhere(tree, [[i] for i in places]):
            gone.update(places)
    return {i: number for i, number in single.items() if i not in gone} if gone else single


def _page_of(tree: PageView, group: Sequence[int]) -> str:
    """The page to which the first link of a comment to one leads; empty for this page."""
    for i in (n for top in group for n in range(top, tree.last[top])):
        href = tree.attribute(i, "href") if tree.tags[i] == "a" else ""
        if href and FRAGMENT.search(href):
            return _without_numbers(*href.partition("#")[::2])
    return ""


def _without_numbers(page: str, place: str) -> str:
    """An address without the numbers that systems put there: that of a page of comments, and that of the comment
    itself. Where its place on the page has none, any may be that.
    """
    own = set(_DIGITS.findall(place))
    if not own:
        return _DIGITS.sub("", page)
    return _DIGITS.sub(lambda match: "" if match[0] in own else match[0], _PART_OF_COMMENTS.sub("", page))


__all__ = ["are_elsewhere", "without_elsewhere"]
