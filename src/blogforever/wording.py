"""Words for people, wherever they read: dates, counts, sizes, text that commands nothing."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import timedelta

from blogforever.model import Said

WEEKDAYS = ("Mondays", "Tuesdays", "Wednesdays", "Thursdays", "Fridays", "Saturdays", "Sundays")
UNITS = (
    (timedelta(days=1), "day"),
    (timedelta(hours=1), "h"),
    (timedelta(minutes=1), "min"),
    (timedelta(seconds=1), "s"),
)
MONTHS = "January February March April May June July August September October November December".split()
# What a terminal would obey instead of print: control characters and those that turn the direction
# of writing.
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
# Characters that XML 1.0 cannot hold, not even escaped.
NOT_XML = dict.fromkeys([*range(9), 11, 12, *range(14, 32), 0xFFFE, 0xFFFF, *range(0xD800, 0xE000)])
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


SHORTEST_PART = 3
"""Letters of a part of a name that mean the whole of it."""
MOST_NAMES = 3
"""Of those that somebody may have meant: more are not read."""


def close_names(typed: str, names: Iterable[str], most: int = MOST_NAMES) -> list[str]:
    """The names that are spelled nearly so."""
    from difflib import get_close_matches  # noqa: PLC0415  only who has mistyped something needs it

    spelled = {name.casefold(): name for name in names}
    return [spelled[name] for name in get_close_matches(typed.casefold().strip(), spelled, most)]


def did_you_mean(typed: str, names: Iterable[str], most: int = MOST_NAMES) -> str:
    """The end of a sentence about a name that is none: those that it may have been; empty where it is like none."""
    there, part = list(names), typed.casefold().strip()
    near = close_names(typed, there, most)
    if not near and len(part) >= SHORTEST_PART:
        near = [name for name in dict.fromkeys(there) if part in name.casefold()][:most]
    return f"; did you mean {' or '.join(near)}?" if near else ""


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


def N_(text: str) -> str:
    """Words that are said in another language later: marks them for the catalogues."""
    return text


def say(text: str, **values: str | float) -> Said:
    """A sentence with what stands in its {places}. All of them are collected for translators by this name."""
    return Said(text, tuple(values.items()))


def in_english(sentences: Iterable[Said]) -> str:
    """Some sentences as one text, as they are written."""
    return "; ".join(_filled(one) for one in sentences)


def _filled(said: Said) -> str:
    return said.text.format(**{name: _english_value(name, value) for name, value in said.values})


def _english_value(name: str, value: str | float) -> str:
    if name == "time":
        return length(timedelta(seconds=float(value)))
    if name == "weekdays":
        return " and ".join(WEEKDAYS[int(day)] for day in str(value).split(","))
    return str(as_counted(value))


def as_counted(value: str | float) -> str | float:
    """A value of a sentence as it was said: whole numbers come back from JSON as 5.0."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def length(time: timedelta) -> str:
    """A length of time in its largest unit, with one digit
    after the point where it has one: "1.5 h", "30 days".
    """
    unit, name = next((pair for pair in UNITS if time >= pair[0]), UNITS[-1])
    count = f"{time / unit:.1f}".removesuffix(".0")
    return f"{count} {name}{'s' if name == 'day' and count != '1' else ''}"
