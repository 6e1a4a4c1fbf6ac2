"""On which machine a worker is, which version it has, and what it takes; due jobs in the order of their numbers."""

import sqlalchemy as sa
from alembic import op

revision = "0027"
down_revision = "0026"
TEXTS, NUMBERS = ("host", "version", "queues"), ("slots",)


def upgrade() -> None:
    """Create the columns, and the index anew."""
    for name in TEXTS:
        op.add_column("workers", sa.Column(name, sa.String(), nullable=False, server_default=""))
    for name in NUMBERS:
        op.add_column("workers", sa.Column(name, sa.Integer(), nullable=False, server_default="0"))
    op.drop_index("jobs_to_take", "jobs")
    op.create_index("jobs_to_take", "jobs", ["state", "kind", "priority", "due", "id"])


def downgrade() -> None:
    """Drop them."""
    op.drop_index("jobs_to_take", "jobs")
    op.create_index("jobs_to_take", "jobs", ["state", "kind", "priority", "due"])
    for name in (*NUMBERS, *TEXTS):
        op.drop_column("workers", name)
