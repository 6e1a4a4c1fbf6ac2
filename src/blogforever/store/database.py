"""Connects to archive.db: to write, with the schema brought up to date; or only to read."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

from sqlalchemy import URL, Connection, Engine, create_engine, event, inspect, text
from sqlalchemy.exc import DatabaseError, OperationalError

from blogforever.errors import ArchiveError

from .schema import HEAD, metadata

MIGRATIONS = Path(__file__).parent / "migrations"
# Milliseconds to wait for another process that writes. Its transactions are short, but an erasure
# writes the whole database anew, and a crawl of another blog must outlast that.
BUSY = "busy_timeout=300000"


def open_database(path: Path) -> Engine:
    """The database at `path`, created or migrated as
    needed; only for those who hold the archive's lock.
    """
    with _connected(path) as engine:
        with engine.begin() as connection:
            _bring_up_to_date(connection)
        return engine


def open_current(path: Path) -> Engine | None:
    """The database at `path`, where it is there and needs no migration; its tables are not changed."""
    if not path.is_file():
        return None
    with _connected(path) as engine:
        if is_current(engine):
            return engine
        engine.dispose()
        return None


@contextmanager
def _connected(path: Path) -> Iterator[Engine]:
    """The database, to be written; ArchiveError where that cannot be done."""
    engine = create_engine(URL.create("sqlite", database=str(path)))
    event.listen(engine, "connect", _pragmas)
    try:
        yield engine
    except DatabaseError as error:
        engine.dispose()
        raise ArchiveError(f"The database {path} cannot be used: {error.orig}.") from error


@contextmanager
def write_transaction(engine: Engine) -> Iterator[Connection]:
    """One transaction that writes, committed at its end; short, because others wait for it.

    It has the database's write lock from its beginning: what it reads, such as the highest number
    so far, is still true when it writes.
    """
    with engine.begin() as connection:
        connection.exec_driver_sql("BEGIN IMMEDIATE")
        yield connection


def read_database(path: Path) -> Engine:
    """The database as it is, for those who only read: neither its schema nor its settings are
    changed.

    It can be read where nothing can be written, too: on a read-only disk, on a full one, in another
    person's folder.
    """
    refused: OperationalError | None = None
    for query in _ways_to_read(path):
        name = f"file:{quote(str(path.absolute()))}"
        engine = create_engine(URL.create("sqlite", database=name, query=query))
        event.listen(engine, "connect", _reading_pragmas)
        try:
            is_current(engine)
            return engine
        except OperationalError as error:
            refused = error
            engine.dispose()
        except DatabaseError as error:
            engine.dispose()
            raise ArchiveError(f"The database {path} cannot be used: {error.orig}.") from error
    why = refused.orig if refused else ""
    raise ArchiveError(f"The database {path} cannot be read: {why}.") from refused


def is_current(engine: Engine) -> bool:
    """Whether the schema is the one this version reads."""
    with engine.connect() as connection:
        return _has_head(connection)


def _has_head(connection: Connection) -> bool:
    """The same, asked in SQL as it is: it is asked several times before an archive is open."""
    tables = connection.exec_driver_sql("SELECT 1 FROM sqlite_master WHERE name = 'alembic_version'")
    if tables.first() is None:
        return False
    return connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar() == HEAD


def _ways_to_read(path: Path) -> Iterator[dict[str, str]]:
    """How to open a database for reading, best first, as SQLite's URIs say it."""
    if os.access(path, os.W_OK) and os.access(path.parent, os.W_OK):
        # Beside a writer, and with its log: the files that this needs go again with the last who
        # reads.
        yield {"uri": "true", "mode": "rw"}
    log = path.with_name(f"{path.name}-wal")
    waits = log.is_file() and log.stat().st_size > 0
    # Without a log nobody writes; what nobody writes needs no further files, which could not be
    # made here.
    yield {"uri": "true", "mode": "ro"} | ({} if waits else {"immutable": "1"})


def database_facts() -> tuple[str, bool]:
    """The version of SQLite, and whether it can search texts."""
    engine = create_engine("sqlite://")
    with engine.connect() as connection:
        number = str(connection.scalar(text("SELECT sqlite_version()")))
        search = bool(connection.scalar(text("SELECT sqlite_compileoption_used('ENABLE_FTS5')")))
    engine.dispose()
    return number, search


def migrate(connection: Connection) -> None:
    """Run every migration that is still missing."""
    from alembic import command  # noqa: PLC0415  heavy, and seldom needed
    from alembic.config import Config as AlembicConfig  # noqa: PLC0415  as above
    from alembic.util import CommandError  # noqa: PLC0415  as above

    config = AlembicConfig(attributes={"connection": connection})
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    try:
        command.upgrade(config, "head")
    except CommandError as error:
        later = "The archive was made by a later version of blogforever; use that one, or newer."
        raise ArchiveError(later) from error


def _bring_up_to_date(connection: Connection) -> None:
    if _has_head(connection):
        return
    tables = inspect(connection).get_table_names()
    if not tables:
        # All tables or none, whenever we are killed: the driver would begin no transaction for them
        # by itself.
        connection.exec_driver_sql("BEGIN IMMEDIATE")
        metadata.create_all(connection)
        number = "version_num VARCHAR(32) PRIMARY KEY NOT NULL"
        connection.execute(text(f"CREATE TABLE alembic_version ({number})"))
        connection.execute(text("INSERT INTO alembic_version VALUES (:head)"), {"head": HEAD})
    elif "alembic_version" not in tables:
        raise ArchiveError("There is an archive.db here that no version of blogforever made.")
    else:
        migrate(connection)


def _pragmas(connection: Any, _record: object) -> None:
    for pragma in ("journal_mode=WAL", "synchronous=NORMAL", "foreign_keys=ON", BUSY):
        connection.execute(f"PRAGMA {pragma}")


def _reading_pragmas(connection: Any, _record: object) -> None:
    for pragma in ("query_only=ON", BUSY):
        connection.execute(f"PRAGMA {pragma}")
