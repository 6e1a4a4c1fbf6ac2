"""changes.xml of ping servers: every attribute, in one piece or byte by byte, broken rows beside good ones."""

from __future__ import annotations

import pytest

from blogforever.ping.changes import LONGEST_ROW, ChangesReader
from blogforever.ping.notice import Notice, host_of_notice

OPENED = b'<?xml version="1.0" encoding="utf-8"?>\n<weblogUpdates version="1" time="20041127T22:51:59Z">\n'
ROW = (
    b'<weblog name="Caf\xc3\xa9 &amp; Co" url="http://cafe.example/" rss="http://cafe.example/feed" '
    b'service="ping" ts="20041127T22:51:59Z" />\n'
)
POLLED = b"<weblog name='b' url='http://b.example/' service='typepad' polled='true' when='12'></weblog>\n"
CAFE = Notice("http://cafe.example/", "Café & Co", "http://cafe.example/feed", "ping", "20041127T22:51:59Z")
OTHER = Notice("http://b.example/", "b", "", "typepad", "12", is_polled=True)
BROKEN = (
    b'<weblog name="a & b" url=broken <<\n',
    b'<weblog name="no address" />\n',
    b'<weblog name="a" url="http://a.example/"\n',
    b'<weblog name="long" url="http://a.example/' + b"x" * 3000 + b'" />\n',
)


def test_rows_are_read_with_all_their_attributes() -> None:
    reader = ChangesReader()
    assert reader.feed(OPENED + ROW + POLLED + b"</weblogUpdates>\n") == [CAFE, OTHER]
    assert reader.malformed == 0


def test_bytes_may_come_one_by_one_and_each_row_is_given_as_soon_as_it_ends() -> None:
    reader = ChangesReader()
    came = [reader.feed(bytes([byte])) for byte in OPENED + ROW + POLLED]
    assert [row for rows in came for row in rows] == [CAFE, OTHER]
    assert came[len(OPENED + ROW) - 2] == [CAFE]


@pytest.mark.parametrize("broken", BROKEN)
def test_a_broken_row_is_counted_and_costs_no_other(broken: bytes) -> None:
    reader = ChangesReader()
    assert reader.feed(OPENED + ROW + broken + POLLED) == [CAFE, OTHER]
    assert reader.malformed == 1


def test_a_bare_ampersand_is_no_fault_of_the_blog() -> None:
    reader = ChangesReader()
    assert reader.feed(b'<weblog name="a & b" url="http://a.example/?x=1&y=2"/>') == [
        Notice("http://a.example/?x=1&y=2", "a & b")
    ]
    assert reader.malformed == 0


def test_the_encoding_is_the_one_that_is_said() -> None:
    reader = ChangesReader()
    opened = b'<?xml version="1.0" encoding="iso-8859-1"?><weblogUpdates>'
    assert reader.feed(opened + b'<weblog name="Caf\xe9" url="http://a.example/"/>')[0].name == "Café"


def test_entities_of_their_own_are_never_expanded() -> None:
    bomb = (
        b'<!DOCTYPE x [<!ENTITY a "' + b"a" * 100 + b'">]><weblogUpdates><weblog name="&a;" url="http://a.example/"/>'
    )
    assert [row.name for row in ChangesReader().feed(bomb)] == ["&a;"]


def test_a_row_that_never_ends_is_given_up() -> None:
    reader = ChangesReader()
    assert reader.feed(b'<weblog name="' + b"x" * (LONGEST_ROW + 1)) == []
    assert reader.malformed == 1
    assert reader.feed(ROW) == [CAFE]


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("http://www.A.example:80/x", "a.example"),
        ("https://me@b.example", "b.example"),
        ("c.example/feed", ""),
    ],
)
def test_the_host_of_a_notice(url: str, host: str) -> None:
    assert host_of_notice(url) == host


@pytest.mark.parametrize("size", [1, 7, 100_000])
@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig", "utf-8"])
def test_a_file_that_says_utf_16_is_read_whether_it_is_or_not(encoding: str, size: int) -> None:
    text = '<?xml version="1.0" encoding="utf-16"?><weblogUpdates><weblog name="Café" url="http://a.example/"/>'
    came, reader = text.encode(encoding), ChangesReader()
    read = [row for at in range(0, len(came), size) for row in reader.feed(came[at : at + size])]
    assert (read, reader.malformed) == ([Notice("http://a.example/", "Café")], 0)


@pytest.mark.parametrize("url", ["http://a.example?from=ping", "http://a.example#new", "http://ann@a.example:80?x"])
def test_the_host_of_an_address_ends_before_its_query(url: str) -> None:
    assert host_of_notice(url) == "a.example"
