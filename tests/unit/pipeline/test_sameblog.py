"""A feed beside the posts of a known blog; and whether that blog is still where it was."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from blogforever.model import Entry, Moment
from blogforever.update.remembered import KnownPost
from blogforever.update.sameblog import Glimpse, Likeness, likeness, lives

LAST = datetime(2022, 1, 1, tzinfo=UTC)
TEXTS = {f"p{n}": " ".join(f"word{n}x{i}" for i in range(60)) for n in range(6)}
POSTS = [
    KnownPost(f"p{n}", f"https://old.example/2021/letter-{n}/", guid=f"urn:{n}", title=f"Letter {n}") for n in range(6)
]


def entry(number: int, **more: Any) -> Entry:
    values: dict[str, Any] = {
        "url": f"https://new.example/l/{number}",
        "title": f"Letter {number}",
        "html": TEXTS[f"p{number}"],
    } | more
    day = Moment(values.pop("day", "2021-03-04T10:00:00Z"), "second")
    return Entry(published=day, guid=values.pop("guid", None), **values)


def like(*entries: Entry) -> tuple[int, int]:
    found = likeness(entries, POSTS, TEXTS.__getitem__, LAST)
    return found.old_enough, found.same


def test_the_words_of_an_entry_tell_whose_it_is() -> None:
    assert like(*(entry(n) for n in range(4))) == (4, 4)
    assert like(entry(1, html="quite other words " * 20)) == (1, 0)
    assert like(entry(1, html=" ".join(TEXTS["p1"].split()[:30]))) == (1, 1)


def test_without_words_title_and_guid_or_path_do() -> None:
    assert like(entry(1, html="Read on")) == (1, 0)
    assert like(entry(1, html="Read on", guid="urn:1")) == (1, 1)
    assert like(entry(1, html="", url="https://new.example/2021/letter-1/")) == (1, 1)
    assert like(entry(1, html="", guid="urn:2")) == (1, 0)


def test_what_came_after_the_last_look_counts_for_neither_side() -> None:
    assert like(entry(1), entry(2, title="News", html="words " * 30, day="2022-06-01T10:00:00Z")) == (1, 1)


@pytest.mark.parametrize(("old_enough", "same", "mostly"), [(3, 3, True), (10, 7, True), (2, 2, False), (10, 5, False)])
def test_mostly_is_two_thirds_and_three(old_enough: int, same: int, mostly: bool) -> None:
    assert Likeness(old_enough, same).mostly is mostly


SHOWN = Glimpse(200, "", True, tuple(TEXTS["p1"].split()))


@pytest.mark.parametrize(
    ("glimpse", "text", "alive"),
    [
        (SHOWN, TEXTS["p1"], True),
        (SHOWN, TEXTS["p2"], False),
        (Glimpse(200, "", False, SHOWN.words), TEXTS["p1"], False),
        (Glimpse(200, "", True, (), frozenset({"old.example/2021/letter-1"})), "", True),
        (Glimpse(0, "no such host", True), "", False),
        (Glimpse(404, "", True), "", False),
        (Glimpse(503, "", True), "", None),
        (Glimpse(403, "challenge", True), "", None),
    ],
)
def test_a_blog_lives_where_it_shows_a_post_of_its_own(glimpse: Glimpse, text: str, alive: bool | None) -> None:
    assert lives([(glimpse, text)], frozenset({"old.example/2021/letter-1"})) is alive
