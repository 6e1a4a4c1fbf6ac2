"""Hooks, pings once more, dead letters, statistics, filters as a file and their history."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import msgspec
import pytest

from blogforever import clock
from blogforever.errors import BadInput, UsageError
from blogforever.ping.filters import Conditions, PingFilter
from blogforever.ping.notice import Notice
from blogforever.records import BlogRecord
from blogforever.service import pinged
from blogforever.service.adding import AddRequest, add_sources
from blogforever.service.desk import Desk
from blogforever.service.filterfiles import (
    FilterFile,
    ImportedFilters,
    export_json,
    import_filters,
    read_filters,
    take_back,
)
from blogforever.service.pingagain import SentAgain, drop_letter, send_again_since, try_again
from blogforever.service.pinged import PingReceiver, follow_up
from blogforever.service.pinghooks import OLD, TWICE, UNSIGNED, WINDOW, HookDoor, PostedPings, RefusedError, add_hook
from blogforever.service.pings import FilterWish, change_server, drop_filter, keep_filter, own_endpoint, try_filter
from blogforever.service.pingstats import ServerFigures, count_pinged, judged_by_filter, ping_statistics
from blogforever.service.signing import signature_of, signed_headers
from blogforever.service.statistics import PeriodLength
from blogforever.source.reading import given_as_addresses
from blogforever.storage.deciding import AnyDecided
from blogforever.storage.pings import PingRow
from blogforever.storage.schedule import LookRow
from blogforever.testing import FakeClock, MemoryStore

SCIENCE = FilterWish("Science", "science")
BODY = json.dumps({"url": "http://a.example/new/", "feed": "http://a.example/feed", "name": "A"}).encode()


class NoJournal:
    """Decisions are done, and written nowhere."""

    def add(self, decision: AnyDecided) -> None:
        pass


@pytest.fixture
def desk() -> Desk:
    return Desk(MemoryStore(), NoJournal(), "ann")


def follow(desk: Desk, url: str) -> None:
    add_sources(desk, AddRequest(given_as_addresses([url]), "command"))
    desk.store.followed.change(url.split("/")[2], lambda one: replace(one, blog=one.id, state="following"))


def receive(desk: Desk, *urls: str) -> None:
    server = replace(own_endpoint(desk.store), is_limited=False)
    PingReceiver(desk.store).receive(server, [Notice(url) for url in urls], malformed=1)


def states(desk: Desk) -> list[str]:
    return [row.state for row in reversed(desk.store.pings.newest(100))]


def test_a_signed_delivery_is_kept_once(desk: Desk) -> None:
    follow(desk, "http://a.example/")
    made = add_hook(desk, "gallery")
    door = HookDoor(PingReceiver(desk.store))
    headers = signed_headers(made.secret, "msg-1", BODY)
    assert door.take("gallery", headers, BODY) == PostedPings(1, 1, 0)
    with pytest.raises(RefusedError, match=TWICE):
        door.take("gallery", headers, BODY)
    (row,) = desk.store.pings.newest(10)
    assert (row.server, row.url, row.feed, row.name) == (
        made.server.id,
        "http://a.example/new/",
        "http://a.example/feed",
        "A",
    )


def test_what_is_not_signed_old_or_for_nobody_is_refused(desk: Desk) -> None:
    made = add_hook(desk, "gallery")
    door = HookDoor(PingReceiver(desk.store))
    good = signed_headers(made.secret, "msg-1", BODY)
    for name, headers, body in (
        ("gallery", good, BODY + b" "),
        ("other", good, BODY),
        ("gallery", {}, BODY),
        ("gallery", good | {"webhook-id": "msg-2"}, BODY),
        ("gallery", good | {"webhook-signature": "v1,ü"}, BODY),
    ):
        with pytest.raises(RefusedError, match=UNSIGNED):
            door.take(name, headers, body)
    sent = int(clock.system().timestamp()) - WINDOW - 10
    old = {
        "webhook-id": "m",
        "webhook-timestamp": str(sent),
        "webhook-signature": signature_of(made.secret, "m", sent, BODY),
    }
    with pytest.raises(RefusedError, match=OLD):
        door.take("gallery", old, BODY)
    assert desk.store.pings.newest(10) == []


def test_a_delivery_that_says_nothing_may_be_sent_again_and_a_hook_that_is_off_takes_none(desk: Desk) -> None:
    made = add_hook(desk, "gallery")
    door = HookDoor(PingReceiver(desk.store))
    headers = signed_headers(made.secret, "msg-1", b"[")
    for _ in range(2):
        with pytest.raises(BadInput, match="no JSON"):
            door.take("gallery", headers, b"[")
    change_server(desk, made.server.id, is_on=False)
    with pytest.raises(RefusedError, match="off"):
        door.take("gallery", headers, b"[")


@pytest.mark.parametrize("name", ["", "Two words", "x" * 61, "-a", "../a", "gallery"])
def test_a_hook_has_a_name_of_its_own_that_can_stand_in_an_address(desk: Desk, name: str) -> None:
    add_hook(desk, "gallery")
    with pytest.raises(UsageError):
        add_hook(desk, name)


def test_kept_pings_are_sorted_again_by_the_filters_of_today(desk: Desk) -> None:
    keep_filter(desk, replace(SCIENCE, pattern="physics"))
    change_server(desk, "ours", is_limited=False)
    receive(desk, "http://science.example/", "http://other.example/", "http://physics.example/")
    follow_up(desk)
    keep_filter(desk, SCIENCE)
    assert send_again_since(desk.store, "2000-01-01") == SentAgain(3, 2)
    rows = {row.url: row for row in desk.store.pings.newest(10)}
    assert rows["http://science.example/"].state == "waiting"
    assert rows["http://other.example/"].state == "dropped"
    follow_up(desk)
    assert desk.store.followed.find("science.example")
    assert send_again_since(desk.store, "2100-01-01") == SentAgain(0, 0)
    with pytest.raises(UsageError, match="no moment"):
        send_again_since(desk.store, "yesterday")


def test_a_ping_that_cannot_be_handled_is_a_dead_letter_and_costs_no_others(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep_filter(desk, SCIENCE)
    receive(desk, "http://science-1.example/", "http://science-2.example/")

    def breaks(desk: Desk, request: AddRequest) -> object:
        if any("science-1" in row.url for row in request.rows):
            raise ValueError("it breaks")
        return add_sources(desk, request)

    monkeypatch.setattr(pinged, "add_sources", breaks)
    follow_up(desk)
    assert states(desk) == ["failed", "done"]
    (dead,) = desk.store.pings.newest(10, state="failed")
    assert dead.reason == "it breaks"
    monkeypatch.undo()
    assert try_again(desk.store, dead.id) == 1
    follow_up(desk)
    assert states(desk) == ["done", "done"]
    with pytest.raises(UsageError, match="no dead letter"):
        try_again(desk.store, dead.id)


def test_a_person_drops_a_dead_letter(desk: Desk) -> None:
    desk.store.pings.add([PingRow("2026", "ours", "http://a.example/", state="failed")] * 2)
    first, second = desk.store.pings.newest(10)
    assert drop_letter(desk.store, first.id, "ann").reason == "dropped by ann"
    assert try_again(desk.store) == 1
    found = desk.store.pings.find(second.id)
    assert found
    assert found.state == "waiting"


def test_packages_say_what_came_in_each(desk: Desk) -> None:
    keep_filter(desk, SCIENCE)
    follow(desk, "http://a.example/")
    receive(desk, "http://a.example/", "http://science.example/", "http://other.example/")
    (package,) = desk.store.pings.packages(10)
    assert (package.received, package.malformed, package.filtered, package.known, package.unknown) == (3, 1, 1, 1, 1)


def test_statistics_tell_what_pings_led_to_and_missed(desk: Desk) -> None:
    one = keep_filter(desk, SCIENCE)
    follow(desk, "http://a.example/")
    receive(desk, "http://a.example/", "http://science.example/", "http://other.example/")
    follow_up(desk)
    known, found = desk.store.followed.some(["a.example", "science.example"])
    ping = desk.store.pings.last_of("a.example")
    assert ping
    for look in (LookRow("a.example", ping.at, cause="ping", found=2), LookRow("a.example", ping.at, found=3)):
        count_pinged(desk.store, known, known, look)
    count_pinged(desk.store, found, replace(found, blog="science.example"), LookRow(found.id, ping.at, found=7))
    count_pinged(desk.store, found, found, LookRow(found.id, ping.at))
    told = ping_statistics(desk.store)
    (server,) = told.servers
    expected = ServerFigures(3, 1, 1, 1, 1, 1, 2, 0.0, 3, 1, {"no filter takes it": 1})
    assert (server.name, server.figures, told.total) == ("Our own endpoint", expected, expected)
    (taken,) = told.filters
    assert (taken.filter, taken.hits, taken.blogs, taken.posts) == (one.id, 1, 1, 7)
    assert told.periods[-1].figures == expected
    assert ping_statistics(desk.store, server="other").servers == ()
    with pytest.raises(UsageError):
        ping_statistics(desk.store, "2026-13")


def test_statistics_of_a_server_add_up_over_any_range(desk: Desk) -> None:
    follow(desk, "http://a.example/")
    known = desk.store.followed.find("a.example")
    assert known
    time = FakeClock()
    when = {"2025-12-31T23:30": 1, "2026-01-01T00:10": 2, "2026-01-01T05:00": 4, "2026-03-02": 8}
    for moment, missed in when.items():
        time.now = datetime.fromisoformat(moment).replace(tzinfo=UTC)
        with clock.handed_in(lambda: time.now):
            receive(desk, "http://a.example/")
            follow_up(desk)
            count_pinged(desk.store, known, known, LookRow("a.example", clock.stamp(), cause="ping", found=1))
            count_pinged(desk.store, known, known, LookRow("a.example", clock.stamp(), found=missed))
            count_pinged(desk.store, known, known, LookRow("a.example", clock.stamp(), cause="comments", comments=3))

    def missed_in(first: str, last: str, by: PeriodLength = "day") -> tuple[int, int]:
        told = ping_statistics(desk.store, first, last, by)
        assert sum(period.figures.missed for period in told.periods) == told.total.missed
        return told.total.missed, told.total.posts

    assert missed_in("2025-12-31", "2026-03-02") == (15, 4)
    assert missed_in("2026-01-01", "2026-01-01") == (6, 2)
    assert missed_in("2026-01-01T00", "2026-01-01T00", "hour") == (2, 1)
    assert missed_in("2026-01", "2026-02", "month") == (6, 2)
    assert missed_in("2025", "2025", "year") == (1, 1)
    assert missed_in("2026-01-02", "2026-03-01") == (0, 0)


def test_a_filter_says_how_many_blogs_it_would_add_or_keep_out(desk: Desk) -> None:
    follow(desk, "http://science-known.example/")
    keep_filter(desk, FilterWish("Music", "music"))
    begun = datetime(2026, 1, 1, tzinfo=UTC)
    urls = [
        "http://science.example/1",
        "http://www.science.example/2",
        "http://science-known.example/",
        "http://music.example/",
    ]
    rows = [PingRow((begun + timedelta(hours=hour * 4)).isoformat(), "ours", url) for hour, url in enumerate(urls)]
    desk.store.pings.add(rows)
    trial = try_filter(desk.store, SCIENCE)
    assert (trial.tried, trial.taken, trial.let_in, trial.blogs_a_day) == (4, 3, 4, 2.0), "one in half a day is new"
    assert try_filter(desk.store, replace(SCIENCE, pattern="music")).blogs_a_day == 0, "another lets it in already"
    assert try_filter(desk.store, FilterWish("No music", "music", excludes=True)).blogs_a_day == -2.0


def test_a_blog_in_another_language_than_its_filter_wants_goes_to_review(desk: Desk) -> None:
    keep_filter(desk, replace(SCIENCE, conditions=Conditions(languages=("de", "pt"))))
    receive(desk, "http://science.example/", "http://science-pt.example/")
    follow_up(desk)
    for name, language in (("science.example", "fr"), ("science-pt.example", "pt-BR")):
        before = desk.store.followed.find(name)
        assert before
        after = desk.store.followed.change(name, lambda one: replace(one, blog=one.id, state="following"))
        assert after
        desk.store.blogs.keep(BlogRecord(id=name, url=f"http://{name}/", language=language))
        judged_by_filter(desk.store, before, after)
    one, other = desk.store.followed.some(["science.example", "science-pt.example"])
    told = {blog.id: (blog.state, blog.reason) for blog in (one, other)}
    assert told["science-pt.example"][0] == "following"
    assert told["science.example"] == (
        "rejected",
        "the filter 'Science' let it in, but its language is fr, not de or pt",
    )


def test_filters_are_handed_over_as_a_file_and_brought_back(desk: Desk) -> None:
    top = keep_filter(desk, replace(SCIENCE, order=5))
    keep_filter(desk, replace(SCIENCE, name="Below", parent=top.id, conditions=Conditions(platforms=("wordpress",))))
    text = export_json(desk.store)
    other = Desk(MemoryStore(), NoJournal(), "bob")
    assert import_filters(other, read_filters(text.encode())) == ImportedFilters(new=2)
    assert export_json(other.store) == text
    changed = msgspec.json.decode(text)
    changed["filters"][0]["name"] = "Another"
    assert import_filters(other, read_filters(msgspec.json.encode(changed))) == ImportedFilters(changed=1, same=1)


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"[]",
        b'{"filters": [{"id": "a"}]}',
        b'{"filters": [], "version": 2}',
        b'{"filters": [{"id": "", "name": "a", "pattern": "abc"}]}',
        b'{"filters": [{"id": "a", "name": "a", "pattern": "ab"}]}',
        b'{"filters": [{"id": "a", "name": "a", "pattern": "abc", "parent": "gone"}]}',
        b'{"filters": [{"id": "a", "name": "a", "pattern": "abc", "parent": "a"}]}',
        b"[" * 100_000,
    ],
)
def test_a_file_that_holds_no_filters_changes_nothing(desk: Desk, text: bytes) -> None:
    with pytest.raises((BadInput, UsageError)):
        import_filters(desk, read_filters(text))
    assert desk.store.ping_filters.all() == []


def test_what_was_done_to_filters_is_known_and_taken_back(desk: Desk) -> None:
    made = keep_filter(desk, SCIENCE)
    keep_filter(desk, replace(SCIENCE, name="Nature"), made.id)
    drop_filter(desk, made.id)
    dropped, changed, first = desk.store.ping_filters.changes(10)
    assert [(one.by, one.before is None, one.after is None) for one in (first, changed, dropped)] == [
        ("ann", True, False),
        ("ann", False, False),
        ("ann", False, True),
    ]
    take_back(desk, dropped.id)
    assert [one.name for one in desk.store.ping_filters.all()] == ["Nature"]
    take_back(desk, changed.id)
    assert [one.name for one in desk.store.ping_filters.all()] == ["Science"]
    take_back(desk, first.id)
    assert desk.store.ping_filters.all() == []
    with pytest.raises(UsageError, match="no change"):
        take_back(desk, 99)


def test_a_file_may_name_filters_in_any_order(desk: Desk) -> None:
    below = PingFilter("b", "Below", "abc", parent="a")
    assert import_filters(desk, FilterFile((below, PingFilter("a", "Top", "abc")))).new == 2
