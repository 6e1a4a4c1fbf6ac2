"""Days and months that a list page shows without a year: a heading above or an address tells it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

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
_MONTHS = 12


@dataclass(frozen=True, slots=True)
class _Period:
    """The year and month that hold from a heading on."""

    year: int | None = None
    month: int | None = None


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
    period = _Period(_year_of(url), _month_of(url))
    for n, record in enumerate(records):
        above = range(_lead_of(record, first=n == 0), max(titles[n], record.start))
        for entry in above:
            period = _period_after(page.texts[entry], period, reader)
        year = _year_of(record.link.url) or period.year
        if dates[n] is None and year:
            dates[n] = _find_day(page, record, titles[n], (year, period.month), reader)


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


def _find_day(
    page: Outline,
    record: Record,
    title: int,
    period: tuple[int, int | None],
    reader: DateReader,
) -> Moment | None:
    """The first day that a record shows in a year; a month counts above the title only."""
    year, month = period
    for entry in window_of(record):
        text = "" if is_inside(page, entry, title) else _short_text(page, entry)
        if not _DIGIT.search(text):
            continue
        found = _in_period(text, year, month if entry < title else None, reader)
        if found is not None:
            return found
    return None


def _short_text(page: Outline, entry: int) -> str:
    """The text of an entry that is short enough for a day; empty for others."""
    end = page.ends[entry]
    if end - entry > _MOST_PIECES:
        return ""
    if page.length(entry, end) + len(page.texts[entry]) > _LONGEST_PIECES:
        return ""
    text = page.text(entry, end)
    return text if len(text) <= LONGEST_PARTIAL else ""


def _in_period(text: str, year: int, month: int | None, reader: DateReader) -> Moment | None:
    """A day, or a day and month, in the year and month that hold."""
    found = reader.in_year(text, year)
    if found is not None:
        return found
    lone_day = _LONE_DAY.match(text)
    if month and lone_day:
        return day_of(year, month, int(lone_day[1]), text)
    return _two_numbers(text, year)


def _two_numbers(text: str, year: int) -> Moment | None:
    """A day and a month as numbers, in the order that their sign or size tells."""
    numbers = _TWO_NUMBERS.match(text)
    if numbers is None:
        return None
    first, second = int(numbers[1]), int(numbers[3])
    is_day_first = numbers[2] == "." or first > _MONTHS
    month, day = (second, first) if is_day_first else (first, second)
    return day_of(year, month, day, text)
