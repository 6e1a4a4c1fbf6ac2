from __future__ import annotations

from blogforever.model import Failure, Page
from blogforever.pipeline.secondtry import MOST, SecondTry
from blogforever.pipeline.sources import DOUBT_AFTER, GIVE_UP_AFTER, Ledger, Turns, spread
from blogforever.pipeline.waiting import LOOK_BACK, Waiting
from blogforever.protocols import Answer, Ask

ROOT = "https://blog.example/"


def asks(*paths: str, via: str = "") -> list[Ask]:
    return [Ask(ROOT + path, via=via or None) for path in paths]


def urls(taken: list[Ask]) -> list[str]:
    return [ask.url.removeprefix(ROOT) for ask in taken]


def test_every_source_has_its_turn_whatever_its_length() -> None:
    turns = Turns()
    turns.add("long", asks("a1", "a2", "a3", "a4"))
    turns.add("short", asks("b1"))
    assert urls(turns.take(3)) == ["a1", "b1", "a2"]
    assert urls(turns.take(9)) == ["a3", "a4"]


def test_a_spread_order_has_every_item_once_and_begins_all_over() -> None:
    order = spread(range(1000))
    assert sorted(order) == list(range(1000))
    assert {place // 100 for place in order[:50]} == set(range(10))


def test_a_source_is_closed_by_what_leads_nowhere_in_a_row_only() -> None:
    ledger = Ledger()
    for _ in range(3):
        assert [ledger.failed("page") for _ in range(GIVE_UP_AFTER - 1)][-1] == GIVE_UP_AFTER - 1
        ledger.came("page")
    assert not ledger.closed
    for _ in range(GIVE_UP_AFTER):
        ledger.failed("page")
    assert ledger.closed == {"page"}


def test_announced_posts_come_before_linked_ones_and_those_before_other_pages() -> None:
    waiting = Waiting()
    waiting.add(asks("about"))
    waiting.add_posts("page", asks("linked"))
    waiting.add_posts("feed", asks("announced"), announced=True)
    assert waiting.posts() == 2
    assert urls(waiting.take(9)) == ["announced", "linked", "about"]


def test_what_a_farm_names_is_left_and_told_and_nothing_else_is() -> None:
    waiting, farm = Waiting(), f"{ROOT}links/"
    waiting.add_posts(farm, asks(*(f"2020/{n}" for n in range(500)), via=farm))
    waiting.add_posts("feed", asks("good"), announced=True)
    waiting.add(asks("wiki/a", "wiki/b", via=farm))
    waiting.add(asks("wiki/c"))
    for _ in range(GIVE_UP_AFTER):
        waiting.failed(farm, None, None)
    assert sorted(urls(waiting.take(999))) == ["good", "wiki/c"]
    assert len(waiting.cut[farm]) == 502
    waiting.add_posts(farm, asks("2020/more"))
    assert not waiting.posts()


def test_where_misses_cost_nothing_no_source_is_closed() -> None:
    waiting = Waiting(misses_cost=False)
    waiting.add_posts("page", asks("a", "b"))
    for _ in range(LOOK_BACK + GIVE_UP_AFTER):
        waiting.failed("page", None, None)
    assert waiting.posts() == 2
    assert not waiting.tired


def test_a_doubted_source_is_tried_all_over() -> None:
    waiting = Waiting()
    waiting.add_posts("sitemap", asks(*map(str, range(800))), announced=True)
    for _ in range(DOUBT_AFTER):
        waiting.failed("sitemap", None, None)
    tried = [int(url) for url in urls(waiting.take(20))]
    assert {number // 100 for number in tried} == set(range(8))


def test_lists_that_name_only_what_is_not_there_are_a_trap() -> None:
    waiting = Waiting()
    waiting.add(asks("tag/x/page/99/"))
    for number in range(10):
        url = f"{ROOT}tag/x/page/{number}/"
        waiting.learn(url, 10, fruitful=None)
        for _ in range(10):
            waiting.failed(url, None, url)
    assert waiting.traps
    assert not waiting.take(1)


def hung(url: str, priority: int = 0, again: bool = False) -> Answer:
    return Answer(Ask(url, priority=priority, again=again), 0, failure=Failure(url, "timeout"))


def test_what_hung_gets_one_more_chance_posts_first_and_not_too_many() -> None:
    second = SecondTry()
    answers = [hung(f"{ROOT}{n}", priority=n) for n in range(MOST + 2)]
    assert all(second.hung(answer) for answer in answers)
    again, given_up = second.take()
    assert [ask.priority for ask in again] == list(range(MOST + 1, 1, -1))
    assert all(ask.again for ask in again)
    assert sorted(answer.ask.priority for answer in given_up) == [0, 1]
    assert not second.hung(hung(f"{ROOT}x", again=True))
    assert not second.hung(Answer(Ask(ROOT), 0, failure=Failure(ROOT, "connection")))
    assert second.take() == ([], [])


def test_nothing_is_asked_again_by_a_crawl_that_was_stopped() -> None:
    second = SecondTry()
    second.hung(hung(ROOT))
    again, given_up = second.take(0)
    assert (again, len(given_up)) == ([], 1)


def test_a_page_that_came_is_not_asked_for_again_because_its_drawing_hung() -> None:
    drawing = Answer(Ask(ROOT, draw=True), 200, Page(ROOT, b"<p>Here.</p>"), failure=Failure(ROOT, "timeout"))
    assert not SecondTry().hung(drawing)
