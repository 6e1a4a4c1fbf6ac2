"""Rows into and out of the database: writes are gathered and committed in batches, over one connection."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from threading import RLock
from time import monotonic
from typing import Any

from sqlalchemy import Connection, Engine, Table, insert
from sqlalchemy.dialects.sqlite import insert as sqlite_insert
from sqlalchemy.exc import SQLAlchemyError

from blogforever.errors import ArchiveError
from blogforever.protocols import Record

from . import schema

BATCH = 200
SECONDS = 5.0
"""Rows wait no longer than this, so that a slow crawl can be seen by who only reads."""


def now() -> str:
    """This moment as the database writes it."""
    return datetime.now(UTC).isoformat(timespec="seconds")


class Rows:
    """The one writer of an archive's database; several threads may use it, each for its own blog."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._lock = RLock()
        self._closed = False
        self._waiting: dict[str, list[Record]] = {}
        self._write: Connection | None = None
        self._flushed = monotonic()

    def close(self) -> None:
        """Write what waits and close the database; who is still at work in another thread can write no more."""
        with self._lock:
            try:
                self.flush()
            finally:
                if self._write:
                    self._write.close()
                self._closed = True
                self._engine.dispose()

    @contextmanager
    def alone(self) -> Iterator[None]:
        """While entered, nobody else writes and nothing waits to be committed: another connection may write."""
        with self._lock:
            self.flush()
            yield

    def flush(self) -> None:
        """Commit everything gathered so far."""
        with self._lock:
            self._flush()

    def _flush(self) -> None:
        for name, rows in self._waiting.items():
            if rows:
                self.execute(_upsert(schema.metadata.tables[name]), rows)
        self._waiting.clear()
        self._flushed = monotonic()
        if self._write:
            try:
                self._write.commit()
            except SQLAlchemyError as error:
                raise self._failed(error) from error

    def waits(self, table: str) -> bool:
        """Whether rows of this table are not written yet."""
        return bool(self._waiting.get(table))

    def gather(self, table: str, row: Record) -> None:
        """Write this row soon; one with the same key is replaced."""
        with self._lock:
            rows = self._waiting.setdefault(table, [])
            rows.append(row)
            if len(rows) >= BATCH or monotonic() - self._flushed > SECONDS:
                self.flush()

    def rows(self, statement: Any) -> Iterator[Any]:
        """What a query finds among all that was committed, never all in memory."""
        with self._engine.connect() as connection:
            yield from connection.execution_options(yield_per=BATCH).execute(statement)

    def column(self, statement: Any) -> Iterable[str]:
        """The first column of what a query finds."""
        return (row[0] for row in self.rows(statement))

    def first(self, statement: Any) -> Any:
        """The first row a query finds, written or not yet committed."""
        with self._lock:
            return self.execute(statement).first()

    def execute(self, statement: Any, rows: list[Record] | None = None) -> Any:
        """Run a statement on the writing connection."""
        with self._lock:
            if self._closed:
                raise ArchiveError("The archive is closed.")
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


def _upsert(table: Table) -> Any:
    statement = sqlite_insert(table)
    keys = [column.name for column in table.primary_key]
    if keys == ["id"] and table.c.id.type.python_type is int:
        return insert(table)
    changed = {c.name: statement.excluded[c.name] for c in table.columns if c.name not in keys}
    return statement.on_conflict_do_update(index_elements=keys, set_=changed)
