"""Ping servers and filters as people set them, and what becomes of pings."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

import pytest

from blogforever import clock
from blogforever.errors import UsageError
from blogforever.ping.notice import Notice
from blogforever.ping.sieve import MOST_OF_A_HOST, NOT_LISTED
from blogforever.schedule.values import Cause
from blogforever.service.adding import AddRequest, add_sources
from blogforever.service.blocking import block
from blogforever.service.desk import Desk
from blogforever.service.pinged import PingReceiver, follow_up
from blogforever.service.pings import (
    OURS,
    FilterWish,
    ServerWish,
    add_server,
    change_server,
    drop_filter,
    drop_server,
    find_filter,
    keep_filter,
    list_filters,
    list_servers,
    own_endpoint,
    try_filter,
)
from blogforever.source.reading import given_as_addresses
from blogforever.storage.deciding import AnyDecided
from blogforever.storage.pings import PingRow
from blogforever.storage.schedule import LookRow
from blogforever.storage.work import PING, JobFilter
from blogforever.testing import MemoryStore

SCIENCE = FilterWish("Science", "science")
FILE = ServerWish("Weblogs", "changes", "http://ping.example/changes.xml")


class NoJournal:
    """Decisions are done, and written nowhere."""

    def add(self, decision: AnyDecided) -> None:
        pass


@pytest.fixture
def desk() -> Desk:
    return Desk(MemoryStore(), NoJournal(), "ann")


def follow(desk: Desk, *urls: str, harvested: bool = True) -> None:
    add_sources(desk, AddRequest(given_as_addresses(urls), "command"))
    for blog in desk.store.followed.some([url.split("/")[2] for url in urls]):
        desk.store.followed.change(
            blog.id,
            lambda one: replace(one, blog=one.id if harvested else None, state="following" if harvested else "waiting"),
        )


def ping(desk: Desk, *urls: str, limited: bool = False, feed: str = "") -> None:
    server = replace(own_endpoint(desk.store), is_limited=limited)
    PingReceiver(desk.store).receive(server, [Notice(url, feed=feed) for url in urls])


def what_became(desk: Desk) -> list[tuple[str, str, str]]:
    return [(row.url, row.state, row.blog) for row in reversed(desk.store.pings.newest(100))]


def test_our_own_endpoint_is_there_for_blogs_that_are_followed(desk: Desk) -> None:
    (ours,) = list_servers(desk.store)
    assert (ours.id, ours.is_on, ours.is_limited) == (OURS, True, True)
    with pytest.raises(UsageError, match="cannot be dropped"):
        drop_server(desk, OURS)


def test_a_new_server_stays_off_until_there_is_a_filter(desk: Desk) -> None:
    made = add_server(desk, FILE)
    assert not made.is_on
    with pytest.raises(UsageError, match="Without a filter"):
        change_server(desk, made.id, is_on=True)
    assert change_server(desk, made.id, is_on=True, is_limited=True).is_on
    keep_filter(desk, SCIENCE)
    assert not change_server(desk, made.id, is_limited=False).is_limited
    drop_server(desk, made.id)
    assert len(list_servers(desk.store)) == 1


@pytest.mark.parametrize(
    "wish",
    [
        replace(FILE, url="ftp://a.example/"),
        replace(FILE, name=""),
        ServerWish("s", "stream", "a.example"),
        ServerWish("s", "stream", "a.example:99999"),
        ServerWish("s", "stream", "http://a.example:80"),
        ServerWish("s", "endpoint", ""),
    ],
)
def test_a_server_that_cannot_be_one_is_refused(desk: Desk, wish: ServerWish) -> None:
    with pytest.raises(UsageError):
        add_server(desk, wish)


def test_dropping_a_filter_drops_those_below_it(desk: Desk) -> None:
    top = keep_filter(desk, SCIENCE)
    below = keep_filter(desk, replace(SCIENCE, name="Below", parent=top.id))
    deep = keep_filter(desk, replace(SCIENCE, name="Deep", parent=below.id))
    other = keep_filter(desk, replace(SCIENCE, name="Other"))
    assert set(drop_filter(desk, top.id)) == {top.id, below.id, deep.id}
    assert [one.id for one in list_filters(desk.store)] == [other.id]


def test_a_filter_stands_below_another_that_is_there_and_never_below_itself(desk: Desk) -> None:
    top = keep_filter(desk, SCIENCE)
    below = keep_filter(desk, replace(SCIENCE, parent=top.id))
    with pytest.raises(UsageError, match="below itself"):
        keep_filter(desk, replace(SCIENCE, parent=below.id), top.id)
    with pytest.raises(UsageError, match="no filter"):
        keep_filter(desk, replace(SCIENCE, parent="gone"))
    with pytest.raises(UsageError, match="no filter"):
        find_filter(desk.store, "gone")


def test_a_filter_is_tried_on_what_came_and_nothing_is_kept(desk: Desk) -> None:
    rows = [PingRow(f"2026-01-01T{hour:02}:00:00+00:00", "s", f"http://science-{hour}.example/") for hour in range(13)]
    desk.store.pings.add([*rows, PingRow("2026-01-01T06:00:00+00:00", "s", "http://a.example/")])
    trial = try_filter(desk.store, SCIENCE)
    assert (trial.tried, trial.taken, trial.let_in, trial.blogs_a_day) == (14, 13, 13, 26.0)
    assert "http://science-0.example/" in trial.examples
    assert desk.store.ping_filters.all() == []


def test_a_ping_of_a_followed_blog_has_it_looked_at_before_the_schedule_would(desk: Desk) -> None:
    follow(desk, "http://a.example/")
    ping(desk, "http://www.a.example/2026/new-post/", limited=True)
    assert follow_up(desk) == 1
    (job,) = desk.store.jobs.newest(JobFilter(), 10)
    assert (job.kind, job.blog, job.priority, job.asked_by) == ("update", "a.example", PING, "ping")
    assert what_became(desk) == [("http://www.a.example/2026/new-post/", "done", "a.example")]
    blog = desk.store.followed.find("a.example")
    assert blog
    assert blog.pings == 1


@pytest.mark.parametrize(("cause", "waits"), [("ping", True), ("schedule", False)])
def test_a_ping_right_after_a_look_that_a_ping_asked_for_waits_a_moment(desk: Desk, cause: Cause, waits: bool) -> None:
    follow(desk, "http://a.example/")
    now = clock.stamp()
    desk.store.schedule.add(LookRow("a.example", now, cause=cause))
    desk.store.followed.change("a.example", lambda one: replace(one, last_look=now))
    ping(desk, "http://a.example/")
    follow_up(desk)
    (job,) = desk.store.jobs.newest(JobFilter(kind="update"), 10)
    assert (datetime.fromisoformat(job.due) > clock.now()) is waits


def test_a_ping_of_a_blog_nobody_follows_needs_a_filter(desk: Desk) -> None:
    keep_filter(desk, SCIENCE)
    ping(desk, "http://science.example/", "http://other.example/", feed="http://science.example/feed")
    follow_up(desk)
    assert what_became(desk) == [
        ("http://science.example/", "done", "science.example"),
        ("http://other.example/", "dropped", ""),
    ]
    blog = desk.store.followed.find("science.example")
    assert blog
    assert blog.state == "waiting"
    assert [one.hits for one in list_filters(desk.store)] == [1]


def test_what_is_blocked_paused_or_of_another_blog_on_the_host_leads_to_nothing(desk: Desk) -> None:
    keep_filter(desk, SCIENCE)
    follow(desk, "http://shared.example/ann/")
    block(desk, "science.example", "spam")
    ping(desk, "http://science.example/", "http://shared.example/bob/")
    follow_up(desk)
    reasons = {row.url: (row.state, row.reason) for row in desk.store.pings.newest(10)}
    assert reasons["http://science.example/"] == ("dropped", "spam")
    assert reasons["http://shared.example/bob/"] == ("dropped", NOT_LISTED)


def test_a_blog_that_pings_while_it_is_harvested_is_looked_at_once_more(desk: Desk) -> None:
    follow(desk, "http://a.example/", harvested=False)
    desk.store.followed.change("a.example", lambda one: replace(one, state="harvesting"))
    ping(desk, "http://a.example/")
    follow_up(desk)
    assert [job.kind for job in desk.store.jobs.newest(JobFilter(), 10)] == ["harvest"]


def test_a_blog_that_rests_is_not_woken_by_its_pings(desk: Desk) -> None:
    follow(desk, "http://a.example/")
    desk.store.followed.change("a.example", lambda one: replace(one, state="frozen"))
    ping(desk, "http://a.example/")
    follow_up(desk)
    (kept,) = desk.store.pings.newest(10)
    assert (kept.state, kept.reason) == ("dropped", "its blog a.example is frozen")
    assert desk.store.jobs.newest(JobFilter(), 10) == []


def test_pings_are_counted_by_server_and_what_became_of_them(desk: Desk) -> None:
    ping(desk, "http://a.example/", "nothing", limited=True)
    counted = {one.label: one.number for one in desk.store.counters.sums("0", "9", 4)}
    assert counted == {"ours/received": 2, "ours/it names no address": 1, f"ours/{NOT_LISTED}": 1}


def test_a_platform_whose_blogs_are_folders_of_one_host_makes_no_storm(desk: Desk) -> None:
    follow(desk, "http://medium.com/@ann/")
    ping(desk, *(f"http://medium.com/@ann/{number}" for number in range(MOST_OF_A_HOST + 5)))
    assert len(desk.store.pings.waiting(100)) == MOST_OF_A_HOST + 5
