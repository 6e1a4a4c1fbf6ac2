"""Blogs, posts and failures in the database; every record is kept whole as JSON beside the columns we look up."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, Engine, Table, delete, insert, select, update
from sqlalchemy.dialects.sqlite import insert as sqlite_insert
from sqlalchemy.exc import SQLAlchemyError

from blogforever.errors import ArchiveError
from blogforever.model import Failure
from blogforever.protocols import Record, Ref, json_line

from . import schema

BATCH = 200
CONTENT = ("title", "subtitle", "authors", "published", "text", "html", "tags", "categories")


def now() -> str:
    """This moment as the database writes it."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def content_digest(record: Record) -> str:
    """Changes when what the author wrote changes, not when our rules or the capture do."""
    return hashlib.sha256(json_line({name: record.get(name) for name in CONTENT}).encode()).hexdigest()


class Records:
    """The rows of one archive; writes are gathered and committed in batches."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._waiting: dict[str, list[Record]] = {}
        self._write: Connection | None = None

    def close(self) -> None:
        """Write what waits and close the database."""
        try:
            self.flush()
        finally:
            if self._write:
                self._write.close()
            self._engine.dispose()

    def flush(self) -> None:
        """Commit everything gathered so far."""
        for name, rows in self._waiting.items():
            if rows:
                self._execute(_upsert(schema.metadata.tables[name]), rows)
        self._waiting.clear()
        if self._write:
            try:
                self._write.commit()
            except SQLAlchemyError as error:
                raise self._failed(error) from error

    def open_run(self, blog: str) -> tuple[int, str | None]:
        """The number of this blog's run, and since when it is under way if an earlier one was not finished."""
        known = self._first(
            select(schema.runs.c.id, schema.runs.c.started)
            .where(schema.runs.c.blog == blog, schema.runs.c.finished.is_(None))
            .order_by(schema.runs.c.id.desc())
        )
        if known:
            return int(known[0]), str(known[1])
        result = self._execute(insert(schema.runs).values(blog=blog, started=now()))
        self.flush()
        return int(result.inserted_primary_key[0]), None

    def close_run(self, run: int, ending: str) -> None:
        """Mark a run as done; one that was interrupted or lost the network stays open for the next crawl."""
        if ending not in ("interrupted", "lost"):
            self._execute(update(schema.runs).where(schema.runs.c.id == run).values(finished=now(), ending=ending))
            self._execute(delete(schema.candidates).where(schema.candidates.c.run == run))
        self.flush()

    def add_capture(self, run: int, url: str, status: int, captured: datetime, ref: Ref) -> None:
        """Remember where a response lies."""
        self._gather(
            "captures",
            {"run": run, "url": url, "status": status, "captured": captured.isoformat(timespec="seconds")}
            | {"file": ref.file, "offset": ref.offset, "record_id": ref.record_id, "digest": ref.digest},
        )

    def add_candidate(self, run: int, url: str, record: Record) -> None:
        """Keep what was extracted from a page until it is known whether the page is a post."""
        self._gather("candidates", {"run": run, "url": url, "record": json_line(record)})

    def candidate(self, run: int, url: str) -> Record | None:
        """What was extracted from a page in this run."""
        if self._waiting.get("candidates"):
            self.flush()
        where = (schema.candidates.c.run == run, schema.candidates.c.url == url)
        row = self._first(select(schema.candidates.c.record).where(*where))
        return json.loads(row[0]) if row else None

    def save_post(self, run: int, record: Record) -> None:
        """Keep a post; its version rises when its content changed."""
        digest = content_digest(record)
        columns = (schema.posts.c.digest, schema.posts.c.version)
        known = self._first(select(*columns).where(schema.posts.c.id == record["id"]))
        version = 1 if not known else int(known[1]) + (known[0] != digest)
        record = record | {"version": version}
        row = {name: record[name] for name in ("id", "blog", "url", "title", "published", "version")}
        self._gather("posts", row | {"digest": digest, "run": run, "record": json_line(record)})

    def save_blog(self, record: Record) -> None:
        """Keep what is known about a blog."""
        self._gather("blogs", {"id": record["id"], "url": record["url"], "record": json_line(record)})

    def add_failure(self, run: int, blog: str, failure: Failure) -> None:
        """Remember what could not be captured."""
        self._gather(
            "failures",
            {"run": run, "blog": blog, "url": failure.url, "reason": failure.reason, "detail": failure.detail},
        )

    def forget_failures(self, run: int) -> None:
        """A run that goes on tries its failures again."""
        self._execute(delete(schema.failures).where(schema.failures.c.run == run))

    def export(self, run: int | None = None) -> Iterator[str]:
        """JSON lines of all records, or of those one run captured or changed: blogs, then posts, then failures."""
        self.flush()
        blogs, posts, failures = schema.blogs, schema.posts, schema.failures
        wanted_blogs = [blogs.c.id.in_(select(schema.runs.c.blog).where(schema.runs.c.id == run))] if run else []
        yield from self._column(select(blogs.c.record).where(*wanted_blogs).order_by(blogs.c.id))
        order = (posts.c.blog, posts.c.published.desc(), posts.c.url)
        yield from self._column(select(posts.c.record).where(*_of_run(posts, run)).order_by(*order))
        columns = (failures.c.blog, failures.c.url, failures.c.reason, failures.c.detail)
        for row in self._rows(select(*columns).where(*_of_run(failures, run)).order_by(failures.c.id)):
            yield json_line({"type": "failure"} | dict(row._mapping))

    def _gather(self, table: str, row: Record) -> None:
        rows = self._waiting.setdefault(table, [])
        rows.append(row)
        if len(rows) >= BATCH:
            self.flush()

    def _column(self, statement: Any) -> Iterator[str]:
        for row in self._rows(statement):
            yield row[0]

    def _rows(self, statement: Any) -> Iterable[Any]:
        with self._engine.connect() as connection:
            yield from connection.execution_options(yield_per=BATCH).execute(statement)

    def _first(self, statement: Any) -> Any:
        return self._execute(statement).first()

    def _execute(self, statement: Any, rows: list[Record] | None = None) -> Any:
        try:
            if self._write is None:
                self._write = self._engine.connect()
            return self._write.execute(statement, rows) if rows else self._write.execute(statement)
        except SQLAlchemyError as error:
            raise self._failed(error) from error

    def _failed(self, error: SQLAlchemyError) -> ArchiveError:
        """Give up what was not written; the WARC has it all, and the next crawl reads it there."""
        self._waiting.clear()
        if self._write:
            self._write.invalidate()
            self._write.close()
            self._write = None
        return ArchiveError(f"The archive's database failed: {getattr(error, 'orig', None) or error}.")


def _of_run(table: Table, run: int | None) -> list[Any]:
    return [] if run is None else [table.c.run == run]


def _upsert(table: Table) -> Any:
    statement = sqlite_insert(table)
    keys = [column.name for column in table.primary_key]
    if keys == ["id"] and table.c.id.type.python_type is int:
        return insert(table)
    changed = {c.name: statement.excluded[c.name] for c in table.columns if c.name not in keys}
    return statement.on_conflict_do_update(index_elements=keys, set_=changed)
