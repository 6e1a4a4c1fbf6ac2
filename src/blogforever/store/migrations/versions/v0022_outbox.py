"""The outbox: files for repositories, who took them, what was asked for, and who may."""

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"


def upgrade() -> None:
    """Create the tables."""
    _create_files()
    _create_people()


def _create_files() -> None:
    op.create_table(
        "outbox",
        sa.Column("number", sa.Integer(), primary_key=True),
        sa.Column("made", sa.String(), nullable=False),
        sa.Column("post", sa.String(), nullable=False),
        sa.Column("blog", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("hidden", sa.String(), nullable=False),
        sa.Column("account", sa.String(), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("place", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("ended", sa.String(), nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_index("outbox_by_state", "outbox", ["state", "number"])
    op.create_index("outbox_by_post", "outbox", ["post", "number"])
    op.create_index("outbox_by_place", "outbox", ["place"], sqlite_where=sa.text("state = 'waiting'"))
    op.create_index("outbox_by_made", "outbox", ["made"])
    op.create_table(
        "outboxtakings",
        sa.Column("number", sa.Integer(), primary_key=True),
        sa.Column("account", sa.String(), primary_key=True),
        sa.Column("fetched", sa.String(), nullable=False),
        sa.Column("deleted", sa.String(), nullable=False),
    )
    op.create_table(
        "outboxposts",
        sa.Column("post", sa.String(), primary_key=True),
        sa.Column("blog", sa.String(), nullable=False),
        sa.Column("hidden", sa.String(), nullable=False),
    )
    op.create_index("outboxposts_by_blog", "outboxposts", ["blog", "post"])
    op.create_table(
        "outboxmarks",
        sa.Column("blog", sa.String(), primary_key=True),
        sa.Column("mark", sa.String(), nullable=False),
    )


def _create_people() -> None:
    op.create_table(
        "outboxasks",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("at", sa.String(), nullable=False),
        sa.Column("by", sa.String(), nullable=False),
        sa.Column("account", sa.String(), nullable=False),
        sa.Column("after", sa.Integer(), nullable=False),
        sa.Column("until", sa.Integer(), nullable=False),
        sa.Column("search", sa.Text()),
        sa.Column("place", sa.String(), nullable=False),
        sa.Column("files", sa.Integer(), nullable=False),
        sa.Column("ended", sa.String(), nullable=False),
    )
    op.create_table(
        "ftpaccounts",
        sa.Column("name", sa.String(), primary_key=True),
        sa.Column("password", sa.String(), nullable=False),
        sa.Column("created", sa.String(), nullable=False),
        sa.Column("by", sa.String(), nullable=False),
        sa.Column("seen", sa.String(), nullable=False),
    )


def downgrade() -> None:
    """Drop them."""
    for table in ("ftpaccounts", "outboxasks", "outboxmarks", "outboxposts", "outboxtakings", "outbox"):
        op.drop_table(table)
