"""Whom a blog names that would tell us of its posts: in headers, feeds and pages; and what is no such offer."""

from __future__ import annotations

import json

import pytest

from blogforever.discover.pushoffers import PushOffer, cloud_of, feed_offer, links_in, page_offer
from blogforever.model import Page

FEED, HUB = "http://a.example/feed", "http://hub.example/"
CLOUD = {"domain": "a.example", "port": "80", "path": "/?rsscloud=notify", "protocol": "http-post"}
RSS_CLOUD = b'<cloud domain="a.example" port="80" path="/?rsscloud=notify" registerProcedure="" protocol="http-post"/>'


def page(content: bytes, link: str = "") -> Page:
    return Page(FEED, content, {"link": link} if link else {})


def test_a_header_says_it_before_the_feed() -> None:
    said = b'<rss><channel><atom:link rel="hub" href="http://other.example/"/><item></item></channel></rss>'
    offer = feed_offer(page(said, f'<{HUB}>; rel="hub", <http://a.example/self>; rel=self'))
    assert offer == PushOffer(HUB, "http://a.example/self", spares="http://other.example/")


def test_all_hubs_of_a_feed_are_known_each_once_and_not_too_many() -> None:
    hubs = [HUB, "http://two.example/", "ftp://no.example/", HUB, *(f"http://{n}.example/" for n in range(9))]
    head = "".join(f'<atom:link rel="hub" href="{hub}"/>' for hub in hubs)
    offer = feed_offer(page(f"<rss><channel>{head}<item></item></channel></rss>".encode()))
    assert (offer.hub, offer.spares.split()) == (
        HUB,
        ["http://two.example/", *(f"http://{n}.example/" for n in range(3))],
    )


@pytest.mark.parametrize(
    "head",
    [
        b"<link href='http://hub.example/' rel='HUB'/><link rel='self' href='http://a.example/feed?a=1&amp;b=2'/>",
        b'<atom:link rel="self" href="http://a.example/feed?a=1&amp;b=2"/><atom:link rel="hub" href="//hub.example/"/>',
    ],
)
def test_a_feed_says_it_outside_its_entries(head: bytes) -> None:
    entry = b'<entry><link rel="hub" href="http://evil.example/"/></entry>'
    assert feed_offer(page(b"<feed>" + head + entry + b"</feed>")) == PushOffer(HUB, "http://a.example/feed?a=1&b=2")
    assert not feed_offer(page(b"<feed>" + entry + b"</feed>"))


def test_a_json_feed_says_it_too() -> None:
    hubs = [{"type": "rssCloud", "url": "http://x.example/"}, {"type": "WebSub", "url": HUB}]
    assert feed_offer(page(json.dumps({"hubs": hubs, "items": [1, {}]}).encode())) == PushOffer(HUB, FEED)
    assert not feed_offer(page(b'{"hubs": 5}'))
    assert not feed_offer(page(b"{"))


def test_a_page_says_it_in_its_head_alone() -> None:
    head = b'<head><link rel="hub" href="http://hub.example/"><link rel="self" href="/"></head>'
    assert page_offer(page(b"<html>" + head + b"<body></body></html>")) == PushOffer(HUB, "http://a.example/")
    assert not page_offer(page(b'<html><head></head><body><link rel="hub" href="http://hub.example/"></body></html>'))


@pytest.mark.parametrize("hub", ["ftp://hub.example/", "http://me:pw@hub.example/", "http://h.example/" + "x" * 2000])
def test_a_hub_that_cannot_be_asked_is_none(hub: str) -> None:
    assert not feed_offer(page(f'<feed><link rel="hub" href="{hub}"/></feed>'.encode()))


def test_several_relations_of_one_header_are_told_apart() -> None:
    header = f'<{HUB}>; rel="hub", <{FEED}>; rel=self, <http://x.example/>; rel="hub other"'
    assert links_in(header) == {"hub": [HUB, "http://x.example/"], "self": [FEED], "other": ["http://x.example/"]}


def test_a_cloud_counts_where_there_is_no_hub() -> None:
    assert feed_offer(page(b"<rss><channel>" + RSS_CLOUD + b"</channel></rss>")) == PushOffer(
        topic=FEED, cloud="http://a.example:80/?rsscloud=notify"
    )
    both = b"<rss><channel>" + RSS_CLOUD + b'<atom:link rel="hub" href="http://hub.example/"/></channel></rss>'
    assert feed_offer(page(both)) == PushOffer(HUB, FEED)


def test_a_cloud_may_be_called_by_xml_rpc() -> None:
    named = CLOUD | {"protocol": "xml-rpc", "path": "/RPC2", "registerprocedure": "rssCloud.pleaseNotify"}
    assert cloud_of(named) == ("http://a.example:80/RPC2", "rssCloud.pleaseNotify")


@pytest.mark.parametrize(
    "changed",
    [
        {"protocol": "xml-rpc"},
        {"protocol": "soap"},
        {"port": "x"},
        {"port": "99999"},
        {"domain": ""},
        {"domain": "a.example/b?"},
        {"domain": "[x"},
    ],
)
def test_a_cloud_that_cannot_be_asked_is_none(changed: dict[str, str]) -> None:
    assert cloud_of(CLOUD | changed) is None
