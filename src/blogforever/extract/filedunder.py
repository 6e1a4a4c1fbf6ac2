"""Under which tags and categories the article is filed, as the page shows it near the article."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from urllib.parse import unquote

from blogforever.extract.apply import without_sign
from blogforever.extract.byline import FAR, NAME_WORDS, NEAR, BylinePlace, distance, near_lines, within
from blogforever.extract.filing import PLAIN_TAGS, Filing, is_label
from blogforever.extract.headline import title_key
from blogforever.page.view import PageView
from blogforever.urls import join, same_site

_LISTING = re.compile(
    r"(?:/(?:[\w-]+-)?(?:tag(?:s|ged)?|labels?|topics?|(?:categor\w+|kategorie\w*)(?:/[^/]+)?)/"
    r"|[?&](?:tag|label|cat|category)=)(?!(?:page|feed|rss|atom|\d+|index\.\w+)/?$)[^/]+/?(?:index\.\w+)?$"
    # Old systems know their categories by numbers; small ones keep each list in one folder with the posts.
    r"|[?&](?:cat|category|tag)(?:_?id)?=\d{1,6}(?:&|$)|/(?:tags?|(?:categor|kategori)\w+)-[^/]+\.html?$",
    re.IGNORECASE,
)

# Names of a list of tags, or of a link in one.
_FILED = re.compile(
    r"(?:^|[-_])(?:tags?|categor(?:y|ies)|labels?|topics?|keywords?)(?:[-_]+(?:links?|list|items?|name|wrap|wrapper))*$",
    re.IGNORECASE,
)

_CATEGORY = re.compile(r"(?:^|[-_])category(?:[-_]name)?$", re.IGNORECASE)
_TAG_FOLDER = re.compile(r"/(?:tag(?:s|ged)?|labels?|topics?)/", re.IGNORECASE)
_YEAR = re.compile(r"(?:19|20)\d\d")
_HASHTAG = re.compile(r"[#＃]\s?(\w[\w-]*)")
# How many posts a tag has, as a template writes it behind the name.
_POSTS = re.compile(r"\d{1,5}|[(（]\d{1,5}[)）]")
# What microformats call tags and categories alike.
_MARKED = "p-category"

MOST_TAGS = 20
"""Links of one post to its tags; more of them are a cloud of the whole blog."""
# Addresses and names whose reading is remembered: those of one blog's links.
_REMEMBERED = 4096
# Elements around a link that may be called a list of tags.
_FILED_LEVELS = 2

TagsAndCategories = tuple[tuple[str, ...], tuple[str, ...]]


def find_tags(page: PageView, place: BylinePlace, foreign: Sequence[bool], url: str) -> TagsAndCategories:
    """Tags and categories linked near the article, and hashtags linked in its text.

    They are marked with rel=tag; else they are called so, or their links lead where blogs keep
    lists of posts.
    """
    marked, others = [], []
    filing = Filing(page)
    for i, tag in enumerate(page.tags):
        if tag != "a" or foreign[i] or not _is_name(page, i):
            continue
        gap = distance(page, place, i)
        if "tag" in _rel(page, i):
            marked.append((gap, i))
        elif (gap <= NEAR and _is_filing(page, place, i, filing)) or _is_hashtag(page, place, i, url):
            others.append(i)
    links = _with_category(page, _nearest(marked), others) or others or _plain_tags(page, place, foreign, filing)
    found = _names(page, links) if links else (_listed_tags(page, place, foreign, filing), ())
    return _or_shown(found, page, place, foreign)


def _with_category(page: PageView, links: list[int], others: Sequence[int]) -> list[int]:
    """The marked links, with those to a category where none of them is one."""
    lacks_category = links and not any(_is_category(page, i) for i in links)
    return [*links, *_category_trail(page, others)] if lacks_category else links


def _plain_tags(page: PageView, place: BylinePlace, foreign: Sequence[bool], filing: Filing) -> list[int]:
    """Tags that link nowhere: elements near the article that are called tags, in one that is called
    so, too; that microformats mark; or that stand behind a word like "Tags".
    """
    found = []
    for i, tag in enumerate(page.tags):
        is_plain = tag in PLAIN_TAGS and not foreign[i] and _is_name(page, i) and not page.links(i)
        if is_plain and not within(page, place, i) and _is_plain_tag(page, i, filing):
            found.append(i)
    return [i for i in found if distance(page, place, i) <= NEAR]


def _or_shown(
    found: TagsAndCategories, page: PageView, place: BylinePlace, foreign: Sequence[bool]
) -> TagsAndCategories:
    """What was found, with the category that is but shown where no link leads to one."""
    tags, categories = found
    return tags, categories or _shown_category(page, place, foreign)


def _shown_category(page: PageView, place: BylinePlace, foreign: Sequence[bool]) -> tuple[str, ...]:
    """The one name above the text that is called a category and links nowhere; below it, the cards
    of other posts show theirs.
    """
    text = place.words[0] if place.words else 0
    called = [i for i in range(len(page.tags)) if not foreign[i] and _is_one_category(page, i)]
    above = [i for i in called if page.end[i] <= text and distance(page, place, i) <= NEAR]
    shown = dict.fromkeys(map(page.line, above))
    return tuple(shown) if len(shown) == 1 else ()


def _is_one_category(page: PageView, i: int) -> bool:
    """Whether an element without a link is called a category, and says more than that word."""
    if page.tags[i] not in PLAIN_TAGS or not _is_name(page, i) or page.links(i):
        return False
    names = [name for name in page.classes(i) if name != _MARKED]
    return any(map(_CATEGORY.search, names)) and not is_label(page.line(i))


def _listed_tags(page: PageView, place: BylinePlace, foreign: Sequence[bool], filing: Filing) -> tuple[str, ...]:
    """The names that a line near the article lists as one text behind a word like "Tags:"."""
    for i in near_lines(page, place, foreign):
        listed = None if within(page, place, i) else filing.listed_in(i)
        if listed is not None:
            return listed.names
    return ()


def _is_plain_tag(page: PageView, i: int, filing: Filing) -> bool:
    is_named = _is_filed_as(page, i) and (_is_filed_as(page, page.parents[i]) or _MARKED in page.classes(i))
    return is_named or i in filing.labelled_rows


def _is_filed_as(page: PageView, i: int) -> bool:
    return _names_filing(page.attribute(i, "class"))


def _category_trail(page: PageView, links: Sequence[int]) -> list[int]:
    """The link to the one category, or to one below the other; others side by side are a menu."""
    categories = [i for i in links if _is_category(page, i)]
    addresses = [page.attribute(i, "href").rstrip("/") for i in categories]
    is_trail = all(inner.startswith(f"{outer}/") for outer, inner in pairwise(addresses))
    return categories if is_trail else []


def _nearest(marked: Sequence[tuple[int, int]]) -> list[int]:
    """The links in reach of the article; only the near ones where those are a cloud of the whole
    blog.
    """
    in_reach = [i for gap, i in marked if gap <= FAR]
    return in_reach if len(in_reach) <= MOST_TAGS else [i for gap, i in marked if gap <= NEAR]


def _is_filing(page: PageView, place: BylinePlace, i: int, filing: Filing) -> bool:
    """Whether a link outside the article's text is called a tag or category, or leads to the list
    of one.
    """
    return not within(page, place, i) and (_is_called_filing(page, i) or filing.is_told(i))


def _is_hashtag(page: PageView, place: BylinePlace, i: int, url: str) -> bool:
    """Whether a link in the text is called #word, and leads to that word on the same site: one to
    another site is of a message that the text quotes.
    """
    word = _HASHTAG.fullmatch(page.line(i)) if within(page, place, i) else None
    target = join(url, page.attribute(i, "href")) if word else None
    if word is None or target is None or not same_site(url, target):
        return False
    return title_key(unquote(target)).endswith(title_key(word[1]))


def is_filing_link(page: PageView, i: int) -> bool:
    """Whether a link, wherever it stands, is marked or called a tag or category, or leads to the
    list of one.
    """
    return _is_name(page, i) and ("tag" in _rel(page, i) or _is_called_filing(page, i))


def _is_name(page: PageView, i: int) -> bool:
    return 0 < page.count(i) <= NAME_WORDS


def _is_called_filing(page: PageView, i: int) -> bool:
    href = page.attribute(i, "href")
    if _leads_to_list(href):
        return True
    if _is_year(page, i, href):
        return False
    levels = _FILED_LEVELS + (page.tags[page.parents[i]] == "li")  # the items of a list have no names
    return any(_names_filing(page.attribute(around, "class")) for around in (i, *page.around(i, levels)))


@lru_cache(maxsize=_REMEMBERED)
def _leads_to_list(href: str) -> bool:
    """Whether an address is that of a list of posts; read once: most links stand on page after page."""
    return _LISTING.search(href) is not None


@lru_cache(maxsize=_REMEMBERED)
def _names_filing(classes: str) -> bool:
    """Whether one of an element's classes is called after tags or categories."""
    return any(map(_FILED.search, classes.split()))


def _is_year(page: PageView, i: int, href: str) -> bool:
    """Whether a link among tags is called a year, and leads to the archive of that year."""
    _, slash, place = href.rstrip("/").rpartition("/")
    leads_there = bool(slash) and _YEAR.fullmatch(place) is not None and page.line(i) == place
    return leads_there and _TAG_FOLDER.search(href) is None


def _is_category(page: PageView, i: int) -> bool:
    """Whether a link is to a category rather than a tag."""
    rel = _rel(page, i)
    if "tag" in rel:
        return "category" in rel
    names = [name for name in page.classes(i) if name != _MARKED]
    return "ateg" in " ".join((page.attribute(i, "href"), *names))


def _rel(page: PageView, i: int) -> list[str]:
    return page.attribute(i, "rel").lower().split()


def _names(page: PageView, links: Sequence[int]) -> TagsAndCategories:
    """What links are called, tags apart from categories; none of either where they are a cloud of all."""
    categories = [i for i in links if _is_category(page, i)]
    tags = [i for i in links if i not in categories]
    return _names_of(page, tags), _names_of(page, categories)


def _names_of(page: PageView, links: Sequence[int]) -> tuple[str, ...]:
    """What links are called; nothing where they are more than any post has."""
    named = (_name(page, i) for i in links) if len(links) <= MOST_TAGS else ()
    return tuple(filter(None, dict.fromkeys(named)))


def _name(page: PageView, i: int) -> str:
    """What a link is called, without the sign of a tag before it and the number of posts behind it."""
    name = without_sign(page.line(i))
    number = _number_behind(page, i)
    return name.removesuffix(number).rstrip(" (（") if number else name


def _number_behind(page: PageView, i: int) -> str:
    """The number that an element of its own shows at the end of a link, where the link's address
    does not have it: a tag may be called "Web 2", but then it leads to web-2.
    """
    last = page.last[i] - 1
    number = page.line(last) if last > i and page.end[last] == page.end[i] else ""
    is_apart = _POSTS.fullmatch(number) is not None and page.count(last) < page.count(i)
    digits = number.strip("()（）")
    return number if is_apart and digits not in page.attribute(i, "href") else ""
