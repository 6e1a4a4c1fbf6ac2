"""Dates written for machines: ISO 8601, RFC 822 and its descendants, and seconds since 1970."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta

from blogforever.dates.fold import fold
from blogforever.dates.names import names, zone_minutes
from blogforever.model import Moment, Precision

_LONGEST = 80
_FIRST_YEAR = 1970
_USUAL = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|([+-]\d\d):?(\d\d))?$", re.ASCII)
_ISO = re.compile(
    r"\s*(?P<y>\d{4})-(?:(?P<m>\d{1,2})(?:-(?P<d>\d{1,2}))?|W(?P<w>\d\d)(?:-(?P<wd>[1-7]))?)"
    r"(?:(?:[Tt]|\s+|,\s)(?P<H>\d{1,2}):(?P<M>\d\d)(?::(?P<S>\d\d)(?:[.,:]\d+)?)?"
    r"\s?(?:(?P<Z>[Zz]|UTC|GMT)|(?:GMT|UTC)?(?P<sign>[+\-−])(?P<zh>\d\d)(?::?(?P<zm>\d\d))?)?)?\s*$"
)
_BASIC = re.compile(
    r"\s*(?P<y>\d{4})(?P<m>\d\d)(?P<d>\d\d)(?:T(?P<H>\d\d)(?P<M>\d\d)(?P<S>\d\d)?(?:[.,]\d+)?"
    r"(?:(?P<Z>[Zz])|(?P<sign>[+\-])(?P<zh>\d\d):?(?P<zm>\d\d)?)?)?\s*$"
)
_MAIL = re.compile(
    r"\s*(?:[^\W\d_]{2,12}\.?,?\s+)?(?P<d>\d{1,2})[\s-]+(?P<mon>[^\W\d_]{3,12})\.?[\s-]+(?P<y>\d{4}|\d\d)"
    r"(?:,?\s+(?P<H>\d{1,2}):(?P<M>\d\d)(?::(?P<S>\d\d)(?:\.\d+)?)?"
    r"\s*(?:(?P<name>[A-Za-z]{1,5})?\s*(?:(?P<sign>[+\-])(?P<zh>\d\d):?(?P<zm>\d\d))?)(?:\s*\([^()]{0,20}\))?)?\s*$"
)
_CTIME = re.compile(
    r"\s*[A-Za-z]{3}\s+(?P<mon>[A-Za-z]{3})\s+(?P<d>\d{1,2})\s+(?P<H>\d\d):(?P<M>\d\d):(?P<S>\d\d)"
    r"\s+(?:(?P<name>[A-Za-z]{1,5})?\s*(?:(?P<sign>[+\-])(?P<zh>\d\d):?(?P<zm>\d\d))?\s+)?(?P<y>\d{4})"
    r"(?:\s+(?:GMT)?(?P<sign2>[+\-])(?P<zh2>\d\d):?(?P<zm2>\d\d)(?:\s*\([^()]{0,40}\))?)?\s*$"
)
_SCRIPT = re.compile(
    r"\s*[A-Za-z]{3}\s+(?P<mon>[A-Za-z]{3})\s+(?P<d>\d{1,2})\s+(?P<y>\d{4})\s+(?P<H>\d\d):(?P<M>\d\d):(?P<S>\d\d)"
    r"\s+(?:GMT|UTC)?(?:(?P<sign>[+\-])(?P<zh>\d\d):?(?P<zm>\d\d))?(?:\s*\([^()]{0,40}\))?\s*$"
)
_UNIX = re.compile(r"\s*(\d{9,10})(\d{3})?(?:\.\d+)?\s*$")
_YEAR = re.compile(r"\s*((?:19|20)\d\d)\s*$")


def parse_machine_date(text: str) -> Moment | None:
    """The moment of an ISO 8601, RFC 822/2822, ctime or Unix time stamp; None when it is none of them."""
    if not text or len(text) > _LONGEST:
        return None
    return _usual(text) or _other(text)


def _usual(text: str) -> Moment | None:
    """The form nearly all pages and feeds use, kept apart because it is so frequent."""
    match = _USUAL.match(text)
    if match is None:
        return None
    zone = f"{match[1]}:{match[2]}" if match[1] else "+00:00" if text[-1] == "Z" else ""
    iso = text[:19] + ("+00:00" if zone == "-00:00" else zone)
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
    day, precision = _day(parts)
    if day is None:
        return None
    if parts.get("H") is None or precision != "day":
        return Moment(day[:7] if precision == "month" else day, precision, text)
    clock = _clock(parts)
    if clock is None:
        return None
    if parts["H"] == "24":
        day = (date.fromisoformat(day) + timedelta(days=1)).isoformat()
    return Moment(f"{day}T{clock}{_zone(parts)}", "second" if parts["S"] else "minute", text)


def _day(parts: dict[str, str | None]) -> tuple[str | None, Precision]:
    year = _full_year(parts["y"] or "")
    try:
        if parts.get("w"):
            return date.fromisocalendar(year, int(parts["w"] or 1), int(parts.get("wd") or 1)).isoformat(), "day"
        month = _month(parts)
        found = date(year, month, int(parts["d"] or 1))
    except ValueError:
        return None, "day"
    if year < _FIRST_YEAR:
        return None, "day"
    return found.isoformat(), "day" if parts["d"] else "month"


def _full_year(text: str) -> int:
    year = int(text)
    if len(text) == 4:
        return year
    return year + (2000 if year < 70 else 1900)


def _month(parts: dict[str, str | None]) -> int:
    name = parts.get("mon")
    if name is None:
        return int(parts["m"] or 0)
    meanings = names().months.get(fold(name))
    return meanings[0].number if meanings else 0


def _clock(parts: dict[str, str | None]) -> str | None:
    hour, minute, second = int(parts["H"] or 0), int(parts["M"] or 0), int(parts["S"] or 0)
    if hour > 24 or minute > 59 or second > 60 or (hour == 24 and minute + second):
        return None
    shown = f"{hour % 24:02d}:{minute:02d}"
    return f"{shown}:{min(second, 59):02d}" if parts["S"] else shown


def _zone(parts: dict[str, str | None]) -> str:
    sign, hours, minutes = (parts.get(name) or parts.get(f"{name}2") for name in ("sign", "zh", "zm"))
    if sign and hours:
        total = int(hours) * 60 + int(minutes or 0)
        return offset(total if sign == "+" else -total) if total <= 14 * 60 else ""
    name = (parts.get("Z") or parts.get("name") or "").lower()
    known = zone_minutes(name)
    return "" if known is None else offset(known)


def offset(minutes: int) -> str:
    """Minutes east of Greenwich as ISO 8601 has them."""
    hours, rest = divmod(abs(minutes), 60)
    return f"{'-' if minutes < 0 else '+'}{hours:02d}:{rest:02d}"
