"""Dates written for machines: ISO 8601, RFC 822 and its descendants, and seconds since 1970."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta

from blogforever.dates.fold import fold
from blogforever.dates.names import names, zone_minutes
from blogforever.model import Moment, Precision

MACHINE_ATTRIBUTES = (
    *("datetime", "content", "title"),
    *("data-datetime", "data-date", "data-time", "data-timestamp", "data-comment-timestamp", "data-utime"),
)
"""Attributes in which elements tell machines a date that they show to people in other words."""
LAST_HOUR = 23
LAST_MINUTE = 59
LAST_SECOND = 59
LEAP_SECOND = 60
WIDEST_OFFSET = 14 * 60
"""Minutes that a zone may be off Greenwich: those of the Line Islands, no place has more."""
# Characters of a time stamp; the longest form that JavaScript writes has some 60.
_LONGEST = 80
# Time stamps before it are zeros and other defaults, not dates of posts.
_FIRST_YEAR = 1970
_MIDNIGHT = 24  # the hour in which a day may end
# Characters of ISO 8601 up to the month, and up to the second.
_TO_MONTH = 7
_TO_SECOND = 19
_FULL_YEAR_DIGITS = 4
THIS_CENTURY = 2000
LAST_CENTURY = 1900
# Years of two digits from here on are of the last century, as POSIX has it.
_FIRST_OF_LAST_CENTURY = 70
_USUAL = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|([+-]\d\d):?(\d\d))?$", re.ASCII)
_ISO = re.compile(
    r"\s*(?P<y>\d{4})-(?:(?P<m>\d{1,2})(?:-(?P<d>\d{1,2}))?|W(?P<w>\d\d)(?:-(?P<wd>[1-7]))?)"
    r"(?:(?:[Tt]|\s+|,\s)(?P<H>\d{1,2}):(?P<M>\d\d)(?::(?P<S>\d\d)(?:[.,:]\d+)?)?"
    r"\s?(?:(?P<Z>[Zz]|UTC|GMT)|(?:GMT|UTC)?(?P<sign>[+\-−])(?P<zh>\d\d)(?::?(?P<zm>\d\d))?"
    r"(?:\s(?:[A-Z]{2,5}|[+\-]\d{2,4}))?)?)?\s*$"  # Go writes the zone twice: "+0100 CET", "+0530 +0530"
)
_BASIC = re.compile(
    r"\s*(?P<y>\d{4})(?P<m>\d\d)(?P<d>\d\d)(?:T(?P<H>\d\d)(?P<M>\d\d)(?P<S>\d\d)?(?:[.,]\d+)?"
    r"(?:(?P<Z>[Zz])|(?P<sign>[+\-])(?P<zh>\d\d):?(?P<zm>\d\d)?)?)?\s*$"
)
_MAIL = re.compile(
    r"\s*(?:[^\W\d_]{2,12}\.?,?\s+)?"
    r"(?P<d>\d{1,2})[\s-]+(?P<mon>[^\W\d_]{3,12})\.?[\s-]+(?P<y>\d{4}|\d\d)"
    r"(?:,?\s+(?P<H>\d{1,2}):(?P<M>\d\d)(?::(?P<S>\d\d)(?:\.\d+)?)?"
    r"\s*(?:(?P<name>[A-Za-z]{1,5})?\s*(?:(?P<sign>[+\-])(?P<zh>\d\d):?(?P<zm>\d\d))?)"
    r"(?:\s*\([^()]{0,20}\))?)?\s*$"
)
_CTIME = re.compile(
    r"\s*[A-Za-z]{3}\s+(?P<mon>[A-Za-z]{3})\s+(?P<d>\d{1,2})\s+(?P<H>\d\d):(?P<M>\d\d):(?P<S>\d\d)"
    r"\s++(?:(?P<name>[A-Za-z]{1,5})?\s*(?:(?P<sign>[+\-])(?P<zh>\d\d):?(?P<zm>\d\d))?\s+)?"
    r"(?P<y>\d{4})"
    r"(?:\s+(?:GMT)?(?P<sign2>[+\-])(?P<zh2>\d\d):?(?P<zm2>\d\d)(?:\s*\([^()]{0,40}\))?)?\s*$"
)
_SCRIPT = re.compile(
    r"\s*[A-Za-z]{3}\s+(?P<mon>[A-Za-z]{3})\s+(?P<d>\d{1,2})\s+(?P<y>\d{4})"
    r"\s+(?P<H>\d\d):(?P<M>\d\d):(?P<S>\d\d)"
    r"\s+(?:GMT|UTC)?(?:(?P<sign>[+\-])(?P<zh>\d\d):?(?P<zm>\d\d))?(?:\s*\([^()]{0,40}\))?\s*$"
)
_UNIX = re.compile(r"\s*(\d{9,10})(\d{3})?(?:\.\d+)?\s*$")
_YEAR = re.compile(r"\s*((?:19|20)\d\d)\s*$")


def parse_machine_date(text: str) -> Moment | None:
    """The moment of an ISO 8601, RFC 822/2822, ctime or Unix time stamp; None when it is none."""
    if not text or len(text) > _LONGEST:
        return None
    return _usual(text) or _other(text)


def _usual(text: str) -> Moment | None:
    """The form nearly all pages and feeds use, kept apart because it is so frequent."""
    match = _USUAL.match(text)
    if match is None:
        return None
    zone = ""
    if match[1]:
        zone = f"{match[1]}:{match[2]}"
    elif text.endswith("Z"):
        zone = "+00:00"
    if zone == "-00:00":
        zone = "+00:00"
    iso = text[:_TO_SECOND] + zone
    try:
        year = datetime.fromisoformat(iso).year
    except ValueError:
        return None
    return Moment(iso, "second", text) if year >= _FIRST_YEAR else None


def _other(text: str) -> Moment | None:
    for pattern in (_ISO, _BASIC, _MAIL, _CTIME, _SCRIPT):
        match = pattern.match(text)
        if match:
            return _moment(match.groupdict(), text)
    return _unix(text) or _year(text)


def _unix(text: str) -> Moment | None:
    match = _UNIX.match(text)
    if match is None:
        return None
    moment = datetime.fromtimestamp(int(match[1]), UTC)
    return Moment(moment.strftime("%Y-%m-%dT%H:%M:%S+00:00"), "second", text)


def _year(text: str) -> Moment | None:
    match = _YEAR.match(text)
    return Moment(match[1], "year", text) if match else None


def _moment(parts: dict[str, str | None], text: str) -> Moment | None:
    """The moment of the parts that a pattern found, if there is such a moment."""
    day, precision = _day(parts)
    if day is None:
        return None
    if precision == "month":
        return Moment(day[:_TO_MONTH], precision, text)
    if parts.get("H") is None:
        return Moment(day, precision, text)
    clock = _clock(parts)
    if clock is None:
        return None
    if int(parts["H"] or 0) == _MIDNIGHT:
        day = (date.fromisoformat(day) + timedelta(days=1)).isoformat()
    return Moment(f"{day}T{clock}{_zone(parts)}", "second" if parts["S"] else "minute", text)


def _day(parts: dict[str, str | None]) -> tuple[str | None, Precision]:
    """The day, or the first of the month where only that is given; None where there is none."""
    year = _full_year(parts["y"] or "")
    try:
        if parts.get("w"):
            week, weekday = int(parts["w"] or 1), int(parts.get("wd") or 1)
            return date.fromisocalendar(year, week, weekday).isoformat(), "day"
        day = date(year, _month(parts), int(parts["d"] or 1))
    except ValueError:
        return None, "day"
    if year < _FIRST_YEAR:
        return None, "day"
    return day.isoformat(), "day" if parts["d"] else "month"


def _full_year(text: str) -> int:
    """A year of four digits; one of two is near the turn of the century."""
    year = int(text)
    if len(text) == _FULL_YEAR_DIGITS:
        return year
    century = THIS_CENTURY if year < _FIRST_OF_LAST_CENTURY else LAST_CENTURY
    return century + year


def _month(parts: dict[str, str | None]) -> int:
    """The number of a month in digits or in words; 0 where it is none."""
    name = parts.get("mon")
    if name is None:
        return int(parts["m"] or 0)
    meanings = names().months.get(fold(name))
    return meanings[0].number if meanings else 0


def _clock(parts: dict[str, str | None]) -> str | None:
    """The time of day as ISO 8601 has it, if there is such a time; 24:00 is 00:00."""
    hour, minute, second = (int(parts[name] or 0) for name in ("H", "M", "S"))
    if minute > LAST_MINUTE or second > LEAP_SECOND:
        return None
    if hour > LAST_HOUR and (hour, minute, second) != (_MIDNIGHT, 0, 0):
        return None
    clock = f"{hour % _MIDNIGHT:02d}:{minute:02d}"
    return f"{clock}:{min(second, LAST_SECOND):02d}" if parts["S"] else clock


def _zone(parts: dict[str, str | None]) -> str:
    """The zone as ISO 8601 has it; empty where none is given, or an impossible one."""
    # Some write ctime with a second zone behind the year.
    sign = parts.get("sign") or parts.get("sign2")
    hours = parts.get("zh") or parts.get("zh2")
    minutes = parts.get("zm") or parts.get("zm2")
    if not sign or not hours:
        name = parts.get("Z") or parts.get("name") or ""
        named = zone_minutes(name.lower())
        return "" if named is None else offset(named)
    total = int(hours) * 60 + int(minutes or 0)
    if total > WIDEST_OFFSET:
        return ""
    return offset(total if sign == "+" else -total)


def offset(minutes: int) -> str:
    """Minutes east of Greenwich as ISO 8601 has them."""
    sign = "-" if minutes < 0 else "+"
    hours, rest = divmod(abs(minutes), 60)
    return f"{sign}{hours:02d}:{rest:02d}"
