from __future__ import annotations

import gzip

import pytest

from blogforever.discover.feed import parse_feed
from blogforever.model import Author, Entry, Feed

URL = "https://example.org/blog/feed/"
HEAD = "<title>Quiet harbour</title><link>https://example.org/blog/</link>"


def rss(item: str, head: str = HEAD) -> Feed:
    text = f'<rss version="2.0"><channel>{head}<item>{item}</item></channel></rss>'
    return parse_feed(text.encode(), URL)


def entry(inner: str) -> Entry:
    return rss(f"<link>https://example.org/blog/one/</link>{inner}").entries[0]


def test_an_ampersand_in_an_address_begins_no_entity() -> None:
    found = rss("<title>Nets &mdash; and rope &hellip; &harbour; Co</title><link>/?a=1&copy=2&reg=3</link>").entries[0]
    assert found.url == "https://example.org/?a=1&copy=2&reg=3"
    assert found.title == "Nets — and rope … &harbour; Co"


def test_entities_in_what_is_marked_as_text_stay() -> None:
    assert (
        entry("<description><![CDATA[<p>Fish &amp; nets &nbsp;</p>]]></description>").html
        == "<p>Fish &amp; nets &nbsp;</p>"
    )


@pytest.mark.parametrize(
    "title",
    [
        "<![CDATA[<![CDATA[Low tide]]]]><![CDATA[>]]>",
        "<![CDATA[ <![CDATA[Low tide]]> ]]>",
        "&lt;![CDATA[Low tide]]&gt;",
    ],
)
def test_what_is_marked_as_text_twice_is_the_text(title: str) -> None:
    assert entry(f"<title>{title}</title>").title == "Low tide"


def test_a_post_about_marking_text_keeps_its_words() -> None:
    html = "<p>Write</p><code>&lt;![CDATA[ x ]]&gt;</code>"
    assert entry(f"<description><![CDATA[{html}]]></description>").html == html


def test_a_text_that_was_escaped_once_too_often() -> None:
    found = entry(
        "<description>&amp;lt;p&amp;gt;The nets &amp;lt;b&amp;gt;dry&amp;lt;/b&amp;gt;&amp;lt;/p&amp;gt;</description>"
    )
    assert found.html == "<p>The nets <b>dry</b></p>"
    assert entry("<description>The tag &amp;lt;p&amp;gt; begins it</description>").html == "The tag &lt;p&gt; begins it"


def test_what_a_picture_shows_is_no_text_of_the_entry() -> None:
    picture = (
        '<media:content url="/boat.jpg"><media:description type="plain">A boat on the sand at noon</media:description>'
    )
    assert entry(f"<description>Nets.</description>{picture}</media:content>").html == "Nets."
    assert entry(f"{picture}</media:content>").html == "A boat on the sand at noon"


def test_the_line_of_a_podcast_is_not_its_description() -> None:
    line = "<itunes:subtitle>Sea talk</itunes:subtitle>"
    assert (
        rss("<guid>1</guid>", f"{HEAD}<description>Talks by the sea</description>{line}").subtitle == "Talks by the sea"
    )
    assert rss("<guid>1</guid>", f"{HEAD}{line}").subtitle == "Sea talk"


def test_links_and_words_inside_of_other_elements_are_not_the_entrys() -> None:
    other = '<link url="https://example.org/other/"><x:box><description>A boat</description></x:box></link>'
    found = entry(f"<description>The nets are dry again</description><x:more>{other}{other}{other}</x:more>")
    assert (found.url, found.html) == ("https://example.org/blog/one/", "The nets are dry again")
    assert rss('<title>A</title><link url="https://example.org/a/"></link>').entries[0].url == "https://example.org/a/"


def test_a_file_goes_by_the_address_that_a_service_hides() -> None:
    found = entry(
        '<enclosure url="https://counting.example/~r/talk.mp3" type="audio/mpeg" length="7"/>'
        '<f:origEnclosureLink xmlns:f="http://rssnamespace.org/feedburner/ext/1.0">/talk.mp3</f:origEnclosureLink>'
    )
    assert [(file.url, file.type, file.length) for file in found.enclosures] == [
        ("https://example.org/talk.mp3", "audio/mpeg", 7)
    ]


def test_the_type_of_a_file_is_not_invented() -> None:
    link = '<link rel="enclosure" href="/a.ogg"/>'
    text = f'<feed xmlns="http://www.w3.org/2005/Atom"><entry><id>1</id>{link}</entry></feed>'
    assert parse_feed(text.encode(), URL).entries[0].enclosures[0].type is None


def test_an_entry_of_another_feed_is_by_who_writes_there() -> None:
    source = "<source><title>Elsewhere</title><author><name>Bea Example</name></author></source>"
    text = f"""<feed xmlns="http://www.w3.org/2005/Atom"><author><name>Ann Example</name></author>
        <entry><id>1</id><link href="/1"/>{source}</entry><entry><id>2</id><link href="/2"/></entry></feed>"""
    found = parse_feed(text.encode(), URL).entries
    assert [one.authors for one in found] == [(Author("Bea Example"),), (Author("Ann Example"),)]


def test_a_name_that_the_program_writes_for_nobody() -> None:
    author, maker = "<author><name>John Doe</name></author>", '<generator uri="https://hexo.io/">Hexo</generator>'
    entries = '<entry><id>1</id><link href="/1"/></entry>'
    root = '<feed xmlns="http://www.w3.org/2005/Atom">'
    made = parse_feed(f"{root}{maker}{author}{entries}</feed>".encode(), URL)
    assert (made.authors, made.entries[0].authors) == ((), ())
    assert parse_feed(f"{root}{author}{entries}</feed>".encode(), URL).entries[0].authors == (Author("John Doe"),)


def test_an_address_that_begins_with_its_host() -> None:
    assert rss("<link>www.example.org/tides</link>").entries[0].url == "https://www.example.org/tides"


@pytest.mark.parametrize("encoding", ["utf-32-le", "utf-32-be"])
def test_four_bytes_for_a_character_without_a_mark(encoding: str) -> None:
    text = "<rss version='2.0'><channel><item><title>Grüße</title><link>/1</link></item></channel></rss>"
    assert parse_feed(text.encode(encoding), URL).entries[0].title == "Grüße"


def test_a_feed_that_is_packed_even_twice() -> None:
    text = b"<rss version='2.0'><channel><item><title>Tides</title><link>/1</link></item></channel></rss>"
    packed = gzip.compress(text)
    for content in (packed, gzip.compress(packed)):
        assert parse_feed(content, URL).entries[0].title == "Tides"


def test_the_language_of_the_root_is_that_of_the_feed() -> None:
    channel = '<channel rdf:about="https://example.org/"><title>Hafen</title></channel>'
    spaces = 'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"'
    text = f'<rdf:RDF {spaces} xml:lang="de">{channel}</rdf:RDF>'
    assert parse_feed(text.encode(), URL).language == "de"
