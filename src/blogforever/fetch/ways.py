"""Ways out to the internet: through which proxy, or from which address of the machine, a host is
asked.

A host has one way at a time, so connections that are kept are all of that way. Budgets know nothing
of ways: a service that is asked from several places is asked by one visitor all the same.
"""

from __future__ import annotations

import socket
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import urlsplit

from blogforever.config import Config, WayOut
from blogforever.errors import UsageError

from .services import service_of

USUAL_PORTS = {"http": 80, "https": 443}
NO_WAY = WayOut()
# Each request asks where its proxy is, and there are a few at most.
PROXIES = 64


@dataclass(frozen=True, slots=True)
class WaysOut:
    """Which way leads to a host: one that names it, or its service, else the usual one."""

    usual: WayOut = NO_WAY
    special: tuple[WayOut, ...] = ()

    @classmethod
    def of_config(cls, config: Config) -> WaysOut:
        """As somebody wants them; UsageError where one leads nowhere."""
        made = cls(WayOut((), config.proxy, config.source_address), config.way)
        made.proxies()
        for way in made.all():
            if way.source_address:
                _check_address(way.source_address)
        return made

    def of(self, host: str) -> WayOut:
        """The way to a host: what names it most closely counts."""
        name = host.lower()
        for wanted in _names_of(name):
            for way in self.special:
                if wanted in way.services:
                    return way
        return self.usual

    def all(self) -> tuple[WayOut, ...]:
        """Every way."""
        return (self.usual, *self.special)

    def proxies(self) -> frozenset[tuple[str, int]]:
        """Host and port of every proxy."""
        return frozenset(proxy_place(way.proxy) for way in self.all() if way.proxy)


def _names_of(host: str) -> list[str]:
    """By what a way may name a host, the closest first: itself, what it is below, its service."""
    labels = host.split(".")
    above = [f"*.{'.'.join(labels[start:])}" for start in range(1, len(labels))]
    service = service_of(host)
    return [host, *above, *([service] if service else [])]


@lru_cache(maxsize=PROXIES)
def proxy_place(proxy: str) -> tuple[str, int]:
    """Host and port of a proxy; as Scrapy has it, http where no scheme is given."""
    try:
        parts = urlsplit(proxy if "://" in proxy else f"http://{proxy}")
        host, port = parts.hostname, parts.port
    except ValueError:
        host, port = None, None
    if not host or parts.scheme not in USUAL_PORTS:
        raise UsageError(f"--proxy {proxy!r} is not the address of a proxy.")
    return host.lower(), port or USUAL_PORTS[parts.scheme]


def _check_address(address: str) -> None:
    """Whether something can be sent from here."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    try:
        with socket.socket(family, socket.SOCK_STREAM) as tried:
            tried.bind((address, 0))
    except OSError as error:
        raise UsageError(f"--source-address {address!r} is no address of this machine: {error.strerror}.") from error
