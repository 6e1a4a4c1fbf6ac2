"""The figures of the running service, gathered from the store and the disk, so that every process counts; as values."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime

from blogforever import clock
from blogforever.errors import ArchiveError
from blogforever.storage.counting import this_hour
from blogforever.store.place import database_bytes
from blogforever.store.waiting import waiting_blobs

from .budgets import asked_by_all
from .standing import Standing
from .webhooks import list_hooks

Labels = tuple[str, ...]
ALWAYS = "~"
"""Comes after every hour."""
MOST_DEAD = 1000
"""Dead letters that are counted; more are as bad."""
COUNTED: Mapping[str, tuple[str, str]] = {
    "looks": ("Looks at blogs, by their outcome.", "outcome"),
    "requests": ("Requests that looks made.", ""),
    "bytes": ("Bytes that looks fetched.", ""),
    "posts": ("Posts, by what became of them.", "event"),
    "comments": ("Comments that came.", ""),
    "failures": ("Pages and blogs that could not be had, by cause.", "cause"),
    "jobs": ("Jobs that ended, by kind and end.", "job"),
    "webhooks": ("Letters to webhooks, by how that went.", "outcome"),
}


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure of the service, for each set of labels; `counted` says that it only grows while
    the service runs.
    """

    name: str
    said: str
    values: Mapping[Labels, float]
    labels: Labels = ()
    counted: bool = False


@dataclass(slots=True)
class ServiceFigures:
    """How a service stands at any moment; counters begin in the hour in which this was made."""

    standing: Standing
    _since: str = ""

    def __post_init__(self) -> None:
        self._since = this_hour()

    def all(self) -> Iterator[Figure]:
        """All figures, looked up now."""
        parts: tuple[Callable[[], Iterator[Figure]], ...] = (
            self._work,
            self._workers,
            self._counters,
            self._webhooks,
            self._machine,
            self._services,
            self._blobs,
        )
        for part in parts:
            yield from part()

    def _work(self) -> Iterator[Figure]:
        store = self.standing.archive.store
        yield _by("state", "blogs", "Followed blogs in each state.", store.followed.counts())
        jobs: dict[Labels, float] = dict(store.jobs.counts().items())
        yield Figure("jobs", "Jobs of each kind, by how they stand.", jobs, ("kind", "state"))
        due = store.jobs.longest_due()
        waited = (clock.now() - datetime.fromisoformat(due)).total_seconds() if due else 0.0
        yield _single("queue_lag_seconds", "How long the job that is due the longest has waited.", max(0.0, waited))
        paused = {part.part: 1 for part in store.parts.paused()}
        yield _by("part", "paused", "Parts of the service that somebody paused.", paused)
        yield _single("ready", "Whether the service takes work.", float(not self.standing.not_ready()))

    def _workers(self) -> Iterator[Figure]:
        rows = self.standing.archive.store.workers.rows()
        yield _single("workers", "Worker processes that live.", len(rows))
        yield _by("worker", "worker_memory_bytes", "Memory of each worker.", {row.name: row.memory for row in rows})
        yield _by("worker", "worker_jobs", "Jobs under way in each worker.", {row.name: row.running for row in rows})
        machines: Counter[Labels] = Counter((row.host, row.version) for row in rows)
        said = "Workers that live on each machine, by their version."
        yield Figure("machine_workers", said, dict(machines), ("machine", "version"))
        slots = {row.name: row.slots for row in rows}
        yield _by("worker", "worker_slots", "Jobs of all kinds that a worker takes at a time; 0: by kind.", slots)
        most = self.standing.config.max_memory
        yield _single("worker_memory_limit_bytes", "Memory above which a worker is replaced; 0: any.", most)

    def _counters(self) -> Iterator[Figure]:
        """What was counted since this process began, by any process."""
        counted: dict[str, dict[Labels, float]] = {name: {} for name in COUNTED}
        for one in self.standing.archive.store.counters.sums(self._since, ALWAYS, 0):
            if one.name in counted:
                labels = (one.label,) if COUNTED[one.name][1] else ()
                counted[one.name][labels] = one.number
        for name, (said, label) in COUNTED.items():
            kind = "jobs_ended" if name == "jobs" else name
            yield Figure(kind, said, counted[name], (label,) if label else (), counted=True)

    def _webhooks(self) -> Iterator[Figure]:
        store = self.standing.archive.store
        waiting = {hook.id: hook.waiting for hook in list_hooks(store)}
        yield _by("webhook", "webhook_waiting", "News that a webhook was not told yet.", waiting)
        yield _single("webhook_dead_letters", "Letters that no webhook took.", len(store.hooks.dead(MOST_DEAD)))

    def _machine(self) -> Iterator[Figure]:
        folder = self.standing.archive.folder
        try:
            free, size = shutil.disk_usage(folder).free, database_bytes(self.standing.archive.engine, folder)
        except OSError as error:
            raise ArchiveError(f"The disk of {folder} cannot be asked: {error.strerror or error}.") from error
        yield _single("disk_free_bytes", "What is free on the disk of the archive.", free)
        yield _single("disk_watermark_bytes", "Below this nothing more is captured.", self.standing.config.min_free)
        yield _single("database_bytes", "The database of the archive.", size)

    def _services(self) -> Iterator[Figure]:
        """The budgets that all workers share: when each was last used, and how long it rests."""
        asked = asked_by_all(self.standing)
        since = {one.service: one.asked for one in asked}
        yield _by("service", "service_asked_seconds_ago", "When a service was last asked.", since)
        rests = {one.service: one.rests for one in asked}
        yield _by("service", "service_rests_seconds", "How long nobody asks a service, as it wished.", rests)

    def _blobs(self) -> Iterator[Figure]:
        """What has not reached the store of blobs, by the machine that has it."""
        waiting, now = waiting_blobs(self.standing.archive), clock.now()
        ages = {one.machine: (now - datetime.fromisoformat(one.since)).total_seconds() for one in waiting}
        files = {one.machine: one.files for one in waiting}
        yield _by("machine", "blobs_waiting", "Files that wait on a machine for the store of blobs.", files)
        sizes = {one.machine: one.bytes for one in waiting}
        yield _by("machine", "blobs_waiting_bytes", "What those files have.", sizes)
        yield _by("machine", "blobs_waiting_seconds", "How long the oldest of them has waited.", ages)


def _by(label: str, name: str, said: str, values: Mapping[str, float]) -> Figure:
    return Figure(name, said, {(key,): value for key, value in values.items()}, (label,))


def _single(name: str, said: str, value: float) -> Figure:
    return Figure(name, said, {(): float(value)})
