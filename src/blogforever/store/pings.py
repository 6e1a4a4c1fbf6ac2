"""Ping servers, filters and pings, in the database."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any

import msgspec

from blogforever.ping.filters import Conditions, PingFilter
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

from .columns import read_column
from .rows import Columns, Rows, upsert, written, written_text

SERVERS = "SELECT * FROM pingservers ORDER BY id"
SERVER = "SELECT * FROM pingservers WHERE id = :server"
STANDING = "SELECT * FROM serverstandings WHERE server = :server"
DROP_SERVER = "DELETE FROM pingservers WHERE id = :server RETURNING id"
DROP_STANDING = "DELETE FROM serverstandings WHERE server = :server"
SIGNED_WITH = "SELECT secret FROM pingsecrets WHERE server = :server"
FORGET_SIGNATURE = "DELETE FROM pingsecrets WHERE server = :server"
CAME = "SELECT 1 FROM hookposts WHERE server = :server AND delivery = :delivery"
COMES = """INSERT INTO hookposts (server, delivery, sent) VALUES (:server, :delivery, :sent)
ON CONFLICT (server, delivery) DO NOTHING
"""
FORGET_POSTS = """DELETE FROM hookposts WHERE sent < :since
OR number <= (SELECT max(number) FROM hookposts) - :most
"""
FILTERS = """SELECT * FROM pingfilters ORDER BY "order", id"""
FILTER = "SELECT * FROM pingfilters WHERE id = :one"
DROP_FILTER = "DELETE FROM pingfilters WHERE id = :one"
DROP_HITS = "DELETE FROM filterhits WHERE filter = :one"
HIT = """INSERT INTO filterhits (filter, hits, last) VALUES (:one, :more, :at)
ON CONFLICT (filter) DO UPDATE SET hits = filterhits.hits + excluded.hits, last = excluded.last
"""
HITS = "SELECT * FROM filterhits ORDER BY filter"
CHANGED = """INSERT INTO filterchanges (at, by, filter, before, after) VALUES (:at, :by, :filter, :before, :after)"""
CHANGES = """SELECT * FROM filterchanges WHERE id < :before AND (:one = '' OR filter = :one)
ORDER BY id DESC LIMIT :limit
"""
ADD = """INSERT INTO pings (at, server, url, name, feed, service, state, reason, blog, filter)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
WAITING = "SELECT * FROM pings WHERE state = 'waiting' ORDER BY id LIMIT :limit"
SETTLE = "UPDATE pings SET state = :state, reason = :reason, blog = :blog WHERE id = :number"
CHANGE = "UPDATE pings SET state = ?, reason = ?, blog = ?, filter = ? WHERE id = ?"
NEWEST = """SELECT * FROM pings WHERE id < :before AND (:server = '' OR server = :server)
AND (:state = '' OR state = :state) ORDER BY id DESC LIMIT :limit
"""
SINCE = """SELECT * FROM pings WHERE id > :after AND at >= :at AND (:server = '' OR server = :server)
ORDER BY id LIMIT :limit
"""
PING = "SELECT * FROM pings WHERE id = :number"
LAST_OF = "SELECT * FROM pings WHERE blog = :blog AND blog <> '' AND state = 'done' ORDER BY id DESC LIMIT 1"
# Of each blog the ping that led to a look last stays, too: what control looks find that pings
# missed goes by it.
FORGET = """DELETE FROM pings WHERE id <= (SELECT max(id) FROM pings) - :keep AND state NOT IN ('waiting', 'failed')
AND (blog = '' OR state <> 'done' OR id < (SELECT max(later.id) FROM pings AS later
WHERE later.blog = pings.blog AND later.blog <> '' AND later.state = 'done'))
"""
FORGET_DEAD = """DELETE FROM pings WHERE state = 'failed' AND id NOT IN
(SELECT id FROM pings WHERE state = 'failed' ORDER BY id DESC LIMIT :dead)
"""
FORGET_PACKAGES = "DELETE FROM pingpackages WHERE id <= (SELECT max(id) FROM pingpackages) - :dead"
COUNT = """INSERT INTO pingpackages AS counted (at, server, received, malformed, filtered, known, unknown)
VALUES (:at, :server, :received, :malformed, :filtered, :known, :unknown)
ON CONFLICT (server, at) DO UPDATE SET received = counted.received + excluded.received,
malformed = counted.malformed + excluded.malformed, filtered = counted.filtered + excluded.filtered,
known = counted.known + excluded.known, unknown = counted.unknown + excluded.unknown
"""
PACKAGES = """SELECT * FROM pingpackages WHERE id < :before AND (:server = '' OR server = :server)
ORDER BY id DESC LIMIT :limit
"""
# Above every number that a row can have.
LAST = 2**63 - 1


class SqlPingServers:
    """The ping servers of an archive's database."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows

    def keep(self, server: PingServer) -> None:
        """Keep a server; one of the same id is replaced."""
        row = asdict(server) | {"is_on": int(server.is_on), "is_limited": int(server.is_limited)}
        self._rows.write(upsert("pingservers", *row), **written(row))

    def find(self, server: str) -> PingServer | None:
        """The server with this id."""
        row = self._rows.find(SERVER, server=server)
        return _server(row) if row else None

    def all(self) -> list[PingServer]:
        """All, by their ids."""
        return [_server(row) for row in self._rows.find_all(SERVERS)]

    def drop(self, server: str) -> bool:
        """Listen to it no more."""
        with self._rows.transaction():
            self._rows.write(DROP_STANDING, server=server)
            self._rows.write(FORGET_SIGNATURE, server=server)
            return self._rows.write(DROP_SERVER, server=server) is not None

    def standing(self, server: str) -> ServerStanding:
        """How reading it goes."""
        row = self._rows.find(STANDING, server=server)
        return ServerStanding(**row._mapping) if row else ServerStanding(server)

    def stand(self, standing: ServerStanding) -> None:
        """So it goes now."""
        row = asdict(standing)
        self._rows.write(upsert("serverstandings", *row), **written(row))

    def keep_secret(self, server: str, secret: str) -> None:
        """Who posts to this hook signs with it."""
        self._rows.write(upsert("pingsecrets", "server", "secret"), server=server, secret=secret)

    def secret(self, server: str) -> str:
        """What a hook is signed with."""
        row = self._rows.find(SIGNED_WITH, server=server)
        return row.secret if row else ""

    def has_come(self, server: str, delivery: str) -> bool:
        """Whether a hook was sent this before."""
        return self._rows.find(CAME, server=server, delivery=delivery) is not None

    def remember(self, server: str, delivery: str, sent: int, since: int) -> None:
        """A hook was sent this; the oldest are forgotten."""
        with self._rows.transaction():
            self._rows.write(COMES, server=server, delivery=delivery, sent=sent)
            self._rows.write(FORGET_POSTS, since=since, most=REMEMBERED_POSTS)


class SqlPingFilters:
    """The filters of an archive's database."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows

    def keep(self, one: PingFilter) -> None:
        """Keep a filter; one of the same id is replaced."""
        self._rows.write(upsert("pingfilters", *_filter_row(one)), **written(_filter_row(one)))

    def find(self, one: str) -> PingFilter | None:
        """The filter with this id."""
        row = self._rows.find(FILTER, one=one)
        return _filter(row) if row else None

    def all(self) -> list[PingFilter]:
        """All, by order and id."""
        return [_filter(row) for row in self._rows.find_all(FILTERS)]

    def drop(self, ids: Iterable[str]) -> None:
        """They and their hits go."""
        with self._rows.transaction():
            for one in ids:
                self._rows.write(DROP_FILTER, one=one)
                self._rows.write(DROP_HITS, one=one)

    def hit(self, hits: Mapping[str, int], at: str) -> None:
        """They took so many pings more."""
        with self._rows.transaction():
            for one, more in hits.items():
                self._rows.write(HIT, one=one, more=more, at=at)

    def hits(self) -> list[FilterHits]:
        """Those that ever took one, by id."""
        return [FilterHits(**row._mapping) for row in self._rows.find_all(HITS)]

    def note(self, change: FilterChange) -> None:
        """Write down what somebody did to a filter."""
        row = asdict(change) | {"before": _as_json(change.before), "after": _as_json(change.after)}
        self._rows.write(CHANGED, **written(row))

    def changes(self, limit: int, before: int | None = None, one: str = "") -> list[FilterChange]:
        """What was done to filters, newest first."""
        found = self._rows.find_all(CHANGES, limit=limit, before=LAST if before is None else before, one=one)
        return [_change(row) for row in found]


class SqlPings:
    """The pings of an archive's database."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows

    def add(self, rows: Iterable[PingRow]) -> None:
        """Keep them."""
        written_rows = [_ping_values(row) for row in rows]
        if written_rows:
            with self._rows.transaction() as connection:
                connection.exec_driver_sql(ADD, written_rows)

    def waiting(self, limit: int) -> list[PingRow]:
        """Those that wait, oldest first."""
        return [PingRow(**row._mapping) for row in self._rows.find_all(WAITING, limit=limit)]

    def settle(self, numbers: Iterable[int], state: PingState, reason: str = "", blog: str = "") -> None:
        """This became of them."""
        changed = [{"number": number, "state": state, "reason": reason, "blog": blog} for number in numbers]
        if changed:
            with self._rows.transaction() as connection:
                connection.exec_driver_sql(SETTLE, changed)

    def newest(self, limit: int, before: int | None = None, server: str = "", state: str = "") -> list[PingRow]:
        """What came last, newest first."""
        before = LAST if before is None else before
        found = self._rows.find_all(NEWEST, limit=limit, before=before, server=server, state=state)
        return [PingRow(**row._mapping) for row in found]

    def change(self, rows: Iterable[PingRow]) -> None:
        """State, reason, blog and filter of these are now as they say."""
        changed = [(row.state, row.reason, row.blog, row.filter, row.id) for row in rows]
        if changed:
            with self._rows.transaction() as connection:
                connection.exec_driver_sql(CHANGE, changed)

    def since(self, at: str, after: int, limit: int, server: str = "") -> list[PingRow]:
        """Those that came at this moment or later."""
        found = self._rows.find_all(SINCE, at=at, after=after, limit=limit, server=server)
        return [PingRow(**row._mapping) for row in found]

    def find(self, number: int) -> PingRow | None:
        """The ping with this number."""
        row = self._rows.find(PING, number=number)
        return PingRow(**row._mapping) if row else None

    def last_of(self, blog: str) -> PingRow | None:
        """The ping of this blog that led to a look last."""
        row = self._rows.find(LAST_OF, blog=blog)
        return PingRow(**row._mapping) if row else None

    def forget(self, keep: int, dead: int) -> int:
        """Drop all but the newest, those that wait, and some dead letters."""
        with self._rows.transaction() as connection:
            connection.exec_driver_sql(FORGET_PACKAGES, {"dead": dead})
            gone = connection.exec_driver_sql(FORGET, {"keep": keep}).rowcount
            return gone + connection.exec_driver_sql(FORGET_DEAD, {"dead": dead}).rowcount

    def count(self, package: PingPackage) -> None:
        """This came in a package, too."""
        self._rows.write(COUNT, **asdict(package))

    def packages(self, limit: int, before: int | None = None, server: str = "") -> list[PingPackage]:
        """What came last, package by package."""
        before = LAST if before is None else before
        found = self._rows.find_all(PACKAGES, limit=limit, before=before, server=server)
        return [PingPackage(**row._mapping) for row in found]


def _server(row: Any) -> PingServer:
    columns = dict(row._mapping)
    return PingServer(**columns | {"is_on": bool(row.is_on), "is_limited": bool(row.is_limited)})


def _filter_row(one: PingFilter) -> Columns:
    conditions = msgspec.json.encode(asdict(one.conditions)).decode()
    return asdict(one) | {"conditions": conditions, "excludes": int(one.excludes), "is_on": int(one.is_on)}


def _filter(row: Any) -> PingFilter:
    columns = dict(row._mapping)
    conditions = read_column(row.conditions, Conditions)
    return PingFilter(**columns | {"conditions": conditions, "excludes": bool(row.excludes), "is_on": bool(row.is_on)})


def _as_json(one: PingFilter | None) -> str:
    return msgspec.json.encode(one).decode() if one else ""


def _change(row: Any) -> FilterChange:
    before, after = (read_column(one, PingFilter) if one else None for one in (row.before, row.after))
    return FilterChange(row.at, row.by, row.filter, before, after, row.id)


def _ping_values(row: PingRow) -> tuple[str, ...]:
    """In the order of the statement: of thousands a second, names would cost more than the writing."""
    texts = (row.at, row.server, row.url, row.name, row.feed, row.service, row.state, row.reason, row.blog, row.filter)
    return texts if all(map(str.isascii, texts)) else tuple(written_text(text) for text in texts)
