"""How many looks the next week will take, day by day: each blog as if it went on as it does now."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta

DAYS = 7
SHORTEST_GAP = timedelta(minutes=20)
"""Two looks are taken to be so far apart at least,
whatever the last ones were: a person may have asked twice.
"""


@dataclass(frozen=True, slots=True)
class Planned:
    """When a blog is looked at next, how far apart its looks are, and at which hours (UTC) nobody looks."""

    at: datetime
    gap: timedelta
    quiet: Collection[int] = ()


@dataclass(frozen=True, slots=True)
class DayLoad:
    """The looks of one day (UTC), and those of its fullest hour."""

    day: date
    looks: int
    fullest_hour: int


def forecast(planned: Iterable[Planned], now: datetime) -> list[DayLoad]:
    """The load of today and the six days to come."""
    hours: Counter[datetime] = Counter()
    for one in planned:
        hours.update(_hours(one, now))
    first = now.date()
    return [_load(hours, first + timedelta(days=number)) for number in range(DAYS)]


def _hours(planned: Planned, now: datetime) -> Iterator[datetime]:
    """The hours in which a blog will be looked at; what is overdue is looked at now."""
    gap = max(planned.gap, SHORTEST_GAP)
    end = datetime.combine(now.date() + timedelta(days=DAYS), datetime.min.time(), now.tzinfo)
    at = max(planned.at, now)
    while at < end:
        hour = at.replace(minute=0, second=0, microsecond=0)
        if hour.hour in planned.quiet:
            at = hour + timedelta(hours=1)
            continue
        yield hour
        at += gap


def _load(hours: Counter[datetime], day: date) -> DayLoad:
    counts = [count for hour, count in hours.items() if hour.date() == day]
    return DayLoad(day, sum(counts), max(counts, default=0))
