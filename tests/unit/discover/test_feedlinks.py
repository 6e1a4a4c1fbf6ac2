from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blogforever.discover.feed import parse_feed
from blogforever.discover.feedlinks import (
    best_feed,
    feed_links,
    is_comment_feed,
    looks_like_feed,
    moved_to,
    probe_urls,
)
from blogforever.model import Enclosure, Entry, Feed, Moment, Page

ROOT = "https://example.org/"


def page(html: str, url: str = ROOT) -> Page:
    return Page(url, html.encode(), {"content-type": "text/html; charset=utf-8"})


def feed(path: str, entries: list[Entry], title: str = "Harbour") -> Feed:
    return Feed(url=ROOT + path, kind="rss", title=title, link=ROOT, entries=tuple(entries))


def posts(count: int, body: str = "x" * 2000, year: int = 2020, site: str = ROOT) -> list[Entry]:
    day = Moment(f"{year}-05-06", "day")
    return [Entry(url=f"{site}{number}/", title=f"Post {number}", html=body, published=day) for number in range(count)]


def test_announced_feeds_in_order_of_use() -> None:
    links = feed_links(
        page(
            """<head><link rel="alternate" type="application/rss+xml" title="Harbour » Comments Feed"
            href="/comments/feed/">
            <link rel="alternate" type="application/rss+xml" title="Podcast (mp3)" href="/feed/mp3/">
            <link rel="alternate" type="application/rss+xml" title="Harbour » Tea Category Feed"
            href="/category/tea/feed/">
            <link rel="alternate" type="application/feed+json" href="/feed.json">
            <LINK REL="Alternate" TYPE="application/rss+xml; charset=utf-8" title=" Harbour
            feed" href="/feed/">
            <link rel="alternate" type="application/json" href="/wp-json/wp/v2/posts/1">
            <link rel="alternate" type="application/json+oembed" href="/oembed?url=x">
            <link rel="alternate" hreflang="de" href="/de/"></head>"""
        )
    )
    assert [(link.url.removeprefix(ROOT), link.role) for link in links] == [
        ("feed/", "posts"),
        ("feed.json", "posts"),
        ("category/tea/feed/", "category"),
        ("feed/mp3/", "other"),
        ("comments/feed/", "comments"),
    ]
    assert links[0].title == "Harbour feed"
    assert links[0].type == "application/rss+xml"


def test_base_and_ordinary_links() -> None:
    links = feed_links(
        page(
            """<base href="https://example.org/blog/"><a href="atom.xml">Subscribe</a><a href="/about">About</a>
            <a href="https://feeds.feedburner.com/harbour">RSS</a><a href="https://other.example.net/feed/">friend</a>
            <a href="/tags/rss/">rss</a><a href="javascript:void(0)">x</a>"""
        )
    )
    assert [link.url for link in links] == ["https://example.org/blog/atom.xml", "https://feeds.feedburner.com/harbour"]
    assert links[0].title == "Subscribe"


def test_feed_of_one_post_is_not_the_blogs() -> None:
    html = '<link rel="alternate" type="application/rss+xml" href="/2020/05/tides/feed/">'
    html += '<link rel="alternate" type="application/rss+xml" href="/feed/">'
    links = feed_links(page(html, "https://example.org/2020/05/tides/"))
    assert [link.role for link in links] == ["posts", "other"]
    assert links[0].url == "https://example.org/feed/"


def test_addresses_that_look_like_feeds() -> None:
    good = [
        "feed",
        "feed/",
        "rss.xml",
        "blog/index.xml",
        "atom.xml",
        "index.rdf",
        "?feed=rss2",
        "feeds/posts/default",
        "x.rss",
    ]
    bad = ["feedback/", "about/", "rss-readers/", "2013/atom-power/", "sitemap.xml", "tags/atom/"]
    assert [path for path in good if not looks_like_feed(ROOT + path, ROOT)] == []
    assert [path for path in bad if looks_like_feed(ROOT + path, ROOT)] == []


def test_probe_urls() -> None:
    urls = probe_urls("https://example.org/blog/")
    assert urls[:2] == ["https://example.org/blog/feed/", "https://example.org/blog/rss/"]
    assert "https://example.org/feeds/all.atom.xml" in urls
    assert len(urls) == len(set(urls))
    assert probe_urls("https://example.org/~ann") == probe_urls("https://example.org/~ann/")
    assert probe_urls("https://example.org/blog/index.html") == urls
    assert probe_urls("garbage") == []


def test_comment_feeds() -> None:
    anchored = [
        Entry(url=ROOT + "1/", extra={"fragment": "comment-7"}),
        Entry(url=ROOT + "2/", guid=ROOT + "2/#comment-8"),
    ]
    assert is_comment_feed(feed("x/feed/", posts(2), "Comments on: Tides"))
    assert is_comment_feed(feed("comments/feed/", posts(2)))
    assert is_comment_feed(feed("x/feed/", anchored))
    assert is_comment_feed(
        feed("x/feed/", [Entry(url=ROOT, title="By: Bob"), Entry(url=ROOT, title="Comment on Tea by Cy")])
    )
    assert not is_comment_feed(feed("feed/", posts(3)))
    assert not is_comment_feed(feed("feed/", []))


def test_feeds_of_comments_under_other_names() -> None:
    answers = [Entry(url=f"{ROOT}{n}/", extra={"in_reply_to": ROOT + "1/"}) for n in (2, 3)]
    assert is_comment_feed(feed("feeds/talk.xml", answers))
    assert is_comment_feed(feed("feeds/discussions", posts(2)))
    assert is_comment_feed(feed("discussion/feed/", posts(2)))
    assert not is_comment_feed(feed("tea-discussions/feed/", posts(2), "Discussions of tea"))


@pytest.mark.parametrize(
    ("title", "href", "role"),
    [
        ("Harbour: Discussions", "/feeds/talk", "comments"),
        ("Discussion feed", "/talk.xml", "comments"),
        ("Harbour", "/feeds/discussions.xml", "comments"),
        ("Discussions of tea", "/feed/", "posts"),
        ("Replies from the sea", "/feed/", "posts"),
    ],
)
def test_a_feed_that_is_called_discussions_is_one_of_comments(title: str, href: str, role: str) -> None:
    link = f'<link rel="alternate" type="application/rss+xml" title="{title}" href="{href}">'
    assert [found.role for found in feed_links(page(link))] == [role]


@pytest.mark.parametrize(
    ("title", "role"),
    [
        ("Late comments", "posts"),
        ("Late Comments » Feed", "posts"),
        ("Late comments » Comments Feed", "comments"),
        ("Comments", "comments"),
    ],
)
@pytest.mark.parametrize("named", ["Late comments", "The ferry – Late comments", "Late comments | On ferries"])
def test_the_name_of_a_blog_says_nothing_of_what_its_feeds_hold(title: str, role: str, named: str) -> None:
    link = f'<link rel="alternate" type="application/rss+xml" title="{title}" href="/news/3">'
    assert [found.role for found in feed_links(page(f"<title>{named}</title>{link}"))] == [role]


@pytest.mark.parametrize(
    ("named", "feeds"),
    [
        ("Harbour » Latest comments", {"Latest comments": "comments", "Harbour": "posts"}),
        ("Recent Comments | Harbour", {"Harbour": "posts", "Recent Comments": "comments"}),
        ("Comments on boats – Harbour", {"Comments on boats": "comments", "Posts": "posts"}),
        ("Readers' comments – Harbour", {"Readers' comments": "comments", "Harbour": "posts"}),
        ("Late comments", {"RSS – Late comments": "posts", "Late comments: Comments": "comments"}),
    ],
)
def test_only_the_name_that_all_feeds_have_is_that_of_the_blog(named: str, feeds: dict[str, str]) -> None:
    heads = (
        f'<link rel="alternate" type="application/rss+xml" title="{title}" href="/news/{n}">'
        for n, title in enumerate(feeds)
    )
    found = feed_links(page(f"<title>{named}</title>{''.join(heads)}"))
    assert {link.title: link.role for link in found} == feeds


def test_a_page_about_comments_leaves_their_feed_its_name() -> None:
    link = '<link rel="alternate" type="application/rss+xml" title="Comments" href="/news/3">'
    assert [found.role for found in feed_links(page(f"<title>Comments – Harbour</title>{link}"))] == ["comments"]


def test_a_blog_that_is_called_by_the_word_comments_has_posts() -> None:
    assert not is_comment_feed(feed("feed.xml", posts(5), "Late comments"))
    assert best_feed([feed("feed.xml", posts(8), "Notes and comments")], ROOT) is not None
    assert is_comment_feed(feed("x/feed/", [*posts(5), *posts(5)], "Harbour comments"))
    anchored = [Entry(url=f"{ROOT}{n}/", guid=f"{ROOT}{n}/#comment-{n}") for n in range(8)]
    assert is_comment_feed(feed("x/feed/", anchored, "Comments for Harbour"))


@pytest.mark.parametrize("title", ["Comments on Harbour", "Recent comments", "Kommentare zu Harbour"])
def test_what_no_blog_is_called_holds_comments_on_as_many_posts_as_it_likes(title: str) -> None:
    assert is_comment_feed(feed("x.xml", posts(6), title))


@pytest.mark.parametrize("place", ["#dsq-0", "#li-comment-0", "#IDComment0", "#id_9f-0", "#0123", "comment/0"])
def test_what_leads_to_a_place_on_a_page_is_no_post(place: str) -> None:
    """Each on a post of its own, as a feed of the newest comments may have them."""
    items = "".join(f"<item><title>Ann</title><link>{ROOT}p{n}/{place}</link></item>" for n in range(6))
    told = f"<rss version='2.0'><channel><title>Harbour comments</title><link>{ROOT}</link>{items}</channel></rss>"
    assert is_comment_feed(parse_feed(told.encode(), ROOT + "x.xml"))


def test_best_feed() -> None:
    main = feed("feed/", posts(10))
    assert best_feed([], ROOT) is None
    assert best_feed([feed("feed/", [])], ROOT) is None
    assert best_feed([feed("comments/feed/", posts(50))], ROOT) is None
    for worse in (
        feed("comments/feed/", posts(50)),
        feed("category/tea/feed/", posts(20)),
        feed("empty.xml", []),
        feed("summary.xml", posts(30, body="short")),
        feed("old.xml", posts(15, year=2010)),
        feed("planet.xml", posts(40, site="https://other.example.net/")),
        feed(
            "episodes.xml",
            [Entry(url=f"{ROOT}{n}", html="x" * 2000, enclosures=(Enclosure("u", "audio/mpeg"),)) for n in range(20)],
        ),
    ):
        assert best_feed([worse, main], ROOT) is main, worse.url
        assert best_feed([main, worse], ROOT) is main, worse.url
    longer = feed("index.xml", posts(100))
    assert best_feed([main, longer], ROOT) is longer


def test_moved_blog() -> None:
    old = feed("feed/", posts(3, site="https://old.example.net/"))
    moved = moved_to(old, ROOT)
    assert [entry.url for entry in moved.entries] == [
        "https://example.org/0/",
        "https://example.org/1/",
        "https://example.org/2/",
    ]
    assert moved_to(moved, ROOT) is moved
    assert moved_to(old, "garbage") is old


@given(st.text(max_size=40), st.text(max_size=20))
def test_any_page(href: str, title: str) -> None:
    html = f'<link rel=alternate type=application/rss+xml href="{href}" title="{title}"><a href="{href}">{title}</a>'
    assert all(link.url.startswith("http") for link in feed_links(Page(ROOT, html.encode("utf-8", "replace"))))
    probe_urls(href)
