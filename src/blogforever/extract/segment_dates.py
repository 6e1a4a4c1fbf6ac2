"""The date of each record of a list page: where most records show theirs.

What is missing is completed by headings and addresses (`segment_years.py`).
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Literal

from blogforever.dates import MACHINE_ATTRIBUTES, address_date, parse_machine_date
from blogforever.elements import word_set
from blogforever.extract.segment_outline import TEXT, Outline, stable_names
from blogforever.extract.segment_reader import VAGUE, DateReader, Options
from blogforever.extract.segment_records import Record
from blogforever.extract.segment_years import complete_dates, in_order, is_inside, window_of
from blogforever.model import Moment

Side = Literal["lead", "before", "after"]
"""Where a date stands: above the record, in it before the title, or after the title."""
Place = tuple[Side, bool, object]
"""The side, whether the date is written for machines, and the tags and class names around it."""

_DATE_WORDS = word_set(
    "date dates datetime time timestamp published pubdate posted postdate postmeta meta day month "
    "year created dateline datum fecha data"
)
_CHANGED_WORDS = word_set("updated modified lastmod update edited")
_DIGIT = re.compile(r"\d")

# Characters of a text in which a date is looked for; a longer one is the post's own.
_LONGEST_TEXT = 160
# A date in boxes of their own for day, month and year: its entries, and its characters.
_FEWEST_PIECES, _MOST_PIECES = 3, 14
_LONGEST_PIECES = 40
# Entries of a title that is the date's own element: the title, and a text or a link in it.
_TITLE_ALONE = 3

# --- how far a place is trusted: many records show a date there, and it looks like theirs

_MACHINE_WEIGHT = 0.3
_NAMED_WEIGHT = 0.3
# A text that is only a date is a date line; one with more in it may be a sentence.
_ALONE_WEIGHT = 0.4
# Taken off: the date of the last change is not the one of the post.
_CHANGED_WEIGHT = 0.6
# Taken off: a month alone heads an archive.
_VAGUE_WEIGHT = 0.5
# Posts are listed by date: dates in order gain what dates in disorder lose.
_ORDER_WEIGHT, _USUAL_ORDER = 0.4, 0.2
# The same for those that the posts' addresses bear out.
_ADDRESS_WEIGHT, _USUAL_ADDRESS = 0.8, 0.4
_LEAST_TRUST = 0.45
# Days between a date and its address that zones and months without a day explain.
_ONE_DAY_OFF, _ONE_MONTH_OFF = 1, 32


@dataclass(slots=True)
class _Shown:
    """A date that a record shows."""

    record: int
    place: Place
    options: Options
    alone: bool  # the text is little more than the date
    machine: bool
    named: bool  # class names or markup say that it is a date
    changed: bool  # ... of the last change

    @property
    def moment(self) -> Moment:
        """The date as it is read for now."""
        return self.options[0][1]

    @property
    def vague(self) -> bool:
        """Whether it is a month or a year without a day."""
        return self.moment.precision in VAGUE

    @property
    def above(self) -> bool:
        """Whether it stands above its record."""
        return self.place[0] == "lead"


@dataclass(frozen=True, slots=True)
class _ReadDate:
    """What an entry says: a date, whether nothing else, and whether to machines."""

    options: Options
    alone: bool
    machine: bool


def shown_dates(
    page: Outline, records: list[Record], titles: list[int], url: str, reader: DateReader
) -> list[Moment | None]:
    """The date each record shows, None where it shows none.

    A date within its title does not count.
    """
    shown: list[_Shown] = []
    for n, record in enumerate(records):
        shown += _dates_of(page, n, record, titles[n], reader)
    addresses = [address_date(record.link.url) for record in records]
    trust: dict[Place, float] = {}
    for place, dates_there in _by_place(shown).items():
        _settle(dates_there, addresses)
        trust[place] = _trust(dates_there, addresses, len(records))
    dates = _choose(shown, trust, len(records))
    complete_dates(page, records, titles, dates, url, reader)
    return dates


# --- the dates of one record


def _dates_of(
    page: Outline,
    n: int,
    record: Record,
    title: int,
    reader: DateReader,
) -> Iterator[_Shown]:
    """The dates that the n-th record shows."""
    for entry in window_of(record, first=n == 0):
        found = _read(page, entry, reader)
        if found is None or _is_part_of_title(page, entry, title, found):
            continue
        owner = page.parents[entry] if page.tags[entry] == TEXT else entry
        words = page.words(owner) | page.words(max(0, page.parents[owner]))
        yield _Shown(
            record=n,
            place=(_side(record, entry, title), found.machine, _around(page, owner)),
            options=found.options,
            alone=found.alone,
            machine=found.machine,
            named=bool(words & _DATE_WORDS) or page.tags[owner] == "time",
            changed=bool(words & _CHANGED_WORDS),
        )


def _is_part_of_title(page: Outline, entry: int, title: int, found: _ReadDate) -> bool:
    """Whether a date belongs to the title's words, and has no element of its own in the title."""
    if not is_inside(page, entry, title):
        return False
    is_whole_title = entry == title or page.ends[title] - title < _TITLE_ALONE
    return is_whole_title or not found.alone


def _side(record: Record, entry: int, title: int) -> Side:
    closing_lead = record.closing and entry < title
    if entry < record.start or closing_lead:
        return "lead"
    return "before" if entry < title else "after"


def _around(page: Outline, entry: int) -> tuple[object, ...]:
    """The tags and stable class names of an element and the one around it."""
    around: list[object] = []
    for element in (entry, max(0, page.parents[entry])):
        names = page.attributes[element].get("class") or ""
        around += [page.tags[element], stable_names(names)]
    return tuple(around)


def _read(page: Outline, entry: int, reader: DateReader) -> _ReadDate | None:
    """The date an entry gives: a text, an attribute, or pieces of one in several elements."""
    if page.tags[entry] == TEXT:
        text = page.texts[entry]
        return _read_text(text, reader) if len(text) <= _LONGEST_TEXT else None
    attributes = page.attributes[entry]
    moment = _machine_date(attributes) if attributes else None
    if moment is not None:
        return _ReadDate([("yMd", moment)], alone=True, machine=True)
    return _read_pieces(page, entry, reader)


def _machine_date(attributes: dict[str, str | None]) -> Moment | None:
    """The day in an attribute that scripts and readers of mark-up look at."""
    about = (attributes.get("itemprop") or "").lower()
    for name in MACHINE_ATTRIBUTES:
        value = attributes.get(name)
        is_other_content = name == "content" and "date" not in about
        if not value or is_other_content or not _DIGIT.search(value):
            continue
        moment = parse_machine_date(value)
        if moment is not None and moment.precision not in VAGUE:
            return moment
    return None


def _read_text(text: str, reader: DateReader) -> _ReadDate | None:
    written = reader.first(text)
    if written is None:
        return None
    return _ReadDate(list(written.options), alone=written.is_nearly(text), machine=False)


def _read_pieces(page: Outline, entry: int, reader: DateReader) -> _ReadDate | None:
    """A date spread over several elements: day, month and year each in a box of their own."""
    end = page.ends[entry]
    if not _FEWEST_PIECES <= end - entry <= _MOST_PIECES:
        return None
    if page.length(entry, end) > _LONGEST_PIECES:
        return None
    pieces = [text for text in page.texts[entry:end] if text]
    if len(pieces) < 2 or any(reader.first(piece) for piece in pieces):
        return None
    return _read_text(" ".join(pieces), reader)


# --- the places where records show dates


def _by_place(shown: list[_Shown]) -> dict[Place, list[_Shown]]:
    """What each place gives for each record: the first date in a record, the last one before it."""
    places: dict[Place, dict[int, _Shown]] = defaultdict(dict)
    for found in shown:
        if found.above or found.record not in places[found.place]:
            places[found.place][found.record] = found
    return {place: list(by_record.values()) for place, by_record in places.items()}


def _settle(shown: list[_Shown], addresses: list[Moment | None]) -> None:
    """Read 03/04/2013 the way that fits all dates of the place.

    What tells are days over 12, addresses, and dates that fall or rise.
    """
    orders = [order for found in shown for order, _ in found.options]
    votes = Counter(orders)
    if len(votes) < 2:
        return

    def likelihood(order: str) -> tuple[int, float, int]:
        return votes[order], _fit(shown, order, addresses), -orders.index(order)

    best = max(votes, key=likelihood)
    for found in shown:
        found.options.sort(key=lambda option: option[0] != best)


def _fit(shown: list[_Shown], order: str, addresses: list[Moment | None]) -> float:
    """How well dates fit addresses and each other, read in this order of day, month and year."""
    days: list[date] = []
    agreeing = 0
    for found in shown:
        for own_order, moment in found.options:
            if own_order != order:
                continue
            days.append(moment.day)
            address = addresses[found.record]
            agreeing += address is not None and _agrees(moment, address)
    return agreeing + in_order(days)


def _agrees(moment: Moment, address: Moment) -> bool:
    """Whether a date is the one of an address, as near as the address tells it."""
    apart = abs((moment.day - address.day).days)
    return apart <= (_ONE_DAY_OFF if address.precision == "day" else _ONE_MONTH_OFF)


def _trust(shown: list[_Shown], addresses: list[Moment | None], records: int) -> float:
    """How far to trust a place.

    Many records show it, it is marked as a date, in order, and borne out by addresses.
    """
    score = len(shown) / max(1, records)
    score += _weighed(_MACHINE_WEIGHT, [found.machine for found in shown])
    score += _weighed(_NAMED_WEIGHT, [found.named for found in shown])
    marked = _weighed(_ALONE_WEIGHT, [found.alone for found in shown])
    score += marked - _weighed(_CHANGED_WEIGHT, [found.changed for found in shown])
    score -= _weighed(_VAGUE_WEIGHT, [found.vague for found in shown])
    score += _ORDER_WEIGHT * in_order([found.moment.day for found in shown]) - _USUAL_ORDER
    return score + _borne_out(shown, addresses)


def _borne_out(shown: list[_Shown], addresses: list[Moment | None]) -> float:
    """What the addresses that have a date say for or against a place."""
    agreeing = []
    for found in shown:
        address = addresses[found.record]
        if address is not None:
            agreeing.append(_agrees(found.moment, address))
    return _weighed(_ADDRESS_WEIGHT, agreeing) - _USUAL_ADDRESS if agreeing else 0.0


def _weighed(weight: float, tests: list[bool]) -> float:
    """The share of tests that came out true, times their weight."""
    return weight * sum(tests) / len(tests)


# --- the date of each record


def _choose(shown: list[_Shown], trust: dict[Place, float], records: int) -> list[Moment | None]:
    """The date of the most trusted place; of dates above a record the one nearest to it."""
    best: list[tuple[float, Moment] | None] = [None] * records
    for found in shown:
        value, current = trust[found.place], best[found.record]
        if found.vague or value <= _LEAST_TRUST:
            continue
        is_better = current is None or value > current[0]
        is_nearer = found.above and current is not None and value >= current[0]
        if is_better or is_nearer:
            best[found.record] = (value, found.moment)
    return _carried(shown, best)


def _carried(shown: list[_Shown], best: list[tuple[float, Moment] | None]) -> list[Moment | None]:
    """The same, where a date above several posts of one day holds until the next one."""
    under_date = {found.record for found in shown if found.above and not found.vague}
    dates: list[Moment | None] = []
    for n, choice in enumerate(best):
        if choice is not None:
            dates.append(choice[1])
        elif n - 1 in under_date:
            under_date.add(n)
            dates.append(dates[-1])
        else:
            dates.append(None)
    return dates
