"""Learning a blog's own date format, and reading dates with it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import lru_cache

from blogforever.dates.names import base_languages, numeric_orders, raw_table
from blogforever.dates.relative import RELATIVE, relative_dates
from blogforever.dates.written import BOUND, DIGITS_ONLY, Reading, written_dates
from blogforever.model import Moment

_DIGIT = re.compile(r"\d")
# A date with its year has a number of four digits, or two numbers.
_WITH_YEAR = re.compile(r"\d{4}|\d\D{1,20}\d")
_FIELD = re.compile(r"'[^']*'|y+|M+|d+")


@dataclass(frozen=True, slots=True)
class LearnedFormat:
    """The format under which most of a blog's texts read as their known dates.

    `agreement` is the share of the pairs that do; `day_offset` by how many days most of those stand off their date.
    """

    format: str
    language: str | None
    agreement: float
    pairs: int
    day_offset: int = 0


def _all_dates(text: str, languages: Sequence[str], captured: datetime | None, weak: bool) -> list[Reading]:
    return list(_remembered(text[:BOUND], tuple(languages), captured, weak))


@lru_cache(maxsize=2048)  # learning asks for the same by-line under many rules
def _remembered(text: str, languages: tuple[str, ...], captured: datetime | None, weak: bool) -> tuple[Reading, ...]:
    found = written_dates(text, languages, captured, weak) if _DIGIT.search(text) else []
    if captured is not None:
        found += relative_dates(text, languages, captured)
    return tuple(found)


def find_dates(
    text: str, languages: Sequence[str] = (), captured: datetime | None = None, limit: int = 20
) -> list[Reading]:
    """Every date in a short text; an ambiguous one gives several readings, likeliest first."""
    if captured is None and _WITH_YEAR.search(text, 0, BOUND) is None:
        return []
    found = _all_dates(text, languages, captured, weak=False)
    found.sort(key=lambda item: item.start)
    return found[:limit]


@lru_cache(maxsize=512)
def signature(format: str) -> str:
    """The order and kind of a format's fields: `dMy` in numbers, `dLy` with the month's name, `relative`."""
    if format == RELATIVE:
        return RELATIVE
    found = []
    for part in _FIELD.findall(format):
        if part[0] != "'":
            found.append("L" if part.startswith("MMM") else part[0])
    return "".join(found) + ("8" if format == DIGITS_ONLY else "")


def read_date(
    text: str, format: str | None = None, languages: Sequence[str] = (), captured: datetime | None = None
) -> Moment | None:
    """The date of a text, under a format where one is given; None when there is none or it could be several."""
    if format is None:
        return _best(find_dates(text, languages, captured), languages)
    found = _all_dates(text, languages, captured, weak=True)
    wanted = signature(format)
    for item in found:
        if signature(item.format) == wanted:
            return item.moment
    return _best([item for item in found if _plain(item)], languages)


def _plain(item: Reading) -> bool:
    """Whether its form alone tells how it is read: month in words, or the year first."""
    return signature(item.format) in ("dLy", "Ldy", "yLd", "ydL", "yMd")


def _best(found: list[Reading], languages: Sequence[str]) -> Moment | None:
    ranked = sorted((_rank(item), item.start, place) for place, item in enumerate(found))
    for rank, _, place in ranked:
        if rank < _IGNORED and (rank != _NUMERIC or _decided(found, found[place], languages)):
            return found[place].moment
    return None


_NUMERIC = 2
_IGNORED = 9


def _rank(item: Reading) -> int:
    kind = signature(item.format)
    if kind == "yMd" and "yyyy" in item.format:
        return 0
    if kind == RELATIVE:
        return 4
    if "y" not in kind or "8" in kind:
        return _IGNORED
    if "d" not in kind:
        return 3
    return 1 if "L" in kind else _NUMERIC


def _decided(found: list[Reading], item: Reading, languages: Sequence[str]) -> bool:
    """Whether a numeric date has one reading only, by itself, by the languages or by its dots."""
    rivals = [other for other in found if (other.start, other.end) == (item.start, item.end)]
    days = {other.moment.day for other in rivals}
    if len(days) == 1 or numeric_orders(languages):
        return True
    return "." in item.format and signature(item.format) == "dMy"


def learn_format(
    pairs: Iterable[tuple[str, date]], languages: Sequence[str] = (), captured: datetime | None = None
) -> LearnedFormat | None:
    """The format under which most texts read as their known dates, a day more or less; None when none does."""
    kinds: dict[str, _Votes] = {}
    total = 0
    for text, known in pairs:
        total += 1
        for kind, item in _agreeing(text, known, languages, captured).items():
            kinds.setdefault(kind, _Votes()).add(item, known)
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

    def add(self, item: Reading, known: date) -> None:
        self.count += 1
        self.formats[item.format] += 1
        self.spoken.update(item.languages)
        self.offsets[(item.moment.day - known).days] += 1

    def result(self, total: int, wanted: Sequence[str]) -> LearnedFormat:
        """The most frequent of each; among equal languages the wanted, then the wider spoken one."""
        order = {code: place for place, code in enumerate([*wanted, *raw_table()["languages"]][::-1])}
        language = max(self.spoken, key=lambda code: (self.spoken[code], order.get(code, -1)), default=None)
        format = self.formats.most_common(1)[0][0]
        return LearnedFormat(format, language, self.count / total, total, self.offsets.most_common(1)[0][0])


def _agreeing(text: str, known: date, languages: Sequence[str], captured: datetime | None) -> dict[str, Reading]:
    """For every signature the first date of the text, if it can be read as the known day."""
    found: dict[str, Reading] = {}
    first: dict[str, int] = {}
    for item in _all_dates(text, languages, captured, weak=True):
        kind = signature(item.format)
        if first.setdefault(kind, item.start) == item.start and _near(item.moment, known):
            found.setdefault(kind, item)
    return found


def _near(moment: Moment, known: date) -> bool:
    if moment.precision == "year":
        return moment.day.year == known.year
    if moment.precision == "month":
        return (moment.day.year, moment.day.month) == (known.year, known.month)
    return abs((moment.day - known).days) <= 1


def same_day(a: Moment, b: Moment, slack_days: int = 1) -> bool:
    """Whether two moments may be the same day; the coarser of the two decides how closely they are compared."""
    if "year" in (a.precision, b.precision):
        return a.iso[:4] == b.iso[:4]
    if "month" in (a.precision, b.precision):
        return a.iso[:7] == b.iso[:7]
    return abs((a.day - b.day).days) <= slack_days
