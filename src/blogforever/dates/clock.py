"""Times of day beside a date: hours, minutes, halves of the day and zones."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from blogforever.dates.grammar import TIME
from blogforever.dates.machine import offset
from blogforever.dates.names import zone_minutes
from blogforever.dates.shape import Shape

_ZONE = re.compile(
    r"\s?\(?(?:(?P<name>[A-Za-z]{1,4})(?![A-Za-z]))?\s?(?:(?P<sign>[+\-−])(?P<h>\d{1,2}):?(?P<m>\d\d)?(?!\d))?"
)
_WIDEST = 14 * 60


@dataclass(frozen=True, slots=True)
class Zone:
    """An offset as ISO 8601 has it, the place in the text where it ends, and its format."""

    offset: str
    end: int
    format: str


@dataclass(frozen=True, slots=True)
class Clock:
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


def find_clocks(shape: Shape) -> list[Clock]:
    """All times of day of a text."""
    return list(_found(shape))


def _found(shape: Shape) -> Iterator[Clock]:
    for match in TIME.finditer(shape.letters):
        places = {name: match.start(name) for name in ("h", "i", "I", "s", "S", "f") if match[name]}
        half = match.start("A") if match["A"] else match.start("B") if match["B"] else None
        if _is_time(shape, match, half):
            clock = _clock(shape, places, half, match.start(), match.end())
            if clock is not None:
                yield clock


def _is_time(shape: Shape, match: re.Match[str], half: int | None) -> bool:
    """A lone number is no time, nor is 5.06 unless a word like `kl` stands before it."""
    if half is not None:
        return True
    if match["c"] == ".":
        return shape.letters[max(0, match.start() - 2) : match.start()] in ("F ", ". ")
    return bool(match["c"] or match["I"] or match[0].endswith("h"))


def _clock(shape: Shape, places: dict[str, int], half: int | None, first: int, last: int) -> Clock | None:
    value = {name.lower(): shape.numbers[place] for name, place in places.items()}
    hour, minute, second = value["h"], value.get("i", 0), value.get("s")
    if half is not None and hour <= 12:
        hour = hour % 12 + shape.numbers[half]
    if hour > 23 or minute > 59 or (second or 0) > 60:
        return None
    if second is not None:
        second = min(second, 59)
    zone = _zone(shape.text, shape.ends[last - 1])
    return Clock(first, last, _fields(shape, places, half), hour, minute, second, zone)


def _fields(shape: Shape, places: dict[str, int], half: int | None) -> dict[int, str]:
    letters = {"i": "mm", "s": "ss", "f": "SSS"}
    fields = {place: letters[name.lower()] for name, place in places.items() if name != "h"}
    fields[places["h"]] = ("H" if half is None else "h") * int(shape.letters[places["h"]])
    if half is not None:
        fields[half] = "a"
    return fields


def _zone(text: str, place: int) -> Zone:
    match = _ZONE.match(text, place)
    minutes = _minutes(match) if match and (match["name"] or match["sign"]) else None
    if match is None or minutes is None:
        return Zone("", place, "")
    space = " " if text[place].isspace() else ""
    return Zone(offset(minutes), match.end(), space + _zone_format(match))


def _minutes(match: re.Match[str]) -> int | None:
    """Minutes east of Greenwich; only GMT and its like may have a number behind them."""
    named = zone_minutes(match["name"].lower()) if match["name"] else 0
    if named is None or not match["sign"]:
        return named
    if named or not (match["name"] or match["m"]):
        return None
    minutes = int(match["h"]) * 60 + int(match["m"] or 0)
    if minutes > _WIDEST:
        return None
    return minutes if match["sign"] == "+" else -minutes


def _zone_format(match: re.Match[str]) -> str:
    if match["sign"] and match["name"]:
        return "OOOO"
    if match["sign"]:
        return "X" * (3 if ":" in match[0] else 2)
    return "X" * 3 if match["name"] in "zZ" else "zzz"
