"""What feeds offer to tell us, what hubs were asked for, and what they delivered."""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"
OFFERS = ("hub", "topic", "cloud", "procedure", "offered_by")


def upgrade() -> None:
    """Create the tables; a watched address gets what it offers."""
    for name in OFFERS:
        op.add_column("watched", sa.Column(name, sa.String(), nullable=False, server_default=""))
    offered = sa.text("hub <> '' OR cloud <> ''")
    op.create_index("watched_with_offers", "watched", ["blog"], sqlite_where=offered)
    op.create_table(
        "subscriptions",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("blog", sa.String(), nullable=False),
        sa.Column("way", sa.String(), nullable=False),
        sa.Column("hub", sa.String(), nullable=False),
        sa.Column("topic", sa.String(), nullable=False),
        sa.Column("procedure", sa.String(), nullable=False),
        sa.Column("secret", sa.String(), nullable=False),
        sa.Column("wanted", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("created", sa.String(), nullable=False),
        sa.Column("asked", sa.String()),
        sa.Column("granted", sa.String()),
        sa.Column("until", sa.String()),
        sa.Column("next_try", sa.String()),
        sa.Column("last_delivery", sa.String()),
        sa.Column("deliveries", sa.Integer(), nullable=False),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("error", sa.Text(), nullable=False),
    )
    op.create_index("subscriptions_by_blog", "subscriptions", ["blog"])
    op.create_index("subscriptions_by_next_try", "subscriptions", ["next_try"])
    op.create_table(
        "deliveries",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("subscription", sa.String(), nullable=False),
        sa.Column("blog", sa.String(), nullable=False),
        sa.Column("at", sa.String(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("type", sa.String(), nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=False),
    )
    op.create_index("deliveries_known", "deliveries", ["subscription", "digest"], unique=True)
    op.create_index("deliveries_waiting", "deliveries", ["blog", "id"], sqlite_where=sa.text("length(body) > 0"))


def downgrade() -> None:
    """Drop them."""
    op.drop_table("deliveries")
    op.drop_table("subscriptions")
    op.drop_index("watched_with_offers", "watched")
    with op.batch_alter_table("watched") as watched:
        for name in OFFERS:
            watched.drop_column(name)
