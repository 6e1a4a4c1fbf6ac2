"""What a feed says of a post's rights, licence and place is kept in its record, and shown in the copy."""

from __future__ import annotations

from typing import Any

import pytest

from blogforever import Page, extract_post, parse_feed
from blogforever.export.site import Holdings, Site
from blogforever.pipeline.record import post_record
from blogforever.records import PostRecord, to_json
from server.somerecords import some_blog

URL = "https://b.example/ferry/"
RSS = """<?xml version="1.0"?><rss version="2.0" xmlns:geo="http://www.w3.org/2003/01/geo/wgs84_pos#"
 xmlns:georss="http://www.georss.org/georss" xmlns:dc="http://purl.org/dc/elements/1.1/"
 xmlns:cc="http://backend.userland.com/creativeCommonsRssModule"><channel><title>The ferry log</title>
<item><title>Ferry</title><link>{url}</link>{more}</item></channel></rss>"""
LICENCE = "https://creativecommons.org/licenses/by/4.0/"
PAGE = Page(
    URL, b"<title>Ferry</title><article><h1>Ferry</h1><p>It leaves at nine, and at ten it is back.</p></article>"
)


def record(more: str) -> PostRecord:
    (entry,) = parse_feed(RSS.format(url=URL, more=more).encode(), "https://b.example/feed").entries
    return post_record(extract_post(PAGE, None, entry), "b", PAGE)


@pytest.mark.parametrize(
    ("more", "extra"),
    [
        ("<dc:rights>Ann, 2021</dc:rights>", {"rights": "Ann, 2021"}),
        (f"<cc:license>{LICENCE}</cc:license>", {"license": LICENCE}),
        ("<geo:lat>46.2</geo:lat><geo:long>6.14</geo:long>", {"geo": {"latitude": 46.2, "longitude": 6.14}}),
        ("<georss:point>46.2 6.14</georss:point>", {"geo": {"latitude": 46.2, "longitude": 6.14}}),
        ("<geo:lat>46.2</geo:lat>", {}),
        ("<geo:lat>nan</geo:lat><geo:long>6.14</geo:long>", {}),
        ("<geo:lat>460</geo:lat><geo:long>here</geo:long>", {}),
        ("", {}),
    ],
)
def test_the_record_keeps_what_the_entry_says(more: str, extra: dict[str, Any]) -> None:
    made = record(more)
    assert to_json(made)["extra"] == extra
    assert {name for name in made.provenance if name in ("rights", "license", "geo")} == set(extra)


def test_the_copy_shows_them() -> None:
    made = record(
        f"<dc:rights>Ann, 2021</dc:rights><cc:license>{LICENCE}</cc:license><georss:point>46 6</georss:point>"
    )
    shown = "".join(text for _, text in Site(some_blog(url=URL), lambda: [made], Holdings()).files())
    assert "<dt>Rights</dt><dd><bdi>Ann, 2021</bdi></dd>" in shown
    assert f"<dt>Licence</dt><dd><bdi>{LICENCE}</bdi></dd>" in shown
    assert "<dt>Place</dt><dd><bdi>46.0, 6.0</bdi></dd>" in shown
