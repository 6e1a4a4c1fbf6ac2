"""Other hubs of a feed, what hooks were sent of late, and what an account chooses of the outbox."""

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"


def upgrade() -> None:
    """Create the table and three columns."""
    op.create_table(
        "hookposts",
        sa.Column("number", sa.Integer(), primary_key=True),
        sa.Column("server", sa.String(), nullable=False),
        sa.Column("delivery", sa.String(), nullable=False),
        sa.Column("sent", sa.Integer(), nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_index("hookposts_by_delivery", "hookposts", ["server", "delivery"], unique=True)
    op.create_index("hookposts_by_sent", "hookposts", ["sent"])
    op.add_column("watched", sa.Column("spares", sa.String(), nullable=False, server_default=""))
    op.add_column("outboxtakings", sa.Column("passed", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("ftpaccounts", sa.Column("choice", sa.Text(), nullable=False, server_default=""))


def downgrade() -> None:
    """Drop them."""
    op.drop_column("ftpaccounts", "choice")
    op.drop_column("outboxtakings", "passed")
    op.drop_column("watched", "spares")
    op.drop_table("hookposts")
