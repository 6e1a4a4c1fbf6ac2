"""What 03/04/2013 means where no feed dates the posts: pages of the thirteenth and later tell."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from blogforever.learn.samples import Sample
from blogforever.model import Moment

_NUMBERS = re.compile(
    r"(?<!\d)(?P<first>\d{1,2})(?P<sign>[/.-])(?P<second>\d{1,2})(?P=sign)"
    r"(?P<year>(?:19|20)\d\d)(?!\d)",
)
_MONTHS = 12
# Pages that must show which number is the day; one may be misread.
_FEWEST = 2


@dataclass(frozen=True, slots=True)
class _Written:
    """A page whose day was read from two small numbers and a year, and what they are."""

    sample: Sample
    moment: Moment
    first: int
    second: int
    year: str

    @property
    def day_first(self) -> bool | None:
        """Whether the first number must be the day; None where either may be."""
        return _day_first(self.first, self.second)

    def read(self, *, day_first: bool) -> Moment:
        """The moment with the day that the numbers tell in this order."""
        day, month = (self.first, self.second) if day_first else (self.second, self.first)
        told = f"{self.year}-{month:02d}-{day:02d}"
        return replace(self.moment, iso=told + self.moment.iso[len(told) :])


def settle_day_order(samples: Sequence[Sample]) -> None:
    """Read the days that generic extraction found in the one order that some pages show."""
    written = [one for sample in samples if sample.taught for one in _written(sample)]
    orders = _orders(written, samples) if written else []
    if len(orders) < _FEWEST or len(set(orders)) > 1:
        return
    for one in written:
        if one.day_first is None and one.sample.entry:
            one.sample.entry = replace(one.sample.entry, published=one.read(day_first=orders[0]))


def _orders(written: Sequence[_Written], samples: Sequence[Sample]) -> list[bool]:
    """Whether the day comes first, by the days that were read; where none of them shows it, by any on the pages."""
    of_days = [one.day_first for one in written if one.day_first is not None]
    return of_days or [order for order in map(_order_shown, samples) if order is not None]


def _order_shown(sample: Sample) -> bool | None:
    """The one order that a page writes days in, whatever they are the days of; None where it does not show."""
    texts = (text for *_place, text in sample.tree.texts)
    numbers = (found for text in texts for found in _NUMBERS.finditer(text))
    orders = {_day_first(int(found["first"]), int(found["second"])) for found in numbers} - {None}
    return orders.pop() if len(orders) == 1 else None


def _day_first(first: int, second: int) -> bool | None:
    """Whether the first of two numbers must be the day; None where either may be, or neither."""
    if min(first, second) > _MONTHS or max(first, second) <= _MONTHS:
        return None
    return first > _MONTHS


def _written(sample: Sample) -> Iterator[_Written]:
    """How a page writes its day, if by numbers that either order may fit."""
    moment = sample.entry.published if sample.entry else None
    found = _NUMBERS.search(moment.raw or "") if moment and moment.precision != "month" else None
    if moment is None or found is None or not moment.iso.startswith(found["year"]):
        return
    first, second = int(found["first"]), int(found["second"])
    if 0 < min(first, second) <= _MONTHS:
        yield _Written(sample, moment, first, second, found["year"])
