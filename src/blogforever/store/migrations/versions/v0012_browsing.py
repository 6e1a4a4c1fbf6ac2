"""By what the posts of all blogs are chosen and put in order: their moments, authors, tags, languages."""

import sqlalchemy as sa
from alembic import op

from blogforever.dates import moment_key
from blogforever.records import PostRecord
from blogforever.storage.browsing import facets_of
from blogforever.store.migrations.reading import batches_of_posts

revision = "0012"
down_revision = "0011"
INDEXES = {
    "moments_in_order": ("moments", ["moment", "post"]),
    "moments_by_blog": ("moments", ["blog", "moment", "post"]),
    "facets_by_post": ("facets", ["post", "kind", "name"]),
}

moments = sa.table("moments", *map(sa.column, ("post", "blog", "moment")))
facets = sa.table("facets", *map(sa.column, ("kind", "name", "moment", "post")))


def upgrade() -> None:
    """Create the tables; what stands in them is in the records."""
    op.create_table(
        "moments",
        sa.Column("post", sa.String(), primary_key=True),
        sa.Column("blog", sa.String(), nullable=False),
        sa.Column("moment", sa.String(), nullable=False),
    )
    op.create_table(
        "facets",
        sa.Column("kind", sa.String(), primary_key=True),
        sa.Column("name", sa.String(), primary_key=True),
        sa.Column("moment", sa.String(), primary_key=True),
        sa.Column("post", sa.String(), primary_key=True),
    )
    for records in batches_of_posts():
        _fill(records)
    for name, (table, columns) in INDEXES.items():
        op.create_index(name, table, columns)


def _fill(records: list[PostRecord]) -> None:
    known = {record.id: moment_key(record.published) for record in records}
    op.bulk_insert(moments, [{"post": one.id, "blog": one.blog, "moment": known[one.id]} for one in records])
    rows = [
        {"kind": facet.kind, "name": facet.name, "moment": known[record.id], "post": record.id}
        for record in records
        for facet in facets_of(record)
    ]
    if rows:
        op.bulk_insert(facets, rows)


def downgrade() -> None:
    """Drop them."""
    op.drop_table("facets")
    op.drop_table("moments")
