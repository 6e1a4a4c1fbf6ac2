"""Who wrote the article and under which tags, as the page shows it near the article."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from blogforever.extract.layout import Layout
from blogforever.extract.names import clean_name, cut_tail, is_placeholder
from blogforever.extract.vocabulary import alternatives, parts_of
from blogforever.model import Author
from blogforever.urls import join

_AUTHOR_HREF = re.compile(r"/(?:authors?|users?|people|profile|autor|auteur)/|[?&]author=", re.IGNORECASE)
_AUTHOR_PARTS = frozenset(
    ("author", "authors", "byline", "autor", "auteur", "fn", "postauthor", "authorname", "writer")
)
_BY_TEXT = re.compile(
    r"(?:^|[\s|·•(])"
    + alternatives(r"""
        (?:posted|written|published|submitted|created)?\s*by|von|par|por|автор|door|skrevet av|oleh
        autor|auteur|author|作者|投稿者
    """)
    + r"(?:\s*[:：]\s*|\s+)(?P<name>[^|•·,;:(\[\]\n]{2,60})",
    re.IGNORECASE,
)
_LINE = 40
_NEAR = 60
_FAR = 300


@dataclass(frozen=True, slots=True)
class Place:
    """Where the article is: its heading and its container, either may be unknown."""

    heading: int | None
    container: int | None


@dataclass(frozen=True, slots=True)
class Found:
    """An author as shown, with the rule that found it."""

    author: Author
    rule: str
    confidence: float


def distance(page: Layout, place: Place, i: int) -> int:
    """Words between an element and the nearest edge of the article or its heading."""
    gaps = []
    if place.heading is not None:
        gaps.append(_between(page, i, page.starts[place.heading], page.stops[place.heading]))
    if place.container is not None:
        start, stop = page.starts[place.container], page.stops[place.container]
        gaps += [_between(page, i, start, start), _between(page, i, stop, stop)]
    return min(gaps, default=0)


def _between(page: Layout, i: int, start: int, stop: int) -> int:
    return max(0, start - page.stops[i], page.starts[i] - stop)


def find_authors(page: Layout, place: Place, foreign: Sequence[bool], url: str) -> list[Found]:
    """Authors shown near the article, the likeliest first; foreign marks comments and side bars."""
    found = [*_marked(page, place, foreign, url), *_written(page, place, foreign)]
    return sorted(found, key=lambda f: -f.confidence)


def _marked(page: Layout, place: Place, foreign: Sequence[bool], url: str) -> Iterator[Found]:
    for i, node in enumerate(page.nodes):
        if foreign[i] or not 0 < page.words(i) <= 8:
            continue
        rule, confidence = _mark(node.attributes, page.tags[i])
        if not rule:
            continue
        name = clean_name(cut_tail(page.text(i)))
        if name and not is_placeholder(name):
            uri = join(url, node.attributes.get("href") or "") if page.tags[i] == "a" else None
            yield Found(Author(name, uri), rule, confidence * _nearness(page, place, i))


def _mark(attributes: dict[str, str | None], tag: str) -> tuple[str, float]:
    if "author" in (attributes.get("rel") or "").split():
        return "rel=author", 0.9
    if "author" in (attributes.get("itemprop") or "").split():
        return "itemprop=author", 0.9
    for token in (attributes.get("class") or "").split():
        parts = parts_of(token)
        if parts and (parts[-1] in _AUTHOR_PARTS or (parts[0] in _AUTHOR_PARTS and parts[-1] == "name")):
            return f".{token}", 0.8
    if tag == "a" and _AUTHOR_HREF.search(attributes.get("href") or ""):
        return "link to author's page", 0.75
    return "", 0.0


def _nearness(page: Layout, place: Place, i: int) -> float:
    gap = distance(page, place, i)
    return 1.0 if gap <= _NEAR else 0.6 if gap <= _FAR else 0.25


def _written(page: Layout, place: Place, foreign: Sequence[bool]) -> Iterator[Found]:
    for i in near_lines(page, place, foreign):
        match = _BY_TEXT.search(page.text(i))
        name = clean_name(cut_tail(match["name"])) if match else None
        if name and not is_placeholder(name) and len(name.split()) <= 4:
            yield Found(Author(name), "text by ...", 0.65)


def near_lines(page: Layout, place: Place, foreign: Sequence[bool]) -> list[int]:
    """Short innermost blocks around the heading and at the article's end, nearest first."""
    found = []
    i = 0
    while i < len(page.nodes):
        if foreign[i]:
            i = page.ends[i]
        elif page.blocks[i]:
            i += 1
        else:
            gap = distance(page, place, i)
            if 0 < page.words(i) <= _LINE and gap <= _NEAR and i != place.heading:
                found.append((gap, i))
            i = page.ends[i]
    return [i for _, i in sorted(found)]


def find_tags(page: Layout, place: Place, foreign: Sequence[bool]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Tags and categories linked near the article with rel=tag."""
    tags: dict[str, None] = {}
    categories: dict[str, None] = {}
    for i, node in enumerate(page.nodes):
        if page.tags[i] != "a" or foreign[i] or not 0 < page.words(i) <= 8:
            continue
        rel = (node.attributes.get("rel") or "").lower().split()
        if "tag" in rel and distance(page, place, i) <= _FAR:
            (categories if "category" in rel else tags)[page.text(i)] = None
    return tuple(tags), tuple(categories)
