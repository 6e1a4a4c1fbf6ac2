from __future__ import annotations

import ipaddress

import pytest

from blogforever.fetch.privateranges import is_private

PRIVATE = """127.0.0.1 10.1.2.3 192.168.0.1 169.254.169.254 0.0.0.0 ::1 fe80::1%eth0 fd00::1 224.0.0.1 100.64.0.1
::ffff:127.0.0.1 ::ffff:10.0.0.1 64:ff9b::7f00:1 2002:7f00:1:: not-an-address
fec0::1 64:ff9b:1::1 64:ff9b:1::a00:1 ::127.0.0.1 ::ffff:0:7f00:1 3fff::1 5f00::1
2001:0:7f00:1:: 2001:0:5db8:d822:0:ffff:80ff:fffe 2002:a00:1::1 2002:c0a8:101:: ff02::1 ff0e::1"""

# The blocks of IANA's two special-purpose registries that are not "globally reachable", and multicast.
REGISTERED = """0.0.0.0/8 0.0.0.0/32 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/29
192.0.0.8/32 192.0.0.170/32 192.0.0.171/32 192.0.2.0/24 192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24
203.0.113.0/24 224.0.0.0/4 240.0.0.0/4 255.255.255.255/32
::1/128 ::/128 64:ff9b:1::/48 100::/64 100:0:0:1::/64 2001::/32 2001:2::/48 2001:10::/28
2001:db8::/32 3fff::/20 5f00::/16 fc00::/7 fe80::/10 fec0::/10 ff00::/8"""
# Blocks of them that are reachable, and what anybody may have: nothing of these is refused.
REACHABLE = """192.31.196.0/24 192.52.193.0/24 192.175.48.0/24 2620:4f:8000::/48 1.1.1.0/24 9.0.0.0/8 11.0.0.0/8
100.0.0.0/10 100.128.0.0/9 126.0.0.0/8 128.0.0.0/16 172.15.0.0/16 172.32.0.0/11 192.0.1.0/24 192.0.3.0/24
192.167.0.0/16 192.169.0.0/16 198.17.0.0/16 198.20.0.0/14 223.255.255.0/24 2001:200::/23 2001:db9::/32 2400::/12
2606:2800:220::/48 2a00::/12 3ffe::/16 2001:dc0::/32"""


def corners(block: str) -> list[str]:
    """The first, the last and the middle address of a block."""
    network = ipaddress.ip_network(block)
    return [str(network[number]) for number in (0, -1, network.num_addresses // 2)]


@pytest.mark.parametrize("address", PRIVATE.split())
def test_private_addresses_in_every_form(address: str) -> None:
    assert is_private(address)


@pytest.mark.parametrize("block", REGISTERED.split())
def test_no_block_that_iana_keeps_for_itself_is_public(block: str) -> None:
    assert all(map(is_private, corners(block)))


@pytest.mark.parametrize("block", REACHABLE.split())
def test_what_anybody_may_have_is_public(block: str) -> None:
    assert not any(map(is_private, corners(block)))


@pytest.mark.parametrize("block", [block for block in REGISTERED.split() if "." in block])
def test_wrapping_an_address_makes_it_no_more_public(block: str) -> None:
    for corner in corners(block):
        number = int(ipaddress.IPv4Address(corner))
        for wrapped in (0xFFFF << 32 | number, 0x64FF9B << 96 | number, 0x2002 << 112 | number << 80):
            assert is_private(str(ipaddress.IPv6Address(wrapped)))


@pytest.mark.parametrize(
    "address", ["93.184.216.34", "2606:2800:220:1::1", "::ffff:93.184.216.34", "64:ff9b::5db8:d822", "2002:5db8:d822::"]
)
def test_public_addresses(address: str) -> None:
    assert not is_private(address)
