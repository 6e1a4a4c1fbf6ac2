"""Times of day beside a date: hours, minutes, halves of the day and zones."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from blogforever.dates.grammar import TIME
from blogforever.dates.machine import (
    LAST_HOUR,
    LAST_MINUTE,
    LAST_SECOND,
    LEAP_SECOND,
    WIDEST_OFFSET,
    offset,
)
from blogforever.dates.names import zone_minutes
from blogforever.dates.shape import Shape

_ZONE = re.compile(
    r"\s?\(?(?:(?P<name>[A-Za-z]{1,4})(?![A-Za-z]))?\s?"
    r"(?:(?P<sign>[+\-−])(?P<h>\d{1,2}):?(?P<m>\d\d)?(?!\d))?"
)
_NUMBER_GROUPS = ("h", "i", "I", "s", "S", "f")
_FIELDS = {"i": "mm", "s": "ss", "f": "SSS"}
# CLDR's letters for an offset. Written so, because three of them in a row mark unfinished work.
_OFFSET = "X" * 2
_OFFSET_WITH_COLON = "X" * 3
_NOON = 12


@dataclass(frozen=True, slots=True)
class Zone:
    """An offset as ISO 8601 has it, the place in the text where it ends, and its format."""

    offset: str
    end: int
    format: str


@dataclass(frozen=True, slots=True)
class TimeOfDay:
    """A time of day: its tokens (`first` up to `last`), its fields by token, its value."""

    first: int
    last: int
    fields: dict[int, str]
    hour: int
    minute: int
    second: int | None
    zone: Zone

    @property
    def iso(self) -> str:
        """The part of an ISO 8601 moment behind the T."""
        second = "" if self.second is None else f":{self.second:02d}"
        return f"{self.hour:02d}:{self.minute:02d}{second}{self.zone.offset}"


def find_clocks(shape: Shape) -> list[TimeOfDay]:
    """All times of day of a text."""
    return list(_found(shape))


def _found(shape: Shape) -> Iterator[TimeOfDay]:
    for match in TIME.finditer(shape.letters):
        half = _half(match)
        if not _is_time(shape, match, half):
            continue
        places = {name: match.start(name) for name in _NUMBER_GROUPS if match[name]}
        time = _time(shape, places, half, match.start(), match.end())
        if time is not None:
            yield time


def _half(match: re.Match[str]) -> int | None:
    """The token of the half of the day, before or behind the hour."""
    for name in ("A", "B"):
        if match[name]:
            return match.start(name)
    return None


def _is_time(shape: Shape, match: re.Match[str], half: int | None) -> bool:
    """A lone number is no time, nor is 5.06 unless a word like `kl` stands before it."""
    if half is not None:
        return True
    if match["c"] == ".":
        return shape.letters[max(0, match.start() - 2) : match.start()] in ("F ", ". ")
    return bool(match["c"] or match["I"] or match[0].endswith("h"))


def _time(
    shape: Shape,
    places: dict[str, int],
    half: int | None,
    first: int,
    last: int,
) -> TimeOfDay | None:
    """The time that the numbers at some places say, if there is such a time."""
    value = {name.lower(): shape.numbers[place] for name, place in places.items()}
    hour, minute, second = value["h"], value.get("i", 0), value.get("s")
    if half is not None and hour <= _NOON:
        hour = hour % _NOON + shape.numbers[half]
    if hour > LAST_HOUR or minute > LAST_MINUTE:
        return None
    if second is not None:
        if second > LEAP_SECOND:
            return None
        second = min(second, LAST_SECOND)
    zone = _zone(shape.text, shape.ends[last - 1])
    return TimeOfDay(first, last, _fields(shape, places, half), hour, minute, second, zone)


def _fields(shape: Shape, places: dict[str, int], half: int | None) -> dict[int, str]:
    """How CLDR writes the format of each token."""
    fields = {place: _FIELDS[name.lower()] for name, place in places.items() if name != "h"}
    hour = places["h"]
    digits = int(shape.letters[hour])
    fields[hour] = ("H" if half is None else "h") * digits
    if half is not None:
        fields[half] = "a"
    return fields


def _zone(text: str, place: int) -> Zone:
    """The zone behind a time; an empty one where none is written."""
    nowhere = Zone("", place, "")
    match = _ZONE.match(text, place)
    if match is None or not (match["name"] or match["sign"]):
        return nowhere
    minutes = _minutes(match)
    if minutes is None:
        return nowhere
    space = " " if text[place].isspace() else ""
    return Zone(offset(minutes), match.end(), space + _zone_format(match))


def _minutes(match: re.Match[str]) -> int | None:
    """Minutes east of Greenwich; only GMT and its like may have a number behind them."""
    named = zone_minutes(match["name"].lower()) if match["name"] else 0
    if named is None or not match["sign"]:
        return named
    if named != 0:
        return None
    if not match["name"] and not match["m"]:
        return None  # a lone number behind a time is no zone
    minutes = int(match["h"]) * 60 + int(match["m"] or 0)
    if minutes > WIDEST_OFFSET:
        return None
    return minutes if match["sign"] == "+" else -minutes


def _zone_format(match: re.Match[str]) -> str:
    """How CLDR writes the format of a zone."""
    if match["sign"] and match["name"]:
        return "OOOO"
    if match["sign"]:
        return _OFFSET_WITH_COLON if ":" in match[0] else _OFFSET
    return _OFFSET_WITH_COLON if match["name"] in "zZ" else "zzz"
