"""Days of comments without their year: which ones are days, and of which year they are.

Some systems write "03/24 at 10:15 PM" below each comment. Two numbers are a day only beside a time
of day; the year is the first one in which the comment comes after its post, and after the comments
before it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta

from blogforever.dates import DateReading, find_dates, signature
from blogforever.model import Moment

_PAIR = r"(?<![\d./:\-])(?P<a>\d{1,2})(?P<sign>[./\-])(?P<b>\d{1,2})(?![\d/:\-]|\.\d)\.?"
_CLOCK = r"(?<![\d./:\-])(?P<hour>\d{1,2})[:.h](?P<minute>[0-5]\d)(?![\d/\-])(?:\s?(?P<half>[ap])\.?m\b\.?)?"
# Signs and short words between a day and a time: " - ", " at ", " um ".
_BETWEEN = r"[\s,@|()–—\-]{0,4}(?:[^\W\d_]{1,4}[\s:]{1,2})?"
_DAY_FIRST = re.compile(rf"{_PAIR}{_BETWEEN}{_CLOCK}", re.IGNORECASE)
_CLOCK_FIRST = re.compile(rf"{_CLOCK}{_BETWEEN}{_PAIR}", re.IGNORECASE)
_ANY_CLOCK = re.compile(_CLOCK, re.IGNORECASE)
_WITH_YEAR = re.compile(r"(?<!\d)\d{4}(?!\d)")
# Characters of a line about a comment that are looked at.
_LONGEST = 400
# Any moment before which days without a year can be looked for.
_SOME_DAY = datetime(2012, 12, 31)
_ORDERS = (("a", "b", "MM/dd"), ("b", "a", "dd/MM"))
_HOURS, _HALF_A_DAY, _MONTHS = 24, 12, 12
_ZONE_SLACK = timedelta(days=1)
# Years after the post in which a comment is looked for: 29 February comes at least so often.
_MOST_YEARS = 9


def has_yearless_day(text: str) -> bool:
    """Whether a day without its year, and right beside it a time of day, stands in a text."""
    text = text[:_LONGEST]
    if _ANY_CLOCK.search(text) is None or _WITH_YEAR.search(text):
        return False
    if next(_numeric_days(text, _SOME_DAY), None) is not None:
        return True
    return any(reading.moment.precision != "day" for reading in _named_days(text))


def _named_days(text: str) -> list[DateReading]:
    found = find_dates(text, (), _SOME_DAY)
    return [reading for reading in found if _is_yearless(reading) and reading.moment.precision != "month"]


def find_days(text: str, languages: Sequence[str], captured: datetime | None) -> list[DateReading]:
    """Every date in a short text as `find_dates` gives them, and days without a year beside a time of day: of these
    numbers none is that of a month's name before them.
    """
    found = find_dates(text, languages, captured)
    if any("y" in signature(reading.format) for reading in found):
        return found
    numeric = list(_numeric_days(text, captured))
    others = [one for one in found if not any(one.start < day.end and day.start < one.end for day in numeric)]
    return sorted([*others, *numeric], key=lambda reading: reading.start)


def _numeric_days(text: str, captured: datetime | None) -> Iterator[DateReading]:
    """The readings of the first two numbers beside a time of day, as month and day and the other way round."""
    text = text[:_LONGEST]
    match = _DAY_FIRST.search(text) or _CLOCK_FIRST.search(text)
    if match is None:
        return
    clock = _time_of_day(match)
    year = (captured or _SOME_DAY).year
    for month, day, form in _ORDERS:
        found = _day(year, int(match[month]), int(match[day])) or _day(year - 1, int(match[month]), int(match[day]))
        if found is not None and clock is not None:
            moment = Moment(f"{found}T{clock}", "minute", match[0])
            yield DateReading(moment, f"{form} HH:mm", match.start(), match.end(), None)


def _time_of_day(match: re.Match[str]) -> str | None:
    """The time of a match, by 24 hours; None where there is no such time."""
    hour = int(match["hour"])
    if match["half"]:
        hour = hour % _HALF_A_DAY + (_HALF_A_DAY if match["half"] in "pP" else 0)
    return f"{hour:02d}:{match['minute']}" if hour < _HOURS else None


def _day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _is_yearless(reading: DateReading) -> bool:
    kind = signature(reading.format)
    return "d" in kind and "y" not in kind and kind.isalpha() and kind != "relative"


def in_first_year(reading: DateReading, after: date | None, captured: datetime | None) -> DateReading:
    """A reading without a year, in the first one in which it comes after a day; others as they are."""
    if after is None or not _is_yearless(reading):
        return reading
    return replace(reading, moment=_moved(reading.moment, after, captured))


def _moved(moment: Moment, after: date, captured: datetime | None) -> Moment:
    """A moment in the first year in which it comes after a day; as it is where that is after the capture."""
    shown = moment.day
    days = (_day(after.year + n, shown.month, shown.day) for n in range(-1, _MOST_YEARS))
    first = next((day for day in days if day and day >= after - _ZONE_SLACK), None)
    is_seen = first is not None and (captured is None or first <= captured.date() + _ZONE_SLACK)
    return replace(moment, iso=f"{first}{moment.iso[10:]}") if first and is_seen else moment


def in_order(readings: Sequence[DateReading | None], captured: datetime | None) -> list[Moment | None]:
    """The moments of comments in the order of the page: a day without a year that goes back is of the next year,
    unless that would be after the capture.
    """
    plain = [None if reading is None else reading.moment for reading in readings]
    ordered: list[Moment | None] = []
    last: date | None = None
    for reading in readings:
        moment = None if reading is None else reading.moment
        if reading is not None and moment is not None and last is not None and _is_yearless(reading):
            moment = _moved(moment, last, captured)
            if moment.day < last - _ZONE_SLACK:
                return plain  # not in the order of time
        last = last if moment is None else moment.day
        ordered.append(moment)
    return ordered


__all__ = ["find_days", "has_yearless_day", "in_first_year", "in_order"]
