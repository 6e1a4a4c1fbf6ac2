"""The live fetcher as a service uses it: awaited in somebody's event loop, blogs at any time, each for itself."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from http.server import BaseHTTPRequestHandler
from threading import Event, current_thread, main_thread
from typing import Any

import pytest

from blogforever.config import Config
from blogforever.errors import ArchiveError, UsageError
from blogforever.fetch.aside import AT_A_TIME
from blogforever.fetch.engine import LiveFetcher
from blogforever.model import Page
from blogforever.protocols import Answer, Ask, Exchange, Lane, Ref
from server.blogserver import Answers, Reply, send, serve_answers

LONG = 60.0


class Nothing:
    """An archive in which nothing is kept."""

    def find(self, _url: str, exact: bool = False) -> Ref | None:
        return None

    def response(self, ref: Ref) -> tuple[int, Page]:
        raise ArchiveError(f"There is nothing at {ref.offset}.")


class Wanting:
    """A handler that wants some pages, one after the other, and remembers what came."""

    def __init__(self, *urls: str) -> None:
        self._urls = list(urls)
        self.came: list[tuple[str, int]] = []

    def start(self) -> Iterable[Ask]:
        return [Ask(self._urls.pop(0), "api")] if self._urls else []

    def idle(self) -> Iterable[Ask]:
        return self.start()

    def handle(self, answer: Answer) -> Iterable[Ask]:
        self.came.append((answer.ask.url.rpartition("/")[2], answer.status))
        return ()


class Breaking(Wanting):
    def handle(self, answer: Answer) -> Iterable[Ask]:
        raise ZeroDivisionError("a fault of this handler")


def fetcher(**more: Any) -> LiveFetcher:
    values: dict[str, Any] = {"allow_private": True, "delay": 0.0, "timeout": 20.0, "retries": 0}
    return LiveFetcher(Config(**(values | more)), "blogforever/0 (a test)", Nothing())


def pages(_base: str) -> Answers:
    return lambda path: Reply(path.encode()) if path != "/robots.txt" else None


def held(may_go_on: Event) -> Any:
    """Pages, of which one waits until somebody says so."""

    def late(handler: BaseHTTPRequestHandler) -> None:
        may_go_on.wait(LONG)
        send(handler, Reply(b"late"))

    def make(base: str) -> Answers:
        usual = pages(base)
        return lambda path: late if path == "/late" else usual(path)

    return make


def test_a_blog_is_taken_while_another_is_crawled_and_after_all_have_ended() -> None:
    may_go_on = Event()

    async def serve(base: str) -> tuple[list[str], list[Wanting]]:
        handlers = [Wanting(f"{base}/late"), Wanting(f"{base}/a", f"{base}/b"), Wanting(f"{base}/c")]
        slow, quick, after = (Lane(handler) for handler in handlers)
        async with fetcher() as fetching:
            waiting = asyncio.ensure_future(fetching.crawl(slow))
            endings: list[str] = [await fetching.crawl(quick)]
            assert not waiting.done()
            may_go_on.set()
            endings.append(await waiting)
            endings.append(await fetching.crawl(after))
        return endings, handlers

    with serve_answers(held(may_go_on)) as site:
        endings, handlers = asyncio.run(serve(site.base))
    assert endings == ["finished"] * 3
    assert [handler.came for handler in handlers] == [[("late", 200)], [("a", 200), ("b", 200)], [("c", 200)]]


def test_one_program_after_the_other_and_a_blocking_one_use_the_same_network() -> None:
    async def serve(lane: Lane) -> str:
        async with fetcher() as fetching:
            return await fetching.crawl(lane)

    with serve_answers(pages) as site:
        handlers = [Wanting(f"{site.base}/{name}") for name in "abc"]
        assert asyncio.run(serve(Lane(handlers[0]))) == "finished"
        assert fetcher().run([Lane(handlers[1])]) == ["finished"]
        assert asyncio.run(serve(Lane(handlers[2]))) == "finished"
    assert [handler.came[0][0] for handler in handlers] == ["a", "b", "c"]


def test_what_a_handler_raises_is_raised_to_who_waits_for_its_blog() -> None:
    async def serve(base: str) -> list[str | BaseException]:
        lanes = Lane(Breaking(f"{base}/a")), Lane(Wanting(f"{base}/b", f"{base}/c"))
        async with fetcher() as fetching:
            return list(await asyncio.gather(*map(fetching.crawl, lanes), return_exceptions=True))

    with serve_answers(pages) as site:
        broken, sound = asyncio.run(serve(site.base))
    assert isinstance(broken, ZeroDivisionError)
    assert sound == "finished"


def test_a_blocking_run_ends_all_other_blogs_before_it_raises_what_one_handler_raised() -> None:
    done: list[str] = []
    with serve_answers(pages) as site:
        sound = Wanting(*(f"{site.base}/{number}" for number in range(5)))
        lanes = [Lane(Breaking(f"{site.base}/a")), Lane(sound, done=lambda: done.append("sound"))]
        with pytest.raises(ZeroDivisionError):
            fetcher().run(lanes)
    assert len(sound.came) == 5
    assert done == ["sound"]


def test_trouble_of_our_own_ends_all_blogs_at_once() -> None:
    def full(_exchange: Exchange) -> Ref:
        raise ArchiveError("The disk is full.")

    may_go_on = Event()
    with serve_answers(held(may_go_on)) as site:
        slow = Wanting(f"{site.base}/late")
        with pytest.raises(ArchiveError, match="disk is full"):
            fetcher().run([Lane(Wanting(f"{site.base}/a"), full), Lane(slow)])
        assert slow.came == []
        may_go_on.set()


def test_one_blog_is_stopped_and_the_other_goes_on() -> None:
    class Endless(Wanting):
        def idle(self) -> Iterable[Ask]:
            return [Ask(f"{base}/{len(self.came)}", "api")]

    async def serve() -> list[str]:
        endless, other = Lane(Endless(f"{base}/a")), Wanting(*(f"{base}/{number}" for number in range(5)))
        async with fetcher() as fetching:
            without_end = asyncio.ensure_future(fetching.crawl(endless))
            endings: list[str] = [await fetching.crawl(Lane(other))]
            fetching.stop(endless)
            return [*endings, await without_end]

    with serve_answers(pages) as site:
        base = site.base
        assert asyncio.run(serve()) == ["finished", "interrupted"]


def test_looks_at_known_blogs_do_not_wait_for_the_long_steps_of_walks() -> None:
    may_go_on = Event()

    class Long(Wanting):
        def start(self) -> Iterable[Ask]:
            may_go_on.wait(LONG)
            return ()

    async def serve(base: str) -> tuple[str, list[str]]:
        async with fetcher() as fetching:
            walks = [asyncio.ensure_future(fetching.crawl(Lane(Long(), walks=True))) for _ in range(2 * AT_A_TIME)]
            ending = await asyncio.wait_for(fetching.crawl(Lane(Wanting(f"{base}/a"))), LONG)
            assert not any(walk.done() for walk in walks)
            may_go_on.set()
            return ending, list(await asyncio.gather(*walks))

    with serve_answers(pages) as site:
        assert asyncio.run(serve(site.base)) == ("finished", ["finished"] * 2 * AT_A_TIME)


def test_handlers_never_run_in_the_thread_of_the_program() -> None:
    threads: set[Any] = set()

    class Watching(Wanting):
        def handle(self, answer: Answer) -> Iterable[Ask]:
            threads.add(current_thread())
            return super().handle(answer)

    async def serve(lane: Lane) -> str:
        async with fetcher() as fetching:
            return await fetching.crawl(lane)

    with serve_answers(pages) as site:
        asyncio.run(serve(Lane(Watching(f"{site.base}/a", f"{site.base}/b"))))
    assert threads
    assert main_thread() not in threads


def test_two_fetchers_at_a_time_must_agree_on_what_may_be_connected_to() -> None:
    async def enter_both() -> None:
        async with fetcher():
            with pytest.raises(UsageError, match="--allow-private"):
                await fetcher(allow_private=False).__aenter__()
            async with fetcher():
                pass

    asyncio.run(enter_both())


def test_a_fetcher_that_was_not_entered_says_so() -> None:
    with pytest.raises(RuntimeError, match="async with"):
        asyncio.run(fetcher().crawl(Lane(Wanting())))
