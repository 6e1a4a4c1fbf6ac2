"""Time: versions, rule revisions, states, sightings, conditions, moves; what was there becomes its first version."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
TABLES = "standings moves conditions sightings checks extractions revisions versions".split()


def text(name: str, null: bool = False, key: bool = False) -> "sa.Column[str]":
    """A text column."""
    return sa.Column(name, sa.String(), nullable=null and not key, primary_key=key)


def number(name: str, null: bool = False, key: bool = False) -> "sa.Column[int]":
    """A column of numbers."""
    return sa.Column(name, sa.Integer(), nullable=null and not key, primary_key=key)


def long(name: str, null: bool = False) -> "sa.Column[str]":
    """A text column without a limit on any database."""
    return sa.Column(name, sa.Text(), nullable=null)


def upgrade() -> None:
    """Create the tables; posts that are kept get version rows and checks."""
    op.create_index("captures_by_record", "captures", ["record_id"])
    with op.batch_alter_table("posts") as posts:
        posts.add_column(number("rules", null=True))
    _history()
    _looks()
    _places()
    op.execute(
        "INSERT INTO versions (post, number, blog, digest, run) SELECT id, version, blog, digest, run FROM posts"
    )
    op.execute(
        "INSERT INTO checks (post, blog, state, since, checked, captured, unchanged)"
        " SELECT posts.id, posts.blog, 'active', runs.started, runs.started, runs.started, 0"
        " FROM posts JOIN runs ON runs.id = posts.run"
    )


def _history() -> None:
    op.create_table(
        "versions",
        *(text("post", key=True), number("number", key=True), text("blog"), text("captured", null=True)),
        *(text("digest"), number("rules", null=True), text("record_id", null=True), number("run")),
        long("record", null=True),
    )
    op.create_index("versions_by_blog", "versions", ["blog"])
    op.create_table(
        "revisions",
        *(text("blog", key=True), number("number", key=True), text("learned"), text("reason"), text("digest")),
        long("rules"),
    )
    op.create_table(
        "extractions",
        *(number("id", key=True), text("post"), number("version"), number("rules", null=True), text("extracted")),
        *(text("digest"), text("reason")),
    )
    op.create_index("extractions_by_post", "extractions", ["post"])


def _looks() -> None:
    op.create_table(
        "checks",
        *(text("post", key=True), text("blog"), text("state"), text("since"), text("captured", null=True)),
        *(text("checked", null=True), number("unchanged"), text("announced", null=True), text("entry", null=True)),
        text("record_id", null=True),
    )
    op.create_index("checks_by_blog", "checks", ["blog"])
    op.create_table(
        "sightings",
        *(number("id", key=True), text("post"), text("blog"), number("run"), text("checked"), number("status")),
        *(text("outcome"), long("evidence")),
    )
    op.create_index("sightings_by_post", "sightings", ["post"])
    op.create_index("sightings_by_blog", "sightings", ["blog"])


def _places() -> None:
    op.create_table(
        "conditions",
        *(text("blog", key=True), text("url", key=True), text("etag", null=True), text("modified", null=True)),
        *(text("until", null=True), text("captured"), text("file"), number("offset"), text("record_id")),
        text("digest"),
    )
    op.create_table(
        "moves",
        *(number("id", key=True), text("post"), text("blog"), number("run"), text("moved"), text("old")),
        *(text("new"), text("sign")),
    )
    op.create_index("moves_by_post", "moves", ["post"])
    op.create_table(
        "standings",
        *(text("blog", key=True), text("state"), text("since"), text("checked"), number("misses"), long("message")),
    )


def downgrade() -> None:
    """Drop the tables; the posts stay."""
    for table in TABLES:
        op.drop_table(table)
    with op.batch_alter_table("posts") as posts:
        posts.drop_column("rules")
    op.drop_index("captures_by_record", "captures")
