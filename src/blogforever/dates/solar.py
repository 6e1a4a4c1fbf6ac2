"""Dates of the solar calendar of Iran and Afghanistan: day, month in words or numbers, and a year like 1391."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from functools import cache

from blogforever.dates.fold import fold
from blogforever.dates.names import base_languages
from blogforever.dates.shape import FIRST_YEAR, last_year
from blogforever.dates.written import DateReading
from blogforever.model import Moment, Precision
from blogforever.wordlists import WordLists

# A year of this calendar, in any digits, in a text that may be its language's: what is quickly seen
# of most texts.
_MAY_HAVE = re.compile(r"[1۱١][34۳۴٣٤]\d\d(?!\d)")
_ARABIC = re.compile("[\u0600-\u06ff]")
_LANGUAGES = frozenset({"fa", "ps", "prs"})
# Years by which the calendar is behind the common one, at its beginning in March.
_BEHIND = 621
# The first of the years that the leap years are reckoned from, with the day on which it began.
_KNOWN_YEAR, _KNOWN_DAY = 1370, date(1991, 3, 21)
# Leap years by the usual arithmetic, which is right from 1925 to 2088: remainders of the year by
# 33.
_CYCLE, _LEAP = 33, frozenset({1, 5, 9, 13, 17, 22, 26, 30})
_MONTHS = (31, 31, 31, 31, 31, 31, 30, 30, 30, 30, 30, 30)
_TIME = r"(?:\D{0,15}?(?<!\d)(?P<h>[01]?\d|2[0-3]):(?P<i>[0-5]?\d)(?::(?P<s>[0-5]\d))?)?"
_IN_NUMBERS = re.compile(rf"(?<![\d/])(?P<y>1[34]\d\d)(?P<to>[/.-])(?P<m>\d\d?)(?P=to)(?P<d>\d\d?)(?![\d/]){_TIME}")
_DAY_FIRST = re.compile(rf"(?<![\d/])(?P<d>\d\d?)(?P<to>[/.-])(?P<m>\d\d?)(?P=to)(?P<y>1[34]\d\d)(?!\d){_TIME}")


def solar_dates(text: str, languages: Sequence[str]) -> list[DateReading]:
    """The dates of this calendar in a text, in its order."""
    is_likely = _MAY_HAVE.search(text) and (_ARABIC.search(text) or _LANGUAGES & set(base_languages(languages)))
    return sorted(_found(text, fold(text)), key=lambda reading: reading.start) if is_likely else []


def _found(text: str, folded: str) -> Iterator[DateReading]:
    months, days = _words("months"), _words("days")
    for pattern, form in ((_in_words(), "d MMMM yyyy"), (_IN_NUMBERS, "yyyy/M/d"), (_DAY_FIRST, "d/M/yyyy")):
        for match in pattern.finditer(folded):
            day = days.get(match["d"]) or int(match["d"])
            month = months.get(match["m"]) or int(match["m"])
            common = common_day(int(match["y"]), month, day)
            if common:
                place = match.span()
                moment = Moment(*_iso(common, match), text[slice(*place)])
                yield DateReading(moment, form, *place, "fa", ("fa",))


def _iso(day: date, match: re.Match[str]) -> tuple[str, Precision]:
    """The moment, and how closely it is told."""
    if match["h"] is None:
        return day.isoformat(), "day"
    clock = f"{int(match['h']):02}:{int(match['i']):02}"
    if match["s"] is None:
        return f"{day}T{clock}", "minute"
    return f"{day}T{clock}:{match['s']}", "second"


@cache
def _words(name: str) -> dict[str, int]:
    """Names of months, or of days, with their numbers."""
    lists = WordLists("blogforever.dates", "solar.toml")
    return {fold(word.replace("_", " ")): number for number, word in enumerate(lists.in_order(name), 1)}


@cache
def _in_words() -> re.Pattern[str]:
    months = "|".join(map(re.escape, _words("months")))
    days = "|".join(map(re.escape, sorted(_words("days"), key=len, reverse=True)))
    return re.compile(
        rf"(?<!\w)(?P<d>\d\d?|{days})(?:\s?ام)?[\s,]{{0,3}}(?P<m>{months})(?:\s?ماه)?[\s,]{{0,3}}"
        rf"(?P<y>1[34]\d\d)(?!\d){_TIME}"
    )


def common_day(year: int, month: int, day: int) -> date | None:
    """The day in the common calendar; None where there is none, or nobody blogged then."""
    last_month = len(_MONTHS)
    is_date = year >= _KNOWN_YEAR and 1 <= month <= last_month and 1 <= day <= _MONTHS[month - 1]
    if not is_date or year > last_year() - _BEHIND:
        return None
    if (month, day) == (last_month, _MONTHS[-1]) and not _is_leap(year):
        return None
    years = sum(365 + _is_leap(earlier) for earlier in range(_KNOWN_YEAR, year))
    common = _KNOWN_DAY + timedelta(days=years + sum(_MONTHS[: month - 1]) + day - 1)
    return common if common.year >= FIRST_YEAR else None


def _is_leap(year: int) -> bool:
    return year % _CYCLE in _LEAP
