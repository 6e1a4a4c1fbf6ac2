"""Choose among the posts of all blogs: newest first, by blog, author, tag, language, time, what is unusual."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from blogforever.records import PostRecord

FacetKind = Literal["author", "tag", "language", "is"]
# What is unusual about a post, beside its status where that is not the usual one.
CHANGED, COMMENTED, UNSURE, BRIEF = "changed", "commented", "unsure", "brief"
# A post whose text has fewer letters than a sentence has hardly any: its text was not found, or it is but a picture.
BRIEF_TEXT = 80
# Signs that stand for a syllable or a word, as in Chinese, Japanese and Korean: each says as much as some letters.
_SIGN = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff]")
_LETTERS_OF_SIGN = 3
# A field that is said to be less sure than this is as likely wrong as right: confidences are
# calibrated.
SURE_ENOUGH = 0.5
# The fields that a person should look at where they are not sure.
LOOKED_AT = ("title", "html", "published", "authors")
USUAL_STATUS = "active"
# Posts in one answer, where nobody says how many.
USUAL_PAGE = 50
# A page may name thousands of tags, and nobody looks for posts by the last of them.
MOST_OF_A_KIND = 200
LONGEST_NAME = 200


@dataclass(frozen=True, slots=True)
class Facet:
    """Something posts are chosen by; names are compared without regard to case."""

    kind: FacetKind
    name: str


@dataclass(frozen=True, slots=True)
class PostPlace:
    """Where a page of posts ended: the moment of its last one, and its id."""

    moment: str
    id: str


@dataclass(frozen=True, slots=True)
class PostQuery:
    """Which posts, newest first, from where on: with all facets, published at or after `since` and
    before `until`, of one blog, or of the followed blogs that belong to a list.
    """

    blog: str = ""
    list: str = ""
    facets: tuple[Facet, ...] = ()
    since: str = ""
    until: str = ""
    after: PostPlace | None = None
    limit: int = USUAL_PAGE


@dataclass(frozen=True, slots=True)
class FoundPlace:
    """Where a page of posts ended that come best first: how many were shown, and how far the index went when the
    first page was made. What came into it since would push what was shown onto the next page.
    """

    shown: int
    indexed: int = 0


@dataclass(frozen=True, slots=True)
class WordQuery:
    """Which posts among some hold these words: best first, from a place on, or newest first."""

    words: str
    among: PostQuery = field(default_factory=PostQuery)
    best_first: bool = True
    place: FoundPlace = FoundPlace(0)


@dataclass(frozen=True, slots=True)
class PostLine:
    """A post of a page: its record as it is written, so that who only hands it on need not read
    it.
    """

    id: str
    blog: str
    line: str


@dataclass(frozen=True, slots=True)
class PostPage:
    """Some posts, and where the next page begins."""

    items: tuple[PostLine, ...]
    next: PostPlace | None = None


@dataclass(frozen=True, slots=True)
class FoundPage:
    """Some posts that hold the words, and where the next page begins."""

    items: tuple[PostLine, ...]
    next: PostPlace | FoundPlace | None = None


@dataclass(frozen=True, slots=True)
class CommentPlace:
    """Where a page of comments ended: the moment of its last one, its post and its id."""

    moment: str
    post: str
    id: str


@dataclass(frozen=True, slots=True)
class CommentQuery:
    """Which comments, newest first, from where on: those of all blogs, or of one, written at or after `since` and
    before `until`.
    """

    blog: str = ""
    after: CommentPlace | None = None
    limit: int = USUAL_PAGE
    since: str = ""
    until: str = ""


@dataclass(frozen=True, slots=True)
class CommentPage:
    """Some comments, each by its id and the record of its post as it is written; and where the next
    page begins.
    """

    items: tuple[tuple[str, PostLine], ...]
    next: CommentPlace | None = None


def folded(name: str) -> str:
    """A name as it is compared."""
    return " ".join(name.split()).casefold()[:LONGEST_NAME]


def unsure_fields(record: PostRecord) -> dict[str, float]:
    """The fields of a post that are as likely wrong as right, and how sure each is."""
    ways = record.provenance
    sure = {name: float(ways[name].confidence) for name in LOOKED_AT if name in ways}
    return {name: confidence for name, confidence in sure.items() if confidence < SURE_ENOUGH}


def is_brief(record: PostRecord) -> bool:
    """Whether a post has hardly any text."""
    text = record.text.strip()
    if len(text) >= BRIEF_TEXT:
        return False
    return len(text) + (_LETTERS_OF_SIGN - 1) * len(_SIGN.findall(text)) < BRIEF_TEXT


def facets_of(record: PostRecord) -> list[Facet]:
    """By what a post is chosen."""
    return list(dict.fromkeys(Facet(facet.kind, folded(facet.name)) for facet in _facets(record) if facet.name.strip()))


def _facets(record: PostRecord) -> Iterator[Facet]:
    for author in record.authors[:MOST_OF_A_KIND]:
        yield Facet("author", author.name)
    for tag in (*record.tags, *record.categories)[:MOST_OF_A_KIND]:
        yield Facet("tag", tag)
    if record.language:
        yield Facet("language", record.language)
    if record.version > 1:
        yield Facet("is", CHANGED)
    if record.comments:
        yield Facet("is", COMMENTED)
    if is_brief(record):
        yield Facet("is", BRIEF)
    if unsure_fields(record):
        yield Facet("is", UNSURE)
    if record.status != USUAL_STATUS:
        yield Facet("is", record.status)
