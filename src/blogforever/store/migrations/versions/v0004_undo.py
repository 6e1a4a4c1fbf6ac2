"""What was kept of a post before it moved, so that the move can be undone; of earlier moves nothing was."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Add the column."""
    with op.batch_alter_table("moves") as moves:
        moves.add_column(sa.Column("before", sa.Text(), nullable=True))


def downgrade() -> None:
    """Drop it."""
    with op.batch_alter_table("moves") as moves:
        moves.drop_column("before")
