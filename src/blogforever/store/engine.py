"""Procrastinate on a connection of ours: what it does becomes true, or not, together with what else
is written there.

Its tables stand beside ours. A job of ours that is due is carried by one of its jobs, in a queue of
its kind and with its blog as the lock; the number of ours is all that one says. A job that ended is
not carried any more. Only who uses PostgreSQL has it: whoever imports this does so when it is
needed.
"""

from __future__ import annotations

from collections.abc import Coroutine, Sequence
from typing import Any, TypeVar

import psycopg
from procrastinate.connector import BaseConnector
from procrastinate.jobs import Job, Status
from procrastinate.manager import JobManager
from procrastinate.schema import SchemaManager
from psycopg.rows import DictRow, dict_row
from psycopg.types.json import Jsonb
from sqlalchemy import Connection

from blogforever.errors import ArchiveError
from blogforever.storage.work import JobKind, JobRow

from .database import first_line

# What every job of the engine asks for; the number of our job says the rest.
TASK, NUMBER = "blogforever", "job"
# A job of ours is carried once. What has the same lock is found at once: every fetch asks for it,
# of every job that it looks at. Rows come and go, and what is gone is cleared away soon. Under
# which name the engine's workers are known here, on which machine they are, and how many seconds
# each may be silent.
OURS = """
CREATE UNIQUE INDEX engine_jobs ON procrastinate_jobs (((args ->> 'job')::bigint));
CREATE INDEX engine_locks ON procrastinate_jobs (lock);
ALTER TABLE procrastinate_jobs SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000,
  autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 1000);
CREATE TABLE engine_workers (
  id BIGINT PRIMARY KEY REFERENCES procrastinate_workers ON DELETE CASCADE,
  name TEXT COLLATE "C" NOT NULL UNIQUE, machine TEXT NOT NULL, silence DOUBLE PRECISION NOT NULL
);
"""
IS_THERE = "SELECT to_regclass('procrastinate_jobs') IS NOT NULL"
CARRIER = "SELECT id, priority FROM procrastinate_jobs WHERE (args ->> 'job')::bigint = :job"
# As its manager says it, but for several: each is fetched as if the one before were under way
# already.
FETCH = """SELECT (fetched).id AS id, ((fetched).args ->> 'job')::bigint AS job FROM (
  SELECT procrastinate_fetch_job_v2(ARRAY[:kind]::varchar[], CAST(:worker AS bigint)) AS fetched
  FROM generate_series(1, :most)
) AS jobs WHERE (fetched).id IS NOT NULL
"""
# As its manager says it, but for a job of ours: one way to the server instead of two.
FINISH = """SELECT procrastinate_finish_job_v1(id, 'succeeded', true) FROM procrastinate_jobs
WHERE (args ->> 'job')::bigint = :job
"""
Result = TypeVar("Result")


def make_engine_tables(connection: Connection) -> None:
    """Make the tables of the engine, where they are not there."""
    if connection.exec_driver_sql(IS_THERE).scalar():
        return
    for statements in (SchemaManager.get_schema(), OURS):
        _driver_of(connection).execute(statements)


class Carrier:
    """The engine, in the transaction of one connection."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._manager = JobManager(_Here(_driver_of(connection)))

    def defer(self, jobs: Sequence[JobRow]) -> None:
        """Let these be carried, in this order where they are equally urgent."""
        if jobs:
            self._manager.batch_defer_jobs([_carrying(job) for job in jobs])

    def fetch(self, kind: JobKind, worker: int | None, most: int) -> dict[int, int]:
        """The numbers of the next jobs of a kind whose blogs nobody works on, and those of who
        carries them; the most urgent first.
        """
        rows = self._connection.exec_driver_sql(FETCH, {"kind": kind, "worker": worker, "most": most}).all()
        return {row.job: row.id for row in rows}

    def hurry(self, job: JobRow) -> None:
        """Let a job that waits be carried, as urgent as it is now."""
        row = self._carrier(job.id)
        if row is not None and row.priority == -job.priority:
            return
        if row is None or self._manager.cancel_job_by_id(row.id, delete_job=True):
            self.defer([job])

    def drop_waiting(self, job: int) -> None:
        """Do not carry a job that waits; one that was fetched meanwhile is left alone."""
        row = self._carrier(job)
        if row is not None:
            self._manager.cancel_job_by_id(row.id, delete_job=True)

    def end(self, job: int) -> None:
        """A job that was under way is not carried any more; how it ended is said in our own table."""
        self._connection.exec_driver_sql(FINISH, {"job": job})

    def end_carrier(self, number: int) -> None:
        """The same, where it is known who carries it."""
        at_once(self._manager.finish_job_by_id_async(number, Status.SUCCEEDED, delete_job=True))

    def register(self) -> int:
        """A number for a new worker, which has given a sign of life."""
        return at_once(self._manager.register_worker())

    def beat(self, worker: int) -> None:
        """A sign of life."""
        at_once(self._manager.update_heartbeat(worker))

    def leave(self, worker: int) -> None:
        """It is no worker any more."""
        at_once(self._manager.unregister_worker(worker))

    def _carrier(self, job: int) -> Any:
        return self._connection.exec_driver_sql(CARRIER, {"job": job}).first()


class _Here(BaseConnector):
    """The engine's way to its tables: always this connection, never one of its own."""

    def __init__(self, driver: psycopg.Connection[Any]) -> None:
        self._driver = driver

    def get_sync_connector(self) -> BaseConnector:
        """This one."""
        return self

    def execute_query_one(self, query: str, **arguments: Any) -> dict[str, Any]:
        """The first row of an answer."""
        return self._answer(query, arguments)[0]

    def execute_query_all(self, query: str, **arguments: Any) -> list[dict[str, Any]]:
        """All rows of an answer."""
        return self._answer(query, arguments)

    async def execute_query_async(self, query: str, **arguments: Any) -> None:
        """The same without an answer, for those parts of the engine that are written for an event loop."""
        self._answer(query, arguments)

    async def execute_query_one_async(self, query: str, **arguments: Any) -> dict[str, Any]:
        """The first row, as above."""
        return self._answer(query, arguments)[0]

    async def execute_query_all_async(self, query: str, **arguments: Any) -> list[dict[str, Any]]:
        """All rows, as above."""
        return self._answer(query, arguments)

    def _answer(self, query: str, arguments: dict[str, Any]) -> list[DictRow]:
        values = {name: _as_json(value) for name, value in arguments.items()}
        try:
            with self._driver.cursor(row_factory=dict_row) as cursor:
                cursor.execute(query.encode(), values)
                return cursor.fetchall()
        except psycopg.Error as error:
            raise ArchiveError(f"The archive's database failed: {first_line(error)}.") from error


def at_once(asked: Coroutine[Any, Any, Result]) -> Result:
    """What the engine answers; on a connection of ours nothing is waited for in an event loop."""
    try:
        asked.send(None)
    except StopIteration as answered:
        result: Result = answered.value
        return result
    raise RuntimeError("The engine waited for an event loop.")


def _carrying(job: JobRow) -> Job:
    # The engine's most urgent has the highest number.
    return Job(
        queue=job.kind,
        priority=-job.priority,
        lock=job.blog or None,
        queueing_lock=None,
        task_name=TASK,
        task_kwargs={NUMBER: job.id},
    )


def _as_json(value: Any) -> Any:
    """A value of the engine as the driver takes it."""
    if isinstance(value, dict):
        return Jsonb(value)
    if isinstance(value, list):
        return [_as_json(one) for one in value]
    # A row of one of its own types has a name for each column, and the driver wants it without.
    return tuple(map(_as_json, value)) if isinstance(value, tuple) else value


def _driver_of(connection: Connection) -> psycopg.Connection[Any]:
    driver: psycopg.Connection[Any] | None = connection.connection.driver_connection
    assert driver is not None
    return driver
