"""Searches that people keep, tags that are set by rule, and comments in the order of time."""

import sqlalchemy as sa
from alembic import op

from blogforever.dates import moment_key
from blogforever.records import PostRecord
from blogforever.store.migrations.reading import batches_of_posts

revision = "0016"
down_revision = "0015"
COMMENTED = """SELECT id, record FROM posts WHERE id IN (
  SELECT DISTINCT post FROM comments WHERE post > :last ORDER BY post LIMIT :batch
) ORDER BY id"""
PLACED = sa.text("UPDATE comments SET blog = :blog, moment = :moment WHERE post = :post AND id = :id")


def upgrade() -> None:
    """Create the tables; when each comment was made stands in the records."""
    op.create_table(
        "searches",
        sa.Column("name", sa.String(), primary_key=True),
        sa.Column("search", sa.Text(), nullable=False),
        sa.Column("created", sa.String(), nullable=False),
        sa.Column("by", sa.String(), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
    )
    op.create_table(
        "tag_rules",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("tag", sa.String(), nullable=False),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("language", sa.String(), nullable=False),
        sa.Column("platform", sa.String(), nullable=False),
        sa.Column("words", sa.Text(), nullable=False),
        sa.Column("created", sa.String(), nullable=False),
        sa.Column("by", sa.String(), nullable=False),
    )
    op.create_table(
        "given",
        sa.Column("post", sa.String(), primary_key=True),
        sa.Column("name", sa.String(), primary_key=True),
        sa.Column("tag", sa.String(), nullable=False),
        sa.Column("rule", sa.String(), nullable=False),
    )
    op.create_index("given_by_rule", "given", ["rule"])
    for name in ("blog", "moment"):
        op.add_column("comments", sa.Column(name, sa.String(), nullable=False, server_default=""))
    for records in batches_of_posts(COMMENTED):
        _place(records)
    op.create_index("comments_in_order", "comments", ["moment", "post", "id"])
    op.create_index("comments_by_blog", "comments", ["blog", "moment", "post", "id"])


def _place(records: list[PostRecord]) -> None:
    rows = [
        {"blog": record.blog, "post": record.id, "id": comment.id, "moment": moment_key(comment.published)}
        for record in records
        for comment in record.comments
    ]
    if rows:
        op.get_bind().execute(PLACED, rows)


def downgrade() -> None:
    """Drop them."""
    for index in ("comments_by_blog", "comments_in_order"):
        op.drop_index(index, "comments")
    for name in ("moment", "blog"):
        op.drop_column("comments", name)
    for table in ("given", "tag_rules", "searches"):
        op.drop_table(table)
