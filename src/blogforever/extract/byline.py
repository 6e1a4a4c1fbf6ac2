"""Who wrote the article and under which tags, as the page shows it near the article."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from blogforever.dates import find_dates
from blogforever.extract.layout import Layout
from blogforever.extract.names import clean_name, cut_tail, has_byline_word, is_placeholder, looks_personal
from blogforever.extract.vocabulary import alternatives, parts_of
from blogforever.model import Author
from blogforever.urls import join

_AUTHOR_HREF = re.compile(r"/(?:authors?|users?|people|profile|autor|auteur)/|[?&]author=", re.IGNORECASE)
_AUTHOR_PARTS = frozenset(
    ("author", "authors", "byline", "autor", "auteur", "fn", "postauthor", "authorname", "writer")
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
_MADE_BY = re.compile(r"\b(?:powered|hosted|designed|sponsored|made|built|theme|template|licen[cs]ed)\b", re.IGNORECASE)
_SURE_MARKS = ("rel=author", "itemprop=author")
_BOX_HEADINGS = frozenset(("h2", "h3", "h4", "h5", "h6", "strong", "b"))
_ABOUT = re.compile(r"\b(?:hreview|hproduct|item|vevent|hrecipe|adr)\b")
_PARTED = re.compile(r"(?<!\s)\s*+[·•|∙—]\s*+")
_LINE = 40
_BOX = 25
_NEAR = 60
_FAR = 300
_LISTING = re.compile(
    r"(?:/(?:tags?|labels?|topics?|categor\w+|kategorie\w*)/|[?&](?:tag|label|cat|category)=)[^/]+/?$", re.IGNORECASE
)
_CLOUD = 20


@dataclass(frozen=True, slots=True)
class BylinePlace:
    """Where the article is: its heading, and the words its text begins and ends at; either may be unknown."""

    heading: int | None = None
    words: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class FoundByline:
    """An author as shown, with the rule that found it."""

    author: Author
    rule: str
    confidence: float


def distance(page: Layout, place: BylinePlace, i: int) -> int:
    """Words between an element and the nearest edge of the article or its heading."""
    gaps = []
    if place.heading is not None:
        gaps.append(_between(page, i, page.starts[place.heading], page.stops[place.heading]))
    if place.words is not None:
        start, stop = place.words
        gaps += [_between(page, i, start, start), _between(page, i, stop, stop)]
    return min(gaps, default=0)


def within(page: Layout, place: BylinePlace, i: int) -> bool:
    """Whether an element is a part of the article's own text."""
    return place.words is not None and place.words[0] <= page.starts[i] and page.stops[i] <= place.words[1]


def _between(page: Layout, i: int, start: int, stop: int) -> int:
    return max(0, start - page.stops[i], page.starts[i] - stop)


def find_authors(page: Layout, place: BylinePlace, foreign: Sequence[bool], url: str) -> list[FoundByline]:
    """Authors shown near the article, the likeliest first; foreign marks comments and side bars."""
    marked = list(_marked(page, place, foreign, url))
    once = {
        (f.author.name, f.rule): f for f in sorted(marked, key=lambda f: f.confidence)
    }  # cards of other posts repeat
    return sorted([*once.values(), *_written(page, place, foreign)], key=lambda f: -f.confidence)


def _marked(page: Layout, place: BylinePlace, foreign: Sequence[bool], url: str) -> Iterator[FoundByline]:
    marked = [(i, *_mark(page, i)) for i in range(len(page.nodes)) if not foreign[i] and 0 < page.words(i) <= 8]
    marked = [(i, rule, confidence) for i, rule, confidence in marked if rule]
    for n, (i, rule, confidence) in enumerate(marked):
        if n + 1 < len(marked) and page.inside(marked[n + 1][0], i):
            continue  # the inner mark is the name alone
        text = page.text(_name_in(page, i))
        name = clean_name(cut_tail(text))
        if name and not is_placeholder(name) and _is_plausible(page, place, i, rule, text):
            uri = join(url, page.nodes[i].attributes.get("href") or "") if page.tags[i] == "a" else None
            yield FoundByline(Author(name, uri), rule, confidence * _nearness(page, place, i))


def _name_in(page: Layout, i: int) -> int:
    """The element marked as the name inside one marked as the person, who may have a title as well."""
    inner = (
        n for n in range(i + 1, page.ends[i]) if "name" in (page.nodes[n].attributes.get("itemprop") or "").split()
    )
    return next(inner, i)


def _is_plausible(page: Layout, place: BylinePlace, i: int, rule: str, text: str) -> bool:
    """Not a date in the by-line's place, and not somebody the article speaks of."""
    if rule in _SURE_MARKS:
        return True
    return not within(page, place, i) and (has_byline_word(text) or not any(c.isdigit() for c in text))


def _mark(page: Layout, i: int) -> tuple[str, float]:
    attributes = page.nodes[i].attributes
    for attribute in ("rel", "itemprop"):
        if "author" in (attributes.get(attribute) or "").split():
            return f"{attribute}=author", 0.9
    if "person" in (attributes.get("typeof") or "").lower():
        return "typeof=Person", 0.75
    for token in (attributes.get("class") or "").split():
        if _is_author_name(page, i, parts_of(token)):
            return f".{token}", 0.8
    if page.tags[i] == "a" and _AUTHOR_HREF.search(attributes.get("href") or ""):
        return "link to author's page", 0.75
    if page.tags[i] in _BOX_HEADINGS and _in_author_box(page, i):
        return "heading of the author's box", 0.7
    return "", 0.0


def _is_author_name(page: Layout, i: int, parts: tuple[str, ...]) -> bool:
    if not parts:
        return False
    if parts == ("fn",):  # also names what a review or an event is about
        return not any(_ABOUT.search(page.nodes[a].attributes.get("class") or "") for a in page.ancestors(i)[:4])
    return parts[-1] in _AUTHOR_PARTS or (parts[-1] == "name" and not _AUTHOR_PARTS.isdisjoint(parts))


def _in_author_box(page: Layout, i: int) -> bool:
    for a in (i, *page.ancestors(i)[:2]):
        names = page.nodes[a].attributes.get("class") or page.nodes[a].attributes.get("id") or ""
        if any(part.startswith("author") for token in names.split() for part in parts_of(token)):
            return True
    return False


def _nearness(page: Layout, place: BylinePlace, i: int) -> float:
    gap = distance(page, place, i)
    below = 0.9 if place.words is not None and page.starts[i] >= place.words[1] else 1.0
    return below * (1.0 if gap <= _NEAR else 0.6 if gap <= _FAR else 0.25)


def _written(page: Layout, place: BylinePlace, foreign: Sequence[bool]) -> Iterator[FoundByline]:
    for i in near_lines(page, place, foreign):
        text = page.text(i)
        if _MADE_BY.search(text) or (within(page, place, i) and page.kinds[i] != "byline"):
            continue
        match = _BY_TEXT.search(text) or (_BY_ANYWHERE.search(text) if page.kinds[i] == "byline" else None)
        name = clean_name(cut_tail(_IN.split(match["name"])[0])) if match else None
        if name and not is_placeholder(name) and len(name.split()) <= 4:
            yield FoundByline(Author(name), "text by ...", 0.65)
        elif page.kinds[i] == "byline" and (name := _name_among(page, i)):
            yield FoundByline(Author(name), "name beside the date", 0.5)


def _name_among(page: Layout, i: int) -> str | None:
    """The one name in a line of parts ("3 May 2020 · 4 min · Ada Quill"), where a date is among them and no link."""
    text = page.text(i)
    for n in range(i + 1, page.ends[i]):
        if page.tags[n] == "a" and page.words(n):
            text = text.replace(page.text(n), "", 1)
    parts = [part.strip() for part in _PARTED.split(text)]
    names = [part for part in parts if looks_personal(part) and clean_name(part) == part and not is_placeholder(part)]
    dated = any(find_dates(part, limit=1) for part in parts if part not in names)
    return names[0] if dated and len(names) == 1 else None


def near_lines(page: Layout, place: BylinePlace, foreign: Sequence[bool]) -> list[int]:
    """Short innermost blocks, and whole by-lines, around the heading and the article, nearest first."""
    found = []
    i = 0
    while i < len(page.nodes):
        if foreign[i]:
            i = page.ends[i]
        else:
            whole = not page.blocks[i] or (page.kinds[i] == "byline" and page.words(i) <= _BOX)
            if whole and 0 < page.words(i) <= _LINE and i != place.heading:
                found.append((distance(page, place, i), i))
            i = page.ends[i] if not page.blocks[i] else i + 1
    return [i for gap, i in sorted(found) if gap <= _NEAR]


def find_tags(page: Layout, place: BylinePlace, foreign: Sequence[bool]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Tags and categories linked near the article: with rel=tag, else by links that lead where blogs keep them."""
    links = [i for i, tag in enumerate(page.tags) if tag == "a" and not foreign[i] and 0 < page.words(i) <= 8]
    marked = [i for i in links if "tag" in _rel(page, i) and distance(page, place, i) <= _FAR]
    if marked:
        return _names(page, marked, lambda i: "category" in _rel(page, i))
    near = [i for i in links if distance(page, place, i) <= _NEAR and not within(page, place, i)]
    leading = [i for i in near if _LISTING.search(page.nodes[i].attributes.get("href") or "")]
    return _names(page, leading, lambda i: "ateg" in (page.nodes[i].attributes.get("href") or ""))


def _rel(page: Layout, i: int) -> list[str]:
    return (page.nodes[i].attributes.get("rel") or "").lower().split()


def _names(
    page: Layout, links: Sequence[int], is_category: Callable[[int], bool]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What links are called, tags apart from categories; none where there are so many that they are a cloud of all."""
    if len(links) > _CLOUD:
        return (), ()
    found: dict[bool, dict[str, None]] = {False: {}, True: {}}
    for i in links:
        found[is_category(i)][page.text(i).lstrip("#＃ ")] = None
    return tuple(name for name in found[False] if name), tuple(name for name in found[True] if name)
