"""Keys that are no longer than an index of PostgreSQL takes, with the whole address beside them where it is needed."""

import sqlalchemy as sa
from alembic import op

from blogforever.store.briefly import LONGEST_KEY, briefly

revision = "0030"
down_revision = "0029"

KEYS = (
    ("candidates", "url"),
    ("conditions", "url"),
    ("watched", "url"),
    ("addresses", "url"),
    ("addresses", "key"),
    ("comments", "url"),
    ("aliases", "key"),
)
WITH_WHOLE = ("conditions", "watched")
# As PostgreSQL had them: with the texts themselves.
INDEXES: dict[str, dict[str, tuple[str, ...]]] = {
    "captures": {
        "captures_by_url": ("run", "url"),
        "captures_by_address": ("url", "run"),
        "captures_by_record": ("record_id",),
        "captures_by_digest": ("digest",),
    },
    "pages": {"pages_by_blog": ("blog", "url")},
    "followed": {"followed_by_reason": ("state", "reason")},
}


def upgrade() -> None:
    """Add the columns, shorten what is too long, and make those indexes anew."""
    connection = op.get_bind()
    for table in WITH_WHOLE:
        op.add_column(table, sa.Column("whole", sa.Text()))
    for table, column in KEYS:
        _shorten(connection, table, column)
    if connection.dialect.name == "postgresql":
        for table, indexes in INDEXES.items():
            for name, columns in indexes.items():
                op.drop_index(name, table)
                op.create_index(name, table, list(columns))


def _shorten(connection: sa.Connection, table: str, column: str) -> None:
    where = f"FROM {table} WHERE length({column}) > :longest"
    long = connection.execute(sa.text(f"SELECT DISTINCT {column} {where}"), {"longest": LONGEST_KEY}).scalars().all()
    also = ", whole = :whole" if table in WITH_WHOLE else ""
    for text in long:
        values = {"key": briefly(text), "whole": text}
        shorter = f"UPDATE {table} SET {column} = :key{also} WHERE {column} = :whole"  # noqa: S608  names of our own schema
        connection.execute(sa.text(shorter), values)


def downgrade() -> None:
    """Drop the columns; what was shortened stays so."""
    for table in WITH_WHOLE:
        op.drop_column(table, "whole")
