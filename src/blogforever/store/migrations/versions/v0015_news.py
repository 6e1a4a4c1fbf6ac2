"""What became of posts, what was done by the hour, who is told of it; and which posts are read unsurely."""

import sqlalchemy as sa
from alembic import op

from blogforever.dates import moment_key
from blogforever.records import PostRecord
from blogforever.storage.browsing import UNSURE, unsure_fields
from blogforever.store.migrations.reading import batches_of_posts

revision = "0015"
down_revision = "0014"

facets = sa.table("facets", *map(sa.column, ("kind", "name", "moment", "post")))


def upgrade() -> None:
    """Add the tables; what became of posts before is no news."""
    _add_news()
    _add_hooks()
    for records in batches_of_posts():
        _mark_unsure(records)


def _add_news() -> None:
    op.create_table(
        "news",
        sa.Column("number", sa.Integer(), primary_key=True),
        sa.Column("at", sa.String(), nullable=False),
        sa.Column("blog", sa.String(), nullable=False),
        sa.Column("post", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("comments", sa.Integer(), nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_index("news_by_post", "news", ["post"])
    op.create_table(
        "readers",
        sa.Column("reader", sa.String(), primary_key=True),
        sa.Column("number", sa.Integer(), nullable=False),
    )
    op.create_table(
        "counters",
        sa.Column("hour", sa.String(), primary_key=True),
        sa.Column("name", sa.String(), primary_key=True),
        sa.Column("label", sa.String(), primary_key=True),
        sa.Column("number", sa.Integer(), nullable=False),
    )


def _add_hooks() -> None:
    op.create_table(
        "webhooks",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("url", sa.String(), nullable=False),
        sa.Column("secret", sa.String(), nullable=False),
        sa.Column("created", sa.String(), nullable=False),
        sa.Column("by", sa.String(), nullable=False),
        sa.Column("events", sa.Text(), nullable=False),
        sa.Column("blog", sa.String(), nullable=False),
        sa.Column("list", sa.String(), nullable=False),
        sa.Column("tag", sa.String(), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
    )
    op.create_table(
        "hookstandings",
        sa.Column("hook", sa.String(), primary_key=True),
        sa.Column("sent", sa.Integer(), nullable=False),
        sa.Column("last_sent", sa.String()),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("until", sa.Integer(), nullable=False),
        sa.Column("next_try", sa.String(), nullable=False),
        sa.Column("status", sa.Integer(), nullable=False),
        sa.Column("error", sa.Text(), nullable=False),
    )
    op.create_table(
        "deadletters",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("hook", sa.String(), nullable=False),
        sa.Column("first", sa.Integer(), nullable=False),
        sa.Column("last", sa.Integer(), nullable=False),
        sa.Column("at", sa.String(), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("status", sa.Integer(), nullable=False),
        sa.Column("error", sa.Text(), nullable=False),
        sa.Column("again", sa.Integer(), nullable=False),
    )
    op.create_index("deadletters_by_hook", "deadletters", ["hook", "id"])


def _mark_unsure(records: list[PostRecord]) -> None:
    rows = [
        {"kind": "is", "name": UNSURE, "moment": moment_key(record.published), "post": record.id}
        for record in records
        if unsure_fields(record)
    ]
    if rows:
        op.bulk_insert(facets, rows)


def downgrade() -> None:
    """Drop them."""
    op.execute(sa.text("DELETE FROM facets WHERE kind = 'is' AND name = 'unsure'"))
    for table in ("deadletters", "hookstandings", "webhooks", "counters", "readers", "news"):
        op.drop_table(table)
