"""Connects to archive.db: write-ahead log, foreign keys, and the schema brought up to date."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, inspect, text
from sqlalchemy.exc import DatabaseError

from blogforever.errors import ArchiveError

from .schema import HEAD, metadata

MIGRATIONS = Path(__file__).parent / "migrations"


def open_database(path: Path) -> Engine:
    """The database at `path`, created or migrated as needed."""
    engine = create_engine(f"sqlite:///{path}")
    event.listen(engine, "connect", _pragmas)
    try:
        with engine.begin() as connection:
            _bring_up_to_date(connection)
    except DatabaseError as error:
        engine.dispose()
        raise ArchiveError(f"The database {path} cannot be used: {error.orig}.") from error
    return engine


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

    config = AlembicConfig(attributes={"connection": connection})
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    command.upgrade(config, "head")


def _bring_up_to_date(connection: Connection) -> None:
    tables = inspect(connection).get_table_names()
    if not tables:
        # All tables or none, whenever we are killed: the driver would begin no transaction for them by itself.
        connection.exec_driver_sql("BEGIN IMMEDIATE")
        metadata.create_all(connection)
        connection.execute(text("CREATE TABLE alembic_version (version_num VARCHAR(32) PRIMARY KEY NOT NULL)"))
        connection.execute(text("INSERT INTO alembic_version VALUES (:head)"), {"head": HEAD})
    elif "alembic_version" not in tables:
        raise ArchiveError("There is an archive.db here that no version of blogforever made.")
    elif connection.scalar(text("SELECT version_num FROM alembic_version")) != HEAD:
        migrate(connection)


def _pragmas(connection: Any, _record: object) -> None:
    for pragma in ("journal_mode=WAL", "synchronous=NORMAL", "foreign_keys=ON", "busy_timeout=10000"):
        connection.execute(f"PRAGMA {pragma}")
