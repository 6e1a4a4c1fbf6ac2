"""Any store keeps what feeds offer, what hubs were asked for, and what they delivered until it was used."""

from __future__ import annotations

from dataclasses import replace

from blogforever.storage.following import FollowedBlog, WatchedAddress
from blogforever.storage.pushes import REMEMBERED_DELIVERIES, Delivery, Subscription
from blogforever.storage.tables import Store

BLOG = FollowedBlog("a.example", "http://a.example/", "2026", state="following")
HUB, FEED = "http://hub.example/", "http://a.example/feed"
OFFER = WatchedAddress("a.example", FEED, hub=HUB, topic=FEED, offered_by="feed")
OURS = Subscription("x", "a.example", "websub", HUB, FEED, secret="s", created="2026-01", next_try="2026-02")
BODY = Delivery("x", "a.example", "2026", "d1", "application/atom+xml", b"<feed/>")


def test_what_a_feed_offers_is_kept_with_it(store: Store) -> None:
    store.followed.add([BLOG])
    store.followed.watch(OFFER)
    assert store.followed.watched("a.example") == [OFFER]


def test_a_subscription_is_changed_by_who_reads_it(store: Store) -> None:
    store.subscriptions.add(OURS)
    changed = store.subscriptions.change("x", lambda one: replace(one, state="active", until="2027"))
    assert store.subscriptions.find("x") == changed == replace(OURS, state="active", until="2027")
    assert store.subscriptions.change("none", lambda one: one) is None
    assert store.subscriptions.of_blog("a.example") == [changed]
    assert store.subscriptions.of_blog("b.example") == []
    assert store.subscriptions.page(10) == [changed]
    assert store.subscriptions.page(10, after="a.example") == []
    assert store.subscriptions.counts() == {"active": 1}


def test_subscriptions_are_listed_blog_by_blog(store: Store) -> None:
    ours = [replace(OURS, id=name, blog=f"{name[0]}.example", created=name[1]) for name in ("b1", "a1", "a2", "c1")]
    for one in ours:
        store.subscriptions.add(one)
    assert [one.id for one in store.subscriptions.page(2)] == ["a2", "a1", "b1"]
    assert [one.id for one in store.subscriptions.page(2, "b.example")] == ["c1"]


def test_what_is_due_comes_the_longest_due_first(store: Store) -> None:
    for one in (OURS, replace(OURS, id="y", next_try="2026-01"), replace(OURS, id="z", next_try=None)):
        store.subscriptions.add(one)
    assert [one.id for one in store.subscriptions.due("2026-03", 10)] == ["y", "x"]
    assert [one.id for one in store.subscriptions.due("2026-01", 10)] == ["y"]


def test_a_blog_that_is_looked_at_is_unmet_until_one_of_its_offers_was_asked_for(store: Store) -> None:
    store.followed.add([BLOG])
    cloud = replace(OFFER, url="http://a.example/rss", hub="", cloud="http://cloud.example/", last_look="2027")
    for address in (cloud, OFFER, replace(OFFER, url="http://a.example/comments", kind="comments")):
        store.followed.watch(address)
    assert store.subscriptions.unmet(10) == [OFFER]
    store.subscriptions.add(OURS)
    assert store.subscriptions.unmet(10) == []
    store.subscriptions.change("x", lambda one: replace(one, wanted="unsubscribe"))
    assert store.subscriptions.unmet(10) == [OFFER]
    store.followed.change("a.example", lambda blog: replace(blog, paused=True, state="paused"))
    assert store.subscriptions.unmet(10) == []


def test_a_subscription_is_forsaken_where_nobody_listens_or_nothing_is_offered(store: Store) -> None:
    store.followed.add([BLOG])
    store.followed.watch(OFFER)
    store.subscriptions.add(OURS)
    assert store.subscriptions.forsaken(10) == []
    store.followed.watch(replace(OFFER, hub="http://other.example/"))
    assert store.subscriptions.forsaken(10) == [OURS]
    store.followed.watch(replace(OFFER, hub="http://other.example/", spares=f"http://third.example/ {HUB}"))
    assert store.subscriptions.forsaken(10) == []
    store.followed.watch(replace(OFFER, hub="http://other.example/", spares=f"{HUB}more"))
    assert store.subscriptions.forsaken(10) == [OURS]
    store.followed.watch(replace(OFFER, hub="", cloud=HUB))
    assert store.subscriptions.forsaken(10) == []
    store.followed.drop(["a.example"])
    assert store.subscriptions.forsaken(10) == [OURS]


def test_what_is_over_is_forgotten_after_a_while(store: Store) -> None:
    ended = replace(OURS, state="ended", next_try=None, wanted="unsubscribe", asked="2026-05")
    store.subscriptions.add(ended)
    store.subscriptions.add(replace(OURS, id="y"))
    store.deliveries.add(BODY)
    assert store.subscriptions.forget("2026-04") == 0
    assert store.subscriptions.forget("2026-06") == 1
    assert [one.id for one in store.subscriptions.page(10)] == ["y"]
    assert store.deliveries.waiting("a.example") is None


def test_the_same_is_delivered_once_and_used_once(store: Store) -> None:
    assert store.deliveries.add(BODY)
    assert not store.deliveries.add(BODY)
    assert store.deliveries.add(replace(BODY, digest="d2", body=b"<feed>2</feed>"))
    newest = store.deliveries.waiting("a.example")
    assert newest
    assert newest.body == b"<feed>2</feed>"
    store.deliveries.used("a.example", newest.id)
    assert store.deliveries.waiting("a.example") is None
    assert not store.deliveries.add(BODY), "it is still known"


def test_only_the_last_deliveries_are_remembered(store: Store) -> None:
    for number in range(REMEMBERED_DELIVERIES + 1):
        store.deliveries.add(replace(BODY, digest=f"d{number}"))
    assert not store.deliveries.add(replace(BODY, digest="d1"))
    assert store.deliveries.add(replace(BODY, digest="d0"))


def test_nothing_that_was_delivered_is_left_of_a_forgotten_blog(store: Store) -> None:
    store.followed.add([BLOG])
    store.deliveries.add(BODY)
    store.forget("a.example")
    assert store.deliveries.waiting("a.example") is None
