"""Any store keeps searches and rules that set tags, and gives comments newest first."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from blogforever.protocols import Ref
from blogforever.storage.browsing import CommentQuery, PostQuery
from blogforever.storage.following import FollowedBlog
from blogforever.storage.searches import KeptSearch, PostSearch, TagRule
from blogforever.storage.tables import Store
from blogforever.storage.values import BeforeMove, CheckRow, MoveRow, SightingRow
from server.somerecords import some_post


def with_comments(store: Store, post: str, blog: str, **published: str | None) -> None:
    run, _ = store.runs.open(blog)
    comments = [{"id": name, "published": day, "text": name} for name, day in published.items()]
    store.posts.keep(run, some_post(id=post, blog=blog, url=f"https://{blog}.example/{post}/", comments=comments))


def test_a_search_is_kept_under_its_name_until_it_is_dropped(store: Store) -> None:
    sea = KeptSearch("sea", PostSearch(words="sea", tags=("boats", "ferry"), since="2012"), "2026-01-01", "ann", "why")
    store.searches.keep(replace(sea, note="first"))
    store.searches.keep(sea)
    store.searches.keep(KeptSearch("land"))
    assert store.searches.find("sea") == sea
    assert [one.name for one in store.searches.all()] == ["land", "sea"]
    store.searches.drop("land")
    assert store.searches.all() == [sea]
    assert store.searches.find("land") is None


def test_a_rule_is_kept_under_its_id_until_it_is_dropped(store: Store) -> None:
    rules = [TagRule("1", "sea", address="https://a.example/sea/"), TagRule("2", "land", language="de", words="Wald")]
    for rule in rules:
        store.tag_rules.keep(rule)
    assert store.tag_rules.all() == rules[::-1]
    assert store.tag_rules.find("1") == rules[0]
    store.tag_rules.drop("1")
    assert store.tag_rules.find("1") is None


def test_comments_come_newest_first_of_all_blogs_or_of_one(store: Store) -> None:
    with_comments(store, "p", "b", one="2012-01-01", two="2014-01-01T01:00:00+02:00", none=None)
    with_comments(store, "q", "c", three="2013-12-31T23:30:00Z")
    seen, query = [], CommentQuery(limit=1)
    while True:
        page = store.posts.comments(query)
        seen += [(name, line.id) for name, line in page.items]
        if page.next is None:
            break
        query = replace(query, after=page.next)
    assert seen == [("three", "q"), ("two", "p"), ("one", "p"), ("none", "p")]
    assert [name for name, _line in store.posts.comments(CommentQuery(blog="b")).items] == ["two", "one", "none"]
    of_time = CommentQuery(since="2013-01-01", until="2014-01-01")
    assert [name for name, _line in store.posts.comments(of_time).items] == ["three", "two"]
    before = CommentQuery(blog="b", until="2013-01-01")
    assert [name for name, _line in store.posts.comments(before).items] == ["one"]


def test_a_comment_that_gets_a_day_comes_in_its_place(store: Store) -> None:
    with_comments(store, "p", "b", one=None, two="2012-01-01")
    with_comments(store, "p", "b", one="2013-01-01", two="2012-01-01")
    assert [name for name, _line in store.posts.comments(CommentQuery()).items] == ["one", "two"]


def test_posts_are_chosen_by_the_list_their_blog_is_followed_in(store: Store) -> None:
    store.followed.add([FollowedBlog("b.example", "https://b.example/", "2026", blog="b", lists=("mine",))])
    with_comments(store, "p", "b")
    with_comments(store, "q", "c")
    assert [item.id for item in store.posts.page(PostQuery(list="mine")).items] == ["p"]
    assert store.posts.page(PostQuery(list="other")).items == ()


def test_the_answers_of_an_address_come_newest_first_without_those_that_failed(store: Store) -> None:
    run, _ = store.runs.open("b")
    for day, status in ((1, 200), (3, 301), (2, 200), (4, 404)):
        at = datetime(2020, 1, day, tzinfo=UTC)
        store.captures.add(run, "https://b.example/", status, at, Ref("f", day, f"r{day}"))
    store.captures.add(run, "https://b.example/x", 200, datetime(2020, 1, 5, tzinfo=UTC), Ref("f", 5, "r5"))
    found = store.captures.answers("b", "https://b.example/", 10)
    assert [(row.captured[:10], row.status, row.ref.record_id) for row in found] == [
        ("2020-01-03", 301, "r3"),
        ("2020-01-02", 200, "r2"),
        ("2020-01-01", 200, "r1"),
    ]
    assert len(store.captures.answers("b", "https://b.example/", 1)) == 1
    assert store.captures.answers("c", "https://b.example/", 10) == []


def test_a_post_is_found_by_any_of_its_addresses(store: Store) -> None:
    run, _ = store.runs.open("b")
    store.posts.keep(run, some_post(id="p", url="https://b.example/p/", aliases=["https://b.example/?p=1"]))
    asked = ["http://www.b.example/p", "https://b.example/?p=1", "https://b.example/none"]
    assert store.posts.ids_at(asked) == {asked[0]: "p", asked[1]: "p"}


def test_how_one_post_stands_is_told_without_the_others(store: Store) -> None:
    for post in ("p", "q"):
        store.checks.keep(CheckRow(post=post, blog="b", state="missing", since="2020"))
        store.checks.add_sighting(SightingRow(post, "b", 1, "2020", 404, "absent", ("feed",), "why"))
        store.moves.add(
            MoveRow(post, "b", 1, "2020", "https://b.example/old", "https://b.example/", "guid", BeforeMove())
        )
    check = store.checks.find("p")
    assert check
    assert (check.post, check.state) == ("p", "missing")
    assert store.checks.find("none") is None
    assert [(one.post, one.absent, one.reason) for one in store.checks.sightings_of("p")] == [("p", ("feed",), "why")]
    assert [(one.post, one.sign) for one in store.moves.of_post("q")] == [("q", "guid")]
