"""What the service follows: sources, lists, followed blogs and their addresses, the block list."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Add the tables; nothing is followed yet."""
    _add_followed()
    _add_addresses()
    _add_sources()


def _add_followed() -> None:
    op.create_table(
        "followed",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("url", sa.String(), nullable=False),
        sa.Column("blog", sa.String()),
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("title_key", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("moved_to", sa.String()),
        sa.Column("platform", sa.String(), nullable=False),
        sa.Column("created", sa.String(), nullable=False),
        sa.Column("last_look", sa.String(), nullable=False),
        sa.Column("last_found", sa.Integer(), nullable=False),
        sa.Column("total", sa.Integer(), nullable=False),
        sa.Column("next_look", sa.String(), nullable=False),
        sa.Column("next_reason", sa.Text(), nullable=False),
        sa.Column("paused", sa.Integer(), nullable=False),
        sa.Column("lists", sa.Text(), nullable=False),
        sa.Column("tags", sa.Text(), nullable=False),
        sa.Column("notes", sa.Text(), nullable=False),
        sa.Column("metadata", sa.Text(), nullable=False),
        sa.Column("policy", sa.Text(), nullable=False),
        sa.Column("harvest_by", sa.String()),
        sa.Column("until", sa.String()),
        sa.Column("failures_in_a_row", sa.Integer(), nullable=False),
        sa.Column("pings", sa.Integer(), nullable=False),
    )
    op.create_index("followed_by_blog", "followed", ["blog"])
    op.create_index("followed_by_title", "followed", ["title_key", "id"])
    op.create_index("followed_by_created", "followed", ["created", "id"])
    op.create_index("followed_by_state", "followed", ["state", "id"])
    op.create_index("followed_by_last_look", "followed", ["last_look", "id"])
    op.create_index("followed_by_last_found", "followed", ["last_found", "id"])
    op.create_index("followed_by_total", "followed", ["total", "id"])
    op.create_index("followed_by_next_look", "followed", ["next_look", "id"])
    op.create_index("followed_by_platform", "followed", ["platform", "id"])


def _add_addresses() -> None:
    op.create_table(
        "labels",
        sa.Column("kind", sa.String(), primary_key=True),
        sa.Column("name", sa.String(), primary_key=True),
        sa.Column("blog", sa.String(), primary_key=True),
    )
    op.create_index("labels_by_blog", "labels", ["blog"])
    op.create_table(
        "aliases",
        sa.Column("key", sa.String(), primary_key=True),
        sa.Column("blog", sa.String(), primary_key=True),
    )
    op.create_index("aliases_by_blog", "aliases", ["blog"])
    op.create_table(
        "watched",
        sa.Column("blog", sa.String(), primary_key=True),
        sa.Column("url", sa.String(), primary_key=True),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("last_look", sa.String()),
        sa.Column("last_found", sa.Integer(), nullable=False),
        sa.Column("total", sa.Integer(), nullable=False),
    )


def _add_sources() -> None:
    op.create_table(
        "batches",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("created", sa.String(), nullable=False),
        sa.Column("by", sa.String(), nullable=False),
        sa.Column("origin", sa.String(), nullable=False),
        sa.Column("list", sa.String(), nullable=False),
        sa.Column("tags", sa.Text(), nullable=False),
        sa.Column("undone", sa.String()),
    )
    op.create_table(
        "sources",
        sa.Column("batch", sa.String(), primary_key=True),
        sa.Column("number", sa.Integer(), primary_key=True),
        sa.Column("input", sa.Text(), nullable=False),
        sa.Column("url", sa.String(), nullable=False),
        sa.Column("verdict", sa.String(), nullable=False),
        sa.Column("blog", sa.String()),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("made", sa.Integer(), nullable=False),
        sa.Column("tagged", sa.Text(), nullable=False),
        sa.Column("listed", sa.Text(), nullable=False),
    )
    op.create_index("sources_by_blog", "sources", ["blog"])
    op.create_table(
        "lists",
        sa.Column("name", sa.String(), primary_key=True),
        sa.Column("created", sa.String(), nullable=False),
        sa.Column("owner", sa.String(), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
    )
    op.create_table(
        "blocked",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("what", sa.String(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("by", sa.String(), nullable=False),
        sa.Column("at", sa.String(), nullable=False),
    )


def downgrade() -> None:
    """Drop them."""
    op.drop_table("blocked")
    op.drop_table("lists")
    op.drop_table("sources")
    op.drop_table("batches")
    op.drop_table("watched")
    op.drop_table("aliases")
    op.drop_table("labels")
    op.drop_table("followed")
