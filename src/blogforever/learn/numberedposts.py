"""Which pages that are called by a number, as those of lists are, are posts: /blog/42 beside /blog/a-walk."""

from __future__ import annotations

import re
from collections.abc import Sequence

from blogforever.learn.postpages import Evidence, shows_posts
from blogforever.learn.urlpattern import UrlPattern

_NUMBERED = re.compile(r"(.*/)(\d{1,9})/?")
_LIKE_A_YEAR = re.compile(r"(.*/)(\d{4})((?:\.\w{1,5})?/?)")


def posts_by_number(pages: Sequence[Evidence], pattern: UrlPattern) -> set[str]:
    """The addresses of those among numbered pages that lie where all posts do and show no list.

    The last page of a list may show a single post: numbers up to that behind the last list are
    pages of it.
    """
    lists: dict[str, int] = {}
    for page in filter(shows_posts, pages):
        folder, number = _place(page.url)
        lists[folder] = max(number, lists.get(folder, 0))
    return {page.url for page in pages if _is_post(page, pattern, lists)}


def posts_like_years(pages: Sequence[Evidence], pattern: UrlPattern) -> set[str]:
    """The addresses of those among pages called by a year, as archives are, that lie where posts
    have their numbers: they show no list, and no page is of that year.
    """
    years = {(page.published or "").partition("-")[0] for page in pages}
    dated = (page for page in pages if page.kind == "date" and not shows_posts(page))
    return {page.url for page in dated if _is_called_by_number(page.url, pattern, years)}


def _is_called_by_number(url: str, pattern: UrlPattern, years: set[str]) -> bool:
    match = _LIKE_A_YEAR.fullmatch(url)
    if match is None or match[2] in years:
        return False
    folder, number, ending = match.groups()
    longer = f"{folder}{number}0{ending}"  # no year
    of_numbers = UrlPattern(tuple(shape for shape in pattern.shapes if "N" in shape))
    return of_numbers.is_beside_posts(longer)


def _is_post(page: Evidence, pattern: UrlPattern, lists: dict[str, int]) -> bool:
    folder, number = _place(page.url)
    is_behind_lists = folder not in lists or number > lists[folder] + 1
    return is_behind_lists and pattern.is_beside_posts(page.url) and not shows_posts(page)


def _place(url: str) -> tuple[str, int]:
    """The folder of a numbered page, and its number; 0 where the address ends otherwise."""
    match = _NUMBERED.fullmatch(url)
    return (match[1], int(match[2])) if match else (url, 0)


__all__ = ["posts_by_number", "posts_like_years"]
