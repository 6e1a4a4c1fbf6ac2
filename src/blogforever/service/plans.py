"""When a followed blog is looked at next: the schedule's answer, out of what the store remembers of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from urllib.parse import urlsplit
from zlib import crc32

from blogforever import clock
from blogforever.errors import UsageError
from blogforever.model import LookPolicy
from blogforever.schedule.planning import look_at_dead, next_look
from blogforever.schedule.policies import Belongings, ScopedPolicy, effective
from blogforever.schedule.states import RESTING
from blogforever.schedule.values import BlogHistory, NextLook, PastLook, Unfetched
from blogforever.storage.following import FollowedBlog
from blogforever.storage.schedule import LookRow
from blogforever.storage.tables import Store
from blogforever.wording import say

from .subscriptions import is_working
from .suspecting import only_pings_want

SHORTEST, LONGEST = 60, 366 * 86400
"""Seconds between two looks that a person can ask for: who wants fewer pauses the blog."""
HOURS = 24
DATE = len("2026-11-16")
"""Characters of a date without an hour."""
NOON = "T12:00:00+00:00"
CHECKSUMS = 2**32
"""How many a checksum can be."""


@dataclass(frozen=True, slots=True)
class ScheduleFacts:
    """What the store remembers of a followed blog, as far as its schedule goes by it."""

    looks: Sequence[LookRow] = ()
    published: Sequence[str] = ()
    policies: Sequence[ScopedPolicy] = field(default_factory=tuple)
    is_cut_off: bool = False
    came_by_ping: bool = False
    unfetched: Unfetched = field(default_factory=Unfetched)


def facts_of(store: Store, blog: FollowedBlog) -> ScheduleFacts:
    """Read it."""
    published = store.schedule.published(blog.blog) if blog.blog else []
    wanted = [one for one in store.subscriptions.of_blog(blog.id) if one.wanted == "subscribe" and one.granted]
    is_cut_off = any(not is_working(one, clock.now()) for one in wanted)
    came_by_ping = only_pings_want(store, blog.id)
    looks, policies = store.schedule.looks(blog.id), store.schedule.policies()
    # What a look saw that was no look to the end is not judged yet.
    is_judged = bool(blog.blog and looks) and looks[-1].outcome == "finished"
    unfetched = Unfetched.of(store.runs.unfetched(blog.blog or "")) if is_judged else Unfetched()
    return ScheduleFacts(looks, published, policies, is_cut_off, came_by_ping, unfetched)


def planned(blog: FollowedBlog, known: ScheduleFacts, now: datetime) -> FollowedBlog:
    """A followed blog with the time of its next look, and the reason for it."""
    told = plan(blog, known, now)
    at = told.at.astimezone(UTC).isoformat(timespec="seconds") if told.at else None
    return replace(blog, next_look=at, next_reason=told.reason, next_said=told.said)


def plan(blog: FollowedBlog, known: ScheduleFacts, now: datetime) -> NextLook:
    """When a blog in this state is looked at next, and why."""
    if blog.paused or blog.state in RESTING:
        return NextLook(None)
    if blog.until and now.date().isoformat() > blog.until[:DATE]:
        return NextLook(None, (say("it was to be followed until {day}", day=blog.until[:DATE]),))
    history = history_of(blog, known)
    if blog.state == "dead" and history.last is not None:
        return look_at_dead(history.looks)
    return next_look(history, policy_of(blog, known.policies), now)


def policy_of(blog: FollowedBlog, policies: Iterable[ScopedPolicy]) -> LookPolicy:
    """The policy that holds for a blog: its own, or one that it falls under."""
    return effective(blog.policy, belongings(blog), policies)


def belongings(blog: FollowedBlog) -> Belongings:
    """What a blog belongs to."""
    return Belongings(blog.lists, blog.tags, urlsplit(blog.url).hostname or "")


def history_of(blog: FollowedBlog, known: ScheduleFacts) -> BlogHistory:
    """The history of a blog as the schedule reads it."""
    exact = [moment for text in known.published if (moment := _moment(text))]
    days = [moment for text in known.published if (moment := _day(text))]
    spread = crc32(blog.id.encode()) / CHECKSUMS
    past = tuple(map(_past, known.looks))
    came_by_ping, unfetched = known.came_by_ping, known.unfetched
    return BlogHistory(past, tuple(exact), tuple(days), spread, known.is_cut_off, came_by_ping, unfetched)


def _past(look: LookRow) -> PastLook:
    at = datetime.fromisoformat(look.at)
    return PastLook(at, look.answered, look.found, look.changed, look.comments, look.cause, look.wishes)


def _moment(text: str) -> datetime | None:
    """When a post was published, where its hour is known;
    a blog that tells no zone is taken at its word.
    """
    return _parsed(text) if len(text) > DATE else None


def _day(text: str) -> datetime | None:
    """The day on which a post was published, where its hour is not known."""
    return _parsed(text + NOON) if len(text) == DATE else None


def _parsed(text: str) -> datetime | None:
    try:
        moment = datetime.fromisoformat(text)
        moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        # A date at the end of time has no moment in UTC, and would end every computation with it.
        moment.astimezone(UTC)
    except (ValueError, OverflowError):
        return None
    return moment


def replan(store: Store, blogs: Iterable[FollowedBlog]) -> int:
    """Plan the next look of these anew, by what holds now;
    how many. What was never looked at keeps its turn.
    """
    count, now = 0, clock.now()
    for blog in blogs:
        facts = facts_of(store, blog)
        if facts.looks:
            store.followed.change(blog.id, partial(planned, known=facts, now=now))
            count += 1
    return count


def checked_policy(policy: LookPolicy) -> LookPolicy:
    """A policy that makes sense; UsageError says what does not."""
    for name, seconds in (("every", policy.every), ("at least", policy.at_least), ("at most", policy.at_most)):
        if seconds is not None and not SHORTEST <= seconds <= LONGEST:
            raise UsageError(f"{name.capitalize()} must be between a minute and a year.")
    if policy.at_least is not None and policy.at_most is not None and policy.at_least > policy.at_most:
        raise UsageError("At least is longer than at most.")
    quiet = set(policy.quiet_hours)
    if not quiet <= set(range(HOURS)):
        raise UsageError("Quiet hours are hours of the day, 0 to 23.")
    if len(quiet) == HOURS:
        raise UsageError("With 24 quiet hours nobody would ever look; pause the blog instead.")
    return policy
