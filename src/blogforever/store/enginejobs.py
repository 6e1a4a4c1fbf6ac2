"""Jobs on PostgreSQL: our table says what is wanted and why, and the engine carries what is due to
workers.

What is due is told by our clock, so a job waits in our table until then. A take keeps nobody from
writing: the engine passes over what another worker is just taking. Who changes a job that waits
begins with who carries it, as a take does: so nobody waits in a circle.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from sqlalchemy import Connection

from blogforever.storage.work import SCHEDULE, JobKind, JobRow, NewJob

from .engine import Carrier
from .jobs import ANY_DUE, END, SqlJobs, job_of
from .rows import Columns

# Jobs that the engine is given at a time: its every fetch looks at all that it has, and what comes
# later and is more urgent should not wait behind many.
WINDOW = 32
# Due, not carried yet, and of a blog that nobody works on; the most urgent first.
TO_CARRY = """SELECT * FROM jobs AS due WHERE state = 'waiting' AND kind = :kind AND due <= :now
AND NOT EXISTS (SELECT 1 FROM jobs WHERE state = 'running' AND blog = due.blog)
AND NOT EXISTS (SELECT 1 FROM procrastinate_jobs WHERE (args ->> 'job')::bigint = due.id)
ORDER BY priority, due, id LIMIT :most
"""
# The end of a job and of who carries it in one: every job goes through this.
END_BOTH = f"""WITH ended AS ({END}), carried AS (
  SELECT procrastinate_finish_job_v1(carrier.id, 'succeeded', true) AS ended
  FROM procrastinate_jobs AS carrier JOIN ended ON (carrier.args ->> 'job')::bigint = ended.id
) SELECT ended.id, (SELECT count(ended) FROM carried) FROM ended
"""  # noqa: S608  statements of our own
WORKER = "SELECT id FROM engine_workers WHERE name = :name"
BEGIN_JOBS = """UPDATE jobs SET state = 'running', worker = :worker, started = :now, ended = NULL, error = NULL,
  cancel = 0, attempts = attempts + 1
WHERE id = ANY(:jobs) AND state = 'waiting' RETURNING *
"""


class EngineJobs(SqlJobs):
    """The jobs of an archive whose records are in PostgreSQL."""

    def put(self, new: NewJob, now: str) -> JobRow:
        """The job that does it; what a person or a ping wants does not wait behind what was given
        to the engine before.
        """
        with self._rows.transaction() as connection:
            row = super().put(new, now)
            if row.priority < SCHEDULE and row.due <= now:
                Carrier(connection).hurry(row)
            return row

    def take(self, worker: str, wanted: Mapping[JobKind, int], now: str) -> list[JobRow]:
        """At most so many jobs of each kind that are due."""
        kinds = [kind for kind, most in wanted.items() if most > 0 and self._rows.find(ANY_DUE, kind=kind, now=now)]
        if not kinds:
            return []
        number = self._rows.find(WORKER, name=worker)
        who = (worker, number.id if number else None)
        return [job for kind in kinds for job in self._taken_of(kind, who, wanted[kind], now)]

    def _taken_of(self, kind: JobKind, who: tuple[str, int | None], most: int, now: str) -> list[JobRow]:
        taken = self._fetched(kind, who, most, now)
        while len(taken) < most and self._carry_more(kind, now):
            taken += self._fetched(kind, who, most - len(taken), now)
        return taken

    def _carry_more(self, kind: JobKind, now: str) -> bool:
        """Give the engine what is due; whether that was anything."""
        with self._rows.transaction() as connection:
            values = {"kind": kind, "now": now, "most": WINDOW}
            rows = connection.exec_driver_sql(TO_CARRY, values).all()
            Carrier(connection).defer([job_of(row) for row in rows])
            return bool(rows)

    def _fetched(self, kind: JobKind, who: tuple[str, int | None], most: int, now: str) -> list[JobRow]:
        """What the engine has for a worker."""
        with self._rows.beside() as connection:
            carrier = Carrier(connection)
            found = carrier.fetch(kind, who[1], most)
            values = {"jobs": [*found], "worker": who[0], "now": now}
            begun = {row.id: job_of(row) for row in connection.exec_driver_sql(BEGIN_JOBS, values)} if found else {}
            for job in found.keys() - begun.keys():
                # Nobody wants it any more.
                carrier.end_carrier(found[job])
            return [begun[job] for job in found if job in begun]

    def cancel(self, job: int, now: str) -> JobRow | None:
        """Nobody wants it any more."""
        with self._rows.transaction() as connection:
            Carrier(connection).drop_waiting(job)
            return super().cancel(job, now)

    def cancel_of(self, blogs: Collection[str], now: str) -> None:
        """Nobody wants anything done for these blogs any more."""
        with self._rows.transaction() as connection:
            carrier = Carrier(connection)
            for row in self._open_of(blogs):
                carrier.drop_waiting(row.id)
            super().cancel_of(blogs, now)

    def take_over(self, dead: Collection[str], now: str) -> list[JobRow]:
        """The jobs of workers that live no more wait again; one that lives after all learns that it was given up."""
        if not dead:
            return []
        with self._rows.transaction() as connection:
            orphans = super().take_over(dead, now)
            for name in sorted(dead):
                row = connection.exec_driver_sql(WORKER, {"name": name}).first()
                if row is not None:
                    Carrier(connection).leave(row.id)
            return orphans

    def _end_own(self, connection: Connection, values: Columns) -> bool:
        return connection.exec_driver_sql(END_BOTH, values).first() is not None

    def _left(self, connection: Connection, job: int) -> None:
        Carrier(connection).end(job)
