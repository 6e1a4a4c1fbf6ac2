"""Whatever the bytes: nothing but the documented errors, and values that make sense."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from blogforever import Feed, Page, extract_post, learn_rules, parse_feed, segment_page
from blogforever.discover.olderpages import next_feed_page
from blogforever.dom import decode
from blogforever.learn.urlpattern import learn_url_pattern, other_kind, skip_reason
from blogforever.urls import canonical, host_of, join, path_of, same_site, site_root, url_key

from .attacks import RULES, TARGETS, page, sane

PIECES = """<h1>A title</h1>|<p class=by>by Ada Quill, 5 May 2012</p>|<div class=post>|</div>
|<p>stone river window quiet|<a href='http://[bad'>x</a>|<base href='http://[x'>
|<link rel=canonical href='//['>|<time datetime='9999-99-99T99:99'>
|<meta property='article:published_time' content='99999999999999999999'>
|<meta http-equiv=refresh content='9;url=//['>
|<script type='application/ld+json'>{"@type":"BlogPosting","datePublished":[{}],"author":[[null]],"headline":{}}
|<script type='application/ld+json'>{"@type":"Article","headline":"\\ud800","@id":"//["}</script>
|<img srcset=', , a 9e999x'>|<img src='http://[x'>|\x00|٣٠/٠٢/٢٠١٣|30 Feb 2013|²/³/2012|①月②日|0 May 0
|99999999999 days ago|2012-W99-1|12:99 PM May 5 12|<meta charset=utf-7>|<meta charset='idna'>
|<html lang='zz_ZZ@'>|<iframe src='//['>|<a rel=tag href='//['>t</a>|<table><td>
|<div itemscope itemtype='http://schema.org/BlogPosting'><b itemprop=author itemscope>
|<div class='h-entry'>|<select><option>|<a class='u-url p-author h-card' href='//['>
|<math><annotation-xml>|<![CDATA[|<p class='a"b c:d' id='"]'>|<noscript><img src=x>|<rss><channel><item>
|<title>x</title>|<link>http://[</link>|<pubDate>Thu, 99 Foo 9999</pubDate>|<feed xmlns='x'>|<entry>
|<?xml version='1.0' encoding='utf-32'?>|<urlset><url><loc>//[</loc>|&#xD800;|&#0;|&#x110000;
|{"version": 1, "templates": [{}]}|\u202e|\u0301|\ufeff|<!--|-->|</p>|</html>"""
mark_up = st.lists(st.sampled_from(PIECES.replace("\n", "").split("|")), max_size=30).map("".join)
tags = st.sampled_from(["div", "p", "b", "a", "li", "table", "td", "h2", "article", "select", "svg", "template"])
trees = st.recursive(
    st.text(max_size=20),
    lambda inner: st.builds(lambda tag, parts: f"<{tag}>{''.join(parts)}</{tag}>", tags, st.lists(inner, max_size=4)),
    max_leaves=20,
)
hostile = st.one_of(
    mark_up.map(lambda text: text.encode("utf-8", "replace")),
    trees.map(lambda text: text.encode("utf-8", "replace")),
    mark_up.map(lambda text: text.encode("utf-16", "replace")),
    st.binary(max_size=500),
)
addresses = st.one_of(
    st.text(max_size=30),
    st.sampled_from(
        "http:// https://[ //x ? # http://a:99999/ http://%00/ http://\ud800/ mailto:a http://a..b/ http:///".split()
    ),
    st.builds("http://{}/{}?start-index={}".format, st.text(max_size=5), st.text(max_size=9), st.text(max_size=3)),
)


@pytest.mark.parametrize("target", TARGETS.values(), ids=TARGETS.keys())
def test_any_bytes_are_survived(target: Callable[[bytes], object]) -> None:
    @given(hostile)
    @settings(max_examples=25)
    def survives(content: bytes) -> None:
        target(content)

    survives()


@given(st.binary(max_size=300), st.text(max_size=20))
def test_any_bytes_decode_to_text_that_can_be_written(content: bytes, charset: str) -> None:
    text = decode(content, {"content-type": f"text/html; charset={charset}"})
    text.encode()
    assert "\0" not in text


@given(addresses, addresses)
def test_addresses_are_total(one: str, other: str) -> None:
    joined = join(one, other)
    assert joined is None or joined.startswith(("http://", "https://"))
    assert canonical(canonical(one)) == canonical(one)
    for read in (host_of, path_of, site_root, url_key):
        assert isinstance(read(one), str)
    assert same_site(one, other) == same_site(other, one)


@given(st.lists(addresses, max_size=6), addresses)
@settings(max_examples=50)
def test_any_addresses_make_a_pattern(known: list[str], asked: str) -> None:
    pattern = learn_url_pattern([join("https://example.org/", url) or "" for url in known])
    url = join("https://example.org/", asked) or "https://example.org/"
    assert isinstance(pattern.matches(url), bool)
    assert skip_reason(url) is None or other_kind(url) is not None


@given(addresses, mark_up)
@example("A://[", "<h1>A title</h1>")
@settings(max_examples=25)
def test_any_address_of_a_page_is_survived(url: str, html: str) -> None:
    one = Page(url, html.encode("utf-8", "replace"))
    sane(extract_post(one))
    sane(extract_post(one, RULES))
    assert isinstance(segment_page(one), list)
    learn_rules(Feed(url, "rss"), [one])


@pytest.mark.parametrize("query", ["start-index=x", "start-index=²", "start-index=" + "9" * 5000, "paged=-1", "paged="])
def test_odd_numbers_in_a_feeds_address_are_no_error(query: str) -> None:
    for generator in ("Blogger", "WordPress"):
        assert (next_feed_page(Feed(f"https://example.org/feed?{query}", "rss", generator=generator)) or "").isascii()


def test_half_characters_of_a_json_feed_do_not_reach_the_record() -> None:
    feed = parse_feed(
        rb'{"version":"https://jsonfeed.org/version/1.1","title":"\ud800","items":'
        rb'[{"id":"1","url":"http://x/","title":"a\udfff","content_html":"<p>\ud83d\ude00 \ud800 x",'
        rb'"tags":["\ud800"]}]}',
        "https://example.org/feed.json",
    )
    post = extract_post(page(b""), None, feed.entries[0])
    sane(post)
    assert post.title == "a?"
    assert "\U0001f600" in post.text
