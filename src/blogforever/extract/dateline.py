"""When the article was published and changed, as the page shows it near the article."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from blogforever.dates import MACHINE_ATTRIBUTES, find_dates, parse_machine_date
from blogforever.extract.byline import BylinePlace, distance, near_lines, within
from blogforever.model import Moment
from blogforever.page.view import PageView

_MODIFIED = re.compile(
    r"\b(?:updated|modified|edited|last (?:edit|change)|mise? à jour|modifié|aktualisiert|geändert|bearbeitet|"
    r"actualizad|editad|modificad|modificat|aggiornat|bijgewerkt|gewijzigd|uppdatera|opdatere|oppdater|päivitet|zaktualizowan|"
    r"güncellen|diperbarui)|изменен|обновлен|更新|修改|编辑于|編集|수정",
    re.IGNORECASE,
)
_CHANGE_NAMES = ("updated", "modified")
_DATE_NAMES = ("publish", "updated", "datecreated", "datemodified")

# Words between a date and the article: up to here it is the article's, up to there perhaps.
_NEAR = 60
_FAR = 400
_MOST_LINES = 500

# How sure a date is: one that says what it is the date of, any time element, a date in words; the
# more of its line a date is, the less is it a part of a sentence.
_NAMED_STAMP, _STAMP = 0.9, 0.8
_WORDS, _WHOLE_LINE = 0.6, 0.25
# How much less sure further from the article, and inside its own text.
_NEAR_LOSS = 0.2
_IN_REACH, _OUT_OF_REACH = 0.5, 0.2
_IN_TEXT = 0.5

DateField = Literal["published", "modified"]


@dataclass(frozen=True, slots=True)
class Dated:
    """A date the page gives for its article."""

    field: DateField
    moment: Moment
    rule: str
    confidence: float


def page_dates(
    page: PageView,
    place: BylinePlace,
    foreign: Sequence[bool],
    languages: Sequence[str],
    captured: datetime | None,
) -> list[Dated]:
    """Dates in mark-up and in writing near the article, the likeliest first."""
    found = [*_stamped(page, place, foreign), *_written(page, place, foreign, languages, captured)]
    return sorted(found, key=lambda d: -d.confidence)


def speaks_of_change(label: str) -> bool:
    """Whether words before a date say that it is the day of an edit."""
    return _MODIFIED.search(label) is not None


def names_change(names: str) -> bool:
    """Whether class names or properties say that an element holds the day of an edit."""
    return _field(names.lower()) == "modified"


def _stamped(page: PageView, place: BylinePlace, foreign: Sequence[bool]) -> Iterator[Dated]:
    """Dates written for machines: in time elements, and in what is named as a date."""
    for i, is_foreign in enumerate(foreign):
        if is_foreign:
            continue
        attributes = page.attributes(i)
        names = f"{attributes.get('class') or ''} {attributes.get('itemprop') or ''}".lower()
        is_named = any(word in names for word in _DATE_NAMES)
        if not is_named and page.tags[i] != "time":
            continue
        moment = _stamp(attributes)
        if moment is not None:
            confidence = _NAMED_STAMP if is_named else _STAMP
            rule = _rule(page.tags[i], names)
            yield Dated(_field(names), moment, rule, confidence * _nearness(page, place, i))


def _stamp(attributes: Mapping[str, str | None]) -> Moment | None:
    """The date in the first of the attributes that have one for machines."""
    stamps = filter(None, (attributes.get(name) for name in MACHINE_ATTRIBUTES))
    return next(filter(None, map(parse_machine_date, stamps)), None)


def _field(names: str) -> DateField:
    if "publish" in names:
        return "published"
    is_change = any(word in names for word in _CHANGE_NAMES)
    return "modified" if is_change else "published"


def _rule(tag: str, names: str) -> str:
    return f"{tag}[datetime]" if tag == "time" else f"{tag}.{names.split(maxsplit=1)[0]}"


def _nearness(page: PageView, place: BylinePlace, i: int) -> float:
    """How much an element's place leaves of its sureness."""
    gap = distance(page, place, i)
    if gap <= _NEAR:
        return 1.0 - _NEAR_LOSS * gap / _NEAR
    return _IN_REACH if gap <= _FAR else _OUT_OF_REACH


def _written(
    page: PageView,
    place: BylinePlace,
    foreign: Sequence[bool],
    languages: Sequence[str],
    captured: datetime | None,
) -> Iterator[Dated]:
    """Dates in words: in the heading, and in the lines around the article."""
    heading = [place.heading] if place.heading is not None else []
    lines = [*heading, *near_lines(page, place, foreign)]
    for i in lines[:_MOST_LINES]:
        text = page.line(i)
        found = find_dates(text, languages, captured)
        if not found:
            continue
        first = found[0]
        is_change = speaks_of_change(text[: first.start])
        share = (first.end - first.start) / max(1, len(text))
        confidence = (_WORDS + _WHOLE_LINE * share) * _nearness(page, place, i)
        if within(page, place, i):
            confidence *= _IN_TEXT
        field: DateField = "modified" if is_change else "published"
        yield Dated(field, first.moment, "text near the heading", confidence)
