"""Why a file could not be sent to the store of blobs."""

import sqlalchemy as sa
from alembic import op

revision = "0031"
down_revision = "0030"


def upgrade() -> None:
    """Add the column."""
    op.add_column("blobs", sa.Column("error", sa.Text(), nullable=False, server_default=""))


def downgrade() -> None:
    """Drop it."""
    op.drop_column("blobs", "error")
