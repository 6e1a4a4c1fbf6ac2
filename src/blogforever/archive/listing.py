"""Lists of what the archive has: its blogs, the posts of one; those that stand so, came lately, or are young."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from blogforever.export.frame import blog_title
from blogforever.records import BlogSummary, PostRecord
from blogforever.storage.library import bare
from blogforever.store.folder import ArchiveFolder

from .opening import open_archive
from .reading import choose_blog
from .whatsnew import posts_since

POST_STATES = ("active", "missing", "gone")
BLOG_STATES = ("active", "frozen", "unreachable", "dead", "interrupted")


@dataclass(frozen=True, slots=True)
class CrawlStanding:
    """How far a crawl is that has not ended; `now` says that it goes on, not that it was
    interrupted.
    """

    read: int
    kept: int
    now: bool


@dataclass(frozen=True, slots=True)
class BlogInList:
    """A blog of the archive; one whose first crawl has not ended has no `summary` yet."""

    id: str
    url: str
    title: str
    summary: BlogSummary | None
    standing: CrawlStanding | None = None

    @property
    def status(self) -> str:
        """How it stands: one of `BLOG_STATES`."""
        if self.standing is not None:
            return "interrupted"
        return self.summary.record.status if self.summary else "active"


@dataclass(frozen=True, slots=True)
class PostHeading:
    """A post of a list; what is behind its address only where it was asked for."""

    published: str | None
    title: str | None
    url: str
    id: str = ""
    status: str = "active"
    version: int = 1
    comments: int = 0
    language: str | None = None


@dataclass(frozen=True, slots=True)
class ListWish:
    """Which blogs or posts are listed: those that stand so, that have posts since a moment; with
    `new`, that brought posts since then.
    """

    status: str = ""
    since: str = ""
    new: bool = False


EVERYTHING = ListWish()


def list_blogs(folder: Path, wish: ListWish = EVERYTHING) -> list[BlogInList]:
    """The blogs of the archive, and behind them those that are crawled for the first time."""
    with open_archive(folder, writing=False) as archive:
        summaries = archive.library.blogs()
        begun, now = archive.library.under_way(), archive.crawled_now()
        lately = {row.blog for row in posts_since(archive, wish.since)} if wish.new else set()
    standings = {blog: CrawlStanding(read, kept, blog in now) for blog, (read, kept) in begun.items()}
    known = [BlogInList(blog.id, blog.url, blog_title(blog.record), blog, standings.get(blog.id)) for blog in summaries]
    first_crawls = [bare(name) for name in sorted(begun.keys() - {blog.id for blog in summaries})]
    new = [BlogInList(blog.id, blog.url, blog_title(blog.record), None, standings[blog.id]) for blog in first_crawls]
    return [blog for blog in (*known, *new) if _is_meant(blog, wish, lately)]


def _is_meant(blog: BlogInList, wish: ListWish, lately: set[str]) -> bool:
    if wish.status and blog.status != wish.status:
        return False
    if wish.new:
        return blog.id in lately
    return not wish.since or bool(blog.summary and _is_young(blog.summary.last, wish.since))


def _is_young(published: str | None, since: str) -> bool:
    """Whether a date is not before that of a moment; of both, as much is compared as the date has."""
    return bool(published) and (published or "")[: len(since)] >= since[: len(published or "")]


def list_posts(folder: Path, wanted: str, wish: ListWish = EVERYTHING, whole: bool = False) -> Iterator[PostHeading]:
    """The posts of a blog, newest first; `whole` with all that a heading can have."""
    with open_archive(folder, writing=False) as archive:
        blog = choose_blog(archive, wanted).id
        if wish == EVERYTHING and not whole:
            for published, title, url in archive.library.headings(blog):
                yield PostHeading(published, title, url)
        else:
            yield from _chosen(archive, blog, wish)


def _chosen(archive: ArchiveFolder, blog: str, wish: ListWish) -> Iterator[PostHeading]:
    came = {row.post for row in posts_since(archive, wish.since) if row.blog == blog} if wish.new else set()
    for post in archive.library.posts(blog):
        is_meant = post.id in came if wish.new else not wish.since or _is_young(post.published, wish.since)
        if is_meant and wish.status in ("", post.status):
            yield _heading(post)


def _heading(post: PostRecord) -> PostHeading:
    return PostHeading(
        published=post.published,
        title=post.title,
        url=post.url,
        id=post.id,
        status=post.status,
        version=post.version,
        comments=len(post.comments),
        language=post.language,
    )
