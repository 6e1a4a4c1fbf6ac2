"""The names by which posts are found: their addresses and their comments; and an index for every look-up."""

import json
from collections.abc import Iterator
from typing import Any

import sqlalchemy as sa
from alembic import op

from blogforever.urls import url_key

revision = "0006"
down_revision = "0005"
INDEXES = {
    "captures_by_file": ("captures", ["file", "offset"]),
    "posts_by_title": ("posts", ["title"]),
    "failures_by_blog": ("failures", ["blog"]),
    "moves_by_blog": ("moves", ["blog"]),
    "addresses_by_key": ("addresses", ["key"]),
    "comments_by_id": ("comments", ["id"]),
    "comments_by_url": ("comments", ["url"]),
}
# Posts that are in memory at a time.
BATCH = 200

addresses = sa.table("addresses", *map(sa.column, ("post", "url", "blog", "key")))
comments = sa.table("comments", *map(sa.column, ("post", "id", "url")))


def upgrade() -> None:
    """Create the tables and indexes; the names of what is kept stand in its records."""
    op.create_table(
        "addresses",
        sa.Column("post", sa.String(), primary_key=True, nullable=False),
        sa.Column("url", sa.String(), primary_key=True, nullable=False),
        sa.Column("blog", sa.String(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
    )
    op.create_table(
        "comments",
        sa.Column("post", sa.String(), primary_key=True, nullable=False),
        sa.Column("id", sa.String(), primary_key=True, nullable=False),
        sa.Column("url", sa.String()),
    )
    for records in _batches():
        _fill(records)
    for name, (table, columns) in INDEXES.items():
        op.create_index(name, table, columns)


def _batches() -> Iterator[list[dict[str, Any]]]:
    """The records of all posts; one that cannot be read is found by nothing, and `verify` says so."""
    connection, last = op.get_bind(), ""
    some = sa.text("SELECT id, record FROM posts WHERE id > :last ORDER BY id LIMIT :batch")
    while rows := connection.execute(some, {"last": last, "batch": BATCH}).all():
        last = rows[-1].id
        yield [record for row in rows if (record := _read(row.record)) and record.get("id") == row.id]


def _read(line: str) -> dict[str, Any] | None:
    try:
        record = json.loads(line)
    except ValueError:
        return None
    return record if isinstance(record, dict) else None


def _fill(records: list[dict[str, Any]]) -> None:
    address_rows, comment_rows = [], []
    for record in records:
        post = record["id"]
        urls = dict.fromkeys([record["url"], *record.get("aliases", ())])
        address_rows += [{"post": post, "url": url, "blog": record["blog"], "key": url_key(url)} for url in urls]
        comment_urls = {comment["id"]: comment.get("url") for comment in record.get("comments", ())}
        comment_rows += [{"post": post, "id": name, "url": url} for name, url in comment_urls.items()]
    for table, rows in ((addresses, address_rows), (comments, comment_rows)):
        if rows:
            op.bulk_insert(table, rows)


def downgrade() -> None:
    """Drop them."""
    for name, (table, _columns) in INDEXES.items():
        op.drop_index(name, table)
    for table in ("addresses", "comments"):
        op.drop_table(table)
