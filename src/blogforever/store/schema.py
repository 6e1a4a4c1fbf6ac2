"""The tables, once, for SQLite and PostgreSQL. A change here needs a migration beside it and a new HEAD."""

from __future__ import annotations

from sqlalchemy import DDL, Column, ForeignKey, Index, Integer, String, Table, Text, event

from .blobtables import blobs, texts
from .dialects import understood_by_both
from .metadata import HEAD, metadata
from .outboxtables import ftpaccounts, outbox, outboxasks, outboxmarks, outboxposts, outboxtakings
from .pingtables import (
    deliveries,
    filterchanges,
    filterhits,
    hookposts,
    pingfilters,
    pingpackages,
    pings,
    pingsecrets,
    pingservers,
    serverstandings,
    subscriptions,
)
from .servicetables import (
    aliases,
    audit,
    batches,
    blocked,
    counters,
    deadletters,
    followed,
    hookstandings,
    jobs,
    labels,
    lists,
    looks,
    news,
    paused,
    policies,
    readers,
    searches,
    sessions,
    sources,
    tag_rules,
    tokens,
    users,
    verdicts,
    watched,
    webhooks,
    workers,
)
from .spamtables import suspicions, templates, textprints
from .tallies import making
from .turnsql import EXCHANGE, TABLES

__all__ = [
    "HEAD",
    "addresses",
    "aliases",
    "audit",
    "batches",
    "blobs",
    "blocked",
    "blogs",
    "candidates",
    "captures",
    "checks",
    "comments",
    "conditions",
    "counters",
    "deadletters",
    "deliveries",
    "extractions",
    "facets",
    "failures",
    "filterchanges",
    "filterhits",
    "followed",
    "ftpaccounts",
    "given",
    "hookposts",
    "hookstandings",
    "jobs",
    "labels",
    "lists",
    "looks",
    "metadata",
    "moments",
    "moves",
    "news",
    "outbox",
    "outboxasks",
    "outboxmarks",
    "outboxposts",
    "outboxtakings",
    "pages",
    "paused",
    "pingfilters",
    "pingpackages",
    "pings",
    "pingsecrets",
    "pingservers",
    "policies",
    "posts",
    "quiet",
    "readers",
    "revisions",
    "runs",
    "searchable",
    "searches",
    "serverstandings",
    "sessions",
    "sightings",
    "sources",
    "standings",
    "subscriptions",
    "suspicions",
    "tag_rules",
    "templates",
    "textprints",
    "texts",
    "tokens",
    "users",
    "verdicts",
    "versions",
    "watched",
    "webhooks",
    "workers",
]

blogs = Table(
    "blogs",
    metadata,
    Column("id", String, primary_key=True),
    Column("url", String, nullable=False),
    Column("record", Text, nullable=False),
)

runs = Table(
    "runs",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("blog", String, nullable=False),
    Column("started", String, nullable=False),
    Column("finished", String),
    Column("ending", String),
    Index("runs_by_blog", "blog"),
)

captures = Table(
    "captures",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("run", Integer, ForeignKey("runs.id"), nullable=False),
    Column("url", String, nullable=False),
    Column("status", Integer, nullable=False),
    Column("captured", String, nullable=False),
    Column("file", String, nullable=False),
    Column("offset", Integer, nullable=False),
    Column("record_id", String, nullable=False),
    Column("digest", String, nullable=False),
    # Why nothing was made of the response: it was cut by a limit, a wall stood before the page, it
    # led nowhere.
    Column("failed", String),
    Index("captures_by_url", "run", "url"),
    Index("captures_by_address", "url", "run"),
    Index("captures_by_record", "record_id"),
    Index("captures_by_file", "file", "offset"),
    Index("captures_by_digest", "digest"),
)

candidates = Table(
    "candidates",
    metadata,
    Column("run", Integer, ForeignKey("runs.id"), primary_key=True),
    Column("url", String, primary_key=True),
    Column("record", Text, nullable=False),
)

posts = Table(
    "posts",
    metadata,
    Column("id", String, primary_key=True),
    Column("blog", String, nullable=False),
    Column("url", String, nullable=False),
    Column("title", String),
    Column("published", String),
    Column("digest", String, nullable=False),
    Column("version", Integer, nullable=False),
    Column("run", Integer, ForeignKey("runs.id"), nullable=False),
    Column("rules", Integer),
    Column("record", Text, nullable=False),
    Index("posts_by_blog", "blog", "published"),
    # Every search asks which posts have changed since they were indexed: without their records, it
    # is told in a quarter of the time.
    Index("posts_by_run", "run", "id", "digest", "blog"),
    Index("posts_by_title", "title"),
)

# The blog's own pages that are no posts: About, Contact. They have no versions and are no part of
# any count.
pages = Table(
    "pages",
    metadata,
    Column("id", String, primary_key=True),
    Column("blog", String, nullable=False),
    Column("url", String, nullable=False),
    Column("digest", String, nullable=False),
    Column("run", Integer, ForeignKey("runs.id"), nullable=False),
    Column("record", Text, nullable=False),
    Index("pages_by_blog", "blog", "url"),
    Index("pages_by_run", "run"),
)

# Every address of a post, its own and its others: `key` is what all spellings of an address have in
# common, as `urls.url_key` has it; where that changes, this table must be filled again.
addresses = Table(
    "addresses",
    metadata,
    Column("post", String, primary_key=True),
    Column("url", String, primary_key=True),
    Column("blog", String, nullable=False),
    Column("key", String, nullable=False),
    Index("addresses_by_key", "key"),
)

# In which post a comment stands, and when it was made; all else of it is in the post's record.
comments = Table(
    "comments",
    metadata,
    Column("post", String, primary_key=True),
    Column("id", String, primary_key=True),
    Column("url", String),
    Column("blog", String, nullable=False, server_default=""),
    Column("moment", String, nullable=False, server_default=""),
    Index("comments_by_id", "id"),
    Index("comments_by_url", "url"),
    Index("comments_in_order", "moment", "post", "id"),
    Index("comments_by_blog", "blog", "moment", "post", "id"),
)

# When each post was published, so that the newest of all blogs, or of one, are found without
# looking at the rest.
moments = Table(
    "moments",
    metadata,
    Column("post", String, primary_key=True),
    Column("blog", String, nullable=False),
    Column("moment", String, nullable=False),
    Index("moments_in_order", "moment", "post"),
    Index("moments_by_blog", "blog", "moment", "post"),
)

# By what posts are chosen beside that: author, tag, language, and what is unusual about them. It
# follows from the record, as `storage.browsing.facets_of` has it, and has the moment, so that the
# newest with a tag are found in order.
facets = Table(
    "facets",
    metadata,
    Column("kind", String, primary_key=True),
    Column("name", String, primary_key=True),
    Column("moment", String, primary_key=True),
    Column("post", String, primary_key=True),
    Index("facets_by_post", "post", "kind", "name"),
)

failures = Table(
    "failures",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("run", Integer, ForeignKey("runs.id"), nullable=False),
    Column("blog", String, nullable=False),
    Column("url", String, nullable=False),
    Column("reason", String, nullable=False),
    Column("detail", Text, nullable=False),
    Index("failures_by_run", "run"),
    Index("failures_by_blog", "blog"),
)

# What an author made of a post, number by number; the record of the newest one stands in `posts`,
# so it is null here.
versions = Table(
    "versions",
    metadata,
    Column("post", String, primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("blog", String, nullable=False),
    Column("captured", String),
    Column("digest", String, nullable=False),
    Column("rules", Integer),
    Column("record_id", String),
    Column("run", Integer, nullable=False),
    Column("record", Text),
    Index("versions_by_blog", "blog"),
)

# The rules of a blog as they once were; a version says by which of them it was read.
revisions = Table(
    "revisions",
    metadata,
    Column("blog", String, primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("learned", String, nullable=False),
    Column("reason", String, nullable=False),
    Column("digest", String, nullable=False),
    Column("rules", Text, nullable=False),
)

# A post that reads otherwise because we read it otherwise: the third clock.
extractions = Table(
    "extractions",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("post", String, nullable=False),
    Column("version", Integer, nullable=False),
    Column("rules", Integer),
    Column("extracted", String, nullable=False),
    Column("digest", String, nullable=False),
    Column("reason", String, nullable=False),
    Index("extractions_by_post", "post"),
)

# How each post stands: its state, when it was last looked at, and what was last announced of it.
checks = Table(
    "checks",
    metadata,
    Column("post", String, primary_key=True),
    Column("blog", String, nullable=False),
    Column("state", String, nullable=False),
    Column("since", String, nullable=False),
    Column("captured", String),
    Column("checked", String),
    Column("unchanged", Integer, nullable=False),
    Column("announced", String),
    Column("entry", String),
    Column("record_id", String),
    Index("checks_by_blog", "blog"),
)

# What was found at each look that was not simply "here": the evidence behind a state.
sightings = Table(
    "sightings",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("post", String, nullable=False),
    Column("blog", String, nullable=False),
    Column("run", Integer, nullable=False),
    Column("checked", String, nullable=False),
    Column("status", Integer, nullable=False),
    Column("outcome", String, nullable=False),
    Column("evidence", Text, nullable=False),
    Index("sightings_by_post", "post"),
    Index("sightings_by_blog", "blog"),
)

# With what the next request for an address can ask whether anything changed, and where the body it
# then means lies.
conditions = Table(
    "conditions",
    metadata,
    Column("blog", String, primary_key=True),
    Column("url", String, primary_key=True),
    Column("etag", String),
    Column("modified", String),
    Column("until", String),
    Column("captured", String, nullable=False),
    Column("file", String, nullable=False),
    Column("offset", Integer, nullable=False),
    Column("record_id", String, nullable=False),
    Column("digest", String, nullable=False),
    # The address, where it is too long for a key.
    Column("whole", Text),
)

# Where a post has moved, by which sign it was known again, and what was kept of it `before`, so
# that it can be undone. The row of a whole blog has the blog's id in place of a post's.
moves = Table(
    "moves",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("post", String, nullable=False),
    Column("blog", String, nullable=False),
    Column("run", Integer, nullable=False),
    Column("moved", String, nullable=False),
    Column("old", String, nullable=False),
    Column("new", String, nullable=False),
    Column("sign", String, nullable=False),
    Column("before", Text),
    Index("moves_by_post", "post"),
    Index("moves_by_blog", "blog"),
)

# How a blog stands as a whole: active, frozen, unreachable, dead; with the sentence a person reads.
standings = Table(
    "standings",
    metadata,
    Column("blog", String, primary_key=True),
    Column("state", String, nullable=False),
    Column("since", String, nullable=False),
    Column("checked", String, nullable=False),
    Column("misses", Integer, nullable=False),
    Column("message", Text, nullable=False),
)

# What a blog's announcements said when it was last judged, and until when none of its posts needs a
# look unless they say something else: an update that finds them unchanged ends there.
quiet = Table(
    "quiet",
    metadata,
    Column("blog", String, primary_key=True),
    Column("run", Integer, nullable=False),
    Column("settings", String, nullable=False),
    Column("share", String, nullable=False),
    Column("turned", String),
    Column("until", String),
    Column("said", Text, nullable=False),
)

# The tags that rules gave to posts; `name` as it is compared. Each stands among the facets, too.
given = Table(
    "given",
    metadata,
    Column("post", String, primary_key=True),
    Column("name", String, primary_key=True),
    Column("tag", String, nullable=False),
    Column("rule", String, nullable=False),
    Index("given_by_rule", "rule"),
)

searchable = Table(
    "searchable",
    metadata,
    Column("number", Integer, primary_key=True),
    Column("post", String, nullable=False),
    Column("run", Integer, nullable=False),
    Column("digest", String, nullable=False),
    Index("searchable_by_post", "post", unique=True),
)

# While posts come, FTS5 joins the parts of its index sixteen at a time, not four: that takes a fifth off a first index.
JOIN_MANY = "INSERT INTO posts_search (posts_search, rank) VALUES ('automerge', 16)"
# Where it is told to join (store/search.py), two will do: to look one post up, it looks into every part.
JOIN_TWO = "INSERT INTO posts_search (posts_search, rank) VALUES ('usermerge', 2)"
# The words of the posts, row by row beside `searchable`; store/search.py says why they are cut by
# us, and store/indexes.py how each database keeps them.
SEARCH_TABLES = {
    "sqlite": (
        "CREATE VIRTUAL TABLE posts_search USING fts5"
        "(title, names, text, comments, tokenize = 'unicode61 remove_diacritics 2')",
        JOIN_MANY,
        JOIN_TWO,
    ),
    "postgresql": (
        'CREATE TABLE posts_search (rowid BIGINT PRIMARY KEY, said TEXT COLLATE "C" NOT NULL, words TSVECTOR NOT NULL)',
        "CREATE INDEX posts_search_by_word ON posts_search USING gin (words)",
    ),
}
for _statement in (*TABLES, EXCHANGE):
    event.listen(metadata, "after_create", DDL(_statement).execute_if(dialect="postgresql"))  # type: ignore[no-untyped-call]  # SQLAlchemy has not typed it
for _database, _statements in SEARCH_TABLES.items():
    for _statement in _statements:
        event.listen(searchable, "after_create", DDL(_statement).execute_if(dialect=_database))  # type: ignore[no-untyped-call]  # SQLAlchemy has not typed it
for _database in SEARCH_TABLES:
    for _statement in making(_database):
        event.listen(metadata, "after_create", DDL(_statement).execute_if(dialect=_database))  # type: ignore[no-untyped-call]  # SQLAlchemy has not typed it
understood_by_both(metadata)
