"""When the article was published and changed, as the page shows it near the article or in its address."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from blogforever.dates import find_dates, parse_machine_date
from blogforever.extract.byline import BylinePlace, distance, near_lines, within
from blogforever.extract.layout import Layout
from blogforever.model import Moment

_MODIFIED = re.compile(
    r"\b(?:updated|modified|last (?:edit|change)|mise? à jour|aktualisiert|geändert|actualizad|modificat|aggiornat)"
    r"|изменен|更新|修改",
    re.IGNORECASE,
)
_STAMPS = ("datetime", "content", "title", "data-datetime", "data-time")
_NEAR = 60
_FAR = 400
_MOST_LINES = 500


@dataclass(frozen=True, slots=True)
class Dated:
    """A date the page gives for its article."""

    field: Literal["published", "modified"]
    moment: Moment
    rule: str
    confidence: float


def page_dates(
    page: Layout, place: BylinePlace, foreign: Sequence[bool], languages: Sequence[str], captured: datetime | None
) -> list[Dated]:
    """Dates in mark-up and in writing near the article, the likeliest first."""
    found = [*_stamped(page, place, foreign), *_written(page, place, foreign, languages, captured)]
    return sorted(found, key=lambda d: -d.confidence)


def _stamped(page: Layout, place: BylinePlace, foreign: Sequence[bool]) -> Iterator[Dated]:
    for i, node in enumerate(page.nodes):
        if foreign[i]:
            continue
        attributes = node.attributes
        is_time = page.tags[i] == "time"
        names = f"{attributes.get('class') or ''} {attributes.get('itemprop') or ''}".lower()
        marked = "publish" in names or "updated" in names or "datecreated" in names or "datemodified" in names
        if not is_time and not marked:
            continue
        stamp = next((attributes[name] for name in _STAMPS if attributes.get(name)), None)
        moment = parse_machine_date(stamp) if stamp else None
        if moment is not None:
            changed = ("updated" in names or "modified" in names) and "publish" not in names
            confidence = (0.9 if marked else 0.8) * _nearness(page, place, i)
            yield Dated("modified" if changed else "published", moment, _rule(page.tags[i], names), confidence)


def _rule(tag: str, names: str) -> str:
    return f"{tag}[datetime]" if tag == "time" else f"{tag}.{names.split(maxsplit=1)[0]}"


def _nearness(page: Layout, place: BylinePlace, i: int) -> float:
    gap = distance(page, place, i)
    return 1.0 - 0.2 * gap / _NEAR if gap <= _NEAR else 0.5 if gap <= _FAR else 0.2


def _written(
    page: Layout, place: BylinePlace, foreign: Sequence[bool], languages: Sequence[str], captured: datetime | None
) -> Iterator[Dated]:
    lines = [*([place.heading] if place.heading is not None else []), *near_lines(page, place, foreign)]
    for i in lines[:_MOST_LINES]:
        text = page.text(i)
        found = find_dates(text, languages, captured)
        if not found:
            continue
        first = found[0]
        field: Literal["published", "modified"] = "modified" if _MODIFIED.search(text[: first.start]) else "published"
        share = (first.end - first.start) / max(1, len(text))
        confidence = (0.6 + 0.25 * share) * _nearness(page, place, i) * (0.5 if within(page, place, i) else 1.0)
        yield Dated(field, first.moment, "text near the heading", confidence)
