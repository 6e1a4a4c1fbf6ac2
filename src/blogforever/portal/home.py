"""Home: what came in, what runs, what needs a person; how to begin, where nothing is there yet."""

from __future__ import annotations

from collections.abc import Iterable

from fastapi import APIRouter, Request
from fastapi.responses import Response

from blogforever.service.homeview import view_home, view_running
from blogforever.service.statistics import PeriodFigures

from .asked import StandingNow
from .charts import Chart, bar_chart
from .page import page, part
from .showing import day
from .visitors import Viewer
from .words import _, plural

NEW = "new"
"""The name under which posts that came in are counted."""


def home_routes() -> APIRouter:
    """`/`, and the part of it that lives."""
    routes = APIRouter()

    @routes.get("/")
    def home(request: Request, visitor: Viewer, standing: StandingNow) -> Response:
        view = view_home(standing, standing.replay.seen_from(request.url.hostname or ""))
        if view.is_new:
            return page(request, "firstrun.html")
        return page(request, "home.html", view=view, running=view.running, chart=_chart(view.days))

    @routes.get("/running")
    def running(request: Request, visitor: Viewer, standing: StandingNow) -> Response:
        return part(request, "running.html", running=view_running(standing))

    return routes


def _chart(days: Iterable[PeriodFigures]) -> Chart:
    values = [(day(one.period), one.figures.posts.get(NEW, 0)) for one in days]
    number = sum(value for _day, value in values)
    told = plural("%(num)s post came in, in these days", "%(num)s posts came in, in these days", number)
    return bar_chart(_("Posts that came in, day by day"), values, told)
