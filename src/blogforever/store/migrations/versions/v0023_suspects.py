"""Prints of texts and templates, and who is suspected of spam."""

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "textprints",
        sa.Column("blog", sa.String(), primary_key=True),
        sa.Column("post", sa.String(), primary_key=True),
        sa.Column("print", sa.Integer(), primary_key=True),
        sa.Column("published", sa.String(), nullable=False),
    )
    op.create_index("textprints_by_print", "textprints", ["print", "published"])
    op.create_index("textprints_by_post", "textprints", ["post"])
    op.create_table(
        "templates",
        sa.Column("blog", sa.String(), primary_key=True),
        sa.Column("print", sa.Integer(), nullable=False),
    )
    op.create_table(
        "suspicions",
        sa.Column("blog", sa.String(), primary_key=True),
        sa.Column("at", sa.String(), nullable=False),
        sa.Column("likelihood", sa.Float(), nullable=False),
        sa.Column("signs", sa.Text(), nullable=False),
        sa.Column("decided", sa.String(), nullable=False),
        sa.Column("by", sa.String(), nullable=False),
    )
    op.create_index("suspicions_undecided", "suspicions", ["blog"], sqlite_where=sa.text("decided = ''"))


def downgrade() -> None:
    """Drop them."""
    for table in ("suspicions", "templates", "textprints"):
        op.drop_table(table)
