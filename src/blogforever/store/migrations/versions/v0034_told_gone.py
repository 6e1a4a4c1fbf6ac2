"""Which comments a file of the outbox says are gone: other machines than the one that has it need to know it."""

import sqlalchemy as sa
from alembic import op

revision = "0034"
down_revision = "0033"


def upgrade() -> None:
    """Create the column; files that wait already are read once more."""
    op.add_column("outbox", sa.Column("told", sa.Text(), nullable=False, server_default="[]"))


def downgrade() -> None:
    """Drop it."""
    op.drop_column("outbox", "told")
