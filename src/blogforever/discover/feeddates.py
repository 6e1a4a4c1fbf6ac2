"""Dates as feeds write them, kept with the offset they were written with."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

from blogforever.model import Entry, Moment, Precision

FIRST_YEAR, LAST_YEAR = 1990, 2100
"""Outside of these a date is a default value or a slip, never when a post was written."""

# Entries of one second are no coincidence.
_SEVERAL = 4
# Characters of a date; longer ones are texts.
_LONGEST = 100
_PARTS = ("year", "month", "day", "hour", "minute", "second")
_MONTHS, _HOURS, _LAST_SECOND = 12, 24, 59

_ISO = re.compile(
    r"""(?P<year>\d{4})(?:-?(?P<month>\d\d)(?:-?(?P<day>\d\d)
        (?:[T\s]\s*(?P<hour>\d\d?):?(?P<minute>\d\d)(?::?(?P<second>\d\d))?(?:[.,]\d+)?
        \s*(?P<zone>Z|UTC|GMT|[+-]\d\d:?\d\d|[+-]\d\d)?)?)?)?""",
    re.VERBOSE | re.IGNORECASE,
)
_SCRIPTED = re.compile(
    r"[A-Za-z]{3},?\s+([A-Za-z]{3})\s+(\d\d?)\s+(\d{4})\s+([\d:]{5,8})\s*+(GMT|UTC)?\s*+([+-]\d{4})?\s*+(?:\(.*\))?"
)
# Half days are nothing that mail knows: it would lose them, and with them twelve hours.
_HALF_DAY = re.compile(r"\d\s*[ap]\.?m\b", re.IGNORECASE)
_EPOCH = re.compile(r"\d{9,10}(\d{3})?")
_CLOCK = re.compile(r"\d\d?:\d\d(:\d\d)?")
_YEAR_ZERO = re.compile(r"(?:^|\s)0\d{3}\s")
_FURTHER_ZONES = {
    "WET": 0,
    "WEST": 1,
    "BST": 1,
    "CET": 1,
    "MET": 1,
    "CEST": 2,
    "MEST": 2,
    "EET": 2,
    "EEST": 3,
    "MSK": 3,
    "SGT": 8,
    "HKT": 8,
    "JST": 9,
    "KST": 9,
    "AEST": 10,
    "AEDT": 11,
    "NZST": 12,
    "NZDT": 13,
}
_ZONE_WORD = re.compile(r"(?:GMT|UTC)?\s*([+-]\d\d):?(\d\d)(\s*\(.*\))?$", re.IGNORECASE)


def read_moment(raw: object, language: str | None = None) -> Moment | None:
    """The moment a feed's date says; one written for people is read as on a page in this language."""
    if not isinstance(raw, str) or not raw.strip():
        return None
    text = " ".join(raw.split())[:_LONGEST]
    return _read_iso(text) or _read_rfc822(text) or _read_epoch(text) or _read_written(text, language)


def _read_iso(text: str) -> Moment | None:
    """As ISO 8601 writes dates, with or without signs between the parts."""
    match = _ISO.fullmatch(text)
    if not match or _EPOCH.fullmatch(text):
        return None
    part = match.groupdict()
    if not part["day"]:
        return _coarse(part["year"], part["month"], text)
    numbers = [int(part[name] or 0) for name in _PARTS]
    precision = _precision(has_clock=bool(part["hour"]), has_second=bool(part["second"]))
    return _moment(numbers, _offset(part["zone"]), precision, text)


def _precision(*, has_clock: bool, has_second: bool) -> Precision:
    if has_second:
        return "second"
    return "minute" if has_clock else "day"


def _coarse(year: str, month: str | None, text: str) -> Moment | None:
    """A date of a year, or of a month in it."""
    if not FIRST_YEAR <= int(year) <= LAST_YEAR:
        return None
    if not month:
        return Moment(year, "year", text)
    return Moment(f"{year}-{month}", "month", text) if 1 <= int(month) <= _MONTHS else None


def _read_rfc822(text: str) -> Moment | None:
    """As mail writes dates, and as scripts print them."""
    from email.utils import parsedate_tz  # noqa: PLC0415  loads sockets; pages need none of it

    if _HALF_DAY.search(text):
        return None
    scripted = _SCRIPTED.fullmatch(text)
    if scripted:
        month, day, year, time, greenwich, zone = scripted.groups()
        as_mail = f"{day} {month} {year} {time} {zone or greenwich or ''}"
    else:
        as_mail = _ZONE_WORD.sub(r"\1\2", text)
    clock = _CLOCK.search(as_mail)
    try:
        fields = parsedate_tz(as_mail if clock else as_mail + " 00:00:00")
    except (ValueError, TypeError, IndexError):
        return None
    if fields is None or _YEAR_ZERO.search(text):
        return None
    precision = _precision(has_clock=clock is not None, has_second=bool(clock and clock[1]))
    zone_text = as_mail[clock.end() :] if clock else ""
    offset = _named_offset(zone_text, seconds=fields[-1])
    return _moment(list(fields[:6]), offset, precision, text)


def _named_offset(zone: str, seconds: int | None) -> timedelta | None:
    """The offset of a zone after the clock; one that nobody knows, or none at all, is no offset."""
    words = re.sub(r"\(.*|\b\d{4}$", "", zone).split()
    if not words:
        return None
    name = words[-1].upper()
    if name in _FURTHER_ZONES:
        return timedelta(hours=_FURTHER_ZONES[name])
    is_greenwich = name in ("GMT", "UTC", "UT", "Z") or name[0] in "+-"
    return timedelta(seconds=seconds or 0) if seconds or is_greenwich else None


def _read_epoch(text: str) -> Moment | None:
    """As seconds or milliseconds since 1970."""
    match = _EPOCH.fullmatch(text)
    if not match:
        return None
    moment = datetime.fromtimestamp(int(text[:-3] if match[1] else text), UTC)
    return Moment(moment.isoformat(), "second", text) if moment.year >= FIRST_YEAR else None


def _read_written(text: str, language: str | None) -> Moment | None:
    """As people write dates, in words of any language."""
    from blogforever.dates import read_date  # noqa: PLC0415  reads the names of many languages, and is seldom needed

    moment = read_date(text, languages=(language,) if language else ())
    if moment is None or not FIRST_YEAR <= moment.day.year <= LAST_YEAR:
        return None
    return replace(moment, raw=text)


def _offset(zone: str | None) -> timedelta | None:
    """The offset of a zone in ISO 8601; None where none is given."""
    if not zone:
        return None
    digits = zone.replace(":", "")
    if digits[0] not in "+-":
        return timedelta(0)
    size = timedelta(hours=int(digits[1:3]), minutes=int(digits[3:5] or 0))
    return -size if digits[0] == "-" else size


def _moment(
    numbers: list[int],
    offset: timedelta | None,
    precision: Precision,
    raw: str,
) -> Moment | None:
    """The moment of year, month, day, hour, minute and second; None where there is no such."""
    year, month, day, hour, minute, second = numbers
    if not FIRST_YEAR <= year <= LAST_YEAR:
        return None
    # Twenty-four o'clock is midnight of the next day; a leap second is the last ordinary one.
    is_midnight = hour == _HOURS
    second = min(second, _LAST_SECOND)
    try:
        zone = timezone(offset) if offset is not None else None
        moment = datetime(year, month, day, 0 if is_midnight else hour, minute, second, tzinfo=zone)
        moment += timedelta(days=int(is_midnight))
    except (ValueError, OverflowError):
        return None
    if precision == "day":
        return Moment(moment.date().isoformat(), "day", raw)
    iso = moment.isoformat(timespec="minutes" if precision == "minute" else "seconds")
    return Moment(iso, precision, raw)


def without_made_dates(entries: Sequence[Entry]) -> tuple[Entry, ...]:
    """The entries without their dates where all have one
    second's: it is when the feed was made, not the posts.

    Midnight may be the day of all posts that were moved from elsewhere.
    """
    if len(entries) < _SEVERAL or not _is_one_second([entry.published for entry in entries]):
        return tuple(entries)
    return tuple(replace(entry, published=None, updated=None) for entry in entries)


def _is_one_second(moments: Sequence[Moment | None]) -> bool:
    """Whether all are dated, and all that name a second
    name the same, which is not that of midnight.
    """
    stamps: set[str] = set()
    for moment in moments:
        if moment is None:
            return False
        if moment.precision == "second":
            stamps.add(moment.iso)
    return len(stamps) == 1 and "T00:00:00" not in stamps.pop()
