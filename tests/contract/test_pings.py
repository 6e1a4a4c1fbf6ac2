"""Any store keeps ping servers, filters with their hits, and pings until something became of them."""

from __future__ import annotations

from dataclasses import replace

from blogforever.ping.filters import Conditions, PingFilter
from blogforever.storage.pings import FilterChange, FilterHits, PingPackage, PingRow, PingServer, ServerStanding
from blogforever.storage.tables import Store

SERVER = PingServer("s", "Ours", "changes", "http://ping.example/changes.xml", is_on=True, created="2026", by="ann")
FILTER = PingFilter("f", "Science", "science", conditions=Conditions(domains=("de",), has_feed=True), created="2026")
ROW = PingRow("2026-01-01T00:00:00Z", "s", "http://a.example/", "Ann's", "http://a.example/feed", "ping")


def test_a_server_is_kept_with_how_reading_it_goes_until_it_is_dropped(store: Store) -> None:
    store.ping_servers.keep(replace(SERVER, is_on=False))
    store.ping_servers.keep(SERVER)
    store.ping_servers.stand(ServerStanding("s", "2026", 2, "no answer"))
    assert store.ping_servers.all() == [SERVER]
    assert store.ping_servers.standing("s") == ServerStanding("s", "2026", 2, "no answer")
    assert store.ping_servers.drop("s")
    assert not store.ping_servers.drop("s")
    assert store.ping_servers.find("s") is None
    assert store.ping_servers.standing("s") == ServerStanding("s")


def test_filters_are_kept_in_their_order_with_their_hits(store: Store) -> None:
    first = PingFilter("g", "First", "abc*", kind="wildcards", excludes=True, parent="f", order=-1, is_on=False)
    for one in (replace(FILTER, name="Other"), FILTER, first):
        store.ping_filters.keep(one)
    assert store.ping_filters.all() == [first, FILTER]
    store.ping_filters.hit({"f": 2, "g": 1}, "2026-01")
    store.ping_filters.hit({"f": 3}, "2026-02")
    assert store.ping_filters.hits() == [FilterHits("f", 5, "2026-02"), FilterHits("g", 1, "2026-01")]
    store.ping_filters.drop(["f"])
    assert store.ping_filters.find("f") is None
    assert [one.filter for one in store.ping_filters.hits()] == ["g"]


def test_pings_wait_until_something_became_of_them(store: Store) -> None:
    store.pings.add([ROW, replace(ROW, server="t"), replace(ROW, state="dropped", reason="why")])
    first, second = store.pings.waiting(10)
    assert replace(first, id=0) == ROW
    store.pings.settle([first.id], "done", "looked at", "a.example")
    assert store.pings.waiting(10) == [second]
    done = store.pings.newest(10, state="done")
    assert [(row.reason, row.blog) for row in done] == [("looked at", "a.example")]
    assert [row.state for row in store.pings.newest(10)] == ["dropped", "waiting", "done"]
    assert store.pings.newest(10, before=second.id, server="s") == done


def test_old_pings_go_and_those_that_wait_stay(store: Store) -> None:
    store.pings.add([ROW, *[replace(ROW, state="done")] * 5])
    assert store.pings.forget(2, 1) == 3
    assert [row.state for row in store.pings.newest(10)] == ["done", "done", "waiting"]


def test_of_dead_letters_the_newest_stay_however_old_they_are(store: Store) -> None:
    store.pings.add([*[replace(ROW, state="failed")] * 3, *[replace(ROW, state="done")] * 4])
    assert store.pings.forget(1, 2) == 4
    assert [row.state for row in store.pings.newest(10)] == ["done", "failed", "failed"]


def test_the_last_ping_of_each_blog_stays_however_old_it_is(store: Store) -> None:
    store.pings.add([replace(ROW, state="done", blog=blog) for blog in ("a", "b", "a", "", "")])
    assert store.pings.forget(1, 0) == 2
    assert [row.blog for row in store.pings.newest(10)] == ["", "a", "b"]


def test_pings_are_read_again_from_a_moment_on_and_changed(store: Store) -> None:
    store.pings.add([ROW, replace(ROW, at="2026-01-02", url="b"), replace(ROW, at="2026-01-03", server="t", url="c")])
    _, second, third = store.pings.waiting(10)
    assert store.pings.since("2026-01-02", 0, 10) == [second, third]
    assert store.pings.since("2026-01-02", second.id, 10) == [third]
    assert store.pings.since("2026", 0, 1, server="t") == [third]
    changed = replace(third, state="dropped", reason="why", blog="c.example", filter="f")
    store.pings.change([changed])
    assert store.pings.find(third.id) == changed
    assert store.pings.find(third.id + 1) is None


def test_the_last_ping_of_a_blog_that_led_to_a_look_is_known(store: Store) -> None:
    store.pings.add([replace(ROW, state=state, blog="a.example") for state in ("done", "done", "dropped")])
    store.pings.add([replace(ROW, state="done")])
    last = store.pings.last_of("a.example")
    assert last
    assert last == store.pings.newest(3)[-1]
    assert store.pings.last_of("") is None


def test_what_came_is_counted_by_the_package(store: Store) -> None:
    first = PingPackage("2026-01-01T00:00", "s", 5, 1, 2, 1, 1)
    for package in (first, first, replace(first, server="t"), replace(first, at="2026-01-02T00:00")):
        store.pings.count(package)
    newest, other, both = store.pings.packages(10)
    assert replace(both, id=0) == PingPackage("2026-01-01T00:00", "s", 10, 2, 4, 2, 2)
    assert store.pings.packages(10, before=newest.id) == [other, both]
    assert store.pings.packages(10, server="t") == [other]
    store.pings.forget(100, 1)
    assert store.pings.packages(10) == [newest]


def test_a_hook_has_its_secret_until_it_is_dropped(store: Store) -> None:
    store.ping_servers.keep(replace(SERVER, kind="hook"))
    store.ping_servers.keep_secret("s", "first")
    store.ping_servers.keep_secret("s", "second")
    assert store.ping_servers.secret("s") == "second"
    store.ping_servers.drop("s")
    assert store.ping_servers.secret("s") == ""


def test_what_a_hook_was_sent_is_known_again_for_a_while(store: Store) -> None:
    servers = store.ping_servers
    servers.remember("s", "first", sent=100, since=0)
    servers.remember("s", "first", sent=100, since=0)
    servers.remember("t", "second", sent=200, since=100)
    assert [servers.has_come(*one) for one in (("s", "first"), ("t", "second"), ("s", "second"))] == [True, True, False]
    servers.remember("s", "third", sent=300, since=101)
    assert not servers.has_come("s", "first")
    assert servers.has_come("t", "second")


def test_what_was_done_to_filters_is_written_down(store: Store) -> None:
    made = FilterChange("2026-01-01", "ann", "f", None, FILTER)
    changed = FilterChange("2026-01-02", "bob", "f", FILTER, replace(FILTER, name="Other"))
    for change in (made, changed, replace(made, filter="g")):
        store.ping_filters.note(change)
    assert [replace(one, id=0) for one in store.ping_filters.changes(10, one="f")] == [changed, made]
    newest = store.ping_filters.changes(1)[0]
    assert newest.filter == "g"
    assert len(store.ping_filters.changes(10, before=newest.id)) == 2
