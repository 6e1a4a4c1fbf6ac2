"""What becomes of pings: sifted as they come, kept before anybody is thanked, then looked at one after the other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from threading import Lock
from time import monotonic

from blogforever import clock
from blogforever.errors import UsageError
from blogforever.fetch.services import service_hosts
from blogforever.ping.filters import FilterTree
from blogforever.ping.notice import Notice
from blogforever.ping.sieve import NOT_LISTED, Sieve, Sifted
from blogforever.source.address import blog_name
from blogforever.source.given import GivenRow
from blogforever.source.typed import given_address
from blogforever.storage.blocklist import BlockList
from blogforever.storage.counting import HourCount, this_hour
from blogforever.storage.following import FollowedBlog, SourceRow
from blogforever.storage.pings import PingPackage, PingRow, PingServer
from blogforever.storage.tables import Store
from blogforever.storage.work import PING, JobKind, NewJob
from blogforever.wording import N_

from .adding import WILLING, AddRequest, add_sources
from .desk import Desk
from .pings import tree_of
from .routing import candidates

# Seconds after which filters and known hosts are read again: other processes may have changed them.
REFRESHED = 5.0
# Pings that are followed up in one go.
AT_ONCE = 500
# Time after a look that a ping asked for in which the next ping waits: blogs ping every server they
# know, and all of that is one look.
NEXT_AFTER = timedelta(seconds=20)
# The last pings, which stay to be looked at and to try filters on.
REMEMBERED = 100_000
# Dead letters among them, and packages, which stay longer: people look at them, and they are small.
MOST_DEAD = 10_000
# Folders above an address that may be the home of its blog.
HIGHEST = 6
# Letters of a moment that name its minute, and its second.
MINUTE, SECOND = len("2026-11-16T09:30"), len("2026-11-16T09:30:00")
# Under which name hits of a filter are counted, hour by hour.
HITS = "hits"
# States in which a blog is looked at when it pings: also while it is harvested, as what is new may
# have come behind the harvest.
HEARD = (*WILLING, "waiting", "analysing", "harvesting")
ORIGIN = "ping"
BY_PING = "ping"


@dataclass(slots=True)
class PingReceiver:
    """Takes in the pings of all servers, from any thread."""

    store: Store
    _read: float = float("-inf")
    _lock: Lock = field(default_factory=Lock)
    _tree: FilterTree = field(default_factory=lambda: FilterTree(()))
    _known: frozenset[str] = frozenset()
    _sieves: dict[PingServer, Sieve] = field(default_factory=dict)

    def receive(self, server: PingServer, notices: Sequence[Notice], malformed: int = 0, package: str = "") -> Sifted:
        """Keep those that lead to a look, count the others; when it returns, no crash loses any of
        them. They belong to a package that began at some moment, or to that of this minute.
        """
        with self._lock:
            self._refresh()
            sifted = self._sieve(server).sift(notices, clock.now().timestamp())
        now = clock.stamp()
        with self.store.transaction():
            self.store.pings.add(_rows(sifted, self._tree, server.id, now))
            self.store.pings.count(_package(sifted, server.id, malformed, package or minute_of(now)))
            self.store.ping_filters.hit(sifted.hits, now)
            self.store.counters.add(this_hour(), _counts(sifted, server.id, malformed))
        return sifted

    def forget(self) -> None:
        """Filters have changed: they act at once."""
        self._read = float("-inf")

    def _refresh(self) -> None:
        if monotonic() - self._read < REFRESHED:
            return
        self._read = monotonic()
        self._tree = tree_of(self.store.ping_filters.all())
        self._known = self.store.followed.hosts()
        for sieve in self._sieves.values():
            sieve.use(self._tree, self._known)

    def _sieve(self, server: PingServer) -> Sieve:
        if server not in self._sieves:
            # Of a server that was changed the sieve before goes: what it had heard is heard again,
            # once.
            self._sieves = {one: sieve for one, sieve in self._sieves.items() if one.id != server.id}
            self._sieves[server] = Sieve(self._tree, self._known, is_limited=server.is_limited, shared=service_hosts())
        return self._sieves[server]


def _rows(sifted: Sifted, tree: FilterTree, server: str, now: str) -> Iterator[PingRow]:
    """What is kept of pings; one that a filter let in says by which."""
    for notice in sifted.known:
        yield _row(notice, server, now)
    for notice in sifted.unknown:
        verdict = tree.decide(notice)
        yield replace(_row(notice, server, now), reason=verdict.reason, filter=verdict.by or "")
    for notice, reason in sifted.left:
        yield replace(_row(notice, server, now), state="dropped", reason=reason)


def _row(notice: Notice, server: str, now: str) -> PingRow:
    return PingRow(now, server, notice.url, notice.name, notice.feed, notice.service)


def _counts(sifted: Sifted, server: str, malformed: int) -> Iterator[HourCount]:
    told = {
        "received": sifted.received,
        "malformed": malformed,
        "known": len(sifted.known),
        "unknown": len(sifted.unknown),
    }
    for what, number in (*told.items(), *sifted.dropped.items()):
        if number:
            yield HourCount("pings", f"{server}/{what}", number)
    for one, number in sifted.hits.items():
        yield HourCount("filters", f"{one}/{HITS}", number)


def minute_of(now: str) -> str:
    """The beginning of the minute of a moment, written as moments are."""
    return f"{now[:MINUTE]}:00{now[SECOND:]}"


def _package(sifted: Sifted, server: str, malformed: int, at: str) -> PingPackage:
    filtered = sifted.dropped.total()
    return PingPackage(at, server, sifted.received, malformed, filtered, len(sifted.known), len(sifted.unknown))


def follow_up(desk: Desk) -> int:
    """Look at the blogs whose pings wait, and take in those that are new; how many pings there
    were.
    """
    rows = desk.store.pings.waiting(AT_ONCE)
    if not rows:
        return 0
    asked = [_Asked.of(row) for row in rows]
    blogs = _blogs_of(desk.store, asked)
    blocked = BlockList(desk.store.blocked.all())
    unknown = []
    for one in asked:
        if blog := blogs.get(one.row.id):
            _look(desk.store, one.row, blog)
        elif reason := one.problem or _why_not(one, blocked):
            desk.store.pings.settle([one.row.id], "dropped", reason)
        else:
            unknown.append(one)
    if unknown:
        _take_in(desk, unknown)
    return len(rows)


@dataclass(frozen=True, slots=True)
class _Asked:
    """A ping that waits, and where its blog may be known."""

    row: PingRow
    url: str = ""
    problem: str = ""
    name: str = ""
    places: tuple[str, ...] = ()

    @classmethod
    def of(cls, row: PingRow) -> _Asked:
        url, problem = given_address(row.url)
        if problem:
            return cls(row, problem=problem)
        return cls(row, url, "", blog_name(url), tuple(dict.fromkeys(_places(url, row.feed))))

    @property
    def names(self) -> set[str]:
        """The ids that its blog may have."""
        return {self.row.blog, self.name} - {""}

    def given(self, number: int) -> GivenRow:
        """The same as a row that somebody gave."""
        feed, problem = given_address(self.row.feed) if self.row.feed else ("", "")
        feeds = (feed,) if feed and not problem and feed != self.url else ()
        return GivenRow(number, self.row.url, self.url, title=self.row.name, feeds=feeds)


def _blogs_of(store: Store, asked: Sequence[_Asked]) -> dict[int, FollowedBlog]:
    """The followed blogs that pings are of, by the number of the ping."""
    followed = store.followed.known({place for one in asked for place in one.places})
    # What a hub delivers is of the blog that was subscribed to, wherever its feed lies.
    named = {blog.id: blog for blog in store.followed.some({name for one in asked for name in one.names})}
    found = ((one.row.id, named.get(one.row.blog) or _first_of(one, followed) or named.get(one.name)) for one in asked)
    return {number: blog for number, blog in found if blog}


def _first_of(one: _Asked, followed: Mapping[str, FollowedBlog]) -> FollowedBlog | None:
    """The blog at the nearest place."""
    return next((followed[place] for place in one.places if place in followed), None)


def _places(url: str, feed: str) -> Iterator[str]:
    """Every address by which the blog of a ping may be known: what was pinged, and the folders
    above it.
    """
    yield from candidates(GivenRow(0, url, url, feeds=(feed,) if feed else ()))
    place = url.partition("?")[0].partition("#")[0].rstrip("/")
    for _ in range(HIGHEST):
        place = place.rpartition("/")[0]
        if place.endswith("/") or ":" not in place:
            return
        yield f"{place}/"


def _why_not(one: _Asked, blocked: BlockList) -> str:
    """Why a ping of a blog that nobody follows leads to nothing; empty where it leads to a new
    source.
    """
    if place := blocked.blocking(one.url):
        return place.reason or N_(f"blocked: {place.what}")
    return "" if one.row.filter or one.row.reason else NOT_LISTED


def _look(store: Store, row: PingRow, blog: FollowedBlog) -> None:
    """Have a followed blog looked at, before what only the schedule wants."""
    if blog.paused or blog.state not in HEARD:
        store.pings.settle([row.id], "dropped", N_(f"its blog {blog.id} is {blog.state}"), blog.id)
        return
    kind: JobKind = "update" if blog.blog else "harvest"
    with store.transaction():
        store.followed.change(blog.id, lambda one: replace(one, pings=one.pings + 1))
        store.jobs.put(NewJob(kind, blog.id, PING, _due(store, blog), asked_by=BY_PING), clock.stamp())
        store.pings.settle([row.id], "done", N_("looked at"), blog.id)


def _due(store: Store, blog: FollowedBlog) -> str:
    """When a pinged blog is looked at; empty where that is at once, as nearly always."""
    after = datetime.fromisoformat(blog.last_look) + NEXT_AFTER if blog.last_look else clock.now()
    was_just_looked_at = after > clock.now()
    if not was_just_looked_at or store.schedule.looks(blog.id)[-1].cause != "ping":
        return ""
    return after.isoformat(timespec="seconds")


def _take_in(desk: Desk, unknown: Sequence[_Asked]) -> None:
    """Add blogs that a filter let in, as if a person had: what is none of them, the first harvest
    finds out.
    """
    request = AddRequest([one.given(number) for number, one in enumerate(unknown, start=1)], ORIGIN, is_by_hand=False)
    try:
        added = add_sources(desk, request)
    except (UsageError, ValueError) as error:
        _bury(desk, unknown, str(error))
        return
    _settle(desk.store, unknown, added.rows)


def _bury(desk: Desk, unknown: Sequence[_Asked], error: str) -> None:
    """Some of these cannot be taken in: those it is are dead letters, the others are taken in."""
    if len(unknown) == 1:
        desk.store.pings.settle([unknown[0].row.id], "failed", error)
        return
    for one in unknown:
        _take_in(desk, [one])


def _settle(store: Store, unknown: Sequence[_Asked], rows: Iterable[SourceRow]) -> None:
    with store.transaction():
        for one, row in zip(unknown, rows, strict=True):
            is_taken_in = row.verdict in ("new", "known")
            reason = one.row.reason if is_taken_in else row.reason
            store.pings.settle([one.row.id], "done" if is_taken_in else "dropped", reason, row.blog or "")
