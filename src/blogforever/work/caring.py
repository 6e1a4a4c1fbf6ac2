"""Care for the queue as a whole: jobs whose worker died, jobs that ended long ago."""

from __future__ import annotations

from collections.abc import Mapping

from blogforever import clock
from blogforever.logs import logger
from blogforever.storage.tables import Store
from blogforever.storage.work import JobKind

from .counting import count_job
from .handling import JobHandler
from .retrying import moment_after

# Seconds that a job that ended stays to be seen, and that news wait for who is to be told: a month.
KEPT = 30 * 86_400.0
log = logger("work")


def take_over_orphans(store: Store, handlers: Mapping[JobKind, JobHandler]) -> int:
    """Let the jobs of workers that died wait again; how many there were."""
    # Who has jobs is asked first: a worker that joins meanwhile is alive then.
    holders = store.jobs.holders()
    dead = holders - store.workers.alive() if holders else frozenset()
    if not dead:
        return 0
    with store.transaction():
        orphans = store.jobs.take_over(dead, clock.stamp())
        for job in orphans:
            if job.state == "failed":
                count_job(store, job, "failed")
                if job.kind in handlers:
                    handlers[job.kind].give_up(job, job.error or "")
    # Another worker may have been quicker.
    if orphans:
        log.warning("%d jobs of workers that died wait again", len(orphans))
    return len(orphans)


def forget_old_news(store: Store) -> int:
    """Drop news of long ago, and what could not be told of them; how many."""
    moment = moment_after(-KEPT)
    return store.news.forget(moment) + store.hooks.forget_dead(moment)


def forget_old_jobs(store: Store) -> int:
    """Drop jobs that ended long ago; how many."""
    return store.jobs.forget(moment_after(-KEPT))
