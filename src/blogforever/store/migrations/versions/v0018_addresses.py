"""Find the responses of an address without looking at every run of its blog."""

from alembic import op

revision = "0018"
down_revision = "0017"


def upgrade() -> None:
    """Create the index."""
    op.create_index("captures_by_address", "captures", ["url", "run"])


def downgrade() -> None:
    """Drop it."""
    op.drop_index("captures_by_address", "captures")
