"""Everything that a person wants to see of one followed blog, read together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from blogforever import clock
from blogforever.model import Failure
from blogforever.records import BlogRecord
from blogforever.schedule.forecast import DayLoad, forecast
from blogforever.storage.following import FollowedBlog, SourceRow, WatchedAddress
from blogforever.storage.people import Deed
from blogforever.storage.tables import Store
from blogforever.storage.values import StandingRow
from blogforever.storage.verdicts import VerdictRow
from blogforever.storage.work import OPEN, JobFilter, JobRow
from blogforever.store.folder import ArchiveFolder
from blogforever.store.sizes import KeptBytes, kept_of_blog

from .jobs import list_jobs
from .schedules import BlogSchedule, plan_of, show_schedule
from .subscriptions import ListedSubscription, subscription_of

# How much of each a page has; the rest is one click away.
SHOWN_JOBS, SHOWN_DEEDS, SHOWN_FAILURES = 15, 15, 50


@dataclass(frozen=True, slots=True)
class BlogContents:
    """What the archive has of a blog: its record with the completeness statement, how many posts of
    each month, what of its last run failed, how it stands as a whole.
    """

    record: BlogRecord | None = None
    months: Mapping[str, int] = field(default_factory=dict)
    failures: tuple[Failure, ...] = ()
    reasons: Mapping[str, int] = field(default_factory=dict)
    standing: StandingRow | None = None


@dataclass(frozen=True, slots=True)
class BlogView:
    """One followed blog: its schedule, what the archive has, its watched addresses, its jobs, the
    rows that gave it, and what people did to it, newest first.
    """

    schedule: BlogSchedule
    contents: BlogContents
    week: tuple[DayLoad, ...]
    watched: tuple[WatchedAddress, ...]
    subscription: ListedSubscription | None
    jobs: tuple[JobRow, ...]
    sources: tuple[SourceRow, ...]
    deeds: tuple[Deed, ...]
    verdict: VerdictRow | None = None

    @property
    def blog(self) -> FollowedBlog:
        """The blog."""
        return self.schedule.blog

    @property
    def job(self) -> JobRow | None:
        """The job that waits or is under way for it."""
        return next((job for job in self.jobs if job.state in OPEN), None)


def view_blog(store: Store, blog: str) -> BlogView:
    """One followed blog, by its id or address; UsageError where nobody follows it."""
    schedule = show_schedule(store, blog)
    found, now = schedule.blog, clock.now()
    plans = [plan_of(found, schedule.policy, now)] if found.next_look else []
    return BlogView(
        schedule=schedule,
        contents=_contents(store, found.blog) if found.blog else BlogContents(),
        week=tuple(forecast(plans, now)),
        watched=tuple(store.followed.watched(found.id)),
        subscription=subscription_of(store, found.id),
        jobs=list_jobs(store, JobFilter(blog=found.id), SHOWN_JOBS).items,
        sources=tuple(store.sources.of_blog(found.id)),
        deeds=tuple(store.audit.newest(SHOWN_DEEDS, target=found.id)),
        verdict=store.verdicts.find(found.id),
    )


def kept_bytes(archive: ArchiveFolder, blog: FollowedBlog) -> KeptBytes | None:
    """How much room the archived pages of a followed blog take; None where the archive has nothing of it yet."""
    return kept_of_blog(archive, blog.blog) if blog.blog else None


def _contents(store: Store, blog: str) -> BlogContents:
    return BlogContents(
        record=store.blogs.find(blog),
        months=store.posts.months(blog),
        failures=tuple(store.runs.failed(blog, SHOWN_FAILURES)),
        reasons=store.runs.failures(blog),
        standing=store.blogs.standing(blog),
    )
