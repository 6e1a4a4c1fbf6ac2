"""The tables of notices: servers, filters, pings, and what hubs were asked for. `schema` names them all."""

from __future__ import annotations

from sqlalchemy import Column, Index, Integer, LargeBinary, String, Table, Text, text

from .metadata import metadata

# Where pings come from, and how reading each server goes.
pingservers = Table(
    "pingservers",
    metadata,
    Column("id", String, primary_key=True),
    Column("name", String, nullable=False),
    Column("kind", String, nullable=False),
    Column("url", String, nullable=False),
    Column("is_on", Integer, nullable=False),
    Column("is_limited", Integer, nullable=False),
    Column("every", Integer, nullable=False),
    Column("created", String, nullable=False),
    Column("by", String, nullable=False),
)

serverstandings = Table(
    "serverstandings",
    metadata,
    Column("server", String, primary_key=True),
    Column("last_read", String),
    Column("tries", Integer, nullable=False),
    Column("error", Text, nullable=False),
)

# Which pings are listened to: `conditions` is JSON.
pingfilters = Table(
    "pingfilters",
    metadata,
    Column("id", String, primary_key=True),
    Column("name", String, nullable=False),
    Column("pattern", Text, nullable=False),
    Column("kind", String, nullable=False),
    Column("subject", String, nullable=False),
    Column("excludes", Integer, nullable=False),
    Column("parent", String),
    Column("order", Integer, nullable=False),
    Column("is_on", Integer, nullable=False),
    Column("conditions", Text, nullable=False),
    Column("created", String, nullable=False),
)

filterhits = Table(
    "filterhits",
    metadata,
    Column("filter", String, primary_key=True),
    Column("hits", Integer, nullable=False),
    Column("last", String),
)

# What hooks were sent of late, so that nothing is taken twice.
hookposts = Table(
    "hookposts",
    metadata,
    Column("number", Integer, primary_key=True),
    Column("server", String, nullable=False),
    Column("delivery", String, nullable=False),
    Column("sent", Integer, nullable=False),
    Index("hookposts_by_delivery", "server", "delivery", unique=True),
    Index("hookposts_by_sent", "sent"),
    sqlite_autoincrement=True,
)

# The pings that came: those that wait, and the last of the others with what became of them.
pings = Table(
    "pings",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("at", String, nullable=False),
    Column("server", String, nullable=False),
    Column("url", String, nullable=False),
    Column("name", String, nullable=False),
    Column("feed", String, nullable=False),
    Column("service", String, nullable=False),
    Column("state", String, nullable=False),
    Column("reason", Text, nullable=False),
    Column("blog", String, nullable=False),
    Column("filter", String, nullable=False, server_default=""),
    Index("pings_by_state", "state", "id"),
    Index("pings_by_server", "server", "id"),
    Index("pings_by_blog", "blog", "id", sqlite_where=text("blog <> ''")),
)

# What came in each package of a server, and what became of it.
pingpackages = Table(
    "pingpackages",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("at", String, nullable=False),
    Column("server", String, nullable=False),
    Column("received", Integer, nullable=False),
    Column("malformed", Integer, nullable=False),
    Column("filtered", Integer, nullable=False),
    Column("known", Integer, nullable=False),
    Column("unknown", Integer, nullable=False),
    Index("pingpackages_by_server", "server", "at", unique=True),
)

# What programs that post to us sign with.
pingsecrets = Table(
    "pingsecrets",
    metadata,
    Column("server", String, primary_key=True),
    Column("secret", String, nullable=False),
)

# What was done to filters: `before` and `after` are JSON, or empty.
filterchanges = Table(
    "filterchanges",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("at", String, nullable=False),
    Column("by", String, nullable=False),
    Column("filter", String, nullable=False),
    Column("before", Text, nullable=False),
    Column("after", Text, nullable=False),
    Index("filterchanges_by_filter", "filter", "id"),
)

# What hubs and clouds were asked for: to tell us of new posts.
subscriptions = Table(
    "subscriptions",
    metadata,
    Column("id", String, primary_key=True),
    Column("blog", String, nullable=False),
    Column("way", String, nullable=False),
    Column("hub", String, nullable=False),
    Column("topic", String, nullable=False),
    Column("procedure", String, nullable=False),
    Column("secret", String, nullable=False),
    Column("wanted", String, nullable=False),
    Column("state", String, nullable=False),
    Column("created", String, nullable=False),
    Column("asked", String),
    Column("granted", String),
    Column("until", String),
    Column("next_try", String),
    Column("last_delivery", String),
    Column("deliveries", Integer, nullable=False),
    Column("failures", Integer, nullable=False),
    Column("error", Text, nullable=False),
    Index("subscriptions_by_blog", "blog"),
    Index("subscriptions_by_next_try", "next_try"),
)

# What hubs delivered. The body is there until a look has used it.
deliveries = Table(
    "deliveries",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("subscription", String, nullable=False),
    Column("blog", String, nullable=False),
    Column("at", String, nullable=False),
    Column("digest", String, nullable=False),
    Column("type", String, nullable=False),
    Column("body", LargeBinary, nullable=False),
    Index("deliveries_known", "subscription", "digest", unique=True),
    Index("deliveries_waiting", "blog", "id", sqlite_where=text("length(body) > 0")),
)
