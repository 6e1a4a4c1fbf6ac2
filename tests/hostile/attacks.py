"""Every function of the core that meets bytes of strangers, with what it may raise."""

from __future__ import annotations

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
from blogforever.comments import extract_comments, learn_comment_rules
from blogforever.dates import find_dates
from blogforever.discover.feedlinks import feed_links
from blogforever.discover.platform import detect_platform
from blogforever.discover.sitemap import parse_sitemap
from blogforever.dom import decode
from blogforever.extract.clean import clean_article
from blogforever.extract.fallback import fallback_fields
from blogforever.extract.text import html_to_text
from blogforever.model import Comment, Rule, Template
from blogforever.page.view import PageView, view_of
from blogforever.pipeline.page import STAGES, Knowledge, Visit
from blogforever.records import json_line

from .shapes import SITE, WORDS, address

HTML = {"content-type": "text/html"}
CAPTURED = datetime(2020, 5, 17, tzinfo=UTC)
# Rules as a blog may have them, some of them on elements that are small only on honest pages.
RULES = Rules(
    SITE,
    (
        Template(
            Rule("body", "//body", locked=True),
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

SAID = [Comment(str(n), f"{WORDS[n % 12]} {WORDS[n % 11]} {n} May", author=Author(WORDS[n % 12])) for n in range(30)]


def page(content: bytes, n: int = 0) -> Page:
    """Hostile bytes as a response of their own: one that was seen before would be read from memory."""
    return Page(address(n), bytes(bytearray(content)), HTML, CAPTURED)


def judged(content: bytes, rules: Rules | None = None) -> None:
    """A page through all stages of a crawl; its record must be writable."""
    visit, known = Visit(page(content), None), Knowledge("blog", extract_post, lambda _ref: page(b""), rules=rules)
    for stage in STAGES:
        stage(visit, known)
    if visit.record:
        json_line(visit.record).encode()


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
    "detect_platform": lambda content: detect_platform(view_of(page(content)).tree, HTML),
    "extract_comments": lambda content: extract_comments(page(content)),
    "learn_comment_rules": lambda content: learn_comment_rules([(page(content, n), SAID) for n in range(2)]),
    "stages with rules": lambda content: judged(content, RULES),
    "fallback_fields": lambda content: fallback_fields(PageView(decode(content)), SITE),
    "parse_feed": fed,
    "parse_sitemap": lambda content: parse_sitemap(content, f"{SITE}sitemap.xml"),
    "load_rules": ruled,
}
