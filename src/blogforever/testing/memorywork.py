"""Jobs, workers and paused parts in memory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace

from blogforever.storage.work import (
    JOB_KINDS,
    LOST_WORKER,
    MERGED,
    MOST_TRIES,
    OPEN,
    SILENCE,
    JobFilter,
    JobKind,
    JobRow,
    JobState,
    NewJob,
    PausedPart,
    WorkerRow,
)

from .memorytables import MemoryTables, drop_rows


class MemoryJobs:
    """The queue, in a dictionary."""

    def __init__(self, tables: MemoryTables) -> None:
        self._tables = tables

    def put(self, new: NewJob, now: str) -> JobRow:
        """The job that does it: a new one, or the one that waits for this already."""
        due = new.due or now
        if twin := self._twin(new.kind, new.blog):
            return self._keep(_for_both(twin, replace(new, due=due)))
        number = max(self._tables.jobs, default=0) + 1
        row = JobRow(number, new.kind, new.blog, new.priority, "waiting", due, 0, now, new.asked_by, new.input)
        return self._keep(row)

    def take(self, worker: str, wanted: Mapping[JobKind, int], now: str) -> list[JobRow]:
        """At most so many jobs of each kind that are due."""
        return [job for kind, most in wanted.items() for job in self._taken(worker, kind, most, now)]

    def _taken(self, worker: str, kind: JobKind, most: int, now: str) -> Iterator[JobRow]:
        due = self._rows(lambda job: job.state == "waiting" and job.kind == kind and job.due <= now)
        taken = 0
        for job in sorted(due, key=lambda job: (job.priority, job.due, job.id)):
            if taken < most and not self._is_worked_on(job.blog):
                taken += 1
                tries = job.attempts + 1
                yield self._keep(
                    replace(job, state="running", worker=worker, started=now, attempts=tries, ended=None, error=None)
                )

    def _is_worked_on(self, blog: str) -> bool:
        return bool(blog) and any(self._rows(lambda job: job.state == "running" and job.blog == blog))

    def done(self, job: int, worker: str, result: str, now: str) -> bool:
        """It is carried out."""
        return self._change(job, worker, lambda row: _ended(row, "done", now, result=result))

    def fail(
        self, job: int, worker: str, error: str, now: str, again: str | None = None, result: str | None = None
    ) -> bool:
        """It failed: for good, or it is due again then."""
        if again is None:
            return self._change(job, worker, lambda row: _ended(row, "failed", now, result=result, error=error))
        due = again
        return self._change(job, worker, lambda row: self._wait_again(replace(row, due=due), now, error))

    def give_back(self, job: int, worker: str, now: str, due: str | None = None) -> bool:
        """It waits again, as if it had not been taken, or until then."""

        def given_back(row: JobRow) -> JobRow:
            return self._wait_again(replace(row, attempts=row.attempts - 1, due=due or row.due), now, "")

        return self._change(job, worker, given_back)

    def cancel(self, job: int, now: str) -> JobRow | None:
        """Nobody wants it any more."""
        row = self.find(job)
        if row and row.state == "waiting":
            self._keep(_ended(row, "cancelled", now))
        elif row and row.state == "running":
            self._keep(replace(row, cancel=True))
        return self.find(job)

    def cancel_of(self, blogs: Collection[str], now: str) -> None:
        """Nobody wants anything done for these blogs any more."""
        for job in self._rows(lambda job: job.blog in blogs and job.state in OPEN):
            self.cancel(job.id, now)

    def unwanted(self, worker: str) -> list[int]:
        """The jobs of this worker that somebody wants ended."""
        return [job.id for job in self._rows(lambda job: job.state == "running" and job.worker == worker) if job.cancel]

    def stopped(self, job: int, worker: str, now: str) -> bool:
        """It was ended because somebody wanted that."""
        return self._change(job, worker, lambda row: _ended(row, "cancelled", now))

    def holders(self) -> frozenset[str]:
        """The workers that have jobs under way, whether they live or not."""
        return frozenset(job.worker or "" for job in self._rows(lambda job: job.state == "running"))

    def take_over(self, dead: Collection[str], now: str) -> list[JobRow]:
        """The jobs of workers that live no more wait again; one that was tried too often has
        failed.
        """
        held = list(self._rows(lambda job: job.state == "running" and job.worker in dead))
        return [self._keep(self._taken_over(job, now)) for job in held]

    def _taken_over(self, job: JobRow, now: str) -> JobRow:
        if job.attempts < MOST_TRIES:
            return self._wait_again(job, now, "")
        return _ended(job, "failed", now, error=LOST_WORKER)

    def find(self, job: int) -> JobRow | None:
        """The job with this number."""
        return self._tables.jobs.get(job)

    def newest(self, meant: JobFilter, limit: int, after: int | None = None) -> list[JobRow]:
        """Jobs, newest first."""

        def is_meant(job: JobRow) -> bool:
            is_older = after is None or job.id < after
            fits = job.state == (meant.state or job.state) and job.kind == (meant.kind or job.kind)
            has_ended = not meant.day or (job.ended or "").startswith(meant.day)
            return is_older and fits and has_ended and job.blog == (meant.blog or job.blog)

        return sorted(self._rows(is_meant), key=lambda job: -job.id)[:limit]

    def counts(self) -> dict[tuple[JobKind, JobState], int]:
        """How many jobs of each kind stand how."""
        return dict(Counter((job.kind, job.state) for job in self._tables.jobs.values()))

    def longest_due(self) -> str | None:
        """Since when the job that waits the longest is due."""
        return min((job.due for job in self._rows(lambda job: job.state == "waiting")), default=None)

    def busy(self, kinds: Collection[JobKind] = JOB_KINDS, among: Collection[str] | None = None) -> frozenset[str]:
        """The blogs, all or among these, that have a job, of one of these kinds, that waits or is under way."""
        meant = self._rows(lambda job: job.state in OPEN and job.kind in kinds)
        return frozenset(job.blog for job in meant if job.blog and (among is None or job.blog in among))

    def forget(self, before: str) -> int:
        """Drop jobs that ended before then."""
        count = len(self._tables.jobs)
        drop_rows(self._tables.jobs, lambda _number, job: job.state not in OPEN and (job.ended or "") < before)
        return count - len(self._tables.jobs)

    def _rows(self, is_meant: Callable[[JobRow], bool]) -> Iterator[JobRow]:
        return (job for job in list(self._tables.jobs.values()) if is_meant(job))

    def _twin(self, kind: JobKind, blog: str) -> JobRow | None:
        """The job of this kind that waits for this blog."""
        waiting = self._rows(lambda job: job.state == "waiting" and job.kind == kind and job.blog == blog)
        return next(waiting, None) if blog else None

    def _wait_again(self, job: JobRow, now: str, error: str) -> JobRow:
        if twin := self._twin(job.kind, job.blog):
            self._keep(_for_both(twin, job))
            return _ended(job, "cancelled", now, error=error or MERGED)
        return replace(job, state="waiting", worker=None, started=None, error=error or None, cancel=False)

    def _change(self, job: int, worker: str, change: Callable[[JobRow], JobRow]) -> bool:
        """Change a job that this worker has under way; whether it has."""
        row = self.find(job)
        if row is None or row.state != "running" or row.worker != worker:
            return False
        self._keep(change(row))
        return True

    def _keep(self, job: JobRow) -> JobRow:
        self._tables.check_open()
        self._tables.jobs[job.id] = job
        return job


def _for_both(twin: JobRow, other: NewJob | JobRow) -> JobRow:
    """A job that waits as it does for itself and another."""
    asked_by = other.asked_by if other.priority < twin.priority else twin.asked_by
    urgent, told = min(twin.priority, other.priority), other.input or twin.input
    return replace(twin, priority=urgent, due=min(twin.due, other.due), asked_by=asked_by, input=told)


def _ended(job: JobRow, state: JobState, now: str, result: str | None = None, error: str | None = None) -> JobRow:
    return replace(job, state=state, ended=now, result=result, error=error, cancel=False)


class MemoryWorkers:
    """The workers of one process: who joined and has not left lives."""

    def __init__(self, tables: MemoryTables) -> None:
        self._tables = tables
        self._alive: set[str] = set()

    @contextmanager
    def join(self, name: str, silence: float = SILENCE) -> Iterator[None]:
        """Be alive under this name, until the end of the context."""
        self._alive.add(name)
        try:
            yield
        finally:
            self._alive.discard(name)

    def alive(self) -> frozenset[str]:
        """The names of those that live now."""
        return frozenset(self._alive)

    def tell(self, worker: WorkerRow) -> bool:
        """Say how it stands."""
        self._tables.workers[worker.name] = worker
        return worker.name in self._alive

    def rows(self) -> list[WorkerRow]:
        """What those that live last told, by name."""
        return [row for name, row in sorted(self._tables.workers.items()) if name in self._alive]


class MemoryParts:
    """The paused parts of the service."""

    def __init__(self, tables: MemoryTables) -> None:
        self._tables = tables

    def pause(self, part: PausedPart) -> None:
        """Pause it, from now on."""
        self._tables.paused.setdefault(part.part, part)

    def resume(self, part: str) -> bool:
        """Let it run; whether it was paused."""
        return self._tables.paused.pop(part, None) is not None

    def paused(self) -> list[PausedPart]:
        """Those that are paused, by name."""
        return [part for _, part in sorted(self._tables.paused.items())]
