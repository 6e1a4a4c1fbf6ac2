"""Late comments that scripts draw: what is asked, and which posts are drawn again."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from blogforever.model import Need, Page
from blogforever.pipeline.hostedcounts import HostedCounts
from blogforever.pipeline.rendering import Rendering
from blogforever.protocols import Ref
from blogforever.update.latecomments import LEAST_DRAWN, LateComments
from blogforever.update.remembered import KnownPost

NOW = datetime(2024, 6, 1, tzinfo=UTC)
COUNTED = b'<section id="isso-thread"></section><script data-isso="https://talk.example/"></script>'
SILENT = b'<div class="giscus"></div>'


def post(number: int, age: int = 400, looked: int = 3, comments: int = 0, stated: int | None = None) -> KnownPost:
    born, seen = NOW - timedelta(days=age), NOW - timedelta(days=looked)
    return KnownPost(
        f"id{number}", f"https://blog.example/post-{number}/", published=born.date().isoformat(),
        captured=seen, checked=seen, comments=comments, stated=stated, ref=Ref("f", number),
    )  # fmt: skip


class System(LateComments):
    """Late comments of a blog whose pages have this source."""

    def __init__(self, content: bytes = COUNTED, comments: bool = True, able: bool = True) -> None:
        need = Need(comments=comments, checked="2024-05-30")
        rendering = Rendering("auto", able, need=need, today=NOW.date(), walks=False)
        self.hosted = HostedCounts(lambda _ref: Page("https://blog.example/", content), {})
        super().__init__(rendering, self.hosted, NOW)

    def told(self, posts: list[KnownPost], answer: str) -> None:
        (ask,) = self.asks(posts)
        assert ask.body
        self.hosted.arrived(ask, Page(ask.url, answer.encode()))


def test_one_request_counts_all_posts_and_those_that_grew_are_drawn() -> None:
    posts = [post(1, comments=2), post(2, age=5000, comments=2), post(3)]
    system = System()
    (ask,) = system.asks(posts)
    counts = {"/post-1/": 2, "/post-2/": 5, "/post-3/": 0}
    system.hosted.arrived(ask, Page("", json.dumps([counts[name] for name in json.loads(ask.body)]).encode()))
    assert [look.url for look in system.looks(posts, 1)] == ["https://blog.example/post-2/"]
    assert "Isso itself counts the comments of 3 posts; drawn again for late ones: 1" in system.sentence()


@pytest.mark.parametrize(
    ("comments", "stated", "count", "drawn"),
    [(2, None, 2, False), (2, None, 3, True), (2, 3, 3, False), (2, 3, 4, True), (3, 2, 3, True), (5, None, 4, False)],
)
def test_what_was_told_before_is_no_news(comments: int, stated: int | None, count: int, drawn: bool) -> None:
    posts, system = [post(1, comments=comments, stated=stated)], System()
    system.told(posts, f"[{count}]")
    assert bool(system.looks(posts, 1)) is drawn


def test_a_system_that_does_not_answer_leaves_recent_posts_to_their_turn() -> None:
    posts, system = [post(1, age=20), post(2, age=20, looked=1), post(3, age=400, looked=100)], System()
    system.told(posts, "Forbidden")
    assert [look.url for look in system.looks(posts, 1)] == ["https://blog.example/post-1/"]
    assert "(Isso gave no count); drawn again: 1" in system.sentence()


def test_where_nobody_counts_recent_posts_are_drawn_by_their_age_and_within_bounds() -> None:
    posts, system = [post(n, age=20 + n % 40, looked=10) for n in range(30)], System(SILENT)
    assert system.asks(posts) == []
    assert len(system.looks(posts, 1)) == LEAST_DRAWN
    assert len(system.looks(posts, 15)) == 15
    assert system.sentence().endswith("drawn again: 15, waiting for the next update: 15")


def test_without_a_browser_nothing_is_asked() -> None:
    system = System(able=False)
    assert system.asks([post(1)]) == []
    assert system.looks([post(1, age=20)], 5) == []
    assert system.sentence() == ""


@pytest.mark.parametrize("count", [0, 1])
def test_a_blog_on_which_nobody_had_written_is_drawn_when_somebody_has(count: int) -> None:
    posts, system = [post(1, age=20)], System(comments=False)
    system.told(posts, f"[{count}]")
    assert len(system.looks(posts, 5)) == count
    assert bool(system.sentence()) is bool(count)


def test_a_blog_without_drawn_comments_and_without_a_count_is_left_alone() -> None:
    system = System(SILENT, comments=False)
    assert system.asks([post(1)]) == []
    assert system.looks([post(1, age=20)], 5) == []


def test_posts_that_are_gone_or_have_no_path_of_their_own_are_not_counted() -> None:
    gone, routed = replace(post(1), state="gone"), replace(post(2), url="https://blog.example/#/post-2")
    assert System().asks([gone, routed]) == []
