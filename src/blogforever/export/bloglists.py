"""Followed blogs as OPML, CSV and XLSX, which other programs read, and which can be added again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import IO
from xml.sax.saxutils import escape, quoteattr

from blogforever.storage.following import FollowedBlog
from blogforever.wording import CONTROL

from .table import csv_line

COLUMNS = (
    *("url", "title", "tags", "lists", "language", "location", "topic", "author", "author kind", "institution"),
    *("notes", "until", "state", "reason", "moved to", "created", "last look", "last found", "total", "next look"),
    *("completeness", "missing"),
)
# Characters that a cell of a workbook can hold.
LONGEST_CELL = 32_000
# Characters of the name of a sheet, and those it may not have.
LONGEST_SHEET, NOT_IN_SHEETS = 31, str.maketrans(dict.fromkeys("[]:*?/\\", " "))

FeedOf = Callable[[FollowedBlog], str]
"""The address of a blog's feed; empty where none is known."""


def blog_lines(blogs: Iterable[FollowedBlog]) -> Iterator[str]:
    """RFC 4180 with a line of names; a cell that a spreadsheet would calculate starts with an
    apostrophe.
    """
    yield csv_line(COLUMNS)
    for blog in blogs:
        yield csv_line(_cells(blog))


def opml_lines(title: str, blogs: Iterable[FollowedBlog], feed_of: FeedOf) -> Iterator[str]:
    """OPML 2.0: one outline for each blog, its tags as categories; the address of the blog stands
    for a feed nobody knows yet, since every reader needs one.
    """
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield f'<opml version="2.0"><head><title>{escape(_plain(title))}</title></head><body>'
    for blog in blogs:
        yield _outline(blog, feed_of(blog))
    yield "</body></opml>"


def write_workbook(title: str, blogs: Iterable[FollowedBlog], out: IO[bytes]) -> None:
    """The same table as a workbook; every cell is a text or a number, none a formula."""
    from openpyxl import Workbook  # noqa: PLC0415  heavy, and seldom needed
    from openpyxl.cell import WriteOnlyCell  # noqa: PLC0415  as above

    book = Workbook(write_only=True)
    sheet = book.create_sheet(_plain(title).translate(NOT_IN_SHEETS)[:LONGEST_SHEET] or "blogs")
    sheet.append(COLUMNS)
    for blog in blogs:
        row = []
        for value in _cells(blog):
            cell = WriteOnlyCell(sheet, value)
            if isinstance(value, str):
                cell.data_type = "s"
            row.append(cell)
        sheet.append(row)
    book.save(out)


def _cells(blog: FollowedBlog) -> list[str | int]:
    said, labels = blog.metadata, ("; ".join(blog.tags), "; ".join(blog.lists))
    texts = [blog.url, blog.title, *labels, said.language, said.location, said.topic, said.author, said.author_kind]
    texts += [said.institution, blog.notes, blog.until or "", blog.state, blog.reason, blog.moved_to or ""]
    cells: list[str | int] = [_plain(text)[:LONGEST_CELL] for text in (*texts, blog.created, blog.last_look or "")]
    return [*cells, blog.last_found, blog.total, blog.next_look or "", blog.completeness, blog.missing]


def _outline(blog: FollowedBlog, feed: str) -> str:
    title = blog.title or blog.id
    attributes = {"type": "rss", "text": title, "title": title, "xmlUrl": feed or blog.url, "htmlUrl": blog.url}
    attributes |= {"category": ",".join(tag.replace(",", " ") for tag in blog.tags)} if blog.tags else {}
    attributes |= {"language": blog.metadata.language} if blog.metadata.language else {}
    attributes |= {"description": blog.notes} if blog.notes else {}
    return f"<outline {' '.join(f'{name}={quoteattr(_plain(value))}' for name, value in attributes.items())}/>"


def _plain(text: str) -> str:
    """Without what neither XML nor a workbook can hold."""
    return CONTROL.sub("", text).encode("utf-8", "replace").decode()
