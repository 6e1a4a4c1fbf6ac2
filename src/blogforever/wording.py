"""Words for people, wherever they read: dates, counts, sizes, text that commands nothing."""

from __future__ import annotations

import re

MONTHS = "January February March April May June July August September October November December".split()
# What a terminal would obey instead of print: control characters and those that turn the direction
# of writing.
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
DAY_LENGTH = len("2019-07-07")
ISO = re.compile(r"(\d{4})(?:-(\d\d)(?:-(\d\d))?)?")


def year_of(iso: str | None) -> str | None:
    """The year of an ISO date."""
    found = ISO.match(iso or "")
    return found[1] if found else None


def month_of(iso: str | None) -> str | None:
    """The name of its month, where the date goes so far."""
    found = ISO.match(iso or "")
    number = int(found[2] or 0) if found else 0
    return MONTHS[number - 1] if 1 <= number <= len(MONTHS) else None


def day_of(iso: str | None) -> str:
    """2019-07-07, or as much as there is of it."""
    return (iso or "")[:DAY_LENGTH]


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


def shown_size(size: float) -> str:
    """Bytes for people: 512 bytes, 1.5 MB."""
    for unit in ("bytes", "kB", "MB", "GB"):
        if size < 1000:
            return f"{size:.0f} {unit}" if unit == "bytes" else f"{size:.1f} {unit}"
        size /= 1000
    return f"{size:.1f} TB"


def comments_heading(number: int, stated: int | None) -> str:
    """How many comments are kept, and how many the page spoke of where that is another number."""
    differs = stated is not None and stated != number
    return counted(number, "comment") + (f" (the page states {stated})" if differs else "")


def printable(text: str | None) -> str:
    """Without what a terminal would obey instead of print."""
    return CONTROL.sub("", text or "").encode("utf-8", "replace").decode()


def kept_texts(number: int) -> str:
    """What a summary says of posts whose text was not replaced, since the new one was far less."""
    who, they_have = ("post keeps its", "it has") if number == 1 else ("posts keep their", "they have")
    return f"{number:,} {who} text: read again, {they_have} none or far less, and no edit explains that."
