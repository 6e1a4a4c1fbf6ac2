"""Posts as the service shows them: chosen, page by page, without what somebody had hidden."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from blogforever.archive.reading import post_version
from blogforever.errors import UsageError
from blogforever.export.postpage import NOT_SHOWN
from blogforever.export.spiderxml import spider_xml
from blogforever.records import CommentRecord, PostRecord, json_line, read_post
from blogforever.storage.browsing import (
    USUAL_PAGE,
    CommentPlace,
    CommentQuery,
    FoundPlace,
    PostLine,
    PostPlace,
    PostQuery,
)
from blogforever.storage.searches import PostSearch
from blogforever.store.folder import ArchiveFolder


@dataclass(frozen=True, slots=True)
class ShownPage:
    """Some records as they are written, and where the next page begins."""

    lines: tuple[str, ...]
    next: PostPlace | FoundPlace | None = None


@dataclass(frozen=True, slots=True)
class ShownComment:
    """A comment with the post it stands in."""

    post: PostRecord
    comment: CommentRecord


@dataclass(frozen=True, slots=True)
class CommentsShown:
    """Some comments, and where the next page begins."""

    items: tuple[ShownComment, ...]
    next: CommentPlace | None = None


def browse_posts(archive: ArchiveFolder, query: PostQuery) -> ShownPage:
    """The posts that are asked for, newest first."""
    page = archive.store.posts.page(query)
    return ShownPage(tuple(_shown(archive, page.items)), page.next)


def search_posts(
    archive: ArchiveFolder,
    search: PostSearch,
    best_first: bool = True,
    after: PostPlace | FoundPlace | None = None,
    limit: int = USUAL_PAGE,
) -> ShownPage:
    """The posts that a person wants to see: newest first; where there are words, best first if that
    is wished for.
    """
    if not search.words.strip():
        if isinstance(after, FoundPlace):
            raise UsageError("`after` is the `next` of a search by words.")
        return browse_posts(archive, search.among(after, limit))
    page = archive.search.page(search.with_words(best_first, after, limit))
    return ShownPage(tuple(_shown(archive, page.items)), page.next)


def browse_comments(archive: ArchiveFolder, query: CommentQuery) -> CommentsShown:
    """The comments that are asked for, newest first."""
    page = archive.store.posts.comments(query)
    items: list[ShownComment] = []
    for name, line in page.items:
        post = archive.veil.post(read_post(line.line))
        found = (comment for comment in post.comments if comment.id == name) if post else ()
        items += [ShownComment(post, comment) for comment in found if post and comment.status not in NOT_SHOWN]
    return CommentsShown(tuple(items), page.next)


def find_post(archive: ArchiveFolder, post: str) -> PostRecord | None:
    """The post with this id; None where there is none, or nobody may see it."""
    record = archive.store.posts.find(post)
    return archive.veil.post(record) if record else None


def post_as_xml(record: PostRecord) -> str:
    """A post and its comments in the form that repositories take."""
    return "".join(spider_xml([record]))


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
