"""Posts in a list, as people look through them: what shows why each was found, its tags, a picture, its
archived page.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from blogforever.archive.exporters import blogs_by_id
from blogforever.archive.reading import HIGHLIGHT, hit_of
from blogforever.errors import UsageError
from blogforever.export.excerpt import beginning
from blogforever.export.table import csv_lines
from blogforever.records import PostRecord, read_post
from blogforever.storage.browsing import FoundPlace, PostPlace
from blogforever.storage.following import FollowedQuery
from blogforever.storage.searches import PostSearch
from blogforever.storage.tables import Store
from blogforever.store.folder import ArchiveFolder
from blogforever.urls import host_of
from blogforever.wording import printable

from .browsing import search_posts
from .lists import as_table
from .reading import archived_page, titles_of
from .replaying import Replay
from .thumbnails import thumbnails_of

# Posts on one page: each is read, and words are looked for in its text.
PAGE = 25
# Letters of a text, of a title, and tags of one post, that a list shows.
TEASER, LONGEST_TITLE, MOST_TAGS = 280, 300, 12
# Posts of a search in one table, and read together for it: spreadsheets hold a million rows, and
# who wants more than this takes an export.
MOST_IN_TABLE, READ_TOGETHER = 50_000, 200
# Blogs that are named where what was typed fits several.
NAMED = 8
ON, OFF = HIGHLIGHT


@dataclass(frozen=True, slots=True)
class FoundWords:
    """Some words, and whether they were looked for."""

    text: str
    is_hit: bool = False


@dataclass(frozen=True, slots=True)
class FoundPost:
    """A post in a list."""

    record: PostRecord
    blog: str
    title: tuple[FoundWords, ...]
    teaser: tuple[FoundWords, ...]
    tags: tuple[str, ...] = ()
    archived: str = ""
    comments: int = 0
    thumbnail: str = ""
    """Where one of its pictures is shown; empty where the archive has none that is its own."""


@dataclass(frozen=True, slots=True)
class PostList:
    """Some posts, and where the next page begins."""

    items: tuple[FoundPost, ...]
    next: PostPlace | FoundPlace | None = None


def listed_posts(
    archive: ArchiveFolder,
    replay: Replay,
    origin: str,
    search: PostSearch,
    best_first: bool = False,
    after: PostPlace | FoundPlace | None = None,
    limit: int = PAGE,
) -> PostList:
    """A page of what somebody looks for."""
    page = search_posts(archive, search, best_first, after, limit)
    records = [read_post(line) for line in page.lines]
    titles = titles_of(archive, {record.blog for record in records})
    given = archive.search.given_tags([record.id for record in records])
    thumbnails = thumbnails_of(replay, records, origin)

    def listed(record: PostRecord) -> FoundPost:
        title, teaser = _shown_words(record, search.words)
        own = (*given.get(record.id, ()), *record.tags, *record.categories)
        return FoundPost(
            record=record,
            blog=titles[record.blog],
            title=title,
            teaser=teaser,
            tags=tuple(dict.fromkeys(own))[:MOST_TAGS],
            archived=archived_page(replay, record, origin),
            comments=len(record.comments),
            thumbnail=thumbnails.get(record.id, ""),
        )

    return PostList(tuple(map(listed, records)), page.next)


def number_of(archive: ArchiveFolder, search: PostSearch) -> int | None:
    """How many posts a search finds; None where they are too many, or something is hidden that must not count."""
    return None if archive.veil else archive.search.number(search.with_words(best_first=False))


def searched_posts(archive: ArchiveFolder, search: PostSearch) -> Iterator[PostRecord]:
    """All that a search finds, newest first, up to what a table holds."""
    after: PostPlace | FoundPlace | None = None
    for _ in range(MOST_IN_TABLE // READ_TOGETHER):
        page = search_posts(archive, search, best_first=False, after=after, limit=READ_TOGETHER)
        yield from map(read_post, page.lines)
        after = page.next
        if after is None:
            return


def search_table(archive: ArchiveFolder, search: PostSearch) -> Iterator[bytes]:
    """The same as CSV, piece by piece."""
    lines = csv_lines(searched_posts(archive, search), blogs_by_id(archive))
    return as_table(lines)


def settled_search(archive: ArchiveFolder, search: PostSearch) -> PostSearch:
    """The same search with a blog of the archive, however somebody named it: by id, address, host
    or title.
    """
    if not search.blog:
        return search
    blog = blog_meant(archive, search.blog.strip())
    return PostSearch(**{name: getattr(search, name) for name in PostSearch.__slots__} | {"blog": blog})


def blog_meant(archive: ArchiveFolder, typed: str) -> str:
    """The name of a blog in the archive, however somebody named it; UsageError where there is none."""
    store = archive.store
    if store.blogs.find(typed):
        return typed
    address = typed if "//" in typed else f"https://{typed}"
    followed = store.followed.find(typed) or store.followed.known([address]).get(address)
    host = host_of(address)
    if followed and followed.blog:
        return followed.blog
    if host and store.blogs.find(host):
        return host
    return _called(store, typed)


def _called(store: Store, typed: str) -> str:
    """The only blog of the archive that is called so, or has these words in its title or address."""
    fitting = [one for one in store.followed.page(FollowedQuery(q=typed, limit=NAMED)).items if one.blog]
    same = [one for one in fitting if one.title.casefold() == typed.casefold()]
    found = same or fitting
    if len(found) > 1:
        others = ", ".join(one.id for one in found)
        raise UsageError(f"Several blogs fit {typed[:200]!r}; name one of them: {others}")
    if not found or found[0].blog is None:
        raise UsageError(f"There is no blog {typed[:200]!r} in this archive.")
    return found[0].blog


def _shown_words(record: PostRecord, words: str) -> tuple[tuple[FoundWords, ...], tuple[FoundWords, ...]]:
    """Title and a part of the text, with what was looked for marked in them."""
    if words.strip():
        hit = hit_of(record, words)
        return split_marks(hit.title), split_marks(hit.snippet)
    title = printable(record.title)[:LONGEST_TITLE]
    return (FoundWords(title),) if title else (), (FoundWords(beginning(printable(record.text), TEASER)),)


def split_marks(marked: str) -> tuple[FoundWords, ...]:
    """A text with marks in it as its parts."""
    parts: list[FoundWords] = []
    for piece in marked.split(ON):
        hit, end, rest = piece.partition(OFF)
        parts += [FoundWords(hit, is_hit=True), FoundWords(rest)] if end else [FoundWords(hit)]
    return tuple(part for part in parts if part.text)


def as_text(words: Sequence[FoundWords]) -> str:
    """The same without marks."""
    return "".join(word.text for word in words)
