"""What the analyser says of followed blogs, and what people say to that."""

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"


def upgrade() -> None:
    """Create the table and two columns."""
    op.create_table(
        "verdicts",
        sa.Column("blog", sa.String(), primary_key=True),
        sa.Column("at", sa.String(), nullable=False),
        sa.Column("verdict", sa.Text(), nullable=False),
        sa.Column("answers", sa.Text(), nullable=False),
        sa.Column("pattern", sa.String(), nullable=False),
        sa.Column("decided", sa.String(), nullable=False),
        sa.Column("by", sa.String(), nullable=False),
    )
    op.create_index("verdicts_by_pattern", "verdicts", ["pattern", "decided"])
    for name in ("verdict", "kind"):
        op.add_column("followed", sa.Column(name, sa.String(), nullable=False, server_default=""))


def downgrade() -> None:
    """Drop them."""
    for name in ("verdict", "kind"):
        op.drop_column("followed", name)
    op.drop_table("verdicts")
