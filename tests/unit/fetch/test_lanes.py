"""One blog's crawl among others: without a network, and without a clock."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from threading import Event, current_thread

import pytest

from blogforever.fetch import lanes
from blogforever.fetch.aside import Aside
from blogforever.fetch.lanes import LOST_AFTER, LOST_AFTER_LAST, AskQueue, LaneCrawl
from blogforever.model import Failure, Page
from blogforever.protocols import Answer, Ask, Lane

LONG = 60.0
"""Seconds after which a test that waits for nothing gives up."""


class Steps:
    """A handler that asks for some pages, one step after the other, and remembers what came."""

    def __init__(self, *steps: Iterable[str]) -> None:
        self._steps = [[Ask(url) for url in step] for step in steps]
        self.came: list[str] = []
        self.is_done = False

    def lane(self) -> Lane:
        def done() -> None:
            self.is_done = True

        return Lane(self, done=done)

    def start(self) -> list[Ask]:
        return self._steps.pop(0) if self._steps else []

    def idle(self) -> list[Ask]:
        return self.start()

    def handle(self, answer: Answer) -> list[Ask]:
        self.came.append(answer.ask.url)
        return []


class Pages:
    """Answers at once, with a page for everything but what is missing."""

    def __init__(self, missing: Iterable[str] = (), reason: str = "timeout", reachable: bool = False) -> None:
        self._missing, self._reason, self._reachable = set(missing), reason, reachable
        self.most = self._now = 0
        self.looked: list[str] = []

    async def answer(self, _lane: Lane, ask: Ask) -> Answer:
        self._now += 1
        self.most = max(self.most, self._now)
        await asyncio.sleep(0)
        self._now -= 1
        if ask.url in self._missing:
            return Answer(ask, 0, failure=Failure(ask.url, self._reason))
        return Answer(ask, 200, Page(ask.url, b"<p>Here."))

    async def reachable(self, _lane: Lane, url: str) -> bool:
        self.looked.append(url)
        return self._reachable


def crawl(lane: Lane, pages: Pages, share: int = 4) -> LaneCrawl:
    return LaneCrawl(lane, pages, Aside(), lambda: share)


def addresses(number: int) -> list[str]:
    return [f"http://some.blog/{n}" for n in range(number)]


def test_step_follows_step_and_the_end_is_told_to_the_lane() -> None:
    handler = Steps(["http://some.blog/"], addresses(3), ["http://some.blog/last"])

    async def run() -> str:
        return await crawl(handler.lane(), Pages()).run()

    assert asyncio.run(run()) == "finished"
    assert handler.came == ["http://some.blog/", *addresses(3), "http://some.blog/last"]
    assert handler.is_done


def test_no_more_is_under_way_than_the_share_of_the_blog() -> None:
    pages = Pages()

    async def run() -> None:
        await crawl(Steps(addresses(30)).lane(), pages, share=3).run()

    asyncio.run(run())
    assert pages.most == 3


def test_a_long_step_of_one_blog_leaves_the_others_their_answers() -> None:
    may_end = Event()
    threads: list[str] = []

    class Learning(Steps):
        def idle(self) -> list[Ask]:
            threads.append(current_thread().name)
            assert may_end.wait(LONG), "the other blog did not go on meanwhile"
            return []

    class Quick(Steps):
        def handle(self, answer: Answer) -> list[Ask]:
            if len(self.came) == 1:
                # The other one is in its long step, and stays there until this blog is done.
                assert not may_end.is_set()
            return super().handle(answer)

    quick = Quick(addresses(5), addresses(2))
    lane = quick.lane()
    lane.done = may_end.set

    async def run() -> list[str]:
        crawls = [crawl(Learning([]).lane(), Pages()), crawl(lane, Pages())]
        return list(await asyncio.gather(*(one.run() for one in crawls)))

    assert asyncio.run(run()) == ["finished", "finished"]
    assert len(quick.came) == 7
    assert threads[0] != current_thread().name


def test_what_a_handler_raises_ends_its_own_crawl_only() -> None:
    class Broken(Steps):
        def handle(self, answer: Answer) -> list[Ask]:
            raise ZeroDivisionError(answer.ask.url)

    broken, sound = Broken(addresses(3)), Steps(addresses(3))

    async def run() -> list[str | BaseException]:
        crawls = (crawl(handler.lane(), Pages()) for handler in (broken, sound))
        return list(await asyncio.gather(*(one.run() for one in crawls), return_exceptions=True))

    first, second = asyncio.run(run())
    assert isinstance(first, ZeroDivisionError)
    assert second == "finished"
    assert not broken.is_done
    assert sound.is_done


def test_who_is_stopped_gets_what_is_under_way_and_asks_nothing_more() -> None:
    class Stopping(Steps):
        def handle(self, answer: Answer) -> list[Ask]:
            running[0].stop()
            return super().handle(answer)

    handler = Stopping(addresses(10))
    running: list[LaneCrawl] = []

    async def run() -> str:
        running.append(crawl(handler.lane(), Pages(), share=4))
        return await running[0].run()

    assert asyncio.run(run()) == "interrupted"
    assert handler.came == addresses(4)
    assert not handler.is_done


def test_who_is_stopped_does_not_wait_to_know_whether_the_blog_is_still_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lanes, "GRACE", 0.0)

    class Silent(Pages):
        async def reachable(self, _lane: Lane, url: str) -> bool:
            running[0].stop()
            await asyncio.Event().wait()
            return True

    gone = [f"http://some.blog/gone/{n}" for n in range(LOST_AFTER)]
    running: list[LaneCrawl] = []

    async def run() -> str:
        running.append(crawl(Steps(["http://some.blog/"], gone).lane(), Silent(gone), share=1))
        return await asyncio.wait_for(running[0].run(), LONG)

    assert asyncio.run(run()) == "interrupted"


def test_a_crawl_that_is_cancelled_leaves_nothing_behind() -> None:
    handler = Steps(addresses(10))

    async def run() -> int:
        task = asyncio.ensure_future(crawl(handler.lane(), Pages()).run())
        while not handler.came:
            await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await asyncio.sleep(0)
        return len(asyncio.all_tasks())

    assert asyncio.run(run()) == 1, "only the test itself is left"
    assert not handler.is_done


@pytest.mark.parametrize(
    ("bad", "reachable", "ending"),
    [(LOST_AFTER, False, "lost"), (LOST_AFTER, True, "finished"), (4, False, "finished")],
)
def test_a_row_of_failures_makes_us_look_whether_the_blog_is_still_there(
    bad: int, reachable: bool, ending: str
) -> None:
    gone = [f"http://some.blog/gone/{n}" for n in range(bad)]
    pages = Pages(gone, reachable=reachable)
    handler = Steps(["http://some.blog/"], gone, ["http://some.blog/last"])
    if bad < LOST_AFTER:
        handler = Steps(["http://some.blog/"], [*gone, "http://some.blog/last"])

    async def run() -> str:
        return await crawl(handler.lane(), pages, share=1).run()

    assert asyncio.run(run()) == ending
    assert bool(pages.looked) is (bad >= LOST_AFTER)
    assert set(pages.looked) <= {"http://some.blog/"}


def test_a_short_row_is_enough_where_it_would_be_the_end() -> None:
    gone = [f"http://some.blog/gone/{n}" for n in range(LOST_AFTER_LAST)]

    async def run(missing: list[str]) -> str:
        return await crawl(Steps(["http://some.blog/"], missing).lane(), Pages(gone)).run()

    assert asyncio.run(run(gone)) == "lost"
    assert asyncio.run(run(gone[1:])) == "finished"


def test_the_host_that_is_asked_least_comes_first_and_there_the_most_urgent() -> None:
    queue = AskQueue()
    for ask in (
        Ask("http://one.example/late"),
        Ask("http://one.example/soon", priority=5),
        Ask("http://two.example/a"),
        Ask("http://one.example/later"),
        Ask("http://[", priority=-9),
    ):
        queue.add(ask)
    first = queue.take()
    assert first.url == "http://one.example/soon"
    assert queue.take().url == "http://two.example/a"
    assert queue.take().url == "http://["
    queue.done(first)
    assert [queue.take().url, queue.take().url] == ["http://one.example/late", "http://one.example/later"]
    assert not queue
