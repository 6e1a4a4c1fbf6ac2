"""Files that lie in a store of blobs, and the small ones that several machines write."""

import sqlalchemy as sa
from alembic import op

revision = "0029"
down_revision = "0028"


def upgrade() -> None:
    """Create the two tables."""
    op.create_table(
        "blobs",
        sa.Column("name", sa.String(), primary_key=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("sha256", sa.String(), nullable=False),
        sa.Column("machine", sa.String(), nullable=False),
        sa.Column("since", sa.String(), nullable=False),
        sa.Column("stored", sa.Integer(), nullable=False),
        sa.Column("gone", sa.Integer(), nullable=False),
    )
    op.create_index("blobs_by_version", "blobs", ["version"])
    op.create_index("blobs_waiting", "blobs", ["stored", "machine"])
    op.create_table(
        "texts",
        sa.Column("name", sa.String(), primary_key=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("body", sa.Text()),
    )
    op.create_index("texts_by_version", "texts", ["version"])


def downgrade() -> None:
    """Drop them."""
    op.drop_table("texts")
    op.drop_table("blobs")
