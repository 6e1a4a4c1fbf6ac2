"""The first tables: blogs, runs, captures, candidates, posts, failures."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def text(name: str, **more: bool) -> "sa.Column[str]":
    """A text column that must be filled unless said otherwise."""
    return sa.Column(name, sa.String(), **({"nullable": False} | more))  # type: ignore[arg-type]  # Column's overloads


def run() -> "sa.Column[int]":
    """The run a row belongs to."""
    return sa.Column("run", sa.Integer(), sa.ForeignKey("runs.id"), nullable=False)


def long(name: str) -> "sa.Column[str]":
    """A text column without a limit on any database."""
    return sa.Column(name, sa.Text(), nullable=False)


def upgrade() -> None:
    """Create everything."""
    number = sa.Integer()
    op.create_table("blogs", text("id"), text("url"), long("record"), sa.PrimaryKeyConstraint("id"))
    op.create_table(
        "runs",
        sa.Column("id", number, primary_key=True),
        text("blog"),
        text("started"),
        text("finished", nullable=True),
        text("ending", nullable=True),
    )
    op.create_index("runs_by_blog", "runs", ["blog"])
    op.create_table(
        "captures",
        sa.Column("id", number, primary_key=True),
        run(),
        text("url"),
        sa.Column("status", number, nullable=False),
        text("captured"),
        text("file"),
        sa.Column("offset", number, nullable=False),
        text("record_id"),
        text("digest"),
    )
    op.create_index("captures_by_url", "captures", ["run", "url"])
    op.create_table("candidates", run(), text("url"), long("record"), sa.PrimaryKeyConstraint("run", "url"))
    op.create_table(
        "posts",
        text("id"),
        text("blog"),
        text("url"),
        text("title", nullable=True),
        text("published", nullable=True),
        text("digest"),
        sa.Column("version", number, nullable=False),
        run(),
        long("record"),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("posts_by_blog", "posts", ["blog", "published"])
    op.create_index("posts_by_run", "posts", ["run"])
    op.create_table(
        "failures",
        sa.Column("id", number, primary_key=True),
        run(),
        text("blog"),
        text("url"),
        text("reason"),
        long("detail"),
    )
    op.create_index("failures_by_run", "failures", ["run"])


def downgrade() -> None:
    """Drop everything."""
    for table in ("failures", "posts", "candidates", "captures", "runs", "blogs"):
        op.drop_table(table)
