"""Is it gone? Is the blog still itself? With values and a clock handed in."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from blogforever.update.states import Outcome, Sighting, State, Tally, frozen, next_standing, next_state, outcome_of

START = datetime(2020, 1, 1, tzinfo=UTC)


def after(state: State, *looks: tuple[float, Outcome, str]) -> State:
    """The state after looks, each told by its day, what it found, and where the post is absent."""
    seen = []
    for day, outcome, absent in looks:
        seen.append(Sighting(START + timedelta(days=day), outcome, frozenset(absent.split())))
        state = next_state(state, seen)
    return state


@pytest.mark.parametrize("outcome", ["not found", "gone", "soft", "replaced"])
def test_one_look_makes_nothing_gone(outcome: Outcome) -> None:
    assert after("active", (0, outcome, "sitemap")) == "missing"


def test_gone_needs_looks_over_days_and_evidence() -> None:
    assert after("active", *((day, "not found", "sitemap") for day in (0, 1, 2))) == "missing"
    assert after("active", *((day, "not found", "sitemap") for day in (0, 2, 4))) == "gone"
    assert after("active", *((day, "not found", "") for day in range(0, 100, 5))) == "missing"
    assert after("active", *((day, "gone", "") for day in (0, 2, 4))) == "gone"


def test_many_looks_on_one_day_are_one() -> None:
    assert after("active", *((hour / 24, "gone", "") for hour in range(10)), (4, "gone", "")) == "missing"


def test_what_proves_nothing_changes_nothing() -> None:
    for outcome in ("refused", "unreachable"):
        assert after("active", *((day, outcome, "sitemap feed") for day in range(0, 60, 3))) == "active"
        assert after("missing", *((day, outcome, "sitemap feed") for day in range(0, 60, 3))) == "missing"


def test_a_post_that_comes_back_is_active_and_counts_from_the_start() -> None:
    looks: list[tuple[float, Outcome, str]] = [(0, "gone", ""), (2, "gone", ""), (3, "here", ""), (5, "gone", "")]
    assert after("active", *looks[:3]) == "active"
    assert after("active", *looks) == "missing"


def test_another_article_at_the_address_is_never_gone() -> None:
    assert after("active", *((day, "replaced", "sitemap") for day in (0, 3, 6, 9))) == "missing"


@pytest.mark.parametrize(
    ("status", "reason", "outcome"),
    [
        (200, "", "here"), (404, "", "not found"), (410, "", "gone"), (403, "", "refused"), (429, "", "refused"),
        (503, "", "unreachable"), (0, "timeout", "unreachable"), (200, "challenge", "refused"),
    ],
)  # fmt: skip
def test_what_a_status_says(status: int, reason: str, outcome: Outcome) -> None:
    assert outcome_of(status, reason) == outcome


CALM = Tally(known=120, looked=10, away=0, by_turn=6, away_by_turn=0, edited=0)


@pytest.mark.parametrize(
    ("tally", "frozen_is"),
    [
        (CALM, False),
        (replace(CALM, away=4, looked=10), False),
        (replace(CALM, away=2, looked=2, by_turn=0), False),
        (replace(CALM, edited=9), False),
        (replace(CALM, edited=40, looked=60), True),
        (replace(CALM, away=24, looked=30), True),
        (replace(CALM, away=10, looked=10, by_turn=6, away_by_turn=6), True),
        (replace(CALM, known=8, away=4, looked=5, by_turn=1), True),
        (replace(CALM, known=8, away=1, looked=1, by_turn=0), False),
    ],
)
def test_a_large_part_at_once_freezes(tally: Tally, frozen_is: bool) -> None:
    assert bool(frozen(tally)) is frozen_is


def test_a_blog_is_dead_only_after_weeks_of_silence() -> None:
    standing = None
    for day in range(0, 13, 3):
        standing = next_standing(standing, START + timedelta(days=day), "connection", None)
        assert standing.state == "unreachable"
    assert next_standing(standing, START + timedelta(days=15), "connection", None).state == "dead"
    assert next_standing(standing, START + timedelta(days=15), "challenge", None).state == "unreachable"
    assert next_standing(standing, START + timedelta(days=15), None, None).state == "active"


def test_a_frozen_blog_says_why_and_since_when() -> None:
    first = next_standing(None, START, None, "40 of its 120 posts changed at once")
    again = next_standing(first, START + timedelta(days=1), None, "41 of its 120 posts changed at once")
    assert (again.state, again.since, again.message) == ("frozen", START, "41 of its 120 posts changed at once")
