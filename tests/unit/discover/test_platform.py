from __future__ import annotations

import pytest
from selectolax.lexbor import LexborHTMLParser

from blogforever.discover.platform import detect_platform, load_platforms
from blogforever.model import Feed

EMPTY = LexborHTMLParser("<html><body><article class='post'><h1>x</h1></article></body></html>")


@pytest.mark.parametrize("key", sorted(load_platforms()))
def test_every_platform_has_a_name_and_marks(key: str) -> None:
    platform = load_platforms()[key]
    marks = platform.marks
    assert platform.name
    assert marks.generator or marks.feed_generator or marks.headers or marks.resources
    assert all(mark == mark.lower() for mark in marks.resources)


@pytest.mark.parametrize(
    ("generator", "name", "version"),
    [
        ("WordPress 6.4.2", "WordPress", "6.4.2"),
        ("WordPress.com", "WordPress.com", None),
        ("blogger", "Blogger", None),
        ("Ghost 5.82", "Ghost", "5.82"),
        ("Hexo 6.3.0", "Hexo", "6.3.0"),
        ("Hugo 0.101.0", "Hugo", "0.101.0"),
        ("Jekyll v4.3.2", "Jekyll", "4.3.2"),
        ("Drupal 10 (https://www.drupal.org)", "Drupal", "10"),
        ("Movable Type Pro 4.38", "Movable Type", "4.38"),
        ("Joomla! - Open Source Content Management", "Joomla", None),
        ("Typecho 1.2.1", "Typecho", "1.2.1"),
        ("Eleventy v2.0.1", "Eleventy", "2.0.1"),
        ("Docusaurus v3.0.0", "Docusaurus", "3.0.0"),
        ("Astro v4.0.1", "Astro", "4.0.1"),
    ],
)
def test_generator(generator: str, name: str, version: str | None) -> None:
    tree = LexborHTMLParser(f'<meta name="Generator" content="{generator}"><link href="/wp-content/x.css">')
    platform = detect_platform(tree, {})
    assert platform
    assert (platform.name, platform.version) == (name, version)
    assert platform.confidence > 0.9


def test_feed_headers_and_marks() -> None:
    by_feed = detect_platform(
        EMPTY, {}, Feed(url="https://example.org/feed/", kind="rss", generator="https://wordpress.org/?v=4.9.8")
    )
    assert by_feed
    assert (by_feed.name, by_feed.version) == ("WordPress", "4.9.8")
    by_header = detect_platform(EMPTY, {"Link": '<https://example.org/wp-json/>; rel="https://api.w.org/"'})
    assert by_header
    assert by_header.name == "WordPress"
    marked = LexborHTMLParser(
        '<link rel="stylesheet" href="/usr/themes/default/style.css"><script src="/usr/plugins/x.js"></script>'
    )
    by_marks = detect_platform(marked, {})
    assert by_marks
    assert (by_marks.name, by_marks.confidence) == ("Typecho", 0.8)


def test_unknown() -> None:
    assert detect_platform(EMPTY, {"server": "nginx"}) is None
    assert detect_platform(LexborHTMLParser('<meta name="generator" content="my own script">'), {}) is None
    assert detect_platform(LexborHTMLParser(""), {}) is None
