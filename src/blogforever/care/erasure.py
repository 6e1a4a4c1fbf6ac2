"""What must go when something is hidden or erased: which responses whole, which words out of all
the others.

A post stands in more places than its page: in feeds, on list pages, in an API, on the pages of
other posts. So what must go is told by addresses (whole responses) and by words (made unreadable
wherever they stand).
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

from .blank import ADDRESS, FILED, Passages
from .decisions import target_digest
from .filed import filed_mark, mark_of_list
from .regions import masked
from .returned import returned_addresses
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
    known_before: bool = False
    """Whether there is such an address at all: then it is looked for in every text."""
    names: frozenset[str] = frozenset()
    """The addresses of what goes, as they are written."""
    filed: frozenset[str] = frozenset()
    """The marks of tags and authors that no post has which stays."""
    short: int = 0
    """Titles and names too short to be told by themselves: they stay where nothing beside them tells what is meant."""

    def __bool__(self) -> bool:
        return bool(self.addresses or self.posts or self.passages or self.nearby)

    def gone(self, url: str) -> bool:
        """Whether a response of this address goes whole: the
        post's own, what lies below it, what names it.
        """
        key = url_key(url)
        return key in self.addresses or key.startswith(self.below) or self.named(url) or self.passages.blank(url) != url

    def marks(self) -> tuple[str, ...]:
        """By these everything that went is known again without being kept."""
        addresses = {f"{ADDRESS}{target_digest('url', name)}" for name in self.names}
        return (*self.passages.prints(), *sorted(addresses | {f"{FILED}{mark}" for mark in self.filed}))

    def blank(self, text: str, *urls: str) -> str:
        """A text of these addresses without what must go anywhere, and on one of them."""
        text = self.passages.blank(text)
        if self.known_before or self.filed:
            base = next(iter(urls), "")
            if found := returned_addresses(text, base, self.named):
                text = Passages(addresses=found).blank(text)
        keys = dict.fromkeys(url_key(url) for url in urls if url) if self.nearby else {}
        for passages in filter(None, map(self.nearby.get, keys)):
            text = passages.blank(text)
        return text


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
    authors: set[str] = field(default_factory=set)
    filed: set[str] = field(default_factory=set)
    """Tags and authors of posts that go; and of what stays, with those who commented there."""
    filed_kept: set[str] = field(default_factory=set)
    users: defaultdict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    """For each response, the posts that stay and were
    read from it; `_HIDDEN` stands for all others.
    """
    short: set[str] = field(default_factory=set)
    """Titles and names that anybody may write."""


_HIDDEN = ""


def erasure_of(
    records: Iterable[PostRecord],
    veil: Veil,
    blog: str,
    prints: Iterable[str] = (),
    names: Iterable[str] = (),
    words: Iterable[str] = (),
) -> Erasure:
    """What must go, from all posts of a blog in all their versions.

    `prints` know what was erased before; `names` are
    addresses that go whether they are posts or not, `words` what goes whoever says it.
    """
    gathered, prints = _Gathered(whole=_told_apart(words), names=set(names)), tuple(prints)
    before = frozenset(mark.removeprefix(ADDRESS) for mark in prints if mark.startswith(ADDRESS))
    filed_before = {mark.removeprefix(FILED) for mark in prints if mark.startswith(FILED)}
    for record in records:
        _gather(gathered, record, veil)
    gone = {url_key(name) for name in gathered.names}
    filed = frozenset(filed_before | set(map(filed_mark, gathered.filed))) - set(map(filed_mark, gathered.filed_kept))
    # Who wrote nothing that stays is not to be named; one word may be a name of many people.
    authors = [name for name in gathered.authors if len(tokenise(name)) > 1 and filed_mark(name) in filed]
    return Erasure(
        addresses=frozenset(gone | _used_by_hidden_alone(gathered)),
        below=tuple(_below(gone, gathered.kept)),
        posts=frozenset(gathered.posts),
        passages=Passages(gathered.texts, [*gathered.whole, *authors], gathered.names, prints),
        nearby={key: Passages(whole=texts) for key, texts in gathered.near.items()},
        named=partial(_is_named, veil, blog, before, filed),
        known_before=bool(before) or veil.knows_addresses(blog),
        names=frozenset(gathered.names),
        filed=filed,
        short=len(gathered.short),
    )


def _told_apart(words: Iterable[str]) -> list[str]:
    """Words, and each line of them, that are not said by anybody."""
    return [line for text in words for line in _paragraphs(text) if len(tokenise(line)) >= FEW]


def _is_named(veil: Veil, blog: str, before: frozenset[str], filed: frozenset[str], url: str) -> bool:
    if veil.hides("url", url, blog) or (before and target_digest("url", url) in before):
        return True
    return bool(filed) and mark_of_list(url) in filed


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
        gathered.filed_kept.update(_filed(record), (comment.author.name or "" for comment in record.comments))
    for comment in record.comments if is_hidden else veil.comments(record):
        _take_comment(gathered, comment, record, veil)


def _filed(record: PostRecord) -> set[str]:
    """Under what a post is listed: its tags, categories and authors."""
    return {*record.tags, *record.categories, *(author.name for author in record.authors if author.name)}


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
    result = blank_values(plain, lambda text: erasure.blank(text, *urls))
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
        fresh = {key: blank_values(item, blank) for key, item in value.items()}
        # A link to what is gone says what that was called.
        if "type" not in value and fresh.get("url") != value.get("url") and isinstance(value.get("text"), str):
            fresh["text"] = masked(value["text"])
        return fresh
    return value


def _take_post(gathered: _Gathered, record: PostRecord) -> None:
    """Everything that a post says."""
    gathered.posts.add(record.id)
    gathered.names.update(record.addresses)
    gathered.filed.update(_filed(record))
    gathered.authors.update(author.name for author in record.authors if author.name)
    title = record.title or ""
    if len(tokenise(title)) >= TITLE:
        gathered.whole.append(title)
    elif title:
        gathered.short.add(title)
    gathered.short.update(author.name for author in record.authors if len(tokenise(author.name)) == 1)
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
        else:
            gathered.short.add(author)
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
