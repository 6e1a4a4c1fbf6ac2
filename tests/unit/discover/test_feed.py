from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from blogforever.discover.feed import parse_feed
from blogforever.errors import FeedError
from blogforever.model import Author, Entry, Feed

URL = "https://example.org/blog/feed/"
NAMESPACES = (
    'xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/" '
    'xmlns:wfw="http://wellformedweb.org/CommentAPI/" xmlns:slash="http://purl.org/rss/1.0/modules/slash/" '
    'xmlns:atom="http://www.w3.org/2005/Atom" xmlns:feedburner="http://rssnamespace.org/feedburner/ext/1.0"'
)


def rss(item: str, head: str = "<title>Quiet harbour</title><link>https://example.org/blog/</link>") -> Feed:
    text = f'<?xml version="1.0"?><rss version="2.0" {NAMESPACES}><channel>{head}{item}</channel></rss>'
    return parse_feed(text.encode(), URL)


def only(feed: Feed) -> Entry:
    assert len(feed.entries) == 1
    return feed.entries[0]


def entry(inner: str) -> Entry:
    return only(rss(f"<item><link>https://example.org/blog/one/</link>{inner}</item>"))


def test_rss_with_everything() -> None:
    feed = rss(
        """<item><title>Tides &amp;amp; winds</title><link>https://example.org/blog/tides/</link>
        <dc:creator><![CDATA[Ann Example]]></dc:creator><pubDate>Mon, 04 Mar 2013 10:11:12 +0100</pubDate>
        <category>Sea</category><category><![CDATA[Wind & waves]]></category><category>sea</category>
        <guid isPermaLink="false">https://example.org/?p=7</guid><description>Short.</description>
        <content:encoded><![CDATA[<p onclick="x()">Long &lt; <a href="/x">text</a></p>]]></content:encoded>
        <wfw:commentRss>https://example.org/blog/tides/feed/</wfw:commentRss><slash:comments>3</slash:comments>
        <comments>https://example.org/blog/tides/#comments</comments>
        <enclosure url="https://example.org/a.mp3" type="audio/mpeg" length="12"/></item>""",
        """<title>Quiet harbour</title><link>https://example.org/blog/</link><description>Notes</description><language>en-GB</language>
        <generator>https://wordpress.org/?v=6.1</generator><copyright>All mine</copyright>
        <atom:link rel="next" href="?paged=2"/>""",
    )
    assert (feed.kind, feed.version, feed.title, feed.subtitle) == ("rss", "2.0", "Quiet harbour", "Notes")
    assert (feed.link, feed.language, feed.rights) == ("https://example.org/blog/", "en-GB", "All mine")
    assert feed.generator == "https://wordpress.org/?v=6.1"
    assert feed.next_url == "https://example.org/blog/?paged=2"
    assert feed.problems == ()
    found = only(feed)
    assert found.title == "Tides & winds"
    assert found.authors == (Author("Ann Example"),)
    assert found.published
    assert found.published.iso == "2013-03-04T10:11:12+01:00"
    assert found.updated is None
    assert found.tags == ("Sea", "Wind & waves")
    assert found.html == '<p onclick="x()">Long &lt; <a href="/x">text</a></p>'
    assert found.summary_html == "Short."
    assert found.comments_feed == "https://example.org/blog/tides/feed/"
    assert found.comments_url == "https://example.org/blog/tides/"
    assert (found.comment_count, found.guid) == (3, "https://example.org/?p=7")
    assert [(file.url, file.type, file.length) for file in found.enclosures] == [
        ("https://example.org/a.mp3", "audio/mpeg", 12)
    ]


def test_atom() -> None:
    feed = parse_feed(
        b"""<feed xmlns="http://www.w3.org/2005/Atom" xmlns:thr="http://purl.org/syndication/thread/1.0" xml:lang="de">
        <title>Hafen</title><link rel="self" href="/feed"/><link href="https://example.org/"/>
        <generator version="7.00">Blogger</generator>
        <author><name>Ann Example</name><email>noreply@blogger.com</email>
        <uri>https://example.org/ann</uri></author>
        <entry><id>tag:example.org,1999:1</id>
        <title type="html">A &amp;lt;b&amp;gt; tag and &lt;i&gt;more&lt;/i&gt;</title>
        <updated>2014-01-02T03:04:05-08:00</updated><published>2014-01-01T03:04:05.123-08:00</published>
        <category scheme="http://schemas.google.com/g/2005#kind" term="http://schemas.google.com/blogger/2008/kind#post"/>
        <category term="x1" label="X one"/><content type="html">&lt;p&gt;Text&lt;/p&gt;</content>
        <summary type="text">a &lt; b</summary>
        <link rel="replies" type="application/atom+xml" thr:count="4"
        href="https://example.org/feeds/1/comments/default"/>
        <link rel="replies" type="text/html" href="https://example.org/1.html#comment-form"/>
        <link rel="alternate" type="text/html" href="https://EXAMPLE.org/1.html"/></entry>
        <entry><id>tag:example.org,1999:2</id><updated>2014-01-03T00:00:00Z</updated><link href="/2.html"/>
        <author><name>Bob Example</name></author><summary>only a summary</summary></entry></feed>""",
        "https://example.org/feed",
    )
    first, second = feed.entries
    assert (feed.kind, feed.version, feed.language, feed.generator) == ("atom", "1.0", "de", "Blogger 7.00")
    assert first.title == "A <b> tag and more"
    assert first.url == "https://example.org/1.html"
    assert first.authors == (Author("Ann Example", "https://example.org/ann", "noreply@blogger.com"),)
    assert first.extra["authors_from"] == "feed"
    assert first.published
    assert first.published.iso == "2014-01-01T03:04:05-08:00"
    assert first.updated
    assert first.updated.iso == "2014-01-02T03:04:05-08:00"
    assert first.tags == ("X one",)
    assert first.html == "<p>Text</p>"
    assert first.summary_html == "a &lt; b"
    assert first.comments_feed == "https://example.org/feeds/1/comments/default"
    assert first.comments_url == "https://example.org/1.html"
    assert first.comment_count == 4
    assert second.published is None
    assert second.updated
    assert [author.name for author in second.authors] == ["Bob Example"]
    assert (second.html, second.summary_html) == ("", "only a summary")


def test_atom_03_and_xhtml_content() -> None:
    feed = parse_feed(
        b"""<feed version="0.3" xmlns="http://purl.org/atom/ns#"><title>Old</title>
        <link rel="alternate" href="http://example.org/"/>
        <entry><title>One</title><link rel="alternate" type="text/html" href="http://example.org/1"/>
        <issued>2004-05-06T07:08:09+02:00</issued>
        <modified>2004-05-07T00:00:00Z</modified><content type="application/xhtml+xml">
        <div xmlns="http://www.w3.org/1999/xhtml"><p>a &amp; b</p></div></content>
        </entry></feed>""",
        "http://example.org/atom.xml",
    )
    found = only(feed)
    assert feed.version == "0.3"
    assert "<p>a &amp; b</p>" in found.html
    assert found.published
    assert found.published.iso == "2004-05-06T07:08:09+02:00"


def test_rdf() -> None:
    feed = parse_feed(
        b"""<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"
        xmlns:dc="http://purl.org/dc/elements/1.1/">
        <channel rdf:about="http://example.org/"><title>Log</title><link>http://example.org/</link></channel>
        <item rdf:about="http://example.org/1"><title>One</title><link>http://example.org/1</link>
        <dc:date>2005-06-07T08:09+00:00</dc:date>
        <dc:creator>Ann</dc:creator><dc:subject>Tea</dc:subject><description>Text</description></item></rdf:RDF>""",
        "http://example.org/index.rdf",
    )
    found = only(feed)
    assert (feed.kind, feed.version) == ("rdf", "1.0")
    assert found.published
    assert (found.published.iso, found.published.precision) == ("2005-06-07T08:09+00:00", "minute")
    assert (found.updated, found.html, found.tags) == (None, "Text", ("Tea",))


@pytest.mark.parametrize(
    ("link", "expected"),
    [
        ("/blog/a/", "https://example.org/blog/a/"),
        ("a/", "https://example.org/blog/a/"),
        ("//example.org/a/", "https://example.org/a/"),
        ("http://localhost:2368/a/", "https://example.org/a/"),
        ("http://127.0.0.1:4000/a/", "https://example.org/a/"),
        ("http://Example.ORG/a/?utm_source=rss&amp;#038;utm_medium=rss", "http://example.org/a/"),
        ("http://example.org/?p=1&amp;utm_source=rss#more", "http://example.org/?p=1"),
    ],
)
def test_links_are_repaired(link: str, expected: str) -> None:
    assert only(rss(f"<item><link>{link}</link></item>")).url == expected


def test_link_from_elsewhere() -> None:
    assert only(rss("<item><guid>https://example.org/a</guid></item>")).url == "https://example.org/a"
    original = "<feedburner:origLink>https://example.org/b</feedburner:origLink>"
    assert (
        only(rss(f"<item><link>https://feedproxy.google.com/~r/x</link>{original}</item>")).url
        == "https://example.org/b"
    )
    shared = only(
        rss("<item><link>https://other.example.net/news</link><guid>https://example.org/blog/c</guid></item>")
    )
    assert (shared.url, shared.extra["link"]) == ("https://example.org/blog/c", "https://other.example.net/news")


def test_entries_without_link_are_a_problem() -> None:
    feed = rss("<item><title>lost</title></item>")
    assert feed.entries == ()
    assert feed.pageless == 1
    assert feed.problems == ("1 entries that nothing names are left out",)


def test_an_entry_without_a_page_goes_by_its_file_or_its_id() -> None:
    spoken = entry_without_link('<enclosure url="https://example.org/talk.mp3"/><title>A talk</title>')
    assert (spoken.url, spoken.title) == ("https://example.org/talk.mp3", "A talk")
    noted = entry_without_link('<guid isPermaLink="false">note-17</guid><description>A note</description>')
    assert (noted.url, noted.guid, noted.html) == ("note-17", "note-17", "A note")


def entry_without_link(inner: str) -> Entry:
    return only(rss(f"<item>{inner}</item>"))


def test_an_address_of_another_kind_in_a_link_is_not_its_page() -> None:
    link = '<link uri="at://did:plc:abc/post/1">https://example.org/blog/two/</link>'
    assert entry_without_link(link).url == "https://example.org/blog/two/"


def test_markup_in_names_is_not_the_end_of_them() -> None:
    found = entry("<category><p>Boats &amp; tides</p></category><author><b>Ann Example</b></author>")
    assert found.tags == ("Boats & tides",)
    assert [author.name for author in found.authors] == ["Ann Example"]


def test_relative_ids_stay_as_they_are() -> None:
    text = '<feed xmlns="http://www.w3.org/2005/Atom"><entry><id>notes/7</id><link href="/7.html"/></entry></feed>'
    assert only(parse_feed(text.encode(), URL)).guid == "notes/7"


def test_a_podcasts_summary_and_an_undeclared_link_are_the_blogs() -> None:
    head = '<itunes:summary>Talks by the sea</itunes:summary><atom:link rel="alternate" href="https://example.org/"/>'
    text = f'<rss version="2.0"><channel><title>T</title>{head}</channel></rss>'
    feed = parse_feed(text.encode(), URL)
    assert (feed.subtitle, feed.link) == ("Talks by the sea", "https://example.org/")


@pytest.mark.parametrize(
    ("element", "expected"),
    [
        ("<author>ann@example.org (Ann Example)</author>", [Author("Ann Example", None, "ann@example.org")]),
        ("<author>noreply@blogger.com (Ann Example)</author>", [Author("Ann Example", None, "noreply@blogger.com")]),
        ("<author>Ann Example (ann@example.org)</author>", [Author("Ann Example", None, "ann@example.org")]),
        ("<author>Ann Example &lt;ann@example.org&gt;</author>", [Author("Ann Example", None, "ann@example.org")]),
        ("<dc:creator>Ann &amp;amp; Bob</dc:creator>", [Author("Ann & Bob")]),
        ("<dc:creator>Ann</dc:creator><dc:creator>Bob</dc:creator>", [Author("Ann"), Author("Bob")]),
        ("<dc:creator>admin</dc:creator>", [Author("admin")]),
        ("<dc:creator>Your Name</dc:creator>", []),
        (
            "<dc:creator>Ann Example (mailto:ann@example.org)</dc:creator>",
            [Author("Ann Example", None, "ann@example.org")],
        ),
        ("<author>ann@example.org</author>", []),
        ("<author>https://example.org/</author>", []),
    ],
)
def test_authors(element: str, expected: list[Author]) -> None:
    assert list(entry(element).authors) == expected


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Plain", "Plain"),
        ("  two\n lines ", "two lines"),
        ("<![CDATA[An <em>old</em> story&#8217;s end]]>", "An old story’s end"),
        ("A &amp;amp;amp; B", "A &amp; B"),
        ("Why List&lt;T&gt; is slow", "Why List<T> is slow"),
        ("&lt;b&gt;bold&lt;/b&gt; move", "bold move"),
    ],
)
def test_titles(title: str, expected: str) -> None:
    assert entry(f"<title>{title}</title>").title == expected


def test_bare_ampersands_and_cut_feeds_are_read() -> None:
    text = f'<rss version="2.0" {NAMESPACES}><channel><title>T</title><link>http://example.org/</link>'
    text += "<item><title>Salt & pepper &eacute;</title><link>/1?a=1&b=2</link></item>"
    text += "<item><title>Cut</title><link>/2</link><descr"
    feed = parse_feed(text.encode(), URL)
    assert [found.title for found in feed.entries][:1] == ["Salt & pepper é"]
    assert feed.entries[0].url == "http://example.org/1?a=1&b=2"
    assert feed.problems[0].startswith("not well-formed: ")


def test_what_feedparser_makes_nothing_of_is_mended() -> None:
    text = '<rss version="2.0"><channel><title>Torn</title></width>'
    text += "<item><title>One</title><link>http://example.org/1</link></item></channel></rss>"
    feed = parse_feed(text.encode(), URL)
    assert [found.url for found in feed.entries] == ["http://example.org/1"]
    assert "not well-formed: read after mending" in feed.problems


def test_stray_bytes_survive() -> None:
    head = b'<?xml version="1.0" encoding="UTF-8"?><rss version="2.0"><channel><title>\xc3\xa9t\xe9</title>'
    assert parse_feed(head + b"</channel></rss>", URL).title == "été"


@pytest.mark.parametrize("codec", ["utf-8-sig", "utf-16", "iso-8859-1", "cp1252"])
def test_encodings(codec: str) -> None:
    declaration = f'<?xml version="1.0" encoding="{codec.removesuffix("-sig")}"?>'
    text = declaration + '<rss version="2.0"><channel><title>déjà</title></channel></rss>'
    assert parse_feed(text.encode(codec), URL).title == "déjà"


def test_wrong_declaration_gives_way_to_valid_utf_8() -> None:
    declaration = '<?xml version="1.0" encoding="iso-8859-1"?>'
    text = declaration + '<rss version="2.0"><channel><title>déjà 日本</title></channel></rss>'
    assert parse_feed(text.encode(), URL).title == "déjà 日本"


WESTERN = "Le café de la gare était déjà fermé ; la forêt derrière l'église semblait très noire à Élodie. "
POLISH = "Zażółć gęślą jaźń, powiedział żołnierz. Łódź płynęła cicho, a dzieci śpiewały o źrebięciu. "
RUSSIAN = "Сегодня утром мы пошли к реке, где рыбаки чинили свои сети. "


@pytest.mark.parametrize(
    ("words", "codec"), [(WESTERN, "iso-8859-1"), (POLISH, "cp1250"), (RUSSIAN, "cp1251"), (RUSSIAN, "koi8-r")]
)
def test_undeclared_encodings_are_known_by_their_words(words: str, codec: str) -> None:
    text = f'<rss version="2.0"><channel><title>{words * 3}</title></channel></rss>'
    assert parse_feed(text.encode(codec), URL).title == (words * 3).strip()


def test_what_the_server_says_counts_where_the_feed_says_nothing() -> None:
    text = '<rss version="2.0"><channel><title>Šiandien žąsys</title></channel></rss>'
    assert parse_feed(text.encode("cp1257"), URL, "windows-1257").title == "Šiandien žąsys"
    declared = '<?xml version="1.0" encoding="windows-1257"?>' + text
    assert parse_feed(declared.encode("cp1257"), URL, "iso-8859-1").title == "Šiandien žąsys"


def test_entities_of_plain_words_are_read() -> None:
    entities = b'<!DOCTYPE rss [<!ENTITY harbour "Quiet harbour">]>'
    feed = b'<rss version="2.0"><channel><title>&harbour; notes</title></channel></rss>'
    assert parse_feed(entities + feed, URL).title == "Quiet harbour notes"


def test_entities_never_explode() -> None:
    entities = b'<!DOCTYPE r [<!ENTITY a "boom"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>'
    bomb = b'<rss version="2.0"><channel><title>x &b;</title></channel></rss>'
    assert "boom" not in (parse_feed(entities + bomb, URL).title or "")


def test_forbidden_characters_and_half_pairs() -> None:
    feed = rss("<item><link>/1</link><title>a\x0bb &#55357;&#56832; &#0;c</title></item>")
    assert only(feed).title == "ab 😀 c"
    assert feed.problems == ("control characters in the feed",)


def test_feed_inside_html_and_trailing_comments() -> None:
    inside = b'<rss version="2.0"><channel><title>x</title></channel></rss>'
    feed = parse_feed(b"<html><body>" + inside + b"</body></html>", URL)
    assert (feed.title, feed.problems) == ("x", ("text before the feed", "text after the feed"))
    cached = parse_feed(b'<rss version="2.0"><channel><title>x</title></channel></rss>\n<!-- cached -->', URL)
    assert cached.problems == ()


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "empty"),
        (b" \n\x00", "empty"),
        (b"<!DOCTYPE html><html><head><title>x</title></head></html>", "HTML page"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "binary"),
        (b"just words", "not a feed"),
        (b"<urlset><url/></urlset>", "sitemap"),
        (b"<rss/>", "not a feed"),
        (b'{"a": 1}', "JSON"),
        (b"{broken", "JSON"),
        (b"{" * 100_000, "JSON"),
    ],
)
def test_no_feed(content: bytes, words: str) -> None:
    with pytest.raises(FeedError, match=words):
        parse_feed(content, URL)


def test_default_dates_are_none() -> None:
    assert entry("<pubDate>Mon, 01 Jan 0001 00:00:00 +0000</pubDate>").published is None
    assert entry("<pubDate>Thu, 01 Jan 1970 00:00:00 +0000</pubDate>").published is None


def test_too_many_categories_are_cut() -> None:
    feed = rss("<item><link>/1</link>" + "".join(f"<category>{n}</category>" for n in range(1500)) + "</item>")
    assert "more entries or markup than is read: the rest is left" in feed.problems
    assert len(feed.entries) == 1


PIECES = st.sampled_from(
    [
        *(
            "<rss version='2.0'>",
            "<channel>",
            "<item>",
            "</item>",
            "<title>",
            "</title>",
            "<link>",
            "http://[x",
            "</link>",
            "<guid>",
        ),
        *(
            "<feed xmlns='http://www.w3.org/2005/Atom'>",
            "<entry>",
            "</entry>",
            "<link href='",
            "'/>",
            "<content type='xhtml'>",
            "<svg>",
            "&#x110000;",
        ),
        *(
            "<![CDATA[",
            "]]>",
            "<!--",
            "&",
            "&amp;",
            "&nbsp;",
            "&#99999999999;",
            "<!DOCTYPE x [",
            "<pubDate>",
            "31 Feb 2010",
            "xml:base='//'",
            "\x00",
        ),
        *(
            "<author>",
            "<name>",
            "a@b (",
            "<category term='",
            "<content mode='base64'>",
            "é",
            "\ud83d",
            "<rdf:RDF>",
            "<enclosure url='x' length='-1'/>",
            "'",
        ),
    ]
)


@settings(max_examples=300, deadline=None)
@given(st.lists(PIECES, max_size=25), st.text(max_size=5))
def test_only_feed_errors(pieces: list[str], tail: str) -> None:
    content = ("".join(pieces) + tail).encode("utf-8", "surrogatepass")
    for prefix in (b"", b"<rss version='2.0'><channel><item>", b"<feed xmlns='http://www.w3.org/2005/Atom'><entry>"):
        try:
            feed = parse_feed(prefix + content, URL)
        except FeedError:
            continue
        assert all(found.url.startswith("http") for found in feed.entries)


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=200))
def test_bytes_only_raise_feed_errors(content: bytes) -> None:
    for start in (
        b"",
        b'<rss version="2.0"><channel>',
        b"\xff\xfe<\0",
        b'<?xml version="1.0" encoding="hz"?>',
        b'{"items":[',
    ):
        try:
            parse_feed(start + content, URL)
        except FeedError:
            continue


@pytest.mark.parametrize(("clock", "kept"), [("10:11:12", False), ("00:00:00", True)])
def test_the_second_in_which_a_feed_was_made_is_no_posts_date(clock: str, kept: bool) -> None:
    item = "<item><link>https://example.org/blog/{}/</link><pubDate>Mon, 04 Mar 2013 {} +0100</pubDate></item>"
    feed = rss("".join(item.format(n, clock) for n in range(5)))
    assert all(bool(entry.published) is kept for entry in feed.entries)
    assert all(entry.published for entry in rss("".join(item.format(n, clock) for n in range(3))).entries)


@pytest.mark.parametrize(
    ("item", "mark"),
    [
        ("<link>https://example.org/log.html#p1</link>", "p1"),
        ("<link>https://example.org/log.html</link><guid>https://example.org/log.html#p2</guid>", "p2"),
        ("<guid>https://example.org/log.html#p3</guid>", "p3"),
        ("<link>https://example.org/log.html</link><guid>https://example.org/?p=4#p4</guid>", None),
        ("<link>https://example.org/log.html</link><guid>tag:example.org,2004#p5</guid>", None),
    ],
)
def test_what_stands_after_the_page_is_told_by_link_or_guid(item: str, mark: str | None) -> None:
    found = only(rss(f"<item>{item}<title>One</title></item>"))
    assert (found.url, found.extra.get("fragment")) == ("https://example.org/log.html", mark)


def test_a_link_post_that_names_its_own_page_as_related_is_at_that_page() -> None:
    entry = """<entry><title>Salt</title><id>tag:fog.example,2013:1</id>
        <link rel="alternate" href="https://news.example/salt"/>
        <link rel="related" href="https://fog.example/linked/2013/salt"/></entry>"""
    site = '<link href="https://fog.example/"/>'
    feed = parse_feed(
        f'<feed xmlns="http://www.w3.org/2005/Atom">{site}{entry}</feed>'.encode(), "https://fog.example/a"
    )
    assert [(one.url, one.extra["link"]) for one in feed.entries] == [
        ("https://fog.example/linked/2013/salt", "https://news.example/salt")
    ]
