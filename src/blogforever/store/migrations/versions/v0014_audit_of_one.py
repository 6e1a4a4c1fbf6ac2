"""What was done to one blog, list or batch, without reading the whole audit log."""

from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    """Add the index."""
    op.create_index("audit_by_target", "audit", ["target", "id"])


def downgrade() -> None:
    """Drop it."""
    op.drop_index("audit_by_target", "audit")
