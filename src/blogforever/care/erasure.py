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
from blogforever.records import CommentRecord, PostRecord, from_json, to_json
from blogforever.urls import mark_of, url_key

from .blank import Passages
from .veil import Veil

# Words that may be said by anybody: a shorter text goes only where the post's own pages show it.
FEW = 4
# Words of a title that is told by itself: a shorter one is that of many posts.
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
        """Whether a response of this address goes whole: the
        post's own, what lies below it, what names it.
        """
        key = url_key(url)
        return key in self.addresses or key.startswith(self.below) or self.named(url) or self.passages.blank(url) != url

    def blank(self, text: str, url: str = "") -> str:
        """A text of this address without what must go."""
        text = self.passages.blank(text)
        near = self.nearby.get(url_key(url)) if url and self.nearby else None
        return near.blank(text) if near else text


@dataclass(slots=True)
class _Gathered:
    """What is hidden, while the records of a blog are read."""

    texts: list[str] = field(default_factory=list)
    whole: list[str] = field(default_factory=list)
    names: set[str] = field(default_factory=set)
    posts: set[str] = field(default_factory=set)
    near: defaultdict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    kept: set[str] = field(default_factory=set)
    """Addresses of posts that stay."""
    users: defaultdict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    """For each response, the posts that stay and were
    read from it; `_HIDDEN` stands for all others.
    """


_HIDDEN = ""


def erasure_of(
    records: Iterable[PostRecord], veil: Veil, blog: str, prints: Iterable[str] = (), names: Iterable[str] = ()
) -> Erasure:
    """What must go, from all posts of a blog in all their versions.

    `prints` know what was erased before; `names` are
    addresses that go whether they are posts or not.
    """
    gathered = _Gathered(names=set(names))
    for record in records:
        _gather(gathered, record, veil)
    gone = {url_key(name) for name in gathered.names}
    return Erasure(
        addresses=frozenset(gone | _used_by_hidden_alone(gathered)),
        below=tuple(_below(gone, gathered.kept)),
        posts=frozenset(gathered.posts),
        passages=Passages(gathered.texts, gathered.whole, gathered.names, prints),
        nearby={key: Passages(whole=texts) for key, texts in gathered.near.items()},
        named=partial(veil.hides, "url", blog=blog),
    )


def _gather(gathered: _Gathered, record: PostRecord, veil: Veil) -> None:
    """Add what one record says must go, and what it says must stay."""
    is_hidden = veil.post(record) is None
    user = _HIDDEN if is_hidden else record.id
    for key in _source_keys(record):
        gathered.users[key].add(user)
    if is_hidden:
        _take_post(gathered, record)
    else:
        gathered.kept.update(map(url_key, record.addresses))
    for comment in record.comments if is_hidden else veil.comments(record):
        _take_comment(gathered, comment, record, veil)


def _source_keys(record: PostRecord) -> set[str]:
    """The responses that a post was read from."""
    return {url_key(source.url) for source in record.sources}


def _used_by_hidden_alone(gathered: _Gathered) -> set[str]:
    """The responses from which nothing was read that stays."""
    if not gathered.posts:
        return set()
    return {key for key, users in gathered.users.items() if users == {_HIDDEN}}


def _below(gone: set[str], kept: set[str]) -> Iterator[str]:
    """The folders of posts that go whole, because no post that stays lies in them."""
    for key in gone:
        folder = f"{key}/"
        if "/" in key and not mark_of(key) and not any(other.startswith(folder) for other in kept):
            yield folder


def cleaned(record: PostRecord, erasure: Erasure, veil: Veil) -> PostRecord:
    """The record of a post that stays, without what must go."""
    shown = veil.post(record) or record
    urls = [record.url, *(source.url for source in record.sources)]
    plain = to_json(shown)
    result = blank_values(plain, lambda text: _blank_near(text, erasure, urls))
    assert isinstance(result, dict)
    # Whatever must go, a record says what it is.
    return from_json(result | {"type": plain["type"]}, type(record))


def blank_values(value: Any, blank: Callable[[str], str]) -> Any:
    """A record with every text in it made unreadable where it must be; its keys stay."""
    if isinstance(value, str):
        return blank(value)
    if isinstance(value, list | tuple):
        return [blank_values(item, blank) for item in value]
    if isinstance(value, dict):
        return {key: blank_values(item, blank) for key, item in value.items()}
    return value


def _blank_near(text: str, erasure: Erasure, urls: Iterable[str]) -> str:
    """A text without what must go anywhere, and what must go on one of these pages."""
    for url in urls if erasure.nearby else ():
        text = erasure.blank(text, url)
    return erasure.blank(text)


def _take_post(gathered: _Gathered, record: PostRecord) -> None:
    """Everything that a post says."""
    gathered.posts.add(record.id)
    gathered.names.update(record.addresses)
    title = record.title or ""
    if len(tokenise(title)) >= TITLE:
        gathered.whole.append(title)
    said = [record.subtitle, record.summary, *_paragraphs(record.text)]
    for item in record.media:
        said += [item.alt, item.caption]
    gathered.texts += [text for text in said if text and len(tokenise(text)) >= FEW]


def _take_comment(gathered: _Gathered, comment: CommentRecord, record: PostRecord, veil: Veil) -> None:
    """What a comment says, and its author's name where that is hidden."""
    author = comment.author.name or ""
    said = [*_paragraphs(comment.text)]
    if veil.hides("author", author, record.blog):
        said.append(author)
        # One word may be a name of many people.
        if len(tokenise(author)) > 1:
            gathered.whole.append(author)
    keys = _source_keys(record)
    for text in said:
        if len(tokenise(text)) >= FEW:
            gathered.texts.append(text)
            continue
        # What anybody may say goes only from the pages that this comment stands on.
        for key in keys:
            gathered.near[key].append(text)


def _paragraphs(text: str) -> Iterator[str]:
    """A text as a whole, and each of its lines: between them a page may show something else."""
    yield text
    lines = [line for line in text.split("\n") if line.strip()]
    if len(lines) > 1:
        yield from lines
