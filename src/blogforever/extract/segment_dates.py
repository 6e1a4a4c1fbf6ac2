"""The date of each record of a list page: where most records show theirs, completed by headings and addresses."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, datetime
from itertools import pairwise

from blogforever.dates import address_date, find_dates, parse_machine_date
from blogforever.extract.segment_outline import TEXT, Outline, stable_names, word_set
from blogforever.extract.segment_records import Record
from blogforever.model import Moment

Place = tuple[object, ...]
Options = list[tuple[str, Moment]]
"""The readings of one written date, each with its order of day, month and year."""

_DATE_WORDS = word_set(
    "date dates datetime time timestamp published pubdate posted postdate postmeta meta day month year created "
    "dateline datum fecha data"
)
_CHANGED_WORDS = word_set("updated modified lastmod update edited")
_MACHINE_ATTRIBUTES = ("datetime", "content", "title", "data-date", "data-time", "data-timestamp")
_VAGUE = frozenset(("month", "year"))
_DIGIT = re.compile(r"\d")
_MAYBE_DATE = re.compile(r"\d{4}|\d\D{1,20}\d\d")
_LONGEST = 160
_LONGEST_PARTIAL = 40
_LEAST_TRUST = 0.45
_MOST_ENTRIES = 160
_FIRST_LEAD = 60
_URL_MONTH = re.compile(r"/((?:19|20)\d\d)[/_-]?(0[1-9]|1[0-2])(?=[/_.-]|$)")
_URL_YEAR = re.compile(r"/((?:19|20)\d\d)(?=[/_.-]|$)")
_YEAR = re.compile(r"(?<!\d)((?:19|20)\d\d)(?!\d)")
_LONE_DAY = re.compile(r"\D{0,2}(0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th|[.日]|º)?\W{0,3}$", re.I)
_TWO_NUMBERS = re.compile(r"\W{0,2}(\d{1,2})([-/.])(\d{1,2})[-/.]?\W{0,3}$")
_FIELDS = re.compile(r"[dMy]+")
_QUOTED = re.compile(r"'[^']*'")


@dataclass(slots=True)
class _Shown:
    record: int
    place: Place
    options: Options
    alone: bool  # the text is little more than the date
    machine: bool
    named: bool  # class names or markup say that it is a date
    changed: bool  # ... of the last change

    @property
    def moment(self) -> Moment:
        return self.options[0][1]


@dataclass(slots=True)
class DateReader:
    """Reads the dates of one page."""

    languages: tuple[str, ...]
    captured: datetime | None
    known: dict[str, tuple[Options, int, int] | None] = field(default_factory=dict)

    def first(self, text: str) -> tuple[Options, int, int] | None:
        """All readings of the first date in a text that has a year, and where it stands."""
        if not (_MAYBE_DATE.search(text) or (self.captured and len(text) <= _LONGEST_PARTIAL)):
            return None
        if text not in self.known:
            self.known[text] = self._first(text)
        return self.known[text]

    def _first(self, text: str) -> tuple[Options, int, int] | None:
        readings = [(_order(r.format), r) for r in find_dates(text, self.languages, self.captured)]
        whole = [(order, r) for order, r in readings if "y" in order or not order]
        if not whole:
            return None
        start, end = whole[0][1].start, whole[0][1].end
        return [(order, r.moment) for order, r in whole if r.start == start], start, end

    def alone(self, text: str) -> bool:
        """Whether a text is a date and little else."""
        found = self.first(text)
        return found is not None and len(text) - (found[2] - found[1]) <= 12

    def in_year(self, text: str, year: int) -> Moment | None:
        """A day and month without year, in the given year."""
        if len(text) > _LONGEST_PARTIAL or _YEAR.search(text):
            return None
        for whole in (f"{text} {year}", f"{text}, {year}", f"{year}年{text}"):
            found = self.first(whole)
            moment = found[0][0][1] if found else None
            if found and moment and moment.precision not in _VAGUE and moment.day.year == year:
                rest = len(whole) - (found[2] - found[1])
                return _day(year, moment.day.month, moment.day.day, text) if rest <= 12 else None
        return None


def _order(form: str) -> str:
    """The order of day, month and year in a date format: "dd/MM/yyyy" is "dMy"."""
    return "".join(field[0] for field in _FIELDS.findall(_QUOTED.sub("", form)))


def shown_dates(
    page: Outline, records: list[Record], titles: list[int], url: str, reader: DateReader
) -> list[Moment | None]:
    """The date each record shows, None where it shows none; dates within the titles do not count."""
    shown = [found for n, record in enumerate(records) for found in _shown(page, n, record, titles[n], reader)]
    addresses = [address_date(record.link.url) for record in records]
    places = _places(shown)
    for found in places.values():
        _settle(list(found.values()), addresses)
    trust = {place: _trust(list(found.values()), addresses, len(records)) for place, found in places.items()}
    dates = _choose(shown, trust, len(records))
    _complete(page, records, titles, dates, url, reader)
    return dates


def _shown(page: Outline, n: int, record: Record, title: int, reader: DateReader) -> Iterator[_Shown]:
    lead = record.lead if n else max(0, record.start - _FIRST_LEAD)
    for entry in _window(lead, record):
        found = _read(page, entry, reader)
        if found is not None:
            options, alone, machine = found
            if _inside(page, entry, title) and (not alone or entry == title or page.ends[title] - title < 3):
                continue
            owner = page.parents[entry] if page.tags[entry] == TEXT else entry
            above = entry < record.start or (record.closing and entry < title)
            side = "lead" if above else "before" if entry < title else "after"
            words = page.words(owner) | page.words(max(0, page.parents[owner]))
            named = bool(words & _DATE_WORDS) or page.tags[owner] == "time"
            place = (side, machine, *_place(page, owner))
            yield _Shown(n, place, options, alone, machine, named, bool(words & _CHANGED_WORDS))


def _inside(page: Outline, entry: int, title: int) -> bool:
    return 0 <= title <= entry < page.ends[title]


def _window(lead: int, record: Record) -> Iterator[int]:
    yield from range(max(lead, record.start - _FIRST_LEAD), record.start)
    if record.end - record.start <= 2 * _MOST_ENTRIES:
        yield from range(record.start, record.end)
        return
    yield from range(record.start, record.start + _MOST_ENTRIES)
    yield from range(record.end - _MOST_ENTRIES, record.end)


def _place(page: Outline, entry: int) -> Place:
    found: list[object] = []
    for place in (entry, max(0, page.parents[entry])):
        found += [page.tags[place], stable_names(page.attributes[place].get("class") or "")]
    return tuple(found)


def _read(page: Outline, entry: int, reader: DateReader) -> tuple[Options, bool, bool] | None:
    """The date an entry gives: its readings, whether the text is only that, whether it was written for machines."""
    if page.tags[entry] == TEXT:
        text = page.texts[entry]
        return _read_text(text, reader) if len(text) <= _LONGEST else None
    attributes = page.attributes[entry]
    about = (attributes.get("itemprop") or "").lower()
    for name in _MACHINE_ATTRIBUTES if attributes else ():
        value = attributes.get(name)
        if value and _DIGIT.search(value) and (name != "content" or "date" in about):
            moment = parse_machine_date(value)
            if moment is not None and moment.precision not in _VAGUE:
                return [("yMd", moment)], True, True
    return _read_pieces(page, entry, reader)


def _read_text(text: str, reader: DateReader) -> tuple[Options, bool, bool] | None:
    found = reader.first(text)
    return (list(found[0]), len(text) - (found[2] - found[1]) <= 12, False) if found else None


def _read_pieces(page: Outline, entry: int, reader: DateReader) -> tuple[Options, bool, bool] | None:
    """A date spread over several elements: day, month and year each in a box of their own."""
    end = page.ends[entry]
    if not 2 < end - entry <= 14 or page.length(entry, end) > 40:
        return None
    pieces = [text for text in page.texts[entry:end] if text]
    if len(pieces) < 2 or any(reader.first(piece) for piece in pieces):
        return None
    return _read_text(" ".join(pieces), reader)


def _places(shown: list[_Shown]) -> dict[Place, dict[int, _Shown]]:
    """What each place gives for each record: the first date in a record, the last one before it."""
    places: dict[Place, dict[int, _Shown]] = defaultdict(dict)
    for found in shown:
        if found.place[0] == "lead" or found.record not in places[found.place]:
            places[found.place][found.record] = found
    return places


def _settle(found: list[_Shown], addresses: list[Moment | None]) -> None:
    """03/04/2013 is read the way that fits all dates of the place: days over 12, addresses, falling order."""
    orders = Counter(order for item in found for order, _ in item.options)
    if len(orders) < 2:
        return
    ranks = {order: rank for rank, (order, _) in reversed(list(enumerate(o for item in found for o in item.options)))}
    best = max(orders, key=lambda order: (orders[order], _fit(found, order, addresses), -ranks[order]))
    for item in found:
        item.options.sort(key=lambda option: option[0] != best)


def _fit(found: list[_Shown], order: str, addresses: list[Moment | None]) -> float:
    moments = [(item.record, moment) for item in found for this, moment in item.options if this == order]
    agree = sum(_agrees(moment, address) for n, moment in moments if (address := addresses[n]) is not None)
    return agree + _in_order([moment.day for _, moment in moments])


def _in_order(days: list[date]) -> float:
    if len(days) < 3:
        return 0.5
    falling = sum(a >= b for a, b in pairwise(days)) / (len(days) - 1)
    return max(falling, 1 - falling)


def _trust(found: list[_Shown], addresses: list[Moment | None], count: int) -> float:
    """How far to trust a place: many records show it, it is marked as a date, in order, borne out by addresses."""
    size = len(found)
    score = size / max(1, count) + 0.3 * sum(f.machine for f in found) / size + 0.3 * sum(f.named for f in found) / size
    score += 0.4 * sum(f.alone for f in found) / size - 0.6 * sum(f.changed for f in found) / size
    score -= 0.5 * sum(f.moment.precision in _VAGUE for f in found) / size
    score += 0.4 * _in_order([f.moment.day for f in found]) - 0.2
    agree = [_agrees(f.moment, address) for f in found if (address := addresses[f.record]) is not None]
    return score + (0.8 * sum(agree) / len(agree) - 0.4 if agree else 0.0)


def _agrees(moment: Moment, address: Moment) -> bool:
    near = abs((moment.day - address.day).days)
    return near <= 1 if address.precision == "day" else near <= 32


def _choose(shown: list[_Shown], trust: dict[Place, float], count: int) -> list[Moment | None]:
    best: list[tuple[float, Moment] | None] = [None] * count
    for found in shown:
        if found.moment.precision in _VAGUE or trust[found.place] <= _LEAST_TRUST:
            continue
        value, current = trust[found.place], best[found.record]
        newer = found.place[0] == "lead" and current is not None and value >= current[0]
        if current is None or value > current[0] or newer:
            best[found.record] = (value, found.moment)
    return _carried(shown, best)


def _carried(shown: list[_Shown], best: list[tuple[float, Moment] | None]) -> list[Moment | None]:
    """A date above several posts of one day holds until the next one."""
    under_date = {found.record for found in shown if found.place[0] == "lead" and found.moment.precision not in _VAGUE}
    dates: list[Moment | None] = []
    for n, choice in enumerate(best):
        if choice is None and n - 1 in under_date:
            under_date.add(n)
            dates.append(dates[-1])
        else:
            dates.append(choice[1] if choice else None)
    return dates


def _complete(
    page: Outline, records: list[Record], titles: list[int], dates: list[Moment | None], url: str, reader: DateReader
) -> None:
    """Days and months without a year get it from the heading above, the post's address or the page's address."""
    if all(dates):
        return
    year, month = _year_of(url), _month_of(url)
    for n, record in enumerate(records):
        lead = record.lead if n else max(0, record.start - _FIRST_LEAD)
        for entry in range(max(lead, record.start - _FIRST_LEAD), max(titles[n], record.start)):
            year, month = _period(page.texts[entry], year, month, reader)
        known = _year_of(record.link.url) or year
        if dates[n] is None and known:
            dates[n] = _partial(page, record, titles[n], (known, month), reader)


def _year_of(url: str) -> int | None:
    found = _URL_YEAR.search(url)
    return int(found[1]) if found else None


def _month_of(url: str) -> int | None:
    found = _URL_MONTH.search(url)
    return int(found[2]) if found else None


def _period(text: str, year: int | None, month: int | None, reader: DateReader) -> tuple[int | None, int | None]:
    """The year and month that hold from a heading on."""
    if not text or len(text) > 40:
        return year, month
    found = _YEAR.search(text)
    if found is None:
        named = reader.first(f"{text} {year}") if year and len(text) <= 20 and not _DIGIT.search(text) else None
        return year, (named[0][0][1].day.month if named and named[0][0][1].precision == "month" else month)
    read = reader.first(text)
    if read is None:
        rest = text.replace(found[1], "", 1)
        return (year, month) if _DIGIT.search(rest) and len(rest) > 5 else (int(found[1]), None)
    moment = read[0][0][1]
    return (moment.day.year, moment.day.month) if moment.precision == "month" else (year, month)


def _partial(
    page: Outline, record: Record, title: int, period: tuple[int, int | None], reader: DateReader
) -> Moment | None:
    for entry in _window(record.lead, record):
        if _inside(page, entry, title):
            continue
        end = page.ends[entry]
        if end - entry > 10 or not 0 < page.length(entry, end) + len(page.texts[entry]) <= 60:
            continue
        text = page.text(entry, end)
        year, month = period if entry < title else (period[0], None)
        found = _with_period(text, year, month, reader) if len(text) <= 40 and _DIGIT.search(text) else None
        if found is not None:
            return found
    return None


def _with_period(text: str, year: int, month: int | None, reader: DateReader) -> Moment | None:
    found = reader.in_year(text, year)
    if found is not None:
        return found
    if month and (lone := _LONE_DAY.match(text)):
        return _day(year, month, int(lone[1]), text)
    if two := _TWO_NUMBERS.match(text):
        first, second = int(two[1]), int(two[3])
        if two[2] == "." or first > 12:
            first, second = second, first
        return _day(year, first, second, text)
    return None


def _day(year: int, month: int, day: int, raw: str) -> Moment | None:
    try:
        return Moment(date(year, month, day).isoformat(), "day", raw)
    except ValueError:
        return None
