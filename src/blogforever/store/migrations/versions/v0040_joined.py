"""Parts of SQLite's index of words are joined two at a time where it is told to join them."""

from alembic import op

revision = "0040"
down_revision = "0039"
JOIN = "INSERT INTO posts_search (posts_search, rank) VALUES ('usermerge', {parts})"
FEW, USUAL = 2, 4


def upgrade() -> None:
    """Say so to the index."""
    if op.get_bind().dialect.name == "sqlite":
        op.get_bind().exec_driver_sql(JOIN.format(parts=FEW))


def downgrade() -> None:
    """Four at a time, as is usual."""
    if op.get_bind().dialect.name == "sqlite":
        op.get_bind().exec_driver_sql(JOIN.format(parts=USUAL))
