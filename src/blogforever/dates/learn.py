"""Learning a blog's own date format, and reading dates with it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from enum import IntEnum
from functools import lru_cache

from blogforever.dates.names import base_languages, numeric_orders, raw_table
from blogforever.dates.nearness import ZONE_DAYS
from blogforever.dates.relative import RELATIVE, relative_dates
from blogforever.dates.solar import solar_dates
from blogforever.dates.written import BOUND, DIGITS_ONLY, DateReading, written_dates
from blogforever.model import Moment

_DIGIT = re.compile(r"\d")
# A date with its year has a number of four digits, or two numbers.
_WITH_YEAR = re.compile(r"\d{4}|\d\D{1,20}\d")
# What stands in dates that count years from the beginning of an era, or are written in signs.
_MAY_COUNT_ERAS = re.compile("[年民]")
_FIELD = re.compile(r"'[^']*'|y+|M+|d+")
# Signatures whose form alone tells how they are read: month in words, or the year first.
_PLAIN = frozenset({"dLy", "Ldy", "yLd", "ydL", "yMd"})
# Texts that are remembered: learning asks for the same by-line under many rules.
_REMEMBERED = 2048
_REMEMBERED_FORMATS = 512
# Dates of one text that are given; a line about a post has a few, a calendar has many.
_MOST_DATES = 20


def _is_counted(reading: DateReading, ages: Sequence[DateReading]) -> bool:
    """Whether the number of a day without its year counts how long ago something was: "Rij 3 months ago"."""
    is_yearless = "y" not in signature(reading.format)
    return is_yearless and any(age.start < reading.end and reading.start < age.end for age in ages)


@dataclass(frozen=True, slots=True)
class LearnedFormat:
    """The format under which most of a blog's texts read as their known dates.

    `agreement` is the share of the pairs that do; `day_offset` by how many days most of those stand
    off their date.
    """

    format: str
    language: str | None
    agreement: float
    pairs: int
    day_offset: int = 0


def _all_dates(
    text: str,
    languages: Sequence[str],
    captured: datetime | None,
    weak: bool,
) -> list[DateReading]:
    return list(_remembered(text[:BOUND], tuple(languages), captured, weak))


@lru_cache(maxsize=_REMEMBERED)
def _remembered(
    text: str,
    languages: tuple[str, ...],
    captured: datetime | None,
    weak: bool,
) -> tuple[DateReading, ...]:
    found: list[DateReading] = []
    if _DIGIT.search(text):
        found = [*written_dates(text, languages, captured, weak), *solar_dates(text, languages)]
    if captured is not None:
        ages = relative_dates(text, languages, captured)
        found = [*(reading for reading in found if not _is_counted(reading, ages)), *ages]
    if _MAY_COUNT_ERAS.search(text) or "th" in base_languages(languages):
        from blogforever.dates.eras import era_dates  # noqa: PLC0415  most blogs never need it

        eras = era_dates(text, languages)
        found = [*(reading for reading in found if not eras.covers(reading)), *eras.readings]
    return tuple(found)


def find_dates(
    text: str,
    languages: Sequence[str] = (),
    captured: datetime | None = None,
    limit: int = _MOST_DATES,
) -> list[DateReading]:
    """Every date in a short text; an ambiguous one gives several readings, likeliest first."""
    if captured is None and _WITH_YEAR.search(text, 0, BOUND) is None and "年" not in text:
        return []
    found = _all_dates(text, languages, captured, weak=False)
    found.sort(key=lambda reading: reading.start)
    return found[:limit]


@lru_cache(maxsize=_REMEMBERED_FORMATS)
def signature(format: str) -> str:
    """The order and kind of a format's fields.

    `dMy` in numbers, `dLy` with the month's name, `yMd8` in one number; `relative` is itself.
    """
    if format == RELATIVE:
        return RELATIVE
    letters = []
    for part in _FIELD.findall(format):
        if part.startswith("'"):
            continue
        letters.append("L" if part.startswith("MMM") else part[0])
    if format == DIGITS_ONLY:
        letters.append("8")
    return "".join(letters)


def read_date(
    text: str,
    format: str | None = None,
    languages: Sequence[str] = (),
    captured: datetime | None = None,
) -> Moment | None:
    """The date of a text, under a format where one is given; None if none or several fit."""
    if format is None:
        return _best(find_dates(text, languages, captured), languages)
    found = _all_dates(text, languages, captured, weak=True)
    wanted = signature(format)
    for reading in found:
        if signature(reading.format) == wanted:
            return reading.moment
    plain = [reading for reading in found if signature(reading.format) in _PLAIN]
    return _best(plain, languages)


def _best(found: list[DateReading], languages: Sequence[str]) -> Moment | None:
    """The surest date that has one reading only; the first of equals."""
    ranked = sorted((_rank(reading), reading.start, n) for n, reading in enumerate(found))
    for rank, _start, n in ranked:
        if rank is _Rank.NONE:
            return None
        if rank is not _Rank.NUMERIC or _is_decided(found, found[n], languages):
            return found[n].moment
    return None


class _Rank(IntEnum):
    """How sure a date is that stands alone; the lower, the surer."""

    YEAR_FIRST = 0
    NAMED = 1  # the month in words
    NUMERIC = 2
    MONTH_ONLY = 3
    RELATIVE = 4
    NONE = 9  # without a year, or only digits: no date where none is known to be


def _rank(reading: DateReading) -> _Rank:
    kind = signature(reading.format)
    if kind == "yMd" and "yyyy" in reading.format:
        return _Rank.YEAR_FIRST
    if kind == RELATIVE:
        return _Rank.RELATIVE
    if "y" not in kind or "8" in kind:
        return _Rank.NONE
    if "d" not in kind:
        return _Rank.MONTH_ONLY
    return _Rank.NAMED if "L" in kind else _Rank.NUMERIC


def _is_decided(found: list[DateReading], numeric: DateReading, languages: Sequence[str]) -> bool:
    """Whether a numeric date has one reading only, by itself, by the languages or by its dots."""
    place = (numeric.start, numeric.end)
    days = {other.moment.day for other in found if (other.start, other.end) == place}
    if len(days) == 1 or numeric_orders(languages):
        return True
    return "." in numeric.format and signature(numeric.format) == "dMy"


def learn_format(
    pairs: Iterable[tuple[str, date]],
    languages: Sequence[str] = (),
    captured: datetime | None = None,
) -> LearnedFormat | None:
    """The format under which most texts read as their known dates, give or take a day, if any."""
    kinds: dict[str, _Votes] = {}
    total = 0
    for text, day in pairs:
        total += 1
        for kind, reading in _agreeing(text, day, languages, captured).items():
            kinds.setdefault(kind, _Votes()).add(reading, day)
    if not kinds:
        return None
    best = max(kinds.values(), key=lambda votes: (votes.count, votes.offsets[0]))
    return best.result(total, base_languages(languages))


@dataclass(slots=True)
class _Votes:
    """What the agreeing readings of one signature say."""

    count: int = 0
    formats: Counter[str] = field(default_factory=Counter)
    spoken: Counter[str] = field(default_factory=Counter)
    offsets: Counter[int] = field(default_factory=Counter)

    def add(self, reading: DateReading, day: date) -> None:
        self.count += 1
        self.formats[reading.format] += 1
        self.spoken.update(reading.languages)
        self.offsets[(reading.moment.day - day).days] += 1

    def result(self, total: int, wanted: Sequence[str]) -> LearnedFormat:
        """The most frequent of each; among equal languages a wanted, then a wider spoken one."""
        by_preference = [*wanted, *raw_table()["languages"]]
        # The first place counts where a language is named twice, so it is written last.
        weight = {code: n for n, code in enumerate(reversed(by_preference))}
        language = max(
            self.spoken,
            key=lambda code: (self.spoken[code], weight.get(code, -1)),
            default=None,
        )
        return LearnedFormat(
            format=self.formats.most_common(1)[0][0],
            language=language,
            agreement=self.count / total,
            pairs=total,
            day_offset=self.offsets.most_common(1)[0][0],
        )


def _agreeing(
    text: str,
    day: date,
    languages: Sequence[str],
    captured: datetime | None,
) -> dict[str, DateReading]:
    """For every signature the first date of the text, if it can be read as the known day."""
    agreeing: dict[str, DateReading] = {}
    first: dict[str, int] = {}
    for reading in _all_dates(text, languages, captured, weak=True):
        kind = signature(reading.format)
        is_first = first.setdefault(kind, reading.start) == reading.start
        if is_first and _is_near(reading.moment, day):
            agreeing.setdefault(kind, reading)
    return agreeing


def _is_near(moment: Moment, day: date) -> bool:
    """Whether a moment may be of that day, as far as it says."""
    if moment.precision == "year":
        return moment.day.year == day.year
    if moment.precision == "month":
        return (moment.day.year, moment.day.month) == (day.year, day.month)
    return abs((moment.day - day).days) <= ZONE_DAYS
