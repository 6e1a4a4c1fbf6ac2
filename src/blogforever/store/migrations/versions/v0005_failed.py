"""Why nothing was made of a response; of earlier crawls, what their failures say of their captures."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Add the column, and fill it: what failed was never seen."""
    with op.batch_alter_table("captures") as captures:
        captures.add_column(sa.Column("failed", sa.String(), nullable=True))
    op.execute(
        "UPDATE captures SET failed = (SELECT MIN(failures.reason) FROM failures"
        " WHERE failures.run = captures.run AND failures.url = captures.url)"
    )


def downgrade() -> None:
    """Drop it."""
    with op.batch_alter_table("captures") as captures:
        captures.drop_column("failed")
