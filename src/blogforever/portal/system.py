"""System: the parts of the service, what runs and how far it is, who works, how much room is left, statistics."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Annotated, get_args

from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import Response

from blogforever import clock
from blogforever.service.cursors import LONGEST_CURSOR, cursor_of, place_of
from blogforever.service.jobs import (
    KINDS,
    PARTS,
    WorkStanding,
    blogs_of,
    cancel_job,
    fruits_of,
    list_jobs,
    pause_everything,
    pause_part,
    resume_everything,
    resume_part,
    retry_job,
    retry_jobs,
    tried_since,
)
from blogforever.service.schedules import soonest
from blogforever.service.statistics import Figures, PeriodLength, Statistics, statistics_of
from blogforever.service.systemview import view_queue, view_system
from blogforever.storage.counting import HOUR
from blogforever.storage.tables import Store
from blogforever.storage.work import JobFilter, JobState

from .asked import StandingNow, StoreNow
from .charts import Chart, bar_chart
from .fields import LONGEST, Text
from .page import address, go, page, part
from .ranges import PERIODS, First, Last, in_range
from .spans import period_name
from .visitors import Administrator, Curator, Viewer, note
from .words import N_, _, plural

PATH = "/system"
SHOWN_JOBS = 50
# Hours that are drawn on the first page: a day, so that night and day can be told apart.
SHOWN_HOURS = 24
# Blogs whose next looks are named.
SHOWN_NEXT = 10
# The highest number that a job can have.
MOST_JOBS = 2**62
PART_WORDS = {
    "scheduler": N_("The scheduler: puts what is due into the queue"),
    "workers": N_("All workers: carry out jobs"),
    "pings": N_("Pings: read ping servers, follow up what they tell"),
    "outbox": N_("Outbox: writes new posts as files for repositories"),
    "webhooks": N_("Webhooks: tell other programs what is new"),
    "harvest": N_("First harvests"),
    "update": N_("Looks at known blogs"),
    "render": N_("Drawing pages in a browser"),
    "analyse": N_("Analysing new addresses"),
    "export": N_("Exports"),
    "reread": N_("Reading archived pages again"),
}
STATES: tuple[JobState, ...] = get_args(JobState)
JobNumber = Annotated[int, Path(ge=1, le=MOST_JOBS)]
Name = Annotated[str, Query(max_length=LONGEST)]


def system_routes() -> APIRouter:
    """`/system` and the queue."""
    routes = APIRouter()
    _add_reading(routes)
    _add_parts(routes)
    _add_jobs(routes)
    return routes


def _add_reading(routes: APIRouter) -> None:
    @routes.get(PATH)
    def system(request: Request, visitor: Viewer, standing: StandingNow) -> Response:
        view = view_system(standing)
        return page(
            request,
            "system.html",
            view=view,
            queue=view.queue,
            parts=PARTS,
            kinds=KINDS,
            part_words=PART_WORDS,
            paused={one.part: one for one in view.work.paused},
            paused_words=[_(PART_WORDS[one.part]).partition(":")[0] for one in view.work.paused],
            numbers=_numbers(view.work),
            hours=_last_hours(standing.archive.store),
        )

    @routes.get(f"{PATH}/now")
    def now(request: Request, visitor: Viewer, store: StoreNow) -> Response:
        return part(request, "queue.html", queue=view_queue(store))

    @routes.get(f"{PATH}/statistics")
    def statistics(
        request: Request,
        visitor: Viewer,
        store: StoreNow,
        first: First = "",
        last: Last = "",
        by: PeriodLength = "day",
    ) -> Response:
        """What was done and found from one day to another."""
        found, wrong = in_range(first, last, by, partial(statistics_of, store))
        charts = [bar_chart(_(title), _values(found, value)) for title, value in CHARTS.items()]
        return page(
            request, "statistics.html", found=found, charts=charts, wrong=wrong, periods=PERIODS, total=found.total
        )

    @routes.get(f"{PATH}/week")
    def week(request: Request, visitor: Viewer, standing: StandingNow) -> Response:
        """How many looks the days to come take, and which blogs are looked at first."""
        ahead = standing.week.of(standing.archive.store)
        looks = [(period_name(str(one.day)), float(one.looks)) for one in ahead.days]
        chart = bar_chart(_("Looks day by day"), looks)
        return page(request, "week.html", week=ahead, chart=chart, soonest=soonest(standing.archive.store, SHOWN_NEXT))


def _last_hours(store: Store) -> list[Chart]:
    """What was asked for and what came in, by the hour."""
    now = clock.now()
    first = (now - timedelta(hours=SHOWN_HOURS - 1)).isoformat()[:HOUR]
    found = statistics_of(store, first, now.isoformat()[:HOUR], "hour")
    titles = {_("Requests by the hour"): CHARTS["Requests"], _("New posts by the hour"): CHARTS["New posts"]}
    charts = [bar_chart(title, _values(found, value)) for title, value in titles.items()]
    return [chart for chart in charts if chart.top]


def _numbers(work: WorkStanding) -> dict[JobState, int]:
    """How many jobs, of any kind, stand how."""
    return {state: sum(kind.get(state, 0) for kind in work.jobs.values()) for state in STATES}


CHARTS: dict[str, Callable[[Figures], float]] = {
    N_("New posts"): lambda figures: figures.posts.get("new", 0),
    N_("Changed posts"): lambda figures: figures.posts.get("changed", 0),
    N_("New comments"): lambda figures: figures.comments,
    N_("Looks"): lambda figures: sum(figures.looks.values()),
    N_("Requests"): lambda figures: figures.requests,
    N_("Failures"): lambda figures: sum(figures.failures.values()),
}
"""What is drawn over a range."""


def _values(found: Statistics, value: Callable[[Figures], float]) -> list[tuple[str, float]]:
    return [(period_name(one.period), value(one.figures)) for one in found.periods]


def _add_parts(routes: APIRouter) -> None:
    @routes.post(f"{PATH}/pause")
    def pause(request: Request, visitor: Administrator, store: StoreNow, name: Text) -> Response:
        pause_part(store, name, visitor.name)
        note(request, visitor, "pause part", name)
        return go(request, PATH, _("It is paused: what is under way goes on, nothing new begins."))

    @routes.post(f"{PATH}/resume")
    def resume(request: Request, visitor: Administrator, store: StoreNow, name: Text) -> Response:
        resume_part(store, name)
        note(request, visitor, "resume part", name)
        return go(request, PATH, _("It works again."))

    @routes.post(f"{PATH}/rest")
    def rest(request: Request, visitor: Administrator, store: StoreNow) -> Response:
        pause_everything(store, visitor.name)
        note(request, visitor, "pause everything")
        return go(request, PATH, _("Everything is paused: what is under way goes on to its end, nothing new begins."))

    @routes.post(f"{PATH}/wake")
    def wake(request: Request, visitor: Administrator, store: StoreNow) -> Response:
        resume_everything(store)
        note(request, visitor, "resume everything")
        return go(request, PATH, _("Everything works again."))


def _meant(state: str, kind: str, day: str) -> JobFilter:
    """Which jobs somebody means; what is no word of ours does not matter."""
    known_state = next((one for one in STATES if one == state), None)
    known_kind = next((one for one in KINDS if one == kind), None)
    return JobFilter(known_state, known_kind, day=day.strip())


def _days() -> dict[str, str]:
    """The days that are asked for most, by what they are called."""
    today = clock.now().date()
    return {_("today"): today.isoformat(), _("yesterday"): (today - timedelta(days=1)).isoformat()}


def _add_jobs(routes: APIRouter) -> None:
    @routes.get(f"{PATH}/jobs")
    def jobs(
        request: Request,
        visitor: Viewer,
        store: StoreNow,
        state: Name = "",
        kind: Name = "",
        day: Annotated[str, Query(max_length=LONGEST)] = "",
        after: Annotated[str, Query(max_length=LONGEST_CURSOR)] = "",
    ) -> Response:
        meant = _meant(state, kind, day)
        found = list_jobs(store, meant, SHOWN_JOBS, place_of(after, int))
        here = address(f"{PATH}/jobs", {"state": meant.state, "kind": meant.kind, "day": meant.day})
        return page(
            request,
            "jobs.html",
            jobs=found.items,
            blogs=blogs_of(store, found.items),
            fruits=fruits_of(found.items),
            since=tried_since(store, found.items),
            next=cursor_of(found.next),
            meant=meant,
            here_now=here,
            after=after,
            states=STATES,
            kinds=KINDS,
            days=_days(),
        )

    @routes.post(f"{PATH}/jobs/retry")
    def retry_all(
        request: Request, visitor: Curator, store: StoreNow, state: Text = "", kind: Text = "", day: Text = ""
    ) -> Response:
        """Have all of a list done again that failed or were cancelled."""
        number = retry_jobs(store, _meant(state, kind, day), visitor.name)
        note(request, visitor, "retry jobs", detail=f"{number} {state} {day}".strip())
        done = plural("%(num)s job is tried again.", "%(num)s jobs are tried again.", number)
        return go(request, f"{PATH}/jobs", done)

    @routes.post(f"{PATH}/jobs/{{job}}/cancel")
    def cancel(request: Request, visitor: Curator, store: StoreNow, job: JobNumber) -> Response:
        cancel_job(store, job)
        note(request, visitor, "cancel job", str(job))
        return go(request, PATH, _("Job %(number)s is ended.") % {"number": job})

    @routes.post(f"{PATH}/jobs/{{job}}/retry")
    def retry(request: Request, visitor: Curator, store: StoreNow, job: JobNumber) -> Response:
        retry_job(store, job, visitor.name)
        note(request, visitor, "retry job", str(job))
        return go(request, PATH, _("Job %(number)s is tried again, before all others.") % {"number": job})
