"""Finding written dates in a text: every reading of every date."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime

from blogforever.dates.clock import TimeOfDay, find_clocks
from blogforever.dates.grammar import DATES, JOIN, WEEKDAY_AFTER, WEEKDAY_BEFORE, DateForm
from blogforever.dates.names import CalendarName, base_languages, names, numeric_orders
from blogforever.dates.shape import FIRST_YEAR, Shape, last_year, shape_of
from blogforever.model import Moment, Precision

BOUND = 2000
DIGITS_ONLY = "yyyyMMdd"
_WEAK = 9
_ALL_ORDERS = ("dMy", "Mdy", "yMd")
_JOIN_REACH = 14
_SPACES = re.compile(r" {2,}")


@dataclass(frozen=True, slots=True)
class Reading:
    """One reading of a piece of text: the moment, the format that gives it, where it stands, in which language.

    `languages` are all those in which it reads so; `language` is the likeliest of them.
    """

    moment: Moment
    format: str
    start: int
    end: int
    language: str | None
    languages: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _PartialDate:
    """A date before it is joined with weekday and time: tokens, fields and value."""

    first: int
    last: int
    year: int
    month: int
    day: int | None
    fields: dict[int, str]
    language: str | None
    yearless: bool
    rank: int
    languages: tuple[str, ...] = ()
    clock: TimeOfDay | None = None
    weekdays: frozenset[int] = frozenset()

    @property
    def name(self) -> int | None:
        """The token of the month's name, if it has one."""
        return next((place for place, field in self.fields.items() if field.startswith("MMM")), None)

    @property
    def year_first(self) -> bool:
        """Whether the year stands before the month."""
        years = [place for place, field in self.fields.items() if field[0] == "y"]
        return bool(years) and years[0] < (self.name or 0)


def written_dates(text: str, languages: Sequence[str], captured: datetime | None, weak: bool = False) -> list[Reading]:
    """Every reading of every absolute date, in the order of the text, likeliest reading first.

    With `weak` also what is a date only where one is known to be: `20130304`, and `13/3/4` as a day of 2013.
    """
    shape = shape_of(text[:BOUND])
    found = [item for item in _dates(shape, languages, captured) if weak or item.rank < _WEAK]
    if not found:
        return []
    found = _drop_parts([_with_weekday(shape, item) for item in _drop_foreign_years(found)])
    clocks = find_clocks(shape)
    whole = [_with_clock(shape, item, clocks) for item in found]
    whole.sort(key=lambda item: (item.first, item.rank))
    return [_reading(shape, item) for item in _drop_wrong_weekdays(whole)]


def _dates(shape: Shape, languages: Sequence[str], captured: datetime | None) -> Iterator[_PartialDate]:
    letters = shape.letters
    present = {
        "name": "M" in letters or "B" in letters,
        "number": "Y" in letters or "2" in letters,
        "unit": "m" in letters,
        "prefix": "P" in letters,
        "digits": "8" in letters,
    }
    for form in DATES:
        if present[form.needs] and (captured is not None or not form.yearless):
            for match in form.pattern.finditer(letters):
                yield from _read(shape, form, match, languages, captured)


def _read(
    shape: Shape, form: DateForm, match: re.Match[str], languages: Sequence[str], captured: datetime | None
) -> Iterator[_PartialDate]:
    groups = match.re.groupindex
    if "e" in groups:
        yield from _digits(shape, match)
    elif "a" in groups:
        yield from _numeric(shape, match, languages)
    elif form.needs == "name":
        yield from _named(shape, form, match, languages, captured)
    else:
        month = shape.numbers[match.start("m")]
        item = _PartialDate(match.start(), match.end(), 0, month, None, {}, None, form.yearless, 0)
        yield from _checked(shape, match, item, "M" * int(shape.letters[match.start("m")]), captured)


def _digits(shape: Shape, match: re.Match[str]) -> Iterator[_PartialDate]:
    number, place = shape.numbers[match.start("e")], match.start("e")
    year, month, day = number // 10000, number // 100 % 100, number % 100
    if _valid(year, month, day):
        yield _PartialDate(place, place + 1, year, month, day, {place: DIGITS_ONLY}, None, False, _WEAK)


def _numeric(shape: Shape, match: re.Match[str], languages: Sequence[str]) -> Iterator[_PartialDate]:
    places = match.start("a"), match.start("b"), match.start("y")
    full = shape.letters[places[2]] == "Y"
    own = numeric_orders(languages)
    rank = 0
    for order in dict.fromkeys([*own, *_ALL_ORDERS]):
        if full and order[2] != "y":
            continue
        weak = shape.letters[places[2]] == "1" and order not in own
        value = dict(zip(order, places, strict=True))
        day, month = shape.numbers[value["d"]], shape.numbers[value["M"]]
        year = _year(shape, value["y"])
        if _valid(year, month, day) and shape.letters[value["y"]] in "Y2":
            fields = {place: field * int(shape.letters[place]) for field, place in value.items() if field != "y"}
            fields[value["y"]] = "yyyy" if full else "yy"
            yield _PartialDate(
                match.start(), match.end(), year, month, day, fields, None, False, _WEAK if weak else rank
            )
            rank += 1


def _named(
    shape: Shape, form: DateForm, match: re.Match[str], languages: Sequence[str], captured: datetime | None
) -> Iterator[_PartialDate]:
    bases = base_languages(languages)
    meanings = names().months[shape.words[match.start("m")]]
    known = [name for name in meanings if set(name.languages) & set(bases)]
    if form.yearless and bases and not known:
        return
    for rank, name in enumerate(known or meanings):
        language = _language(name, bases)
        item = _PartialDate(
            match.start(), match.end(), 0, name.number, None, {}, language, form.yearless, rank, name.languages
        )
        yield from _checked(shape, match, item, "MMMM" if name.wide else "MMM", captured)


def _language(name: CalendarName, bases: Sequence[str]) -> str:
    for base in (*bases, "en"):
        if base in name.languages:
            return base
    return name.languages[0]


def _checked(
    shape: Shape, match: re.Match[str], item: _PartialDate, month_field: str, captured: datetime | None
) -> Iterator[_PartialDate]:
    """Fill in day and year, if the date exists."""
    fields = {match.start("m"): month_field}
    groups = match.re.groupindex
    day = year = None
    if "d" in groups:
        day = shape.numbers[match.start("d")]
        fields[match.start("d")] = "d" * _width(shape, match.start("d"), month_field)
    if "y" in groups:
        year = _year(shape, match.start("y"))
        fields[match.start("y")] = "yyyy" if shape.letters[match.start("y")] == "Y" else "yy"
    elif captured is not None:
        year = _latest_year(item.month, 1 if day is None else day, captured)
    if year is not None and _valid(year, item.month, 1 if day is None else day):
        yield replace(item, year=year, day=day, fields=fields)


def _latest_year(month: int, day: int, captured: datetime) -> int | None:
    """The year of the last such day not after the capture."""
    for year in range(captured.year, captured.year - 8, -1):
        if _valid(year, month, day) and date(year, month, day) <= captured.date():
            return year
    return None


def _year(shape: Shape, place: int) -> int:
    number = shape.numbers[place]
    if shape.letters[place] == "Y":
        return number
    return 2000 + number if 2000 + number <= last_year() else 1900 + number


def _width(shape: Shape, place: int, month_field: str) -> int:
    """Digits of the day; beside a month in words 14 tells nothing, and one digit is usual."""
    size = int(shape.letters[place])
    return 1 if len(month_field) > 2 and shape.numbers[place] > 9 else size


def _valid(year: int, month: int, day: int) -> bool:
    if not (FIRST_YEAR <= year <= last_year() and 1 <= month <= 12 and 1 <= day <= 31):
        return False
    try:
        date(year, month, day)
    except ValueError:
        return False
    return True


def _with_weekday(shape: Shape, item: _PartialDate) -> _PartialDate:
    if item.day is None:
        return item
    before = WEEKDAY_BEFORE.search(shape.letters, max(0, item.first - 8), item.first)
    if before:
        return _add_weekday(shape, item, before.start("w"), before.start("w"), item.last)
    after = WEEKDAY_AFTER.match(shape.letters, item.last)
    if after:
        return _add_weekday(shape, item, after.start("w"), item.first, after.end())
    return item


def _add_weekday(shape: Shape, item: _PartialDate, place: int, first: int, last: int) -> _PartialDate:
    meanings = names().days[shape.words[place]]
    own = [name for name in meanings if item.language in name.languages] or meanings
    # Names of two letters mean other days elsewhere, too often to decide anything.
    telling = own if len(shape.words[place]) > 2 else ()
    fields = item.fields | {place: "EEEE" if own[0].wide else "EEE"}
    return replace(item, first=first, last=last, fields=fields, weekdays=frozenset(name.number for name in telling))


def _drop_foreign_years(items: list[_PartialDate]) -> list[_PartialDate]:
    """Of two years around one month's name take the one on the side where the language has it."""
    sides: dict[int, set[bool]] = {}
    for item in items:
        if item.name is not None and _known(item) == 2:
            sides.setdefault(item.name, set()).add(item.year_first)
    year_first = names().year_first
    return [
        item
        for item in items
        if item.name is None or len(sides.get(item.name, ())) < 2 or item.year_first == (item.language in year_first)
    ]


def _drop_parts(items: list[_PartialDate]) -> list[_PartialDate]:
    """Leave out what is only a part of a fuller date: `March 2013` of `4 March 2013`."""
    covered: dict[int, int] = {}
    for item in items:
        for place in range(item.first, item.last):
            covered[place] = max(covered.get(place, 0), _known(item))
    return [item for item in items if all(covered[place] <= _known(item) for place in item.fields)]


def _known(item: _PartialDate) -> int:
    return (item.day is not None) + (not item.yearless)


def _drop_wrong_weekdays(items: list[_PartialDate]) -> list[_PartialDate]:
    """A weekday decides between readings of the same words, where it agrees with one of them."""
    right = {item.first for item in items if _weekday_agrees(item)}
    return [item for item in items if not item.weekdays or item.first not in right or _weekday_agrees(item)]


def _weekday_agrees(item: _PartialDate) -> bool:
    return bool(item.weekdays) and date(item.year, item.month, item.day or 1).weekday() in item.weekdays


def _with_clock(shape: Shape, item: _PartialDate, clocks: list[TimeOfDay]) -> _PartialDate:
    if item.day is None:
        return item
    near = bisect_left(clocks, item.first - 2 * _JOIN_REACH, key=lambda clock: clock.first)
    for clock in clocks[near : near + 2 * _JOIN_REACH]:
        inside = item.first <= clock.first and clock.last <= item.last and not set(clock.fields) & set(item.fields)
        after = 0 <= clock.first - item.last <= _JOIN_REACH and JOIN.fullmatch(shape.letters, item.last, clock.first)
        before = 1 <= item.first - clock.last <= _JOIN_REACH and JOIN.fullmatch(shape.letters, clock.last, item.first)
        if inside or after or before:
            return replace(item, clock=clock, first=min(item.first, clock.first), last=max(item.last, clock.last))
    return item


def _reading(shape: Shape, item: _PartialDate) -> Reading:
    start, end = shape.starts[item.first], shape.ends[item.last - 1]
    clock = item.clock
    fields = item.fields
    if clock is not None:
        fields = fields | clock.fields
        end = max(end, clock.zone.end) if clock.last == item.last else end
    moment = Moment(_iso(item), _precision(item), shape.text[start:end])
    return Reading(moment, _format(shape, item, fields), start, end, item.language, item.languages)


def _iso(item: _PartialDate) -> str:
    if item.day is None:
        return f"{item.year:04d}-{item.month:02d}"
    day = f"{item.year:04d}-{item.month:02d}-{item.day:02d}"
    return day if item.clock is None else f"{day}T{item.clock.iso}"


def _precision(item: _PartialDate) -> Precision:
    if item.day is None:
        return "month"
    if item.clock is None:
        return "day"
    return "minute" if item.clock.second is None else "second"


def _format(shape: Shape, item: _PartialDate, fields: dict[int, str]) -> str:
    parts = []
    for place in range(item.first, item.last):
        letter = shape.letters[place]
        if place in fields:
            parts.append(fields[place])
        elif letter == " ":
            parts.append(" ")
        elif letter != "O":
            parts.append(_literal(shape.text[shape.starts[place] : shape.ends[place]]))
    if item.clock is not None and item.clock.last == item.last:
        parts.append(item.clock.zone.format)
    return _SPACES.sub(" ", "".join(parts))


def _literal(text: str) -> str:
    if text == "'":
        return "''"
    return f"'{text}'" if any(char.isascii() and char.isalpha() for char in text) else text
