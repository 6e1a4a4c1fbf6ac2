"""The state of a followed blog after each kind of look."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from blogforever.schedule.states import LookEnd, StateAfter, StateWord, state_after
from blogforever.schedule.values import PastLook

NOW = datetime(2025, 3, 3, 12, tzinfo=UTC)
DAY = timedelta(days=1)


def failed(days: int, every: int = 1) -> list[PastLook]:
    return [PastLook(NOW - DAY * ago, answered=False) for ago in range(days, -1, -every)]


def test_a_blog_that_answers_is_followed_whatever_it_was() -> None:
    for before in ("waiting", "harvesting", "failing", "frozen", "dead"):
        assert state_after(before, LookEnd("finished"), [PastLook(NOW)]) == StateAfter("following")


def test_a_blog_that_moved_is_followed_where_it_is() -> None:
    after = state_after("following", LookEnd("finished", moved_to="https://new.example/"), [PastLook(NOW)])
    assert (after.state, after.moved_to) == ("following", "https://new.example/")


@pytest.mark.parametrize("failure", ["no such host", "connection", "status 502", "challenge"])
def test_what_does_not_answer_is_failing_with_the_reason(failure: str) -> None:
    after = state_after("following", LookEnd("unreachable", failure=failure, was_known=True), failed(0))
    assert after.state == "failing"
    assert after.reason


def test_a_blog_of_a_private_network_says_how_it_is_asked() -> None:
    after = state_after("harvesting", LookEnd("nothing", failure="private"), failed(0))
    assert "--allow-private" in after.reason


def test_a_host_that_has_no_robots_txt_to_give_for_now_is_not_said_to_forbid_us() -> None:
    end = LookEnd("unreachable", failure="robots.txt status 503", was_known=True)
    after = state_after("failing", end, failed(60))
    assert after == StateAfter("failing", "its robots.txt answers with status 503, which forbids everything for now")


def test_a_blog_is_dead_after_weeks_of_silence() -> None:
    end = LookEnd("unreachable", failure="no such host", was_known=True)
    assert state_after("failing", end, failed(13)).state == "failing"
    after = state_after("failing", end, failed(14))
    assert after == StateAfter("dead", "nothing has answered since 2025-02-17; there is no such host")


def test_two_looks_prove_no_death_however_far_apart() -> None:
    assert state_after("failing", LookEnd("unreachable", failure="timeout"), failed(30, 30)).state == "failing"


@pytest.mark.parametrize("failure", ["status 503", "challenge", "login", "status 403"])
def test_walls_and_errors_are_no_death(failure: str) -> None:
    assert state_after("failing", LookEnd("unreachable", failure=failure), failed(60)).state == "failing"


def test_an_answer_in_between_begins_the_count_anew() -> None:
    looks = [*failed(20)[:15], PastLook(NOW - DAY * 5), *failed(4)]
    assert state_after("failing", LookEnd("unreachable", failure="timeout"), looks).state == "failing"


@pytest.mark.parametrize("ending", ["nothing", "unreachable", "frozen"])
def test_a_parked_domain_is_dead_at_once(ending: str) -> None:
    after = state_after("waiting", LookEnd(ending, failure="parked"), [PastLook(NOW)])  # type: ignore[arg-type]  # one of the endings
    assert after.state == "dead"
    assert "for sale" in after.reason


def test_one_page_in_place_of_all_posts_is_a_dead_blog() -> None:
    end = LookEnd("frozen", reason="one and the same page stands in place of 9 posts", one_page_for_many=True)
    assert state_after("following", end, [PastLook(NOW)]) == StateAfter("dead", end.reason)


def test_a_frozen_blog_waits_for_a_person() -> None:
    after = state_after("following", LookEnd("frozen", reason="9 of 10 posts are away"), [PastLook(NOW)])
    assert after == StateAfter("frozen", "9 of 10 posts are away")


def test_what_answers_and_has_no_post_is_no_blog() -> None:
    assert state_after("harvesting", LookEnd("nothing"), [PastLook(NOW)]).state == "rejected"


def test_a_blog_that_once_had_posts_is_never_rejected() -> None:
    assert state_after("following", LookEnd("nothing", was_known=True), [PastLook(NOW)]).state == "failing"


@pytest.mark.parametrize(("before", "after"), [("harvesting", "waiting"), ("following", "following")])
def test_a_look_that_did_not_take_place_proves_nothing(before: StateWord, after: StateWord) -> None:
    for ending in ("interrupted", "busy"):
        assert state_after(before, LookEnd(ending), []).state == after


def test_a_fault_of_ours_is_told() -> None:
    assert state_after("following", LookEnd("crashed", reason="KeyError: 'x'"), []).state == "failing"
