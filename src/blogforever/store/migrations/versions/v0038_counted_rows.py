"""Rows of a batch are counted by what became of them, and jobs of a kind listed, without reading all of either."""

from alembic import op

revision = "0038"
down_revision = "0037"


def upgrade() -> None:
    """Create the indexes."""
    op.create_index("sources_by_verdict", "sources", ["batch", "verdict"])
    op.create_index("jobs_by_kind", "jobs", ["kind", "id"])


def downgrade() -> None:
    """Drop them."""
    op.drop_index("jobs_by_kind", "jobs")
    op.drop_index("sources_by_verdict", "sources")
