"""Any store gives the posts of all blogs newest first, by blog, author, tag, language, time; page by page."""

from __future__ import annotations

from dataclasses import replace

import pytest

from blogforever.dates import moment_key
from blogforever.records import PostRecord, read_post
from blogforever.storage.browsing import Facet, PostPlace, PostQuery
from blogforever.storage.tables import Store
from server.somerecords import some_post


def kept(store: Store, *records: PostRecord) -> None:
    for record in records:
        run, _ = store.runs.open(record.blog)
        store.posts.keep(run, record)


def at(name: str, published: str | None, blog: str = "b", **more: object) -> PostRecord:
    return some_post(id=name, blog=blog, url=f"https://{blog}.example/{name}/", published=published, **more)


def ids(store: Store, query: PostQuery) -> list[str]:
    return [item.id for item in store.posts.page(query).items]


@pytest.fixture
def three(store: Store) -> Store:
    kept(
        store,
        at("old", "2012-05-01", authors=[{"name": "Ann  Lee"}], tags=["Sea"], language="en"),
        at("new", "2014-01-01T01:00:00+02:00", "c", authors=[{"name": "ann lee"}], categories=["sea", "sky"]),
        at("late", "2013-12-31T23:30:00Z", tags=["sky"], text="words", comments=[{"id": "1", "text": "yes"}]),
        at("undated", None),
    )
    return store


def test_posts_of_all_blogs_come_in_the_order_of_time_whatever_their_zones(three: Store) -> None:
    assert ids(three, PostQuery()) == ["late", "new", "old", "undated"]
    assert ids(three, PostQuery(blog="b")) == ["late", "old", "undated"]


def test_a_page_says_where_the_next_one_begins(three: Store) -> None:
    seen, query = [], PostQuery(limit=1)
    while True:
        page = three.posts.page(query)
        seen += [item.id for item in page.items]
        if page.next is None:
            break
        query = replace(query, after=page.next)
    assert seen == ["late", "new", "old", "undated"]


def test_a_post_has_a_next_newer_one_in_its_blog(three: Store) -> None:
    def after(moment: str, name: str) -> str | None:
        found = three.posts.following("b", PostPlace(moment, name))
        return found.id if found else None

    assert after("2012-05-01", "old") == "late"
    assert after("", "undated") == "old"
    assert after(moment_key("2013-12-31T23:30:00Z"), "late") is None


def test_posts_are_chosen_by_author_tag_language_and_what_is_unusual(three: Store) -> None:
    assert ids(three, PostQuery(facets=(Facet("author", "ANN LEE"),))) == ["new", "old"]
    assert ids(three, PostQuery(facets=(Facet("tag", "sea"), Facet("tag", "sky")))) == ["new"]
    assert ids(three, PostQuery(blog="b", facets=(Facet("tag", "sky"),))) == ["late"]
    assert ids(three, PostQuery(facets=(Facet("language", "en"),))) == ["old"]
    assert ids(three, PostQuery(facets=(Facet("is", "commented"),))) == ["late"]


def test_posts_are_chosen_by_time(three: Store) -> None:
    assert ids(three, PostQuery(since="2013-01-01")) == ["late", "new"]
    assert ids(three, PostQuery(until="2013-01-01")) == ["old"]
    assert ids(three, PostQuery(since="2012-05-01", until="2012-05-02")) == ["old"]


def test_what_a_post_was_chosen_by_goes_with_an_edit(three: Store) -> None:
    kept(three, at("old", "2015-05-01", tags=["land"], text="other words"))
    assert ids(three, PostQuery(facets=(Facet("tag", "sea"),))) == ["new"]
    assert ids(three, PostQuery(facets=(Facet("tag", "land"),))) == ["old"]
    assert ids(three, PostQuery(facets=(Facet("is", "changed"),))) == ["old"]
    assert ids(three, PostQuery()) == ["old", "late", "new", "undated"]


def test_a_page_has_the_records_as_they_are_kept(three: Store) -> None:
    (line, *_rest) = three.posts.page(PostQuery(blog="c")).items
    assert read_post(line.line) == three.posts.find("new")


def test_what_is_forgotten_is_on_no_page(three: Store) -> None:
    three.forget("b")
    assert ids(three, PostQuery()) == ["new"]
    assert ids(three, PostQuery(facets=(Facet("tag", "sky"),))) == ["new"]


@pytest.mark.parametrize(
    ("published", "key"),
    [
        (None, ""),
        ("2013-03-04", "2013-03-04"),
        ("2013-03-04T23:00:00-08:00", "2013-03-05T07:00:00"),
        ("2013-03-04T23:00", "2013-03-04T23:00"),
        ("0001-01-01T00:00:00+14:00", "0001-01-01T00:00:00+14:00"),
        ("2013", "2013"),
    ],
)
def test_the_key_of_a_moment_is_in_utc(published: str | None, key: str) -> None:
    assert moment_key(published) == key
