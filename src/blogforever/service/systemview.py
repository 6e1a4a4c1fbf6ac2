"""How the service stands, for people: its parts, what runs and how far it is, who works, how much room is left."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from blogforever import clock
from blogforever.storage.blobs import WaitingBlobs
from blogforever.storage.following import FollowedBlog
from blogforever.storage.tables import Store
from blogforever.storage.work import JobFilter, JobRow
from blogforever.store.place import database_bytes
from blogforever.store.sizes import KeptBytes, kept_of_all
from blogforever.store.waiting import waiting_blobs

from .budgets import AskedService, asked_by_all
from .jobs import WorkStanding, list_jobs, tried_since, work_standing
from .standing import Standing

# How much of each a page has.
SHOWN_RUNNING, SHOWN_WAITING, SHOWN_FAILED, SHOWN_SERVICES = 50, 10, 10, 20


@dataclass(frozen=True, slots=True)
class JobProgress:
    """A job, the blog it is for, and how far it is: pages read that may be posts, and responses
    kept.
    """

    job: JobRow
    blog: FollowedBlog | None = None
    pages: int = 0
    responses: int = 0


@dataclass(frozen=True, slots=True)
class QueueView:
    """What runs now, what comes next, what failed last."""

    running: tuple[JobProgress, ...] = ()
    waiting: tuple[JobProgress, ...] = ()
    failed: tuple[JobProgress, ...] = ()


@dataclass(frozen=True, slots=True)
class DiskRoom:
    """The disk of the archive, in bytes, and what the database and the archived pages take of it."""

    total: int
    free: int
    database: int
    pages: KeptBytes | None = None


@dataclass(frozen=True, slots=True)
class SystemView:
    """The whole service at one moment; `reasons` say why it takes no work, where it does not.
    `services` are those of many blogs that were asked last, the ones that wished to be left alone
    for a while first.
    """

    now: str
    reasons: tuple[str, ...]
    blogs: Mapping[str, int]
    work: WorkStanding
    queue: QueueView
    disk: DiskRoom
    services: tuple[AskedService, ...] = ()
    blobs: tuple[WaitingBlobs, ...] = ()
    """Files that have not reached the store of blobs yet, by machine."""


def view_system(standing: Standing) -> SystemView:
    """How the service stands now."""
    store = standing.archive.store
    return SystemView(
        clock.stamp(),
        tuple(standing.not_ready()),
        store.followed.counts(),
        work_standing(store),
        view_queue(store),
        _room(standing),
        _services(standing),
        tuple(blobs_waiting(standing)),
    )


def view_queue(store: Store) -> QueueView:
    """What runs, waits and failed, the newest first."""
    running = list_jobs(store, JobFilter("running"), SHOWN_RUNNING).items
    waiting = list_jobs(store, JobFilter("waiting"), SHOWN_WAITING).items
    failed = list_jobs(store, JobFilter("failed"), SHOWN_FAILED).items
    since = tried_since(store, failed)
    failed = tuple(job for job in failed if job.id not in since)
    return QueueView(progress_of(store, running), _for_blogs(store, waiting), _for_blogs(store, failed))


def progress_of(store: Store, jobs: Sequence[JobRow]) -> tuple[JobProgress, ...]:
    """How far each of these jobs is."""
    bare = _for_blogs(store, jobs)
    done = store.runs.under_way([_archived(one) for one in bare])
    return tuple(JobProgress(one.job, one.blog, *done.get(_archived(one), (0, 0))) for one in bare)


def _for_blogs(store: Store, jobs: Sequence[JobRow]) -> tuple[JobProgress, ...]:
    blogs = {blog.id: blog for blog in store.followed.some(job.blog for job in jobs)}
    return tuple(JobProgress(job, blogs.get(job.blog)) for job in jobs)


def _archived(one: JobProgress) -> str:
    """The blog's name in the archive; before its first harvest has settled that, the likely one."""
    return (one.blog.blog if one.blog else None) or one.job.blog


def _services(standing: Standing) -> tuple[AskedService, ...]:
    """The services whose budgets all processes share, as they stand."""
    asked = asked_by_all(standing)
    return tuple(sorted(asked, key=lambda one: (-one.rests, one.asked))[:SHOWN_SERVICES])


def blobs_waiting(standing: Standing) -> list[WaitingBlobs]:
    """What has not reached the store of blobs yet, by the machine that has it."""
    return waiting_blobs(standing.archive)


def _room(standing: Standing) -> DiskRoom:
    folder = standing.archive.folder
    usage = shutil.disk_usage(folder)
    database = database_bytes(standing.archive.engine, folder)
    return DiskRoom(usage.total, usage.free, database, kept_of_all(standing.archive))
