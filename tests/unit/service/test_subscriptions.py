"""How a subscription goes: each answer of a hub, and each silence, leads to the next step."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from blogforever.fetch.posting import Posted
from blogforever.ping.rsscloud import KNOWN_FOR
from blogforever.ping.websub import Confirmed, Denied
from blogforever.service.subscribing import callback_of, has_lapsed, question
from blogforever.service.subscriptions import (
    AFTER_DENIAL,
    CONFIRMS_WITHIN,
    FIRST_WAIT,
    LONGEST_WAIT,
    MOST_GOODBYES,
    after_asking,
    after_hearing,
    asked_elsewhere,
    gives_way,
    is_listening,
    is_see_other,
    is_working,
    listed,
    new_subscription,
    next_hub,
    stamp,
    taken_back,
    told_by_hub,
)
from blogforever.storage.following import WatchedAddress
from blogforever.storage.pushes import Subscription

NOW = datetime(2026, 1, 1, tzinfo=UTC)
FEED = WatchedAddress("a.example", "http://a.example/feed", hub="http://hub.example/", topic="http://a.example/self")
TAKEN, FAILED = Posted(202), Posted(500, text=b"no\n room")
OURS = new_subscription(FEED, NOW)
ACTIVE = after_hearing(OURS, Confirmed("xyz", 1000), NOW)


def later(**more: float) -> datetime:
    return NOW + timedelta(**more)


def test_it_is_asked_for_at_once_under_a_name_nobody_can_guess() -> None:
    assert (OURS.way, OURS.hub, OURS.topic, OURS.next_try) == ("websub", FEED.hub, FEED.topic, stamp(NOW))
    assert min(len(OURS.id), len(OURS.secret)) >= 32
    assert new_subscription(FEED, NOW).id != OURS.id
    assert new_subscription(replace(FEED, hub="", cloud="http://c.example/"), NOW).way == "rsscloud"


def test_a_hub_that_took_the_question_has_a_while_to_confirm() -> None:
    asked = after_asking(OURS, OURS, TAKEN, NOW)
    assert (asked.state, asked.next_try, is_listening(asked)) == ("asked", stamp(NOW + CONFIRMS_WITHIN), False)


def test_a_confirmation_that_comes_before_the_answer_counts() -> None:
    assert after_asking(ACTIVE, OURS, TAKEN, NOW) == ACTIVE
    assert after_asking(ACTIVE, OURS, FAILED, NOW) == ACTIVE


def test_it_is_gone_on_with_before_its_time_is_over() -> None:
    assert (ACTIVE.state, ACTIVE.until, ACTIVE.next_try) == (
        "active",
        stamp(later(seconds=1000)),
        stamp(later(seconds=800)),
    )
    assert is_working(ACTIVE, later(seconds=999))
    assert not is_working(ACTIVE, later(seconds=1000))
    assert is_listening(after_asking(ACTIVE, ACTIVE, FAILED, later(days=9))), "what comes late is heard all the same"


def test_a_hub_that_fails_is_asked_ever_later() -> None:
    one = after_asking(OURS, OURS, FAILED, NOW)
    assert (one.error, one.next_try) == ("It answered with status 500: no room", stamp(NOW + FIRST_WAIT))
    for _ in range(40):
        one = after_asking(one, one, FAILED, NOW)
    assert one.next_try == stamp(NOW + LONGEST_WAIT)
    assert after_asking(OURS, OURS, Posted(error="It cannot be reached."), NOW).error == "It cannot be reached."


def test_a_hub_that_says_no_is_asked_again_much_later() -> None:
    denied = after_hearing(OURS, Denied("not you"), NOW)
    assert (denied.state, denied.error, denied.next_try) == ("denied", "not you", stamp(NOW + AFTER_DENIAL))
    assert not is_listening(denied)


def test_where_a_hub_does_not_tell_us_the_next_one_is_asked_under_another_name() -> None:
    feed = replace(FEED, spares="http://two.example/ http://three.example/")
    assert next_hub(OURS, [FEED]) == "", "the feed names one alone"
    assert next_hub(OURS, [replace(feed, topic="http://other.example/")]) == ""
    assert not gives_way(OURS, NOW), "it was not asked yet"
    failed = after_asking(OURS, OURS, FAILED, NOW)
    assert gives_way(failed, NOW)
    assert not gives_way(after_asking(ACTIVE, ACTIVE, FAILED, NOW), NOW), "it tells us still"
    assert gives_way(after_asking(ACTIVE, ACTIVE, FAILED, NOW), later(seconds=1000))
    hubs = [failed]
    for _ in range(3):
        hubs.append(asked_elsewhere(hubs[-1], next_hub(hubs[-1], [feed]), NOW))
    assert [one.hub for one in hubs] == [FEED.hub, "http://two.example/", "http://three.example/", FEED.hub]
    assert len({one.id for one in hubs}) == len({one.secret for one in hubs}) == len(hubs)
    assert {one.failures for one in hubs} == {1}, "where none tells us, all are asked ever more seldom"


def test_a_hub_that_says_no_gives_way_soon_where_there_is_another() -> None:
    denied = after_hearing(OURS, Denied("not you"), NOW, has_spare=True)
    assert (denied.next_try, gives_way(denied, NOW)) == (stamp(NOW + FIRST_WAIT), True)


def test_what_nobody_wants_is_ended_with_the_hub_or_without_it() -> None:
    leaving = taken_back(ACTIVE, NOW)
    assert (leaving.wanted, leaving.next_try, is_listening(leaving)) == ("unsubscribe", stamp(NOW), False)
    assert after_hearing(leaving, Confirmed("xyz", None), NOW).state == "ended"
    assert after_hearing(leaving, Denied(""), NOW).state == "ended"
    for answer in (FAILED, TAKEN):
        one = leaving
        for _ in range(MOST_GOODBYES + 1):
            one = after_asking(one, one, answer, NOW)
        assert (one.state, one.next_try) == ("ended", None)
    assert taken_back(OURS, NOW).state == "ended", "it had not begun"


def test_a_cloud_confirms_by_its_answer_and_for_a_day() -> None:
    cloud = new_subscription(replace(FEED, hub="", cloud="http://c.example/"), NOW)
    told = after_asking(cloud, cloud, Posted(200, text=b'<notifyResult success="true"/>'), NOW)
    assert (told.state, told.until) == ("active", stamp(later(seconds=KNOWN_FOR)))
    refused = after_asking(cloud, cloud, Posted(200, text=b'<notifyResult success="false"/>'), NOW)
    assert (refused.state, refused.error) == ("asking", "It says that it will not tell us.")
    assert taken_back(told, NOW).state == "ended", "it forgets us by itself"


def test_a_blog_is_looked_at_where_its_hub_can_be_asked_no_more() -> None:
    failed = after_asking(ACTIVE, ACTIVE, FAILED, later(days=1))
    assert has_lapsed(ACTIVE, failed, stamp(later(days=1)))
    assert not has_lapsed(ACTIVE, failed, stamp(later(seconds=900)))
    assert not has_lapsed(ACTIVE, ACTIVE, stamp(later(days=1)))


def test_a_hub_may_send_us_to_another_address() -> None:
    assert is_see_other(Posted(307, location="http://b.example/"))
    assert not is_see_other(Posted(302, location="http://b.example/"))
    assert not is_see_other(Posted(308))


def test_each_is_asked_in_its_own_way() -> None:
    callback = callback_of("http://we.example/", OURS)
    assert callback == f"http://we.example/websub/{OURS.id}"
    kind, body = question(OURS, callback)
    assert (kind, b"hub.mode=subscribe" in body) == ("application/x-www-form-urlencoded", True)
    called = question(replace(OURS, way="rsscloud", procedure="cloud.notify"), callback)
    assert (called[0], b"<methodName>cloud.notify" in called[1]) == ("text/xml", True)


@pytest.mark.parametrize(
    ("one", "told"),
    [
        (ACTIVE, "Its hub tells us of new posts until 2026-01-01 (told 0 times)."),
        (replace(ACTIVE, way="rsscloud"), "Its cloud tells us of new posts until 2026-01-01 (told 0 times)."),
        (taken_back(ACTIVE, NOW), "Its hub need not tell us any more."),
        (after_hearing(OURS, Denied("not you"), NOW), "Its hub will not tell us: not you"),
        (replace(OURS, error="gone"), "Its hub was asked to tell us of new posts and has not confirmed"),
    ],
)
def test_how_it_stands_is_one_sentence(one: Subscription, told: str) -> None:
    assert told_by_hub(listed(one)).startswith(told)


def test_people_see_neither_its_name_nor_its_secret() -> None:
    shown = str(listed(OURS))
    assert OURS.id not in shown
    assert OURS.secret not in shown
