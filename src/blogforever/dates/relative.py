"""Dates told from the moment of the capture: "3 hours ago", "vor 3 Tagen", "yesterday"."""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache

from blogforever.dates.fold import LETTER, fold
from blogforever.dates.names import base_languages, raw_table
from blogforever.dates.written import Reading
from blogforever.model import Moment, Precision

RELATIVE = "relative"
_ONES = (
    "a an one ein eine einem einer einen un une una uno um uma en ett et een egy bir jeden jedne jednu jedna един една "
    "один одну одна ένα έναν μια yksi o um unha bat satu setahun"
)
_PRECISION: dict[str, Precision] = {
    "year": "year", "month": "month", "week": "day", "day": "day", "hour": "minute", "minute": "minute",
    "second": "minute",
}  # fmt: skip
_CHAIN_PRECISION: dict[str, Precision] = _PRECISION | {"week": "month", "hour": "day"}
"""By the smaller of two units: what is less than it was cut off."""
_Span = tuple[str, int]
_Hit = tuple[int, int, tuple[_Span, ...], str]
"""Where a date begins and ends, how far back it lies, and the language."""
_SPACED = re.compile(rf"{LETTER}+|\d+")
_GAP = re.compile(r"[ \u200b]{0,3}")
_CHAIN = re.compile(rf"(\d{{1,3}}|{LETTER}{{1,5}}) ({LETTER}{{1,10}}),? (?:{LETTER}{{1,3}} )?$")
_UNSPACED = "\u0e00"


@dataclass(frozen=True, slots=True)
class _Template:
    """What stands before and behind the number, the unit it counts, and the language."""

    before: str
    after: str
    unit: str
    language: str


@dataclass(frozen=True, slots=True)
class _Tables:
    """Templates by the first two characters behind the number, whole phrases by their first word."""

    templates: dict[str, list[_Template]]
    phrases: dict[str, list[tuple[str, str, int, str]]]
    ones: frozenset[str]


@cache
def _tables() -> _Tables:
    templates: dict[str, list[_Template]] = {}
    phrases: dict[str, list[tuple[str, str, int, str]]] = {}
    for language, table in raw_table()["languages"].items():
        for before, after, unit in table["past"]:
            templates.setdefault(after[:2], []).append(_Template(before, after, unit, language))
        for text, (unit, amount) in table["phrases"].items():
            word = _SPACED.match(text)
            phrases.setdefault(word[0] if word else text, []).append((text, unit, amount, language))
    for group in templates.values():
        group.sort(key=lambda item: -len(item.after + item.before))
    for phrase in phrases.values():
        phrase.sort(key=lambda item: -len(item[0]))
    return _Tables(templates, phrases, frozenset(fold(_ONES).split()))


def relative_dates(text: str, languages: Sequence[str], captured: datetime) -> list[Reading]:
    """Every relative date of a text, in its order."""
    folded = fold(text)
    bases = base_languages(languages)
    return list(_found(text, folded, bases, captured))


def _found(text: str, folded: str, bases: Sequence[str], captured: datetime) -> Iterator[Reading]:
    tables, done = _tables(), 0
    for match in _SPACED.finditer(folded):
        word = match[0]
        if match.start() < done:
            continue
        hit = None
        if word.isdigit() or word in tables.ones:
            hit = _counted(folded, match, bases, tables)
        elif word in tables.phrases:
            hit = _phrase(folded, match.start(), bases, tables)
        if hit is not None:
            start, end, spans, language = hit
            moment = _moment(text[start:end], spans, captured)
            if moment is not None:
                done = end
                yield Reading(moment, RELATIVE, start, end, language, (language,))


def _counted(folded: str, match: re.Match[str], bases: Sequence[str], tables: _Tables) -> _Hit | None:
    if len(match[0]) > 3 and match[0].isdigit():
        return None
    gap = _GAP.match(folded, match.end())
    place = gap.end() if gap else match.end()
    candidates = tables.templates.get(folded[place : place + 2], [])
    hits = [item for item in candidates if _fits(folded, match.start(), place, item)]
    if not hits:
        return None
    best = next((item for item in hits if item.language in bases), hits[0])
    start = match.start() - (len(folded[: match.start()]) - len(folded[: match.start()].rstrip()))
    start = start - len(best.before) if best.before else match.start()
    amount = int(match[0]) if match[0].isdigit() else 1
    end = place + len(best.after)
    span = (best.unit, amount)
    return _chained(folded, start, best, span, tables) or (start, end, (span,), best.language)


def _fits(folded: str, start: int, place: int, item: _Template) -> bool:
    end = place + len(item.after)
    if not folded.startswith(item.after, place) or not item.after:
        return False
    if item.after[-1] < _UNSPACED and folded[end : end + 1].isalpha():
        return False
    if not item.before:
        return True
    head = folded[:start].rstrip()
    place = len(head) - len(item.before)
    return head.endswith(item.before) and (place == 0 or item.before[0] >= _UNSPACED or not head[place - 1].isalnum())


def _chained(folded: str, start: int, item: _Template, span: _Span, tables: _Tables) -> _Hit | None:
    """ "2 years, 3 weeks ago": both count, the larger unit stands first."""
    if item.before:
        return None
    match = _CHAIN.search(folded, max(0, start - 24), start)
    if match is None or not (match[1].isdigit() or match[1] in tables.ones):
        return None
    for other in tables.templates.get(match[2][:2], []):
        if other.language == item.language and other.after.split(" ")[0] == match[2]:
            end = start + len(folded[start:].split(item.after, maxsplit=1)[0]) + len(item.after)
            amount = int(match[1]) if match[1].isdigit() else 1
            return match.start(), end, ((other.unit, amount), span), item.language
    return None


def _phrase(folded: str, start: int, bases: Sequence[str], tables: _Tables) -> _Hit | None:
    word = _SPACED.match(folded, start)
    best: _Hit | None = None
    for phrase, unit, amount, language in tables.phrases[word[0] if word else ""]:
        end = start + len(phrase)
        whole = folded.startswith(phrase, start) and not folded[end : end + 1].isalpha()
        if whole and (best is None or (language in bases and best[3] not in bases)):
            best = (start, end, ((unit, amount),), language)
    # Short words of one language are everyday words of another: Hungarian "ma", Swahili "leo".
    if best is not None and best[1] - best[0] < 4 and folded[start] < _UNSPACED and best[3] not in bases:
        return None
    return best


def _moment(raw: str, spans: Sequence[_Span], captured: datetime) -> Moment | None:
    moment: datetime | None = captured
    for unit, amount in spans:
        moment = _back(moment, unit, amount) if moment else None
    if moment is None or moment.year < 1990:
        return None
    precision = _PRECISION[spans[0][0]] if len(spans) == 1 else _CHAIN_PRECISION[spans[-1][0]]
    zone = moment.strftime("%z")
    stamp = moment.strftime("%Y-%m-%dT%H:%M") + (f"{zone[:3]}:{zone[3:5]}" if zone else "")
    size = {"year": 4, "month": 7, "day": 10}.get(precision, len(stamp))
    return Moment(stamp[:size], precision, raw)


def _back(captured: datetime, unit: str, amount: int) -> datetime | None:
    if unit in ("year", "month"):
        months = captured.year * 12 + captured.month - 1 - amount * (12 if unit == "year" else 1)
        year, month = divmod(months, 12)
        if year < 1990:
            return None
        last = calendar.monthrange(year, month + 1)[1]
        return captured.replace(year=year, month=month + 1, day=min(captured.day, last))
    return captured - timedelta(**{f"{unit}s": amount})
