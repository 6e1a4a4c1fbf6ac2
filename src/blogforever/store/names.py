"""By which names a post is found: its addresses, the ids and addresses of its comments; all follow from its record."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from sqlalchemy import Delete, delete, insert

from blogforever.records import PostRecord
from blogforever.urls import url_key

from .rows import BATCH, Columns, TableRow
from .schema import addresses, comments

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


def dropped_names(before: PostRecord | None, after: PostRecord) -> list[Delete]:
    """What deletes the names that a post had before and has no more."""
    if before is None:
        return []
    urls = _addresses(before).keys() - _addresses(after).keys()
    ids = _comments(before).keys() - _comments(after).keys()
    gone = [delete(addresses).where(addresses.c.post == after.id, addresses.c.url == url) for url in urls]
    return gone + [delete(comments).where(comments.c.post == after.id, comments.c.id == name) for name in ids]


def forget_names(post: str) -> list[Delete]:
    """What deletes all names of a post."""
    return [delete(table).where(table.c.post == post) for table in (addresses, comments)]


def insert_names(execute: Execute, record: PostRecord) -> None:
    """Write all names of a post that has none."""
    execute(insert(addresses), [_address_row(record, url) for url in _addresses(record)])
    rows = [_comment_row(record, name, url) for name, url in _comments(record).items()]
    for first in range(0, len(rows), BATCH):
        execute(insert(comments), rows[first : first + BATCH])


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


def _writable(text: str) -> str:
    """A text as the record's own JSON has it: half a character cannot be written in UTF-8."""
    return text.encode("utf-8", "replace").decode()
