"""What a response lets us ask next time."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from blogforever.protocols import Condition, Exchange, Ref
from blogforever.store.conditions import condition_of

NOON = datetime(2026, 11, 20, 12, 0, 0, tzinfo=UTC)
CHANGED = "Fri, 20 Nov 2026 12:00:00 GMT"
LATER = "Fri, 20 Nov 2026 12:00:01 GMT"
SECOND = f"{int(NOON.timestamp()):x}"
REF = Ref("warc/a.warc.gz", 0)


def condition(status: int = 200, earlier: Ref | None = None, asked: str = "", **headers: str) -> Condition | None:
    """That of a page with these headers."""
    sent = (("If-None-Match", asked),) if asked else ()
    told = tuple((name.replace("_", "-"), value) for name, value in headers.items())
    return condition_of(
        Exchange("https://a.example/", "GET", sent, status, "", told, b"<p>Hi", NOON, earlier=earlier), REF
    )


@pytest.mark.parametrize("tag", ["", f'"{SECOND}-5f3"', f'W/"{SECOND.upper()}-5f3"', f'"1523-{int(NOON.timestamp())}"'])
def test_who_changed_in_the_second_it_came_is_not_asked_by_that_second(tag: str) -> None:
    """It may have changed once more in what was left of it, with the same tag and length."""
    assert condition(Last_Modified=CHANGED, Date=CHANGED, ETag=tag) is None


@pytest.mark.parametrize(
    ("tag", "date"),
    [(f'"{SECOND}-5f3"', LATER), ("", LATER), ('"c0ffee"', CHANGED), (f'"{SECOND}-5f3"', ""), ('"c0ffee"', "soon")],
)
def test_who_changed_before_or_tells_changes_apart_is(tag: str, date: str) -> None:
    found = condition(Last_Modified=CHANGED, Date=date, ETag=tag)
    assert found
    assert (found.etag, found.modified) == (tag or None, CHANGED)


def test_who_has_not_changed_since_is_asked_by_it_again() -> None:
    tag = f'"{SECOND}-5f3"'
    found = condition(304, REF, tag, Last_Modified=CHANGED, Date=LATER)
    assert found
    assert found.etag == tag


def test_a_promise_holds_all_the_same() -> None:
    found = condition(Last_Modified=CHANGED, Date=CHANGED, Cache_Control="max-age=60")
    assert found
    assert (found.etag, found.modified) == (None, None)
    assert found.until
