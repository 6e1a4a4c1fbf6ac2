"""Carries the records of an archive from one database into another, and compares them row by row."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Any

from sqlalchemy import Connection, Engine, Row, Table, func, insert, select

from blogforever.errors import ArchiveError

from .database import write_transaction
from .dialects import POSTGRES, dialect_of
from .schema import metadata, searchable

# Rows that are in memory at a time.
BATCH = 500
# The words of posts are cut anew where they come to: each database has its own way to keep them.
MADE_ANEW = (searchable,)
# Tables in which a number is never given again, with the column that has it.
NUMBERED = {table.name: table for table in metadata.sorted_tables if table.dialect_options["sqlite"]["autoincrement"]}
# PostgreSQL has no text with this in it.
NUL, REPLACED = "\0", "\ufffd"


def carried_tables() -> list[Table]:
    """The tables that are carried, those first that others point to."""
    return [table for table in metadata.sorted_tables if table not in MADE_ANEW]


def carry(source: Engine, target: Engine) -> int:
    """Write every row of one database into another, which is empty, and compare all of them: all,
    or nothing. How many there were.
    """
    with source.connect() as old, write_transaction(target) as new:
        _refuse_filled(new)
        carried = 0
        for table in carried_tables():
            for rows in _parts(old, table):
                new.execute(insert(table), [dict(row._mapping) for row in rows])
                carried += len(rows)
            _go_on_counting(old, new, table)
        for table in carried_tables():
            _compare(old, new, table)
        if dialect_of(new) is POSTGRES:
            # So that the first questions are not answered as if the tables were empty.
            new.exec_driver_sql("ANALYZE")
    return carried


def _refuse_filled(new: Connection) -> None:
    for table in carried_tables():
        if new.scalar(select(func.count()).select_from(select(*table.primary_key).limit(1).subquery())):
            raise ArchiveError(
                f"There are records already where these should go (in {table.name}); nothing was carried."
            )


def _parts(connection: Connection, table: Table) -> Iterator[Sequence[Row[Any]]]:
    """All rows in the order of their keys, which is the same in every database, some at a time."""
    query = select(table).order_by(*table.primary_key)
    yield from connection.execute(query, execution_options={"yield_per": BATCH}).partitions()


def _go_on_counting(old: Connection, new: Connection, table: Table) -> None:
    """Let the next number be one that was never given."""
    column = table.autoincrement_column
    if column is None:
        return
    highest = new.scalar(select(func.max(column))) or 0
    if table.name in NUMBERED:
        query = dialect_of(old).highest.format(table=table.name, column=column.name)
        highest = max(highest, old.exec_driver_sql(query).scalar() or 0)
    if not highest:
        return
    if dialect_of(new) is POSTGRES:
        new.exec_driver_sql(f"SELECT setval('{table.name}_{column.name}_seq', {highest})")
    elif table.name in NUMBERED:
        new.exec_driver_sql("DELETE FROM sqlite_sequence WHERE name = :name", {"name": table.name})
        row = {"name": table.name, "seq": highest}
        new.exec_driver_sql("INSERT INTO sqlite_sequence (name, seq) VALUES (:name, :seq)", row)


def _compare(old: Connection, new: Connection, table: Table) -> None:
    for one, other in zip_longest(_rows(old, table), _rows(new, table)):
        if one is None or other is None or _plain(one) != _plain(other):
            raise ArchiveError(f"A row of {table.name} is another where it was carried to; nothing was carried.")


def _rows(connection: Connection, table: Table) -> Iterator[Row[Any]]:
    for rows in _parts(connection, table):
        yield from rows


def _plain(row: Row[Any]) -> tuple[Any, ...]:
    return tuple(value.replace(NUL, REPLACED) if isinstance(value, str) else value for value in row)
