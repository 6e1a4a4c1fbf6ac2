"""The schedule for people: when each blog is looked at and why; set, pause, go on, now; and the week to come."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from threading import Lock
from time import monotonic

from blogforever import clock
from blogforever.errors import UsageError
from blogforever.model import LookPolicy, Said
from blogforever.schedule.forecast import DayLoad, Planned, forecast
from blogforever.schedule.planning import NOTHING_KNOWN, SHORTEST, UNKNOWN, missed_by_pings
from blogforever.schedule.policies import PolicyScope, ScopedPolicy
from blogforever.schedule.rhythm import learn_rhythm
from blogforever.schedule.states import RESTING
from blogforever.storage.decided import all_followed
from blogforever.storage.deciding import FollowedChange, PolicyDropped, PolicyKept
from blogforever.storage.following import Cursor, FollowedBlog, FollowedQuery
from blogforever.storage.schedule import LookRow
from blogforever.storage.tables import Store
from blogforever.storage.work import PERSON, JobKind, NewJob
from blogforever.wording import in_english

from .desk import Desk
from .following import change_followed, find_followed
from .plans import belongings, checked_policy, facts_of, history_of, policy_of, replan

BEFORE_ALL = Cursor("0", "")
"""Sorts behind the blogs that have no next look, and before those that have one."""
KEPT_TIMES = 100
"""So many times as long as it took, the week to come is remembered: for a minute with 20,000 blogs."""
SHOWN_LOOKS = 20
"""Looks of a blog that a person is shown."""


@dataclass(frozen=True, slots=True)
class Many:
    """Blogs that somebody means: named one by one, or all
    of a list, with a tag, of a service, or simply all.
    """

    blogs: tuple[str, ...] = ()
    scope: PolicyScope | None = None
    name: str = ""


@dataclass(frozen=True, slots=True)
class BlogSchedule:
    """When one blog is looked at next, why, by which policy,
    and what the looks so far brought; the last one last.
    """

    blog: FollowedBlog
    policy: LookPolicy
    rhythm: str
    missed_by_pings: int
    looks: tuple[LookRow, ...] = ()
    rhythm_said: tuple[Said, ...] = ()


@dataclass(frozen=True, slots=True)
class PolicyChange:
    """What a person sets of a policy; None leaves it as it is. `free` first takes everything
    back.
    """

    every: int | None = None
    at_least: int | None = None
    at_most: int | None = None
    quiet_hours: tuple[int, ...] | None = None
    priority: int | None = None
    free: bool = False

    def of(self, policy: LookPolicy) -> LookPolicy:
        """The policy after the change; how often, and
        between which bounds, are two ways to say one thing.
        """
        before = LookPolicy() if self.free else policy
        says_bounds = self.at_least is not None or self.at_most is not None
        bounds = before if self.every is None else LookPolicy()
        return LookPolicy(
            every=self.every if self.every is not None or says_bounds else before.every,
            at_least=self.at_least if self.at_least is not None else bounds.at_least,
            at_most=self.at_most if self.at_most is not None else bounds.at_most,
            quiet_hours=before.quiet_hours if self.quiet_hours is None else self.quiet_hours,
            priority=before.priority if self.priority is None else self.priority,
        )


@dataclass(frozen=True, slots=True)
class Week:
    """The looks of the days to come, and of how many blogs."""

    blogs: int
    days: list[DayLoad] = field(default_factory=list)


def show_schedule(store: Store, blog: str) -> BlogSchedule:
    """When and why this blog is looked at next."""
    found = find_followed(store, blog)
    facts = facts_of(store, found)
    history = history_of(found, facts)
    rhythm = learn_rhythm(history.published, history.days, clock.now())
    said = (rhythm.said() if rhythm.known else NOTHING_KNOWN,)
    looks = tuple(facts.looks[-SHOWN_LOOKS:])
    return BlogSchedule(
        found, policy_of(found, facts.policies), in_english(said), missed_by_pings(history), looks, said
    )


def soonest(store: Store, limit: int) -> list[FollowedBlog]:
    """The followed blogs whose looks come first."""
    planned = FollowedQuery(sort="next_look", after=BEFORE_ALL, limit=limit)
    return list(store.followed.page(planned).items)


def set_policy(desk: Desk, many: Many, change: PolicyChange) -> int:
    """Let these blogs be looked at as a person says, from now on; how many have a new plan.

    What is set for many holds also for blogs that come to belong to them later.
    """
    if many.scope is None:
        for blog in _named(desk.store, many):
            change_followed(desk, blog.id, FollowedChange(policy=change.of(blog.policy)))
    else:
        _set_for_many(desk, many.scope, many.name, change)
    return replan(desk.store, meant(desk.store, many))


def _set_for_many(desk: Desk, scope: PolicyScope, name: str, change: PolicyChange) -> None:
    before = {(one.scope, one.name): one.policy for one in desk.store.schedule.policies()}
    policy, now = checked_policy(change.of(before.get((scope, name), LookPolicy()))), clock.stamp()
    if policy == LookPolicy():
        desk.decide(PolicyDropped(at=now, by=desk.by, scope=scope, name=name))
    else:
        desk.decide(PolicyKept(at=now, by=desk.by, policy=ScopedPolicy(scope, name, policy)))


def pause(desk: Desk, many: Many) -> int:
    """Look at these no more until somebody resumes them; how many were looked at."""
    return _switch(desk, many, paused=True)


def resume(desk: Desk, many: Many) -> int:
    """Look at these again, at once; how many were paused."""
    return _switch(desk, many, paused=False)


def _switch(desk: Desk, many: Many, paused: bool) -> int:
    others = [blog for blog in meant(desk.store, many) if blog.paused is not paused]
    for blog in others:
        change_followed(desk, blog.id, FollowedChange(paused=paused))
    return len(others)


def look_now(desk: Desk, many: Many) -> int:
    """Look at these before all others; how many.
    Nobody looks at what is paused, blocked or no blog.
    """
    chosen = meant(desk.store, many)
    wanted = [blog for blog in chosen if not blog.paused and blog.state not in RESTING]
    if not wanted and many.scope is None:
        resting = ", ".join(f"{blog.id} is {blog.state}" for blog in chosen)
        raise UsageError(f"Nobody looks at it: {resting}.")
    now = clock.stamp()
    with desk.store.transaction():
        for blog in wanted:
            kind: JobKind = "update" if blog.blog else "harvest"
            desk.store.jobs.put(NewJob(kind, blog.id, PERSON, asked_by=desk.by or "somebody"), now)
    return len(wanted)


def week_ahead(store: Store) -> Week:
    """How many looks the next week takes, if every blog goes on as it does now."""
    now, policies = clock.now(), store.schedule.policies()
    blogs = (blog for blog in all_followed(store) if blog.next_look)
    plans = [plan_of(blog, policy_of(blog, policies) if policies else blog.policy, now) for blog in blogs]
    return Week(len(plans), forecast(plans, now))


class RememberedWeek:
    """The week to come for a screen that many open: what took long to count is counted anew only after a while."""

    def __init__(self) -> None:
        self._lock, self._week, self._until = Lock(), Week(0), 0.0

    def of(self, store: Store) -> Week:
        """How many looks the next week takes."""
        with self._lock:
            began = monotonic()
            if began >= self._until:
                self._week = week_ahead(store)
                took = monotonic() - began
                self._until = began + took * KEPT_TIMES
            return self._week


def plan_of(blog: FollowedBlog, policy: LookPolicy, now: datetime) -> Planned:
    """When a blog that has a next look is looked at under this policy, if it goes on as it does now."""
    at = datetime.fromisoformat(blog.next_look or "")
    last = datetime.fromisoformat(blog.last_look) if blog.last_look else now
    gap = max(at, now) - min(last, now)
    # It was never looked at, or a person wants another look at once: neither tells how often it is
    # looked at.
    return Planned(at, gap if gap >= SHORTEST else timedelta(seconds=policy.every or 0) or UNKNOWN, policy.quiet_hours)


def meant(store: Store, many: Many) -> list[FollowedBlog]:
    """The blogs that somebody means."""
    return _named(store, many) if many.scope is None else list(_of_scope(store, ScopedPolicy(many.scope, many.name)))


def _named(store: Store, many: Many) -> list[FollowedBlog]:
    if not many.blogs:
        raise UsageError("Name a blog, or --list, --tag, --service or --all.")
    return [find_followed(store, blog) for blog in many.blogs]


def _of_scope(store: Store, scoped: ScopedPolicy) -> Iterator[FollowedBlog]:
    query = FollowedQuery(
        list=scoped.name if scoped.scope == "list" else "", tag=scoped.name if scoped.scope == "tag" else ""
    )
    return (blog for blog in all_followed(store, query) if belongings(blog).includes(scoped))
