"""What a feed wishes of its readers: how long it holds, in which hours and on which days nobody need come."""

from __future__ import annotations

import re
from dataclasses import dataclass

# What stands outside the entries of a feed is short; of a page that only pretends to be one, no
# more is searched.
SEARCHED = 64 * 1024
ENTRY = re.compile(rb"<(?:item|entry)[\s>]", re.IGNORECASE)
ENTRY_END = re.compile(rb"</(?:item|entry)\s*>", re.IGNORECASE)
TTL = re.compile(rb"<ttl\s*>\s*(\d{1,9})\s*</ttl\s*>", re.IGNORECASE)
PERIOD = re.compile(rb"<sy:updatePeriod\s*>\s*([a-z]{1,9})\s*</sy:updatePeriod\s*>", re.IGNORECASE)
FREQUENCY = re.compile(rb"<sy:updateFrequency\s*>\s*(\d{1,4})\s*</sy:updateFrequency\s*>", re.IGNORECASE)
HOUR = re.compile(rb"<hour\s*>\s*(\d{1,2})\s*</hour\s*>", re.IGNORECASE)
DAY = re.compile(rb"<day\s*>\s*((?:mon|tues|wednes|thurs|fri|satur|sun)day)\s*</day\s*>", re.IGNORECASE)
MINUTE, HOURS_A_DAY = 60, 24
PERIODS = {"hourly": 3600, "daily": 86_400, "weekly": 604_800, "monthly": 2_592_000, "yearly": 31_536_000}


@dataclass(frozen=True, slots=True)
class FeedWishes:
    """Seconds, hours of the day in UTC, names of days in small letters."""

    ttl: int | None = None
    update_period: int | None = None
    skip_hours: tuple[int, ...] = ()
    skip_days: tuple[str, ...] = ()


def feed_wishes(content: bytes) -> FeedWishes:
    """What stands outside a feed's entries; nothing where it says nothing of the kind."""
    about = outside_entries(content)
    ttl, period, frequency = TTL.search(about), PERIOD.search(about), FREQUENCY.search(about)
    seconds = PERIODS.get(period[1].decode().lower()) if period else None
    times = max(1, int(frequency[1])) if frequency else 1
    # Some number the hours from 1 to 24.
    hours = {int(hour) % HOURS_A_DAY for hour in HOUR.findall(about) if int(hour) <= HOURS_A_DAY}
    return FeedWishes(
        ttl=int(ttl[1]) * MINUTE if ttl else None,
        update_period=seconds // times if seconds else None,
        skip_hours=tuple(sorted(hours)),
        skip_days=tuple(dict.fromkeys(day.decode().lower() for day in DAY.findall(about))),
    )


def entry_count(content: bytes) -> int:
    """How many entries a feed in XML has, counted without reading them."""
    return sum(1 for _entry in ENTRY.finditer(content))


def outside_entries(content: bytes) -> bytes:
    """What a feed says of itself, before and after its entries."""
    first = ENTRY.search(content)
    head = content[: first.start()] if first else content
    tail = content[-SEARCHED:] if first else b""
    ends = [end.end() for end in ENTRY_END.finditer(tail)]
    return head[:SEARCHED] + (tail[ends[-1] :] if ends else b"")
