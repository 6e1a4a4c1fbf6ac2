"""Packages of pings, which filter let a ping in, what was done to filters, and what hooks are signed with."""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"


def upgrade() -> None:
    """Create the tables; pings that are there were let in by a filter nobody wrote down."""
    op.add_column("pings", sa.Column("filter", sa.String(), nullable=False, server_default=""))
    op.create_index("pings_by_blog", "pings", ["blog", "id"], sqlite_where=sa.text("blog <> ''"))
    op.create_table(
        "pingpackages",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("at", sa.String(), nullable=False),
        sa.Column("server", sa.String(), nullable=False),
        sa.Column("received", sa.Integer(), nullable=False),
        sa.Column("malformed", sa.Integer(), nullable=False),
        sa.Column("filtered", sa.Integer(), nullable=False),
        sa.Column("known", sa.Integer(), nullable=False),
        sa.Column("unknown", sa.Integer(), nullable=False),
    )
    op.create_index("pingpackages_by_server", "pingpackages", ["server", "at"], unique=True)
    op.create_table(
        "pingsecrets",
        sa.Column("server", sa.String(), primary_key=True),
        sa.Column("secret", sa.String(), nullable=False),
    )
    op.create_table(
        "filterchanges",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("at", sa.String(), nullable=False),
        sa.Column("by", sa.String(), nullable=False),
        sa.Column("filter", sa.String(), nullable=False),
        sa.Column("before", sa.Text(), nullable=False),
        sa.Column("after", sa.Text(), nullable=False),
    )
    op.create_index("filterchanges_by_filter", "filterchanges", ["filter", "id"])


def downgrade() -> None:
    """Drop them."""
    for table in ("filterchanges", "pingsecrets", "pingpackages"):
        op.drop_table(table)
    op.drop_index("pings_by_blog", "pings")
    op.drop_column("pings", "filter")
