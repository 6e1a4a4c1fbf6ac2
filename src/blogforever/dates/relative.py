"""Dates told from the moment of the capture: "3 hours ago", "vor 3 Tagen", "yesterday"."""

from __future__ import annotations

import calendar
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache, lru_cache
from typing import NamedTuple

from blogforever.dates.fold import LETTER, fold
from blogforever.dates.names import base_languages, raw_table
from blogforever.dates.shape import FIRST_YEAR
from blogforever.dates.written import DateReading
from blogforever.model import Moment, Precision

RELATIVE = "relative"
_ONES = (
    "a an one ein eine einem einer einen un une una uno um uma en ett et een egy bir "
    "jeden jedne jednu jedna един една один одну одна ένα έναν μια yksi o um unha bat satu setahun"
)
_PRECISION: dict[str, Precision] = {
    "year": "year",
    "month": "month",
    "week": "day",
    "day": "day",
    "hour": "minute",
    "minute": "minute",
    "second": "minute",
}
_CHAIN_PRECISION: dict[str, Precision] = _PRECISION | {"week": "month", "hour": "day"}
"""By the smaller of two units: what is less than it was cut off."""
# Characters of ISO 8601 that a precision has; finer ones have all.
_ISO_LENGTH = {"year": 4, "month": 7, "day": 10}
_MONTHS = 12
# Digits of an amount; a longer number is a year or an id.
_MOST_DIGITS = 3
# Characters behind a number by which templates are found: few templates share both.
_INDEXED = 2
# Characters before a counted unit in which a larger unit may stand: "10 years, 3 weeks ago".
_CHAIN_REACH = 24
# Characters before a number in which such words stand.
_ROUGH_REACH = 18
# Characters of a phrase below which it must be in a language of the blog.
_SHORT_PHRASE = 4
# Longer ones that are names of people elsewhere: "yesterday" in Swahili, "today" in Estonian.
_NAMES_ELSEWHERE = frozenset({"jana", "tana"})
_SPACED = re.compile(rf"{LETTER}+|\d+")
_GAP = re.compile(r"[ \u200b]{0,3}")
_CHAIN = re.compile(rf"(\d{{1,3}}|{LETTER}{{1,5}}) ({LETTER}{{1,10}}),? (?:{LETTER}{{1,3}} )?$")
# Words that make a number a rough one, between it and what stands before it: "vor etwa 3 Tagen".
_ROUGHLY = re.compile(rf" {LETTER}{{2,12}}(?: {LETTER}{{2,3}})?$")
# Such words before all of it, in languages that say "ago" last: "about 3 months ago", "circa 3 mesi fa".
_ROUGH_FIRST = re.compile(
    r"(?:about|around|almost|nearly|over|(?:less|more) than|approximately|ca\.?|circa|cirka|ongeveer|ungefär|omkring|"
    r"rundt|około|ponad|prawie|cerca de|quase|mais de|quasi|oltre|около|почти|более|больше|yaklaşık|noin|lähes|yli)\s+",
    re.IGNORECASE,
)
# Scripts from here on (Thai, Chinese, Japanese, Korean) write words without spaces.
_UNSPACED = "\u0e00"

# Characters of "about 3 months ago", and signs that stand around it.
_LONGEST_AGE = 40
_AROUND = " \t|·•,()-–—"
# Any moment from which ages can be counted back.
_SOME_DAY = datetime(2020, 6, 15, tzinfo=UTC)
_REMEMBERED = 4096


class _Span(NamedTuple):
    """How far back something lies, in one unit."""

    unit: str
    amount: int


class _Hit(NamedTuple):
    """Where a date begins and ends, how far back it lies, and the language."""

    start: int
    end: int
    spans: tuple[_Span, ...]
    language: str


class _Phrase(NamedTuple):
    """Words that say how far back something lies, such as "yesterday"."""

    text: str
    span: _Span
    language: str


@dataclass(frozen=True, slots=True)
class _Template:
    """What stands before and behind the number, the unit it counts, and the language."""

    before: str
    after: str
    unit: str
    language: str


@dataclass(frozen=True, slots=True)
class _Tables:
    """Templates by the first characters behind the number, whole phrases by their first word."""

    templates: dict[str, list[_Template]]
    phrases: dict[str, list[_Phrase]]
    numbers: Mapping[str, int]

    def amount(self, word: str) -> int | None:
        """The number that a word is, in digits or in letters; None where it is none such."""
        if word.isdecimal():
            return int(word) if len(word) <= _MOST_DIGITS else None
        return self.numbers.get(word)


@cache
def _tables() -> _Tables:
    """The tables, built at the first call; the longest entries come first, as they say most."""
    templates: defaultdict[str, list[_Template]] = defaultdict(list)
    phrases: defaultdict[str, list[_Phrase]] = defaultdict(list)
    for language, table in raw_table()["languages"].items():
        for before, after, unit in table["past"]:
            templates[after[:_INDEXED]].append(_Template(before, after, unit, language))
        for text, (unit, amount) in table["phrases"].items():
            word = _SPACED.match(text)
            phrases[word[0] if word else text].append(_Phrase(text, _Span(unit, amount), language))
    for group in templates.values():
        group.sort(key=lambda template: -len(template.after + template.before))
    for alike in phrases.values():
        alike.sort(key=lambda phrase: -len(phrase.text))
    numbers = raw_table()["numbers"] | dict.fromkeys(fold(_ONES).split(), 1)
    return _Tables(dict(templates), dict(phrases), numbers)


def relative_dates(text: str, languages: Sequence[str], captured: datetime) -> list[DateReading]:
    """Every relative date of a text, in its order."""
    folded = fold(text)
    bases = base_languages(languages)
    return list(_found(text, folded, bases, captured))


@lru_cache(maxsize=_REMEMBERED)
def is_age(text: str) -> bool:
    """Whether a text is nothing but how long ago something was; in a sentence it may be told of
    anything.
    """
    age = text.strip(_AROUND)
    rough = _ROUGH_FIRST.match(age)
    age = age[rough.end() :] if rough else age
    found = relative_dates(age, (), _SOME_DAY) if len(age) <= _LONGEST_AGE else []
    return any((reading.start, reading.end) == (0, len(age)) for reading in found)


def _found(text: str, folded: str, bases: Sequence[str], captured: datetime) -> Iterator[DateReading]:
    tables = _tables()
    done = 0
    for match in _SPACED.finditer(folded):
        word = match[0]
        if match.start() < done:
            continue
        hit = None
        amount = tables.amount(word)
        if amount is not None:
            hit = _counted(folded, match, amount, bases, tables)
        elif word in tables.phrases:
            hit = _phrase(folded, match, bases, tables)
        if hit is None:
            continue
        moment = _moment(text[hit.start : hit.end], hit.spans, captured)
        if moment is not None:
            done = hit.end
            languages = (hit.language,)
            yield DateReading(moment, RELATIVE, hit.start, hit.end, hit.language, languages)


def _counted(
    folded: str,
    match: re.Match[str],
    amount: int,
    bases: Sequence[str],
    tables: _Tables,
) -> _Hit | None:
    """The date that counts back from now with this number, by the template that says most."""
    gap = _GAP.match(folded, match.end())
    place = gap.end() if gap else match.end()
    candidates = tables.templates.get(folded[place : place + _INDEXED], [])
    head, fitting = _fitting(folded, match.start(), place, candidates)
    if not fitting:
        return None
    best = next((template for template in fitting if template.language in bases), fitting[0])
    span = _Span(best.unit, amount)
    if best.before:
        start = len(head) - len(best.before)
    else:
        start = match.start()
        chained = _chained(folded, start, best, span, tables)
        if chained is not None:
            return chained
    return _Hit(start, place + len(best.after), (span,), best.language)


def _fitting(folded: str, start: int, place: int, candidates: Sequence[_Template]) -> tuple[str, list[_Template]]:
    """The templates that fit around a number, and the text before it, without words that make it a
    rough one.
    """
    if not candidates:
        return "", []
    head = folded[:start].rstrip()
    fitting = [template for template in candidates if _fits(folded, head, place, template)]
    rough = _ROUGHLY.search(head, max(0, len(head) - _ROUGH_REACH))
    if fitting or rough is None:
        return head, fitting
    head = head[: rough.start()]
    return head, [template for template in candidates if _fits(folded, head, place, template)]


def _fits(folded: str, head: str, place: int, template: _Template) -> bool:
    """Whether the words of a template stand before and behind a number, and are no part of others.

    `head` is the text before the number, `place` where what is behind it begins.
    """
    after = template.after
    if not after or not folded.startswith(after, place):
        return False
    end = place + len(after)
    if after[-1] < _UNSPACED and folded[end : end + 1].isalpha():
        return False
    before = template.before
    if not before:
        return True
    if not head.endswith(before):
        return False
    start = len(head) - len(before)
    return start == 0 or before[0] >= _UNSPACED or not head[start - 1].isalnum()


def _chained(
    folded: str,
    start: int,
    template: _Template,
    span: _Span,
    tables: _Tables,
) -> _Hit | None:
    """ "2 years, 3 weeks ago": both count, the larger unit stands first."""
    match = _CHAIN.search(folded, max(0, start - _CHAIN_REACH), start)
    if match is None:
        return None
    amount = tables.amount(match[1])
    if amount is None:
        return None
    for other in tables.templates.get(match[2][:_INDEXED], []):
        if other.language == template.language and other.after.split(" ")[0] == match[2]:
            end = folded.index(template.after, start) + len(template.after)
            return _Hit(match.start(), end, (_Span(other.unit, amount), span), template.language)
    return None


def _phrase(
    folded: str,
    match: re.Match[str],
    bases: Sequence[str],
    tables: _Tables,
) -> _Hit | None:
    """The longest phrase that begins with a word, one in a language of the blog first."""
    start = match.start()
    best: _Hit | None = None
    for phrase in tables.phrases[match[0]]:
        end = start + len(phrase.text)
        if not folded.startswith(phrase.text, start) or folded[end : end + 1].isalpha():
            continue
        if best is None or (phrase.language in bases and best.language not in bases):
            best = _Hit(start, end, (phrase.span,), phrase.language)
    if best is None or best.language in bases:
        return best
    # Short words of one language are everyday words of another: Hungarian "ma", Swahili "leo".
    is_short = best.end - best.start < _SHORT_PHRASE or folded[best.start : best.end] in _NAMES_ELSEWHERE
    return None if is_short and folded[start] < _UNSPACED else best


def _moment(raw: str, spans: Sequence[_Span], captured: datetime) -> Moment | None:
    """The moment that lies so far back from the capture, as precise as the units are."""
    moment: datetime | None = captured
    for span in spans:
        moment = _back(moment, span) if moment else None
    if moment is None or moment.year < FIRST_YEAR:
        return None
    precisions = _PRECISION if len(spans) == 1 else _CHAIN_PRECISION
    precision = precisions[spans[-1].unit]
    zone = moment.strftime("%z")
    stamp = moment.strftime("%Y-%m-%dT%H:%M")
    if zone:
        stamp += f"{zone[:3]}:{zone[3:5]}"
    return Moment(stamp[: _ISO_LENGTH.get(precision)], precision, raw)


def _back(moment: datetime, span: _Span) -> datetime | None:
    """A moment so much earlier; the 31st of a shorter month is its last day."""
    if span.unit not in ("year", "month"):
        return moment - timedelta(**{f"{span.unit}s": span.amount})
    months = span.amount * (_MONTHS if span.unit == "year" else 1)
    year, month = divmod(moment.year * _MONTHS + moment.month - 1 - months, _MONTHS)
    if year < FIRST_YEAR:
        return None
    _weekday, last = calendar.monthrange(year, month + 1)
    return moment.replace(year=year, month=month + 1, day=min(moment.day, last))
