"""Texts of any length come from outside: no store refuses them, and what has them is found by them."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from random import Random
from string import ascii_letters

from blogforever.model import Failure
from blogforever.protocols import Condition, Ref
from blogforever.records import BlogRecord, PageRecord
from blogforever.storage.browsing import CommentQuery, Facet, PostQuery
from blogforever.storage.following import FollowedBlog, WatchedAddress
from blogforever.storage.tables import Store
from server.storedposts import NOW, check, post

# More than any page of an index takes, of letters that no database can pack.
LENGTH = 100_000
REF = Ref("warc/b/1.warc.gz", 0, "r1", "sha1:A")


def noise(seed: int) -> str:
    return "".join(Random(seed).choices(ascii_letters, k=LENGTH))


def address(seed: int) -> str:
    return f"https://b.example/{noise(seed)}/"


def test_a_post_is_kept_and_found_whatever_the_length_of_its_fields(store: Store) -> None:
    run, _ = store.runs.open("b")
    record = post(
        1,
        url=address(1),
        aliases=[address(2)],
        title=noise(3),
        authors=[{"name": noise(4)}],
        tags=[noise(5)],
        language=noise(6),
        comments=[{"id": "c1", "url": address(8), "author": {"name": noise(9)}, "text": noise(10)}],
    )
    store.runs.add_candidate(run, record.url, record)
    assert list(store.runs.candidates(run, [address(2), record.url])) == [None, record]
    store.posts.keep(run, record, check=check(record))
    assert store.posts.at(address(1)) == store.posts.at(address(2)) == record
    assert store.posts.at(address(3)) is None
    assert store.posts.named(address(2)) == store.posts.with_comment(address(8)) == [record]
    assert store.posts.owners([address(2)]) == {address(2): "b"}
    assert store.posts.ids_at([address(1), address(9)]) == {address(1): "b1"}
    assert store.posts.sharing_titles([noise(3)]) == {"b": 1}
    for facet in (Facet("author", noise(4)), Facet("tag", noise(5))):
        assert [line.id for line in store.posts.page(PostQuery(facets=(facet,))).items] == ["b1"]
    assert [one for one, _line in store.posts.comments(CommentQuery()).items] == ["c1"]
    store.posts.keep(run, post(1, url=address(1), title="short"))
    assert store.posts.at(address(2)) is None
    store.pages.keep(run, PageRecord(id="a", blog="b", url=address(11), title=noise(12)))
    assert [page.url for page in store.pages.of_blog("b")] == [address(11)]
    store.blogs.keep(BlogRecord(id="b", url=address(13), title=noise(14)))
    store.runs.add_failure(run, "b", Failure(address(15), "error", noise(16)))


def test_a_response_is_found_by_its_address_whatever_its_length(store: Store) -> None:
    run, _ = store.runs.open("b")
    long, other = address(1), address(2)
    store.captures.add(run, long, 200, NOW, REF)
    store.captures.add(run, other, 200, NOW, replace(REF, record_id=noise(3), digest=noise(4)))
    assert store.captures.file("b", long) == REF
    assert [answer.ref for answer in store.captures.answers("b", long, 5)] == [REF]
    assert store.captures.same("b", noise(4)) == store.captures.find(noise(3)) == store.captures.file("b", other)
    until = NOW + timedelta(days=1)
    store.captures.save_condition("b", long, Condition(REF, NOW, "etag", None, until))
    assert store.captures.condition("b", other) is None
    for _written in (False, True):
        found = store.captures.condition("b", long)
        assert found
        assert (found.etag, found.until) == ("etag", until)
        assert store.captures.fresh_addresses("b", NOW.isoformat()) == {long}
    store.captures.mark_failed("b", run, {f"b.example/{noise(2)}": "cut"})
    store.runs.close(run, "finished")
    assert set(store.captures.seen_addresses("b")) == {long}


def test_a_blog_is_followed_whatever_the_length_of_its_addresses(store: Store) -> None:
    blog = FollowedBlog("b", address(1), "2024-01-01T00:00:00", title=noise(2), reason=noise(3), state="dead")
    store.followed.add([blog])
    store.followed.add_aliases("b", [address(4)])
    for total in (1, 2):
        store.followed.watch(WatchedAddress("b", address(5), total=total))
    store.followed.watch(WatchedAddress("b", "https://b.example/feed"))
    assert {found.id for found in store.followed.known([address(1), address(4), address(5)]).values()} == {"b"}
    assert store.followed.known([address(6)]) == {}
    watched = {one.url: one.total for one in store.followed.watched("b")}
    assert watched == {address(5): 2, "https://b.example/feed": 0}
    assert store.followed.feeds(["b"]) == {"b": min(watched)}
    assert store.followed.hosts() == {"b.example"}
    assert [(one.reason, one.number) for one in store.followed.reasons(["dead"], 5)] == [(noise(3), 1)]
