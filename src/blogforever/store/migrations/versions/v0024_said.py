"""The sentences of reasons, so that they can be said in other languages; an index that counts reasons."""

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"


def upgrade() -> None:
    """Add columns and index."""
    with op.batch_alter_table("followed") as table:
        table.add_column(sa.Column("said", sa.Text(), nullable=False, server_default="[]"))
        table.add_column(sa.Column("next_said", sa.Text(), nullable=False, server_default="[]"))
        table.create_index("followed_by_reason", ["state", "reason"])


def downgrade() -> None:
    """Drop them."""
    with op.batch_alter_table("followed") as table:
        table.drop_index("followed_by_reason")
        table.drop_column("next_said")
        table.drop_column("said")
