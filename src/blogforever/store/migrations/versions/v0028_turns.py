"""Turns of machines that share a database: PostgreSQL only, since nobody shares an archive.db."""

from alembic import op

from blogforever.store.turnsql import DROP_EXCHANGE, EXCHANGE, NAMES, TABLES

revision = "0028"
down_revision = "0027"


def upgrade() -> None:
    """Create the tables, and the function that is one exchange with them."""
    if op.get_bind().dialect.name == "postgresql":
        for statement in (*TABLES, EXCHANGE):
            op.execute(statement)


def downgrade() -> None:
    """Drop them."""
    if op.get_bind().dialect.name == "postgresql":
        for statement in (DROP_EXCHANGE, *(f"DROP TABLE {name}" for name in NAMES)):
            op.execute(statement)
