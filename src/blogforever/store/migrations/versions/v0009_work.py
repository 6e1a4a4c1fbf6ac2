"""The service's work: jobs, workers, parts that are paused."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Add the tables."""
    op.create_table(
        "jobs",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("blog", sa.String()),
        sa.Column("priority", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("due", sa.String(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("created", sa.String(), nullable=False),
        sa.Column("asked_by", sa.String(), nullable=False),
        sa.Column("input", sa.Text(), nullable=False),
        sa.Column("worker", sa.String()),
        sa.Column("started", sa.String()),
        sa.Column("ended", sa.String()),
        sa.Column("result", sa.Text()),
        sa.Column("error", sa.Text()),
        sa.Column("cancel", sa.Integer(), nullable=False),
    )
    op.create_index("jobs_to_take", "jobs", ["state", "kind", "priority", "due"])
    op.create_index("jobs_by_state", "jobs", ["state", "id"])
    op.create_index("jobs_by_blog", "jobs", ["blog", "id"])
    op.create_index("jobs_waiting", "jobs", ["blog", "kind"], unique=True, sqlite_where=sa.text("state = 'waiting'"))
    op.create_index("jobs_running", "jobs", ["blog"], unique=True, sqlite_where=sa.text("state = 'running'"))
    op.create_table(
        "workers",
        sa.Column("name", sa.String(), primary_key=True),
        sa.Column("pid", sa.Integer(), nullable=False),
        sa.Column("started", sa.String(), nullable=False),
        sa.Column("told", sa.String(), nullable=False),
        sa.Column("memory", sa.Integer(), nullable=False),
        sa.Column("running", sa.Integer(), nullable=False),
    )
    op.create_table(
        "paused",
        sa.Column("part", sa.String(), primary_key=True),
        sa.Column("since", sa.String(), nullable=False),
        sa.Column("by", sa.String(), nullable=False),
    )


def downgrade() -> None:
    """Drop them."""
    for table in ("paused", "workers", "jobs"):
        op.drop_table(table)
