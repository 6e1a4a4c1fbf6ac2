"""Which of a blog's fetched pages are posts: what the feed says, the address, the template, the
page's own words.

Judged when the walk is over, because only all pages together show what a post of this blog looks
like: the pages the feed names are the examples, the home page and the lists known by their address
are the counter-examples.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import log
from statistics import median

from blogforever.learn.declared import Declared, Words, learn_declared
from blogforever.learn.urlpattern import has_date
from blogforever.urls import mark_of

LIST_KINDS = frozenset({"home", "list", "date", "page"})
# Words of all templates of a blog that are told apart: each costs a bit of every page that is kept.
MAX_WORDS = 3000
# Log-odds from which on a template word tells posts from lists.
STRONG_WORD = 1.0
# Added to what was counted, so that a word that no example has is unlikely, not impossible.
UNSEEN = 0.5
ENOUGH = 5
"""Posts that must be known before what all of them have is asked of every page."""
FEWEST_TOLD = 3
"""Posts that the feed must name before a word in their addresses is that of all posts, not of a category."""
# Shares of the example posts from which on a trait is one of the blog's posts.
MOST, MANY, NEARLY_ALL = 0.5, 0.6, 0.9
# of the right shape; what is certain is worth more than all others together.
CERTAIN = 10.0
OTHER_KIND = 5.0
# What a template can say at most, and what its score is worth.
TEMPLATE_POINTS, TEMPLATE_WEIGHT = 2.0, 2.0
FITS, MISFIT, SAYS_POST = 0.5, 1.0, 0.5
# Neither a feed nor a date tells, but a list does.
NOT_LISTED = 2.0
LIST_POINTS, EMPTY_POINTS = 3.0, 3.0
DATED, DATE_UNREAD = 1.0, 1.0
# No date at all, on a blog where posts have one; where
# all of them do, it is the surest sign that there is.
UNDATED, NEVER_UNDATED = 2.5, 4.5
# Headings with links to posts that make a list, beyond twice what posts of the blog have.
FEWEST_HEADINGS, MORE_HEADINGS = 3, 2
# A page of which links to posts would make up more than this share is a list, whatever it is
# called.
LINK_SHARE = 0.5
# A page with less than this part of the usual length has next to nothing to read.
EMPTY_PART = 10
# What generators write for no date at all is the year 1.
FIRST_DATE = "1970"


@dataclass(slots=True)
class Evidence:
    """What is known about one page, small enough to be kept for every page of a blog."""

    url: str
    in_feed: bool = False
    matches: bool = False
    is_beside_posts: bool = False
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
    post_links: int = 0
    articles: int = 0
    """How many articles with titles it shows where the blog's posts have theirs."""
    shown_of: str | None = None
    """Where on the blog the title of the first of them leads."""
    says_post: bool = False
    says_other: bool = False
    says_page: bool = False
    declared: Words = frozenset()
    listed: bool = False
    is_numbered: bool = False
    """Whether its address counts pages of a list on most blogs, and it shows no list."""
    template: int = 0


class Vocabulary:
    """Gives each template word a bit, so that a page's template is one number."""

    def __init__(self) -> None:
        self._bits: dict[str, int] = {}

    def mask(self, words: Iterable[str]) -> int:
        """The bits of these words; words met after the vocabulary is full do not count."""
        mask = 0
        for word in words:
            if word not in self._bits and len(self._bits) < MAX_WORDS:
                self._bits[word] = len(self._bits)
            bit = self._bits.get(word)
            if bit is not None:
                mask |= 1 << bit
        return mask


class TemplateModel:
    """How much a page's template speaks for a post: mean
    log-odds of the words that tell posts from lists.
    """

    def __init__(self, posts: Sequence[int], others: Sequence[int]) -> None:
        self._weights: list[tuple[int, float, float]] = []
        if not posts or not others:
            return
        seen_posts, seen_others = _bit_counts(posts), _bit_counts(others)
        for bit in seen_posts.keys() | seen_others.keys():
            in_posts = (seen_posts[bit] + UNSEEN) / (len(posts) + 2 * UNSEEN)
            in_others = (seen_others[bit] + UNSEEN) / (len(others) + 2 * UNSEEN)
            present = log(in_posts / in_others)
            absent = log((1 - in_posts) / (1 - in_others))
            if abs(present) > STRONG_WORD:
                self._weights.append((1 << bit, present, absent))

    def score(self, template: int) -> float:
        """Above zero like a post, below like a list, zero where nothing can be told."""
        if not self._weights or not template:
            return 0.0
        total = 0.0
        for bit, present, absent in self._weights:
            total += present if template & bit else absent
        return total / len(self._weights)


def _bit_counts(masks: Sequence[int]) -> Counter[int]:
    """In how many masks each bit is set."""
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
    heading_links: float
    articles: int
    post_links: float
    title_length: float
    templates: TemplateModel
    by_lists: bool
    declared: Declared
    barely_told: bool
    """Whether the feed names so few posts that their addresses say little of those of others."""


def survey(pages: Sequence[Evidence], date_rule: bool) -> Blogwide:
    """Learn from the pages that are surely posts and surely
    not; `date_rule` says that the rules find the date.
    """
    posts = _sure_posts(pages)
    by_lists = not posts and _share(_matching(pages), lambda e: e.listed) > MOST
    # What the lists show says how many other posts a post shows, but not what all posts look like:
    # nothing else than the lists would then tell them from the other pages of their theme.
    showing = [e for e in _matching(pages) if e.listed] if by_lists else posts
    lists = list(filter(_is_sure_list, pages))
    dated_by_rule = _share(posts, lambda e: e.date_by == "rule")
    return Blogwide(
        dated=date_rule,
        always_dated=len(posts) >= ENOUGH and dated_by_rule > NEARLY_ALL,
        length=_median(posts, lambda e: e.length),
        own_type=_share(posts, lambda e: e.says_other) > MOST,
        fitting=_share(posts, lambda e: e.fits) > MANY,
        heading_links=_median(showing, lambda e: e.heading_links),
        articles=_most_articles(posts),
        post_links=_median(showing, lambda e: e.post_links),
        title_length=_median(posts, lambda e: len(e.title or "")),
        templates=TemplateModel(_templates(posts), _templates(lists)),
        by_lists=by_lists,
        declared=learn_declared([e.declared for e in posts], [e.declared for e in lists]),
        barely_told=0 < sum(e.in_feed for e in posts) < FEWEST_TOLD,
    )


def _sure_posts(pages: Sequence[Evidence]) -> list[Evidence]:
    """What the feed names; without a feed, what has the address and the date of a post."""
    in_feed = [e for e in pages if e.in_feed and e.length]
    return in_feed or [e for e in _matching(pages) if e.published]


def _is_sure_list(e: Evidence) -> bool:
    """Whether its address is that of a list, and nothing says that it is a post."""
    return e.kind in LIST_KINDS and not (e.in_feed or e.is_numbered)


def _most_articles(posts: Sequence[Evidence]) -> int:
    """How many articles a post of the blog may show; where no feed says which pages are posts, lists are among them."""
    if any(e.in_feed for e in posts):
        return max(1, *(e.articles for e in posts))
    return max(FEWEST_HEADINGS - 1, 2 * int(_median(posts, lambda e: e.articles)))


def _matching(pages: Sequence[Evidence]) -> list[Evidence]:
    return [e for e in pages if e.matches]


def _templates(pages: Sequence[Evidence]) -> list[int]:
    return [e.template for e in pages if e.template]


def _median(pages: Sequence[Evidence], count: Callable[[Evidence], int]) -> float:
    return median(map(count, pages)) if pages else 0


def _share(pages: Sequence[Evidence], test: Callable[[Evidence], bool]) -> float:
    return sum(map(test, pages)) / len(pages) if pages else 0.0


def post_score(e: Evidence, blog: Blogwide) -> float:
    """Points for being a post; a page with more than zero is one."""
    if e.in_feed and not is_dateless_page(e):
        return CERTAIN
    if _is_blank(e):
        return -CERTAIN
    if mark_of(e.url):
        # One of the posts that share a page.
        return CERTAIN
    if _is_other_kind(e, blog) or _says_other(e, blog):
        return -OTHER_KIND
    score = _address_points(e, blog) + _template_points(e, blog)
    if blog.dated:
        score += _date_points(e, blog)
    if blog.fitting:
        score += FITS if e.fits else -MISFIT
    if e.says_post:
        score += SAYS_POST
    return score - _deduction(e, blog)


def _is_blank(e: Evidence) -> bool:
    """Whether a page has neither title nor text, and nothing else says that it is a note of which only a picture is
    shown, beside the place of the texts.
    """
    is_like_posts = e.matches and e.fits and _is_dated(e)
    return not e.length and not e.title and not is_like_posts


def _is_other_kind(e: Evidence, blog: Blogwide) -> bool:
    """Whether its address is that of no post, and nothing proves that its name is a title.

    A page called "thanks" or "links" is a post where it lies beside the others, the blog's lists
    have it among their entries, and its date stands where all posts have theirs; one called "42"
    where its text stands there, too.
    """
    is_dated_alike = blog.always_dated and _is_dated(e)
    if e.is_numbered:
        return not (is_dated_alike and e.fits)
    if e.kind != "static" or e.says_page:
        return e.kind is not None
    return not (e.is_beside_posts and e.listed and is_dated_alike)


def _address_points(e: Evidence, blog: Blogwide) -> float:
    """What the address says: nothing where it is no post's by its last word alone, nor against an entry of a list that
    reads like a post where hardly a post is told.
    """
    if e.kind is not None:
        return 0.0
    is_entry_alike = e.listed and e.fits and _is_dated(e)
    return max(0.0, e.address) if blog.barely_told and is_entry_alike else e.address


def _says_other(e: Evidence, blog: Blogwide) -> bool:
    """Whether the page itself says that it is something else: by the platform's mark, by more
    articles than a post has, or by a word of the blog's lists where its posts say another. The
    address of a dated post is a word, too.
    """
    if e.articles > blog.articles:
        return True
    marked = e.says_other and not blog.own_type
    has_address_of_a_post = e.matches and has_date(e.url)
    return marked or (blog.declared.is_no_post(e.declared) and not has_address_of_a_post)


def _template_points(e: Evidence, blog: Blogwide) -> float:
    """What the words of the page's template say, within bounds: they are learned from few examples."""
    points = TEMPLATE_WEIGHT * blog.templates.score(e.template)
    return max(-TEMPLATE_POINTS, min(TEMPLATE_POINTS, points))


def _deduction(e: Evidence, blog: Blogwide) -> float:
    """Points that a page loses for what posts are not."""
    points = 0.0
    if blog.by_lists and not e.listed:
        points += NOT_LISTED
    if is_list(e, blog):
        points += LIST_POINTS
    if is_empty(e, blog):
        points += EMPTY_POINTS
    return points


def _date_points(e: Evidence, blog: Blogwide) -> float:
    """What the date says, or that there is none."""
    if _is_dated(e):
        return DATED
    if has_date(e.url):
        return -DATE_UNREAD
    is_sure = blog.always_dated and not e.listed
    return -NEVER_UNDATED if is_sure else -UNDATED


def _is_dated(e: Evidence) -> bool:
    """Whether its date stands where those of the posts stand."""
    return e.date_by in ("rule", "feed")


def is_empty(e: Evidence, blog: Blogwide) -> bool:
    """A page with the address of a post, but without the date all posts show and with next to
    nothing to read.
    """
    return blog.always_dated and not _is_dated(e) and e.length * EMPTY_PART < blog.length


def is_dateless_page(e: Evidence) -> bool:
    """Some generators put their about page into the feed, without a date or in the year 1."""
    return e.kind == "static" and (e.published or "") < FIRST_DATE


def is_own_page(e: Evidence) -> bool:
    """Whether it can be one of the blog's own pages (About, Contact), where it is no post: by its
    name, by the platform's mark, or because nothing says that it is a list or machinery.
    """
    if e.kind is not None:
        return e.kind == "static"
    return e.says_page or not e.says_other


def shows_many(e: Evidence, blog: Blogwide) -> bool:
    """Whether it shows several posts, as lists do, or is made of links to them for the most part:
    those that the blog's posts do not have, too, as long as their titles are.
    """
    of_links = (e.post_links - blog.post_links) * blog.title_length
    return (
        is_list(e, blog)
        or e.articles > blog.articles
        or e.entries >= FEWEST_HEADINGS
        or of_links > LINK_SHARE * e.length
    )


def shows_posts(e: Evidence) -> bool:
    """Whether it shows several posts, whatever other pages of the blog do."""
    return max(e.entries, e.heading_links) >= FEWEST_HEADINGS


def is_list(e: Evidence, blog: Blogwide) -> bool:
    """Several posts on one page: clearly more headings
    that lead to posts than the blog's posts have.
    """
    return e.heading_links >= max(FEWEST_HEADINGS, 2 * blog.heading_links + MORE_HEADINGS)
