"""Dates as feeds write them, kept with the offset they were written with."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from email.utils import parsedate_tz
from time import struct_time

from blogforever.model import Entry, Moment, Precision

FIRST_YEAR, LAST_YEAR = 1990, 2100
"""Outside of these a date is a default value or a slip, never when a post was written."""

_SEVERAL = 4  # entries of one second are no coincidence

_ISO = re.compile(
    r"""(?P<year>\d{4})(?:-?(?P<month>\d\d)(?:-?(?P<day>\d\d)
        (?:[T\s]\s*(?P<hour>\d\d?):?(?P<minute>\d\d)(?::?(?P<second>\d\d))?(?:[.,]\d+)?\s*(?P<zone>Z|UTC|GMT|[+-]\d\d:?\d\d|[+-]\d\d)?)?)?)?""",
    re.VERBOSE | re.IGNORECASE,
)
_SCRIPTED = re.compile(
    r"[A-Za-z]{3},?\s+([A-Za-z]{3})\s+(\d\d?)\s+(\d{4})\s+([\d:]{5,8})\s*(?:GMT|UTC)?\s*([+-]\d{4})?.*"
)
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
}
_FURTHER_ZONES |= {"SGT": 8, "HKT": 8, "JST": 9, "KST": 9, "AEST": 10, "AEDT": 11, "NZST": 12, "NZDT": 13}
_ZONE_WORD = re.compile(r"(?:GMT|UTC)?\s*([+-]\d\d):?(\d\d)(\s*\(.*\))?$", re.IGNORECASE)


def read_moment(raw: object, tolerant: struct_time | None = None) -> Moment | None:
    """The moment a feed's date says; `tolerant`, what another reader made of it in UTC, is the last resort."""
    if not isinstance(raw, str) or not raw.strip():
        return None
    text = " ".join(raw.split())[:100]
    return _read_iso(text) or _read_rfc822(text) or _read_epoch(text) or _from_struct(tolerant, text)


def _read_iso(text: str) -> Moment | None:
    match = _ISO.fullmatch(text)
    if not match or _EPOCH.fullmatch(text):
        return None
    part = match.groupdict()
    precision: Precision = "second" if part["second"] else "minute" if part["hour"] else "day"
    if not part["day"]:
        return _coarse(part["year"], part["month"], text)
    numbers = [int(part[name] or 0) for name in ("year", "month", "day", "hour", "minute", "second")]
    return _moment(numbers, _offset(part["zone"]), precision, text)


def _coarse(year: str, month: str | None, text: str) -> Moment | None:
    if not FIRST_YEAR <= int(year) <= LAST_YEAR or (month and not 1 <= int(month) <= 12):
        return None
    return Moment(f"{year}-{month}", "month", text) if month else Moment(year, "year", text)


def _read_rfc822(text: str) -> Moment | None:
    scripted = _SCRIPTED.fullmatch(text)
    if scripted:
        month, day, year, clock, zone = scripted.groups()
        text_822 = f"{day} {month} {year} {clock} {zone or '+0000'}"
    else:
        text_822 = _ZONE_WORD.sub(r"\1\2", text)
    clock_match = _CLOCK.search(text_822)
    try:
        fields = parsedate_tz(text_822 if clock_match else text_822 + " 00:00:00")
    except (ValueError, TypeError, IndexError):
        return None
    if fields is None or _YEAR_ZERO.search(text):
        return None
    precision: Precision = "day" if clock_match is None else "second" if clock_match[1] else "minute"
    zone_text = text_822[clock_match.end() :] if clock_match else ""
    return _moment(list(fields[:6]), _named_offset(zone_text, fields[9]), precision, text)


def _named_offset(zone: str, seconds: int | None) -> timedelta | None:
    """The offset of a zone after the clock; one that nobody knows, or none at all, is no offset."""
    words = re.sub(r"\(.*|\b\d{4}$", "", zone).split()
    if not words:
        return None
    if words[-1].upper() in _FURTHER_ZONES:
        return timedelta(hours=_FURTHER_ZONES[words[-1].upper()])
    known = seconds or words[-1].upper() in ("GMT", "UTC", "UT", "Z") or words[-1][0] in "+-"
    return timedelta(seconds=seconds or 0) if known else None


def _read_epoch(text: str) -> Moment | None:
    match = _EPOCH.fullmatch(text)
    if not match:
        return None
    moment = datetime.fromtimestamp(int(text[:-3] if match[1] else text), UTC)
    return Moment(moment.isoformat(), "second", text) if moment.year >= FIRST_YEAR else None


def _from_struct(tolerant: struct_time | None, text: str) -> Moment | None:
    return _moment(list(tolerant[:6]), timedelta(0), "second", text) if tolerant else None


def _offset(zone: str | None) -> timedelta | None:
    if not zone:
        return None
    digits = zone.replace(":", "")
    if digits[0] not in "+-":
        return timedelta(0)
    size = timedelta(hours=int(digits[1:3]), minutes=int(digits[3:5] or 0))
    return -size if digits[0] == "-" else size


def _moment(numbers: list[int], offset: timedelta | None, precision: Precision, raw: str) -> Moment | None:
    if not FIRST_YEAR <= numbers[0] <= LAST_YEAR:
        return None
    numbers = [*numbers[:5], min(numbers[5], 59)]
    extra = timedelta(days=1) if numbers[3] == 24 else timedelta(0)
    numbers[3] %= 24 if numbers[3] == 24 else 100
    try:
        year, month, day, hour, minute, second = numbers
        zone = timezone(offset) if offset is not None else None
        moment = datetime(year, month, day, hour, minute, second, tzinfo=zone) + extra
    except (ValueError, OverflowError):
        return None
    if precision == "day":
        return Moment(moment.date().isoformat(), "day", raw)
    iso = moment.isoformat(timespec="minutes" if precision == "minute" else "seconds")
    return Moment(iso, precision, raw)


def without_made_dates(entries: Sequence[Entry]) -> tuple[Entry, ...]:
    """The entries without their dates where all have one second's: it is when the feed was made, not the posts.

    Midnight may be the day of all posts that were moved from elsewhere.
    """
    stamps = {entry.published.iso for entry in entries if entry.published and entry.published.precision == "second"}
    if len(entries) < _SEVERAL or len(stamps) != 1 or not all(entry.published for entry in entries):
        return tuple(entries)
    if "T00:00:00" in next(iter(stamps)):
        return tuple(entries)
    return tuple(replace(entry, published=None, updated=None) for entry in entries)
