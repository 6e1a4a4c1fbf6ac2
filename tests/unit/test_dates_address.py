"""Dates in addresses."""

from __future__ import annotations

import pytest

from blogforever.dates import address_date


@pytest.mark.parametrize(
    ("path", "iso"),
    [
        ("2013/3/4/x/", "2013-03-04"),
        ("2013-03-04-x", "2013-03-04"),
        ("blog/2013/03/04", "2013-03-04"),
        ("a/20130304/x.html", "2013-03-04"),
        ("2013/03/x.html", "2013-03"),
        ("2013/03/04.html", "2013-03-04"),
        ("2013/03/7-ways-to-boil-an-egg/", "2013-03"),
        ("2013/03/12_the_ferry.html", "2013-03"),
    ],
)
def test_what_an_address_names(path: str, iso: str) -> None:
    found = address_date(f"https://b.example/{path}")
    assert found is not None
    assert found.iso == iso
    assert found.precision == ("day" if len(iso) == 10 else "month")


@pytest.mark.parametrize("path", ["", "2013/13/45/", "2013/02/31/", "post-2013", "x?d=/2013/03/04/", "120130304/"])
def test_what_is_no_date(path: str) -> None:
    assert address_date(f"https://b.example/{path}") is None
