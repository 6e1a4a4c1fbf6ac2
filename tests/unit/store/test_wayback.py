from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from blogforever.protocols import Exchange
from blogforever.store.warc import WarcWriter
from blogforever.store.warcreader import WarcReader
from blogforever.store.wayback import original, unwrapped, unwrapped_link

PAGE = "http://blog.example/2010/01/first/"
HTML = (("Content-Type", "text/html"),)


@pytest.mark.parametrize(
    ("url", "found"),
    [
        (f"https://web.archive.org/web/20100203040506id_/{PAGE}", (PAGE, "2010-02-03T04:05:06Z")),
        (f"http://web.archive.org/web/20100203040506/{PAGE}?a=b#c", (f"{PAGE}?a=b#c", "2010-02-03T04:05:06Z")),
        (
            "https://archive.example/wayback/20100203040506if_/http:/blog.example/",
            ("http://blog.example/", "2010-02-03T04:05:06Z"),
        ),
        ("https://web.archive.org/web/20109903040506/http://blog.example/", None),
        ("https://web.archive.org/web/2010*/http://blog.example/", None),
        ("https://web.archive.org/", None),
        (PAGE, None),
        ("https://blog.example/share?u=http://other.example/", None),
    ],
)
def test_addresses_of_web_archives_stand_for_others(url: str, found: tuple[str, str] | None) -> None:
    assert original(url) == found


def test_what_a_web_archive_wrote_into_a_page_is_taken_out() -> None:
    page = (
        b'<html><head><script src="//archive.org/includes/x.js"></script><script>wm.wombat()</script>'
        b"<!-- End Wayback Rewrite JS Include --><title>T</title></head><body>"
        b"<!-- BEGIN WAYBACK TOOLBAR INSERT --><div>toolbar</div><!-- END WAYBACK TOOLBAR INSERT -->"
        b'<a href="/web/20100203040506/http://blog.example/a">a</a>'
        b'<img src="https://web.archive.org/web/20100203040506im_/http://blog.example/b.png">'
        b"</body></html><!--\n     FILE ARCHIVED ON 04:05:06 Feb 03, 2010 AND RETRIEVED\n-->"
    )
    assert unwrapped(page) == (
        b"<html><head><title>T</title></head><body>"
        b'<a href="http://blog.example/a">a</a><img src="http://blog.example/b.png"></body></html>'
    )
    assert unwrapped_link(f"/web/20100203040506/{PAGE}") == PAGE
    assert unwrapped_link("/about/") == "/about/"


def write(folder: Path, *captures: tuple[str, int, bytes, int]) -> None:
    writer = WarcWriter(folder, folder, {})
    for url, status, body, year in captures:
        writer.write(Exchange(url, "GET", (), status, "", HTML, body, datetime(year, 1, 1, tzinfo=UTC)))
    writer.close()


def test_captures_are_found_by_the_original_address_in_the_order_of_time(tmp_path: Path) -> None:
    wayback = f"https://web.archive.org/web/20100203040506id_/{PAGE}"
    write(tmp_path, (PAGE, 200, b"of 2015", 2015), (PAGE, 200, b"of 2012", 2012), (wayback, 200, b"of 2010", 2024))
    write(tmp_path, (PAGE, 404, b"gone", 2020), ("https://blog.example/other", 200, b"x", 2011))
    reader = WarcReader([tmp_path])
    pages = [reader.response(ref)[1] for ref in reader.captures(PAGE)]
    assert [page.content for page in pages] == [b"of 2010", b"of 2012", b"of 2015"]
    assert [page.captured.year for page in pages if page.captured] == [2010, 2012, 2015]
    assert {page.url for page in pages} == {PAGE}
    newest = reader.find(PAGE)
    assert newest is not None
    assert reader.response(newest)[1].content == b"of 2015"
    assert len(reader.captures("http://blog.example/other")) == 1
    assert reader.captures("http://blog.example/nowhere") == []
