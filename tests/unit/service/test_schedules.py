"""The schedule for people: policies, pauses, now, and the week to come; on a store in memory."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any

import pytest

from blogforever import clock
from blogforever.errors import UsageError
from blogforever.model import LookPolicy
from blogforever.records import BlogRecord
from blogforever.service import schedules
from blogforever.service.desk import Desk
from blogforever.service.following import change_followed
from blogforever.service.schedules import (
    Many,
    PolicyChange,
    RememberedWeek,
    look_now,
    pause,
    resume,
    set_policy,
    show_schedule,
    soonest,
    week_ahead,
)
from blogforever.storage.decided import put_in_force
from blogforever.storage.deciding import AnyDecided, FollowedChange, read_decided, write_decided
from blogforever.storage.following import FollowedBlog
from blogforever.storage.schedule import LookRow
from blogforever.storage.work import PERSON
from blogforever.testing import FakeClock, MemoryStore


@dataclass
class Lines:
    """A journal in memory."""

    written: list[str] = field(default_factory=list)

    def add(self, decision: AnyDecided) -> None:
        self.written.append(write_decided(decision))


@pytest.fixture
def desk() -> Iterator[Desk]:
    fake = FakeClock()
    with clock.handed_in(lambda: fake.now):
        yield Desk(MemoryStore(), Lines(), "me")


def follow(desk: Desk, name: str, **more: Any) -> None:
    blog = FollowedBlog(name, f"https://{name}/", clock.stamp(), name, state="following", next_look=later(hours=8))
    desk.store.followed.add([replace(blog, last_look=clock.stamp(), **more)])
    desk.store.schedule.add(LookRow(name, clock.stamp()))


def later(**more: float) -> str:
    return (clock.now() + timedelta(**more)).isoformat(timespec="seconds")


def stands(desk: Desk, name: str) -> FollowedBlog:
    found = desk.store.followed.find(name)
    assert found
    return found


def test_a_blog_is_looked_at_as_a_person_says(desk: Desk) -> None:
    follow(desk, "a.example")
    assert set_policy(desk, Many(("a.example",)), PolicyChange(every=3600)) == 1
    blog = stands(desk, "a.example")
    assert (blog.next_look, blog.next_reason) == (later(hours=1), "set to every 1 h")
    assert set_policy(desk, Many(("https://a.example/",)), PolicyChange(free=True)) == 1
    assert stands(desk, "a.example").policy == LookPolicy()
    assert stands(desk, "a.example").next_look == later(days=1)


def test_what_is_set_for_many_holds_for_who_comes_later(desk: Desk) -> None:
    follow(desk, "a.example", tags=("news",))
    follow(desk, "b.example")
    assert set_policy(desk, Many((), "tag", "news"), PolicyChange(every=7200)) == 1
    assert stands(desk, "a.example").next_look == later(hours=2)
    assert stands(desk, "b.example").next_look == later(hours=8)
    follow(desk, "c.example", tags=("news",))
    assert show_schedule(desk.store, "c.example").policy.every == 7200
    set_policy(desk, Many((), "tag", "news"), PolicyChange(free=True))
    assert desk.store.schedule.policies() == []


@pytest.mark.parametrize(
    ("scope", "name", "blogs"),
    [("list", "dear", {"a.wordpress.com"}), ("service", "wordpress.com", {"a.wordpress.com"}), ("all", "", None)],
)
def test_many_are_paused_and_resumed_at_once(desk: Desk, scope: Any, name: str, blogs: set[str] | None) -> None:
    follow(desk, "a.wordpress.com", lists=("dear",))
    follow(desk, "b.example")
    many = Many((), scope, name)
    expected = blogs or {"a.wordpress.com", "b.example"}
    assert pause(desk, many) == len(expected)
    assert pause(desk, many) == 0
    for blog in ("a.wordpress.com", "b.example"):
        assert (stands(desk, blog).state == "paused") is (blog in expected)
    assert resume(desk, many) == len(expected)
    assert stands(desk, "a.wordpress.com").next_look == clock.stamp()


def test_now_goes_before_all_others(desk: Desk) -> None:
    follow(desk, "a.example")
    follow(desk, "rests.example", paused=True, state="paused")
    assert look_now(desk, Many((), "all")) == 1
    (job,) = desk.store.jobs.take("w", {"update": 9}, clock.stamp())
    assert (job.blog, job.priority, job.asked_by) == ("a.example", PERSON, "me")
    with pytest.raises(UsageError, match=r"rests\.example is paused"):
        look_now(desk, Many(("rests.example",)))


def test_decisions_are_written_down_and_can_be_done_again(desk: Desk) -> None:
    follow(desk, "a.example")
    set_policy(desk, Many(("a.example",)), PolicyChange(at_least=60, at_most=3600, priority=2))
    set_policy(desk, Many((), "list", "dear"), PolicyChange(quiet_hours=(1, 2)))
    set_policy(desk, Many((), "all"), PolicyChange(every=60))
    set_policy(desk, Many((), "all"), PolicyChange(free=True))
    anew = MemoryStore()
    anew.followed.add([replace(stands(desk, "a.example"), policy=LookPolicy())])
    assert isinstance(desk.journal, Lines)
    for line in desk.journal.written:
        put_in_force(anew, read_decided(line))
    assert anew.schedule.policies() == desk.store.schedule.policies() != []
    assert anew.followed.find("a.example") == stands(desk, "a.example")


@pytest.mark.parametrize(
    "change",
    [
        PolicyChange(every=1),
        PolicyChange(at_most=10**9),
        PolicyChange(at_least=7200, at_most=3600),
        PolicyChange(quiet_hours=(24,)),
        PolicyChange(quiet_hours=tuple(range(24))),
    ],
)
def test_what_makes_no_sense_is_a_clear_sentence(desk: Desk, change: PolicyChange) -> None:
    follow(desk, "a.example")
    with pytest.raises(UsageError):
        set_policy(desk, Many(("a.example",)), change)
    assert stands(desk, "a.example").policy == LookPolicy()


def test_nobody_is_meant_where_nobody_is_named(desk: Desk) -> None:
    with pytest.raises(UsageError, match="Name a blog"):
        pause(desk, Many())
    with pytest.raises(UsageError, match="is followed"):
        pause(desk, Many(("nobody.example",)))


def test_a_change_leaves_the_rest_of_a_policy() -> None:
    before = LookPolicy(every=3600, quiet_hours=(1,), priority=1)
    assert PolicyChange(priority=3).of(before) == LookPolicy(every=3600, quiet_hours=(1,), priority=3)
    assert PolicyChange(at_most=60).of(before) == LookPolicy(at_most=60, quiet_hours=(1,), priority=1)
    assert PolicyChange(every=60).of(LookPolicy(at_most=5)) == LookPolicy(every=60)
    assert PolicyChange(free=True, quiet_hours=(2,)).of(before) == LookPolicy(quiet_hours=(2,))


def test_the_week_to_come_is_counted(desk: Desk) -> None:
    follow(desk, "a.example", next_look=later(hours=6))
    follow(desk, "rests.example", paused=True, state="paused", next_look=None)
    week = week_ahead(desk.store)
    assert week.blogs == 1
    assert [load.looks for load in week.days] == [3, 4, 4, 4, 4, 4, 4]


def test_a_look_that_somebody_wants_at_once_is_no_rhythm(desk: Desk) -> None:
    follow(desk, "again.example", next_look=later(hours=0))
    assert sum(load.looks for load in week_ahead(desk.store).days) == 7


def test_what_was_never_looked_at_counts_once_a_day(desk: Desk) -> None:
    follow(desk, "new.example", next_look=later(hours=0))
    desk.store.followed.change("new.example", lambda one: replace(one, last_look=None))
    assert [load.looks for load in week_ahead(desk.store).days] == [1, 1, 1, 1, 1, 1, 1]


def test_the_soonest_looks_come_first(desk: Desk) -> None:
    follow(desk, "late.example", next_look=later(hours=9))
    follow(desk, "soon.example", next_look=later(hours=1))
    follow(desk, "rests.example", next_look=None)
    assert [blog.id for blog in soonest(desk.store, 9)] == ["soon.example", "late.example"]
    assert [blog.id for blog in soonest(desk.store, 1)] == ["soon.example"]


def test_all_about_one_blog_is_shown(desk: Desk) -> None:
    follow(desk, "a.example")
    desk.store.schedule.add(LookRow("a.example", clock.stamp(), cause="ping", found=1))
    desk.store.schedule.add(LookRow("a.example", clock.stamp(), found=2))
    shown = show_schedule(desk.store, "a.example")
    assert (shown.rhythm, shown.missed_by_pings, len(shown.looks)) == ("nothing is known of when it posts", 2, 3)


def test_a_title_that_is_taken_back_leaves_that_of_the_blog(desk: Desk) -> None:
    follow(desk, "a.example", title="Its own")
    desk.store.blogs.keep(BlogRecord(id="a.example", url="https://a.example/", title="Its own"))
    assert change_followed(desk, "a.example", FollowedChange(title="Mine")).title == "Mine"
    assert change_followed(desk, "a.example", FollowedChange(title="")).title == "Its own"


def test_who_changes_a_blog_otherwise_changes_its_plan_too(desk: Desk) -> None:
    follow(desk, "a.example")
    set_policy(desk, Many((), "list", "dear"), PolicyChange(every=3600))
    blog = change_followed(desk, "a.example", FollowedChange(lists=("dear",)))
    assert blog.next_look == later(hours=1)
    blog = change_followed(desk, "a.example", FollowedChange(policy=LookPolicy(every=7200)))
    assert blog.next_look == later(hours=2)
    assert change_followed(desk, "a.example", FollowedChange(until="2019-01-01")).next_look is None
    with pytest.raises(UsageError, match="between a minute and a year"):
        change_followed(desk, "a.example", FollowedChange(policy=LookPolicy(every=0)))


def test_the_week_to_come_heeds_quiet_hours_of_a_policy(desk: Desk) -> None:
    follow(desk, "a.example", next_look=later(hours=1))
    desk.store.followed.change("a.example", lambda one: replace(one, last_look=later(hours=0)))
    before = sum(load.looks for load in week_ahead(desk.store).days)
    set_policy(desk, Many((), "all"), PolicyChange(quiet_hours=tuple(range(12))))
    desk.store.followed.change("a.example", lambda one: replace(one, next_look=later(hours=1)))
    assert sum(load.looks for load in week_ahead(desk.store).days) < before * 2 / 3


def test_a_week_that_took_long_to_count_is_remembered_for_a_while(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    moments = iter([0.0, 0.5, 49.0, 51.0, 51.5])
    monkeypatch.setattr(schedules, "monotonic", lambda: next(moments))
    week = RememberedWeek()
    assert week.of(desk.store).blogs == 0
    follow(desk, "a.example", next_look=later(hours=6))
    assert week.of(desk.store).blogs == 0
    assert week.of(desk.store).blogs == 1
