from __future__ import annotations

import pytest

from blogforever.pipeline.waiting import BARREN, LOOK_BACK, Order, Waiting
from blogforever.protocols import Ask

ROOT = "https://blog.example/"


def asks(*paths: str) -> list[Ask]:
    return [Ask(ROOT + path) for path in paths]


def urls(taken: list[Ask]) -> list[str]:
    return [ask.url.removeprefix(ROOT) for ask in taken]


def test_what_gave_posts_goes_first_and_equals_go_in_the_order_they_were_met() -> None:
    waiting = Waiting()
    waiting.add(asks("forum/aa", "forum/bb", "notes/cc"))
    waiting.learn(f"{ROOT}forum/xx", 0, fruitful=False)
    waiting.learn(f"{ROOT}notes/xx", 7, fruitful=True)
    assert urls(waiting.take(2)) == ["notes/cc", "forum/aa"]
    assert len(waiting) == 1
    assert urls(waiting.take(5)) == ["forum/bb"]
    assert waiting.take(5) == []


def test_breadth_first_keeps_the_order() -> None:
    waiting = Waiting("bfs")
    waiting.add(asks("forum/aa", "notes/cc", "forum/bb"))
    waiting.learn(f"{ROOT}notes/xx", 7, fruitful=True)
    assert urls(waiting.take(9)) == ["forum/aa", "notes/cc", "forum/bb"]


@pytest.mark.parametrize("order", ["knn", "bfs"])
def test_a_numbered_family_without_posts_is_closed_and_told(order: Order) -> None:
    waiting = Waiting(order)
    waiting.add(asks("gallery/page/900/", "wiki/word"))
    for n in range(BARREN):
        waiting.learn(f"{ROOT}gallery/page/{n}/", 0, fruitful=False)
        waiting.learn(f"{ROOT}wiki/word-{'x' * n}", 0, fruitful=False)
    waiting.add(asks("gallery/page/901/", "wiki/more"))
    assert sorted(urls(waiting.take(9))) == ["wiki/more", "wiki/word"]
    assert waiting.traps == {f"{ROOT}gallery/page/{BARREN - 1}/": 1}
    assert waiting.left == 2


def test_facets_are_one_family_whatever_their_names() -> None:
    waiting = Waiting()
    for n in range(BARREN):
        waiting.learn(f"{ROOT}shop/?f{n}=1&g=2", 0, fruitful=False)
    waiting.add(asks("shop/?new=1"))
    assert not waiting.take(1)


def test_fruit_now_and_then_keeps_a_family_open() -> None:
    waiting = Waiting()
    for n in range(3 * BARREN):
        waiting.learn(f"{ROOT}gallery/page/{n}/", 0, fruitful=n % 50 == 0)
    assert not waiting.traps


def test_a_thousand_pages_with_hardly_a_post_end_the_walk() -> None:
    waiting = Waiting()
    waiting.add(asks("wiki/more"))
    for n in range(LOOK_BACK):
        assert not waiting.tired
        waiting.learn(f"{ROOT}wiki/{'x' * n}", 0, fruitful=n % 200 == 0)
    assert waiting.tired
    waiting.add(asks("wiki/word"))
    assert not waiting.take(1)
    assert waiting.left == 2
