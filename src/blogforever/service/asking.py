"""What a person asks to be done for one blog, before all others: look at it, take over what it shows, read it again."""

from __future__ import annotations

from blogforever import clock
from blogforever.errors import UsageError
from blogforever.storage.decided import looked_at_again
from blogforever.storage.following import FollowedBlog
from blogforever.storage.tables import Store
from blogforever.storage.work import ACCEPT, PERSON, JobKind, JobRow, NewJob
from blogforever.wording import N_

TRIED_AGAIN = N_("somebody wants it tried again")


def ask_for_look(store: Store, blog: FollowedBlog, by: str, accept_changes: bool = False) -> JobRow:
    """Look at a blog now; with `accept_changes`, what it shows is taken over though it is frozen."""
    _refuse_blocked(blog)
    kind: JobKind = "update" if blog.blog else "harvest"
    return _ask(store, NewJob(kind, blog.id, PERSON, asked_by=by, input=ACCEPT if accept_changes else ""))


def ask_to_reread(store: Store, blog: FollowedBlog, by: str) -> JobRow:
    """Read the archived pages of a blog again, by the rules and the program of today."""
    return _ask(store, NewJob("reread", blog.id, PERSON, asked_by=by))


def ask_to_draw(store: Store, blog: FollowedBlog, by: str) -> JobRow:
    """Walk a blog again with every page drawn by the browser."""
    _refuse_blocked(blog)
    return _ask(store, NewJob("render", blog.id, PERSON, asked_by=by))


def ask_to_analyse(store: Store, blog: FollowedBlog, by: str) -> JobRow:
    """Find out what a blog announces, without harvesting it."""
    _refuse_blocked(blog)
    return _ask(store, NewJob("analyse", blog.id, PERSON, asked_by=by))


def ask_to_try_again(store: Store, blog: FollowedBlog, by: str) -> JobRow:
    """Look once more at what was taken for no blog, or for dead, as if it had just been added."""
    store.followed.change(blog.id, lambda one: looked_at_again(one, clock.stamp(), TRIED_AGAIN))
    if blog.state == "rejected":
        store.sources.judge(blog.id, "new", "")
    return ask_for_look(store, blog, by)


def _refuse_blocked(blog: FollowedBlog) -> None:
    """What is paused, dead or no blog may be looked at when asked; of what is blocked nothing is fetched."""
    if blog.state == "blocked":
        raise UsageError(f"Nobody looks at {blog.id}: it is blocked ({blog.reason or 'without a reason'}).")


def _ask(store: Store, job: NewJob) -> JobRow:
    return store.jobs.put(job, clock.stamp())
