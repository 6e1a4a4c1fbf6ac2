"""When the article was published and changed, as the page shows it near the article."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Literal

from blogforever.dates import MACHINE_ATTRIBUTES, DateReading, find_dates, parse_machine_date
from blogforever.dom import tokenise
from blogforever.extract.byline import BylinePlace, distance, near_lines, within
from blogforever.extract.signing import are_signing, outside_dates
from blogforever.model import Moment
from blogforever.page.view import PageView

_MODIFIED = re.compile(
    r"\b(?:updated|modified|edited|last (?:edit|change)|mise? à jour|modifié|aktualisiert|geändert|bearbeitet|"
    r"actualizad|editad|modificad|modificat|aggiornat|bijgewerkt|gewijzigd|uppdatera|opdatere|oppdater|päivitet|zaktualizowan|"
    r"güncellen|diperbarui)|изменен|обновлен|更新|修改|编辑于|編集|수정",
    re.IGNORECASE,
)
_CHANGE_NAMES = ("updated", "modified")
_DATE_NAMES = ("publish", "updated", "datecreated", "datemodified", "dc:created", "dcterms:created")
_NAMING = ("class", "itemprop", "property")

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

# Rows of lists and tables, elements up to one, and those beside it that are looked at.
_ROWS = frozenset(("li", "tr"))
_ROW_LEVELS, _MOST_ROWS = 3, 5
# Elements around a date up to a link that it stands in, and characters of what such a link says:
# cards of other posts have a title and a summary.
_LINK_LEVELS, _LONGEST_LINK = 6, 1000
# Elements around a date up to the article element that it stands in.
_ARTICLE_LEVELS = 6
# Elements around a date up to the card that it stands in, and words of a card.
_CARD_LEVELS, _LONGEST_CARD = 4, 150
# Links remembered: each may hold many dates, and is read once.
_REMEMBERED = 256

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
        if is_foreign or not (attributes := page.attributes(i)):
            continue
        names = " ".join(attributes.get(naming) or "" for naming in _NAMING).lower()
        is_named = any(word in names for word in _DATE_NAMES)
        if not is_named and page.tags[i] != "time":
            continue
        moment = _stamp(attributes)
        if moment is not None:
            confidence = _NAMED_STAMP if is_named else _STAMP
            rule = _rule(page.tags[i], names)
            if _is_of_others(page, place, i):
                confidence *= _OUT_OF_REACH
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
        share = _nearness(page, place, i)
        if within(page, place, i):
            share *= _IN_TEXT
        if _is_of_others(page, place, i):
            share *= _OUT_OF_REACH
        for field, date in _told_apart(text, found):
            confidence = _WORDS + _WHOLE_LINE * (date.end - date.start) / max(1, len(text))
            yield Dated(field, date.moment, "text near the heading", confidence * share)


def _told_apart(text: str, found: Sequence[DateReading]) -> Iterator[tuple[DateField, DateReading]]:
    """The first day of a line, and where that is the day of an edit the first that is not."""
    at = 0
    for date in found:
        is_change = speaks_of_change(text[at : date.start])
        yield "modified" if is_change else "published", date
        if not is_change:
            return
        at = date.end


def _is_of_others(page: PageView, place: BylinePlace, i: int) -> bool:
    """Whether a date is shown with other posts: as a row of their list, in what links to one, or in their element."""
    is_shown_so = _is_in_list(page, i) or _is_in_card(page, place, i) or _is_in_row_of_cards(page, place, i)
    return is_shown_so or _is_in_other_article(page, place, i)


def _is_in_other_article(page: PageView, place: BylinePlace, i: int) -> bool:
    """Whether the nearest article element around a date holds neither the heading nor the text."""
    if place.words is None:
        return False
    nearest = next((j for j in page.around(i, _ARTICLE_LEVELS) if page.tags[j] == "article"), None)
    return nearest is not None and not _is_around_article(page, place, nearest)


def _is_in_card(page: PageView, place: BylinePlace, i: int) -> bool:
    """Whether a date stands in a link that says more than when: the title of where it leads.

    A link around the article's own heading leads to the article.
    """
    link = next((j for j in (i, *page.around(i, _LINK_LEVELS)) if page.tags[j] == "a"), None)
    is_own = link is not None and place.heading is not None and page.inside(place.heading, link)
    return link is not None and not is_own and _says_more_than_when(page.line(link)[:_LONGEST_LINK])


def _is_in_row_of_cards(page: PageView, place: BylinePlace, i: int) -> bool:
    """Whether a date stands in one of several boxes of one name that each have a date, and a link
    beside it that says more than when: the title of another post. What holds the heading or the
    article is no such box.
    """
    for box in page.around(i, _CARD_LEVELS):
        if _is_around_article(page, place, box) or page.count(box) > _LONGEST_CARD:
            return False
        if page.attribute(box, "class") and _has_title(page, box) and any(map(page.links, _twins(page, box))):
            return True
    return False


def _is_around_article(page: PageView, place: BylinePlace, box: int) -> bool:
    holds_heading = place.heading is not None and page.inside(place.heading, box)
    return holds_heading or (place.words is not None and page.start[box] <= place.words[0] < page.end[box])


def _has_title(page: PageView, box: int) -> bool:
    """Whether an element has a link that says more than when."""
    links = (n for n in range(box, page.last[box]) if page.tags[n] == "a" and page.count(n))
    return any(_says_more_than_when(page.line(n)[:_LONGEST_LINK]) for n in links)


def _twins(page: PageView, box: int) -> Iterator[int]:
    """The elements right before and after one that are called as it is, and are dated."""
    kind = (page.tags[box], page.attribute(box, "class"))
    holder = page.parents[box]
    before = next((n for n in reversed(page.children(holder)) if n < box), None) if holder >= 0 else None
    after = page.last[box] if holder >= 0 and page.last[box] < page.last[holder] else None
    for twin in (before, after):
        if twin is not None and (page.tags[twin], page.attribute(twin, "class")) == kind and _is_dated(page, twin):
            yield twin


def _is_dated(page: PageView, i: int) -> bool:
    has_stamp = any(page.tags[n] == "time" for n in range(i, page.last[i]))
    return has_stamp or bool(find_dates(page.line(i)[:_LONGEST_LINK], limit=1))


@lru_cache(maxsize=_REMEMBERED)
def _says_more_than_when(line: str) -> bool:
    """Whether a line has other words than dates, numbers and those beside them ("posted on")."""
    return not are_signing(tokenise(outside_dates(line, find_dates(line))))


def _is_in_list(page: PageView, i: int) -> bool:
    """Whether a line stands in one of several rows that link elsewhere and have dates: they are of
    other posts.
    """
    row = next((j for j in (i, *page.around(i, _ROW_LEVELS)) if page.tags[j] in _ROWS), None)
    if row is None or not page.links(row):
        return False
    holder = page.parents[row]
    beside = (*_rows_from(page, holder + 1, holder), *_rows_from(page, page.last[row], holder))
    return any(j != row and page.links(j) and find_dates(page.line(j), limit=1) for j in beside)


def _rows_from(page: PageView, i: int, holder: int) -> Iterator[int]:
    """The next few rows in the same list or table."""
    for _ in range(_MOST_ROWS):
        if i >= page.last[holder]:
            return
        if page.tags[i] in _ROWS:
            yield i
        i = page.last[i]
