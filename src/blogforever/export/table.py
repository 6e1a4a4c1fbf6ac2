"""Posts or comments as a table: one row each, for spreadsheets and statistics."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from typing import Any

from blogforever.protocols import Record

from .thread import threaded

COLUMNS = (
    *("blog", "id", "url", "title", "authors", "published", "published_precision", "modified", "language", "kind"),
    *("tags", "categories", "words", "comments", "pictures", "links", "version", "status", "captured", "text"),
)
COMMENT_COLUMNS = (
    *("blog", "post", "url", "id", "parent", "depth", "kind", "author", "author_uri", "by_post_author"),
    *("published", "published_precision", "sources", "text"),
)
FORMULA = ("=", "+", "-", "@", "\t", "\r")


def csv_lines(posts: Iterable[Record]) -> Iterator[str]:
    """RFC 4180 with a line of names; a cell that a spreadsheet would calculate starts with an apostrophe."""
    yield _line(COLUMNS)
    for post in posts:
        row = row_of(post)
        yield _line([row[name] for name in COLUMNS])


def comment_lines(posts: Iterable[Record]) -> Iterator[str]:
    """The comments of the posts, each thread in reading order, in the same kind of table."""
    yield _line(COMMENT_COLUMNS)
    for post in posts:
        for depth, comment in threaded(post.get("comments") or []):
            row = _comment_row(comment) | {"blog": post.get("blog"), "post": post.get("url"), "depth": depth}
            yield _line([row[name] for name in COMMENT_COLUMNS])


def _comment_row(comment: Record) -> dict[str, Any]:
    plain = {name: comment.get(name) for name in COMMENT_COLUMNS if isinstance(comment.get(name), str)}
    author = comment.get("author") or {}
    return dict.fromkeys(COMMENT_COLUMNS, "") | {
        **plain,
        "author": author.get("name") or "",
        "author_uri": author.get("uri") or "",
        "by_post_author": "yes" if comment.get("by_post_author") else "",
        "sources": "; ".join(comment.get("sources") or []),
    }


def row_of(post: Record) -> dict[str, Any]:
    """A post in the columns of the table; several values stand beside each other with semicolons."""
    plain = {name: post.get(name) for name in COLUMNS if isinstance(post.get(name), str | int)}
    sources = post.get("sources") or []
    return dict.fromkeys(COLUMNS, "") | {
        **plain,
        "authors": "; ".join(author.get("name") or "" for author in post.get("authors") or []),
        "tags": "; ".join(post.get("tags") or []),
        "categories": "; ".join(post.get("categories") or []),
        "words": len((post.get("text") or "").split()),
        "comments": len(post.get("comments") or []),
        "pictures": sum(media.get("role") == "picture" for media in post.get("media") or []),
        "links": len(post.get("links") or []),
        "captured": (sources[0].get("captured") or "") if sources else "",
    }


def _line(cells: Iterable[Any]) -> str:
    out = io.StringIO()
    csv.writer(out).writerow([_cell(cell) for cell in cells])
    return out.getvalue().removesuffix("\r\n")


def _cell(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    value = value.replace("\0", "").encode("utf-8", "replace").decode()
    return f"'{value}" if value.startswith(FORMULA) else value
