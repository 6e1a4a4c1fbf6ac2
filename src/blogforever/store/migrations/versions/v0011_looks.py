"""The last looks at followed blogs, and policies for many blogs at once."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    """Add the tables; nobody has looked yet."""
    op.create_table(
        "looks",
        sa.Column("number", sa.Integer(), primary_key=True),
        sa.Column("blog", sa.String(), nullable=False),
        sa.Column("at", sa.String(), nullable=False),
        sa.Column("outcome", sa.String(), nullable=False),
        sa.Column("answered", sa.Integer(), nullable=False),
        sa.Column("cause", sa.String(), nullable=False),
        sa.Column("found", sa.Integer(), nullable=False),
        sa.Column("changed", sa.Integer(), nullable=False),
        sa.Column("comments", sa.Integer(), nullable=False),
        sa.Column("status", sa.Integer(), nullable=False),
        sa.Column("not_modified", sa.Integer(), nullable=False),
        sa.Column("requests", sa.Integer(), nullable=False),
        sa.Column("bytes", sa.Integer(), nullable=False),
        sa.Column("wishes", sa.Text(), nullable=False),
    )
    op.create_index("looks_by_blog", "looks", ["blog", "number"])
    op.create_table(
        "policies",
        sa.Column("scope", sa.String(), primary_key=True),
        sa.Column("name", sa.String(), primary_key=True),
        sa.Column("policy", sa.Text(), nullable=False),
    )


def downgrade() -> None:
    """Drop them."""
    for table in ("policies", "looks"):
        op.drop_table(table)
