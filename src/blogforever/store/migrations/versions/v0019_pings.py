"""Ping servers, filters, and the pings that came."""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "pingservers",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("url", sa.String(), nullable=False),
        sa.Column("is_on", sa.Integer(), nullable=False),
        sa.Column("is_limited", sa.Integer(), nullable=False),
        sa.Column("every", sa.Integer(), nullable=False),
        sa.Column("created", sa.String(), nullable=False),
        sa.Column("by", sa.String(), nullable=False),
    )
    op.create_table(
        "serverstandings",
        sa.Column("server", sa.String(), primary_key=True),
        sa.Column("last_read", sa.String()),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("error", sa.Text(), nullable=False),
    )
    op.create_table(
        "pingfilters",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("pattern", sa.Text(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("subject", sa.String(), nullable=False),
        sa.Column("excludes", sa.Integer(), nullable=False),
        sa.Column("parent", sa.String()),
        sa.Column("order", sa.Integer(), nullable=False),
        sa.Column("is_on", sa.Integer(), nullable=False),
        sa.Column("conditions", sa.Text(), nullable=False),
        sa.Column("created", sa.String(), nullable=False),
    )
    op.create_table(
        "filterhits",
        sa.Column("filter", sa.String(), primary_key=True),
        sa.Column("hits", sa.Integer(), nullable=False),
        sa.Column("last", sa.String()),
    )
    op.create_table(
        "pings",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("at", sa.String(), nullable=False),
        sa.Column("server", sa.String(), nullable=False),
        sa.Column("url", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("feed", sa.String(), nullable=False),
        sa.Column("service", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("blog", sa.String(), nullable=False),
    )
    op.create_index("pings_by_state", "pings", ["state", "id"])
    op.create_index("pings_by_server", "pings", ["server", "id"])


def downgrade() -> None:
    """Drop them."""
    for table in ("pings", "filterhits", "pingfilters", "serverstandings", "pingservers"):
        op.drop_table(table)
