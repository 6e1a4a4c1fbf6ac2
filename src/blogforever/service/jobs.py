"""The service's work, for people: jobs to see, cancel and have done again; parts of it to pause."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import get_args

from msgspec import DecodeError, Struct, json

from blogforever import clock
from blogforever.errors import UsageError
from blogforever.storage.following import FollowedBlog
from blogforever.storage.tables import Store
from blogforever.storage.work import LOOKS, PERSON, JobFilter, JobKind, JobRow, JobState, NewJob, PausedPart, WorkerRow
from blogforever.work.counting import count_job
from blogforever.work.worker import WORKERS

from .listening import PINGS
from .outboxfeed import OUTBOX_PART
from .running import SCHEDULER
from .scheduling import given_up
from .sending import WEBHOOKS

# Jobs in one answer, where nobody says how many.
USUAL_PAGE = 50
# Jobs that are tried again at once: more than a service fails in a day.
MOST_AGAIN = 10_000
ENDED_BADLY: tuple[JobState, ...] = ("failed", "cancelled")
CANCELLED = "Somebody cancelled it."
KINDS: tuple[JobKind, ...] = get_args(JobKind)
# The kinds of jobs of which people want to know what came of them.
FRUITFUL: tuple[JobKind, ...] = (*LOOKS, "reread", "export")
# The parts that are the whole service: without workers no job of any kind is done.
WHOLE = (SCHEDULER, WORKERS, PINGS, WEBHOOKS, OUTBOX_PART)
PARTS = (*WHOLE, *KINDS)
"""What can be paused: the scheduler, all workers, who hears pings, who tells webhooks, or the jobs
of one kind.
"""


@dataclass(frozen=True, slots=True)
class JobPage:
    """Some jobs, and the number after which the next page begins."""

    items: tuple[JobRow, ...]
    next: int | None


@dataclass(frozen=True, slots=True)
class WorkStanding:
    """How the work of the service stands: who carries it,
    how many jobs of each kind stand how, what is paused.
    """

    workers: tuple[WorkerRow, ...]
    jobs: Mapping[JobKind, Mapping[JobState, int]]
    paused: tuple[PausedPart, ...] = field(default=())


class JobFruit(Struct, frozen=True):
    """What came of a job, as it says itself: of a look the posts it found, of reading again those it read, of an
    export its size.
    """

    outcome: str = ""
    reason: str = ""
    found: int = 0
    changed: int = 0
    requests: int = 0
    posts: int = 0
    new: int = 0
    bytes: int = 0


def fruits_of(jobs: Iterable[JobRow]) -> dict[int, JobFruit]:
    """What came of those jobs that were carried out and tell it, by their numbers."""
    told = ((job.id, _fruit(job.result)) for job in jobs if job.kind in FRUITFUL and job.result)
    return {number: fruit for number, fruit in told if fruit is not None}


def _fruit(result: str) -> JobFruit | None:
    """None where another version wrote it otherwise."""
    try:
        return json.decode(result, type=JobFruit)
    except DecodeError:
        return None


def list_jobs(store: Store, meant: JobFilter, limit: int = USUAL_PAGE, after: int | None = None) -> JobPage:
    """Jobs, newest first."""
    found = store.jobs.newest(meant, limit + 1, after)
    items = tuple(found[:limit])
    return JobPage(items, items[-1].id if len(found) > limit and items else None)


def blogs_of(store: Store, jobs: Iterable[JobRow]) -> dict[str, FollowedBlog]:
    """The blogs of jobs, as far as they are followed."""
    return {blog.id: blog for blog in store.followed.some({job.blog for job in jobs if job.blog})}


def find_job(store: Store, job: int) -> JobRow:
    """One job; UsageError where there is none."""
    found = store.jobs.find(job)
    if found is None:
        raise UsageError(f"There is no job {job}; `blogforever jobs` lists those there are.")
    return found


def cancel_job(store: Store, job: int) -> JobRow:
    """End a job that nobody wants; one under way is stopped in good order, within seconds."""
    find_job(store, job)
    with store.transaction():
        was_waiting = find_job(store, job).state == "waiting"
        row = store.jobs.cancel(job, clock.stamp())
        assert row
        if was_waiting:
            if row.kind in LOOKS:
                # Otherwise it would be due, and back in the queue, at once.
                given_up(store, row, CANCELLED)
            count_job(store, row, "cancelled")
    return row


def retry_job(store: Store, job: int, by: str) -> JobRow:
    """Have done again what failed or was cancelled, before all others: a job of its own."""
    old = find_job(store, job)
    if old.state in ("waiting", "running"):
        raise UsageError(f"Job {job} is {old.state}: there is nothing to try again yet.")
    return store.jobs.put(NewJob(old.kind, old.blog, PERSON, asked_by=by, input=old.input), clock.stamp())


def retry_jobs(store: Store, meant: JobFilter, by: str) -> int:
    """Have done again all that failed or was cancelled, of those that are meant, and was not begun anew since; how
    many.
    """
    ended = [job for job in store.jobs.newest(meant, MOST_AGAIN) if job.state in ENDED_BADLY]
    since = tried_since(store, ended)
    again = [job for job in ended if job.id not in since]
    with store.transaction():
        for job in again:
            retry_job(store, job.id, by)
    return len(again)


def tried_since(store: Store, jobs: Iterable[JobRow]) -> dict[int, JobRow]:
    """Of those that failed or were cancelled, whose work was begun anew since: by the last job that does the same."""
    ended = [job for job in jobs if job.blog and job.state in ENDED_BADLY]
    pairs = {(job.kind, job.blog) for job in ended}
    last = {pair: store.jobs.newest(JobFilter(kind=pair[0], blog=pair[1]), 1)[0] for pair in pairs}
    return {job.id: last[job.kind, job.blog] for job in ended if last[job.kind, job.blog].id > job.id}


def pause_part(store: Store, part: str, by: str) -> PausedPart:
    """Let a part of the service do nothing new; what is under way goes on."""
    _check_part(part)
    store.parts.pause(PausedPart(part, clock.stamp(), by))
    return next(paused for paused in store.parts.paused() if paused.part == part)


def resume_part(store: Store, part: str) -> bool:
    """Let it work again; whether it was paused."""
    _check_part(part)
    return store.parts.resume(part)


def pause_everything(store: Store, by: str) -> None:
    """Let the whole service rest, as for maintenance: nothing new begins; what was paused before stays as it is."""
    for part in WHOLE:
        pause_part(store, part, by)


def resume_everything(store: Store) -> None:
    """Let all parts work again, whoever paused them."""
    for part in PARTS:
        resume_part(store, part)


def work_standing(store: Store) -> WorkStanding:
    """How the work of the service stands now."""
    jobs: dict[JobKind, dict[JobState, int]] = {}
    for (kind, state), number in store.jobs.counts().items():
        jobs.setdefault(kind, {})[state] = number
    return WorkStanding(tuple(store.workers.rows()), jobs, tuple(store.parts.paused()))


def _check_part(part: str) -> None:
    if part not in PARTS:
        raise UsageError(f"{part!r} is no part of the service; these are: {', '.join(PARTS)}.")
