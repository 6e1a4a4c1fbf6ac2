"""Which posts are not in the search index as they are is read from an index alone, without their records."""

from alembic import op

revision = "0032"
down_revision = "0031"
NAME, TABLE = "posts_by_run", "posts"


def upgrade() -> None:
    """Let the index of runs have what says whether a post has changed, too."""
    op.drop_index(NAME, TABLE)
    op.create_index(NAME, TABLE, ["run", "id", "digest", "blog"])


def downgrade() -> None:
    """Let it have the run alone."""
    op.drop_index(NAME, TABLE)
    op.create_index(NAME, TABLE, ["run"])
