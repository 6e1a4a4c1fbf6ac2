"""What somebody wants to see first: what came in, what runs, what needs a person."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from blogforever.records import PostRecord, read_post
from blogforever.storage.browsing import PostQuery
from blogforever.storage.tables import Store
from blogforever.storage.work import JobFilter
from blogforever.work.worker import WORKERS

from .browsing import browse_posts
from .jobs import list_jobs
from .replaying import Replay
from .review import ReviewGroup, review_summary
from .standing import Standing
from .statistics import Figures, PeriodFigures, statistics_of
from .systemview import JobProgress, progress_of
from .thumbnails import thumbnails_of

# How much of each the first page has; the rest is one click away.
SHOWN_POSTS, SHOWN_RUNNING, SHOWN_GROUPS = 8, 6, 6


@dataclass(frozen=True, slots=True)
class RunningNow:
    """What is done at this moment, the newest first, and how many jobs wait."""

    jobs: tuple[JobProgress, ...] = ()
    is_more: bool = False
    waiting: int = 0


@dataclass(frozen=True, slots=True)
class HomeView:
    """The first page: blogs by state, what today and each of the last days brought, the newest
    posts, what runs, and what needs a person.
    """

    blogs: Mapping[str, int]
    today: Figures
    days: tuple[PeriodFigures, ...]
    newest: tuple[PostRecord, ...]
    titles: Mapping[str, str]
    """What the blogs of these posts are called, by their names in the archive."""
    thumbnails: Mapping[str, str]
    """Where pictures of these posts are shown, by the ids of the posts."""
    running: RunningNow
    review: tuple[ReviewGroup, ...]
    is_resting: bool
    """Whether somebody paused the workers: then nothing new comes in."""

    @property
    def is_new(self) -> bool:
        """Whether nothing is followed yet, and nothing was kept."""
        return not self.blogs and not self.newest


def view_home(standing: Standing, origin: str) -> HomeView:
    """How things are now; `origin` is where archived pictures are shown."""
    store = standing.archive.store
    days = statistics_of(store).periods
    lines = browse_posts(standing.archive, PostQuery(limit=SHOWN_POSTS)).lines
    newest = tuple(read_post(line) for line in lines)
    return HomeView(
        store.followed.counts(),
        days[-1].figures,
        days,
        newest,
        _titles(store, {post.blog for post in newest}),
        thumbnails_of(Replay(standing.archive), newest, origin),
        view_running(standing),
        review_summary(store).groups[:SHOWN_GROUPS],
        any(paused.part == WORKERS for paused in store.parts.paused()),
    )


def view_running(standing: Standing) -> RunningNow:
    """What is done at this moment."""
    store = standing.archive.store
    found = list_jobs(store, JobFilter("running"), SHOWN_RUNNING)
    waiting = sum(number for (_kind, state), number in store.jobs.counts().items() if state == "waiting")
    return RunningNow(progress_of(store, found.items), found.next is not None, waiting)


def _titles(store: Store, blogs: set[str]) -> dict[str, str]:
    known = store.blogs.some(blogs)
    return {blog: (known[blog].title if blog in known else "") or blog for blog in blogs}
