"""Dates of East Asia that count years from the beginning of an era (平成21年3月14日, 民國98年3月14日), or
write them in signs (二〇〇九年三月十四日), and years of the Buddha in plain digits.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from blogforever.dates.fold import fold
from blogforever.dates.names import base_languages
from blogforever.dates.shape import BUDDHIST, FIRST_YEAR, last_year
from blogforever.dates.written import DateReading
from blogforever.model import Moment, Precision

# The year before the first of each era.
_BEFORE = {"明治": 1867, "大正": 1911, "昭和": 1925, "平成": 1988, "令和": 2018, "民國": 1911, "民国": 1911}
_SIGNS = "〇零一二三四五六七八九"
_VALUES = {sign: max(0, place - 1) for place, sign in enumerate(_SIGNS)}
_TEN = "十"
_TIME = r"(?:\D{0,8}?(?<!\d)(?P<h>[01]?\d|2[0-3])[:時时](?P<i>[0-5]\d))?"
_ERA = re.compile(
    rf"(?P<era>{'|'.join(_BEFORE)}) ?(?P<y>元|\d{{1,3}})(?: ?年 ?|[./-])(?P<m>\d\d?)(?: ?月 ?|[./-])(?P<d>\d\d?)"
    rf"(?: ?[日號号]|(?!\d))(?:[(（].[)）])?{_TIME}"
)
_IN_SIGNS = re.compile(
    rf"(?P<y>[{_SIGNS}]{{4}})年(?P<m>[{_SIGNS}{_TEN}]{{1,2}})月(?P<d>[{_SIGNS}{_TEN}]{{1,3}})[日號号]{_TIME}"
)
_OF_BUDDHA = re.compile(rf"(?<![\d/.-])(?P<d>\d\d?)[/.-](?P<m>\d\d?)[/.-](?P<y>25\d\d)(?!\d){_TIME}")


@dataclass(frozen=True, slots=True)
class EraDates:
    """The dates of a text that are counted so, and where all of them stand: one before all blogs is
    no date of theirs, and nothing else either.
    """

    readings: tuple[DateReading, ...] = ()
    spans: tuple[tuple[int, int], ...] = ()

    def covers(self, reading: DateReading) -> bool:
        """Whether a reading is of words that stand in one of these dates."""
        return any(start < reading.end and reading.start < end for start, end in self.spans)


NO_ERAS = EraDates()


def era_dates(text: str, languages: Sequence[str]) -> EraDates:
    """The dates of a text that count years in one of these ways."""
    found = list(_found(text, languages))
    if not found:
        return NO_ERAS
    readings = tuple(reading for reading, _span in found if reading is not None)
    return EraDates(readings, tuple(span for _reading, span in found))


def _found(text: str, languages: Sequence[str]) -> Iterator[tuple[DateReading | None, tuple[int, int]]]:
    if "年" in text or "民" in text:
        for match in _ERA.finditer(fold(text)):
            year = 1 if match["y"] == "元" else int(match["y"])
            yield _reading(text, match, _BEFORE[match["era"]] + year), match.span()
        for match in _IN_SIGNS.finditer(text):
            yield _reading(text, match, _number(match["y"])), match.span()
    if "th" in base_languages(languages):
        for match in _OF_BUDDHA.finditer(fold(text)):
            yield _reading(text, match, int(match["y"]) - BUDDHIST), match.span()


def _number(signs: str) -> int:
    """A number in digits, or in signs: one for each digit, or with a sign for ten."""
    if signs.isdecimal():
        return int(signs)
    if _TEN in signs:
        tens, _ten, ones = signs.partition(_TEN)
        return 10 * (_VALUES.get(tens, 0) or 1) + _VALUES.get(ones, 0)
    return int("".join(str(_VALUES[sign]) for sign in signs))


def _reading(text: str, match: re.Match[str], year: int) -> DateReading | None:
    """The date of a match; None where there is no such day, or nobody blogged then."""
    try:
        day = date(year, _number(match["m"]), _number(match["d"]))
    except ValueError:
        return None
    if not FIRST_YEAR <= year <= last_year():
        return None
    iso, precision = _iso(day, match)
    place = match.span()
    is_thai = match.re is _OF_BUDDHA
    form = "d/M/yyyy" if is_thai else "yyyy年M月d日"
    language = "th" if is_thai else "ja"
    return DateReading(Moment(iso, precision, text[slice(*place)]), form, *place, language, (language,))


def _iso(day: date, match: re.Match[str]) -> tuple[str, Precision]:
    if match["h"] is None:
        return day.isoformat(), "day"
    return f"{day}T{int(match['h']):02}:{match['i']}", "minute"


__all__ = ["NO_ERAS", "EraDates", "era_dates"]
