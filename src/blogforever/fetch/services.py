"""Which service a host belongs to: the unit that delay and concurrency are kept for. The knowledge
is data.

In `services.json`, all names of a line share one budget. A name stands for itself and everything
below it; a trailing `.*` stands for every top level domain.
"""

from __future__ import annotations

import json
from functools import cache, lru_cache
from importlib.resources import files

# Every request asks for the service of its host, and most are to the same few.
HOSTS = 1024


@lru_cache(maxsize=HOSTS)
def service_of(host: str) -> str | None:
    """The service that runs this host, if it is one with many names."""
    exact, any_ending = _table()
    labels = host.lower().rstrip(".").split(".")
    for start in range(len(labels)):
        name = ".".join(labels[start:])
        if found := exact.get(name):
            return found
        if found := any_ending.get(".".join(labels[start:-1])):
            return found
    return None


def budget_of(host: str, address: str | None = None, domain: str | None = None) -> str:
    """The key of the budget a request draws on: its service, else the address its host has, else
    the domain it is below, else the host.
    """
    service = service_of(host)
    if service:
        return f"service:{service}"
    if address:
        return f"ip:{address}"
    return f"domain:{domain}" if domain else host.lower()


@cache
def service_names() -> tuple[str, ...]:
    """The services that are known, by name."""
    exact, any_ending = _table()
    return tuple(sorted({*exact.values(), *any_ending.values()}))


@cache
def service_hosts() -> frozenset[str]:
    """The hosts that services have themselves: where blogs are folders, all of them live on one."""
    return frozenset(_table()[0])


@cache
def _table() -> tuple[dict[str, str], dict[str, str]]:
    text = files(__package__).joinpath("data/services.json").read_text(encoding="utf-8")
    exact: dict[str, str] = {}
    any_ending: dict[str, str] = {}
    for service, names in json.loads(text).items():
        for name in names:
            if name.endswith(".*"):
                any_ending[name.removesuffix(".*")] = service
            else:
                exact[name] = service
    return exact, any_ending
