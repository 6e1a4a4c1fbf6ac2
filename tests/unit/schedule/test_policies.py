"""Which policy holds for a blog; and how many looks a week will bring."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from blogforever.model import LookPolicy
from blogforever.schedule.forecast import Planned, forecast
from blogforever.schedule.policies import Belongings, ScopedPolicy, effective
from blogforever.schedule.words import hours_of, hours_said

NOW = datetime(2025, 3, 3, 12, 30, tzinfo=UTC)
BELONGS = Belongings(("physics",), ("daily",), "some.blogs.example")
FOR_ALL = ScopedPolicy("all", "", LookPolicy(every=100, quiet_hours=(1, 2)))
FOR_LIST = ScopedPolicy("list", "physics", LookPolicy(at_most=300))
FOR_TAG = ScopedPolicy("tag", "daily", LookPolicy(every=200, priority=3))


def test_the_nearer_policy_counts() -> None:
    held = effective(LookPolicy(), BELONGS, [FOR_ALL, FOR_TAG, FOR_LIST])
    assert held == LookPolicy(at_most=300, quiet_hours=(1, 2), priority=3)


def test_the_blogs_own_policy_is_the_nearest() -> None:
    assert effective(LookPolicy(every=50), BELONGS, [FOR_ALL, FOR_LIST]).every == 50


def test_a_policy_is_for_those_who_belong() -> None:
    others = [
        ScopedPolicy("list", "chemistry", LookPolicy(every=1)),
        ScopedPolicy("service", "logs.example", LookPolicy(every=2)),
    ]
    assert effective(LookPolicy(), BELONGS, others) == LookPolicy()
    service = ScopedPolicy("service", "blogs.example", LookPolicy(every=3))
    assert effective(LookPolicy(), BELONGS, [service]).every == 3


def test_a_week_is_forecast_day_by_day() -> None:
    days = forecast([Planned(NOW + timedelta(hours=1), timedelta(hours=6)), Planned(NOW, timedelta(days=30))], NOW)
    assert [load.looks for load in days] == [3, 4, 4, 4, 4, 4, 4]
    assert days[0].day == NOW.date()
    assert days[0].fullest_hour == 1


def test_what_is_overdue_is_looked_at_today() -> None:
    assert forecast([Planned(NOW - timedelta(days=9), timedelta(days=8))], NOW)[0].looks == 1


def test_a_gap_of_nothing_does_not_loop_for_ever() -> None:
    assert sum(load.looks for load in forecast([Planned(NOW, timedelta(0))], NOW)) < 600


def test_nobody_looks_in_quiet_hours_in_the_forecast_either() -> None:
    hourly = Planned(NOW, timedelta(hours=1), hours_of("22-6"))
    assert [load.looks for load in forecast([hourly], NOW)] == [10, 16, 16, 16, 16, 16, 16]


@pytest.mark.parametrize(
    ("hours", "said"),
    [
        (hours_of("22-6"), "22:00–06:00"),
        ((1, 2, 3, 12), "01:00–04:00, 12:00–13:00"),
        ((23,), "23:00–00:00"),
        (tuple(range(24)), "00:00–00:00"),
        ((), ""),
    ],
)
def test_hours_are_said_as_spans(hours: tuple[int, ...], said: str) -> None:
    assert hours_said(hours) == said
