"""Comments that a page shows of other posts: each links to itself, and they lead to different pages."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence

from blogforever.comments.words import FRAGMENT
from blogforever.page.view import PageView

_DIGITS = re.compile(r"\d+")
# One alone may lead to its own page, however that is called.
_FEW = 2


def are_elsewhere(tree: PageView, groups: Sequence[Sequence[int]]) -> bool:
    """Whether all of several comments link to comments, on more pages than one. Numbers do not
    count: systems put that of a comment or of a page of comments there.
    """
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
            return _DIGITS.sub("", href.partition("#")[0])
    return ""


__all__ = ["are_elsewhere", "without_elsewhere"]
