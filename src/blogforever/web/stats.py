"""Statistics over the API: any range, in sum and period by period."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from blogforever.portal.asked import StoreNow
from blogforever.service.statistics import PeriodLength, Statistics, statistics_of

from .access import Reader

# A moment as it is written: a year, month, day or hour.
Moment = Annotated[str, Query(max_length=13, description="2030, 2030-01, 2030-01-31 or 2030-01-31T09, in UTC.")]


def stats_routes() -> APIRouter:
    """What was done and found."""
    routes = APIRouter(tags=["system"])

    @routes.get("/stats")
    def stats(
        store: StoreNow,
        _token: Reader,
        first: Annotated[Moment, Query(alias="from")] = "",
        last: Annotated[Moment, Query(alias="to")] = "",
        by: PeriodLength = "day",
    ) -> Statistics:
        """From one year, month, day or hour to another, both included; the last 30 days where
        nothing is said.
        """
        return statistics_of(store, first, last, by)

    return routes
