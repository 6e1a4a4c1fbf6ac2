"""Connects to an archive's database: to write, with the schema brought up to date; or only to read.

That is the file archive.db, or a database of PostgreSQL at an address.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import quote

from sqlalchemy import URL, Connection, Engine, create_engine, create_mock_engine, event, inspect, make_url, text
from sqlalchemy.engine import ExceptionContext
from sqlalchemy.exc import DatabaseError, OperationalError

from blogforever.errors import ArchiveError, UsageError

from .dialects import POSTGRES, SQLITE, dialect_of, speak_postgres
from .schema import HEAD, metadata

MIGRATIONS = Path(__file__).parent / "migrations"
# Milliseconds to wait for another process that writes. Its transactions are short, but an erasure
# writes the whole database anew, and a crawl of another blog must outlast that.
BUSY = "busy_timeout=300000"
# Connections that stay open, once as many people have asked at the same time: each new one reads the schema again.
KEPT_OPEN = 20
# Kilobytes of the database that each connection remembers: with SQLite's usual two megabytes, one question in a large
# archive pushes out what the next one needs.
CACHE = "cache_size=-16000"
# The same for PostgreSQL; and how long, in seconds, its server may take to answer at all.
LOCK_TIMEOUT, CONNECT_TIMEOUT = "lock_timeout=300000", 10
# A machine that is gone is noticed after a minute.
KEEPALIVES = ("tcp_keepalives_idle=30", "tcp_keepalives_interval=10", "tcp_keepalives_count=3")
# The same on our side, where nobody is told that a server is gone: seconds, and how often.
OWN_KEEPALIVES = {"keepalives_idle": "10", "keepalives_interval": "5", "keepalives_count": "2"}
# Milliseconds for what takes a few: a server that hangs is as good as one that is gone.
SHORT = "statement_timeout=20000"
# What was promised to somebody holds after a crash, too, whatever the rest of the database may
# lose.
DURABLE = "synchronous_commit=on"
READ_ONLY = "default_transaction_read_only=on"
PLAIN, DRIVER = "postgresql", "postgresql+psycopg"
# The bits of an error's number in SQLite that tell its kind; the others say more of it.
PRIMARY = 0xFF
# What SQLite's driver says of tables that somebody changed, one below the search index too, and of
# texts that are none.
NOT_OURS = (
    "no such table",
    "no such column",
    "SQL logic error",
    "Could not decode to UTF-8",
    "invalid fts5 file format",
    "vtable constructor failed",
)
WHAT_TO_DO = "blogforever verify says where, and blogforever restore makes it anew from the WARC files"
LATER = "The archive was made by a later version of blogforever; use that one, or newer."
# Brings jobs to workers there.
ENGINE = "procrastinate"
NO_DRIVER = "PostgreSQL needs a driver and an engine that are not installed: pip install 'blogforever[postgres]'."


def open_database(place: Path | URL) -> Engine:
    """The database at a place, created or migrated as
    needed; only for those who hold the archive's lock.
    """
    with _connected(place) as engine:
        with engine.begin() as connection:
            _bring_up_to_date(connection)
        return engine


def open_current(place: Path | URL) -> Engine | None:
    """The database at a place, where it is there and needs no migration; its tables are not
    changed.
    """
    if isinstance(place, Path) and not place.is_file():
        return None
    with _connected(place) as engine:
        if is_current(engine):
            return engine
        if (version_there(engine) or "") > HEAD:
            # Nobody waits to have the archive alone for that.
            raise ArchiveError(LATER)
        engine.dispose()
        return None


@contextmanager
def _connected(place: Path | URL) -> Iterator[Engine]:
    """The database, to be written; ArchiveError where that cannot be done."""
    engine = _sqlite_engine(place) if isinstance(place, Path) else _postgres_engine(place, LOCK_TIMEOUT)
    try:
        yield engine
    except DatabaseError as error:
        engine.dispose()
        raise ArchiveError(f"The database {shown(place)} cannot be used: {first_line(error.orig)}.") from error
    except ArchiveError:
        engine.dispose()
        raise


def _sqlite_engine(path: Path) -> Engine:
    # Who comes next takes the connection that was used last: it remembers most, and of the others few are needed.
    engine = create_engine(URL.create("sqlite", database=str(path)), pool_size=KEPT_OPEN, pool_use_lifo=True)
    event.listen(engine, "handle_error", _tell_damage)
    event.listen(engine, "connect", _pragmas)
    return engine


def _postgres_engine(url: URL, *settings: str) -> Engine:
    options = " ".join(f"-c {setting}" for setting in settings)
    arguments = {"connect_timeout": CONNECT_TIMEOUT, "application_name": "blogforever"}
    given = str(url.query.get("options", ""))
    if find_spec(ENGINE) is None:
        raise UsageError(NO_DRIVER)
    try:
        engine = create_engine(
            url.set(drivername=DRIVER),
            # A server that was started anew meanwhile is noticed before a connection to it is used.
            pool_pre_ping=True,
            connect_args=arguments | {"options": f"{given} {options}".strip()},
        )
    except ModuleNotFoundError as error:
        raise UsageError(NO_DRIVER) from error
    speak_postgres(engine)
    return engine


def lock_engine(url: URL) -> Engine:
    """For locks of a server that are held for long: without a transaction, and let go when the
    machine is gone.
    """
    engine = _postgres_engine(url, *KEEPALIVES)
    return engine.execution_options(isolation_level="AUTOCOMMIT")


def turns_engine(url: URL) -> Engine:
    """For what takes a moment and is asked all the time: each statement is a transaction of its own."""
    engine = _postgres_engine(url.update_query_dict(OWN_KEEPALIVES), *KEEPALIVES, SHORT, DURABLE)
    return engine.execution_options(isolation_level="AUTOCOMMIT")


def postgres_url(text_of_url: str) -> URL:
    """An address of PostgreSQL as a person writes it; UsageError where it is none."""
    try:
        url = make_url(text_of_url)
    except Exception as error:
        raise UsageError("That is no address of a database; one looks like postgresql://user@host/name.") from error
    if url.drivername not in (PLAIN, DRIVER, "postgres") or not url.database:
        raise UsageError(f"{shown(url)} is no database of PostgreSQL; one looks like postgresql://user@host/name.")
    return url.set(drivername=PLAIN)


def shown(place: Path | URL) -> str:
    """A place as everybody may read it: without a password."""
    return str(place) if isinstance(place, Path) else without_password(place).render_as_string()


def without_password(url: URL) -> URL:
    """An address that tells nothing secret."""
    secret = {"password", "sslpassword"}
    return url._replace(password=None).difference_update_query(secret)


def first_line(error: BaseException | None) -> str:
    """What a database says first, without a full stop; PostgreSQL goes on with the statement."""
    return str(error).strip().partition("\n")[0].rstrip(".")


@contextmanager
def answered() -> Iterator[None]:
    """Whatever keeps a database from answering as one sentence."""
    try:
        yield
    except DatabaseError as error:
        raise ArchiveError(f"The database cannot be used: {first_line(error.orig)}.") from error


@contextmanager
def write_transaction(engine: Engine) -> Iterator[Connection]:
    """One transaction that writes, committed at its end; short, because others wait for it.

    It has the database's write lock from its beginning: what it reads, such as the highest number
    so far, is still true when it writes.
    """
    with engine.begin() as connection:
        connection.exec_driver_sql(dialect_of(connection).lock)
        yield connection


@contextmanager
def erasing_transaction(engine: Engine) -> Iterator[Connection]:
    """The same for what is to leave nothing behind where it stood."""
    if dialect_of(engine) is not SQLITE:
        with write_transaction(engine) as connection:
            yield connection
        return
    with engine.connect() as connection:
        connection.execute(text("PRAGMA secure_delete = ON"))
        connection.commit()
        with connection.begin():
            connection.exec_driver_sql(SQLITE.lock)
            yield connection


def read_database(place: Path | URL) -> Engine:
    """The database as it is, for those who only read: neither its schema nor its settings are
    changed.

    A file can be read where nothing can be written, too: on a read-only disk, on a full one, in
    another person's folder.
    """
    return _read_file(place) if isinstance(place, Path) else _read_server(place)


def _read_server(url: URL) -> Engine:
    engine = _postgres_engine(url, READ_ONLY)
    try:
        is_current(engine)
    except DatabaseError as error:
        engine.dispose()
        raise ArchiveError(f"The database {shown(url)} cannot be read: {first_line(error.orig)}.") from error
    return engine


def _read_file(path: Path) -> Engine:
    refused: OperationalError | None = None
    for query in _ways_to_read(path):
        name = f"file:{quote(str(path.absolute()))}"
        engine = create_engine(URL.create("sqlite", database=name, query=query))
        event.listen(engine, "handle_error", _tell_damage)
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
        except ArchiveError:
            engine.dispose()
            raise
    why = refused.orig if refused else ""
    raise ArchiveError(f"The database {path} cannot be read: {why}.") from refused


def _tell_damage(context: ExceptionContext) -> None:
    """A file that is not as SQLite or we left it is told in one sentence, whoever was asking."""
    error = context.original_exception
    code = getattr(error, "sqlite_errorcode", None)
    is_damaged = code is not None and code & PRIMARY in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
    if is_damaged or str(error).startswith(NOT_OURS):
        raise ArchiveError(f"The archive's database is damaged: {first_line(error)}; {WHAT_TO_DO}.") from error


def is_current(engine: Engine) -> bool:
    """Whether the schema is the one this version reads."""
    with engine.connect() as connection:
        return _has_head(connection)


def version_there(engine: Engine) -> str | None:
    """Which version of our tables a database has; None where there are none."""
    with engine.connect() as connection:
        return _version(connection)


def _has_head(connection: Connection) -> bool:
    return _version(connection) == HEAD


def _version(connection: Connection) -> str | None:
    """In SQL as it is: it is asked several times before an archive is open."""
    tables = connection.exec_driver_sql(dialect_of(connection).is_ours)
    if tables.first() is None:
        return None
    number: str | None = connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar()
    return number


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
        raise ArchiveError(LATER) from error
    _make_engine_tables(connection)


def _make_engine_tables(connection: Connection) -> None:
    """The tables of the engine that brings jobs to workers, where there is one."""
    if dialect_of(connection) is POSTGRES:
        from .engine import make_engine_tables  # noqa: PLC0415  only who uses PostgreSQL has the engine

        make_engine_tables(connection)


def _bring_up_to_date(connection: Connection) -> None:
    if _has_head(connection):
        return
    dialect = dialect_of(connection)
    if dialect is POSTGRES:
        # Others may have begun with it on other machines.
        connection.exec_driver_sql(dialect.lock)
        if _has_head(connection):
            return
    tables = inspect(connection).get_table_names()
    if not tables:
        # All tables or none, whenever we are killed: SQLite's driver would begin no transaction for
        # them by itself.
        if dialect is SQLITE:
            connection.exec_driver_sql(dialect.lock)
        for statement in _statements(dialect.name):
            connection.exec_driver_sql(statement)
        number = "version_num VARCHAR(32) PRIMARY KEY NOT NULL"
        connection.execute(text(f"CREATE TABLE alembic_version ({number})"))
        connection.execute(text("INSERT INTO alembic_version VALUES (:head)"), {"head": HEAD})
        _make_engine_tables(connection)
    elif "alembic_version" not in tables:
        what = "an archive.db" if dialect is SQLITE else "tables in the database"
        raise ArchiveError(f"There is {what} here that no version of blogforever made.")
    else:
        migrate(connection)


@cache
def _statements(dialect: str) -> tuple[str, ...]:
    """What makes all tables and indexes, as SQL: written once, for it takes far longer than to run
    it.
    """
    made: list[str] = []

    def note(statement: Any, *_parameters: object) -> None:
        made.append(str(statement.compile(dialect=engine.dialect)))

    engine = create_mock_engine(DRIVER + "://" if dialect == POSTGRES.name else "sqlite://", note)
    metadata.create_all(engine, checkfirst=False)
    return tuple(made)


def _pragmas(connection: Any, _record: object) -> None:
    for pragma in ("journal_mode=WAL", "synchronous=NORMAL", "foreign_keys=ON", CACHE, BUSY):
        connection.execute(f"PRAGMA {pragma}")


def _reading_pragmas(connection: Any, _record: object) -> None:
    for pragma in ("query_only=ON", CACHE, BUSY):
        connection.execute(f"PRAGMA {pragma}")
