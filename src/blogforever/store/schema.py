"""The tables, once, for SQLite now and PostgreSQL later. A change here needs a migration beside it and a new HEAD."""

from __future__ import annotations

from sqlalchemy import DDL, Column, ForeignKey, Index, Integer, MetaData, String, Table, Text, event, text

HEAD = "0013"
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
    # Why nothing was made of the response: it was cut by a limit, a wall stood before the page, it led nowhere.
    Column("failed", String),
    Index("captures_by_url", "run", "url"),
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
    Index("posts_by_run", "run"),
    Index("posts_by_title", "title"),
)

# The blog's own pages that are no posts: About, Contact. They have no versions and are no part of any count.
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

# Every address of a post, its own and its others: `key` is what all spellings of an address have in common, as
# `urls.url_key` has it; where that changes, this table must be filled again.
addresses = Table(
    "addresses",
    metadata,
    Column("post", String, primary_key=True),
    Column("url", String, primary_key=True),
    Column("blog", String, nullable=False),
    Column("key", String, nullable=False),
    Index("addresses_by_key", "key"),
)

# In which post a comment stands; all else of it is in the post's record.
comments = Table(
    "comments",
    metadata,
    Column("post", String, primary_key=True),
    Column("id", String, primary_key=True),
    Column("url", String),
    Index("comments_by_id", "id"),
    Index("comments_by_url", "url"),
)

# When each post was published, so that the newest of all blogs, or of one, are found without looking at the rest.
moments = Table(
    "moments",
    metadata,
    Column("post", String, primary_key=True),
    Column("blog", String, nullable=False),
    Column("moment", String, nullable=False),
    Index("moments_in_order", "moment", "post"),
    Index("moments_by_blog", "blog", "moment", "post"),
)

# By what posts are chosen beside that: author, tag, language, and what is unusual about them. It follows from the
# record, as `storage.browsing.facets_of` has it, and has the moment, so that the newest with a tag are found in order.
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

# What an author made of a post, number by number; the record of the newest one stands in `posts`, so it is null here.
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

# With what the next request for an address can ask whether anything changed, and where the body it then means lies.
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
)

# Where a post has moved, by which sign it was known again, and what was kept of it `before`, so that it can be undone.
# The row of a whole blog has the blog's id in place of a post's.
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

# What a blog's announcements said when it was last judged, and until when none of its posts needs a look unless they
# say something else: an update that finds them unchanged ends there.
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
    Index("jobs_to_take", "state", "kind", "priority", "due"),
    Index("jobs_by_state", "state", "id"),
    Index("jobs_by_blog", "blog", "id"),
    Index("jobs_waiting", "blog", "kind", unique=True, sqlite_where=text("state = 'waiting'")),
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
)

# The parts of the service that a person has paused.
paused = Table(
    "paused",
    metadata,
    Column("part", String, primary_key=True),
    Column("since", String, nullable=False),
    Column("by", String, nullable=False),
)

# What the service follows. Columns that answers are sorted by are never null: empty, or 0, stands for what is missing.
# `title_key` is the title as it is sorted; `tags`, `lists`, `metadata` and `policy` are JSON.
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
    Index("followed_by_blog", "blog"),
    Index("followed_by_title", "title_key", "id"),
    Index("followed_by_created", "created", "id"),
    Index("followed_by_state", "state", "id"),
    Index("followed_by_last_look", "last_look", "id"),
    Index("followed_by_last_found", "last_found", "id"),
    Index("followed_by_total", "total", "id"),
    Index("followed_by_next_look", "next_look", "id"),
    Index("followed_by_platform", "platform", "id"),
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
