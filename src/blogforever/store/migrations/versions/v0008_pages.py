"""The blog's own pages that are no posts, as records beside the posts."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Add the table; it fills as blogs are walked again."""
    op.create_table(
        "pages",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("blog", sa.String(), nullable=False),
        sa.Column("url", sa.String(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("run", sa.Integer(), sa.ForeignKey("runs.id"), nullable=False),
        sa.Column("record", sa.Text(), nullable=False),
    )
    op.create_index("pages_by_blog", "pages", ["blog", "url"])
    op.create_index("pages_by_run", "pages", ["run"])


def downgrade() -> None:
    """Drop it."""
    op.drop_index("pages_by_run", "pages")
    op.drop_index("pages_by_blog", "pages")
    op.drop_table("pages")
