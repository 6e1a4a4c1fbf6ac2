"""Comments that a page shows of other posts: each links to itself, and they lead to different pages."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from itertools import groupby

from blogforever.comments.words import FRAGMENT
from blogforever.page.view import PageView

_DIGITS = re.compile(r"\d+")
_PART_OF_COMMENTS = re.compile(r"page[-=/]?\d+", re.IGNORECASE)
"""How addresses count the pages of one post's comments: "comment-page-2", "cpage=2"."""
# One alone may lead to its own page, however that is called.
_FEW = 2


def are_elsewhere(tree: PageView, groups: Sequence[Sequence[int]]) -> bool:
    """Whether all of several comments link to comments, on more pages than one. Numbers do not
    count, if they are not those of posts: systems put that of a comment or of a page of comments there.
    """
    if len(groups) < _FEW:
        return False
    links = [_link_of(tree, group) for group in groups]
    pages = [_DIGITS.sub("", link.partition("#")[0]) for link in links]
    return all(pages) and (len(set(pages)) > 1 or _are_numbered_posts(links))


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


def _link_of(tree: PageView, group: Sequence[int]) -> str:
    """The first link of a comment to one, without the number of a page of comments; empty for none."""
    for i in (n for top in group for n in range(top, tree.last[top])):
        href = tree.attribute(i, "href") if tree.tags[i] == "a" else ""
        if href and FRAGMENT.search(href):
            return _PART_OF_COMMENTS.sub("", href)
    return ""


def _are_numbered_posts(links: Sequence[str]) -> bool:
    """Whether links to comments, each to another, lead to posts that only their numbers tell apart: such a number
    comes back. That of a comment is there once, and pages of comments follow each other.
    """
    pages = [link.partition("#")[0] for link in links]
    are_own = len({link.partition("#")[2] for link in links}) == len(links)
    return are_own and _come_back(pages) and _come_back(list(map(_without_own_numbers, links)))


def _without_own_numbers(link: str) -> str:
    """The page of a link without the numbers of its place there: a line may lead to the comment that it answers."""
    page, _sign, place = link.partition("#")
    own = {number.lstrip("0") for number in _DIGITS.findall(place)}
    return _DIGITS.sub(lambda match: "" if match[0].lstrip("0") in own else match[0], page)


def _come_back(pages: Sequence[str]) -> bool:
    """Whether one of several pages is there again behind another."""
    runs = [page for page, _run in groupby(pages)]
    return len(runs) > len(set(runs))


__all__ = ["are_elsewhere", "without_elsewhere"]
