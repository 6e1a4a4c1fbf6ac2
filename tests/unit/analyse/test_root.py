"""From any page of a blog to its home."""

from __future__ import annotations

import pytest

from blogforever.analyse.root import better_root
from blogforever.discover.pagefacts import read_facts
from blogforever.model import Entry, Feed, Page

SITE = "https://ferry.example"


def root_of(path: str, home: str, *entries: str, links: tuple[str, ...] = ()) -> str | None:
    named = "".join(f'<a href="{link}">a post</a>' for link in links)
    page = Page(
        SITE + path, f"<html><body><p>The ferry.</p>{named}</body></html>".encode(), {"content-type": "text/html"}
    )
    feed = Feed(
        kind="rss", url=f"{SITE}/feed.xml", link=SITE + home, entries=tuple(Entry(url=SITE + one) for one in entries)
    )
    return better_root(page, read_facts(page), feed)


@pytest.mark.parametrize("path", ["/one.html", "/one", "/p/one", "/one/"])
def test_a_post_that_the_feed_names_is_no_home_in_whatever_folder_it_lies(path: str) -> None:
    assert root_of(path, "/", path, "/two.html") == f"{SITE}/"


def test_the_home_of_a_post_in_a_folder_is_what_the_feed_calls_its_site() -> None:
    assert root_of("/blog/one", "/blog/", "/blog/one", "/blog/two") == f"{SITE}/blog/"


@pytest.mark.parametrize("path", ["/about/", "/about", "/contact.html"])
def test_a_page_beside_the_posts_leads_to_the_home_that_the_feed_states(path: str) -> None:
    assert root_of(path, "/", "/one.html", "/two.html") == f"{SITE}/"


def test_a_page_that_names_the_posts_may_be_the_home_whatever_it_is_called() -> None:
    posts = ("/one.html", "/two.html")
    assert root_of("/blog/", "/", *posts, links=posts) is None


def test_a_folder_that_holds_the_posts_may_be_the_home_though_only_scripts_list_them() -> None:
    assert root_of("/blog/", "/", "/blog/one", "/blog/two") is None


def test_entries_that_are_places_of_the_home_do_not_make_it_a_post() -> None:
    assert root_of("/notes/", "/", "/notes/#one", "/notes/#two") is None


def test_a_home_that_the_feed_states_elsewhere_or_below_is_not_believed() -> None:
    assert root_of("/one.html", "/deep/er/", "/one.html", "/two.html") is None
