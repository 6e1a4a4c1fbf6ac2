"""Finding written dates in a text: every reading of every date."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime

from blogforever.dates.clock import TimeOfDay, find_clocks
from blogforever.dates.grammar import DATES, JOIN, WEEKDAY_AFTER, WEEKDAY_BEFORE, DateForm
from blogforever.dates.machine import LAST_CENTURY, THIS_CENTURY
from blogforever.dates.names import CalendarName, base_languages, names, numeric_orders
from blogforever.dates.shape import FIRST_YEAR, Shape, last_year, shape_of
from blogforever.model import Moment, Precision

BOUND = 2000
"""Characters of a text that are read: no line about a post has more, and a whole page takes long.
"""
DIGITS_ONLY = "yyyyMMdd"
# The rank of readings that count only where a date is known to be; others are numbered from 0.
_WEAK = 9
_ALL_ORDERS = ("dMy", "Mdy", "yMd")
# Tokens between a date and a time that belong together.
_JOIN_REACH = 14
# Tokens before a date among which its weekday may stand.
_WEEKDAY_REACH = 8
# Years back in which a day without its year is looked for: 29 February comes at least so often.
_MOST_YEARS = 8
_LAST_MONTH = 12
_LONGEST_MONTH = 31
# A day and a year.
_ALL_FIELDS = 2
_SPACES = re.compile(r" {2,}")
# A number beside day and month that may be their year: above the days of a month, below a hundred
# or of four digits.
_YEAR_BEHIND = re.compile(r"[ .,\-/FO]{0,4}(?P<sign>')?(?P<y>[n2])(?! ?[:hA]|\.2)")
_YEAR_BEFORE = re.compile(r"(?P<y>n)[ .,\-/]{0,3}$")
_YEAR_REACH = 4
_CENTURY, _FIRST_WRITTEN = 100, 1000


@dataclass(frozen=True, slots=True)
class DateReading:
    """One reading of a piece of text: its moment, format and place, and in which language.

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
    month: int
    year: int = 0
    day: int | None = None
    fields: dict[int, str] = field(default_factory=dict)
    language: str | None = None
    yearless: bool = False
    rank: int = 0
    languages: tuple[str, ...] = ()
    clock: TimeOfDay | None = None
    weekdays: frozenset[int] = frozenset()

    @property
    def name(self) -> int | None:
        """The token of the month's name, if it has one."""
        for place, letters in self.fields.items():
            if letters.startswith("MMM"):
                return place
        return None

    @property
    def year_first(self) -> bool:
        """Whether the year stands before the month."""
        years = [place for place, letters in self.fields.items() if letters[0] == "y"]
        return bool(years) and years[0] < (self.name or 0)

    @property
    def known_fields(self) -> int:
        """How many of day and year are written."""
        return (self.day is not None) + (not self.yearless)


def written_dates(
    text: str,
    languages: Sequence[str],
    captured: datetime | None,
    weak: bool = False,
) -> list[DateReading]:
    """Every reading of every absolute date, in the order of the text, likeliest reading first.

    With `weak` also what is a date only where one is known to be: `20130304`, and `13/3/4` as a day
    of 2013.
    """
    shape = shape_of(text[:BOUND])
    dates = [item for item in _dates(shape, languages, captured) if weak or item.rank < _WEAK]
    if not dates:
        return []
    dates = _drop_foreign_years(dates)
    dates = _drop_parts([_with_weekday(shape, item) for item in dates])
    clocks = find_clocks(shape)
    dates = [_with_clock(shape, item, clocks) for item in dates]
    dates.sort(key=lambda item: (item.first, item.rank))
    return [_reading(shape, item) for item in _drop_wrong_weekdays(dates)]


def _dates(
    shape: Shape,
    languages: Sequence[str],
    captured: datetime | None,
) -> Iterator[_PartialDate]:
    """What matches a form of dates; forms whose tokens the text does not have are not tried."""
    letters = shape.letters
    present = {
        "name": "M" in letters or "B" in letters,
        "number": "Y" in letters or "2" in letters,
        "unit": "m" in letters,
        "prefix": "P" in letters,
        "digits": "8" in letters,
    }
    for form in DATES:
        if not present[form.needs] or (form.yearless and captured is None):
            continue
        for match in form.pattern.finditer(letters):
            if not (form.yearless and _names_other_year(shape, match)):
                yield from _read(shape, form, match, languages, captured)


def _names_other_year(shape: Shape, match: re.Match[str]) -> bool:
    """Whether a year stands beside day and month, though one in which nobody wrote a blog."""
    behind = _YEAR_BEHIND.match(shape.letters, match.end())
    before = _YEAR_BEFORE.search(shape.letters, max(0, match.start() - _YEAR_REACH), match.start())
    if behind and behind["sign"]:
        return True
    beside = [shape.numbers[found.start("y")] for found in (behind, before) if found]
    return any(number > _LONGEST_MONTH and (number < _CENTURY or number >= _FIRST_WRITTEN) for number in beside)


def _read(
    shape: Shape,
    form: DateForm,
    match: re.Match[str],
    languages: Sequence[str],
    captured: datetime | None,
) -> Iterator[_PartialDate]:
    """The readings of what matched a form."""
    groups = match.re.groupindex
    if "e" in groups:
        yield from _digits(shape, match)
    elif "a" in groups:
        yield from _numeric(shape, match, languages)
    elif form.needs == "name":
        yield from _named(shape, form, match, languages, captured)
    else:
        place = match.start("m")
        month_field = "M" * int(shape.letters[place])
        item = _PartialDate(
            first=match.start(),
            last=match.end(),
            month=shape.numbers[place],
            yearless=form.yearless,
        )
        yield from _checked(shape, match, item, month_field, captured)


def _digits(shape: Shape, match: re.Match[str]) -> Iterator[_PartialDate]:
    """The date in one number of eight digits."""
    place = match.start("e")
    rest, day = divmod(shape.numbers[place], 100)
    year, month = divmod(rest, 100)
    if _valid(year, month, day):
        yield _PartialDate(
            first=place,
            last=place + 1,
            year=year,
            month=month,
            day=day,
            fields={place: DIGITS_ONLY},
            rank=_WEAK,
        )


def _numeric(
    shape: Shape,
    match: re.Match[str],
    languages: Sequence[str],
) -> Iterator[_PartialDate]:
    """The readings of three numbers in each order of day, month and year, the languages' first."""
    places = match.start("a"), match.start("b"), match.start("y")
    last_letter = shape.letters[places[-1]]
    own_orders = numeric_orders(languages)
    rank = 0
    for order in dict.fromkeys([*own_orders, *_ALL_ORDERS]):
        if last_letter == "Y" and not order.endswith("y"):
            continue
        place = dict(zip(order, places, strict=True))
        day, month = shape.numbers[place["d"]], shape.numbers[place["M"]]
        year = _year(shape, place["y"])
        if shape.letters[place["y"]] not in "Y2" or not _valid(year, month, day):
            continue
        # A day of one digit behind the year is rare: it counts where the language writes so.
        is_weak = last_letter == "1" and order not in own_orders
        yield _PartialDate(
            first=match.start(),
            last=match.end(),
            year=year,
            month=month,
            day=day,
            fields={
                place["d"]: "d" * int(shape.letters[place["d"]]),
                place["M"]: "M" * int(shape.letters[place["M"]]),
                place["y"]: "yyyy" if last_letter == "Y" else "yy",
            },
            rank=_WEAK if is_weak else rank,
        )
        rank += 1


def _named(
    shape: Shape,
    form: DateForm,
    match: re.Match[str],
    languages: Sequence[str],
    captured: datetime | None,
) -> Iterator[_PartialDate]:
    """The readings of a date with the month's name, in the languages of the blog or else in all."""
    bases = base_languages(languages)
    meanings = names().months[shape.words[match.start("m")]]
    own = [name for name in meanings if set(name.languages) & set(bases)]
    # Without a year, names of other languages are too often everyday words of this one.
    if form.yearless and bases and not own:
        return
    for rank, name in enumerate(own or meanings):
        item = _PartialDate(
            first=match.start(),
            last=match.end(),
            month=name.number,
            language=_language(name, bases),
            yearless=form.yearless,
            rank=rank,
            languages=name.languages,
        )
        yield from _checked(shape, match, item, "MMMM" if name.wide else "MMM", captured)


def _language(name: CalendarName, bases: Sequence[str]) -> str:
    for base in (*bases, "en"):
        if base in name.languages:
            return base
    return name.languages[0]


def _checked(
    shape: Shape,
    match: re.Match[str],
    item: _PartialDate,
    month_field: str,
    captured: datetime | None,
) -> Iterator[_PartialDate]:
    """Fill in day and year, if the date exists."""
    fields = {match.start("m"): month_field}
    groups = match.re.groupindex
    day = year = None
    if "d" in groups:
        place = match.start("d")
        day = shape.numbers[place]
        fields[place] = "d" * _width(shape, place, month_field)
    any_day = 1 if day is None else day
    if "y" in groups:
        place = match.start("y")
        year = _year(shape, place)
        fields[place] = "yyyy" if shape.letters[place] == "Y" else "yy"
    elif captured is not None:
        year = _latest_year(item.month, any_day, captured)
    if year is not None and _valid(year, item.month, any_day):
        yield replace(item, year=year, day=day, fields=fields)


def _latest_year(month: int, day: int, captured: datetime) -> int | None:
    """The year of the last such day not after the capture."""
    for year in range(captured.year, captured.year - _MOST_YEARS, -1):
        if _valid(year, month, day) and date(year, month, day) <= captured.date():
            return year
    return None


def _year(shape: Shape, place: int) -> int:
    """A year as written; one of two digits is of this century, unless that is still to come."""
    number = shape.numbers[place]
    if shape.letters[place] == "Y":
        return number
    year = THIS_CENTURY + number
    return year if year <= last_year() else LAST_CENTURY + number


def _width(shape: Shape, place: int, month_field: str) -> int:
    """Digits of the day; beside a month in words 14 tells nothing, and one digit is usual."""
    is_in_words = month_field.startswith("MMM")
    if is_in_words and shape.numbers[place] >= 10:
        return 1
    return int(shape.letters[place])


def _valid(year: int, month: int, day: int) -> bool:
    """Whether there is such a day, in a year that a post may bear."""
    if not FIRST_YEAR <= year <= last_year():
        return False
    # Most numbers that are no date fail here, and much faster than by an exception.
    if not (1 <= month <= _LAST_MONTH and 1 <= day <= _LONGEST_MONTH):
        return False
    try:
        date(year, month, day)
    except ValueError:
        return False
    return True


def _with_weekday(shape: Shape, item: _PartialDate) -> _PartialDate:
    """A date with the weekday before or behind it."""
    if item.day is None:
        return item
    reach = max(0, item.first - _WEEKDAY_REACH)
    before = WEEKDAY_BEFORE.search(shape.letters, reach, item.first)
    if before:
        return _add_weekday(shape, item, before.start("w"), before.start("w"), item.last)
    after = WEEKDAY_AFTER.match(shape.letters, item.last)
    if after:
        return _add_weekday(shape, item, after.start("w"), item.first, after.end())
    return item


def _add_weekday(
    shape: Shape,
    item: _PartialDate,
    place: int,
    first: int,
    last: int,
) -> _PartialDate:
    word = shape.words[place]
    meanings = names().days[word]
    of_language = [name for name in meanings if item.language in name.languages]
    is_initial = len(word) == 1 and word.upper() != word.lower()
    if is_initial and not of_language:
        return item  # "Ann B. at May 4, 2013": somebody's initial is a weekday in some other language
    own = of_language or meanings
    # Names of two letters mean other days elsewhere, too often to decide anything.
    weekdays = {name.number for name in own} if len(word) > 2 else set()
    return replace(
        item,
        first=first,
        last=last,
        fields=item.fields | {place: "EEEE" if own[0].wide else "EEE"},
        weekdays=frozenset(weekdays),
    )


def _drop_foreign_years(items: list[_PartialDate]) -> list[_PartialDate]:
    """Of two years around one month's name take the one on the side where the language has it."""
    sides: defaultdict[int, set[bool]] = defaultdict(set)
    for item in items:
        if item.name is not None and item.known_fields == _ALL_FIELDS:
            sides[item.name].add(item.year_first)
    disputed = {name for name, both in sides.items() if len(both) > 1}
    if not disputed:
        return items
    languages = names().year_first
    kept = []
    for item in items:
        if item.name not in disputed or item.year_first == (item.language in languages):
            kept.append(item)
    return kept


def _drop_parts(items: list[_PartialDate]) -> list[_PartialDate]:
    """Leave out what is only a part of a fuller date: `March 2013` of `4 March 2013`."""
    covered: dict[int, int] = {}
    for item in items:
        for place in range(item.first, item.last):
            covered[place] = max(covered.get(place, 0), item.known_fields)
    return [item for item in items if _is_fullest(item, covered)]


def _is_fullest(item: _PartialDate, covered: dict[int, int]) -> bool:
    known = item.known_fields
    return all(covered[place] <= known for place in item.fields)


def _drop_wrong_weekdays(items: list[_PartialDate]) -> list[_PartialDate]:
    """A weekday decides between readings of the same words, where it agrees with one of them."""
    agreed = {item.first for item in items if _weekday_agrees(item)}
    kept = []
    for item in items:
        if item.first not in agreed or not item.weekdays or _weekday_agrees(item):
            kept.append(item)
    return kept


def _weekday_agrees(item: _PartialDate) -> bool:
    if not item.weekdays:
        return False
    return date(item.year, item.month, item.day or 1).weekday() in item.weekdays


def _with_clock(shape: Shape, item: _PartialDate, clocks: list[TimeOfDay]) -> _PartialDate:
    """A date with the time of day in it, behind it or before it."""
    if item.day is None:
        return item
    near = bisect_left(clocks, item.first - 2 * _JOIN_REACH, key=lambda clock: clock.first)
    for clock in clocks[near : near + 2 * _JOIN_REACH]:
        if _belongs_to(shape, clock, item):
            first, last = min(item.first, clock.first), max(item.last, clock.last)
            return replace(item, clock=clock, first=first, last=last)
    return item


def _belongs_to(shape: Shape, clock: TimeOfDay, item: _PartialDate) -> bool:
    """Whether only what joins dates and times stands between a time and a date."""
    if item.first <= clock.first and clock.last <= item.last:
        return set(clock.fields).isdisjoint(item.fields)
    if 0 <= clock.first - item.last <= _JOIN_REACH:
        return JOIN.fullmatch(shape.letters, item.last, clock.first) is not None
    if 1 <= item.first - clock.last <= _JOIN_REACH:
        return JOIN.fullmatch(shape.letters, clock.last, item.first) is not None
    return False


def _reading(shape: Shape, item: _PartialDate) -> DateReading:
    """A date as it is given out, with its place in the text and its format."""
    start, end = shape.starts[item.first], shape.ends[item.last - 1]
    clock = item.clock
    fields = item.fields
    if clock is not None:
        fields = fields | clock.fields
        if clock.last == item.last:
            end = max(end, clock.zone.end)
    moment = Moment(_iso(item), _precision(item), shape.text[start:end])
    return DateReading(moment, _format(shape, item, fields), start, end, item.language, item.languages)


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
    """The CLDR pattern of a date: its fields and what stands between them, without endings."""
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
    """Text between the fields of a pattern; letters, which would be fields, are quoted."""
    if text == "'":
        return "''"
    has_letters = any(char.isascii() and char.isalpha() for char in text)
    return f"'{text}'" if has_letters else text
