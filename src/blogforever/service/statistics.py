"""Statistics of any range: what was done and found in it, in sum and period by period; values for any face."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Literal

from blogforever import clock
from blogforever.errors import UsageError
from blogforever.storage.counting import HOUR, PeriodCount
from blogforever.storage.tables import Store

PeriodLength = Literal["hour", "day", "month", "year"]
WIDTHS: Mapping[PeriodLength, int] = {"year": 4, "month": 7, "day": 10, "hour": HOUR}
"""By how many characters of an hour each period is named."""
MOST_DAYS: Mapping[PeriodLength, int] = {"hour": 93, "day": 3700, "month": 40_000, "year": 40_000}
"""Days of a range: a quarter by the hour, ten years by the day are more than anybody draws."""
USUAL_DAYS = 30
MOMENT = re.compile(r"[12]\d{3}(-\d{2}(-\d{2}(T\d{2})?)?)?")
"""A year, month, day or hour; all of its hours are meant."""
FIRST_DAY = "0000-01-01"
"""What a year or a month lacks to be its first day."""
AFTER_ALL = "~"
"""Comes after every hour of a period whose name it follows."""


@dataclass(frozen=True, slots=True)
class Figures:
    """What was done in a time: looks by outcome, requests, bytes, posts by what became of them, new
    comments, failures by cause, jobs by kind and end, deliveries to webhooks, pings by server and
    what became of them; and the blogs by state at its end.
    """

    looks: Mapping[str, int] = field(default_factory=dict)
    requests: int = 0
    bytes: int = 0
    posts: Mapping[str, int] = field(default_factory=dict)
    comments: int = 0
    failures: Mapping[str, int] = field(default_factory=dict)
    jobs: Mapping[str, int] = field(default_factory=dict)
    webhooks: Mapping[str, int] = field(default_factory=dict)
    pings: Mapping[str, int] = field(default_factory=dict)
    blogs: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PeriodFigures:
    """The figures of one period, which is named as `2026-11-16` or `2026-11-16T09`, in UTC."""

    period: str
    figures: Figures


@dataclass(frozen=True, slots=True)
class Statistics:
    """The figures of a range: in sum, and of each of its periods, also of those in which nothing
    happened.
    """

    first: str
    last: str
    by: PeriodLength
    total: Figures
    periods: tuple[PeriodFigures, ...]


def statistics_of(store: Store, first: str = "", last: str = "", by: PeriodLength = "day") -> Statistics:
    """The figures from one year, month, day or hour to another, both included; of the last days,
    where nothing is said.
    """
    first, last = range_of(first, last)
    names = list(period_names(first, last, by))
    rows = counted_in(store, first, last, by)
    held = by_period(rows)
    periods = tuple(PeriodFigures(name, _figures(held.get(name, ()))) for name in names)
    return Statistics(first, last, by, _figures(_in_sum(rows)), periods)


def range_of(first: str, last: str) -> tuple[str, str]:
    """A range as it is given, or the last days, where nothing is said."""
    last = last or clock.today().isoformat()
    return first or (_days(last)[1] - timedelta(days=USUAL_DAYS - 1)).isoformat(), last


def counted_in(store: Store, first: str, last: str, by: PeriodLength) -> list[PeriodCount]:
    """What was counted in a range, period by period."""
    return store.counters.sums(first, last + AFTER_ALL, WIDTHS[by])


def by_period(rows: Iterable[PeriodCount]) -> dict[str, list[PeriodCount]]:
    """What was counted, by the name of its period."""
    held: dict[str, list[PeriodCount]] = {}
    for row in rows:
        held.setdefault(row.period, []).append(row)
    return held


def period_names(first: str, last: str, by: PeriodLength) -> Iterator[str]:
    """The periods of a range, one after the other; UsageError where it is none."""
    (begin, _), (_, end) = _days(first), _days(last)
    days = (end - begin).days + 1
    if days < 1 or first > last + AFTER_ALL:
        raise UsageError(f"The range from {first} to {last} ends before it begins.")
    if days > MOST_DAYS[by]:
        raise UsageError(f"By the {by} a range has {MOST_DAYS[by]:,} days at most; this one has {days:,}.")
    width = WIDTHS[by]
    moments = (f"{begin + timedelta(days=day)}T{hour:02}" for day in range(days) for hour in _hours(by))
    names = dict.fromkeys(moment[:width] for moment in moments)
    return (name for name in names if first[:width] <= name <= last + AFTER_ALL)


def _hours(by: PeriodLength) -> Iterable[int]:
    return range(24) if by == "hour" else (0,)


def _days(moment: str) -> tuple[date, date]:
    """The first and the last day of a year, month, day or hour."""
    if not MOMENT.fullmatch(moment):
        raise UsageError(f"{moment[:40]!r} is no day; write it as 2030-01-31, or 2030-01, 2030, 2030-01-31T09.")
    day = moment[: WIDTHS["day"]]
    try:
        begin = date.fromisoformat(day + FIRST_DAY[len(day) :])
    except ValueError as error:
        raise UsageError(f"{moment!r} is no day that there ever is.") from error
    return begin, _last_day(begin, len(moment))


def _last_day(begin: date, width: int) -> date:
    if width >= WIDTHS["day"]:
        return begin
    if width == WIDTHS["year"]:
        return begin.replace(month=12, day=31)
    return (begin.replace(day=28) + timedelta(days=4)).replace(day=1) - timedelta(days=1)


def _in_sum(rows: Iterable[PeriodCount]) -> list[PeriodCount]:
    """Everything of all periods together; of what only stands so or so, the last."""
    sums: dict[tuple[str, str], int] = {}
    levels: dict[str, dict[str, int]] = {}
    for row in rows:
        if row.name == "blogs":
            levels.setdefault(row.period, {})[row.label] = row.number
        else:
            sums[row.name, row.label] = sums.get((row.name, row.label), 0) + row.number
    last = levels[max(levels)] if levels else {}
    blogs = [PeriodCount("", "blogs", label, number) for label, number in last.items()]
    return [*(PeriodCount("", *place, number) for place, number in sums.items()), *blogs]


def _figures(rows: Iterable[PeriodCount]) -> Figures:
    by_name: dict[str, dict[str, int]] = {}
    for row in rows:
        by_name.setdefault(row.name, {})[row.label] = row.number

    def of(name: str) -> dict[str, int]:
        return by_name.get(name, {})

    return Figures(
        looks=of("looks"),
        requests=of("requests").get("", 0),
        bytes=of("bytes").get("", 0),
        posts=of("posts"),
        comments=of("comments").get("", 0),
        failures=of("failures"),
        jobs=of("jobs"),
        webhooks=of("webhooks"),
        pings=of("pings"),
        blogs=of("blogs"),
    )
