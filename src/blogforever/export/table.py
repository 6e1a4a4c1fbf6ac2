"""Posts, comments or blogs as a table: one row each, for spreadsheets and statistics."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from blogforever.records import BlogRecord, BlogSummary, CommentRecord, CompletenessRecord, PostRecord

from .counting import count_characters, count_words
from .thread import threaded

BOM = "\ufeff"
"""What a file begins with so that spreadsheets read it as UTF-8, umlauts and all."""
BlogOf = Callable[[str], BlogRecord]
"""What is known of a blog, by its name in the archive."""
COLUMNS = (
    *(
        "blog",
        "blog_title",
        "blog_url",
        "id",
        "url",
        "title",
        "authors",
        "published",
        "published_precision",
        "modified",
        "language",
        "kind",
    ),
    *(
        "tags",
        "categories",
        "words",
        "characters",
        "comments",
        "pictures",
        "links",
        "version",
        "status",
        "captured",
        "text",
    ),
)
COMMENT_COLUMNS = (
    *(
        "blog",
        "blog_title",
        "blog_url",
        "post",
        "url",
        "id",
        "parent",
        "depth",
        "kind",
        "author",
        "author_uri",
        "by_post_author",
    ),
    *("published", "published_precision", "sources", "text"),
)
BLOG_COLUMNS = (
    *("blog", "title", "url", "subtitle", "language", "platform", "feed", "rights", "status"),
    *("posts", "first", "last", "crawled", "announced", "missing", "complete", "stopped_by"),
)
FORMULA = ("=", "+", "-", "@", "\t", "\r")


def csv_lines(posts: Iterable[PostRecord], blog_of: BlogOf) -> Iterator[str]:
    """RFC 4180 with a line of names; a cell that a spreadsheet would calculate starts with an
    apostrophe.
    """
    yield csv_line(COLUMNS)
    for post in posts:
        row = row_of(post) | _of_blog(blog_of(post.blog))
        yield csv_line([row[name] for name in COLUMNS])


def _of_blog(blog: BlogRecord) -> dict[str, str]:
    return {"blog_title": blog.title or "", "blog_url": blog.url}


def kept_blog_lines(blogs: Iterable[BlogSummary]) -> Iterator[str]:
    """The blogs of an archive in the same kind of table: what they say of themselves, and how much of them is kept."""
    yield csv_line(BLOG_COLUMNS)
    for blog in blogs:
        row = _blog_row(blog)
        yield csv_line([row[name] for name in BLOG_COLUMNS])


def _blog_row(blog: BlogSummary) -> dict[str, Any]:
    record = blog.record
    return {
        "blog": record.id,
        "title": record.title,
        "url": record.url,
        "subtitle": record.subtitle,
        "language": record.language,
        "platform": " ".join(filter(None, (record.platform, record.platform_version))),
        "feed": record.feed or next(iter(record.feeds), ""),
        "rights": record.rights,
        "status": record.status,
        "posts": blog.kept,
        "first": blog.first,
        "last": blog.last,
        "crawled": blog.crawled,
        **_how_complete(record.completeness),
    }


def _how_complete(told: CompletenessRecord | None) -> dict[str, Any]:
    """What the statement says in figures; empty cells where no crawl has made one."""
    if told is None:
        return dict.fromkeys(("announced", "missing", "complete", "stopped_by"))
    return {
        "announced": told.announced,
        "missing": len(told.missing),
        "complete": "yes" if told.complete else "no",
        "stopped_by": told.stopped_by,
    }


def comment_lines(posts: Iterable[PostRecord], blog_of: BlogOf) -> Iterator[str]:
    """The comments of the posts, each thread in reading order, in the same kind of table."""
    of_posts = ((post, depth, comment) for post in posts for depth, comment in threaded(post.comments))
    return _comment_lines(of_posts, blog_of)


def found_comment_lines(found: Iterable[tuple[PostRecord, CommentRecord]], blog_of: BlogOf) -> Iterator[str]:
    """Single comments, each with the post it stands in, in the order in which they come, in the same table."""
    return _comment_lines(_placed(found), blog_of)


def _comment_lines(placed: Iterable[tuple[PostRecord, int, CommentRecord]], blog_of: BlogOf) -> Iterator[str]:
    """Comments with their posts, and how deep in its thread each stands."""
    yield csv_line(COMMENT_COLUMNS)
    for post, depth, comment in placed:
        row = _comment_row(comment) | {"blog": post.blog, "post": post.url, "depth": depth}
        row |= _of_blog(blog_of(post.blog))
        yield csv_line([row[name] for name in COMMENT_COLUMNS])


def _placed(found: Iterable[tuple[PostRecord, CommentRecord]]) -> Iterator[tuple[PostRecord, int, CommentRecord]]:
    """The same with how deep each stands; comments of one post mostly come one after the other."""
    of_post, depths = "", dict[str, int]()
    for post, comment in found:
        if post.id != of_post:
            of_post, depths = post.id, {one.id: depth for depth, one in threaded(post.comments)}
        yield post, depths.get(comment.id, 0), comment


def _comment_row(comment: CommentRecord) -> dict[str, Any]:
    return {
        "id": comment.id,
        "url": comment.url or "",
        "parent": comment.parent or "",
        "kind": comment.kind,
        "author": comment.author.name or "",
        "author_uri": comment.author.uri or "",
        "by_post_author": "yes" if comment.by_post_author else "",
        "published": comment.published or "",
        "published_precision": comment.published_precision or "",
        "sources": "; ".join(comment.sources),
        "text": comment.text,
    }


def row_of(post: PostRecord) -> dict[str, Any]:
    """A post in the columns of the table; several values stand beside each other with semicolons."""
    captured = post.capture.captured if post.capture else None
    return {
        "blog": post.blog,
        "id": post.id,
        "url": post.url,
        "title": post.title or "",
        "authors": "; ".join(author.name for author in post.authors),
        "published": post.published or "",
        "published_precision": post.published_precision or "",
        "modified": post.modified or "",
        "language": post.language or "",
        "kind": post.kind,
        "tags": "; ".join(post.tags),
        "categories": "; ".join(post.categories),
        "words": count_words(post.text),
        "characters": count_characters(post.text),
        "comments": len(post.comments),
        "pictures": sum(media.role == "picture" for media in post.media),
        "links": len(post.links),
        "version": post.version,
        "status": post.status,
        "captured": captured or "",
        "text": post.text,
    }


def csv_line(cells: Iterable[Any]) -> str:
    """One line of a table, without its end; see `csv_lines`."""
    out = io.StringIO()
    csv.writer(out).writerow([_cell(cell) for cell in cells])
    return out.getvalue().removesuffix("\r\n")


def _cell(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    value = value.replace("\0", "").encode("utf-8", "replace").decode()
    return f"'{value}" if value.startswith(FORMULA) else value
