from __future__ import annotations

import gzip

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from blogforever.discover.packed import inflate
from blogforever.discover.sitemap import parse_sitemap, sitemaps_in_robots

URL = "https://example.org/sitemap.xml"
NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
PAGES = f"""<?xml version="1.0"?><urlset {NAMESPACE} xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">
<url><loc> https://example.org/a/ </loc><lastmod>2020-01-02</lastmod>
<image:image><image:loc>https://example.org/p.png</image:loc></image:image></url>
<url><loc>/b/?x=1&amp;utm_source=y</loc></url><url><loc>https://example.org/a/</loc></url>
<url><loc>nonsense words</loc></url></urlset>"""


@pytest.mark.parametrize("namespace", [NAMESPACE, "", 'xmlns="urn:wrong"'])
def test_pages(namespace: str) -> None:
    found = parse_sitemap(PAGES.replace(NAMESPACE, namespace).encode(), URL)
    assert {entry.url for entry in found.urls} == {"https://example.org/a/", "https://example.org/b/?x=1"}
    assert found.sitemaps == ()


def test_last_change() -> None:
    found = parse_sitemap(
        b"<urlset><url><loc>http://example.org/a</loc><lastmod>2020-01-02T03:04:05+01:00</lastmod></url></urlset>", URL
    )
    assert found.urls[0].lastmod
    assert found.urls[0].lastmod.iso == "2020-01-02T03:04:05+01:00"


@pytest.mark.parametrize("half", ["&#xD800;", "&#55296;", "&#xdFfF", "&#57343;"])
def test_half_a_character_takes_no_address_away(half: str) -> None:
    maps = [
        f"<urlset><url><loc>https://example.org/{half}a/</loc></url>",
        f"<urlset><url><lo{half}c></lo{half}c></url>",
    ]
    for start in maps:
        found = parse_sitemap(f"{start}<url><loc>https://example.org/b/</loc></url></urlset>".encode(), URL)
        assert "https://example.org/b/" in {entry.url for entry in found.urls}


@pytest.mark.parametrize("number", [55295, 57344, 0x20AC])
def test_references_to_whole_characters_are_read(number: int) -> None:
    found = parse_sitemap(f"<urlset><url><loc>https://example.org/&#{number};/</loc></url></urlset>".encode(), URL)
    assert len(found.urls) == 1
    assert "%" in found.urls[0].url


def test_index_and_gzip() -> None:
    index = f"<sitemapindex {NAMESPACE}><sitemap><loc>https://example.org/s1.xml.gz</loc></sitemap></sitemapindex>"
    found = parse_sitemap(gzip.compress(index.encode()), URL)
    assert [entry.url for entry in found.sitemaps] == ["https://example.org/s1.xml.gz"]
    assert found.urls == ()


def test_text() -> None:
    found = parse_sitemap(b"\xef\xbb\xbfhttps://example.org/a\r\n\r\nhttps://example.org/b\nwords here\n", URL)
    assert [entry.url for entry in found.urls] == ["https://example.org/a", "https://example.org/b"]


def test_broken_is_read_as_far_as_it_goes() -> None:
    found = parse_sitemap(
        b"junk<urlset><url><loc>http://example.org/a?x=1&y=2</loc></url><url><loc>http://example.org/b</lo", URL
    )
    assert found.urls[0].url.startswith("http://example.org/a?x=1")


def test_written_on_the_authors_machine() -> None:
    found = parse_sitemap(b"<urlset><url><loc>http://localhost:4000/a</loc></url></urlset>", URL)
    assert found.urls[0].url == "https://example.org/a"


def test_entities_stay_closed() -> None:
    bomb = b'<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd">]><urlset><url><loc>http://example.org/&f;</loc></url></urlset>'
    assert all("root:" not in entry.url for entry in parse_sitemap(bomb, URL).urls)


@pytest.mark.parametrize(
    "content", [b"", b"\x1f\x8bbroken", b"<html><body><a href='/x'>x</a></body></html>", b"\0" * 50, b"<urlset>"]
)
def test_no_sitemap(content: bytes) -> None:
    assert parse_sitemap(content, URL).urls == ()


# Without the time of day: a test is called by it, and each process must call it alike.
PACKED = gzip.compress(b"<urlset>" + b"<url><loc>http://example.org/a</loc></url>" * 99 + b"</urlset>", mtime=0)


@pytest.mark.parametrize(
    ("content", "ends_early"),
    [
        (b"<urlset><url><loc>http://example.org/a</loc></url></urlset>\n<!-- made in 0.1 s -->", False),
        (b"<urlset/>", False),
        (b"<url><loc>http://example.org/a</loc></url>", False),
        (b"http://example.org/a\n", False),
        (b"<urlset><url><loc>http://example.org/a</loc></url><url><loc>http://exa", True),
        (b"<x:sitemapindex xmlns:x='u'><x:sitemap><x:loc>http://example.org/a</x:loc></x:sitemap>", True),
        (PACKED[:-20], True),
    ],
)
def test_a_sitemap_that_breaks_off_says_so(content: bytes, ends_early: bool) -> None:
    assert parse_sitemap(content, URL).ends_early == ends_early


def test_inflation_is_bounded() -> None:
    assert len(inflate(gzip.compress(b"a" * 100_000), 1000)) == 1000
    assert len(inflate(b"a" * 100_000, 1000)) == 1000
    cut = gzip.compress(bytes(range(256)) * 400)[:-30]
    assert inflate(cut, 1000)
    assert inflate(b"", 1000) == b""


@pytest.mark.parametrize(
    ("loc", "url"),
    [
        ("https://example.org/?a=1&copy=2&p=3", "https://example.org/?a=1&copy=2&p=3"),
        ("https://example.org/caf&eacute;", "https://example.org/caf%C3%A9"),
        ("https://example.org/two words", "https://example.org/two%20words"),
        ('<a href="https://example.org/a">https://example.org/a</a>', "https://example.org/a"),
        ("&home;/b", "https://example.org/b"),
    ],
)
def test_addresses_that_are_not_quite_xml(loc: str, url: str) -> None:
    prolog = '<?xml version="1.0"?><!DOCTYPE urlset [<!ENTITY home "https://example.org">]>'
    content = f"{prolog}<urlset><url><loc>{loc}</loc></url><url><loc>https://example.org/z</loc></url></urlset>"
    assert [entry.url for entry in parse_sitemap(content.encode(), URL).urls] == [url, "https://example.org/z"]


def test_half_an_address_is_none() -> None:
    found = parse_sitemap(b"<urlset><url><loc>https://example.org/a</loc></url><url><loc>https://exam", URL)
    assert [entry.url for entry in found.urls] == ["https://example.org/a"]
    assert found.ends_early


def test_a_feed_in_the_place_of_a_sitemap() -> None:
    entry = '<entry><id>x</id><link href="/a"/><published>2020-01-02</published><updated>2020-02-03</updated></entry>'
    feed = (
        f'<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom">{entry}<entry><id>urn:x:1</id></entry></feed>'
    )
    found = parse_sitemap(feed.encode(), URL)
    assert [(one.url, one.lastmod and one.lastmod.iso) for one in found.urls] == [
        ("https://example.org/a", "2020-02-03")
    ]
    assert parse_sitemap(b"<rss>", URL).urls == ()


def test_robots_as_they_are_written() -> None:
    text = "\ufeffSitemap: https://example.org/a.xml\rSitemap: sitemap-b.xml.gz\rDisallow: /sitemap: no\r"
    assert sitemaps_in_robots(text, "https://example.org/robots.txt") == [
        "https://example.org/a.xml",
        "https://example.org/sitemap-b.xml.gz",
    ]


def test_robots() -> None:
    text = "User-agent: *\nDisallow: /x\nSitemap: https://example.org/a.xml\n sitemap :/b.xml # ours\nSitemap: http://localhost:2368/c.xml\n"
    assert sitemaps_in_robots(text, "https://example.org/robots.txt") == [
        "https://example.org/a.xml",
        "https://example.org/b.xml",
        "https://example.org/c.xml",
    ]
    assert sitemaps_in_robots("") == []


@settings(deadline=None)
@given(
    st.lists(
        st.sampled_from(
            [
                "<urlset>",
                "<url>",
                "<loc>",
                "http://[",
                "http://x/",
                "</loc>",
                "</url>",
                "<sitemap>",
                "&",
                "&x;",
                "\0",
                "é",
                "<!--",
                "<",
            ]
        )
    ).map("".join)
    | st.text(max_size=30)
)
def test_never_raises(text: str) -> None:
    content = text.encode("utf-8", "surrogatepass")
    for variant in (content, b"<urlset>" + content, gzip.compress(content), gzip.compress(content)[:-9]):
        assert all(entry.url.startswith("http") for entry in parse_sitemap(variant, URL).urls)
