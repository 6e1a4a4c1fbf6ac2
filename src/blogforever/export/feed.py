"""Posts of the archive as an Atom feed (RFC 4287)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

from blogforever.extract.safe import CLEANER
from blogforever.records import PostRecord
from blogforever.wording import NOT_XML

from .body import esc

MEDIA_TYPE = "application/atom+xml"
# A feed asks for a moment where a post has none.
NO_MOMENT = "1970-01-01T00:00:00Z"
# Letters of a text in a feed: readers fetch it again and again, and the post has all of them.
LONGEST = 100_000


@dataclass(frozen=True, slots=True)
class FeedHead:
    """What a feed is called, its own address, and the page that shows the same."""

    id: str
    title: str
    url: str
    page: str
    updated: str


@dataclass(frozen=True, slots=True)
class FeedEntry:
    """A post in a feed, the title of its blog, and the address of our own page of it."""

    post: PostRecord
    blog: str
    page: str


def atom_feed(head: FeedHead, entries: Iterable[FeedEntry]) -> str:
    """The whole document."""
    return "\n".join([*_head(head), *("\n".join(_entry(entry)) for entry in entries), "</feed>", ""])


def _head(head: FeedHead) -> Iterator[str]:
    yield '<?xml version="1.0" encoding="utf-8"?>'
    yield '<feed xmlns="http://www.w3.org/2005/Atom">'
    yield f"<id>{_text(head.id)}</id>"
    yield f"<title>{_text(head.title)}</title>"
    yield f"<updated>{_moment(head.updated)}</updated>"
    yield f'<link rel="self" type="{MEDIA_TYPE}" href="{_text(head.url)}"/>'
    yield f'<link rel="alternate" type="text/html" href="{_text(head.page)}"/>'
    yield "<generator>BlogForever</generator>"


def _entry(entry: FeedEntry) -> Iterator[str]:
    post = entry.post
    captured = post.capture.captured if post.capture else None
    yield "<entry>"
    yield f"<id>urn:blogforever:{_text(post.id)}</id>"
    yield f"<title>{_text(post.title or post.url)}</title>"
    yield f"<updated>{_moment(post.modified or post.published or captured)}</updated>"
    if post.published:
        yield f"<published>{_moment(post.published)}</published>"
    yield f'<link rel="alternate" type="text/html" href="{_text(entry.page)}"/>'
    yield f'<link rel="via" href="{_text(post.url)}"/>'
    yield from (f"<author><name>{_text(author.name)}</name></author>" for author in post.authors or ())
    if not post.authors:
        yield f"<author><name>{_text(entry.blog)}</name></author>"
    yield from (f'<category term="{_text(tag)}"/>' for tag in dict.fromkeys((*post.tags, *post.categories)))
    yield f"<source><id>urn:blogforever:blog:{_text(post.blog)}</id><title>{_text(entry.blog)}</title></source>"
    yield f'<content type="html">{_text(CLEANER.clean(post.html[:LONGEST]) or esc(post.text[:LONGEST]))}</content>'
    yield "</entry>"


def _text(value: str) -> str:
    return esc(value.translate(NOT_XML))


def _moment(iso: str | None) -> str:
    """A moment as RFC 3339 has it; a bare day is its beginning."""
    padded = f"{iso or ''}-01-01"[:10] if iso and len(iso) < 10 else iso or ""
    try:
        at = datetime.fromisoformat(padded)
    except ValueError:
        return NO_MOMENT
    return (at if at.tzinfo else at.replace(tzinfo=UTC)).isoformat()
