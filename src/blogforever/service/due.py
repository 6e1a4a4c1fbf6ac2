"""Which blogs of the archive are due for a look, for who brings them up to date without a service:
from cron, by hand.

The schedule is that of the service. What it goes by is in the archive: when each blog was last
crawled, whether it answered, when its posts were published, what a person has set for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from blogforever import clock
from blogforever.archive.opening import open_archive
from blogforever.archive.reading import choose_blog
from blogforever.export.frame import blog_title
from blogforever.records import BlogSummary
from blogforever.schedule.planning import next_look
from blogforever.schedule.states import RESTING
from blogforever.schedule.values import BlogHistory, NextLook, PastLook
from blogforever.storage.following import FollowedBlog
from blogforever.storage.tables import Store
from blogforever.store.folder import ArchiveFolder
from blogforever.store.lock import written_now
from blogforever.wording import say

from .adopting import BY_HAND
from .plans import ScheduleFacts, facts_of, history_of, policy_of

EARLY = 1 / 4
"""Share of the time between two looks by which one may come too early: who is called at the same
hour of each day would otherwise look on every second one only, as the last look took some minutes.
"""
WRITTEN = say("another command is writing it just now")
UNFINISHED = say("its last crawl was interrupted")
RESTS = "it is {state}: blogforever schedule resume has it looked at again"


@dataclass(frozen=True, slots=True)
class DueBlog:
    """A blog of the archive: whether it is due, when it is, and why; without a time where nobody looks at it."""

    id: str
    url: str
    title: str
    due: bool
    at: str | None
    reason: str


def due_blogs(folder: Path, named: Sequence[str] = ()) -> list[DueBlog]:
    """All blogs of the archive, the one that is due longest first; of those that are named, each is due."""
    with open_archive(folder, writing=False) as archive:
        chosen = [choose_blog(archive, one) for one in named] or archive.library.blogs()
        held, now = written_now(archive.folder), clock.now()
        told = [_due(archive, blog, now, held, bool(named)) for blog in chosen if blog.url]
    return sorted({one.id: one for one in told}.values(), key=lambda one: (one.at is None, one.at or "", one.id))


def _due(archive: ArchiveFolder, blog: BlogSummary, now: datetime, held: frozenset[str], wanted: bool) -> DueBlog:
    plan, is_due = _plan(archive.store, blog, now), False
    if wanted:
        plan, is_due = NextLook(now, (say("it was asked for"),)), True
    elif blog.id in held:
        plan = NextLook(None, (WRITTEN,))
    elif plan.at is not None:
        crawled = _moment(blog.crawled) or now
        is_due = plan.at - (plan.at - crawled) * EARLY <= now
    at = plan.at.isoformat(timespec="seconds") if plan.at else None
    return DueBlog(blog.id, blog.url, blog_title(blog.record), is_due, at, plan.reason)


def _plan(store: Store, blog: BlogSummary, now: datetime) -> NextLook:
    """When a blog is looked at next, and why."""
    followed = next(iter(store.followed.in_archive(blog.id)), None)
    if followed and _rests(followed):
        return NextLook(None, (say(RESTS, state=followed.state),))
    if blog.unfinished:
        return NextLook(now, (UNFINISHED,))
    named = followed or FollowedBlog(blog.id, blog.url, blog.crawled or "", blog.id)
    facts = facts_of(store, followed) if followed else ScheduleFacts(published=store.schedule.published(blog.id))
    return next_look(_history(store, blog, named, facts), policy_of(named, facts.policies), now)


def _rests(followed: FollowedBlog) -> bool:
    """Whether a person, or what was found at the address, speaks against a look; that somebody
    crawled it himself does not.
    """
    return followed.state in RESTING and followed.reason != BY_HAND


def _history(store: Store, blog: BlogSummary, followed: FollowedBlog, facts: ScheduleFacts) -> BlogHistory:
    """The looks of the service, and the last crawl where it came later."""
    history = history_of(followed, facts)
    crawled = _moment(blog.crawled)
    last = history.last
    if crawled is None or (last is not None and last.at >= crawled):
        return history
    standing = store.blogs.standing(blog.id)
    misses = standing.misses if standing else 0
    looks = [PastLook(crawled, answered=False)] * misses or [PastLook(crawled)]
    return replace(history, looks=(*history.looks, *looks))


def _moment(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None
