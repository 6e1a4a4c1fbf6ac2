"""How many of something came in each span of time: months while they can be told apart, else years."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import date

from babel.dates import format_date

from blogforever.storage.counting import HOUR

from .showing import DAY_LETTERS, day
from .words import spoken

# Months that a chart shows one by one; a longer life is shown by the year.
MOST_MONTHS = 72
# Years that a chart shows: a date that somebody mistyped must not draw a thousand.
MOST_YEARS = 120
MONTH, YEAR, MONTHS = len("2013-03"), len("2013"), 12


def by_month_or_year(counted: Mapping[str, int]) -> list[tuple[str, float]]:
    """What was counted by month (`2013-03`, or `2013` where no month is known), without gaps, with
    names for people.
    """
    known = {key: number for key, number in counted.items() if _is_date(key)}
    if not known:
        return []
    first, last = min(known), max(known)
    months = list(_months(first, last)) if all(len(key) == MONTH for key in known) else []
    if months and len(months) <= MOST_MONTHS:
        return [(_named(month), known.get(month, 0)) for month in months]
    years = Counter[str]()
    for key, number in known.items():
        years[key[:YEAR]] += number
    span = range(max(int(first[:YEAR]), int(last[:YEAR]) - MOST_YEARS), int(last[:YEAR]) + 1)
    return [(str(year), years[f"{year:04}"]) for year in span]


def _is_date(key: str) -> bool:
    year, dash, month = key.partition("-")
    is_year = len(year) == YEAR and year.isascii() and year.isdecimal() and year > "0000"
    is_month = not dash or (month.isdecimal() and len(key) == MONTH and 1 <= int(month) <= MONTHS)
    return is_year and is_month


def _months(first: str, last: str) -> Iterator[str]:
    """Every month from one to another, and no more than can be shown and one."""
    year, month = int(first[:YEAR]), int(first[YEAR + 1 :])
    for _ in range(MOST_MONTHS + 1):
        yield f"{year:04}-{month:02}"
        if f"{year:04}-{month:02}" >= last:
            return
        year, month = (year + 1, 1) if month == MONTHS else (year, month + 1)


def period_name(period: str) -> str:
    """What people call an hour (`2013-03-01T09`), a day, a month or a year."""
    if len(period) == HOUR:
        return f"{day(period)}, {period[-2:]}:00"
    return day(period) if len(period) == DAY_LETTERS else _named(period) if len(period) == MONTH else period


def _named(month: str) -> str:
    return format_date(date.fromisoformat(f"{month}-01"), "MMM y", locale=spoken())
