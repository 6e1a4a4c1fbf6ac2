"""Statistics of any range: counted with what they count, once, and told period by period."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from blogforever import clock
from blogforever.archive.bloglook import BlogLook, Learned
from blogforever.archive.jobs import CrawlReport
from blogforever.errors import UsageError
from blogforever.model import Failure
from blogforever.service import counting
from blogforever.service.counting import count_look, count_news, note_blogs
from blogforever.service.statistics import Figures, statistics_of
from blogforever.storage.counting import HourCount
from blogforever.storage.following import FollowedBlog
from blogforever.storage.tables import Store
from blogforever.testing import FakeClock, MemoryStore
from server.storedposts import post


@pytest.fixture
def store() -> Store:
    return MemoryStore()


@pytest.fixture
def time() -> Iterator[FakeClock]:
    fake = FakeClock(datetime(2026, 11, 16, 9, 30, tzinfo=UTC))
    with clock.handed_in(lambda: fake.now):
        yield fake


def test_news_are_counted_once_in_the_hour_in_which_they_happened(
    store: Store, time: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(counting, "AT_ONCE", 2)
    run, _ = store.runs.open("b")
    for number in (1, 2, 3):
        store.posts.keep(run, post(number))
    time.now += timedelta(hours=1)
    store.posts.keep(run, post(1, text="other words"))
    assert [count_news(store) for _ in range(3)] == [2, 2, 0]
    told = statistics_of(store, "2026-11-16", "2026-11-16", "hour")
    assert told.total.posts == {"new": 3, "changed": 1}
    assert [one.figures.posts for one in told.periods[9:12]] == [{"new": 3}, {"changed": 1}, {}]


def test_a_look_is_counted_with_what_it_cost_and_why_pages_failed(store: Store, time: FakeClock) -> None:
    run, _ = store.runs.open("b")
    store.runs.add_failure(run, "b", Failure("https://b.example/1/", "timeout"))
    report = CrawlReport("b", "https://b.example/", run, failures=1)
    look = BlogLook("finished", "https://b.example/", "b", learned=Learned(requests=3, bytes=50), report=report)
    count_look(store, look, "")
    count_look(store, BlogLook("unreachable", "https://c.example/", "c"), "no such host")
    total = statistics_of(store).total
    assert (total.looks, total.requests, total.bytes) == ({"finished": 1, "unreachable": 1}, 3, 50)
    assert total.failures == {"timeout": 1, "no such host": 1}


def test_blogs_stand_as_they_did_at_the_end_of_each_period(store: Store, time: FakeClock) -> None:
    store.followed.add([FollowedBlog("b", "https://b.example/", clock.stamp())])
    noted = note_blogs(store, "")
    store.followed.add([FollowedBlog("c", "https://c.example/", clock.stamp())])
    assert note_blogs(store, noted) == noted
    time.now += timedelta(days=1)
    note_blogs(store, noted)
    told = statistics_of(store, "2026-11-16", "2026-11-17")
    assert [one.figures.blogs for one in told.periods] == [{"waiting": 1}, {"waiting": 2}]
    assert told.total == Figures(blogs={"waiting": 2})


def test_a_range_is_named_by_years_months_days_or_hours_and_holds_all_its_periods(
    store: Store, time: FakeClock
) -> None:
    for hour in ("2023-12-31T23", "2024-02-29T00", "2024-02-29T05", "2025-01-01T00"):
        store.counters.add(hour, [HourCount("looks", "finished")])

    def looks(first: str, last: str) -> int:
        return sum(statistics_of(store, first, last, "month").total.looks.values())

    assert (looks("2024", "2024"), looks("2023-12-31", "2024-02"), looks("2024-02-29T05", "2025")) == (2, 3, 2)
    assert [one.period for one in statistics_of(store, "2024-01", "2024-03", "month").periods] == [
        "2024-01",
        "2024-02",
        "2024-03",
    ]
    assert [one.period for one in statistics_of(store, "2023-12-31T22", "2024-01-01T01", "hour").periods] == [
        "2023-12-31T22",
        "2023-12-31T23",
        "2024-01-01T00",
        "2024-01-01T01",
    ]
    usual = statistics_of(store)
    assert (usual.first, usual.last, len(usual.periods)) == ("2026-10-18", "2026-11-16", 30)


@pytest.mark.parametrize(
    ("first", "last", "by", "said"),
    [
        ("yesterday", "", "day", "is no day; write it as"),
        ("2024-02-30", "", "day", "is no day that there ever is"),
        ("2024-02-02", "2024-02-01", "day", "ends before it begins"),
        ("2024-02-02T09", "2024-02-02T08", "hour", "ends before it begins"),
        ("2024", "2025", "hour", "93 days at most"),
        ("1000", "2999", "day", "3,700 days at most"),
    ],
)
def test_a_range_that_makes_no_sense_is_refused_in_one_sentence(
    store: Store, first: str, last: str, by: str, said: str
) -> None:
    with pytest.raises(UsageError, match=said):
        statistics_of(store, first, last, by)  # type: ignore[arg-type]  # one of the words
