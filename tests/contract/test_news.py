"""Any store writes what became of posts with them, counts by the hour, and keeps webhooks and what they refused."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from functools import partial

import pytest
from msgspec import structs

from blogforever import clock
from blogforever.records import CommentRecord
from blogforever.storage.browsing import Facet
from blogforever.storage.counting import HOUR, HourCount, PeriodCount
from blogforever.storage.hooks import DeadLetter, HookStanding, Webhook
from blogforever.storage.tables import Store
from server.storedposts import post

THEN = "2024-01-01T00:00:00+00:00"


def told(store: Store, after: int = 0) -> list[tuple[str, str, int]]:
    return [(row.post, row.kind, row.version) for row in store.news.after(after, 99)]


def test_what_becomes_of_a_post_is_written_with_it_and_nothing_where_nothing_did(store: Store) -> None:
    run, _ = store.runs.open("b")
    first = post(1, text="one")
    store.posts.keep(run, first)
    store.posts.keep(run, first)
    store.posts.keep(run, post(1, text="two"))
    store.posts.keep(run, structs.replace(post(1, text="two"), status="gone"), "none")
    back = structs.replace(post(1, text="two"), status="active")
    store.posts.keep(run, back, "none")
    comment = CommentRecord(id="c", text="Yes")
    store.posts.keep(run, structs.replace(back, comments=(comment,)), "none")
    assert told(store) == [
        ("b1", "new", 1),
        ("b1", "changed", 2),
        ("b1", "gone", 2),
        ("b1", "back", 2),
        ("b1", "commented", 2),
    ]
    assert store.news.after(0, 99)[-1].comments == 1
    assert [row.kind for row in store.news.after(1, 2)] == ["changed", "gone"]


def test_news_of_a_transaction_that_fails_never_were(store: Store) -> None:
    run, _ = store.runs.open("b")

    def killed() -> None:
        with store.transaction():
            store.posts.keep(run, post(1))
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        killed()
    assert told(store) == []


def test_readers_go_on_where_they_were_and_no_number_is_given_again(store: Store) -> None:
    run, _ = store.runs.open("b")
    assert store.news.last() == store.news.reached("me") == 0
    store.posts.keep(run, post(1))
    store.news.reach("me", store.news.last())
    assert store.news.forget("9999") == 1
    assert store.news.last() == store.news.reached("me") == 1
    store.posts.keep(run, post(2))
    assert [row.number for row in store.news.after(store.news.reached("me"), 9)] == [2]
    store.news.leave("me")
    assert store.news.reached("me") == 0


def test_news_are_found_by_the_moment_they_came(store: Store) -> None:
    assert store.news.before("9999") == 0
    run, _ = store.runs.open("b")
    for number, second in ((1, 1), (2, 1), (3, 9)):
        with clock.handed_in(partial(datetime, 2024, 1, 1, 0, 0, second, tzinfo=UTC)):
            store.posts.keep(run, post(number))
            store.news.last()
    assert [store.news.before(f"2024-01-01T00:00:0{second}+00:00") for second in (1, 2, 9)] == [0, 2, 2]
    assert store.news.before("9999") == 3


def test_with_a_blog_its_news_are_forgotten(store: Store) -> None:
    run, _ = store.runs.open("b")
    store.posts.keep(run, post(1))
    store.forget("b")
    assert told(store) == []


def test_counters_add_up_in_periods_and_gauges_stand_as_they_were_last_noted(store: Store) -> None:
    store.counters.add(
        "2024-01-01T05", [HourCount("looks", "finished"), HourCount("bytes", "", 10), HourCount("requests", "", 0)]
    )
    store.counters.add("2024-01-01T05", [HourCount("looks", "finished", 2)])
    store.counters.add("2024-01-01T09", [HourCount("looks", "finished", 4)])
    store.counters.add("2024-01-02T00", [HourCount("looks", "crashed")])
    store.counters.note("2024-01-01T05", "blogs", [("following", 3)])
    store.counters.note("2024-01-01T09", "blogs", [("following", 1), ("dead", 2)])
    store.counters.note("2024-01-01T09", "blogs", [("following", 2)])
    assert store.counters.sums("2024-01-01T00", "2024-01-02T23", len("2024-01-01")) == [
        PeriodCount("2024-01-01", "blogs", "following", 2),
        PeriodCount("2024-01-01", "bytes", "", 10),
        PeriodCount("2024-01-01", "looks", "finished", 7),
        PeriodCount("2024-01-02", "looks", "crashed", 1),
    ]
    assert store.counters.sums("2024-01-01T09", "2024-01-01T09", HOUR)[-1].number == 4


def test_webhooks_are_kept_with_how_they_stand_and_what_they_refused(store: Store) -> None:
    hook = Webhook("h", "https://a.example/", "s", THEN, "ann", ("new", "gone"), list="art")
    store.hooks.keep(hook)
    store.hooks.keep(replace(hook, id="g", events=()))
    assert store.hooks.find("h") == hook
    assert [one.id for one in store.hooks.all()] == ["g", "h"]
    assert store.hooks.standing("h") == HookStanding("h")
    stands = HookStanding("h", 3, THEN, 1, 7, THEN, 500, "no")
    store.hooks.stand(stands)
    assert store.hooks.standing("h") == stands
    store.hooks.bury(DeadLetter("h", 1, 2, THEN))
    store.hooks.bury(DeadLetter("g", 3, 4, THEN))
    newest, oldest = store.hooks.dead(9)
    assert (newest.hook, oldest.hook) == ("g", "h")
    assert store.hooks.dead(9, before=newest.id) == store.hooks.dead(9, hook="h") == [oldest]
    assert store.hooks.wanted_again("h") is None
    store.hooks.bury(replace(oldest, again=True))
    assert store.hooks.wanted_again("h") == store.hooks.letter(oldest.id) == replace(oldest, again=True)
    assert store.hooks.dig_up(newest.id)
    assert not store.hooks.dig_up(newest.id)
    assert store.hooks.drop("h")
    assert not store.hooks.drop("h")
    assert (store.hooks.dead(9), store.hooks.standing("h")) == ([], HookStanding("h"))
    store.hooks.bury(DeadLetter("g", 3, 4, THEN))
    assert store.hooks.forget_dead("2025") == 1


def test_posts_are_counted_by_what_they_are_chosen_by(store: Store) -> None:
    run, _ = store.runs.open("b")
    for number in (1, 2, 3):
        store.posts.keep(run, post(number, status="missing" if number == 1 else "active", tags=["Art"]))
    assert store.posts.number_with(Facet("is", "missing"), 9) == 1
    assert store.posts.number_with(Facet("tag", "ART"), 9) == 3
    assert store.posts.number_with(Facet("tag", "ART"), 2) == 2
