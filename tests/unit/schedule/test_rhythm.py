"""How often a blog posts, on which days, at which hours: learned from made-up histories."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from blogforever.schedule.rhythm import Rhythm, learn_rhythm
from blogforever.wording import in_english

NOW = datetime(2025, 3, 3, 12, tzinfo=UTC)  # a Monday
DAY = timedelta(days=1)


def every(step: timedelta, count: int, until: datetime = NOW) -> list[datetime]:
    return [until - step * number for number in range(1, count + 1)]


@pytest.mark.parametrize(
    ("step", "words"),
    [
        (timedelta(hours=3), "posts about 7 times a day"),
        (DAY, "posts about once a day"),
        (DAY * 2, "posts about 3 times a week"),
        (DAY * 9, "posts about once a week"),
        (DAY * 26, "posts about every 4 weeks"),
        (DAY * 80, "posts rarely"),
    ],
)
def test_how_often_a_blog_posts_is_said_in_words(step: timedelta, words: str) -> None:
    assert in_english([learn_rhythm(every(step, 60), [], NOW).said()]) == words


def test_an_even_rhythm_is_measured() -> None:
    rhythm = learn_rhythm(every(DAY, 90), [], NOW)
    assert rhythm.a_day == pytest.approx(1.0, rel=0.15)


def test_the_days_of_the_week_are_named() -> None:
    tuesdays = every(DAY * 7, 12, NOW.replace(day=4))
    fridays = every(DAY * 7, 12, NOW.replace(day=7))
    rhythm = learn_rhythm([*tuesdays, *fridays], [], NOW)
    assert in_english([rhythm.said()]) == "posts on Tuesdays and Fridays"


def test_more_is_expected_on_the_days_and_hours_of_the_blog() -> None:
    tuesdays_at_nine = [moment.replace(hour=9) for moment in every(DAY * 7, 20, NOW.replace(day=4))]
    rhythm = learn_rhythm(tuesdays_at_nine, [], NOW)
    tuesday, wednesday = datetime(2025, 3, 4, tzinfo=UTC), datetime(2025, 3, 5, tzinfo=UTC)
    assert rhythm.expected(tuesday.replace(hour=9), 1) > 5 * rhythm.expected(tuesday.replace(hour=20), 1)
    assert rhythm.expected(tuesday.replace(hour=9), 1) > 5 * rhythm.expected(wednesday.replace(hour=9), 1)


def test_what_is_expected_in_a_week_is_what_a_week_brings() -> None:
    rhythm = learn_rhythm([moment.replace(hour=9) for moment in every(DAY, 60)], [], NOW)
    week = sum(rhythm.expected(NOW + timedelta(hours=hour), 1) for hour in range(24 * 7))
    assert week == pytest.approx(7 * rhythm.a_day, rel=0.02)


def test_hours_are_those_of_the_blogs_own_zone() -> None:
    tokyo = timezone(timedelta(hours=9))
    mornings = [moment.astimezone(tokyo).replace(hour=8) for moment in every(DAY, 40)]
    rhythm = learn_rhythm(mornings, [], NOW)
    assert rhythm.expected(datetime(2025, 3, 3, 23, tzinfo=UTC), 1) > 3 * rhythm.expected(NOW, 1)


def test_a_day_without_an_hour_says_nothing_about_hours() -> None:
    rhythm = learn_rhythm([], every(DAY, 30), NOW)
    assert len(set(rhythm.day)) == 1
    assert rhythm.a_day > 0.8


def test_a_blog_that_fell_silent_fades() -> None:
    lively = every(DAY, 60, NOW - DAY * 400)
    assert learn_rhythm(lively, [], NOW).a_day < 0.2


def test_a_blog_that_wakes_up_is_believed_at_once() -> None:
    before = every(DAY * 3, 40, NOW - DAY * 500)
    assert learn_rhythm([*before, NOW - DAY], [], NOW).a_day >= 0.5


def test_a_blog_that_posts_rarely_does_not_wake_up_with_each_post() -> None:
    assert learn_rhythm(every(DAY * 130, 10), [], NOW).a_day < 0.1


def test_a_blog_without_posts_has_no_interval() -> None:
    assert learn_rhythm([], [], NOW) == Rhythm(0.0)
    assert Rhythm(0.0).interval is None


def test_posts_of_the_future_do_not_count() -> None:
    assert learn_rhythm([NOW + DAY], [NOW + DAY * 2], NOW).known == 0
