"""Private and loopback addresses are refused where it counts: after the name was resolved, before
we connect.

A name is resolved once and then connected to under the addresses it had, so that a name that
changes its mind between the check and the connection gains nothing. Decimal, hexadecimal and octal
spellings are read by the system's resolver and judged by what it makes of them.
"""

from __future__ import annotations

import asyncio
import ipaddress
import re
import socket
from functools import partial
from time import monotonic
from typing import Any

from twisted.internet.address import IPv4Address, IPv6Address
from twisted.internet.interfaces import IHostnameResolver, IHostResolution
from zope.interface import implementer  # type: ignore[import-untyped]  # zope has no types

from blogforever.errors import UsageError

from .aside import in_thread
from .privateranges import is_private
from .ways import WaysOut

# Names of the machine itself, wherever they are looked up.
LOCAL_NAME, LOOPBACK = re.compile(r"(?:.+\.)?localhost(?:\.localdomain)?\.?"), "127.0.0.1"
# Seconds that a name keeps its addresses: a server may move, but not between two pages.
REMEMBERED = 600.0
# Seconds after which a name that was not found is looked up again: the network may be back.
TRIED_AGAIN = 5.0
# Names that are remembered: a crawl that runs for months must not fill the memory with them.
MANY = 5000


class Names:
    """Host names and the addresses they may be connected under.

    Each name is looked up once in a while.
    """

    def __init__(self) -> None:
        self.allow_private = False
        self.ways = WaysOut()
        """The operator's own proxies may be private; they are connected to, and never a page."""
        self._known: dict[str, tuple[float, tuple[str, ...]]] = {}
        self._asked: dict[str, asyncio.Future[tuple[str, ...]]] = {}
        self._users = 0

    def enter(self, allow_private: bool, ways: WaysOut) -> None:
        """Begin to use them under these rules; who uses them at the same time must want the same.

        There is one resolver in a process, which cannot tell for whom it connects.
        """
        if self._users and (allow_private, ways) != (self.allow_private, self.ways):
            raise UsageError("Crawls at the same time, in one process, must agree on --allow-private and --proxy.")
        if not self._users:
            # Everything is looked up anew.
            self._known.clear()
        self.allow_private, self.ways = allow_private, ways
        self._users += 1

    def leave(self) -> None:
        """They are no longer used."""
        self._users -= 1

    def refused(self, host: str) -> bool:
        """Whether this host has private addresses and no other."""
        known = self._known.get(host.lower())
        return bool(known and known[1] and not self._allowed(known[1]))

    async def addresses(self, host: str) -> tuple[str, ...]:
        """The addresses that may be connected to.

        None where the name is unknown or leads to private places only.
        """
        return self._allowed(await self._found(host.strip("[]").lower()))

    async def for_connection(self, host: str, port: int) -> tuple[str, ...]:
        """The same for a connection that is about to be made: it may be one to the proxy."""
        name = host.strip("[]").lower()
        # Twisted looks up the proxy of a tunnel, and nothing else, without telling the port.
        to_proxy = any(name == place[0] and port in (0, place[1]) for place in self.ways.proxies())
        return await self._found(name) if to_proxy else await self.addresses(host)

    def _allowed(self, found: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(address for address in found if self.allow_private or not is_private(address))

    def _by_proxy(self, name: str) -> bool:
        """Whether the proxy looks this name up.

        Here nobody may know it, or whoever answers would learn what is crawled: only numbers are
        read.
        """
        return bool(self.ways.of(name).proxy) and all(name != host for host, _port in self.ways.proxies())

    async def _found(self, name: str) -> tuple[str, ...]:
        known = self._known.get(name)
        if known and monotonic() < known[0]:
            return known[1]
        found = _read_number(name) if self._by_proxy(name) else await self._looked_up(name)
        if len(self._known) > MANY:
            self._known.clear()
        self._known[name] = (monotonic() + (REMEMBERED if found else TRIED_AGAIN), found)
        return found

    async def _looked_up(self, name: str) -> tuple[str, ...]:
        """Asked once, however many requests to a host begin at the same time."""
        asked = self._asked.get(name)
        if asked is None:
            asked = self._asked[name] = asyncio.ensure_future(_look_up(name))
            asked.add_done_callback(lambda _done: self._asked.pop(name, None))
        return await asyncio.shield(asked)


async def _look_up(name: str) -> tuple[str, ...]:
    try:
        # Not by the loop's own threads: they are waited for when the process ends, however long a
        # look-up takes.
        found = await in_thread(partial(socket.getaddrinfo, name, None, type=socket.SOCK_STREAM))
    except (OSError, UnicodeError):
        return ()
    return tuple(dict.fromkeys(str(entry[4][0]) for entry in found))


def _read_number(name: str) -> tuple[str, ...]:
    """The address that a name is, in whatever spelling; none where it is a name that somebody has
    to look up.
    """
    if LOCAL_NAME.fullmatch(name):
        return (LOOPBACK,)
    try:
        if ":" in name:
            return (str(ipaddress.IPv6Address(name.partition("%")[0])),)
        return (str(ipaddress.IPv4Address(socket.inet_aton(name))),)
    except (OSError, ValueError):
        return ()


@implementer(IHostnameResolver)
class GuardedResolver:
    """Gives Twisted the addresses a name may be connected under, and no others."""

    def __init__(self, names: Names) -> None:
        self._names = names

    def resolveHostName(
        self, receiver: Any, hostName: str, portNumber: int = 0, *_rest: Any, **_named: Any
    ) -> _Resolution:
        """Resolve as IHostnameResolver wants it."""
        resolution = _Resolution(hostName)
        receiver.resolutionBegan(resolution)
        resolution.task = asyncio.ensure_future(self._resolve(receiver, hostName, portNumber))
        return resolution

    async def _resolve(self, receiver: Any, name: str, port: int) -> None:
        for address in await self._names.for_connection(name, port):
            kind = IPv6Address if ":" in address else IPv4Address
            receiver.addressResolved(kind("TCP", address, port))
        receiver.resolutionComplete()


@implementer(IHostResolution)
class _Resolution:
    def __init__(self, name: str) -> None:
        self.name = name
        self.task: asyncio.Future[None] | None = None

    def cancel(self) -> None:
        """Stop looking."""
        if self.task:
            self.task.cancel()
