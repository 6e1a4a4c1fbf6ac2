"""Ping servers, filters, and the pings that came: what waits, and why others were left. Part of `Store`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, Protocol

from blogforever.ping.filters import PingFilter

ServerKind = Literal["endpoint", "changes", "stream", "hook"]
"""Ours that blogs ping; a file that is polled; a connection that never ends; a program that posts
to us and signs what it says.
"""
PingState = Literal["waiting", "done", "dropped", "failed"]
"""Not looked at yet; led to a look or a new source; left out, with the reason; a dead letter:
nothing came of it.
"""


@dataclass(frozen=True, slots=True)
class PingServer:
    """A place that pings come from. It stays off until somebody turns it on."""

    id: str
    name: str
    kind: ServerKind
    url: str = ""
    """Of a file its address; of a stream `host:port`; of our own endpoint nothing; of a hook the
    name under which it is posted to.
    """
    is_on: bool = False
    is_limited: bool = False
    """Only pings of blogs that are followed count; no new ones are found."""
    every: int = 300
    """Seconds between two looks at a file."""
    created: str = ""
    by: str = ""


@dataclass(frozen=True, slots=True)
class ServerStanding:
    """How reading a server goes: when it was last read, how often in vain since, and what was
    wrong.
    """

    server: str
    last_read: str | None = None
    tries: int = 0
    error: str = ""


@dataclass(frozen=True, slots=True)
class PingRow:
    """A ping that came, and what became of it."""

    at: str
    server: str
    url: str
    name: str = ""
    feed: str = ""
    service: str = ""
    state: PingState = "waiting"
    reason: str = ""
    blog: str = ""
    """The followed blog it is of, once that is known."""
    filter: str = ""
    """The filter that let it in."""
    id: int = 0


@dataclass(frozen=True, slots=True)
class PingPackage:
    """What came in one package of a server, and what became of it: a file that was read, or what a
    stream or an endpoint brought in a minute.
    """

    at: str
    server: str
    received: int = 0
    malformed: int = 0
    filtered: int = 0
    known: int = 0
    unknown: int = 0
    id: int = 0


@dataclass(frozen=True, slots=True)
class FilterChange:
    """Somebody made a filter (there is none `before`), changed it, or dropped it (none `after`)."""

    at: str
    by: str
    filter: str
    before: PingFilter | None = None
    after: PingFilter | None = None
    id: int = 0


@dataclass(frozen=True, slots=True)
class FilterHits:
    """How often a filter took a ping, and when last."""

    filter: str
    hits: int = 0
    last: str | None = None


REMEMBERED_POSTS = 100_000
"""What hooks were sent that is known again: with more in five minutes the oldest could come twice,
and would lead to one look more.
"""


class PingServerTable(Protocol):
    """The servers, and how reading them goes."""

    def keep(self, server: PingServer) -> None:
        """Keep a server; one of the same id is replaced."""

    def find(self, server: str) -> PingServer | None:
        """The server with this id."""

    def all(self) -> list[PingServer]:
        """All, by their ids."""

    def drop(self, server: str) -> bool:
        """Listen to it no more; whether there was one."""

    def standing(self, server: str) -> ServerStanding:
        """How reading it goes."""

    def stand(self, standing: ServerStanding) -> None:
        """So it goes now."""

    def keep_secret(self, server: str, secret: str) -> None:
        """Who posts to this hook signs with it, from now on."""

    def secret(self, server: str) -> str:
        """What a hook is signed with; empty where there is none."""

    def has_come(self, server: str, delivery: str) -> bool:
        """Whether a hook was sent this before."""

    def remember(self, server: str, delivery: str, sent: int, since: int) -> None:
        """A hook was sent this, at a moment in seconds since 1970. What was sent before another is
        forgotten, and of more than `REMEMBERED_POSTS` the first.
        """


class PingFilterTable(Protocol):
    """The filters, and how often each took a ping."""

    def keep(self, one: PingFilter) -> None:
        """Keep a filter; one of the same id is replaced."""

    def find(self, one: str) -> PingFilter | None:
        """The filter with this id."""

    def all(self) -> list[PingFilter]:
        """All, by order and id."""

    def drop(self, ids: Iterable[str]) -> None:
        """They and their hits go."""

    def hit(self, hits: Mapping[str, int], at: str) -> None:
        """They took so many pings more, the last at this moment."""

    def hits(self) -> list[FilterHits]:
        """Those that ever took one, by id."""

    def note(self, change: FilterChange) -> None:
        """Write down what somebody did to a filter."""

    def changes(self, limit: int, before: int | None = None, one: str = "") -> list[FilterChange]:
        """What was done to filters, or to one, newest first."""


class PingTable(Protocol):
    """The pings that came, in order."""

    def add(self, rows: Iterable[PingRow]) -> None:
        """Keep them; they get their ids, and when this is done no crash loses them."""

    def waiting(self, limit: int) -> list[PingRow]:
        """Those that wait, oldest first."""

    def settle(self, numbers: Iterable[int], state: PingState, reason: str = "", blog: str = "") -> None:
        """This became of them."""

    def newest(self, limit: int, before: int | None = None, server: str = "", state: str = "") -> list[PingRow]:
        """What came last, newest first."""

    def change(self, rows: Iterable[PingRow]) -> None:
        """State, reason, blog and filter of these are now as they say."""

    def since(self, at: str, after: int, limit: int, server: str = "") -> list[PingRow]:
        """Those that came at this moment or later, behind the one with this number, in order."""

    def find(self, number: int) -> PingRow | None:
        """The ping with this number."""

    def last_of(self, blog: str) -> PingRow | None:
        """The ping of this followed blog that came last, of those that led to a look."""

    def forget(self, keep: int, dead: int) -> int:
        """Drop all but the newest, those that wait, of each blog the one that led to a look last,
        and of dead letters so many; how many went. Of packages as many are kept as of dead letters.
        """

    def count(self, package: PingPackage) -> None:
        """This came in a package, too: what is counted of one server and moment is added up."""

    def packages(self, limit: int, before: int | None = None, server: str = "") -> list[PingPackage]:
        """What came last, package by package, newest first."""
