from __future__ import annotations

import pytest

from blogforever.discover.olderpages import next_feed_page, older_pages
from blogforever.discover.sitemap import is_post_sitemap
from blogforever.model import Entry, Feed

ROOT = "https://blog.example/"


def feed(path: str, generator: str = "", entries: int = 25, next_url: str | None = None) -> Feed:
    told = tuple(Entry(f"{ROOT}{n}") for n in range(entries))
    return Feed(ROOT + path, "rss", generator=generator, entries=told, next_url=next_url)


@pytest.mark.parametrize(
    ("path", "generator", "older"),
    [
        ("feed/", "https://wordpress.org/?v=6", "feed/?paged=2"),
        ("feed/?paged=4", "https://wordpress.org/?v=6", "feed/?paged=5"),
        ("?feed=rss2", "", "?feed=rss2&paged=2"),
        ("feed/", "", "feed/?paged=2"),
        ("feeds/posts/default", "Blogger", "feeds/posts/default?start-index=26&max-results=150"),
        ("feeds/posts/default?start-index=26", "", "feeds/posts/default?start-index=51&max-results=150"),
        ("rss/", "Ghost 5.2", "rss/2/"),
        ("rss/2/", "Ghost 5.2", "rss/3/"),
        ("rss.xml", "Drupal", "rss.xml?page=1"),
        ("rss.xml?page=1", "Drupal", "rss.xml?page=2"),
        ("atom.xml", "Hugo", None),
    ],
)
def test_platforms_keep_older_entries_where_they_are_known_to(path: str, generator: str, older: str | None) -> None:
    assert next_feed_page(feed(path, generator)) == (ROOT + older if older else None)


def test_what_the_feed_says_goes_first_but_for_larger_pages_of_the_same() -> None:
    assert older_pages(feed("atom.xml", next_url=f"{ROOT}archive/9.xml")) == [f"{ROOT}archive/9.xml"]
    said = f"{ROOT}feeds/posts/default?start-index=26&max-results=25"
    tried = older_pages(feed("feeds/posts/default", "Blogger", next_url=said))
    assert [url.rpartition("=")[2] for url in tried] == ["150", "25"]


def test_the_platform_of_the_page_counts_where_the_feed_is_silent() -> None:
    assert next_feed_page(feed("index.xml"), "WordPress") == f"{ROOT}index.xml?paged=2"


@pytest.mark.parametrize(
    ("name", "posts"),
    [
        ("post-sitemap2.xml", True),
        ("sitemap-posts.xml", True),
        ("sitemap_post_1.xml.gz", True),
        ("wp-sitemap-posts-post-1.xml", True),
        ("wp-sitemap-posts-page-1.xml", False),
        ("wp-sitemap-taxonomies-post_tag-1.xml", False),
        ("page-sitemap.xml", False),
        ("sitemap.xml", False),
        ("poster-sitemap.xml", False),
    ],
)
def test_sitemaps_of_posts_are_known_by_their_name(name: str, posts: bool) -> None:
    assert is_post_sitemap(ROOT + name) is posts
