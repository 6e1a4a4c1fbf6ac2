"""The tables of the service: what it follows, when it looks, its work, who may use it. `schema` names them all."""

from __future__ import annotations

from sqlalchemy import Column, Index, Integer, String, Table, Text, text

from .metadata import metadata

# Work of the service. For each blog one job of a kind waits at most, and one job is under way.
jobs = Table(
    "jobs",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("kind", String, nullable=False),
    Column("blog", String),
    Column("priority", Integer, nullable=False),
    Column("state", String, nullable=False),
    Column("due", String, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("created", String, nullable=False),
    Column("asked_by", String, nullable=False),
    Column("input", Text, nullable=False),
    Column("worker", String),
    Column("started", String),
    Column("ended", String),
    Column("result", Text),
    Column("error", Text),
    Column("cancel", Integer, nullable=False),
    Index("jobs_to_take", "state", "kind", "priority", "due", "id"),
    Index("jobs_by_state", "state", "id"),
    Index("jobs_by_kind", "kind", "id"),
    Index("jobs_by_blog", "blog", "id"),
    Index("jobs_waiting", "blog", "kind", unique=True, sqlite_where=text("state = 'waiting'")),
    Index("jobs_by_due", "state", "due", sqlite_where=text("state = 'waiting'")),
    Index("jobs_running", "blog", unique=True, sqlite_where=text("state = 'running'")),
)

# What each worker last told of itself; whether it lives, its lock file says.
workers = Table(
    "workers",
    metadata,
    Column("name", String, primary_key=True),
    Column("pid", Integer, nullable=False),
    Column("started", String, nullable=False),
    Column("told", String, nullable=False),
    Column("memory", Integer, nullable=False),
    Column("running", Integer, nullable=False),
    Column("host", String, nullable=False, server_default=""),
    Column("version", String, nullable=False, server_default=""),
    Column("slots", Integer, nullable=False, server_default="0"),
    Column("queues", String, nullable=False, server_default=""),
)

# The parts of the service that a person has paused.
paused = Table(
    "paused",
    metadata,
    Column("part", String, primary_key=True),
    Column("since", String, nullable=False),
    Column("by", String, nullable=False),
)

# What the service follows. Columns that answers are sorted by are never null: empty, or 0, stands
# for what is missing. `title_key` is the title as it is sorted; `tags`, `lists`, `metadata` and
# `policy` are JSON.
followed = Table(
    "followed",
    metadata,
    Column("id", String, primary_key=True),
    Column("url", String, nullable=False),
    Column("blog", String),
    Column("title", String, nullable=False),
    Column("title_key", String, nullable=False),
    Column("state", String, nullable=False),
    Column("reason", Text, nullable=False),
    Column("moved_to", String),
    Column("platform", String, nullable=False),
    Column("created", String, nullable=False),
    Column("last_look", String, nullable=False),
    Column("last_found", Integer, nullable=False),
    Column("total", Integer, nullable=False),
    Column("next_look", String, nullable=False),
    Column("next_reason", Text, nullable=False),
    Column("paused", Integer, nullable=False),
    Column("lists", Text, nullable=False),
    Column("tags", Text, nullable=False),
    Column("notes", Text, nullable=False),
    Column("metadata", Text, nullable=False),
    Column("policy", Text, nullable=False),
    Column("harvest_by", String),
    Column("until", String),
    Column("failures_in_a_row", Integer, nullable=False),
    Column("pings", Integer, nullable=False),
    Column("said", Text, nullable=False, server_default="[]"),
    Column("next_said", Text, nullable=False, server_default="[]"),
    Column("verdict", String, nullable=False, server_default=""),
    Column("kind", String, nullable=False, server_default=""),
    Column("completeness", String, nullable=False, server_default="not-known"),
    Column("missing", Integer, nullable=False, server_default="0"),
    Index("followed_by_blog", "blog"),
    Index("followed_by_title", "title_key", "id"),
    Index("followed_by_created", "created", "id"),
    Index("followed_by_state", "state", "id"),
    Index("followed_by_reason", "state", "reason"),
    Index("followed_by_last_look", "last_look", "id"),
    Index("followed_by_last_found", "last_found", "id"),
    Index("followed_by_total", "total", "id"),
    Index("followed_by_next_look", "next_look", "id"),
    Index("followed_by_platform", "platform", "id"),
    Index("followed_by_completeness", "completeness", "id"),
    Index("followed_by_missing", "missing", "id"),
)

# The lists (`kind` is list) and tags of followed blogs once more, to find the blogs by them.
labels = Table(
    "labels",
    metadata,
    Column("kind", String, primary_key=True),
    Column("name", String, primary_key=True),
    Column("blog", String, primary_key=True),
    Index("labels_by_blog", "blog"),
)

# By which addresses a followed blog is known; `key` as in `addresses`.
aliases = Table(
    "aliases",
    metadata,
    Column("key", String, primary_key=True),
    Column("blog", String, primary_key=True),
    Index("aliases_by_blog", "blog"),
)

# The addresses of followed blogs that are looked at by themselves.
watched = Table(
    "watched",
    metadata,
    Column("blog", String, primary_key=True),
    Column("url", String, primary_key=True),
    Column("kind", String, nullable=False),
    Column("last_look", String),
    Column("last_found", Integer, nullable=False),
    Column("total", Integer, nullable=False),
    Column("hub", String, nullable=False, server_default=""),
    Column("topic", String, nullable=False, server_default=""),
    Column("cloud", String, nullable=False, server_default=""),
    Column("procedure", String, nullable=False, server_default=""),
    Column("offered_by", String, nullable=False, server_default=""),
    Column("spares", String, nullable=False, server_default=""),
    # The address, where it is too long for a key.
    Column("whole", Text),
    Index("watched_with_offers", "blog", sqlite_where=text("hub <> '' OR cloud <> ''")),
)

# The last looks at each followed blog, and what they brought; `wishes` of the blog as JSON.
looks = Table(
    "looks",
    metadata,
    Column("number", Integer, primary_key=True),
    Column("blog", String, nullable=False),
    Column("at", String, nullable=False),
    Column("outcome", String, nullable=False),
    Column("answered", Integer, nullable=False),
    Column("cause", String, nullable=False),
    Column("found", Integer, nullable=False),
    Column("changed", Integer, nullable=False),
    Column("comments", Integer, nullable=False),
    Column("status", Integer, nullable=False),
    Column("not_modified", Integer, nullable=False),
    Column("requests", Integer, nullable=False),
    Column("bytes", Integer, nullable=False),
    Column("wishes", Text, nullable=False),
    Index("looks_by_blog", "blog", "number"),
)

# Policies of the schedule that hold for many: a list, a tag, a service, all.
policies = Table(
    "policies",
    metadata,
    Column("scope", String, primary_key=True),
    Column("name", String, primary_key=True),
    Column("policy", Text, nullable=False),
)

batches = Table(
    "batches",
    metadata,
    Column("id", String, primary_key=True),
    Column("created", String, nullable=False),
    Column("by", String, nullable=False),
    Column("origin", String, nullable=False),
    Column("list", String, nullable=False),
    Column("tags", Text, nullable=False),
    Column("undone", String),
)

# Every row of every batch, with what it came to.
sources = Table(
    "sources",
    metadata,
    Column("batch", String, primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("input", Text, nullable=False),
    Column("url", String, nullable=False),
    Column("verdict", String, nullable=False),
    Column("blog", String),
    Column("reason", Text, nullable=False),
    Column("made", Integer, nullable=False),
    Column("tagged", Text, nullable=False),
    Column("listed", Text, nullable=False),
    Index("sources_by_blog", "blog"),
    Index("sources_by_verdict", "batch", "verdict"),
)

lists = Table(
    "lists",
    metadata,
    Column("name", String, primary_key=True),
    Column("created", String, nullable=False),
    Column("owner", String, nullable=False),
    Column("note", Text, nullable=False),
)

blocked = Table(
    "blocked",
    metadata,
    Column("id", String, primary_key=True),
    Column("kind", String, nullable=False),
    Column("what", String, nullable=False),
    Column("reason", Text, nullable=False),
    Column("by", String, nullable=False),
    Column("at", String, nullable=False),
)

# Searches that people keep: `search` is JSON.
searches = Table(
    "searches",
    metadata,
    Column("name", String, primary_key=True),
    Column("search", Text, nullable=False),
    Column("created", String, nullable=False),
    Column("by", String, nullable=False),
    Column("note", Text, nullable=False),
)

# By which rules posts get tags.
tag_rules = Table(
    "tag_rules",
    metadata,
    Column("id", String, primary_key=True),
    Column("tag", String, nullable=False),
    Column("address", String, nullable=False),
    Column("language", String, nullable=False),
    Column("platform", String, nullable=False),
    Column("words", Text, nullable=False),
    Column("created", String, nullable=False),
    Column("by", String, nullable=False),
)

# Keys to the service; of a secret only its digest is kept.
tokens = Table(
    "tokens",
    metadata,
    Column("name", String, primary_key=True),
    Column("scope", String, nullable=False),
    Column("digest", String, nullable=False),
    Column("created", String, nullable=False),
    Column("by", String, nullable=False),
    Column("used", String),
    Index("tokens_by_digest", "digest"),
)

# The people who log in; of a password only what argon2 makes of it is kept.
users = Table(
    "users",
    metadata,
    Column("name", String, primary_key=True),
    Column("role", String, nullable=False),
    Column("password", String, nullable=False),
    Column("created", String, nullable=False),
    Column("by", String, nullable=False),
    Column("language", String, nullable=False),
    Column("theme", String, nullable=False),
    Column("seen", String),
)

# Log-ins that last; of what the browser keeps only the digest is here.
sessions = Table(
    "sessions",
    metadata,
    Column("digest", String, primary_key=True),
    Column("user", String, nullable=False),
    Column("created", String, nullable=False),
    Column("used", String, nullable=False),
    Column("agent", String, nullable=False),
    Index("sessions_by_user", "user", "used"),
    Index("sessions_by_use", "used"),
)

# What people and programs did through the service; rows are only ever added.
audit = Table(
    "audit",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("at", String, nullable=False),
    Column("who", String, nullable=False),
    Column("what", String, nullable=False),
    Column("target", String, nullable=False),
    Column("detail", Text, nullable=False),
    Index("audit_by_who", "who", "id"),
    Index("audit_by_target", "target", "id"),
)

# What became of posts. A number is never given again: readers go by it (`readers`: how far each has
# come).
news = Table(
    "news",
    metadata,
    Column("number", Integer, primary_key=True),
    Column("at", String, nullable=False),
    Column("blog", String, nullable=False),
    Column("post", String, nullable=False),
    Column("kind", String, nullable=False),
    Column("version", Integer, nullable=False),
    Column("comments", Integer, nullable=False),
    Index("news_by_post", "post"),
    sqlite_autoincrement=True,
)

readers = Table(
    "readers",
    metadata,
    Column("reader", String, primary_key=True),
    Column("number", Integer, nullable=False),
)

# What was done in each hour, and how it stood then.
counters = Table(
    "counters",
    metadata,
    Column("hour", String, primary_key=True),
    Column("name", String, primary_key=True),
    Column("label", String, primary_key=True),
    Column("number", Integer, nullable=False),
)

# Who is told of news; `events` is JSON.
webhooks = Table(
    "webhooks",
    metadata,
    Column("id", String, primary_key=True),
    Column("url", String, nullable=False),
    Column("secret", String, nullable=False),
    Column("created", String, nullable=False),
    Column("by", String, nullable=False),
    Column("events", Text, nullable=False),
    Column("blog", String, nullable=False),
    Column("list", String, nullable=False),
    Column("tag", String, nullable=False),
    Column("note", Text, nullable=False),
)

# How telling each of them goes.
hookstandings = Table(
    "hookstandings",
    metadata,
    Column("hook", String, primary_key=True),
    Column("sent", Integer, nullable=False),
    Column("last_sent", String),
    Column("tries", Integer, nullable=False),
    Column("until", Integer, nullable=False),
    Column("next_try", String, nullable=False),
    Column("status", Integer, nullable=False),
    Column("error", Text, nullable=False),
)

# What one of them did not take: news from one number to another.
deadletters = Table(
    "deadletters",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("hook", String, nullable=False),
    Column("first", Integer, nullable=False),
    Column("last", Integer, nullable=False),
    Column("at", String, nullable=False),
    Column("tries", Integer, nullable=False),
    Column("status", Integer, nullable=False),
    Column("error", Text, nullable=False),
    Column("again", Integer, nullable=False),
    Index("deadletters_by_hook", "hook", "id"),
)

# What the analyser said of each followed blog, and what a person said to that.
verdicts = Table(
    "verdicts",
    metadata,
    Column("blog", String, primary_key=True),
    Column("at", String, nullable=False),
    Column("verdict", Text, nullable=False),
    Column("answers", Text, nullable=False),
    Column("pattern", String, nullable=False),
    Column("decided", String, nullable=False),
    Column("by", String, nullable=False),
    Index("verdicts_by_pattern", "pattern", "decided"),
)
