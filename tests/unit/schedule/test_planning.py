"""The next look and its reason, out of made-up histories."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from random import Random
from statistics import median

import pytest

from blogforever.model import LookPolicy
from blogforever.schedule.planning import LONGEST, SHORTEST, is_for_comments, look_at_dead, next_look, pings_tell
from blogforever.schedule.values import BlogHistory, Cause, PastLook, Unfetched, Wishes

NOW = datetime(2025, 3, 3, 12, tzinfo=UTC)  # a Monday
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
OPEN = LookPolicy()


def daily(hour: int = 9) -> tuple[datetime, ...]:
    return tuple((NOW - DAY * number).replace(hour=hour) for number in range(1, 60))


def seen(look: PastLook | None = None, published: tuple[datetime, ...] | None = None) -> BlogHistory:
    return BlogHistory((look or PastLook(NOW),), daily() if published is None else published)


def planned(history: BlogHistory, policy: LookPolicy = OPEN, now: datetime = NOW) -> datetime:
    at = next_look(history, policy, now).at
    assert at is not None
    return at


def test_what_was_never_looked_at_is_looked_at_now() -> None:
    assert next_look(BlogHistory(), OPEN, NOW).at == NOW


def test_a_daily_blog_is_looked_at_after_its_hour() -> None:
    at = planned(seen())
    assert NOW + timedelta(hours=20) <= at <= NOW + timedelta(hours=30)
    reason = next_look(seen(), OPEN, NOW).reason
    assert reason == "posts about once a day; the last look brought nothing new"


def test_a_silent_blog_is_looked_at_once_a_week() -> None:
    long_ago = tuple(moment - DAY * 900 for moment in daily())
    found = next_look(seen(published=long_ago), OPEN, NOW)
    assert found.at == NOW + LONGEST
    assert "looked at all the same after 7 days" in found.reason


def test_blogs_that_were_added_together_are_not_due_together() -> None:
    history = BlogHistory((PastLook(NOW),), tuple(moment - DAY * 900 for moment in daily()), spread=1.0)
    assert NOW + LONGEST < planned(history) <= NOW + DAY * 8


def test_a_very_lively_blog_is_not_asked_all_the_time() -> None:
    lively = tuple(NOW - timedelta(minutes=5) * number for number in range(1, 100))
    assert planned(seen(published=lively)) >= NOW + SHORTEST


def test_a_person_says_how_often() -> None:
    found = next_look(seen(), LookPolicy(every=6 * 3600), NOW)
    assert (found.at, found.reason) == (NOW + HOUR * 6, "set to every 6 h")


@pytest.mark.parametrize(
    ("policy", "at"),
    [(LookPolicy(at_most=3600), NOW + HOUR), (LookPolicy(at_least=3 * 86400), NOW + DAY * 3)],
)
def test_a_person_sets_bounds(policy: LookPolicy, at: datetime) -> None:
    assert planned(seen(), policy) == at


def test_announced_posts_that_could_not_be_had_are_tried_again_some_hours_later() -> None:
    missed, rare = Unfetched(2, 1), tuple(moment - DAY * 900 for moment in daily())
    found = next_look(replace(seen(published=rare), unfetched=missed), OPEN, NOW)
    assert (found.at, found.reason) == (NOW + HOUR, "2 announced posts could not be fetched; tried again after 1 h")
    waits = [planned(replace(seen(published=rare), unfetched=Unfetched(1, tries))) - NOW for tries in (1, 2, 3)]
    assert waits == [HOUR, HOUR * 3, HOUR * 8]
    many = replace(seen(published=rare), unfetched=Unfetched(100, 1))
    assert planned(many) == NOW + HOUR * 8


def test_such_a_try_waits_as_long_as_blog_and_people_wish_and_is_left_to_an_earlier_look() -> None:
    missed = Unfetched(1, 1)
    wish = replace(seen(PastLook(NOW, wishes=Wishes(retry_after=4 * 3600))), unfetched=missed)
    assert planned(wish) == NOW + HOUR * 4
    assert planned(replace(seen(), unfetched=missed), LookPolicy(at_least=7200)) == NOW + HOUR * 2
    soon = next_look(replace(seen(), unfetched=missed), LookPolicy(every=1200), NOW)
    assert (soon.at, soon.reason) == (
        NOW + timedelta(minutes=20),
        "set to every 20 min; an announced post could not be fetched",
    )


def test_a_post_that_was_tried_often_enough_is_not_tried_for_itself_any_more() -> None:
    assert Unfetched.of({"a": 4, "b": 3, "c": 2}) == Unfetched(2, 2)
    assert Unfetched.of({"a": 4}) == Unfetched()


def test_a_look_that_tries_posts_again_is_none_for_comments_alone() -> None:
    looks = (PastLook(NOW - DAY * 2, found=1, comments=3, cause="ping"), PastLook(NOW - HOUR * 25, cause="ping"))
    history = BlogHistory(looks, (NOW - HOUR * 26,))
    assert is_for_comments(history, OPEN, NOW)
    assert not is_for_comments(replace(history, unfetched=Unfetched(1, 1)), OPEN, NOW)


def test_a_failed_look_is_tried_again_ever_later_and_on_the_next_day_at_the_latest() -> None:
    waits = []
    for tries in range(1, 9):
        looks = tuple(PastLook(NOW, answered=False) for _ in range(tries))
        waits.append((planned(BlogHistory(looks, daily())) - NOW) / HOUR)
    assert waits[:5] == [1, 2, 4, 8, 16]
    assert set(waits[5:]) == {20}


def test_what_fails_for_weeks_is_tried_once_a_week() -> None:
    looks = tuple(PastLook(NOW, answered=False) for _ in range(30))
    assert planned(BlogHistory(looks)) == NOW + DAY * 7


def test_the_dead_have_a_way_back() -> None:
    waits = []
    for silent in (0, 7, 8, 60, 61):
        looks = [PastLook(NOW - DAY * silent), PastLook(NOW, answered=False)]
        at = look_at_dead(looks).at
        assert at
        waits.append((at - NOW) / DAY)
    assert waits == [1, 1, 7, 7, 30]
    assert look_at_dead([PastLook(NOW, answered=False)]).at == NOW + DAY


@pytest.mark.parametrize(
    ("wishes", "wait", "word"),
    [
        (Wishes(retry_after=2 * 86400), DAY * 2, "Retry-After says 2 days"),
        (Wishes(retry_after=10**9), DAY * 7, "Retry-After says 7 days"),
        (Wishes(max_age=5 * 3600), HOUR * 5, "its Cache-Control says 5 h"),
        (Wishes(ttl=5400), HOUR * 1.5, "its ttl says 1.5 h"),
        (Wishes(update_period=10**8, ttl=60), DAY, "its updatePeriod says 1 day"),
    ],
)
def test_the_blogs_own_wishes_are_respected(wishes: Wishes, wait: timedelta, word: str) -> None:
    lively = tuple(NOW - HOUR * number for number in range(1, 100))
    found = next_look(seen(PastLook(NOW, wishes=wishes), lively), OPEN, NOW)
    assert found.at == NOW + wait
    assert found.reason.endswith(word)


def test_wishes_that_make_no_sense_are_nothing() -> None:
    wishes = Wishes(retry_after=-5, skip_hours=tuple(range(24)), skip_days=("someday",))
    assert planned(seen(PastLook(NOW, wishes=wishes)), LookPolicy(every=3600)) == NOW + HOUR


def test_hours_and_days_to_be_left_out_are_left_out() -> None:
    wishes = Wishes(skip_hours=(13, 14), skip_days=("Tuesday",))
    look = PastLook(NOW, wishes=wishes)
    assert planned(seen(look), LookPolicy(every=3600)) == NOW + HOUR * 3
    assert planned(seen(look), LookPolicy(every=86400)) == datetime(2025, 3, 5, 0, tzinfo=UTC)


def test_quiet_hours_are_a_persons_word() -> None:
    found = next_look(seen(), LookPolicy(every=3600, quiet_hours=(13, 14, 15)), NOW)
    assert (found.at, found.reason) == (NOW + HOUR * 4, "set to every 1 h; not in its quiet hours")


def test_a_plan_for_the_past_is_a_plan_for_now() -> None:
    later = NOW + DAY * 20
    assert planned(seen(), now=later) == later


def test_late_comments_are_looked_for_with_falling_frequency() -> None:
    post = NOW - HOUR
    monthly = tuple(post - DAY * 30 * number for number in range(6))
    looks = [PastLook(NOW, found=1, comments=2)]
    ages = []
    for _ in range(3):
        at = planned(BlogHistory(tuple(looks), monthly), now=looks[-1].at)
        ages.append((at - post) / HOUR)
        looks.append(PastLook(at, comments=1))
    assert ages == [24, 72, 240]


def test_where_nobody_comments_no_late_comments_are_awaited() -> None:
    monthly = tuple(NOW - HOUR - DAY * 30 * number for number in range(6))
    assert planned(seen(PastLook(NOW, found=1), monthly)) > NOW + DAY * 3


def told_by(*causes: Cause) -> BlogHistory:
    looks = tuple(PastLook(NOW - DAY * (len(causes) - n), found=1, cause=cause) for n, cause in enumerate(causes))
    return BlogHistory((*looks, PastLook(NOW)), daily())


def test_a_blog_that_pings_is_asked_rarely() -> None:
    history = told_by("ping", "ping", "ping", "ping")
    assert pings_tell(history)
    assert planned(history) == NOW + LONGEST


def test_late_comments_of_a_blog_that_pings_are_looked_for_without_its_feed() -> None:
    post = NOW - HOUR
    looks = [PastLook(NOW, found=1, comments=2, cause="ping")]
    plans = []
    for _ in range(4):
        history = BlogHistory(tuple(looks), (post,), spread=1.0)
        at = planned(history, now=looks[-1].at)
        is_alone = is_for_comments(history, OPEN, at)
        plans.append(((at - NOW) / HOUR, is_alone))
        looks.append(PastLook(at, cause="comments" if is_alone else "schedule"))
    # The look at what pings missed comes a week after the feed was asked, not after the comments were.
    assert plans == [(23, True), (71, True), (8 * 24, False), (239, True)]


def test_looks_for_late_comments_alone_are_only_where_nobody_set_anything_else() -> None:
    due = NOW + HOUR * 23
    history = BlogHistory((PastLook(NOW, found=1, comments=2, cause="ping"),), (NOW - HOUR,))
    assert is_for_comments(history, OPEN, due)
    assert not is_for_comments(history, OPEN, due - HOUR), "it is early"
    assert not is_for_comments(history, LookPolicy(every=3600), due)
    assert not is_for_comments(history, LookPolicy(at_most=3600), due)
    assert not is_for_comments(replace(history, is_cut_off=True), OPEN, due), "nobody tells of posts"
    failed = PastLook(NOW + HOUR, answered=False)
    assert not is_for_comments(replace(history, looks=(*history.looks, failed)), OPEN, due)


def test_wishes_of_the_feed_hold_after_a_look_for_comments_too() -> None:
    asked = PastLook(NOW, found=1, comments=2, cause="ping", wishes=Wishes(skip_hours=(11,)))
    history = BlogHistory((asked, PastLook(NOW + HOUR, cause="comments")), (NOW - HOUR,))
    assert planned(history, now=NOW + HOUR) == NOW + DAY


def test_a_blog_that_came_by_its_ping_is_trusted_to_ping_until_its_pings_miss_something() -> None:
    harvest = PastLook(NOW - DAY, found=30)
    came = BlogHistory((harvest,), daily(), came_by_ping=True)
    assert pings_tell(came)
    assert not pings_tell(replace(came, came_by_ping=False))
    assert not pings_tell(replace(came, looks=(harvest, PastLook(NOW, found=1)))), "one was missed"
    told = tuple(PastLook(NOW, found=1, cause="ping") for _ in range(4))
    assert pings_tell(replace(came, looks=(harvest, PastLook(NOW, found=1), *told)))


def test_a_blog_whose_hub_tells_us_no_more_is_asked_by_its_rhythm_again() -> None:
    history = replace(told_by("ping", "ping"), is_cut_off=True)
    assert not pings_tell(history)
    assert planned(history) < NOW + DAY * 2


def test_pings_that_miss_posts_are_not_relied_on() -> None:
    history = told_by("ping", "schedule", "ping", "schedule", "ping")
    assert not pings_tell(history)
    assert planned(history) < NOW + DAY * 2


def test_a_blog_of_which_nothing_is_known_is_looked_at_daily() -> None:
    assert planned(seen(published=())) == NOW + DAY


@pytest.mark.parametrize(("a_day", "most_looks"), [(6.0, 3.5), (1.0, 2.5), (0.35, 3.0), (1 / 7, 4.0)])
def test_posts_are_found_within_a_quarter_of_the_interval_by_few_looks(a_day: float, most_looks: float) -> None:
    chance, interval = Random(7), DAY / a_day
    times = [NOW - interval * 40]
    while times[-1] < NOW + interval * 60:
        times.append(times[-1] + interval * chance.expovariate(1))
    looks, late = [PastLook(NOW)], list[float]()
    while looks[-1].at < NOW + interval * 50:
        last = looks[-1].at
        at = planned(BlogHistory(tuple(looks[-20:]), tuple(t for t in times if t <= last)[-60:]), now=last)
        found = [t for t in times if last < t <= at]
        late += [(at - t) / interval for t in found]
        looks.append(PastLook(at, found=len(found)))
    assert median(late) <= 0.27
    assert len(looks) <= most_looks * len(late)
