"""Full-text search: which posts are indexed, and their words."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
STATEMENTS = {
    "sqlite": (
        "CREATE VIRTUAL TABLE posts_search USING fts5"
        "(title, names, text, comments, tokenize = 'unicode61 remove_diacritics 2')",
    ),
    "postgresql": (
        'CREATE TABLE posts_search (rowid BIGINT PRIMARY KEY, said TEXT COLLATE "C" NOT NULL, words TSVECTOR NOT NULL)',
        "CREATE INDEX posts_search_by_word ON posts_search USING gin (words)",
    ),
}


def upgrade() -> None:
    """Create both tables, empty; the next search fills them."""
    op.create_table(
        "searchable",
        sa.Column("number", sa.Integer(), primary_key=True),
        sa.Column("post", sa.String(), nullable=False),
        sa.Column("run", sa.Integer(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
    )
    op.create_index("searchable_by_post", "searchable", ["post"], unique=True)
    for statement in STATEMENTS[op.get_bind().dialect.name]:
        op.execute(statement)


def downgrade() -> None:
    """Drop both."""
    op.execute("DROP TABLE posts_search")
    op.drop_table("searchable")
