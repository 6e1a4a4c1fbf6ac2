"""How many looks the next week will take, day by day: each blog as if it went on as it does now."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import chain

DAYS, HOURS, HOUR = 7, 24, 3600
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
    midnight = datetime.combine(now.date(), datetime.min.time(), now.tzinfo)
    hours = Counter(chain.from_iterable(_hours(one, now, midnight) for one in planned))
    return [_load(hours, number, now.date() + timedelta(days=number)) for number in range(DAYS)]


def _hours(planned: Planned, now: datetime, midnight: datetime) -> Iterator[int]:
    """The hours since midnight in which a blog will be looked at; what is overdue is looked at now.

    In seconds: of tens of thousands of blogs these are hundreds of thousands of looks.
    """
    gap = max(planned.gap, SHORTEST_GAP).total_seconds()
    at = (max(planned.at, now) - midnight).total_seconds()
    while at < DAYS * HOURS * HOUR:
        hour = int(at // HOUR)
        if hour % HOURS in planned.quiet:
            at = (hour + 1) * HOUR
            continue
        yield hour
        at += gap


def _load(hours: Counter[int], number: int, day: date) -> DayLoad:
    counts = [hours[hour] for hour in range(number * HOURS, (number + 1) * HOURS)]
    return DayLoad(day, sum(counts), max(counts))
