"""Private and loopback addresses are refused where it counts: after the name was resolved, before we connect."""

from __future__ import annotations

import ipaddress
from typing import Any

from twisted.internet.interfaces import IHostnameResolver, IResolutionReceiver
from zope.interface import implementer  # type: ignore[import-untyped]  # zope has no types

NAT64 = ipaddress.ip_network("64:ff9b::/96")


def is_private(host: str) -> bool:
    """Whether an address belongs to no public place, in whatever form IPv6 wraps it."""
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return True
    if isinstance(address, ipaddress.IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour
        if address in NAT64:
            inner = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
        if inner:
            address = inner
    return not address.is_global or address.is_multicast


@implementer(IHostnameResolver)
class GuardedResolver:
    """Passes on only the addresses that may be connected to; remembers the names that had none."""

    def __init__(self, inner: Any) -> None:
        self._inner = inner
        self.allow_private = False
        self.refused: set[str] = set()

    def resolveHostName(self, receiver: Any, hostName: str, *rest: Any, **named: Any) -> Any:
        """Resolve like the system does, less the private addresses."""
        if not self.allow_private:
            receiver = _Filter(receiver, hostName, self.refused)
        return self._inner.resolveHostName(receiver, hostName, *rest, **named)


@implementer(IResolutionReceiver)
class _Filter:
    def __init__(self, receiver: Any, name: str, refused: set[str]) -> None:
        self._receiver, self._name, self._refused = receiver, name, refused

    def resolutionBegan(self, resolution: Any) -> None:
        self._receiver.resolutionBegan(resolution)

    def addressResolved(self, address: Any) -> None:
        if is_private(address.host):
            self._refused.add(self._name.lower())
        else:
            self._receiver.addressResolved(address)

    def resolutionComplete(self) -> None:
        self._receiver.resolutionComplete()
