"""Dates in the texts of one list page, each text read once."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import date, datetime

from blogforever.dates import find_dates
from blogforever.extract.dateline import speaks_of_change
from blogforever.model import Moment

Options = list[tuple[str, Moment]]
"""The readings of one written date, each with its order of day, month and year."""

VAGUE = frozenset(("month", "year"))
"""Precisions of a date without a day."""
LONGEST_PARTIAL = 40
"""Characters of a text that may be a date without a year, or relative to now."""
YEAR = re.compile(r"(?<!\d)((?:19|20)\d\d)(?!\d)")

_MAYBE_DATE = re.compile(r"\d{4}|\d\D{1,20}\d\d")
_FIELDS = re.compile(r"[dMy]+")
_QUOTED = re.compile(r"'[^']*'")
_BREAK = re.compile(r"[\d|·•()/]")
# Characters of "Last updated on", with what stands around it.
_LONGEST_LABEL = 30
# Characters beside a date in a text that is a date and little else: a weekday, "Posted on".
_LITTLE_ELSE = 12


@dataclass(frozen=True, slots=True)
class WrittenDate:
    """The first date in a text, in all ways it can be read, and where it stands."""

    options: Options
    start: int
    end: int

    @property
    def moment(self) -> Moment:
        """The likeliest reading."""
        return self.options[0][1]

    def is_nearly(self, text: str) -> bool:
        """Whether its text is the date and little else."""
        return len(text) - (self.end - self.start) <= _LITTLE_ELSE


@dataclass(slots=True)
class DateReader:
    """Reads the dates of one page."""

    languages: tuple[str, ...]
    captured: datetime | None
    read: dict[str, WrittenDate | None] = field(default_factory=dict)

    def first(self, text: str) -> WrittenDate | None:
        """The first date in a text that has a year."""
        may_be_relative = self.captured is not None and len(text) <= LONGEST_PARTIAL
        if not may_be_relative and not _MAYBE_DATE.search(text):
            return None
        if text not in self.read:
            self.read[text] = self._first(text)
        return self.read[text]

    def _first(self, text: str) -> WrittenDate | None:
        whole = []
        for found in find_dates(text, self.languages, self.captured):
            order = _order(found.format)
            if "y" in order or not order:
                whole.append((order, found))
        # "Updated 4 May · Published 2 March": behind the day of a change may stand that of the post.
        whole = [one for one in whole if not _is_of_change(text, one[1].start)] or whole
        if not whole:
            return None
        first = whole[0][1]
        options = [(order, found.moment) for order, found in whole if found.start == first.start]
        return WrittenDate(options, first.start, first.end)

    def is_date(self, text: str) -> bool:
        """Whether a text is a date and little else."""
        written = self.first(text)
        return written is not None and written.is_nearly(text)

    def in_year(self, text: str, year: int) -> Moment | None:
        """A day and month without year, in the given year."""
        if len(text) > LONGEST_PARTIAL or YEAR.search(text):
            return None
        for with_year in (f"{text} {year}", f"{text}, {year}", f"{year}年{text}"):
            written = self.first(with_year)
            if written is None or not _is_day_of(written.moment, year):
                continue
            day = written.moment.day
            return day_of(year, day.month, day.day, text) if written.is_nearly(with_year) else None
        return None


def _is_of_change(text: str, start: int) -> bool:
    """Whether the words right before a place in a text say that the day of an edit follows."""
    label = text[max(0, start - _LONGEST_LABEL) : start]
    return speaks_of_change(_BREAK.split(label)[-1])


def _order(form: str) -> str:
    """The order of day, month and year in a date format: "dd/MM/yyyy" is "dMy"."""
    return "".join(field[0] for field in _FIELDS.findall(_QUOTED.sub("", form)))


def _is_day_of(moment: Moment, year: int) -> bool:
    return moment.precision not in VAGUE and moment.day.year == year


def day_of(year: int, month: int, day: int, raw: str) -> Moment | None:
    """A day as a moment; None where the calendar has no such day."""
    try:
        return Moment(date(year, month, day).isoformat(), "day", raw)
    except ValueError:
        return None
