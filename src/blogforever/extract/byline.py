"""Who wrote the article and under which tags, as the page shows it near the article."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from blogforever.dates import find_dates
from blogforever.extract.names import (
    clean_name,
    cut_tail,
    has_byline_word,
    is_author_mark,
    is_placeholder,
    looks_personal,
    speaks_of_author,
)
from blogforever.model import Author
from blogforever.page.view import PageView
from blogforever.page.vocabulary import alternatives, parts_of
from blogforever.urls import join

_AUTHOR_HREF = re.compile(
    r"/(?:authors?|users?|people|profile|autor|auteur)/|[?&]author=",
    re.IGNORECASE,
)
_BY_TEXT = re.compile(
    alternatives(r"""
        ^\W*(?:by|von|par|por|автор|door|oleh|autor|auteur|author|作者|投稿者)
        \b(?:posted|written|published|submitted|created)\b.{0,40}?\bby
        \b(?:geschrieben|veröffentlicht|verfasst)\b.{0,40}?\bvon|\b(?:publié|écrit|rédigé)\b.{0,40}?\bpar
        \b(?:publicado|escrito|postado)\b.{0,40}?\bpor|\b(?:pubblicato|scritto|inviato)\b.{0,40}?\bda
        \b(?:skrevet|skriven) av|\bditulis oleh|\bdiposkan oleh|作者|投稿者|\bauthor\s*:
    """)
    + r"(?:\s*[:：]\s*|\s+)(?P<name>[^|•·,;:(\[\]\n]{2,60})",
    re.IGNORECASE,
)
_IN = re.compile(r"(?<!\s)\s++(?:in|under|unter|dans|en)\s++", re.IGNORECASE)
_BY_ANYWHERE = re.compile(r"\bby\s+(?P<name>[^|•·,;:(\[\]\n]{2,60})", re.IGNORECASE)
_MADE_BY = re.compile(
    r"\b(?:powered|hosted|designed|sponsored|made|built|theme|template|licen[cs]ed)\b",
    re.IGNORECASE,
)
# Digits that no Latin letter or underscore touches, or that count something.
_NUMBER = re.compile(r"(?<![A-Za-z_0-9])\d++(?![A-Za-z_])|\b\d++(?:st|nd|rd|th|min|mins|h|k)\b", re.IGNORECASE)
_SURE_MARKS = ("rel=author", "itemprop=author")
_BOX_HEADINGS = frozenset(("h2", "h3", "h4", "h5", "h6", "strong", "b"))
_ABOUT = re.compile(r"\b(?:hreview|hproduct|item|vevent|hrecipe|adr)\b")
_PARTED = re.compile(r"(?<!\s)\s*+[·•|∙—]\s*+")
_LISTING = re.compile(
    r"(?:/(?:[\w-]+-)?(?:tags?|labels?|topics?|(?:categor\w+|kategorie\w*)(?:/[^/]+)?)/"
    r"|[?&](?:tag|label|cat|category)=)(?!(?:page|feed|rss|atom|\d+)/?$)[^/]+/?(?:index\.\w+)?$",
    re.IGNORECASE,
)

# Names of a list of tags, or of a link in one.
_FILED = re.compile(
    r"(?:^|[-_])(?:tags?|categor(?:y|ies)|labels?|topics?|keywords?)(?:[-_](?:links?|list|items?|name|wrap|wrapper))*$",
    re.IGNORECASE,
)

# Words of a line that may name an author, of a by-line with blocks in it, and of one name or tag.
_LINE = 40
_BOX = 25
_NAME_WORDS = 8
_WRITTEN_NAME_WORDS = 4
# Words between an element and the article: up to here it is surely the article's, up to there
# perhaps.
_NEAR = 60
_FAR = 300
# More links than any post has tags: they are a cloud of the whole blog.
_CLOUD = 20
# Elements around a name that may say whom it is of: a product or an event, an author's box.
_ABOUT_LEVELS = 4
_BOX_LEVELS = 2
# Elements around a link that may be called a list of tags.
_FILED_LEVELS = 2

# How sure a mark is. Mark-up made for machines comes first, names of classes next, then where a
# link
# leads and what stands in a box; words alone come last.
_MARKED = 0.9
_CLASS_NAME = 0.8
_PERSON = 0.75
_AUTHOR_LINK = 0.75
_BOX_HEADING = 0.7
_BY_WORDS = 0.65
_BESIDE_DATE = 0.5
# How much less sure a mark is further from the article, and below it, where comments begin.
_IN_REACH, _OUT_OF_REACH = 0.6, 0.25
_BELOW = 0.9


@dataclass(frozen=True, slots=True)
class BylinePlace:
    """Where the article is: its heading, and the words its text begins and ends at.

    Either may be unknown.
    """

    heading: int | None = None
    words: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class FoundByline:
    """An author as shown, with the rule that found it."""

    author: Author
    rule: str
    confidence: float


def distance(page: PageView, place: BylinePlace, i: int) -> int:
    """Words between an element and the nearest edge of the article or its heading."""
    gaps = []
    if place.heading is not None:
        gaps.append(_between(page, i, page.start[place.heading], page.end[place.heading]))
    if place.words is not None:
        start, stop = place.words
        gaps += [_between(page, i, start, start), _between(page, i, stop, stop)]
    return min(gaps, default=0)


def within(page: PageView, place: BylinePlace, i: int) -> bool:
    """Whether an element is a part of the article's own text."""
    if place.words is None:
        return False
    start, stop = place.words
    return start <= page.start[i] and page.end[i] <= stop


def _between(page: PageView, i: int, start: int, stop: int) -> int:
    return max(0, start - page.end[i], page.start[i] - stop)


def find_authors(
    page: PageView,
    place: BylinePlace,
    foreign: Sequence[bool],
    url: str,
) -> list[FoundByline]:
    """Authors shown near the article, the likeliest first; foreign marks comments and side bars."""
    # Cards of other posts repeat an author: the surest of each name and rule is kept.
    marked = sorted(_marked(page, place, foreign, url), key=lambda found: found.confidence)
    once = {(found.author.name, found.rule): found for found in marked}
    authors = [*once.values(), *_written(page, place, foreign)]
    return sorted(authors, key=lambda found: -found.confidence)


def _marked(
    page: PageView,
    place: BylinePlace,
    foreign: Sequence[bool],
    url: str,
) -> Iterator[FoundByline]:
    """The authors that mark-up, class names and links name."""
    for i, (rule, confidence) in _marks(page, foreign):
        text = page.line(_name_in(page, i))
        name = _person(cut_tail(text))
        if name and _is_plausible(page, place, i, rule, text):
            is_link = page.tags[i] == "a"
            uri = join(url, page.attribute(i, "href")) if is_link else None
            yield FoundByline(Author(name, uri), rule, confidence * _nearness(page, place, i))


_AuthorMark = tuple[str, float]
"""The rule that a name was found by, and how sure that is."""


def _marks(page: PageView, foreign: Sequence[bool]) -> Iterator[tuple[int, _AuthorMark]]:
    """The elements marked as authors; of one in another the inner, which is the name alone."""
    outer: tuple[int, _AuthorMark] | None = None
    for i in range(len(page.nodes)):
        if foreign[i] or not 0 < page.count(i) <= _NAME_WORDS:
            continue
        mark = _mark(page, i)
        if mark is None:
            continue
        if outer is not None and not page.inside(i, outer[0]):
            yield outer
        outer = (i, mark)
    if outer is not None:
        yield outer


def _person(text: str) -> str | None:
    """A name that is no placeholder of a theme."""
    name = clean_name(text)
    return name if name and not is_placeholder(name) else None


def _name_in(page: PageView, i: int) -> int:
    """The element marked as the name in one marked as the person, who may have a title, too."""
    for inner in range(i + 1, page.last[i]):
        if "name" in page.attribute(inner, "itemprop").split():
            return inner
    return i


def _is_plausible(page: PageView, place: BylinePlace, i: int, rule: str, text: str) -> bool:
    """Not a date in the by-line's place, and not somebody the article speaks of."""
    if rule in _SURE_MARKS:
        return True
    if within(page, place, i):
        return False
    return has_byline_word(text) or _has_no_number(text)


def _has_no_number(text: str) -> bool:
    """Whether all digits are parts of words, as in the names of accounts, and none is of a date."""
    if not any(c.isdigit() for c in text):
        return True
    return not _NUMBER.search(text) and not find_dates(text, limit=1)


def _mark(page: PageView, i: int) -> _AuthorMark | None:
    """By what an element says that it names an author; None where it does not."""
    for attribute in ("rel", "itemprop"):
        if "author" in page.attribute(i, attribute).split():
            return f"{attribute}=author", _MARKED
    if "person" in page.attribute(i, "typeof").lower():
        return "typeof=Person", _PERSON
    for token in page.attribute(i, "class").split():
        if _is_author_name(page, i, token):
            return f".{token}", _CLASS_NAME
    if page.tags[i] == "a" and _AUTHOR_HREF.search(page.attribute(i, "href")):
        return "link to author's page", _AUTHOR_LINK
    if page.tags[i] in _BOX_HEADINGS and _in_author_box(page, i):
        return "heading of the author's box", _BOX_HEADING
    return None


def _is_author_name(page: PageView, i: int, token: str) -> bool:
    """Whether a class name calls an element an author's name."""
    is_bare = parts_of(token) == ("fn",)
    return is_author_mark(token) and not (is_bare and _is_about_thing(page, i))


def _is_about_thing(page: PageView, i: int) -> bool:
    """Whether a name is of what a review or an event is about: they are marked alike."""
    around = page.around(i, _ABOUT_LEVELS)
    return any(_ABOUT.search(page.attribute(a, "class")) for a in around)


def _in_author_box(page: PageView, i: int) -> bool:
    for around in (i, *page.around(i, _BOX_LEVELS)):
        names = page.attribute(around, "class") or page.attribute(around, "id")
        if any(speaks_of_author(token) for token in names.split()):
            return True
    return False


def _nearness(page: PageView, place: BylinePlace, i: int) -> float:
    """How much an element's place leaves of its sureness."""
    gap = distance(page, place, i)
    is_below = place.words is not None and page.start[i] >= place.words[1]
    share = _BELOW if is_below else 1.0
    if gap <= _NEAR:
        return share
    return share * (_IN_REACH if gap <= _FAR else _OUT_OF_REACH)


def _written(page: PageView, place: BylinePlace, foreign: Sequence[bool]) -> Iterator[FoundByline]:
    """The authors that lines near the article name in words."""
    for i in near_lines(page, place, foreign):
        text = page.line(i)
        is_byline = page.kinds[i] == "byline"
        is_own_text = within(page, place, i) and not is_byline
        if is_own_text or _MADE_BY.search(text):
            continue
        name = _name_after_by(text, anywhere=is_byline)
        if name:
            yield FoundByline(Author(name), "text by ...", _BY_WORDS)
            continue
        name = _name_among(page, i) if is_byline else None
        if name:
            yield FoundByline(Author(name), "name beside the date", _BESIDE_DATE)


def _name_after_by(text: str, *, anywhere: bool) -> str | None:
    """The name after "written by" in a line; anywhere, after a mere "by", too."""
    match = _BY_TEXT.search(text)
    if match is None and anywhere:
        match = _BY_ANYWHERE.search(text)
    if match is None:
        return None
    name = _person(cut_tail(_IN.split(match["name"])[0]))
    return name if name and len(name.split()) <= _WRITTEN_NAME_WORDS else None


def _name_among(page: PageView, i: int) -> str | None:
    """The one name in a line of parts, where a date is among them, too.

    So it is in "3 May 2020 · 4 min · Ada Quill". A link there leads to a tag and is no name.
    """
    parts = [part.strip() for part in _PARTED.split(_text_outside_links(page, i))]
    names = [part for part in parts if _is_whole_name(part)]
    if len(names) != 1:
        return None
    others = [part for part in parts if part not in names]
    is_dated = any(find_dates(part, limit=1) for part in others)
    return names[0] if is_dated else None


def _text_outside_links(page: PageView, i: int) -> str:
    text = page.line(i)
    for inner in range(i + 1, page.last[i]):
        if page.tags[inner] == "a" and page.count(inner):
            text = text.replace(page.line(inner), "", 1)
    return text


def _is_whole_name(part: str) -> bool:
    return looks_personal(part) and clean_name(part) == part and not is_placeholder(part)


def near_lines(page: PageView, place: BylinePlace, foreign: Sequence[bool]) -> list[int]:
    """Short innermost blocks, and whole by-lines, around heading and article, nearest first."""
    lines = []
    i = 0
    while i < len(page.nodes):
        if foreign[i]:
            i = page.last[i]
            continue
        is_innermost = not page.blocks[i]
        if i != place.heading and _is_line(page, i):
            lines.append((distance(page, place, i), i))
        i = page.last[i] if is_innermost else i + 1
    return [i for gap, i in sorted(lines) if gap <= _NEAR]


def _is_line(page: PageView, i: int) -> bool:
    words = page.count(i)
    if not 0 < words <= _LINE:
        return False
    return not page.blocks[i] or (page.kinds[i] == "byline" and words <= _BOX)


TagsAndCategories = tuple[tuple[str, ...], tuple[str, ...]]


def find_tags(page: PageView, place: BylinePlace, foreign: Sequence[bool]) -> TagsAndCategories:
    """Tags and categories linked near the article.

    They are marked with rel=tag; else they are called so, or their links lead where blogs keep lists of posts.
    """
    marked, others = [], []
    for i, tag in enumerate(page.tags):
        if tag != "a" or foreign[i] or not _is_name(page, i):
            continue
        gap = distance(page, place, i)
        if "tag" in _rel(page, i):
            marked.append((gap, i))
        elif gap <= _NEAR and _is_filing(page, place, i):
            others.append(i)
    links = _nearest(marked)
    if links and not any(_is_category(page, i) for i in links):
        links += _category_trail(page, others)
    return _names(page, links or others)


def _category_trail(page: PageView, links: Sequence[int]) -> list[int]:
    """The link to the one category, or to one below the other; others side by side are a menu."""
    categories = [i for i in links if _is_category(page, i)]
    addresses = [page.attribute(i, "href").rstrip("/") for i in categories]
    is_trail = all(inner.startswith(f"{outer}/") for outer, inner in pairwise(addresses))
    return categories if is_trail else []


def _nearest(marked: Sequence[tuple[int, int]]) -> list[int]:
    """The links in reach of the article; only the near ones where those are a cloud of the whole blog."""
    in_reach = [i for gap, i in marked if gap <= _FAR]
    return in_reach if len(in_reach) <= _CLOUD else [i for gap, i in marked if gap <= _NEAR]


def _is_filing(page: PageView, place: BylinePlace, i: int) -> bool:
    """Whether a link outside the article's text is called a tag or category, or leads to the list of one."""
    return not within(page, place, i) and _is_called_filing(page, i)


def is_filing_link(page: PageView, i: int) -> bool:
    """Whether a link, wherever it stands, is marked or called a tag or category, or leads to the list of one."""
    return _is_name(page, i) and ("tag" in _rel(page, i) or _is_called_filing(page, i))


def _is_name(page: PageView, i: int) -> bool:
    return 0 < page.count(i) <= _NAME_WORDS


def _is_called_filing(page: PageView, i: int) -> bool:
    if _LISTING.search(page.attribute(i, "href")):
        return True
    names = " ".join(page.attribute(around, "class") for around in (i, *page.around(i, _FILED_LEVELS)))
    return any(map(_FILED.search, names.split()))


def _is_category(page: PageView, i: int) -> bool:
    """Whether a link is to a category rather than a tag."""
    rel = _rel(page, i)
    return "category" in rel if "tag" in rel else "ateg" in page.attribute(i, "href") + page.attribute(i, "class")


def _rel(page: PageView, i: int) -> list[str]:
    return page.attribute(i, "rel").lower().split()


def _names(page: PageView, links: Sequence[int]) -> TagsAndCategories:
    """What links are called, tags apart from categories; nothing where they are a cloud of all."""
    if len(links) > _CLOUD:
        return (), ()
    tags: dict[str, None] = {}
    categories: dict[str, None] = {}
    for i in links:
        names = categories if _is_category(page, i) else tags
        names[page.line(i).lstrip("#＃ ")] = None
    return tuple(filter(None, tags)), tuple(filter(None, categories))
