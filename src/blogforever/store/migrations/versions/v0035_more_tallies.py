"""Why followed blogs stand as they do, and how many are in each list, is kept, not counted."""

from alembic import op

from blogforever.store.tallies import FIRST, making, recount, unmaking

revision = "0035"
down_revision = "0034"


def upgrade() -> None:
    """Make the numbers anew, with the new ones."""
    database = op.get_bind().dialect.name
    for statement in (*unmaking(database, FIRST), *making(database)):
        op.get_bind().exec_driver_sql(statement)
    recount(op.get_bind())


def downgrade() -> None:
    """Make them anew, without those."""
    database = op.get_bind().dialect.name
    for statement in (*unmaking(database), *making(database, FIRST)):
        op.get_bind().exec_driver_sql(statement)
    recount(op.get_bind(), FIRST)
