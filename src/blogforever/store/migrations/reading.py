"""The records that stand in a database which is brought up to date, some at a time."""

from __future__ import annotations

from collections.abc import Iterator

import sqlalchemy as sa
from alembic import op

from blogforever.errors import ArchiveError
from blogforever.records import PostRecord, read_post

# Posts that are in memory at a time.
BATCH = 200
ALL = "SELECT id, record FROM posts WHERE id > :last ORDER BY id LIMIT :batch"


def batches_of_posts(query: str = ALL) -> Iterator[list[PostRecord]]:
    """The records of the posts that a query finds, which goes on after the id `:last`, `:batch` at
    a time.

    One that cannot be read is left out: it is chosen by nothing then, and `verify` says so.
    """
    connection, last = op.get_bind(), ""
    some = sa.text(query)
    while rows := connection.execute(some, {"last": last, "batch": BATCH}).all():
        last = rows[-1].id
        found = (_read(row.record) for row in rows)
        yield [record for record in found if record]


def _read(line: str) -> PostRecord | None:
    try:
        return read_post(line)
    except ArchiveError:
        return None
