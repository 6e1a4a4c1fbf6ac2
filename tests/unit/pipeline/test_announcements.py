"""Crawl and update read what a blog announces in the same way, and differ in what they ask for next."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from blogforever.model import Page
from blogforever.pipeline.announcements import FEED, NO_FEED, NO_POSTS, SITEMAP, Announcements
from blogforever.pipeline.offers import Offers
from blogforever.pipeline.since import Since
from blogforever.protocols import Ask, Role
from blogforever.records import PostRecord
from blogforever.update.news import News
from blogforever.update.remembered import Remembered
from blogforever.urls import url_key

ROOT = "https://blog.example/"
DAY = datetime(2024, 5, 10, tzinfo=UTC)
BOTH = pytest.mark.parametrize("kind", [Offers, News])


def told(announcements: Announcements, role: Role, name: str, content: str) -> list[Ask]:
    """What is asked for after this document came."""
    return announcements.read(Page(ROOT + name, content.encode()), Ask(ROOT + name, role))


def sitemap(*places: tuple[str, str]) -> str:
    listed = "".join(f"<url><loc>{ROOT}{path}</loc>{day and f'<lastmod>{day}</lastmod>'}</url>" for path, day in places)
    return f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{listed}</urlset>'


def index(*names: str) -> str:
    listed = "".join(f"<sitemap><loc>{ROOT}{name}</loc></sitemap>" for name in names)
    return f'<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{listed}</sitemapindex>'


@BOTH
def test_places_are_kept_with_the_last_date_that_anybody_gives(kind: type[Announcements]) -> None:
    read = kind()
    told(read, "sitemap", "post-sitemap.xml", sitemap(("a/", "2024-05-01"), ("b/", "")))
    told(read, "sitemap", "sitemap.xml", sitemap(("a/", "2024-06-01"), ("b/", ""), ("about/", "")))
    told(read, "sitemap", "other.xml", sitemap(("a/", "")))
    assert [place.url for place in read.places.values()] == [ROOT + path for path in ("a/", "b/", "about/")]
    assert [place.surely_post for place in read.places.values()] == [True, True, False]
    key = url_key(ROOT + "a/")
    assert read.lastmod([url_key(ROOT + "b/"), key]) == "2024-06-01"
    assert read.lastmods() == {key: "2024-06-01"}


@BOTH
def test_the_sitemaps_a_sitemap_names_are_asked_for_once_those_of_posts_first(kind: type[Announcements]) -> None:
    read = kind()
    asks = told(read, "sitemap", "sitemap.xml", index("page-sitemap.xml", "post-sitemap.xml"))
    assert [ask.url for ask in asks] == [ROOT + "post-sitemap.xml", ROOT + "page-sitemap.xml"]
    assert told(read, "sitemap", "sitemap_index.xml", index("page-sitemap.xml")) == []


@BOTH
def test_robots_txt_names_sitemaps(kind: type[Announcements]) -> None:
    (ask,) = told(kind(), "robots", "robots.txt", f"Sitemap: {ROOT}map.xml")
    assert (ask.url, ask.role, ask.via) == (f"{ROOT}map.xml", "sitemap", f"{ROOT}robots.txt")


@BOTH
@pytest.mark.parametrize(("role", "reason"), [("feed", NO_FEED), ("api", NO_POSTS)])
def test_a_page_that_is_something_else_is_a_failure_of_its_source(
    kind: type[Announcements], role: Role, reason: str
) -> None:
    read = kind()
    assert told(read, role, "here", "<p>Nothing of the kind</p>") == []
    assert list(read.failures.values()) == [reason]
    assert read.bounds == []


@BOTH
def test_the_first_failure_of_a_source_is_the_one_that_is_told(kind: type[Announcements]) -> None:
    read = kind()
    for reason in ("timeout", "status 500"):
        read.failed(Ask(f"{ROOT}sitemap.xml", "sitemap"), reason)
    assert read.failures == {SITEMAP: "timeout"}


@BOTH
def test_dates_of_sitemaps_say_what_is_too_old(kind: type[Announcements]) -> None:
    read = kind(since=Since(DAY))
    told(read, "sitemap", "sitemap.xml", sitemap(("old/", "2024-05-01"), ("new/", "2024-05-20"), ("some/", "")))
    assert [read.since.is_older(ROOT + path) for path in ("old/", "new/", "some/")] == [True, False, False]


RSS = f"""<rss version="2.0"><channel><title>A blog</title><link>{ROOT}</link>
<item><title>One</title><link>{ROOT}one/</link></item><item><title>Two</title><link>{ROOT}two/</link></item>
</channel></rss>"""


def test_a_crawl_chooses_a_feed_and_an_update_believes_the_one_it_has() -> None:
    offers, news = Offers(), News()
    for read in (offers, news):
        assert told(read, "feed", "feed/", RSS) == []
    assert offers.announced == {}
    offers.choose(ROOT)
    assert offers.announced == news.announced == {FEED: {url_key(ROOT + p): ROOT + p for p in ("one/", "two/")}}


def test_a_crawl_asks_for_another_place_of_the_api_where_the_first_has_none() -> None:
    offers = Offers()
    home = Page(ROOT, b'<html><body><img src="/wp-content/uploads/a.png"></body></html>')
    (first,) = [ask for ask in offers.ask_for(ROOT, home) if ask.role == "api"]
    (second,) = offers.failed(first, "status 404")
    assert first.url != second.url
    assert offers.failed(second, "status 404") == []


def test_an_update_asks_for_what_was_read_before_and_what_changed_since() -> None:
    known = Remembered(
        "b", ROOT, (), lambda post: PostRecord(id=post, blog="b", url=ROOT),
        feeds=(f"{ROOT}feed/", f"{ROOT}atom/"), sitemaps=(f"{ROOT}sitemap.xml",),
        comment_feeds=(f"{ROOT}comments/",), api=f"{ROOT}wp-json/wp/v2/posts",
    )  # fmt: skip
    asks = News().ask_for(known, DAY)
    assert [(ask.role, ask.url) for ask in asks[:3]] == [
        ("feed", f"{ROOT}feed/"),
        ("sitemap", f"{ROOT}sitemap.xml"),
        ("comments", f"{ROOT}comments/"),
    ]
    assert "modified_after=2024-05-10" in asks[3].url
    assert [ask.role for ask in News().ask_for(known, None)] == ["feed", "sitemap", "comments"]
    assert News().ask_for(known, DAY, "comments") == asks[2:3]
    brief = News()
    assert brief.ask_for(known, DAY, "feed") == asks[:1]
    assert (brief.ask_for_rest(), brief.ask_for_rest()) == (asks[1:], [])
    # Where there is no feed, the others are all that announces anything.
    assert News().ask_for(replace(known, feeds=()), DAY, "feed") == asks[1:]


@BOTH
def test_entries_without_a_page_are_told(kind: type[Announcements]) -> None:
    announcements = kind()
    items = f"<item><link>{ROOT}one/</link></item><item><guid isPermaLink='false'>note-7</guid></item><item/>"
    feed = f"<rss version='2.0'><channel><title>T</title>{items}</channel></rss>"
    told(announcements, "feed", "feed.xml", feed)
    assert announcements.bounds == [f"2 entries of the feed {ROOT}feed.xml name no page"]
    assert [entry.url for entry in announcements.feeds[0].entries] == [f"{ROOT}one/"]


@BOTH
def test_what_the_server_says_of_a_feeds_letters_is_heard(kind: type[Announcements]) -> None:
    announcements = kind()
    feed = f"<rss version='2.0'><channel><title>Žąsys</title><item><link>{ROOT}1/</link></item></channel></rss>"
    headers = {"Content-Type": "text/xml; charset=windows-1257"}
    announcements.read(Page(ROOT + "feed.xml", feed.encode("cp1257"), headers), Ask(ROOT + "feed.xml", "feed"))
    assert announcements.feeds[0].title == "Žąsys"


@pytest.mark.parametrize(("reason", "goes_on"), [("challenge", False), ("status 403", False), ("status 404", True)])
def test_no_more_feeds_are_guessed_where_a_wall_stands_before_all(reason: str, goes_on: bool) -> None:
    offers = Offers()
    offers.ask_for(ROOT, None)
    first = offers.probe()
    for ask in first:
        offers.failed(ask, reason)
    assert bool(first)
    assert bool(offers.probe()) is goes_on


def test_one_feed_that_is_there_or_missing_shows_that_no_wall_stands() -> None:
    offers = Offers()
    offers.ask_for(ROOT, None)
    *others, last = offers.probe()
    for ask in others:
        offers.failed(ask, "status 403")
    offers.failed(last, "status 404")
    assert offers.probe()
