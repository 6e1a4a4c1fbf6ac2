"""Days and months that a list page shows without a year: a heading above or an address tells it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import pairwise

from blogforever.extract.segment_outline import Outline
from blogforever.extract.segment_reader import LONGEST_PARTIAL, YEAR, DateReader, day_of
from blogforever.extract.segment_records import Record
from blogforever.model import Moment

_URL_MONTH = re.compile(r"/((?:19|20)\d\d)[/_-]?(0[1-9]|1[0-2])(?=[/_.-]|$)")
_URL_YEAR = re.compile(r"/((?:19|20)\d\d)(?=[/_.-]|$)")
_LONE_DAY = re.compile(r"\D{0,2}(0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th|[.日]|º)?\W{0,3}$", re.I)
_TWO_NUMBERS = re.compile(r"\W{0,2}(\d{1,2})([-/.])(\d{1,2})[-/.]?\W{0,3}$")
_DIGIT = re.compile(r"\d")

# Entries above a record in which its date may stand.
_MOST_LEAD = 60
# Entries read at either end of a long record: whole posts have their dates at top or bottom.
_MOST_ENTRIES = 160
_LONGEST_HEADING = 40
_LONGEST_MONTH = 20
# Characters beside a year in a heading which say that its number is no year.
_BESIDE_YEAR = 5
# Entries and characters of an element that holds a day and month in pieces.
_MOST_PIECES = 10
_LONGEST_PIECES = 60
# Two dates are always in order.
_FEWEST_TO_ORDER = 3
_UNORDERED = 0.5


@dataclass(frozen=True, slots=True)
class _Period:
    """The year and month that hold from a heading on."""

    year: int | None = None
    month: int | None = None


@dataclass(frozen=True, slots=True)
class _Pair:
    """A day and a month as numbers, in one order or the other, where a period holds."""

    first: int
    second: int
    sign: str
    text: str
    period: _Period

    def read(self, *, day_first: bool) -> Moment | None:
        """The day it is in one order; None where there is no such day."""
        month, day = (self.second, self.first) if day_first else (self.first, self.second)
        return day_of(self.period.year, month, day, self.text) if self.period.year else None


def window_of(record: Record, *, first: bool = False) -> Iterator[int]:
    """The entries where the date of a record may stand: above it, and in it.

    Above the first record of a page stands no other one.
    """
    yield from range(_lead_of(record, first=first), record.start)
    if record.end - record.start <= 2 * _MOST_ENTRIES:
        yield from range(record.start, record.end)
        return
    yield from range(record.start, record.start + _MOST_ENTRIES)
    yield from range(record.end - _MOST_ENTRIES, record.end)


def _lead_of(record: Record, *, first: bool) -> int:
    """Where what stands above a record begins."""
    nearest = max(0, record.start - _MOST_LEAD)
    return nearest if first else max(record.lead, nearest)


def is_inside(page: Outline, entry: int, title: int) -> bool:
    """Whether an entry belongs to a title, which may be missing."""
    return 0 <= title <= entry < page.ends[title]


def complete_dates(
    page: Outline,
    records: list[Record],
    titles: list[int],
    dates: list[Moment | None],
    url: str,
    reader: DateReader,
) -> None:
    """Fill in dates whose year is in the heading above, the post's or the page's address."""
    if all(dates):
        return
    periods = list(_periods(page, records, titles, url, reader))
    shown = [list(_short_texts(page, record, title)) for record, title in zip(records, titles, strict=True)]
    day_first = _is_day_first(list(_pairs(shown, periods)), reader)
    for n, period in enumerate(periods):
        if dates[n] is None and period.year:
            dates[n] = _find_day(shown[n], titles[n], period, reader, day_first=day_first)


def _periods(
    page: Outline, records: list[Record], titles: list[int], url: str, reader: DateReader
) -> Iterator[_Period]:
    """The year and month that hold for each record."""
    period = _Period(_year_of(url), _month_of(url))
    for n, record in enumerate(records):
        above = range(_lead_of(record, first=n == 0), max(titles[n], record.start))
        for entry in above:
            period = _period_after(page.texts[entry], period, reader)
        yield replace(period, year=_year_of(record.link.url) or period.year)


def _year_of(url: str) -> int | None:
    found = _URL_YEAR.search(url)
    return int(found[1]) if found else None


def _month_of(url: str) -> int | None:
    found = _URL_MONTH.search(url)
    return int(found[2]) if found else None


def _period_after(text: str, period: _Period, reader: DateReader) -> _Period:
    """The period that holds after a text, which may be a heading."""
    if not text or len(text) > _LONGEST_HEADING:
        return period
    year = YEAR.search(text)
    if year is None:
        return _month_after(text, period, reader)
    written = reader.first(text)
    if written is None:
        beside = text.replace(year[1], "", 1)
        is_other_number = _DIGIT.search(beside) and len(beside) > _BESIDE_YEAR
        return period if is_other_number else _Period(int(year[1]))
    if written.moment.precision != "month":
        return period
    return _Period(written.moment.day.year, written.moment.day.month)


def _month_after(text: str, period: _Period, reader: DateReader) -> _Period:
    """The same where the text may be a month's name under the year's heading."""
    if not period.year or len(text) > _LONGEST_MONTH or _DIGIT.search(text):
        return period
    written = reader.first(f"{text} {period.year}")
    if written is None or written.moment.precision != "month":
        return period
    return replace(period, month=written.moment.day.month)


_ShownText = tuple[int, str]
"""A short text with a digit in it, and the entry it is of."""


def _find_day(
    shown: Sequence[_ShownText], title: int, period: _Period, reader: DateReader, *, day_first: bool
) -> Moment | None:
    """The first day that a record shows in a period; a month counts above the title only."""
    for entry, text in shown:
        holds = period if entry < title else replace(period, month=None)
        found = _in_period(text, holds, reader, day_first=day_first)
        if found is not None:
            return found
    return None


def _short_texts(page: Outline, record: Record, title: int) -> Iterator[_ShownText]:
    """What of a record may be its day: short texts outside the title."""
    for entry in window_of(record):
        text = "" if is_inside(page, entry, title) else _short_text(page, entry)
        if _DIGIT.search(text):
            yield entry, text


def _short_text(page: Outline, entry: int) -> str:
    """The text of an entry that is short enough for a day; empty for others."""
    end = page.ends[entry]
    if end - entry > _MOST_PIECES:
        return ""
    if page.length(entry, end) + len(page.texts[entry]) > _LONGEST_PIECES:
        return ""
    text = page.text(entry, end)
    return text if len(text) <= LONGEST_PARTIAL else ""


def _in_period(text: str, period: _Period, reader: DateReader, *, day_first: bool) -> Moment | None:
    """A day, or a day and month, in the year and month that hold."""
    pair = _pair(text, period)
    found = pair.read(day_first=day_first) if pair else None
    if found is not None or period.year is None:
        return found
    found = reader.in_year(text, period.year)
    if found is not None:
        return found
    lone_day = _LONE_DAY.match(text)
    if period.month and lone_day:
        return day_of(period.year, period.month, int(lone_day[1]), text)
    return None


# --- days and months as numbers


def _pairs(shown: Sequence[Sequence[_ShownText]], periods: Sequence[_Period]) -> Iterator[_Pair]:
    """The first day and month in numbers of each record."""
    for texts, period in zip(shown, periods, strict=True):
        pairs = (_pair(text, period) for _entry, text in texts)
        yield from (pair for pair in [next(filter(None, pairs), None)] if pair)


def _pair(text: str, period: _Period) -> _Pair | None:
    numbers = _TWO_NUMBERS.match(text)
    return _Pair(int(numbers[1]), int(numbers[3]), numbers[2], text, period) if numbers else None


def _is_day_first(pairs: Sequence[_Pair], reader: DateReader) -> bool:
    """Whether 07-08 is the seventh of a month.

    The pairs of all records tell: by numbers over 12, by the months in headings, and because lists
    are in order; else what is usual.
    """
    if not pairs:
        return False
    usual = _is_usually_day_first(pairs[0], reader)
    return max((usual, not usual), key=lambda day_first: _fit(pairs, day_first=day_first))


def _is_usually_day_first(pair: _Pair, reader: DateReader) -> bool:
    """How a pair is read by itself: 07-08 is the end of 2026-07-08, others go by the language."""
    if pair.sign == "-" or pair.period.year is None:
        return False
    alone = reader.in_year(pair.text, pair.period.year)
    return pair.sign == "." or (alone is not None and alone == pair.read(day_first=True))


def _fit(pairs: Sequence[_Pair], *, day_first: bool) -> tuple[int, int, float]:
    """How well pairs fit the calendar, the headings and each other, in one order of day and month."""
    read = [(pair.read(day_first=day_first), pair.period.month) for pair in pairs]
    days = [moment.day for moment, _month in read if moment]
    in_month = sum(moment is not None and moment.day.month == month for moment, month in read)
    return len(days), in_month, in_order(days)


def in_order(days: Sequence[date]) -> float:
    """The share of neighbours that rise or fall as most do."""
    if len(days) < _FEWEST_TO_ORDER:
        return _UNORDERED
    falling = sum(one >= following for one, following in pairwise(days)) / (len(days) - 1)
    return max(falling, 1 - falling)
