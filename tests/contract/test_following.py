"""What any store must do for the service: followed blogs, sources, lists, the block list."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256

import pytest

from blogforever.model import LookPolicy
from blogforever.records import BlogRecord
from blogforever.source.given import BlogMetadata
from blogforever.storage.following import (
    BlockedPlace,
    BlogList,
    FollowedBlog,
    FollowedQuery,
    FollowedSort,
    SourceBatch,
    SourceRow,
    WatchedAddress,
    title_key,
)
from blogforever.storage.tables import Store
from blogforever.wording import in_english, say

DAY = "2026-01-0{}T00:00:00+00:00"


def followed(number: int, **values: object) -> FollowedBlog:
    plain = FollowedBlog(f"b{number}.example", f"https://b{number}.example/", DAY.format(number))
    return replace(plain, **values)  # type: ignore[arg-type]  # any field


def names(store: Store, query: FollowedQuery) -> list[str]:
    return [blog.id for blog in store.followed.page(query).items]


# ------------------------------------------------------------------ followed blogs


def test_a_followed_blog_comes_back_as_it_was(store: Store) -> None:
    blog = followed(
        1,
        blog="b1",
        title="Ünïcode",
        state="following",
        moved_to="https://new.example/",
        last_look=DAY.format(2),
        next_look=DAY.format(3),
        paused=True,
        lists=("a", "b"),
        tags=("x",),
        metadata=BlogMetadata(language="de", author_kind="academic"),
        policy=LookPolicy(every=60, quiet_hours=(22, 23)),
        until="2030-01-01",
        pings=3,
    )
    store.followed.add([blog])
    assert store.followed.find(blog.id) == blog
    assert store.followed.find("other") is None
    assert store.followed.some(["other", blog.id, blog.id]) == [blog]


def test_a_title_may_be_longer_than_a_page_of_an_index(store: Store) -> None:
    blog = followed(1, title=" ".join(sha256(bytes([number])).hexdigest() for number in range(200)))
    store.followed.add([blog])
    assert store.followed.find(blog.id) == blog


def test_who_is_followed_already_stays_as_it_is(store: Store) -> None:
    store.followed.add([followed(1, title="first")])
    store.followed.add([followed(1, title="second"), followed(2)])
    assert [blog.title for blog in store.followed.page(FollowedQuery()).items] == ["first", ""]


def test_an_edit_reads_and_writes_in_one(store: Store) -> None:
    store.followed.add([followed(1, tags=("old",))])
    changed = store.followed.change("b1.example", lambda blog: replace(blog, total=blog.total + 2, tags=("new",)))
    assert changed == store.followed.find("b1.example") == followed(1, total=2, tags=("new",))
    assert names(store, FollowedQuery(tag="new")) == ["b1.example"]
    assert names(store, FollowedQuery(tag="old")) == []
    assert store.followed.change("none", lambda blog: blog) is None


def test_an_edit_that_fails_changes_nothing(store: Store) -> None:
    store.followed.add([followed(1)])

    def fails(blog: FollowedBlog) -> FollowedBlog:
        raise ValueError(blog.id)

    with pytest.raises(ValueError, match=r"b1\.example"):
        store.followed.change("b1.example", fails)
    assert store.followed.find("b1.example") == followed(1)


def test_it_is_known_by_all_its_addresses(store: Store) -> None:
    store.followed.add([followed(1), followed(2, moved_to="https://new.example/")])
    store.followed.add_aliases("b1.example", ["https://other.example/blog/"])
    store.followed.watch(WatchedAddress("b1.example", "https://feeds.example/b1"))
    asked = {
        "http://www.b1.example": "b1.example",
        "https://b1.example/": "b1.example",
        "http://other.example/blog": "b1.example",
        "https://feeds.example/b1": "b1.example",
        "https://new.example": "b2.example",
    }
    found = store.followed.known([*asked, "https://nobody.example/"])
    assert {url: blog.id for url, blog in found.items()} == asked


def test_its_own_address_comes_before_that_of_another(store: Store) -> None:
    store.followed.add([followed(1), followed(2)])
    store.followed.add_aliases("b1.example", ["https://b2.example/"])
    assert store.followed.known(["https://b2.example/"])["https://b2.example/"].id == "b2.example"


def test_many_addresses_are_asked_for_at_once(store: Store) -> None:
    many = [FollowedBlog(f"b{n}", f"https://b{n}.example/", DAY.format(1)) for n in range(1200)]
    store.followed.add(many)
    assert len(store.followed.known(blog.url for blog in many)) == 1200


def test_what_is_dropped_is_gone_with_its_addresses(store: Store) -> None:
    store.followed.add([followed(1, tags=("t",), lists=("l",)), followed(2)])
    store.followed.watch(WatchedAddress("b1.example", "https://b1.example/feed"))
    store.followed.drop(["b1.example", "none"])
    assert names(store, FollowedQuery()) == ["b2.example"]
    assert store.followed.known(["https://b1.example/", "https://b1.example/feed"]) == {}
    assert store.followed.watched("b1.example") == []
    assert store.followed.listed() == {}


def test_the_blog_of_the_archive_leads_to_the_followed_ones(store: Store) -> None:
    store.followed.add([followed(1, blog="kept"), followed(2, blog="kept"), followed(3)])
    assert [blog.id for blog in store.followed.in_archive("kept")] == ["b1.example", "b2.example"]


def test_blogs_of_the_archive_that_nobody_follows_are_told(store: Store) -> None:
    for name in ("d", "a", "kept", "b"):
        store.blogs.keep(BlogRecord(id=name, url=f"https://{name}.example/"))
    store.followed.add([followed(1, blog="kept"), followed(2)])
    assert store.followed.unfollowed("", 2) == ["a", "b"]
    assert store.followed.unfollowed("b", 2) == ["d"]
    store.followed.drop(["b1.example"])
    assert store.followed.unfollowed("", 9) == ["a", "b", "d", "kept"]


@pytest.mark.parametrize("sort", ["id", "title", "created", "state", "last_look", "last_found", "total", "next_look"])
@pytest.mark.parametrize("descending", [False, True])
def test_pages_in_every_order_hold_each_blog_once(store: Store, sort: FollowedSort, descending: bool) -> None:
    blogs = [
        followed(1, title="b", total=2, last_look=DAY.format(2), state="following"),
        followed(2, title="A", last_found=1, next_look=DAY.format(1)),
        followed(3, total=2, last_look=DAY.format(2), state="dead"),
        followed(4, title="C", last_found=1, missing=3),
        followed(5),
    ]
    store.followed.add(blogs)
    query, seen = FollowedQuery(sort=sort, descending=descending, limit=2), list[FollowedBlog]()
    for _page in range(3):
        page = store.followed.page(query)
        seen += page.items
        query = replace(query, after=page.next)
    assert page.next is None
    assert sorted(blog.id for blog in seen) == [blog.id for blog in blogs]
    values = [title_key(blog) if sort == "title" else getattr(blog, sort) or "" for blog in seen]
    known = [value or 0 for value in values] if sort in ("last_found", "total", "missing") else values
    assert known == sorted(known, reverse=descending)


def test_blogs_are_asked_for_by_what_they_are(store: Store) -> None:
    store.followed.add(
        [
            followed(1, title="Of Cats", state="dead", lists=("l",)),
            followed(2, title="of DOGS", platform="ghost", tags=("t",), lists=("l",)),
            followed(3, title="100% wool", state="paused", tags=("t",), completeness="incomplete", missing=2),
        ]
    )
    assert names(store, FollowedQuery(q="of")) == ["b1.example", "b2.example"]
    assert names(store, FollowedQuery(q="B3.Exam")) == ["b3.example"]
    assert names(store, FollowedQuery(q="%")) == ["b3.example"]
    assert names(store, FollowedQuery(states=("dead", "paused"))) == ["b1.example", "b3.example"]
    assert names(store, FollowedQuery(platform="Ghost")) == ["b2.example"]
    assert names(store, FollowedQuery(list="l", tag="t")) == ["b2.example"]
    assert names(store, FollowedQuery(completeness="incomplete")) == ["b3.example"]
    assert names(store, FollowedQuery(completeness="not-known")) == ["b1.example", "b2.example"]
    assert store.followed.listed() == {"l": 2}
    assert store.followed.counts() == {"dead": 1, "waiting": 1, "paused": 1}


def test_the_longest_due_come_first(store: Store) -> None:
    store.followed.add([followed(1, next_look=DAY.format(5)), followed(2, next_look=DAY.format(3)), followed(3)])
    store.followed.add([followed(4, next_look=DAY.format(7))])
    assert [blog.id for blog in store.followed.due(DAY.format(5), 10)] == ["b2.example", "b1.example"]
    assert [blog.id for blog in store.followed.due(DAY.format(5), 1)] == ["b2.example"]


def test_each_watched_address_has_its_own_count(store: Store) -> None:
    feed = WatchedAddress("b1.example", "https://b1.example/feed", "posts", DAY.format(1), 1, 10)
    comments = WatchedAddress("b1.example", "https://b1.example/comments", "comments")
    store.followed.add([followed(1)])
    store.followed.watch(replace(feed, total=9))
    store.followed.watch(feed)
    store.followed.watch(comments)
    assert store.followed.watched("b1.example") == [comments, feed]


def test_names_that_many_have_are_told_once_each(store: Store) -> None:
    one, two = followed(1, platform="ghost", tags=("b", "a"), lists=("l",)), followed(2, platform="ghost", tags=("a",))
    store.followed.add([one, two, followed(3, platform="drupal"), followed(4)])
    assert store.followed.names("platform", 9) == ["drupal", "ghost"]
    assert store.followed.names("tag", 9) == ["a", "b"]
    assert store.followed.names("tag", 1) == ["a"]
    assert store.followed.names("list", 9) == ["l"]


def test_feeds_are_found_for_many_at_once(store: Store) -> None:
    store.followed.add([followed(1), followed(2), followed(3)])
    assert store.followed.names("tag", 9) == []
    for name in ("z", "b", "a"):
        store.followed.watch(WatchedAddress("b1.example", f"https://b1.example/{name}"))
    store.followed.watch(WatchedAddress("b2.example", "https://b2.example/comments", "comments"))
    store.followed.watch(WatchedAddress("b3.example", "https://b3.example/feed"))
    assert store.followed.feeds(["b1.example", "b2.example", "none"]) == {"b1.example": "https://b1.example/a"}


def test_the_sentences_of_reasons_are_kept_with_them(store: Store) -> None:
    said = (say("posts on {weekdays}", weekdays="1,4"), say("looked at after {time}", time=5400.0))
    store.followed.add([followed(1, state="failing", reason="why", said=said[:1], next_said=said)])
    kept = store.followed.find("b1.example")
    assert kept
    assert (kept.said, kept.next_said) == (said[:1], said)
    assert in_english(kept.next_said) == "posts on Tuesdays and Fridays; looked at after 1.5 h"
    assert [one.said for one in store.followed.reasons(("failing",), 9)] == [said[:1]]


def test_reasons_are_counted_state_by_state_and_blogs_found_by_them(store: Store) -> None:
    blogs = [("failing", "no host"), ("failing", "no host"), ("failing", "slow"), ("dead", "gone"), ("following", "")]
    store.followed.add(followed(n, state=state, reason=why) for n, (state, why) in enumerate(blogs, 1))
    told = store.followed.reasons(("failing", "dead"), 9)
    counted = [(one.state, one.reason, one.number) for one in told]
    assert counted == [("dead", "gone", 1), ("failing", "no host", 2), ("failing", "slow", 1)]
    assert store.followed.reasons(("failing", "dead"), 2) == told[:2]
    assert names(store, FollowedQuery(states=("failing",), reason="no host")) == ["b1.example", "b2.example"]


def test_half_a_character_does_not_break_a_followed_blog(store: Store) -> None:
    store.followed.add([followed(1, title="a\ud800b", notes="\ud800")])
    assert names(store, FollowedQuery()) == ["b1.example"]


def test_a_forgotten_blog_is_followed_no_more(store: Store) -> None:
    store.followed.add([followed(1, blog="kept"), followed(2)])
    store.sources.add(SourceBatch("1", DAY.format(1)), [SourceRow("1", 1, "b1.example", blog="b1.example")])
    store.forget("kept")
    store.forget("b2.example")
    assert names(store, FollowedQuery()) == []
    assert list(store.sources.rows("1")) == []


# ------------------------------------------------------------------ sources


def test_a_batch_keeps_its_rows_in_order(store: Store) -> None:
    batch = SourceBatch("2", DAY.format(1), "ada", "paste", "l", ("t", "u"))
    rows = [
        SourceRow("2", 1, "x", "https://x/", "new", "x", made=True, tagged=("t",), listed=("l",)),
        SourceRow("2", 2, "\ud800", reason="no address"),
        SourceRow("2", 3, "y", "https://y/", "new", "y"),
    ]
    store.sources.add(replace(batch, by="eve"), rows[:1])
    store.sources.add(batch, rows[:2])
    store.sources.add_rows(rows[2:])
    store.sources.add_rows(rows[2:])
    store.sources.add(SourceBatch("1", DAY.format(1)))
    assert store.sources.batch("2") == batch
    assert store.sources.batch("3") is None
    assert [row.number for row in store.sources.rows("2")] == [1, 2, 3]
    assert list(store.sources.rows("2", after=2, limit=5)) == [rows[2]]
    assert list(store.sources.rows("2", limit=1)) == [rows[0]]
    assert store.sources.verdicts("2") == {"new": 2, "invalid": 1}
    assert [one.id for one in store.sources.batches()] == ["2", "1"]
    assert [one.id for one in store.sources.batches(after="2", limit=1)] == ["1"]


def test_analysis_changes_what_a_row_came_to(store: Store) -> None:
    store.sources.add(SourceBatch("1", DAY.format(1)), [SourceRow("1", 1, "x", "https://x/", "new", "x", made=True)])
    store.sources.judge("x", "not-a-blog", "a shop")
    (row,) = store.sources.rows("1")
    assert (row.verdict, row.reason, row.blog) == ("not-a-blog", "a shop", "x")
    store.sources.judge("x", "known", "redirects to y", means="y")
    (row,) = store.sources.of_blog("y")
    assert (row.verdict, row.reason, row.blog, row.made) == ("known", "redirects to y", "y", False)


def test_a_batch_tells_how_its_blogs_stand(store: Store) -> None:
    store.followed.add([followed(1), followed(2, state="following"), followed(3)])
    rows = [SourceRow("one", number, "", blog=blog) for number, blog in enumerate(("b1.example", "b2.example", None))]
    store.sources.add(SourceBatch("one", DAY.format(1)), [*rows, replace(rows[0], number=9)])
    assert store.sources.states("one") == {"waiting": 1, "following": 1}


def test_rows_of_an_undone_batch_speak_for_no_blog(store: Store) -> None:
    for name in ("1", "2"):
        store.sources.add(SourceBatch(name, DAY.format(1)), [SourceRow(name, 1, "x", "https://x/", "new", "x")])
    store.sources.undo("1", DAY.format(2))
    batch = store.sources.batch("1")
    assert batch
    assert batch.undone == DAY.format(2)
    assert [row.batch for row in store.sources.of_blog("x")] == ["2"]


# ------------------------------------------------------------------ lists and the block list


def test_a_list_can_be_dropped_without_its_blogs(store: Store) -> None:
    store.lists.keep(BlogList("l", DAY.format(1), "ada", "first"))
    store.lists.keep(BlogList("l", DAY.format(1), "ada", "second"))
    store.lists.keep(BlogList("k", DAY.format(2)))
    store.followed.add([followed(1, lists=("k", "l"))])
    assert [one.name for one in store.lists.all()] == ["k", "l"]
    found = store.lists.find("l")
    assert found
    assert found.note == "second"
    store.lists.drop("l")
    assert store.lists.find("l") is None
    assert store.followed.find("b1.example") == followed(1, lists=("k",))
    assert names(store, FollowedQuery(list="l")) == []


def test_what_is_blocked_can_be_let_in_again(store: Store) -> None:
    first = BlockedPlace("1", "host", "spam.example", "spam", "ada", DAY.format(1))
    second = BlockedPlace("0", "pattern", "*casino*", at=DAY.format(2))
    store.blocked.keep(second)
    store.blocked.keep(first)
    assert store.blocked.all() == [first, second]
    assert store.blocked.find("1") == first
    store.blocked.drop("1")
    assert store.blocked.all() == [second]
    assert store.blocked.find("1") is None


def test_what_is_written_in_a_transaction_can_be_read_there(store: Store) -> None:
    with store.transaction():
        store.followed.add([followed(1)])
        store.followed.watch(WatchedAddress("b1.example", "https://b1.example/feed"))
        store.lists.keep(BlogList("l", DAY.format(1)))
        store.blocked.keep(BlockedPlace("1", "host", "x.example"))
        store.sources.add(SourceBatch("1", DAY.format(1)), [SourceRow("1", 1, "x", blog="b1.example")])
        assert names(store, FollowedQuery()) == ["b1.example"]
        assert len(store.followed.known(["https://b1.example/feed"])) == 1
        assert store.lists.find("l")
        assert store.blocked.all()
        assert store.sources.of_blog("b1.example")


def test_nothing_of_a_failed_transaction_stays(store: Store) -> None:
    def fails() -> None:
        with store.transaction():
            store.followed.add([followed(1)])
            store.lists.keep(BlogList("l", DAY.format(1)))
            store.blocked.keep(BlockedPlace("1", "host", "x.example"))
            store.sources.add(SourceBatch("1", DAY.format(1)), [])
            raise ValueError("stop")

    with pytest.raises(ValueError, match="stop"):
        fails()
    assert names(store, FollowedQuery()) == []
    assert (store.lists.all(), store.blocked.all(), store.sources.batches()) == ([], [], [])
