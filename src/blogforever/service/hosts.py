"""By which names the service is called: those of its own machine, the host it listens at, its public address."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from urllib.parse import urlsplit

# Listening there means at every address the machine has: which names those have nobody knows.
EVERYWHERE = ("0.0.0.0", "::", "")  # noqa: S104  compared with, not listened at


@dataclass(frozen=True, slots=True)
class OwnNames:
    """Where the service listens, and the address that people outside use, where it has one."""

    host: str = "127.0.0.1"
    public_url: str = ""

    def knows(self, name: str) -> bool:
        """Whether a request for this host name is meant for us: a name that somebody else made
        lead here is not, and so his page cannot read ours.
        """
        return is_loopback(name) or name in (self.host, self.public_name) or self._is_plain_address(name)

    @property
    def public_name(self) -> str | None:
        """The host name of the public address."""
        return urlsplit(self.public_url).hostname

    @property
    def is_only_here(self) -> bool:
        """Whether nobody but this machine can reach it."""
        return is_loopback(self.host) and is_loopback(self.public_name or "localhost")

    def _is_plain_address(self, name: str) -> bool:
        """A bare address is nobody's name, and so no trick leads there; meant where we listen at
        all of ours.
        """
        return self.host in EVERYWHERE and _address(name) is not None


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach it there."""
    if host == "localhost":
        return True
    address = _address(host)
    return address is not None and address.is_loopback


def _address(name: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(name)
    except ValueError:
        return None
