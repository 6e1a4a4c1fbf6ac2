"""Addresses that belong to no public place, after IANA's special-purpose registries (as of 2025).

Python's own tables lack what was added after its release, and differ from one release to the next:
what is private must not depend on which of them runs.
"""

from __future__ import annotations

import ipaddress

IPAddress = ipaddress.IPv4Address | ipaddress.IPv6Address
LAST_32_BITS = 0xFFFFFFFF
SIXTOFOUR_BITS = 80  # to the right of the IPv4 address in 2002:AABB:CCDD::/48

PRIVATE4 = tuple(
    map(
        ipaddress.IPv4Network,
        (
            "0.0.0.0/8",  # this host on this network
            "10.0.0.0/8",  # private use
            "100.64.0.0/10",  # shared by the customers of one carrier
            "127.0.0.0/8",  # loopback
            "169.254.0.0/16",  # link-local: also where clouds tell a machine its keys
            "172.16.0.0/12",  # private use
            "192.0.0.0/24",  # protocol assignments: what answers there is in one's own network
            "192.0.2.0/24",  # documentation
            "192.88.99.0/24",  # the nearest 6to4 relay, given up
            "192.168.0.0/16",  # private use
            "198.18.0.0/15",  # benchmarks
            "198.51.100.0/24",  # documentation
            "203.0.113.0/24",  # documentation
            "224.0.0.0/4",  # multicast
            "240.0.0.0/4",  # reserved, and the broadcast
        ),
    )
)
PUBLIC6 = ipaddress.IPv6Network("2000::/3")
"""All that IANA gives out for the public: what lies elsewhere is local (fec0::/10, fc00::/7,
64:ff9b:1::/48 ...) or nowhere.
"""
PRIVATE6 = tuple(
    map(
        ipaddress.IPv6Network,
        (
            "2001::/23",  # protocol assignments: Teredo, benchmarks, identifiers that lead nowhere
            "2001:db8::/32",  # documentation
            "3fff::/20",  # documentation
        ),
    )
)
# Addresses of IPv6 that only stand for one of IPv4, which is judged in their place.
MAPPED, NAT64 = ipaddress.IPv6Network("::ffff:0:0/96"), ipaddress.IPv6Network("64:ff9b::/96")
SIXTOFOUR = ipaddress.IPv6Network("2002::/16")


def is_private(host: str) -> bool:
    """Whether an address belongs to no public place, in whatever form IPv6 wraps it."""
    try:
        address: IPAddress = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return True
    if isinstance(address, ipaddress.IPv6Address):
        inner = _wrapped(address)
        if inner is None:
            return address not in PUBLIC6 or any(address in network for network in PRIVATE6)
        address = inner
    return any(address in network for network in PRIVATE4)


def _wrapped(address: ipaddress.IPv6Address) -> ipaddress.IPv4Address | None:
    """The IPv4 address that an IPv6 address only stands for."""
    if address in MAPPED or address in NAT64:
        return ipaddress.IPv4Address(int(address) & LAST_32_BITS)
    if address in SIXTOFOUR:
        return ipaddress.IPv4Address(int(address) >> SIXTOFOUR_BITS & LAST_32_BITS)
    return None
