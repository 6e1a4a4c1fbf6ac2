"""Dates as a reader likes them: as exact as the blog was, in the blog's own zone."""

from __future__ import annotations

import re

MONTHS = "January February March April May June July August September October November December".split()
ISO = re.compile(r"(\d{4})(?:-(\d\d)(?:-(\d\d))?)?")


def year_of(iso: str | None) -> str | None:
    """The year of an ISO date."""
    found = ISO.match(iso or "")
    return found[1] if found else None


def month_of(iso: str | None) -> str | None:
    """The name of its month, where the date goes so far."""
    found = ISO.match(iso or "")
    return MONTHS[int(found[2]) - 1] if found and found[2] and 1 <= int(found[2]) <= 12 else None


def spoken(iso: str | None, otherwise: str = "no date") -> str:
    """7 July 2019, July 2019 or 2019."""
    found = ISO.match(iso or "")
    if not found:
        return otherwise
    month = month_of(iso)
    day = f"{int(found[3])} " if month and found[3] else ""
    return f"{day}{month} {found[1]}" if month else found[1]


def span(first: str | None, last: str | None) -> str:
    """The years from one date to another: 2009 – 2025."""
    years = [year for year in (year_of(first), year_of(last)) if year]
    return " – ".join(dict.fromkeys(years))


def counted(number: int, word: str, many: str | None = None) -> str:
    """1 post, 1,200 posts."""
    return f"{number:,} {word if number == 1 else many or word + 's'}"
