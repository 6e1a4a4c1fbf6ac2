"""Ping servers, filters and pings of a store in memory."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TypeVar

from blogforever.ping.filters import PingFilter
from blogforever.storage.pings import (
    REMEMBERED_POSTS,
    FilterChange,
    FilterHits,
    PingPackage,
    PingRow,
    PingServer,
    PingState,
    ServerStanding,
)

from .memorytables import MemoryTables, add_row, drop_rows

Row = TypeVar("Row")


class MemoryPingServers:
    """The ping servers."""

    def __init__(self, tables: MemoryTables) -> None:
        self._tables = tables

    def keep(self, server: PingServer) -> None:
        """Keep a server; one of the same id is replaced."""
        self._tables.check_open()
        self._tables.pingservers[server.id] = server

    def find(self, server: str) -> PingServer | None:
        """The server with this id."""
        return self._tables.pingservers.get(server)

    def all(self) -> list[PingServer]:
        """All, by their ids."""
        return [server for _, server in sorted(self._tables.pingservers.items())]

    def drop(self, server: str) -> bool:
        """Listen to it no more."""
        self._tables.serverstandings.pop(server, None)
        self._tables.pingsecrets.pop(server, None)
        return self._tables.pingservers.pop(server, None) is not None

    def standing(self, server: str) -> ServerStanding:
        """How reading it goes."""
        return self._tables.serverstandings.get(server, ServerStanding(server))

    def stand(self, standing: ServerStanding) -> None:
        """So it goes now."""
        self._tables.serverstandings[standing.server] = standing

    def keep_secret(self, server: str, secret: str) -> None:
        """Who posts to this hook signs with it."""
        self._tables.pingsecrets[server] = secret

    def secret(self, server: str) -> str:
        """What a hook is signed with."""
        return self._tables.pingsecrets.get(server, "")

    def has_come(self, server: str, delivery: str) -> bool:
        """Whether a hook was sent this before."""
        return (server, delivery) in self._tables.hookposts

    def remember(self, server: str, delivery: str, sent: int, since: int) -> None:
        """A hook was sent this; the oldest are forgotten."""
        posts = self._tables.hookposts
        posts.setdefault((server, delivery), sent)
        drop_rows(posts, lambda _place, moment: moment < since)
        for place in [*posts][: max(0, len(posts) - REMEMBERED_POSTS)]:
            del posts[place]


class MemoryPingFilters:
    """The filters."""

    def __init__(self, tables: MemoryTables) -> None:
        self._tables = tables

    def keep(self, one: PingFilter) -> None:
        """Keep a filter; one of the same id is replaced."""
        self._tables.check_open()
        self._tables.pingfilters[one.id] = one

    def find(self, one: str) -> PingFilter | None:
        """The filter with this id."""
        return self._tables.pingfilters.get(one)

    def all(self) -> list[PingFilter]:
        """All, by order and id."""
        return sorted(self._tables.pingfilters.values(), key=lambda one: (one.order, one.id))

    def drop(self, ids: Iterable[str]) -> None:
        """They and their hits go."""
        for one in ids:
            self._tables.pingfilters.pop(one, None)
            self._tables.filterhits.pop(one, None)

    def hit(self, hits: Mapping[str, int], at: str) -> None:
        """They took so many pings more."""
        for one, more in hits.items():
            before = self._tables.filterhits.get(one, FilterHits(one))
            self._tables.filterhits[one] = FilterHits(one, before.hits + more, at)

    def hits(self) -> list[FilterHits]:
        """Those that ever took one, by id."""
        return [hits for _, hits in sorted(self._tables.filterhits.items())]

    def note(self, change: FilterChange) -> None:
        """Write down what somebody did to a filter."""
        number = add_row(self._tables.filterchanges, change)
        self._tables.filterchanges[number] = replace(change, id=number)

    def changes(self, limit: int, before: int | None = None, one: str = "") -> list[FilterChange]:
        """What was done to filters, newest first."""
        found = _newest_first(self._tables.filterchanges, before)
        return [change for change in found if one in ("", change.filter)][:limit]


class MemoryPings:
    """The pings."""

    def __init__(self, tables: MemoryTables) -> None:
        self._tables = tables

    def add(self, rows: Iterable[PingRow]) -> None:
        """Keep them."""
        self._tables.check_open()
        for row in rows:
            number = add_row(self._tables.pings, row)
            self._tables.pings[number] = replace(row, id=number)

    def waiting(self, limit: int) -> list[PingRow]:
        """Those that wait, oldest first."""
        return [row for _, row in sorted(self._tables.pings.items()) if row.state == "waiting"][:limit]

    def settle(self, numbers: Iterable[int], state: PingState, reason: str = "", blog: str = "") -> None:
        """This became of them."""
        for number in numbers:
            if row := self._tables.pings.get(number):
                self._tables.pings[number] = replace(row, state=state, reason=reason, blog=blog)

    def newest(self, limit: int, before: int | None = None, server: str = "", state: str = "") -> list[PingRow]:
        """What came last, newest first."""
        found = _newest_first(self._tables.pings, before)
        return [row for row in found if server in ("", row.server) and state in ("", row.state)][:limit]

    def change(self, rows: Iterable[PingRow]) -> None:
        """State, reason, blog and filter of these are now as they say."""
        for row in rows:
            if before := self._tables.pings.get(row.id):
                changed = replace(before, state=row.state, reason=row.reason, blog=row.blog, filter=row.filter)
                self._tables.pings[row.id] = changed

    def since(self, at: str, after: int, limit: int, server: str = "") -> list[PingRow]:
        """Those that came at this moment or later."""
        later = [row for number, row in sorted(self._tables.pings.items()) if number > after and row.at >= at]
        return [row for row in later if server in ("", row.server)][:limit]

    def find(self, number: int) -> PingRow | None:
        """The ping with this number."""
        return self._tables.pings.get(number)

    def last_of(self, blog: str) -> PingRow | None:
        """The ping of this blog that led to a look last."""
        rows = _newest_first(self._tables.pings, None)
        return next((row for row in rows if blog and row.blog == blog and row.state == "done"), None)

    def forget(self, keep: int, dead: int) -> int:
        """Drop all but the newest, those that wait, and some dead letters."""
        before = len(self._tables.pings)
        last = max(self._tables.pings, default=0)
        stay = {row.id for row in self.newest(dead, state="failed")} | {row.id for row in self.waiting(before)}
        done = [row for _, row in sorted(self._tables.pings.items()) if row.blog and row.state == "done"]
        stay |= set({row.blog: row.id for row in done}.values())
        is_dead = {row.id for row in self.newest(before, state="failed")}
        drop_rows(
            self._tables.pings,
            lambda number, _row: number not in stay and (number in is_dead or number <= last - keep),
        )
        newest = max(self._tables.pingpackages, default=0)
        drop_rows(self._tables.pingpackages, lambda number, _row: number <= newest - dead)
        return before - len(self._tables.pings)

    def count(self, package: PingPackage) -> None:
        """This came in a package, too."""
        for number, one in self._tables.pingpackages.items():
            if (one.at, one.server) == (package.at, package.server):
                self._tables.pingpackages[number] = _together(one, package)
                return
        number = add_row(self._tables.pingpackages, package)
        self._tables.pingpackages[number] = replace(package, id=number)

    def packages(self, limit: int, before: int | None = None, server: str = "") -> list[PingPackage]:
        """What came last, package by package."""
        found = _newest_first(self._tables.pingpackages, before)
        return [one for one in found if server in ("", one.server)][:limit]


def _newest_first(table: Mapping[int, Row], before: int | None) -> list[Row]:
    return [row for number, row in sorted(table.items(), reverse=True) if before is None or number < before]


def _together(one: PingPackage, more: PingPackage) -> PingPackage:
    return replace(
        one,
        received=one.received + more.received,
        malformed=one.malformed + more.malformed,
        filtered=one.filtered + more.filtered,
        known=one.known + more.known,
        unknown=one.unknown + more.unknown,
    )
