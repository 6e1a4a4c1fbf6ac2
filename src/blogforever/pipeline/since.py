"""Only what was published or changed since a day: which addresses are older, by all that tells their dates."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, time

from blogforever.dates.address import address_date
from blogforever.model import Entry
from blogforever.urls import url_key

# The characters of an ISO date without an hour.
BARE_DAY = 10
LAST_MONTH = 12
LAST_SECOND = time(23, 59, 59, tzinfo=UTC)


def moment_of(date: str | None) -> datetime | None:
    """An ISO date as a moment.

    A bare day as its end: a change told so may have come at any hour of it.
    """
    if not date:
        return None
    try:
        if len(date) <= BARE_DAY:
            return _end_of_day(date)
        moment = datetime.fromisoformat(date.replace("Z", "+00:00"))
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _end_of_day(date: str) -> datetime:
    """The last second of a day; of a month or a year, of its first day."""
    year, month, day = [*date.split("-"), "1", "1"][:3]
    return datetime.combine(datetime(int(year), int(month), int(day)), LAST_SECOND)


class Since:
    """What is known of the age of addresses; without a day, nothing is too old."""

    def __init__(self, day: datetime | None = None) -> None:
        self.day = day
        self._newest: dict[str, datetime] = {}

    def __bool__(self) -> bool:
        return self.day is not None

    def note(self, url: str, *dates: str | None) -> None:
        """Dates of a post: published, changed, as a feed, a sitemap, an API or the page itself
        tells them.
        """
        for moment in filter(None, map(moment_of, dates)):
            key = url_key(url)
            self._newest[key] = max(self._newest.get(key, moment), moment)

    def note_entry(self, entry: Entry) -> None:
        """What a feed or an API says of a post."""
        dates = (entry.published, entry.updated)
        self.note(entry.url, *(moment.iso for moment in dates if moment))

    def is_older(self, url: str) -> bool:
        """Whether all that is known of an address says that it is older.

        Of most nothing is known.
        """
        if self.day is None:
            return False
        newest = self._newest.get(url_key(url)) or _address_end(url)
        return newest is not None and newest < self.day

    def all_older(self, urls: Iterable[str]) -> bool:
        """Whether there are any, and each is older."""
        found = [self.is_older(url) for url in urls]
        return bool(found) and all(found)


def _address_end(url: str) -> datetime | None:
    """The last moment of the day or the month that an address names."""
    named = address_date(url)
    if named is None:
        return None
    if named.precision == "day":
        return moment_of(named.iso)
    day = named.day
    if day.month == LAST_MONTH:
        return datetime(day.year + 1, 1, 1, tzinfo=UTC)
    return datetime(day.year, day.month + 1, 1, tzinfo=UTC)
