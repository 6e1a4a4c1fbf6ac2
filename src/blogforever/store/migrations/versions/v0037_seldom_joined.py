"""The parts of SQLite's index of words are joined sixteen at a time."""

from alembic import op

from blogforever.store.schema import JOIN_MANY

revision = "0037"
down_revision = "0036"


def upgrade() -> None:
    """Say so to the index."""
    if op.get_bind().dialect.name == "sqlite":
        op.get_bind().exec_driver_sql(JOIN_MANY)


def downgrade() -> None:
    """Four at a time, as is usual."""
    if op.get_bind().dialect.name == "sqlite":
        op.get_bind().exec_driver_sql(JOIN_MANY.replace("16", "4"))
