"""The people who log in, and their sessions."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"


def upgrade() -> None:
    """Add the tables; nobody has a password yet."""
    op.create_table(
        "users",
        sa.Column("name", sa.String(), primary_key=True),
        sa.Column("role", sa.String(), nullable=False),
        sa.Column("password", sa.String(), nullable=False),
        sa.Column("created", sa.String(), nullable=False),
        sa.Column("by", sa.String(), nullable=False),
        sa.Column("language", sa.String(), nullable=False),
        sa.Column("theme", sa.String(), nullable=False),
        sa.Column("seen", sa.String()),
    )
    op.create_table(
        "sessions",
        sa.Column("digest", sa.String(), primary_key=True),
        sa.Column("user", sa.String(), nullable=False),
        sa.Column("created", sa.String(), nullable=False),
        sa.Column("used", sa.String(), nullable=False),
        sa.Column("agent", sa.String(), nullable=False),
    )
    op.create_index("sessions_by_user", "sessions", ["user", "used"])
    op.create_index("sessions_by_use", "sessions", ["used"])


def downgrade() -> None:
    """Drop them."""
    op.drop_table("sessions")
    op.drop_table("users")
