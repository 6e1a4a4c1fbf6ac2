"""The parts of SQLite's index of words are joined sixteen at a time."""

from alembic import op

revision = "0037"
down_revision = "0036"
JOIN = "INSERT INTO posts_search (posts_search, rank) VALUES ('automerge', {parts})"
MANY, USUAL = 16, 4


def upgrade() -> None:
    """Say so to the index."""
    if op.get_bind().dialect.name == "sqlite":
        op.get_bind().exec_driver_sql(JOIN.format(parts=MANY))


def downgrade() -> None:
    """Four at a time, as is usual."""
    if op.get_bind().dialect.name == "sqlite":
        op.get_bind().exec_driver_sql(JOIN.format(parts=USUAL))
