"""By what a post is found: its addresses, the ids and addresses of its comments, its moment,
author, tags, language.

All of it follows from the record.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from sqlalchemy import Delete, Table, delete, insert, text

from blogforever.dates import moment_key
from blogforever.records import CommentRecord, PostRecord
from blogforever.storage.browsing import facets_of
from blogforever.urls import url_key

from .briefly import briefly
from .rows import BATCH, Columns, TableRow
from .schema import addresses, comments, facets, moments

# Runs a statement for each of some rows: within the transaction of `Rows`, or on a connection.
Execute = Callable[[Any, list[Columns]], Any]
# A post is chosen by the tags that rules gave it as long as it has them.
GIVEN_AGAIN = text(
    "INSERT INTO facets (kind, name, moment, post) SELECT 'tag', name, :moment, post FROM given"
    " WHERE post = :post ON CONFLICT DO NOTHING"
)


def added_names(before: PostRecord | None, after: PostRecord) -> Iterator[TableRow]:
    """The names a post has now that it had not before, as rows."""
    known_urls = _addresses(before) if before else {}
    known_comments = _comment_rows(before) if before else {}
    for url, whole in _addresses(after).items():
        if url not in known_urls:
            yield "addresses", _address_row(after, url, whole)
    for name, row in _comment_rows(after).items():
        if known_comments.get(name) != row:
            yield "comments", row
    yield from _added_facets(before, after)


def _added_facets(before: PostRecord | None, after: PostRecord) -> Iterator[TableRow]:
    if before is None or _moment_row(before) != _moment_row(after):
        yield "moments", _moment_row(after)
    known_facets = facet_rows(before) if before else []
    for row in facet_rows(after):
        if row not in known_facets:
            yield "facets", row


def dropped_names(before: PostRecord | None, after: PostRecord) -> list[Delete]:
    """What deletes the names that a post had before and has no more."""
    if before is None:
        return []
    urls = _addresses(before).keys() - _addresses(after).keys()
    ids = _comment_rows(before).keys() - _comment_rows(after).keys()
    gone = [delete(addresses).where(addresses.c.post == after.id, addresses.c.url == url) for url in urls]
    gone += [delete(comments).where(comments.c.post == after.id, comments.c.id == name) for name in ids]
    kept = facet_rows(after)
    return gone + [_delete_row(facets, row) for row in facet_rows(before) if row not in kept]


def forget_names(post: str) -> list[Delete]:
    """What deletes all names of a post."""
    return [delete(table).where(table.c.post == post) for table in (addresses, comments, moments, facets)]


def insert_names(execute: Execute, record: PostRecord) -> None:
    """Write all names of a post that has none."""
    execute(insert(addresses), [_address_row(record, *names) for names in _addresses(record).items()])
    rows = [*_comment_rows(record).values()]
    for first in range(0, len(rows), BATCH):
        execute(insert(comments), rows[first : first + BATCH])
    execute(insert(moments), [_moment_row(record)])
    if rows := facet_rows(record):
        execute(insert(facets), rows)
    execute(GIVEN_AGAIN, [_moment_row(record)])


def address_names(record: PostRecord) -> set[str]:
    """The addresses a post is found by, as they are written."""
    return set(_addresses(record))


def _addresses(record: PostRecord) -> dict[str, str]:
    """The addresses of a post, each by what stands for it in the table."""
    return {briefly(url): url for url in map(_writable, record.addresses)}


def _comment_rows(record: PostRecord) -> dict[str, Columns]:
    """Where each comment stands, when it was made, and its address; by its id."""
    rows = ({"post": record.id, "blog": record.blog} | _comment_columns(comment) for comment in record.comments)
    return {row["id"]: row for row in rows}


def _comment_columns(comment: CommentRecord) -> Columns:
    address = briefly(_writable(comment.url)) if comment.url else None
    return {"id": _writable(comment.id), "url": address, "moment": moment_key(comment.published)}


def _address_row(record: PostRecord, key: str, url: str) -> Columns:
    return {"post": record.id, "url": key, "blog": record.blog, "key": briefly(url_key(url))}


def _moment_row(record: PostRecord) -> Columns:
    return {"post": record.id, "blog": record.blog, "moment": moment_key(record.published)}


def facet_rows(record: PostRecord) -> list[Columns]:
    """By what a post is chosen, as rows."""
    about = {"moment": moment_key(record.published), "post": record.id}
    return [{"kind": facet.kind, "name": _writable(facet.name), **about} for facet in facets_of(record)]


def _delete_row(table: Table, row: Columns) -> Delete:
    return delete(table).where(*(table.c[name] == value for name, value in row.items()))


def _writable(text: str) -> str:
    """A text as the record's own JSON has it: half a character cannot be written in UTF-8."""
    return text.encode("utf-8", "replace").decode()
