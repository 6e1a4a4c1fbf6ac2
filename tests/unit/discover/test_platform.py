from __future__ import annotations

import pytest
from selectolax.lexbor import LexborHTMLParser

from blogforever.discover.platform import (
    FIELDS,
    FieldSelector,
    detect_platform,
    known_selectors,
    load_platforms,
    load_vocabulary,
)
from blogforever.model import Feed

EMPTY = LexborHTMLParser("<html><body><article class='post'><h1>x</h1></article></body></html>")


@pytest.mark.parametrize("key", sorted(load_platforms()))
def test_every_selector_compiles(key: str) -> None:
    platform = load_platforms()[key]
    selectors = [selector.css for name in FIELDS for selector in platform.fields[name]] + list(platform.exclude)
    assert selectors
    for css in selectors:
        EMPTY.css(css)
    assert platform.fields["article"]
    assert platform.fields["title"]
    assert set(platform.fields) == set(FIELDS)
    assert not any("@" in css for css in selectors)


def test_platform_like_another() -> None:
    child, parent = load_platforms()["wordpress-com"], load_platforms()["wordpress"]
    assert set(parent.fields["date"]) <= set(child.fields["date"])
    assert set(parent.exclude) < set(child.exclude)


def test_attribute_of_a_field() -> None:
    assert FieldSelector("abbr.published", "title") in load_platforms()["blogger"].fields["date"]


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


def test_known_selectors_put_the_shared_first() -> None:
    first = [selector.css for selector in known_selectors("article")[:3]]
    assert ".entry-content" in first
    assert len(set(known_selectors("date"))) == len(known_selectors("date"))


def test_vocabulary() -> None:
    vocabulary = load_vocabulary()
    assert "share" in vocabulary.exclude["share"]
    assert "entry-content" in vocabulary.article["container"]
    groups = [*vocabulary.exclude.values(), *vocabulary.article.values()]
    assert all(word == word.lower() and " " not in word for group in groups for word in group)
