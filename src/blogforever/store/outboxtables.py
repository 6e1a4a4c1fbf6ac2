"""The tables of the outbox: files for repositories, who took them, what was asked for. `schema` names them all."""

from __future__ import annotations

from sqlalchemy import Column, Index, Integer, String, Table, Text, text

from .metadata import metadata

# Files that repositories fetch. A number is never given again: readers go by it.
outbox = Table(
    "outbox",
    metadata,
    Column("number", Integer, primary_key=True),
    Column("made", String, nullable=False),
    Column("post", String, nullable=False),
    Column("blog", String, nullable=False),
    Column("kind", String, nullable=False),
    Column("version", Integer, nullable=False),
    Column("hidden", String, nullable=False),
    Column("account", String, nullable=False),
    Column("size", Integer, nullable=False),
    Column("digest", String, nullable=False),
    Column("place", String, nullable=False),
    Column("state", String, nullable=False),
    Column("ended", String, nullable=False),
    Column("told", Text, nullable=False, server_default="[]"),
    Index("outbox_by_state", "state", "number"),
    Index("outbox_by_post", "post", "number"),
    Index("outbox_by_place", "place", sqlite_where=text("state = 'waiting'")),
    Index("outbox_by_made", "made"),
    sqlite_autoincrement=True,
)

outboxtakings = Table(
    "outboxtakings",
    metadata,
    Column("number", Integer, primary_key=True),
    Column("account", String, primary_key=True),
    Column("fetched", String, nullable=False),
    Column("deleted", String, nullable=False),
    Column("passed", Integer, nullable=False, server_default="0"),
)

# What was ever sent of each post, and of each blog up to which mark others were told what is
# hidden.
outboxposts = Table(
    "outboxposts",
    metadata,
    Column("post", String, primary_key=True),
    Column("blog", String, nullable=False),
    Column("hidden", String, nullable=False),
    Index("outboxposts_by_blog", "blog", "post"),
)

outboxmarks = Table(
    "outboxmarks",
    metadata,
    Column("blog", String, primary_key=True),
    Column("mark", String, nullable=False),
)

# What was asked for: `search` is JSON.
outboxasks = Table(
    "outboxasks",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("at", String, nullable=False),
    Column("by", String, nullable=False),
    Column("account", String, nullable=False),
    Column("after", Integer, nullable=False),
    Column("until", Integer, nullable=False),
    Column("search", Text),
    Column("place", String, nullable=False),
    Column("files", Integer, nullable=False),
    Column("ended", String, nullable=False),
)

# Who fetches: `choice` is JSON, empty where it is everything.
ftpaccounts = Table(
    "ftpaccounts",
    metadata,
    Column("name", String, primary_key=True),
    Column("password", String, nullable=False),
    Column("created", String, nullable=False),
    Column("by", String, nullable=False),
    Column("seen", String, nullable=False),
    Column("choice", Text, nullable=False, server_default=""),
)
