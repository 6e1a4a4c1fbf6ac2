"""The schedule at work: what is due becomes jobs, and what a job brought decides on the next look."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from blogforever import clock
from blogforever.archive.bloglook import BlogLook
from blogforever.storage.following import FollowedBlog, FollowState
from blogforever.storage.tables import Store
from blogforever.storage.work import HISTORY, SCHEDULE, JobRow, NewJob

# Jobs that wait at a time: the queue is for what is due, not for what will be.
MOST_WAITING = 2_000
# Seconds until the next look where nothing more is known.
USUAL, AFTER_FAILURE = 6 * 3600, 24 * 3600


def enqueue_due(store: Store) -> int:
    """Put a job into the queue for each blog whose look is due and that has none; how many."""
    now, busy = clock.stamp(), store.jobs.busy()
    room = MOST_WAITING - len(busy)
    if room <= 0:
        return 0
    due = [blog for blog in store.followed.due(now, MOST_WAITING) if blog.id not in busy][:room]
    for blog in due:
        store.jobs.put(job_for(blog), now)
    return len(due)


def job_for(blog: FollowedBlog) -> NewJob:
    """What is to be done for a blog that is due: its first harvest, or an update."""
    if blog.blog is None:
        return NewJob("harvest", blog.id, HISTORY, asked_by="schedule")
    return NewJob("update", blog.id, SCHEDULE, asked_by="schedule")


def looked(store: Store, job: JobRow, look: BlogLook) -> None:
    """Write down how a blog stands after a look, and when the next one is due."""
    states: dict[str, FollowState] = {"finished": "following", "nothing": "rejected", "frozen": "frozen"}
    state = states.get(look.outcome, "failing")
    wait = USUAL if state == "following" else AFTER_FAILURE

    def edit(blog: FollowedBlog) -> FollowedBlog:
        return replace(
            blog,
            state=state,
            reason=look.reason,
            blog=look.blog if look.outcome != "nothing" else blog.blog,
            moved_to=look.moved_to or None,
            last_look=clock.stamp(),
            last_found=look.learned.found,
            total=blog.total + look.learned.found,
            next_look=None if state == "rejected" else _after(wait),
            failures_in_a_row=0 if state == "following" else blog.failures_in_a_row + 1,
        )

    store.followed.change(job.blog, edit)


def given_up(store: Store, job: JobRow, error: str) -> None:
    """A look came to nothing, by a fault of ours or because somebody cancelled it: the next one comes later."""

    def edit(blog: FollowedBlog) -> FollowedBlog:
        return replace(blog, reason=error, next_look=_after(AFTER_FAILURE), next_reason=error)

    store.followed.change(job.blog, edit)


def _after(seconds: int) -> str:
    later: datetime = clock.now() + timedelta(seconds=seconds)
    return later.isoformat(timespec="seconds")
