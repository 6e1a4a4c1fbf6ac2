"""Takes what was erased out of the database for good: rows, words in records, the search index, and the free pages."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace
from sqlalchemy import ColumnElement, Connection, Engine, Table, delete, select, text, update
from sqlalchemy.exc import OperationalError

from blogforever.errors import ArchiveError
from blogforever.extract.content import content_of
from blogforever.records import PostRecord, json_line, read_json, read_own_page, read_post
from blogforever.storage.succession import sources_now
from blogforever.storage.values import OUTSIDE, BeforeMove, Cleaning, Rewritten

from . import schema
from .captures import named_from
from .database import BUSY, erasing_transaction, write_transaction
from .dialects import POSTGRES
from .followed import OF_FOLLOWED
from .names import forget_names, insert_names
from .rows import Columns
from .search import forget_posts
from .tallies import TABLE as TALLIES
from .tallies import put_together

# Milliseconds in which who reads the archive ends one query, so that the log can be emptied.
PATIENT = "busy_timeout=10000"
LATER = "the next command goes on with the erasure"
OF_A_POST = (
    schema.versions,
    schema.extractions,
    schema.checks,
    schema.sightings,
    schema.moves,
    schema.news,
    schema.given,
    schema.textprints,
)
TEXTS = {
    "blogs": ("record",),
    "failures": ("url", "detail"),
    "sightings": ("evidence",),
    "moves": ("old", "new", "before"),
    "revisions": ("rules",),
    "standings": ("message",),
    "checks": ("entry",),
    "followed": ("title", "title_key", "reason", "said"),
}


def purge(engine: Engine, blog: str, posts: frozenset[str], done: Rewritten, cleaning: Cleaning) -> None:
    """Delete these posts, and make the blog's other rows fit the WARC
    files as they are now: all of it, or nothing.
    """
    with erasing_transaction(engine) as connection:
        for post in posts:
            forget_post(connection, post)
        _captures(connection, blog, done)
        _pointers(connection, blog, cleaning)
        changed = _records(connection, schema.posts, blog, done, cleaning)
        _records(connection, schema.versions, blog, done, cleaning)
        _pages(connection, blog, cleaning)
        _records(connection, schema.pages, blog, done, cleaning)
        _waiting(connection, blog, cleaning)
        _moved(connection, blog, done, cleaning)
        for name, columns in TEXTS.items():
            _texts(connection, schema.metadata.tables[name], columns, blog, cleaning.text)
        forget_posts(connection, [*posts, *changed])
        cleaning.told(len(changed))


def relocate(engine: Engine, blog: str, done: Rewritten) -> None:
    """Make the blog's rows fit WARC files in which the same records lie elsewhere."""
    with write_transaction(engine) as connection:
        _captures(connection, blog, done)


def forget_post(connection: Connection, post: str) -> None:
    """Every row that speaks of a post."""
    for table in OF_A_POST:
        connection.execute(delete(table).where(table.c.post == post))
    for statement in forget_names(post):
        connection.execute(statement)
    for table in (schema.posts, schema.pages):
        connection.execute(delete(table).where(table.c.id == post))


def forget_blog(engine: Engine, blog: str) -> None:
    """Every row that speaks of a blog."""
    with write_transaction(engine) as connection:
        runs = select(schema.runs.c.id).where(schema.runs.c.blog == blog)
        posts = [row[0] for row in connection.execute(select(schema.posts.c.id).where(schema.posts.c.blog == blog))]
        for post in posts:
            forget_post(connection, post)
        for table in (schema.captures, schema.candidates, schema.failures):
            connection.execute(delete(table).where(table.c.run.in_(runs)))
        for table in (
            schema.pages,
            schema.versions,
            schema.checks,
            schema.sightings,
            schema.moves,
            schema.conditions,
            schema.standings,
            schema.quiet,
        ):
            connection.execute(delete(table).where(table.c.blog == blog))
        _forget_followed(connection, blog)
        connection.execute(delete(schema.revisions).where(schema.revisions.c.blog == blog))
        connection.execute(delete(schema.runs).where(schema.runs.c.blog == blog))
        connection.execute(delete(schema.blogs).where(schema.blogs.c.id == blog))


def _forget_followed(connection: Connection, blog: str) -> None:
    """A blog that is forgotten is followed no more: the next look would bring it back."""
    followed = schema.followed
    is_meant = (followed.c.blog == blog) | (followed.c.id == blog)
    names = [row.id for row in connection.execute(select(followed.c.id).where(is_meant))]
    for table in (*OF_FOLLOWED, schema.sources, schema.deliveries):
        connection.execute(delete(table).where(table.c.blog.in_(names)))
    connection.execute(delete(followed).where(is_meant))


def wipe(engine: Engine) -> None:
    """Leave nothing of what was deleted in the file: neither in free
    pages, nor in the search index, nor in the log.
    """
    if engine.dialect.name == POSTGRES.name:
        _write_anew(engine)
        return
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        try:
            for statement in ("INSERT INTO posts_search(posts_search) VALUES('optimize')", "VACUUM"):
                connection.execute(text(statement))
            # Everybody else who writes waits while this waits for those who read.
            connection.execute(text(f"PRAGMA {PATIENT}"))
            waits = connection.execute(text("PRAGMA wal_checkpoint(TRUNCATE)")).scalar()
            connection.execute(text(f"PRAGMA {BUSY}"))
        except OperationalError as error:
            raise ArchiveError(f"The database could not be written anew: {error.orig}; {LATER}.") from error
    if waits:
        raise ArchiveError(f"Somebody reads the archive, so that its log could not be emptied; {LATER}.")


def _write_anew(engine: Engine) -> None:
    """Every table that we made: what else is in the database, its log and its copies are with who
    keeps it.
    """
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        put_together(connection)
        for name in (*schema.metadata.tables, TALLIES, "posts_search"):
            connection.execute(text(f'VACUUM (FULL) "{name}"'))


def _captures(connection: Connection, blog: str, done: Rewritten) -> None:
    """Where responses lie now; what is asked with the tag of a
    changed one would be answered for the old.
    """
    captures, conditions = schema.captures, schema.conditions
    # Two blogs may each have a copy of one record: it is erased in one of them.
    own_file = named_from(captures.c.file, f"warc/{blog}/")
    own_answer = (conditions.c.blog == blog) & named_from(conditions.c.file, f"warc/{blog}/")
    _place(connection, captures, own_file, done, done.dropped)
    _place(connection, conditions, own_answer, done, done.dropped | done.blanked)


def _place(connection: Connection, table: Table, own: ColumnElement[bool], done: Rewritten, gone: set[str]) -> None:
    """Tell a table where its records lie now, and take those out that are gone."""
    columns = (table.c.file, table.c.offset, table.c.digest, table.c.record_id)
    for row in connection.execute(select(*columns).where(own)).all():
        here = (table.c.record_id == row.record_id) & own
        file, offset, digest = done.places.get(row.record_id, ("", 0, ""))
        is_elsewhere = (file, offset, digest) != (row.file, row.offset, row.digest)
        if row.record_id in gone:
            connection.execute(delete(table).where(here))
        elif file and is_elsewhere:
            values = {"file": file, "offset": offset, "digest": digest or row.digest}
            connection.execute(update(table).where(here).values(**values))


def _pointers(connection: Connection, blog: str, cleaning: Cleaning) -> None:
    """What is erased is no longer pointed to in files outside the archive, either."""
    table, runs = schema.captures, schema.runs
    query = select(table.c.id, table.c.url).join(runs, runs.c.id == table.c.run)
    for row in connection.execute(query.where(runs.c.blog == blog, named_from(table.c.file, OUTSIDE))).all():
        if cleaning.gone(row.url):
            connection.execute(delete(table).where(table.c.id == row.id))


def _records(connection: Connection, table: Table, blog: str, done: Rewritten, cleaning: Cleaning) -> list[str]:
    changed: list[str] = []
    read = read_own_page if table is schema.pages else read_post
    keys = list(table.primary_key)
    rows = connection.execute(select(*keys, table.c.record).where(table.c.blog == blog, table.c.record.is_not(None)))
    for row in rows.all():
        record = read(row.record)
        clean = cleaning.record(record)
        fresh = sources_now(clean, done)
        if clean != record:
            changed.append(fresh.id)
        if fresh != record:
            values: Columns = {"record": json_line(fresh), "digest": content_of(fresh).digest}
            if table is schema.posts:
                values |= {"title": fresh.title}
            here = [key == getattr(row, key.name) for key in keys]
            connection.execute(update(table).where(*here).values(**values))
            if table is schema.posts:
                _rename(connection, fresh)
    return changed


def _pages(connection: Connection, blog: str, cleaning: Cleaning) -> None:
    """Pages of which nothing may stay; they may be hidden by an address that is no post's."""
    pages = schema.pages
    for row in connection.execute(select(pages.c.id, pages.c.url).where(pages.c.blog == blog)).all():
        if cleaning.gone(row.url):
            connection.execute(delete(pages).where(pages.c.id == row.id))


def _rename(connection: Connection, record: PostRecord) -> None:
    """The names of a post that was freed of what was erased: its
    comments may be gone, or other addresses.
    """
    for statement in forget_names(record.id):
        connection.execute(statement)
    insert_names(connection.execute, record)


def _moved(connection: Connection, blog: str, done: Rewritten, cleaning: Cleaning) -> None:
    """What is kept so that a move can be undone is freed of what was erased, as the posts are."""
    moves = schema.moves
    for row in connection.execute(select(moves.c.id, moves.c.before).where(moves.c.blog == blog)).all():
        before = read_json(row.before or "{}", BeforeMove)
        if before.post:
            record = sources_now(cleaning.record(before.post.record), done)
            post = replace(before.post, record=record, digest=content_of(record).digest, title=record.title)
            fresh = json_line(replace(before, post=post))
            connection.execute(update(moves).where(moves.c.id == row.id).values(before=fresh))


def _waiting(connection: Connection, blog: str, cleaning: Cleaning) -> None:
    """What waits of an unfinished crawl is read again by the next;
    failures of what is gone concern nobody.
    """
    runs = select(schema.runs.c.id).where(schema.runs.c.blog == blog)
    connection.execute(delete(schema.candidates).where(schema.candidates.c.run.in_(runs)))
    failures = schema.failures
    for row in connection.execute(select(failures.c.id, failures.c.url).where(failures.c.blog == blog)).all():
        if cleaning.gone(row.url):
            connection.execute(delete(failures).where(failures.c.id == row.id))


def _texts(
    connection: Connection, table: Table, columns: tuple[str, ...], blog: str, blank: Callable[[str], str]
) -> None:
    keys = list(table.primary_key)
    owner = table.c.id if table is schema.blogs else table.c.blog
    for row in connection.execute(select(table).where(owner == blog)).all():
        values = {name: getattr(row, name) for name in columns if getattr(row, name)}
        changed = {name: fresh for name, value in values.items() if (fresh := blank(value)) != value}
        if changed:
            here = [key == getattr(row, key.name) for key in keys]
            connection.execute(update(table).where(*here).values(**changed))
