"""The tables, once, for SQLite now and PostgreSQL later. A change here needs a migration beside it and a new HEAD."""

from __future__ import annotations

from sqlalchemy import DDL, Column, ForeignKey, Index, Integer, MetaData, String, Table, Text, event

HEAD = "0002"
metadata = MetaData()

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
    Index("captures_by_url", "run", "url"),
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
    Column("record", Text, nullable=False),
    Index("posts_by_blog", "blog", "published"),
    Index("posts_by_run", "run"),
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

# The words of the posts, row by row beside `searchable`; store/search.py says why they are cut by us.
SEARCH_TABLE = (
    "CREATE VIRTUAL TABLE posts_search USING fts5"
    "(title, names, text, comments, tokenize = 'unicode61 remove_diacritics 2')"
)
event.listen(searchable, "after_create", DDL(SEARCH_TABLE).execute_if(dialect="sqlite"))  # type: ignore[no-untyped-call]  # SQLAlchemy has not typed it
