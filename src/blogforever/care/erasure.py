"""What must go when something is hidden or erased: which responses whole, which words out of all the others.

A post stands in more places than its page: in feeds, on list pages, in an API, on the pages of other posts. So what
must go is told by addresses (whole responses) and by words (made unreadable wherever they stand).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from blogforever.dom import tokenise
from blogforever.protocols import Record
from blogforever.urls import url_key

from .blank import Passages
from .veil import Veil

FEW = 4  # words that may be said by anybody: a shorter text goes only where the post's own pages show it
TITLE = 3


@dataclass(frozen=True, slots=True)
class Erasure:
    """What must go out of one blog's responses and rows."""

    addresses: frozenset[str] = frozenset()
    below: tuple[str, ...] = ()
    posts: frozenset[str] = frozenset()
    passages: Passages = field(default_factory=Passages)
    nearby: dict[str, Passages] = field(default_factory=dict)
    named: Callable[[str], bool] = lambda _url: False
    """Whether an address was erased before, and is known only by its digest."""

    def __bool__(self) -> bool:
        return bool(self.addresses or self.posts or self.passages or self.nearby)

    def gone(self, url: str) -> bool:
        """Whether a response of this address goes whole: the post's own, what lies below it, what names it."""
        key = url_key(url)
        return key in self.addresses or key.startswith(self.below) or self.named(url) or self.passages.blank(url) != url

    def blank(self, text: str, url: str = "") -> str:
        """A text of this address without what must go."""
        text = self.passages.blank(text)
        near = self.nearby.get(url_key(url)) if url and self.nearby else None
        return near.blank(text) if near else text


@dataclass(slots=True)
class _Gathered:
    texts: list[str] = field(default_factory=list)
    whole: list[str] = field(default_factory=list)
    names: set[str] = field(default_factory=set)
    posts: set[str] = field(default_factory=set)
    near: defaultdict[str, list[str]] = field(default_factory=lambda: defaultdict(list))


def erasure_of(
    records: Iterable[Record], veil: Veil, blog: str, prints: Iterable[str] = (), names: Iterable[str] = ()
) -> Erasure:
    """What must go, from all posts of a blog in all their versions.

    `prints` know what was erased before; `names` are addresses that go whether they are posts or not.
    """
    found = _Gathered(names=set(names))
    kept: set[str] = set()
    sources: defaultdict[str, set[str]] = defaultdict(set)
    for record in records:
        hidden = veil.post(record) is None
        for source in record.get("sources") or []:
            sources[url_key(source["url"])].add("" if hidden else record["id"])
        if hidden:
            _take_post(found, record)
        else:
            kept.update(url_key(name) for name in (record["url"], *(record.get("aliases") or ())))
        for comment in record.get("comments") or [] if hidden else veil.comments(record):
            _take_comment(found, comment, record, veil)
    own = {key for key, users in sources.items() if users == {""}} if found.posts else set()
    near = {key: Passages(whole=texts) for key, texts in found.near.items()}
    gone = {url_key(name) for name in found.names}
    below = tuple(f"{key}/" for key in gone if "/" in key and not any(one.startswith(f"{key}/") for one in kept))
    passages = Passages(found.texts, found.whole, found.names, prints)
    named = partial(veil.hides, "url", blog=blog)
    return Erasure(frozenset(gone | own), below, frozenset(found.posts), passages, near, named)


def cleaned(record: Record, erasure: Erasure, veil: Veil) -> Record:
    """The record of a post that stays, without what must go."""
    shown = veil.post(record) or record
    urls = [record["url"], *(source["url"] for source in record.get("sources") or [])]
    result = blank_values(shown, lambda text: _blank_near(text, erasure, urls))
    assert isinstance(result, dict)
    return result


def blank_values(value: Any, blank: Callable[[str], str]) -> Any:
    """A record with every text in it made unreadable where it must be; its keys stay."""
    if isinstance(value, str):
        return blank(value)
    if isinstance(value, list):
        return [blank_values(item, blank) for item in value]
    if isinstance(value, dict):
        return {key: blank_values(item, blank) for key, item in value.items()}
    return value


def _blank_near(text: str, erasure: Erasure, urls: Iterable[str]) -> str:
    for url in urls if erasure.nearby else ():
        text = erasure.blank(text, url)
    return erasure.blank(text)


def _take_post(found: _Gathered, record: Record) -> None:
    found.posts.add(record["id"])
    found.names.update((record["url"], *(record.get("aliases") or ())))
    title = record.get("title") or ""
    if len(tokenise(title)) >= TITLE:
        found.whole.append(title)
    said = [record.get("subtitle"), record.get("summary"), *_paragraphs(record.get("text") or "")]
    said += [text for item in record.get("media") or [] for text in (item.get("alt"), item.get("caption"))]
    found.texts += [text for text in said if text and len(tokenise(text)) >= FEW]


def _take_comment(found: _Gathered, comment: Record, record: Record, veil: Veil) -> None:
    keys = {url_key(source["url"]) for source in record.get("sources") or []}
    author = (comment.get("author") or {}).get("name") or ""
    said = [*_paragraphs(comment.get("text") or "")]
    if veil.hides("author", author, record.get("blog")):
        said.append(author)
        found.whole += [author] if len(tokenise(author)) > 1 else []
    for text in said:
        if len(tokenise(text)) >= FEW:
            found.texts.append(text)
        else:
            for key in keys:
                found.near[key].append(text)


def _paragraphs(text: str) -> Iterator[str]:
    """A text as a whole, and each of its lines: between them a page may show something else."""
    yield text
    lines = [line for line in text.split("\n") if line.strip()]
    if len(lines) > 1:
        yield from lines
