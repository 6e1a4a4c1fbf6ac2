"""Ping servers and filters, for people: made, changed, tried, dropped; every decision is in the journal."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, fields, replace
from datetime import datetime
from typing import Any

from blogforever import clock
from blogforever.errors import UsageError
from blogforever.fetch.posting import checked_target
from blogforever.fetch.services import service_of
from blogforever.ping.filters import (
    ANYTHING,
    DEEPEST,
    MOST_FILTERS,
    Conditions,
    FilterTree,
    PatternKind,
    PingFilter,
    Subject,
    expression_of,
)
from blogforever.ping.notice import Notice, host_of_notice
from blogforever.storage.deciding import PingFilterKept, PingFiltersDropped, PingServerDropped, PingServerKept
from blogforever.storage.pings import FilterHits, PingRow, PingServer, ServerKind, ServerStanding
from blogforever.storage.tables import Store

from .desk import Desk, new_id

MOST_SERVERS = 50
LONGEST_NAME = 200
# Seconds between two looks at a file: its servers publish the last minutes, and are asked by
# others, too.
SHORTEST_EVERY, LONGEST_EVERY = 30, 86_400
# Pings that a filter is tried on, and those of them that are shown.
TRIED_ON = 100_000
SHOWN = 20
HIGHEST_PORT = 65_535
OURS = "ours"
"""The id of our own endpoint, which is always there and cannot be dropped."""


@dataclass(frozen=True, slots=True)
class ServerWish:
    """A server somebody wants pings of."""

    name: str
    kind: ServerKind
    url: str
    every: int = 300
    is_limited: bool = False


@dataclass(frozen=True, slots=True)
class FilterWish:
    """A filter somebody wants."""

    name: str
    pattern: str
    kind: PatternKind = "words"
    subject: Subject = "address"
    excludes: bool = False
    parent: str | None = None
    order: int = 0
    is_on: bool = True
    conditions: Conditions = ANYTHING


@dataclass(frozen=True, slots=True)
class ListedServer(PingServer):
    """A server with how reading it goes."""

    standing: ServerStanding = field(default_factory=lambda: ServerStanding(""))


@dataclass(frozen=True, slots=True)
class ListedFilter(PingFilter):
    """A filter with how often it took a ping."""

    hits: int = 0
    last_hit: str | None = None


@dataclass(frozen=True, slots=True)
class FilterTrial:
    """What filters would have done with the pings that came last: how many of them were tried,
    taken by the one that is asked about, let in by all; some of those that it took; and how many
    blogs a day it would add that nobody follows and no other lets in, or below 0 keep out.
    """

    tried: int
    taken: int
    let_in: int
    examples: tuple[str, ...] = ()
    blogs_a_day: float = 0.0


def list_servers(store: Store) -> list[ListedServer]:
    """Our own endpoint, then all others."""
    others = [server for server in store.ping_servers.all() if server.id != OURS]
    return [listed_server(store, one) for one in (own_endpoint(store), *others)]


def listed_server(store: Store, server: PingServer) -> ListedServer:
    """A server as people see it."""
    return ListedServer(**_said_of(server), standing=store.ping_servers.standing(server.id))


def own_endpoint(store: Store) -> PingServer:
    """The place where blogs ping us: on for blogs that are followed, until somebody says otherwise."""
    return store.ping_servers.find(OURS) or PingServer(
        OURS, "Our own endpoint", "endpoint", is_on=True, is_limited=True
    )


def add_server(desk: Desk, wish: ServerWish) -> PingServer:
    """A server that is off until somebody turns it on."""
    if len(desk.store.ping_servers.all()) >= MOST_SERVERS:
        raise UsageError(f"There are {MOST_SERVERS} ping servers already; drop one first.")
    if wish.kind not in ("changes", "stream"):
        raise UsageError("Our own endpoint is there already; add files or streams of others.")
    made = PingServer(
        new_id(),
        tidy_name(wish.name),
        wish.kind,
        _place(wish.kind, wish.url),
        is_limited=wish.is_limited,
        every=min(max(wish.every, SHORTEST_EVERY), LONGEST_EVERY),
        created=clock.stamp(),
        by=desk.by,
    )
    return _kept(desk, made)


def change_server(
    desk: Desk, server: str, *, is_on: bool | None = None, is_limited: bool | None = None, every: int | None = None
) -> PingServer:
    """Turn a server on or off, limit it to the blogs that are followed or have it find new ones."""
    found = find_server(desk.store, server)
    every = found.every if every is None else min(max(every, SHORTEST_EVERY), LONGEST_EVERY)
    changed = replace(
        found,
        is_on=found.is_on if is_on is None else is_on,
        is_limited=found.is_limited if is_limited is None else is_limited,
        every=every,
    )
    takes_everybody = changed.is_on and not changed.is_limited
    if takes_everybody and not any(one.is_on and not one.excludes for one in desk.store.ping_filters.all()):
        raise UsageError("Without a filter it would take in nothing; make one first, or limit it to the source list.")
    return _kept(desk, changed)


def drop_server(desk: Desk, server: str) -> None:
    """Listen to it no more."""
    if server == OURS:
        raise UsageError("Our own endpoint cannot be dropped; turn it off.")
    found = find_server(desk.store, server)
    desk.decide(PingServerDropped(at=clock.stamp(), by=desk.by, server=found.id))


def find_server(store: Store, server: str) -> PingServer:
    """The server with this id; UsageError where there is none."""
    found = own_endpoint(store) if server == OURS else store.ping_servers.find(server)
    if found is None:
        raise UsageError(f"There is no ping server {server!r}.")
    return found


def list_filters(store: Store) -> list[ListedFilter]:
    """All filters in their order."""
    hits = {one.filter: one for one in store.ping_filters.hits()}
    found = ((one, hits.get(one.id, FilterHits(one.id))) for one in store.ping_filters.all())
    return [ListedFilter(**_said_of(one), hits=counted.hits, last_hit=counted.last) for one, counted in found]


def keep_filter(desk: Desk, wish: FilterWish, changed: str | None = None) -> PingFilter:
    """Make a filter, or change the one with this id; it acts at once."""
    there = desk.store.ping_filters.all()
    before = find_filter(desk.store, changed) if changed else None
    if before is None and len(there) >= MOST_FILTERS:
        raise UsageError(f"There are {MOST_FILTERS} filters already; drop one first.")
    wanted = _wanted(wish, before)
    check_parents(there, wanted)
    desk.decide(PingFilterKept(at=clock.stamp(), by=desk.by, filter=wanted))
    return wanted


def drop_filter(desk: Desk, one: str) -> tuple[str, ...]:
    """Drop a filter and those below it: without it they would let in more than anybody wanted.
    Their ids.
    """
    found = find_filter(desk.store, one)
    there = desk.store.ping_filters.all()
    gone = {found.id}
    for _ in range(DEEPEST):
        gone |= {child.id for child in there if child.parent in gone}
    dropped = tuple(sorted(gone))
    desk.decide(PingFiltersDropped(at=clock.stamp(), by=desk.by, filters=dropped))
    return dropped


def find_filter(store: Store, one: str) -> PingFilter:
    """The filter with this id; UsageError where there is none."""
    found = store.ping_filters.find(one)
    if found is None:
        raise UsageError(f"There is no filter {one!r}.")
    return found


def tree_of(filters: Iterable[PingFilter]) -> FilterTree:
    """Filters, ready to be tried; which hosts belong to a platform is known."""
    return FilterTree(filters, service_of)


def try_filter(store: Store, wish: FilterWish, changed: str | None = None) -> FilterTrial:
    """What a filter would have done, beside those that are there, with the pings that came last.
    Nothing is kept.
    """
    there = store.ping_filters.all()
    wanted = _wanted(replace(wish, is_on=True), find_filter(store, changed) if changed else None)
    check_parents(there, wanted)
    after = tree_of([*(one for one in there if one.id != wanted.id), wanted])
    rows = store.pings.newest(TRIED_ON)
    trial, hosts = _trial(after, wanted.id, rows)
    before, known = _trial(tree_of(there), wanted.id, rows)[1], store.followed.hosts()
    more = len(hosts - before - known) - len(before - hosts - known)
    return replace(trial, blogs_a_day=_a_day(more, [row.at for row in rows]))


def _trial(tree: FilterTree, wanted: str, rows: Iterable[PingRow]) -> tuple[FilterTrial, set[str]]:
    """What filters do with pings, and the hosts of those that they let in."""
    tried = taken = let_in = 0
    examples: list[str] = []
    hosts: set[str] = set()
    for row in rows:
        verdict = tree.decide(Notice(row.url, row.name, row.feed, row.service))
        tried += 1
        if wanted in verdict.takers:
            taken += 1
            if len(examples) < SHOWN:
                examples.append(row.url)
        if verdict.is_let_in:
            let_in += 1
            hosts.add(host_of_notice(row.url))
    return FilterTrial(tried, taken, let_in, tuple(examples)), hosts


def _a_day(blogs: int, moments: list[str]) -> float:
    """So many blogs in the time of these pings, for a day."""
    if not moments:
        return 0.0
    first, last = datetime.fromisoformat(min(moments)), datetime.fromisoformat(max(moments))
    hours = max((last - first).total_seconds() / 3600, 1.0)
    return round(blogs * 24 / hours, 1)


def _wanted(wish: FilterWish, before: PingFilter | None) -> PingFilter:
    expression_of(wish.pattern, wish.kind)
    return PingFilter(
        before.id if before else new_id(),
        tidy_name(wish.name),
        wish.pattern.strip(),
        wish.kind,
        wish.subject,
        wish.excludes,
        wish.parent or None,
        wish.order,
        wish.is_on,
        wish.conditions,
        before.created if before else clock.stamp(),
    )


def check_parents(there: list[PingFilter], wanted: PingFilter) -> None:
    """UsageError where a filter would stand below itself, below none that is there, or too deep."""
    parents = {one.id: one.parent for one in there} | {wanted.id: wanted.parent}
    above, depth = wanted.parent, 0
    while above is not None:
        depth += 1
        if above not in parents:
            raise UsageError(f"There is no filter {above!r} to stand below.")
        if above == wanted.id or depth > DEEPEST:
            raise UsageError("A filter cannot stand below itself, nor deeper than anybody reads.")
        above = parents[above]


def _said_of(one: PingServer | PingFilter) -> dict[str, Any]:
    """What is said of a server or a filter, by name."""
    return {said.name: getattr(one, said.name) for said in fields(one)}


def _kept(desk: Desk, server: PingServer) -> PingServer:
    desk.decide(PingServerKept(at=clock.stamp(), by=desk.by, server=server))
    return server


def tidy_name(name: str) -> str:
    """A name as it is kept; UsageError where it is none."""
    tidy = " ".join(name.split())
    if not tidy or len(tidy) > LONGEST_NAME:
        raise UsageError(f"It needs a name of at most {LONGEST_NAME} characters.")
    return tidy


def _place(kind: ServerKind, url: str) -> str:
    """Where a server is; UsageError where it can be nowhere."""
    if kind == "changes":
        return checked_target(url)
    host, _, port = url.strip().rpartition(":")
    is_port = port.isascii() and port.isdigit() and 0 < int(port[:6]) <= HIGHEST_PORT
    if not host or not is_port or not host.isprintable() or any(mark in host for mark in "/ @"):
        raise UsageError(f"{url[:200]!r} is no stream: give its host and port, as ping.example:29999.")
    return f"{host}:{port}"
