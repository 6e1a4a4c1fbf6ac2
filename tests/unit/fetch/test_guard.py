from __future__ import annotations

import pytest

from blogforever.fetch.guard import is_private

PRIVATE = """127.0.0.1 10.1.2.3 192.168.0.1 169.254.169.254 0.0.0.0 ::1 fe80::1%eth0 fd00::1 224.0.0.1 100.64.0.1
::ffff:127.0.0.1 ::ffff:10.0.0.1 64:ff9b::7f00:1 2002:7f00:1:: not-an-address
fec0::1 64:ff9b:1::1 64:ff9b:1::a00:1 ::127.0.0.1 ::ffff:0:7f00:1 3fff::1 5f00::1"""


@pytest.mark.parametrize("address", PRIVATE.split())
def test_private_addresses_in_every_form(address: str) -> None:
    assert is_private(address)


@pytest.mark.parametrize(
    "address", ["93.184.216.34", "2606:2800:220:1::1", "::ffff:93.184.216.34", "64:ff9b::5db8:d822"]
)
def test_public_addresses(address: str) -> None:
    assert not is_private(address)
