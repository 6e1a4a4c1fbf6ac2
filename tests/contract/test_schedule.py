"""The contract of what the schedule remembers: every store passes all of this."""

from __future__ import annotations

from blogforever.model import LookPolicy
from blogforever.schedule.policies import ScopedPolicy
from blogforever.schedule.values import Wishes
from blogforever.storage.following import FollowedBlog
from blogforever.storage.schedule import KEPT_LOOKS, KEPT_POSTS, LookRow
from blogforever.storage.tables import Store
from server.storedposts import post

WISHES = Wishes(retry_after=60, max_age=3600, ttl=7200, update_period=86400, skip_hours=(1, 2), skip_days=("Sunday",))


def at(number: int) -> str:
    return f"2026-11-16T{number // 60:02}:{number % 60:02}:00+00:00"


def test_a_look_is_kept_as_it_was(store: Store) -> None:
    plain = LookRow("a", at(0))
    told = LookRow("a", at(1), "unreachable", False, "ping", 1, 2, 3, 503, True, 4, 500, WISHES)
    for look in (plain, told):
        store.schedule.add(look)
    assert store.schedule.looks("a") == [plain, told]
    assert store.schedule.looks("b") == []


def test_of_each_blog_the_last_looks_are_kept(store: Store) -> None:
    store.schedule.add(LookRow("other", at(0)))
    for number in range(KEPT_LOOKS + 5):
        store.schedule.add(LookRow("a", at(number)))
    kept = store.schedule.looks("a")
    assert len(kept) == KEPT_LOOKS
    assert (kept[0].at, kept[-1].at) == (at(5), at(KEPT_LOOKS + 4))
    assert len(store.schedule.looks("other")) == 1


def test_two_looks_in_one_second_are_two(store: Store) -> None:
    for _ in range(2):
        store.schedule.add(LookRow("a", at(0)))
    assert len(store.schedule.looks("a")) == 2


def test_the_dates_of_a_blogs_last_posts_come_newest_first(store: Store) -> None:
    run, _ = store.runs.open("b")
    dates = [None, *(f"2013-{number // 28 + 1:02}-{number % 28 + 1:02}" for number in range(KEPT_POSTS + 3))]
    for number, published in enumerate(dates):
        store.posts.keep(run, post(number, published=published))
    store.posts.keep(run, post(1, blog="c"))
    told = store.schedule.published("b")
    assert told == sorted(filter(None, dates), reverse=True)[:KEPT_POSTS]


def test_looks_go_with_the_blog(store: Store) -> None:
    store.followed.add([FollowedBlog("a", "https://a.example/", at(0)), FollowedBlog("b", "https://b.example/", at(0))])
    for blog in ("a", "b"):
        store.schedule.add(LookRow(blog, at(1)))
    store.followed.drop(["a"])
    assert store.schedule.looks("a") == []
    assert len(store.schedule.looks("b")) == 1
    store.forget("b")
    assert store.schedule.looks("b") == []


def test_a_policy_holds_until_it_is_replaced_or_dropped(store: Store) -> None:
    first = ScopedPolicy("tag", "daily", LookPolicy(every=3600))
    for_all = ScopedPolicy("all", "", LookPolicy(quiet_hours=(1, 2), priority=2))
    for scoped in (first, for_all):
        store.schedule.set_policy(scoped)
    assert store.schedule.policies() == [for_all, first]
    other = ScopedPolicy("tag", "daily", LookPolicy(at_least=60, at_most=600))
    store.schedule.set_policy(other)
    assert store.schedule.policies() == [for_all, other]
    store.schedule.drop_policy("all")
    store.schedule.drop_policy("list", "not there")
    assert store.schedule.policies() == [other]


def test_what_is_written_in_a_transaction_that_fails_is_not_written(store: Store) -> None:
    try:
        with store.transaction():
            store.schedule.add(LookRow("a", at(0)))
            store.schedule.set_policy(ScopedPolicy("all"))
            raise KeyError
    except KeyError:
        pass
    assert (store.schedule.looks("a"), store.schedule.policies()) == ([], [])
