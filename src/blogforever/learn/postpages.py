"""Which of a blog's fetched pages are posts: what the feed says, the address, the template, the page's own words.

Judged when the walk is over, because only all pages together show what a post of this blog looks like: the pages
the feed names are the examples, the home page and the lists known by their address are the counter-examples.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import log
from statistics import median

from blogforever.learn.urlpattern import has_date

LIST_KINDS = frozenset({"home", "list", "date", "page"})
MAX_WORDS = 3000
STRONG_WORD = 1.0
ENOUGH = 5
"""Posts that must be known before what all of them have is asked of every page."""


@dataclass(slots=True)
class Evidence:
    """What is known about one page, small enough to be kept for every page of a blog."""

    url: str
    in_feed: bool = False
    in_sitemap: bool = False
    matches: bool = False
    address: float = 0.0
    kind: str | None = None
    fits: bool = False
    title: str | None = None
    published: str | None = None
    date_by: str = ""
    author: str | None = None
    """Who wrote it, by the blog's rule; empty where it is known otherwise, None where it is not."""
    length: int = 0
    digest: str = ""
    canonical: str | None = None
    native_id: str | None = None
    heading_links: int = 0
    entries: int = 0
    says_post: bool = False
    says_other: bool = False
    listed: bool = False
    template: int = 0


class Vocabulary:
    """Gives each template word a bit, so that a page's template is one number."""

    def __init__(self) -> None:
        self._bits: dict[str, int] = {}

    def mask(self, words: Iterable[str]) -> int:
        """The bits of these words; words met after the vocabulary is full do not count."""
        mask = 0
        for word in words:
            bit = self._bits.get(word)
            if bit is None and len(self._bits) < MAX_WORDS:
                bit = self._bits[word] = len(self._bits)
            if bit is not None:
                mask |= 1 << bit
        return mask


class TemplateModel:
    """How much a page's template speaks for a post: mean log-odds of the words that tell posts from lists."""

    def __init__(self, posts: Sequence[int], others: Sequence[int]) -> None:
        self._weights: list[tuple[int, float, float]] = []
        if not posts or not others:
            return
        seen_posts, seen_others = _bit_counts(posts), _bit_counts(others)
        for bit in seen_posts.keys() | seen_others.keys():
            p = (seen_posts[bit] + 0.5) / (len(posts) + 1)
            o = (seen_others[bit] + 0.5) / (len(others) + 1)
            present, absent = log(p / o), log((1 - p) / (1 - o))
            if abs(present) > STRONG_WORD:
                self._weights.append((1 << bit, present, absent))

    def score(self, template: int) -> float:
        """Above zero like a post, below like a list, zero where nothing can be told."""
        if not self._weights or not template:
            return 0.0
        total = sum(present if template & bit else absent for bit, present, absent in self._weights)
        return total / len(self._weights)


def _bit_counts(masks: Sequence[int]) -> Counter[int]:
    counts: Counter[int] = Counter()
    for mask in masks:
        rest = mask
        while rest:
            counts[(rest & -rest).bit_length() - 1] += 1
            rest &= rest - 1
    return counts


@dataclass(frozen=True, slots=True)
class Blogwide:
    """What all pages together say about this blog's posts."""

    dated: bool
    always_dated: bool
    length: float
    own_type: bool
    fitting: bool
    titled: bool
    heading_links: float
    entries: float
    templates: TemplateModel
    has_feed: bool
    by_lists: bool


def survey(pages: Sequence[Evidence], date_rule: bool) -> Blogwide:
    """Learn from the pages that are surely posts and surely not; `date_rule` says that the rules find the date."""
    sure = [e for e in pages if e.in_feed and e.length]
    examples = sure or [e for e in pages if e.matches and e.published]
    others = [e.template for e in pages if not e.in_feed and e.kind in LIST_KINDS and e.template]
    return Blogwide(
        dated=date_rule,
        always_dated=len(examples) >= ENOUGH and _share(examples, lambda e: e.date_by == "rule") > 0.9,
        length=median([e.length for e in examples] or [0]),
        own_type=_share(examples, lambda e: e.says_other) > 0.5,
        fitting=_share(examples, lambda e: e.fits) > 0.6,
        titled=_share(examples, lambda e: bool(e.title)) > 0.6,
        heading_links=median([e.heading_links for e in examples] or [0]),
        entries=median([e.entries for e in examples] or [0]),
        templates=TemplateModel([e.template for e in examples if e.template], others),
        has_feed=bool(sure),
        by_lists=not examples and _share([e for e in pages if e.matches], lambda e: e.listed) > 0.5,
    )


def _share(pages: Sequence[Evidence], test: object) -> float:
    assert callable(test)
    return sum(map(test, pages)) / len(pages) if pages else 0.0


def post_score(e: Evidence, blog: Blogwide) -> float:
    """Points for being a post; a page with more than zero is one."""
    if e.in_feed and not is_dateless_page(e):
        return 10.0
    if not e.length and not e.title:
        return -10.0
    if e.kind is not None or (e.says_other and not blog.own_type):
        return -5.0
    score = e.address + max(-2.0, min(2.0, 2.0 * blog.templates.score(e.template)))
    if blog.dated:
        score += _date_points(e, blog)
    if blog.fitting:
        score += 0.5 if e.fits else -1.0
    if e.says_post:
        score += 0.5
    if blog.by_lists and not e.listed:
        score -= 2.0  # neither a feed nor a date tells, but a list does
    if is_list(e, blog):
        score -= 3.0
    return score - 3.0 if is_empty(e, blog) else score


def _date_points(e: Evidence, blog: Blogwide) -> float:
    if e.date_by in ("rule", "feed"):
        return 1.0
    if has_date(e.url):
        return -1.0
    return -4.5 if blog.always_dated and not e.listed else -2.5


def is_empty(e: Evidence, blog: Blogwide) -> bool:
    """A page with the address of a post, but without the date all posts show and with next to nothing to read."""
    return blog.always_dated and e.date_by not in ("rule", "feed") and e.length * 10 < blog.length


def is_dateless_page(e: Evidence) -> bool:
    """Some generators put their about page into the feed, without a date or in the year 1."""
    return e.kind == "static" and (e.published or "") < "1970"


def is_list(e: Evidence, blog: Blogwide) -> bool:
    """Several posts on one page: clearly more headings that lead to posts than the blog's posts have."""
    return e.heading_links >= max(3, 2 * blog.heading_links + 2)
