"""Statistics of pings over any range: of each server what came and followed from it; of each filter what it did."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

from blogforever.schedule.values import Cause
from blogforever.storage.counting import CountName, HourCount, PeriodCount, this_hour
from blogforever.storage.following import FollowedBlog
from blogforever.storage.pings import PingRow
from blogforever.storage.schedule import LookRow
from blogforever.storage.tables import Store

from .pings import list_filters, list_servers
from .statistics import PeriodLength, by_period, counted_in, period_names, range_of

# Under which names it is counted, for each server and each filter, what pings led to.
LOOKS, POSTS, TOLD, SECONDS, MISSED, BLOGS = "looks", "posts", "told", "seconds", "missed", "blogs"
# What is counted of the pings of a server beside the reasons why they were left out.
OUTCOMES = ("received", "malformed", "known", "unknown")


@dataclass(frozen=True, slots=True)
class ServerFigures:
    """Of the pings of a server: how many came; were no pings; were left out, and why; were of
    blogs that are followed; were let in by a filter. Looks they asked for, and new posts these
    found; seconds from such a ping to the end of its look, on average; new posts that other looks
    found, of blogs that ping here: what the pings missed. Blogs that were found by them.
    """

    received: int = 0
    malformed: int = 0
    filtered: int = 0
    known: int = 0
    unknown: int = 0
    looks: int = 0
    posts: int = 0
    delay: float | None = None
    missed: int = 0
    blogs: int = 0
    reasons: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ServerStatistics:
    """The figures of one server, or of one that was dropped."""

    server: str
    name: str
    figures: ServerFigures


@dataclass(frozen=True, slots=True)
class FilterStatistics:
    """Of a filter: how many pings it took, which blogs and posts it led to."""

    filter: str
    name: str
    hits: int = 0
    blogs: int = 0
    posts: int = 0


@dataclass(frozen=True, slots=True)
class PingPeriod:
    """What came in one period, from the servers that were asked about, and what it led to."""

    period: str
    figures: ServerFigures
    hits: int = 0


@dataclass(frozen=True, slots=True)
class PingStatistics:
    """The figures of a range: in sum, of each server, of each filter, and of each period."""

    first: str
    last: str
    by: PeriodLength
    total: ServerFigures
    servers: tuple[ServerStatistics, ...]
    filters: tuple[FilterStatistics, ...]
    periods: tuple[PingPeriod, ...]


Counted = Mapping[str, Mapping[str, int]]
"""What was counted, by server or filter and what it was."""


def ping_statistics(
    store: Store, first: str = "", last: str = "", by: PeriodLength = "day", server: str = ""
) -> PingStatistics:
    """The figures from one year, month, day or hour to another, both included; only of one server,
    where one is named.
    """
    first, last = range_of(first, last)
    names = list(period_names(first, last, by))
    rows = [row for row in counted_in(store, first, last, by) if row.name in ("pings", "pinged", "filters")]
    meant = [row for row in rows if row.name == "filters" or not server or row.label.startswith(f"{server}/")]
    held = by_period(meant)
    return PingStatistics(
        first,
        last,
        by,
        _figures(_together(_counted(meant, "pings")), _together(_counted(meant, "pinged"))),
        tuple(_of_servers(store, meant)),
        tuple(_of_filters(store, rows)),
        tuple(_period(name, held.get(name, ())) for name in names),
    )


def _period(name: str, rows: Iterable[PeriodCount]) -> PingPeriod:
    rows = list(rows)
    figures = _figures(_together(_counted(rows, "pings")), _together(_counted(rows, "pinged")))
    hits = _together(_counted(rows, "filters")).get("hits", 0)
    return PingPeriod(name, figures, hits)


def _of_servers(store: Store, rows: Iterable[PeriodCount]) -> Iterable[ServerStatistics]:
    came, led = _counted(rows, "pings"), _counted(rows, "pinged")
    names = {one.id: one.name for one in list_servers(store)}
    for server in dict.fromkeys((*names, *sorted({*came, *led}))):
        if server in came or server in led:
            figures = _figures(came.get(server, {}), led.get(server, {}))
            yield ServerStatistics(server, names.get(server, server), figures)


def _of_filters(store: Store, rows: Iterable[PeriodCount]) -> Iterable[FilterStatistics]:
    counted = _counted(rows, "filters")
    for one in list_filters(store):
        told = counted.get(one.id, {})
        yield FilterStatistics(one.id, one.name, told.get("hits", 0), told.get(BLOGS, 0), told.get(POSTS, 0))


def _counted(rows: Iterable[PeriodCount], name: str) -> Counted:
    counted: defaultdict[str, defaultdict[str, int]] = defaultdict(lambda: defaultdict(int))
    for row in rows:
        if row.name == name:
            whose, _, what = row.label.partition("/")
            counted[whose][what] += row.number
    return counted


def _together(counted: Counted) -> Mapping[str, int]:
    sums: defaultdict[str, int] = defaultdict(int)
    for told in counted.values():
        for what, number in told.items():
            sums[what] += number
    return sums


def _figures(came: Mapping[str, int], led: Mapping[str, int]) -> ServerFigures:
    reasons = {what: number for what, number in sorted(came.items()) if what not in OUTCOMES}
    told = led.get(TOLD, 0)
    return ServerFigures(
        received=came.get("received", 0),
        malformed=came.get("malformed", 0),
        filtered=sum(reasons.values()),
        known=came.get("known", 0),
        unknown=came.get("unknown", 0),
        looks=led.get(LOOKS, 0),
        posts=led.get(POSTS, 0),
        delay=round(led.get(SECONDS, 0) / told, 1) if told else None,
        missed=led.get(MISSED, 0),
        blogs=led.get(BLOGS, 0),
        reasons=reasons,
    )


def count_pinged(store: Store, before: FollowedBlog, after: FollowedBlog, look: LookRow) -> None:
    """A look has ended, of a blog that pinged: what its pings led to, or missed; in the transaction
    that says so. Of a first harvest it is the blog that is new, and its posts are what a filter
    found.
    """
    ping = store.pings.last_of(after.id)
    if ping is None:
        return
    if before.blog is not None:
        store.counters.add(this_hour(), _named("pinged", ping.server, _led_to(look, ping)))
        return
    is_found = after.blog is not None and bool(ping.filter)
    if is_found:
        store.counters.add(this_hour(), _named("pinged", ping.server, {BLOGS: 1}))
        store.counters.add(this_hour(), _named("filters", ping.filter, {BLOGS: 1, POSTS: look.found}))


def _led_to(look: LookRow, ping: PingRow) -> dict[str, int]:
    caused: Cause = "ping"
    if look.cause != caused:
        return {MISSED: look.found}
    waited = datetime.fromisoformat(look.at) - datetime.fromisoformat(ping.at)
    told = {TOLD: 1, SECONDS: max(0, round(waited.total_seconds()))} if look.found else {}
    return {LOOKS: 1, POSTS: look.found, **told}


def judged_by_filter(store: Store, before: FollowedBlog, after: FollowedBlog) -> None:
    """A filter may want what no ping tells, a platform or a language: a blog that it let in and
    that is known for another since its first harvest waits for a person in Review.
    """
    ping = store.pings.last_of(after.id) if before.blog is None and after.blog is not None else None
    one = store.ping_filters.find(ping.filter) if ping and ping.filter else None
    record = store.blogs.find(after.blog or "") if one else None
    if one is None or record is None:
        return
    why = one.conditions.why_not(after.platform, record.language or "")
    if why:
        reason = f"the filter {one.name!r} let it in, but {why}"
        store.followed.change(
            after.id, lambda blog: replace(blog, state="rejected", reason=reason, said=(), next_look=None)
        )


def _named(name: CountName, whose: str, counts: Mapping[str, int]) -> list[HourCount]:
    return [HourCount(name, f"{whose}/{what}", number) for what, number in counts.items() if number]
