"""What became of posts lately, and what is missing: for people who come back to their archive."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from blogforever.records import PostRecord
from blogforever.storage.news import NewsKind, NewsRow
from blogforever.store.folder import ArchiveFolder

from .opening import open_archive
from .reading import choose_blog

# Rows of news that are read in one go.
AT_ONCE = 1000
# Failures of a blog's last crawl that are told; a wall before a blog fails every page in the same
# way.
MOST_FAILURES = 10_000


@dataclass(frozen=True, slots=True)
class PostNews:
    """What became of a post, and when that was found."""

    at: str
    kind: NewsKind
    blog: str
    id: str
    url: str
    title: str | None
    published: str | None
    version: int
    comments: int
    blog_title: str | None = None


@dataclass(frozen=True, slots=True)
class Lacking:
    """Something that the archive does not have: what it is, where, and why."""

    what: str
    url: str
    reason: str
    detail: str = ""


def list_news(
    folder: Path, since: str, until: str = "", blogs: Sequence[str] = (), kinds: Sequence[str] = ()
) -> Iterator[PostNews]:
    """What became of posts since a moment, oldest first; what is hidden is no news."""
    with open_archive(folder, writing=False) as archive:
        wanted = {choose_blog(archive, blog).id for blog in blogs}
        titles = {blog.id: blog.record.title for blog in archive.library.blogs()}
        for row in rows_since(archive, since):
            if until and row.at > until:
                return
            is_meant = (not wanted or row.blog in wanted) and (not kinds or row.kind in kinds)
            post = archive.library.post(row.post) if is_meant else None
            if post and post.status != "suppressed":
                yield _news(row, post, titles.get(row.blog))


def posts_since(archive: ArchiveFolder, since: str) -> Iterator[NewsRow]:
    """The posts that were found for the first time since a moment."""
    return (row for row in rows_since(archive, since) if row.kind == "new")


def rows_since(archive: ArchiveFolder, since: str) -> Iterator[NewsRow]:
    """The news from a moment on; they stand in the order of time."""
    last = archive.store.news.before(since)
    while rows := archive.store.news.after(last, AT_ONCE):
        yield from rows
        last = rows[-1].number


def _news(row: NewsRow, post: PostRecord, blog_title: str | None) -> PostNews:
    return PostNews(
        at=row.at,
        kind=row.kind,
        blog=row.blog,
        id=post.id,
        url=post.url,
        title=post.title,
        published=post.published,
        version=row.version,
        comments=row.comments,
        blog_title=blog_title,
    )


def list_missing(folder: Path, wanted: str) -> list[Lacking]:
    """What a blog announces and the archive does not have, what is no longer there, and what else
    failed in its last crawl.
    """
    with open_archive(folder, writing=False) as archive:
        blog = choose_blog(archive, wanted)
        said = blog.record.completeness
        told = {one.url: Lacking("announced", one.url, one.reason or "") for one in (said.missing if said else ())}
        for post in archive.library.posts(blog.id):
            if post.status in ("missing", "gone"):
                told.setdefault(post.url, Lacking(post.status, post.url, "no longer on the blog; the archive keeps it"))
        for failure in archive.store.runs.failed(blog.id, MOST_FAILURES):
            told.setdefault(failure.url, Lacking("failed", failure.url, failure.reason, failure.detail))
    return list(told.values())
