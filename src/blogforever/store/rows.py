"""Rows into and out of the database: writes are gathered, and committed in short transactions.

One at a time writes to a database, and other processes write other blogs of it. So a
transaction holds what is ready to be written and nothing else: none is open while pages are
fetched, read or learned from.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from threading import RLock, get_ident
from time import monotonic
from typing import Any

from sqlalchemy import Connection, Engine, Row, Table
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from blogforever import clock
from blogforever.errors import ArchiveError
from blogforever.logs import logger

from . import schema
from .database import first_line, write_transaction
from .dialects import POSTGRES, dialect_of

# The values of a row by the names of their columns, as SQLAlchemy takes them.
Columns = dict[str, Any]
# A row and the name of its table.
TableRow = tuple[str, Columns]
# Rows of one table that are written together, and rows of a query that are in memory together.
BATCH = 200
# Values asked for in one query: any database takes so many, and a few more.
ASKED = 500
# Rows wait no longer than this, so that a slow crawl can be seen by who only reads.
SECONDS = 5.0
# No thread has this number.
NOBODY = 0
# The tables whose rows are asked for while they wait, before every request or with every post, and
# by which columns.
SOUGHT = {"posts": ("id",), "conditions": ("blog", "url")}
log = logger("store")


def now() -> str:
    """This moment as the database writes it."""
    return clock.stamp()


class Rows:
    """How one process writes an archive's database, from as many threads as it has.

    Every method may be called from any thread: what one thread writes in a `transaction` is not
    mixed with what another one writes. A value that is read, changed and written again needs the
    `lock` around all of it.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine, self.dialect = engine, dialect_of(engine)
        # A single question needs no transaction around it: on a server that would be two more ways
        # there and back.
        is_server = self.dialect is POSTGRES
        self._asking = engine.execution_options(isolation_level="AUTOCOMMIT") if is_server else engine
        self._waiting: dict[str, list[Columns]] = {}
        self._newest: dict[tuple[str, ...], Columns] = {}
        self._flushed = monotonic()
        self.lock = RLock()
        # Only the thread that has the lock ever uses a transaction here: its own.
        self._open: Connection | None = None
        self._writer = NOBODY
        self._closed = False

    def close(self) -> None:
        """Write what waits and close the database; who is still at work in another thread can
        write no more.
        """
        with self.lock:
            try:
                self.flush()
            finally:
                self._closed = True
                self._engine.dispose()

    def flush(self) -> None:
        """Commit everything gathered so far; within a
        transaction it is written there, and committed with it.
        """
        with self.lock:
            self._flushed = monotonic()
            if self._open is not None:
                self._write_waiting(self._open)
            elif any(self._waiting.values()):
                self._commit_waiting()
            self._emptied()

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        """Everything that is gathered or executed inside reaches the database together, or nothing
        of it does.

        What was gathered before is committed before, so that the order of calls is the order of
        writes.
        """
        with self.lock:
            if self._open is not None:
                yield self._open
                return
            self.flush()
            try:
                with self._begun() as connection:
                    yield connection
                    self.flush()
            except BaseException:
                self._emptied()
                raise

    @contextmanager
    def beside(self) -> Iterator[Connection]:
        """A transaction of its own beside whoever writes; for what rows of their own keep apart."""
        try:
            with self._engine.begin() as connection:
                yield connection
        except SQLAlchemyError as error:
            raise _failure(error) from error

    def waits(self, table: str) -> bool:
        """Whether rows of this table are not written yet."""
        return bool(self._waiting.get(table))

    def settle(self, table: str) -> None:
        """Write what waits, if there are rows of this table among it: somebody asks for them."""
        if self.waits(table):
            self.flush()

    def waiting(self, table: str, *key: str) -> Columns | None:
        """The row with this key that is not written yet, of the tables in SOUGHT; the last, where
        there are several.
        """
        with self.lock:
            return self._newest.get((table, *key))

    def gather(self, table: str, row: Columns) -> None:
        """Write this row soon; one with the same key is replaced."""
        self.gather_together([(table, row)])

    def gather_together(self, rows: Iterable[TableRow]) -> None:
        """Write these rows soon, in one transaction."""
        with self.lock:
            is_full = False
            for table, row in rows:
                waiting = self._waiting.setdefault(table, [])
                waiting.append(row)
                if table in SOUGHT:
                    self._newest[(table, *(row[name] for name in SOUGHT[table]))] = row
                is_full = is_full or len(waiting) >= BATCH
            waited_long = monotonic() - self._flushed > SECONDS
            if is_full or waited_long:
                self.flush()

    def find(self, query: str, **values: object) -> Any:
        """The first row that a query in SQL finds, as it is written; `:name` stands for the value
        of that name.

        For what every update of a blog asks: building such a query takes ten times as long as its
        answer.
        """
        with self._reading(self._asking) as connection:
            return connection.exec_driver_sql(query, values).first()

    def find_all(self, query: str, **values: object) -> Sequence[Any]:
        """All rows that such a query finds."""
        with self._reading(self._asking) as connection:
            return connection.exec_driver_sql(query, values).all()

    def highest(self, table: str, column: str) -> int:
        """The highest number ever given in a column, also where its row is gone; 0 where there
        never was any.
        """
        row = self.find(self.dialect.highest.format(table=table, column=column))
        return int(row.seq) if row else 0

    def rows(self, statement: Any) -> Iterator[Any]:
        """What a query finds among all that was executed, never all in memory."""
        with (
            self._reading(self._engine) as connection,
            connection.execute(statement, execution_options={"yield_per": BATCH}) as found,
        ):
            yield from found

    def column(self, statement: Any) -> Iterable[str]:
        """The first column of what a query finds."""
        return (row[0] for row in self.rows(statement))

    def first(self, statement: Any) -> Any:
        """The first row a query finds among all that was
        executed; what was only gathered is not there yet.
        """
        with self._reading(self._asking) as connection:
            return connection.execute(statement).first()

    def all(self, statement: Any) -> Sequence[Row[Any]]:
        """All rows a query finds among all that was executed."""
        with self._reading(self._asking) as connection:
            return connection.execute(statement).all()

    def execute(self, statement: Any, rows: list[Columns] | None = None) -> Any:
        """Run a statement that writes, after all that was
        gathered: in the transaction around it, or in its own.
        """
        with self.transaction() as connection:
            return connection.execute(statement, rows) if rows else connection.execute(statement)

    def write(self, statement: str, **values: object) -> Any:
        """The same for a statement in SQL, as it is written; what it gives back, if it does."""
        with self.transaction() as connection:
            result = connection.exec_driver_sql(statement, values)
            return result.scalar() if result.returns_rows else None

    def _emptied(self) -> None:
        """Nothing waits any more: it was written, or given up with the transaction it belongs
        to.
        """
        self._waiting.clear()
        self._newest.clear()

    @contextmanager
    def _reading(self, engine: Engine) -> Iterator[Connection]:
        """Where this thread reads what it has executed, even before it is committed."""
        # Asked without the lock: who only reads does not wait for another thread that writes.
        if self._writer == get_ident() and self._open is not None:
            yield self._open
            return
        try:
            with engine.connect() as connection:
                yield connection
        except SQLAlchemyError as error:
            raise _failure(error) from error

    @contextmanager
    def _begun(self) -> Iterator[Connection]:
        # Nobody else is kept out any more: the locks were let go when the archive was closed.
        if self._closed:
            raise ArchiveError("The archive is closed.")
        try:
            with write_transaction(self._engine) as connection:
                self._open, self._writer = connection, get_ident()
                yield connection
        except SQLAlchemyError as error:
            raise _failure(error) from error
        finally:
            self._open, self._writer = None, NOBODY

    def _commit_waiting(self) -> None:
        """Where the disk or the database is in the way,
        everything goes on waiting for the next time.
        """
        try:
            with self._begun() as connection:
                self._write_waiting(connection)
        except ArchiveError as error:
            if isinstance(error.__cause__, IntegrityError):
                self._commit_what_is_possible()
            raise

    def _write_waiting(self, connection: Connection) -> None:
        for name, rows in self._waiting.items():
            if rows:
                connection.exec_driver_sql(upsert(name, *rows[0]), rows)

    def _commit_what_is_possible(self) -> None:
        """A row that the database refuses, now and always, must not keep out those of other
        blogs.
        """
        with self._begun() as connection:
            for name, rows in self._waiting.items():
                for row in rows:
                    _write_if_possible(connection, upsert(name, *row), row)
        self._emptied()


def columns_of(value: object, table: Table) -> Columns:
    """The columns of a table with what a value holds of them."""
    return {name: getattr(value, name) for name in _column_names(table.name)}


@cache
def _column_names(table: str) -> tuple[str, ...]:
    return tuple(column.name for column in schema.metadata.tables[table].columns)


def in_parts(values: Iterable[str]) -> Iterator[list[str]]:
    """So many values at a time as one query takes."""
    rest = list(values)
    return (rest[start : start + ASKED] for start in range(0, len(rest), ASKED))


def written(row: Columns) -> Columns:
    """A row as the database can take it: half a character, as hostile text has it, is none."""
    texts = {name: value for name, value in row.items() if isinstance(value, str) and not value.isascii()}
    return row | {name: written_text(text) for name, text in texts.items()} if texts else row


def written_text(text: str) -> str:
    """A text as the database can take it."""
    return text.encode("utf-8", "replace").decode()


def _write_if_possible(connection: Connection, statement: str, row: Columns) -> None:
    try:
        with connection.begin_nested():
            connection.exec_driver_sql(statement, row)
    except IntegrityError as error:
        log.warning("a row could not be written: %s", error.orig)


def _failure(error: SQLAlchemyError) -> ArchiveError:
    """The WARC has all that was not written, and the next crawl reads it there."""
    return ArchiveError(f"The archive's database failed: {first_line(getattr(error, 'orig', None) or error)}.")


@cache
def upsert(table: str, *columns: str) -> str:
    """Writes rows with these columns; one that is there already, by its key, is replaced.

    In SQL as it is: what SQLAlchemy does to each value on its way takes longer than the writing.
    """
    keys = [column.name for column in schema.metadata.tables[table].primary_key]
    names, values = ", ".join(map(_quoted, columns)), ", ".join(f":{column}" for column in columns)
    statement = f"INSERT INTO {_quoted(table)} ({names}) VALUES ({values})"  # noqa: S608  names of our own schema
    if not set(keys) <= set(columns):
        # The database gives it a number.
        return statement
    changed = [f"{_quoted(column)} = excluded.{_quoted(column)}" for column in columns if column not in keys]
    replaced = f"UPDATE SET {', '.join(changed)}" if changed else "NOTHING"
    return f"{statement} ON CONFLICT ({', '.join(map(_quoted, keys))}) DO {replaced}"


def _quoted(name: str) -> str:
    return f'"{name}"'
