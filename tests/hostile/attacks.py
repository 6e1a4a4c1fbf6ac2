"""Hostile bytes of any size, and every function of the core that meets bytes of strangers, with what it may raise."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime

from blogforever import (
    Author,
    Entry,
    Feed,
    FeedError,
    Moment,
    Page,
    Post,
    Rules,
    RulesError,
    dump_rules,
    extract_post,
    learn_rules,
    load_rules,
    parse_feed,
    segment_page,
)
from blogforever.dates import find_dates
from blogforever.discover.feedlinks import feed_links
from blogforever.discover.platform import detect_platform
from blogforever.discover.sitemap import parse_sitemap
from blogforever.dom import decode, parse_page
from blogforever.extract.clean import clean_article
from blogforever.extract.text import html_to_text
from blogforever.model import Rule, Template
from blogforever.pipeline.page import STAGES, Knowledge, Visit

SITE = "https://example.org/"
HTML = {"content-type": "text/html"}
CAPTURED = datetime(2020, 5, 17, tzinfo=UTC)
WORDS = "river stone window morning ladder copper quiet garden engine paper winter lantern".split()
# Rules as a blog may have them, some of them on elements that are small only on honest pages.
RULES = Rules(
    SITE,
    (
        Template(
            Rule("body", "//body"),
            (Rule("p", "//p", starts="posted by"), Rule(".share", "//*")),
            {
                "title": (Rule("div > h2:nth-of-type(40)", "//h2"), Rule("h1", "//h1")),
                "authors": (Rule("p", "//p", prefix="by "),),
                "published": (Rule("body", "//body"),),
                "tags": (Rule("a", "//a"),),
            },
        ),
    ),
)


def address(n: int) -> str:
    """The address of a hostile page."""
    return f"{SITE}2013/01/post-{n}/"


def page(content: bytes, n: int = 0) -> Page:
    """Hostile bytes as a response."""
    return Page(address(n), content, HTML, CAPTURED)


def judged(content: bytes) -> None:
    """A page through all stages of a crawl; its record must be writable."""
    visit, known = Visit(page(content), None), Knowledge("blog", extract_post, lambda _ref: page(b""))
    for stage in STAGES:
        stage(visit, known)
    json.dumps(visit.record, ensure_ascii=False).encode()


def learned(content: bytes) -> None:
    """Rules from pages whose feed says what they say; what is learned can be written, read and applied."""
    html = decode(content)
    entries = tuple(
        Entry(
            address(n),
            title="river stone",
            authors=(Author("stone"),),
            published=Moment("2012-05-05", "day"),
            html=html,
            tags=("stone",),
        )
        for n in range(3)
    )
    rules = learn_rules(
        Feed(f"{SITE}feed", "rss", entries=entries, language="en"), [page(content, n) for n in range(3)]
    )
    assert load_rules(dump_rules(rules)) == rules
    sane(extract_post(page(content), rules, entries[0]))


def taught(content: bytes) -> None:
    """Rules from pages alone."""
    learn_rules(None, [page(content, n) for n in range(3)])


def fed(content: bytes) -> None:
    """A feed, or a FeedError that says what is wrong."""
    try:
        feed = parse_feed(content, f"{SITE}feed")
    except FeedError:
        return
    for entry in feed.entries[:20]:
        sane(extract_post(Page(entry.url, b"", HTML), None, entry))


def ruled(content: bytes) -> None:
    """Rules out of a file, or a RulesError."""
    with suppress(RulesError):
        load_rules(content.decode("utf-8", "replace"))


def segmented(content: bytes) -> None:
    """A list page cut into posts."""
    for post in segment_page(page(content)):
        sane(post)


def sane(post: Post) -> None:
    """What holds for every post, whatever it was made of."""
    for text in (post.title or "", post.text, post.html, *post.tags):
        text.encode()
        assert "\0" not in text
    assert "<script" not in post.html.lower()
    assert post.published is None or post.published.day
    assert all(0 <= source.confidence <= 1 for source in post.provenance.values())


TARGETS: dict[str, Callable[[bytes], object]] = {
    "extract_post": lambda content: sane(extract_post(page(content))),
    "extract_post with rules": lambda content: sane(extract_post(page(content), RULES)),
    "segment_page": segmented,
    "learn_rules": learned,
    "learn_rules without feed": taught,
    "stages": judged,
    "clean_article": lambda content: clean_article(decode(content), SITE).html.encode(),
    "html_to_text": lambda content: html_to_text(decode(content)).encode(),
    "find_dates": lambda content: [found.moment.day for found in find_dates(decode(content), ["en"], CAPTURED)],
    "feed_links": lambda content: feed_links(page(content)),
    "detect_platform": lambda content: detect_platform(parse_page(page(content)), HTML),
    "parse_feed": fed,
    "parse_sitemap": lambda content: parse_sitemap(content, f"{SITE}sitemap.xml"),
    "load_rules": ruled,
}


# ------------------------------------------------------------------ bytes of any size


def _filled(piece: Callable[[int], str], size: int, before: str = "<body>") -> bytes:
    out, length = [before], 0
    while length < size:
        out.append(piece(len(out)))
        length += len(out[-1])
    return "".join(out).encode()


def _words(n: int, count: int) -> str:
    return " ".join(WORDS[(n * 7 + k * 5) % len(WORDS)] for k in range(count))


def _item(n: int) -> str:
    return (
        f"<item><title>{_words(n, 3)}</title><link>{address(n)}</link><description>{_words(n, 9)}</description></item>"
    )


BOMB = "<!DOCTYPE x [<!ENTITY a 'ha'>" + "".join(f"<!ENTITY {'b' * n} '{'&a;' * 9}'>" for n in range(1, 30)) + "]>"

SHAPES: dict[str, Callable[[int], bytes]] = {
    "nested divs": lambda size: b"<div>" * (size // 5),
    "nested tables": lambda size: _filled(lambda n: "<table><tr><td>x ", size),
    "nested lists": lambda size: _filled(lambda n: "<ul><li>a", size),
    "unclosed formatting": lambda size: _filled(lambda n: "<p><font size=1><b><i>x", size),
    "options": lambda size: _filled(lambda n: "<option>a", size, "<select>"),
    "option groups": lambda size: b"<optgroup>" * (size // 10),
    "deep and wide": lambda size: _filled(lambda n: f"<span>{_words(n, 1)}</span> ", size, "<div>" * 240),
    "headings": lambda size: _filled(lambda n: f"<h2>{_words(n, 2)}</h2>", size, "<div>"),
    "headings with parts": lambda size: _filled(lambda n: "<h2>river stone <i>x</i></h2>", size),
    "links": lambda size: _filled(lambda n: f"<a href=/p/{n}/>{_words(n, 1)}</a> ", size),
    "dated links": lambda size: _filled(
        lambda n: f"<li><a href=/p-{n}/>{_words(n, 2)}</a> {n % 28} May 2012</li>", size
    ),
    "dates": lambda size: _filled(lambda n: f"<p>{n % 28 + 1} May 20{n % 90 + 10}</p>", size),
    "dates in one text": lambda size: _filled(lambda n: f"{n % 28 + 1}/0{n % 9 + 1}/2012, ", size, "<p>"),
    "digits": lambda size: b"<p>" + b"1" * size,
    "times": lambda size: _filled(lambda n: f"<time datetime=2012-0{n % 9 + 1}-11>x</time>", size),
    "tiny elements": lambda size: b"<i></i>" * (size // 7),
    "one text": lambda size: _filled(lambda n: _words(n, 12) + ". ", size, "<p>"),
    "one word": lambda size: b"<p>" + b"x" * size,
    "one word again and again": lambda size: b"<p>" + b"stone " * (size // 6),
    "white space": lambda size: b"<p>a" + b" " * size + b"b",
    "one huge attribute": lambda size: b"<p class='" + b"c" * size + b"'>x",
    "many attributes": lambda size: _filled(lambda n: f"a{n}=1 ", size, "<p ") + b">x",
    "many classes": lambda size: _filled(lambda n: f"<p class='k{n} m{n % 99}' id=i{n}>{_words(n, 3)}</p>", size),
    "one figure": lambda size: _filled(lambda n: f"<img src=/{n}.jpg>", size, "<figure>"),
    "one film": lambda size: _filled(lambda n: f"<source src=/{n}.mp4>", size, "<video>"),
    "inner links": lambda size: _filled(lambda n: f"<a id=f{n} href='#f{n + 1}'></a>", size),
    "comments": lambda size: _filled(lambda n: f"<div class=comment>by {_words(n, 2)}, {n % 28} May 2012</div>", size),
    "by-lines": lambda size: _filled(lambda n: "<p>Posted by Ada Quill on 5 May 2012</p>", size, "<h1>T</h1>"),
    "open tags": lambda size: b"<a b='" * (size // 6),
    "open comments": lambda size: b"<!-- <p>" * (size // 8),
    "JSON-LD, deep": lambda size: b"<script type='application/ld+json'>" + b"[" * size,
    "JSON-LD, many": lambda size: _filled(
        lambda n: f'<script type="application/ld+json">{{"@type":"BlogPosting","name":"{n}"}}</script>', size
    ),
    "microformats": lambda size: _filled(lambda n: "<div class=h-entry><div class=e-content>x", size),
    "microdata": lambda size: _filled(lambda n: "<div itemscope itemtype=http://schema.org/BlogPosting>x", size),
    "combining marks": lambda size: b"<p>a" + "\u0301\u0327".encode() * (size // 4),
    "bidi": lambda size: _filled(lambda n: "<p>\u202e\u2066stone\u2069\u202c", size),
    "no spaces": lambda size: "<p>東京日本語年月日".encode() * (size // 27),
    "binary": lambda size: bytes(range(256)) * (size // 256),
    "NULs": lambda size: b"\0" * size,
    "wrong charset": lambda size: b"<meta charset=utf-8><p>" + "日本語 ".encode("shift_jis") * (size // 7),
    "half characters": lambda size: b"<p>" + b"&#xD800;" * (size // 8),
    "a feed": lambda size: _filled(_item, size, "<rss><channel>"),
    "an entity bomb": lambda size: _filled(_item, size, BOMB + "<rss><channel>&bbbbbbbbbb;"),
    "a JSON feed": lambda size: (
        b'{"version":"https://jsonfeed.org/version/1","items":['
        + b",".join([b'{"id":"x","url":"/a","title":"\\ud800","content_html":"<p>\\udfff"}'] * (size // 70))
        + b"]}"
    ),
    "a sitemap": lambda size: _filled(lambda n: f"<url><loc>{address(n)}</loc></url>", size, "<urlset>"),
}
