"""Posts as the service shows them: chosen, page by page, without what somebody had hidden."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from blogforever.archive.reading import post_version
from blogforever.errors import UsageError
from blogforever.records import PostRecord, json_line, read_post
from blogforever.storage.browsing import PostLine, PostPlace, PostQuery
from blogforever.store.folder import ArchiveFolder
from blogforever.store.search import FOUND

# Posts that a search by relevance gives at most: nobody reads on, and each costs the whole ranking.
MOST_FOUND = 1000


@dataclass(frozen=True, slots=True)
class ShownPage:
    """Some records as they are written, and where the next page begins."""

    lines: tuple[str, ...]
    next: PostPlace | None = None


def browse_posts(archive: ArchiveFolder, query: PostQuery) -> ShownPage:
    """The posts that are asked for, newest first."""
    page = archive.store.posts.page(query)
    return ShownPage(tuple(_shown(archive, page.items)), page.next)


def search_best(archive: ArchiveFolder, words: str, blog: str = "", limit: int = FOUND) -> tuple[str, ...]:
    """The posts that hold these words, best first."""
    found = archive.search.find(words, blog or None, min(limit, MOST_FOUND))
    return tuple(map(json_line, found))


def find_post(archive: ArchiveFolder, post: str) -> PostRecord | None:
    """The post with this id; None where there is none, or nobody may see it."""
    record = archive.store.posts.find(post)
    return archive.veil.post(record) if record else None


def version_of(archive: ArchiveFolder, post: PostRecord, number: int) -> PostRecord | None:
    """A post as it was in a version; None where there is no such version."""
    try:
        return post_version(archive, post, number)
    except UsageError:
        return None


def _shown(archive: ArchiveFolder, items: Iterable[PostLine]) -> Iterator[str]:
    for item in items:
        if not archive.veil.mark(item.blog):
            yield item.line
        elif shown := archive.veil.post(read_post(item.line)):
            yield json_line(shown)
