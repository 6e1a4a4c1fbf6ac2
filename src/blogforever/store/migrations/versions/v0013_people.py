"""Who may use the service, and what they did."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    """Add the tables; nobody has a token yet."""
    op.create_table(
        "tokens",
        sa.Column("name", sa.String(), primary_key=True),
        sa.Column("scope", sa.String(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("created", sa.String(), nullable=False),
        sa.Column("by", sa.String(), nullable=False),
        sa.Column("used", sa.String()),
    )
    op.create_index("tokens_by_digest", "tokens", ["digest"])
    op.create_table(
        "audit",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("at", sa.String(), nullable=False),
        sa.Column("who", sa.String(), nullable=False),
        sa.Column("what", sa.String(), nullable=False),
        sa.Column("target", sa.String(), nullable=False),
        sa.Column("detail", sa.Text(), nullable=False),
    )
    op.create_index("audit_by_who", "audit", ["who", "id"])


def downgrade() -> None:
    """Drop them."""
    op.drop_table("audit")
    op.drop_table("tokens")
