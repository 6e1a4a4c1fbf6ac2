"""Batches of sources with their rows, lists and the block list in the database."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from sqlalchemy import delete, select, update

from blogforever.storage.following import (
    USUAL_PAGE,
    BlockedPlace,
    BlogList,
    SourceBatch,
    SourceRow,
    Verdict,
)

from . import schema
from .columns import read_column
from .rows import Columns, Rows, upsert, written

BATCHES, SOURCES, LISTS, BLOCKED = schema.batches, schema.sources, schema.lists, schema.blocked
FOLLOWED, LABELS = schema.followed, schema.labels
STATES = (
    "SELECT state, count(*) AS number FROM followed"
    " WHERE id IN (SELECT blog FROM sources WHERE batch = :batch) GROUP BY state"
)


class SqlSources:
    """The batches of an archive's database, and their rows."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows

    def add(self, batch: SourceBatch, rows: Sequence[SourceRow] = ()) -> None:
        """Keep a batch with its rows, or the first of them; one that is there is replaced."""
        with self._rows.transaction():
            row = written(asdict(batch) | {"tags": json.dumps(batch.tags)})
            self._rows.write(upsert("batches", *row), **row)
            self.add_rows(rows)

    def add_rows(self, rows: Sequence[SourceRow]) -> None:
        """Keep further rows of batches; what is there under their numbers is replaced."""
        columns = [_source_columns(row) for row in rows]
        if columns:
            with self._rows.transaction() as connection:
                connection.exec_driver_sql(upsert("sources", *columns[0]), columns)

    def batch(self, batch: str) -> SourceBatch | None:
        """The batch with this id."""
        row = self._rows.first(select(BATCHES).where(BATCHES.c.id == batch))
        return _batch(row) if row else None

    def batches(self, after: str | None = None, limit: int = USUAL_PAGE) -> list[SourceBatch]:
        """Batches, newest first, from after one on."""
        query = select(BATCHES).order_by(BATCHES.c.id.desc()).limit(limit)
        if after is not None:
            query = query.where(BATCHES.c.id < after)
        return [_batch(row) for row in self._rows.all(query)]

    def verdicts(self, batch: str) -> dict[str, int]:
        """How many rows of a batch have each verdict."""
        query = "SELECT verdict, count(*) AS number FROM sources WHERE batch = :batch GROUP BY verdict"
        return {row.verdict: row.number for row in self._rows.find_all(query, batch=batch)}

    def states(self, batch: str) -> dict[str, int]:
        """How many followed blogs that rows of a batch mean are in each state."""
        return {row.state: row.number for row in self._rows.find_all(STATES, batch=batch)}

    def rows(self, batch: str, after: int = 0, limit: int | None = None) -> Iterator[SourceRow]:
        """The rows of a batch in their order, from after a number on."""
        query = select(SOURCES).where(SOURCES.c.batch == batch, SOURCES.c.number > after)
        return map(_source, self._rows.rows(query.order_by(SOURCES.c.number).limit(limit)))

    def of_blog(self, blog: str) -> list[SourceRow]:
        """The rows, of batches that are not undone, that mean a followed blog."""
        query = select(SOURCES).join(BATCHES, BATCHES.c.id == SOURCES.c.batch)
        query = query.where(SOURCES.c.blog == blog, BATCHES.c.undone.is_(None))
        return [_source(row) for row in self._rows.all(query.order_by(SOURCES.c.batch, SOURCES.c.number))]

    def judge(self, blog: str, verdict: Verdict, reason: str, means: str | None = None) -> None:
        """What analysis says of the rows that mean a followed blog; where it is another one,
        `means` is its id.
        """
        values: Columns = {"verdict": verdict, "reason": reason, "blog": means or blog}
        values |= {"made": 0} if means else {}
        self._rows.execute(update(SOURCES).where(SOURCES.c.blog == blog).values(written(values)))

    def undo(self, batch: str, at: str) -> None:
        """The batch counts no more."""
        self._rows.execute(update(BATCHES).where(BATCHES.c.id == batch).values(undone=at))


class SqlLists:
    """The lists of an archive's database."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows

    def keep(self, blog_list: BlogList) -> None:
        """Keep a list, or what is said of it now."""
        row = written(asdict(blog_list))
        self._rows.write(upsert("lists", *row), **row)

    def find(self, name: str) -> BlogList | None:
        """The list with this name."""
        row = self._rows.first(select(LISTS).where(LISTS.c.name == name))
        return BlogList(**row._mapping) if row else None

    def all(self) -> list[BlogList]:
        """All lists, by name."""
        return [BlogList(**row._mapping) for row in self._rows.all(select(LISTS).order_by(LISTS.c.name))]

    def drop(self, name: str) -> None:
        """Drop a list; its blogs stay, and belong to it no more."""
        named = (LABELS.c.kind == "list") & (LABELS.c.name == name)
        with self._rows.transaction() as connection:
            columns, members = (FOLLOWED.c.id, FOLLOWED.c.lists), select(LABELS.c.blog).where(named)
            for row in connection.execute(select(*columns).where(FOLLOWED.c.id.in_(members))).all():
                left = [other for other in read_column(row.lists, tuple[str, ...]) if other != name]
                connection.execute(update(FOLLOWED).where(FOLLOWED.c.id == row.id).values(lists=json.dumps(left)))
            connection.execute(delete(LABELS).where(named))
            connection.execute(delete(LISTS).where(LISTS.c.name == name))


class SqlBlocks:
    """The block list of an archive's database."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows

    def keep(self, blocked: BlockedPlace) -> None:
        """Block something."""
        row = written(asdict(blocked))
        self._rows.write(upsert("blocked", *row), **row)

    def find(self, blocked: str) -> BlockedPlace | None:
        """The entry with this id."""
        row = self._rows.first(select(BLOCKED).where(BLOCKED.c.id == blocked))
        return BlockedPlace(**row._mapping) if row else None

    def all(self) -> list[BlockedPlace]:
        """Everything that is blocked, oldest first."""
        query = select(BLOCKED).order_by(BLOCKED.c.at, BLOCKED.c.id)
        return [BlockedPlace(**row._mapping) for row in self._rows.all(query)]

    def drop(self, blocked: str) -> None:
        """Let it in again."""
        self._rows.execute(delete(BLOCKED).where(BLOCKED.c.id == blocked))


def _source_columns(row: SourceRow) -> Columns:
    texts = {"tagged": json.dumps(row.tagged), "listed": json.dumps(row.listed)}
    return written(asdict(row) | {"made": int(row.made)} | texts)


def _source(row: Any) -> SourceRow:
    values = dict(row._mapping)
    values |= {name: read_column(values[name], tuple[str, ...]) for name in ("tagged", "listed")}
    return SourceRow(**values | {"made": bool(values["made"])})


def _batch(row: Any) -> SourceBatch:
    return SourceBatch(**dict(row._mapping) | {"tags": read_column(row.tags, tuple[str, ...])})
