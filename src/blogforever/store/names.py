"""By what a post is found: its addresses, the ids and addresses of its comments, its moment, author, tags, language.

All of it follows from the record.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from sqlalchemy import Delete, Table, delete, insert

from blogforever.records import PostRecord
from blogforever.storage.browsing import facets_of, moment_key
from blogforever.urls import url_key

from .rows import BATCH, Columns, TableRow
from .schema import addresses, comments, facets, moments

# Runs a statement for each of some rows: within the transaction of `Rows`, or on a connection.
Execute = Callable[[Any, list[Columns]], Any]


def added_names(before: PostRecord | None, after: PostRecord) -> Iterator[TableRow]:
    """The names a post has now that it had not before, as rows."""
    known_urls = _addresses(before) if before else {}
    known_comments = _comments(before) if before else {}
    for url in _addresses(after):
        if url not in known_urls:
            yield "addresses", _address_row(after, url)
    for name, place in _comments(after).items():
        if name not in known_comments or known_comments[name] != place:
            yield "comments", _comment_row(after, name, place)
    yield from _added_facets(before, after)


def _added_facets(before: PostRecord | None, after: PostRecord) -> Iterator[TableRow]:
    if before is None or _moment_row(before) != _moment_row(after):
        yield "moments", _moment_row(after)
    known_facets = _facet_rows(before) if before else []
    for row in _facet_rows(after):
        if row not in known_facets:
            yield "facets", row


def dropped_names(before: PostRecord | None, after: PostRecord) -> list[Delete]:
    """What deletes the names that a post had before and has no more."""
    if before is None:
        return []
    urls = _addresses(before).keys() - _addresses(after).keys()
    ids = _comments(before).keys() - _comments(after).keys()
    gone = [delete(addresses).where(addresses.c.post == after.id, addresses.c.url == url) for url in urls]
    gone += [delete(comments).where(comments.c.post == after.id, comments.c.id == name) for name in ids]
    kept = _facet_rows(after)
    return gone + [_delete_row(facets, row) for row in _facet_rows(before) if row not in kept]


def forget_names(post: str) -> list[Delete]:
    """What deletes all names of a post."""
    return [delete(table).where(table.c.post == post) for table in (addresses, comments, moments, facets)]


def insert_names(execute: Execute, record: PostRecord) -> None:
    """Write all names of a post that has none."""
    execute(insert(addresses), [_address_row(record, url) for url in _addresses(record)])
    rows = [_comment_row(record, name, url) for name, url in _comments(record).items()]
    for first in range(0, len(rows), BATCH):
        execute(insert(comments), rows[first : first + BATCH])
    execute(insert(moments), [_moment_row(record)])
    if facet_rows := _facet_rows(record):
        execute(insert(facets), facet_rows)


def address_names(record: PostRecord) -> set[str]:
    """The addresses a post is found by, as they are written."""
    return set(_addresses(record))


def _addresses(record: PostRecord) -> dict[str, None]:
    return dict.fromkeys(map(_writable, record.addresses))


def _comments(record: PostRecord) -> dict[str, str | None]:
    """The address of each comment, by its id."""
    return {_writable(comment.id): _writable(comment.url) if comment.url else None for comment in record.comments}


def _address_row(record: PostRecord, url: str) -> Columns:
    return {"post": record.id, "url": url, "blog": record.blog, "key": url_key(url)}


def _comment_row(record: PostRecord, name: str, url: str | None) -> Columns:
    return {"post": record.id, "id": name, "url": url}


def _moment_row(record: PostRecord) -> Columns:
    return {"post": record.id, "blog": record.blog, "moment": moment_key(record.published)}


def _facet_rows(record: PostRecord) -> list[Columns]:
    about = {"moment": moment_key(record.published), "post": record.id}
    return [{"kind": facet.kind, "name": _writable(facet.name), **about} for facet in facets_of(record)]


def _delete_row(table: Table, row: Columns) -> Delete:
    return delete(table).where(*(table.c[name] == value for name, value in row.items()))


def _writable(text: str) -> str:
    """A text as the record's own JSON has it: half a character cannot be written in UTF-8."""
    return text.encode("utf-8", "replace").decode()
