"""How many jobs and followed blogs stand how is kept, not counted; and since when a job is due has an index."""

import sqlalchemy as sa
from alembic import op

from blogforever.store.tallies import FIRST, making, recount, unmaking

revision = "0033"
down_revision = "0032"


def upgrade() -> None:
    """Make the table with its triggers, and count what is there."""
    op.create_index("jobs_by_due", "jobs", ["state", "due"], sqlite_where=sa.text("state = 'waiting'"))
    for statement in making(op.get_bind().dialect.name, FIRST):
        op.get_bind().exec_driver_sql(statement)
    recount(op.get_bind(), FIRST)


def downgrade() -> None:
    """Drop them."""
    for statement in unmaking(op.get_bind().dialect.name, FIRST):
        op.get_bind().exec_driver_sql(statement)
    op.drop_index("jobs_by_due", "jobs")
