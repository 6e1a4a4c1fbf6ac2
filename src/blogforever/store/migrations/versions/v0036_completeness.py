"""How complete each followed blog is stands beside it: lists show it, and choose by it, without reading records."""

import json
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0036"
down_revision = "0035"
SAID = sa.text("SELECT f.id, b.record FROM followed f JOIN blogs b ON b.id = f.blog")
KEPT = sa.text("UPDATE followed SET completeness = :verdict, missing = :missing WHERE id = :id")
# Blogs that are read together.
TOGETHER = 1000


def upgrade() -> None:
    """Create the columns, and fill them with what the records of the blogs say."""
    op.add_column("followed", sa.Column("completeness", sa.String(), nullable=False, server_default="not-known"))
    op.add_column("followed", sa.Column("missing", sa.Integer(), nullable=False, server_default="0"))
    op.create_index("followed_by_completeness", "followed", ["completeness", "id"])
    op.create_index("followed_by_missing", "followed", ["missing", "id"])
    connection = op.get_bind()
    found = connection.execute(SAID)
    while rows := found.fetchmany(TOGETHER):
        for row in rows:
            verdict, missing = _told(row.record)
            connection.execute(KEPT, {"id": row.id, "verdict": verdict, "missing": missing})


def downgrade() -> None:
    """Drop them."""
    op.drop_index("followed_by_missing", "followed")
    op.drop_index("followed_by_completeness", "followed")
    op.drop_column("followed", "missing")
    op.drop_column("followed", "completeness")


def _told(record: str) -> tuple[str, int]:
    """What the statement in a record says; where it is damaged, nobody knows."""
    try:
        said: dict[str, Any] = json.loads(record).get("completeness") or {}
        missing = len(said.get("missing") or ())
    except (ValueError, AttributeError, TypeError):
        return "not-known", 0
    if said.get("complete"):
        return "complete", missing
    is_short = missing or said.get("limits") or said.get("stopped_by")
    return ("incomplete" if is_short else "not-known"), missing
