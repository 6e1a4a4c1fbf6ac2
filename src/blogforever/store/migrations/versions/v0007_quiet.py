"""What a blog's announcements said when it was last judged, so that an update can end where they
say the same.

Such an update has few bodies: whether one is kept already is looked up by its digest.
"""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Add the table; it fills as blogs are brought up to date."""
    op.create_table(
        "quiet",
        sa.Column("blog", sa.String(), primary_key=True),
        sa.Column("run", sa.Integer(), nullable=False),
        sa.Column("settings", sa.String(), nullable=False),
        sa.Column("share", sa.String(), nullable=False),
        sa.Column("turned", sa.String()),
        sa.Column("until", sa.String()),
        sa.Column("said", sa.Text(), nullable=False),
    )
    op.create_index("captures_by_digest", "captures", ["digest"])


def downgrade() -> None:
    """Drop it."""
    op.drop_index("captures_by_digest", "captures")
    op.drop_table("quiet")
