"""A second opinion on a page's article, from trafilatura."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from html import escape, unescape
from typing import Any

from blogforever.dates import address_date, parse_machine_date
from blogforever.dom import bounded, with_few_marks
from blogforever.extract.headline import title_key
from blogforever.extract.metadata import TRAFILATURA, Fields
from blogforever.extract.names import clean_name, is_placeholder
from blogforever.model import Author, Moment
from blogforever.urls import host_of

# Its cost grows with the square of the page.
_MAX_CHARACTERS = 1_000_000
_MAX_TAGS = 20_000
# Marks written as numbers are as slow to sort; fewer are not worth a look.
_LONG_REFERENCES = re.compile(r"(?:&#[0-9a-fA-Fx]{1,8};){200,}")
# What it writes between the names of several authors, and how many of them are read: nobody writes
# with more.
_BETWEEN_AUTHORS, _MOST_AUTHORS = ";", 20

# How sure a second opinion is: less than what the page says of itself, for it may guess.
_TITLE = 0.45
_DATE = 0.5
_AUTHOR = 0.35
_AS_WRITTEN = {
    "output_format": "html",
    "fast": True,
    "include_links": True,
    "include_images": True,
    "include_formatting": True,
}


def trafilatura_body(html: str, url: str) -> str:
    """The article as trafilatura sees it, in HTML; empty where it fails."""
    return _opinion("extract", html, url=url, include_comments=False, **_AS_WRITTEN) or ""


def trafilatura_fields(html: str, url: str, sites: Sequence[str]) -> Fields:
    """Title, author and date as trafilatura sees them; nothing where it fails."""
    fields = Fields(url, "generic")
    metadata = _opinion("extract_metadata", html, default_url=url)
    if metadata is None:
        return fields
    fields.offer("title", _told(metadata, "title"), TRAFILATURA, _TITLE)
    moment = parse_machine_date(_told(metadata, "date"))
    if moment is not None and not _guessed(moment, url) and not _made_of_year(moment, html):
        fields.put("published", _as_written(moment, html), TRAFILATURA, _DATE)
    people = _people(_told(metadata, "author"), [*sites, host_of(url)])
    if people:
        fields.put("authors", people, TRAFILATURA, _AUTHOR)
    return fields


def _told(metadata: object, name: str) -> str:
    """What it says of one of the fields; it hands on lists and objects of JSON-LD as they are, which say nothing."""
    value = getattr(metadata, name, None)
    return value if isinstance(value, str) else ""


def _people(told: str, sites: Sequence[str]) -> tuple[Author, ...]:
    """The authors it names, one by one; without the site or its host, which it takes for one where they are linked."""
    names = dict.fromkeys(map(clean_name, told.split(_BETWEEN_AUTHORS, _MOST_AUTHORS)[:_MOST_AUTHORS]))
    return tuple(Author(name) for name in names if name and not is_placeholder(name) and not _is_site(name, sites))


def _with_few_marks(html: str) -> str:
    """Runs of combining marks cut, those written as numbers, too: it normalises what it finds."""
    return with_few_marks(_LONG_REFERENCES.sub(lambda run: escape(unescape(run[0])), html))


def _is_site(name: str, sites: Sequence[str]) -> bool:
    return title_key(name) in map(title_key, sites)


def _guessed(moment: Moment, url: str) -> bool:
    """Whether it took the month in the address and filled in a day.

    That is the day of today, which the page knows nothing of.
    """
    told = address_date(url)
    if told is None or told.precision != "month":
        return False
    return moment.iso[:7] == told.iso[:7]


def _as_written(moment: Moment, html: str) -> Moment:
    """The moment with the numbers that it was read from, where the page shows them: which of them is the day is its
    guess, and other pages may tell.
    """
    if moment.precision in ("year", "month"):
        return moment
    year, month, day = moment.iso[:10].split("-")
    numbers = rf"0?{int(day)}(?P<sign>[/.-])0?{int(month)}(?P=sign){year}"
    written = re.search(rf"(?<!\d){numbers}(?!\d)", html)
    return replace(moment, raw=written[0]) if written else moment


def _made_of_year(moment: Moment, html: str) -> bool:
    """Whether it took a year, as that of a copyright, for its first day: the page says no such day."""
    year, _, day = moment.iso[:10].partition("-")
    if day != "01-01":
        return False
    return re.search(rf"(?<!\d)0?1\D{{1,24}}{year}|{year}\D{{1,3}}0?1\D{{1,3}}0?1(?!\d)", html) is None


def _opinion(question: str, html: str, **how: Any) -> Any:
    """What one of its functions says of a page; nothing of a huge one, and where it fails."""
    if len(html) > _MAX_CHARACTERS or html.count("<") > _MAX_TAGS:
        return None
    import trafilatura  # noqa: PLC0415  costs most of a second to import

    try:
        return getattr(trafilatura, question)(bounded(_with_few_marks(html)), **how)
    except Exception:
        # Hostile pages make lxml, htmldate and trafilatura itself raise almost anything; then it
        # has no opinion.
        return None
