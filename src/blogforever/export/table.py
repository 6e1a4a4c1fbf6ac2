"""Posts or comments as a table: one row each, for spreadsheets and statistics."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from typing import Any

from blogforever.records import CommentRecord, PostRecord

from .thread import threaded

COLUMNS = (
    *(
        "blog",
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
FORMULA = ("=", "+", "-", "@", "\t", "\r")


def csv_lines(posts: Iterable[PostRecord]) -> Iterator[str]:
    """RFC 4180 with a line of names; a cell that a spreadsheet would calculate starts with an
    apostrophe.
    """
    yield csv_line(COLUMNS)
    for post in posts:
        row = row_of(post)
        yield csv_line([row[name] for name in COLUMNS])


def comment_lines(posts: Iterable[PostRecord]) -> Iterator[str]:
    """The comments of the posts, each thread in reading order, in the same kind of table."""
    yield csv_line(COMMENT_COLUMNS)
    for post in posts:
        for depth, comment in threaded(post.comments):
            row = _comment_row(comment) | {"blog": post.blog, "post": post.url, "depth": depth}
            yield csv_line([row[name] for name in COMMENT_COLUMNS])


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
        "words": len(post.text.split()),
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
