"""Jobs of the service in the database: a table that workers take from, each time in one short transaction."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from sqlalchemy import Connection, Row, select

from blogforever.storage.work import (
    JOB_KINDS,
    LOST_WORKER,
    MERGED,
    MOST_TRIES,
    OPEN,
    JobFilter,
    JobKind,
    JobRow,
    JobState,
    NewJob,
)

from . import servicetables
from .rows import Columns, Rows, in_parts
from .tallies import JOBS as TALLIED_JOBS
from .tallies import TALLIES

JOBS = servicetables.jobs

# In SQL as it is, for what every job goes through: building a statement takes longer than running
# it.
PUT = """INSERT INTO jobs (kind, blog, priority, state, due, attempts, created, asked_by, input, cancel)
VALUES (:kind, :blog, :priority, 'waiting', :due, 0, :now, :asked_by, :input, 0)
ON CONFLICT (blog, kind) WHERE state = 'waiting' DO UPDATE SET
  asked_by = CASE WHEN excluded.priority < jobs.priority THEN excluded.asked_by ELSE jobs.asked_by END,
  priority = CASE WHEN excluded.priority < jobs.priority THEN excluded.priority ELSE jobs.priority END,
  due = CASE WHEN excluded.due < jobs.due THEN excluded.due ELSE jobs.due END,
  input = CASE WHEN excluded.input = '' THEN jobs.input ELSE excluded.input END
RETURNING *
"""
TAKE = """UPDATE jobs SET state = 'running', worker = :worker, started = :now, ended = NULL, error = NULL, cancel = 0,
  attempts = attempts + 1
WHERE id = (
  SELECT id FROM jobs AS due WHERE state = 'waiting' AND kind = :kind AND due <= :now
  AND NOT EXISTS (SELECT 1 FROM jobs WHERE state = 'running' AND blog = due.blog)
  ORDER BY priority, due, id LIMIT 1
)
RETURNING *
"""
ANY_DUE = "SELECT 1 FROM jobs WHERE state = 'waiting' AND kind = :kind AND due <= :now LIMIT 1"
END = """UPDATE jobs SET state = :state, ended = :now, result = :result, error = :error, cancel = 0
WHERE id = :job AND worker = :worker AND state = 'running' RETURNING id
"""
OWN = "SELECT * FROM jobs WHERE id = :job AND worker = :worker AND state = 'running'"
TWIN = "SELECT id FROM jobs WHERE state = 'waiting' AND kind = :kind AND blog = :blog"
WAIT = """UPDATE jobs SET state = 'waiting', worker = NULL, started = NULL, due = :due, attempts = :attempts,
  error = :error, cancel = 0
WHERE id = :job RETURNING *
"""
CANCEL = """UPDATE jobs SET state = CASE WHEN state = 'waiting' THEN 'cancelled' ELSE state END,
  cancel = CASE WHEN state = 'running' THEN 1 ELSE 0 END, ended = CASE WHEN state = 'waiting' THEN :now ELSE ended END
WHERE id = :job AND state IN ('waiting', 'running')
"""
FIND = "SELECT * FROM jobs WHERE id = :job"
UNWANTED = "SELECT id FROM jobs WHERE state = 'running' AND worker = :worker AND cancel = 1"
HOLDERS = "SELECT DISTINCT worker FROM jobs WHERE state = 'running'"
HELD = "SELECT * FROM jobs WHERE state = 'running' AND worker = :worker"
LONGEST_DUE = "SELECT due FROM jobs WHERE state = 'waiting' ORDER BY due LIMIT 1"
BUSY = "SELECT blog, kind FROM jobs WHERE state IN ('waiting', 'running') AND blog IS NOT NULL"
FORGET = "DELETE FROM jobs WHERE state IN ('done', 'failed', 'cancelled') AND ended < :before"


class SqlJobs:
    """The jobs of an archive's database."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows

    def put(self, new: NewJob, now: str) -> JobRow:
        """The job that does it: a new one, or the one that waits for this already."""
        values: Columns = {"kind": new.kind, "blog": new.blog or None, "priority": new.priority, "due": new.due or now}
        values |= {"now": now, "asked_by": new.asked_by, "input": new.input}
        with self._rows.transaction() as connection:
            return job_of(connection.exec_driver_sql(PUT, values).one())

    def take(self, worker: str, wanted: Mapping[JobKind, int], now: str) -> list[JobRow]:
        """At most so many jobs of each kind that are due."""
        # Workers ask often, and mostly for nothing: then nobody is kept from writing.
        kinds = [kind for kind, most in wanted.items() if most > 0 and self._rows.find(ANY_DUE, kind=kind, now=now)]
        if not kinds:
            return []
        with self._rows.transaction() as connection:
            return [job for kind in kinds for job in _taken(connection, worker, kind, wanted[kind], now)]

    def done(self, job: int, worker: str, result: str, now: str) -> bool:
        """It is carried out."""
        return self._end(job, worker, "done", now, result=result)

    def fail(
        self, job: int, worker: str, error: str, now: str, again: str | None = None, result: str | None = None
    ) -> bool:
        """It failed: for good, or it is due again then."""
        if again is None:
            return self._end(job, worker, "failed", now, result, error)
        with self._rows.transaction() as connection:
            row = connection.exec_driver_sql(OWN, {"job": job, "worker": worker}).first()
            if row is not None:
                self._wait_again(connection, job_of(row), now, due=again, error=error)
            return row is not None

    def give_back(self, job: int, worker: str, now: str, due: str | None = None) -> bool:
        """It waits again, as if it had not been taken."""
        with self._rows.transaction() as connection:
            row = connection.exec_driver_sql(OWN, {"job": job, "worker": worker}).first()
            if row is not None:
                self._wait_again(connection, job_of(row), now, due, tries=row.attempts - 1)
            return row is not None

    def cancel(self, job: int, now: str) -> JobRow | None:
        """Nobody wants it any more."""
        self._rows.write(CANCEL, job=job, now=now)
        return self.find(job)

    def cancel_of(self, blogs: Collection[str], now: str) -> None:
        """Nobody wants anything done for these blogs any more."""
        with self._rows.transaction() as connection:
            for row in self._open_of(blogs):
                connection.exec_driver_sql(CANCEL, {"job": row.id, "now": now})

    def unwanted(self, worker: str) -> list[int]:
        """The jobs of this worker that somebody wants ended."""
        return [int(row.id) for row in self._rows.find_all(UNWANTED, worker=worker)]

    def stopped(self, job: int, worker: str, now: str) -> bool:
        """It was ended because somebody wanted that."""
        return self._end(job, worker, "cancelled", now)

    def holders(self) -> frozenset[str]:
        """The workers that have jobs under way, whether they live or not."""
        return frozenset(row.worker for row in self._rows.find_all(HOLDERS))

    def take_over(self, dead: Collection[str], now: str) -> list[JobRow]:
        """The jobs of workers that live no more wait
        again; one that was tried too often has failed.
        """
        if not dead:
            return []
        with self._rows.transaction() as connection:
            held = [row for worker in sorted(dead) for row in connection.exec_driver_sql(HELD, {"worker": worker})]
            return [self._taken_over(connection, job_of(row), now) for row in held]

    def find(self, job: int) -> JobRow | None:
        """The job with this number."""
        row = self._rows.find(FIND, job=job)
        return None if row is None else job_of(row)

    def newest(self, meant: JobFilter, limit: int, after: int | None = None) -> list[JobRow]:
        """Jobs, newest first."""
        wishes = {"state": meant.state, "kind": meant.kind, "blog": meant.blog}
        named = {name: value for name, value in wishes.items() if value}
        conditions = [f"{name} = :{name}" for name in named] + (["id < :after"] if after is not None else [])
        conditions += ["substr(ended, 1, 10) = :day"] if meant.day else []
        where = f"WHERE {' AND '.join(conditions)} " if conditions else ""
        query = f"SELECT * FROM jobs {where}ORDER BY id DESC LIMIT :limit"  # noqa: S608  names of our own
        return [job_of(row) for row in self._rows.find_all(query, **named, day=meant.day, after=after, limit=limit)]

    def counts(self) -> dict[tuple[JobKind, JobState], int]:
        """How many jobs of each kind stand how."""
        return {(row.kind, row.state): row.number for row in self._rows.find_all(TALLIES, what=TALLIED_JOBS.what)}

    def longest_due(self) -> str | None:
        """Since when the job that waits the longest is due."""
        row = self._rows.find(LONGEST_DUE)
        return row.due if row else None

    def busy(self, kinds: Collection[JobKind] = JOB_KINDS, among: Collection[str] | None = None) -> frozenset[str]:
        """The blogs, all or among these, that have a job, of one of these kinds, that waits or is under way."""
        rows = self._rows.find_all(BUSY) if among is None else self._open_of(among)
        return frozenset(row.blog for row in rows if row.kind in kinds)

    def _open_of(self, blogs: Collection[str]) -> list[Row[Any]]:
        """The jobs of these blogs that wait or are under way, however many others there are."""
        is_open = JOBS.c.state.in_(OPEN)
        queries = (select(JOBS).where(is_open, JOBS.c.blog.in_(some)) for some in in_parts(sorted(blogs)))
        return [row for query in queries for row in self._rows.all(query)]

    def forget(self, before: str) -> int:
        """Drop jobs that ended before then."""
        with self._rows.transaction() as connection:
            return connection.exec_driver_sql(FORGET, {"before": before}).rowcount

    def _end(self, job: int, worker: str, state: str, now: str, result: str | None = None, error: str = "") -> bool:
        values: Columns = {"job": job, "worker": worker, "state": state, "result": result, "error": error or None}
        with self._rows.transaction() as connection:
            return self._end_own(connection, values | {"now": now})

    def _end_own(self, connection: Connection, values: Columns) -> bool:
        """A worker ends a job of its own; whether it was."""
        return connection.exec_driver_sql(END, values).first() is not None

    def _taken_over(self, connection: Connection, job: JobRow, now: str) -> JobRow:
        if job.attempts < MOST_TRIES:
            return self._wait_again(connection, job, now)
        return self._ended(connection, job, "failed", LOST_WORKER, now)

    def _wait_again(
        self,
        connection: Connection,
        job: JobRow,
        now: str,
        due: str | None = None,
        tries: int | None = None,
        error: str = "",
    ) -> JobRow:
        """Put a job that was under way back; where one of its
        kind waits for its blog already, that one does for both.
        """
        if connection.exec_driver_sql(TWIN, {"kind": job.kind, "blog": job.blog or None}).first() is not None:
            self.put(NewJob(job.kind, job.blog, job.priority, due or job.due, job.asked_by, job.input), now)
            return self._ended(connection, job, "cancelled", error or MERGED, now)
        values: Columns = {"job": job.id, "due": due or job.due, "error": error or None}
        values["attempts"] = job.attempts if tries is None else tries
        row = connection.exec_driver_sql(WAIT, values).one()
        self._left(connection, job.id)
        return job_of(row)

    def _ended(self, connection: Connection, job: JobRow, state: JobState, error: str, now: str) -> JobRow:
        values: Columns = {"job": job.id, "worker": job.worker, "state": state, "result": None, "error": error}
        connection.exec_driver_sql(END, values | {"now": now}).all()
        self._left(connection, job.id)
        return job_of(connection.exec_driver_sql(FIND, {"job": job.id}).one())

    def _left(self, connection: Connection, job: int) -> None:
        """A job that was under way is so no more, by another way than its own end; for who needs to know."""


def _taken(connection: Connection, worker: str, kind: JobKind, most: int, now: str) -> list[JobRow]:
    taken: list[JobRow] = []
    while len(taken) < most:
        row = connection.exec_driver_sql(TAKE, {"worker": worker, "kind": kind, "now": now}).first()
        if row is None:
            break
        taken.append(job_of(row))
    return taken


def job_of(row: Any) -> JobRow:
    """A job as its row says it."""
    values = dict(row._mapping)
    return JobRow(**values | {"blog": values["blog"] or "", "cancel": bool(values["cancel"])})
